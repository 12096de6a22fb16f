/* Sizes refine themselves where times step, and nowhere else: rounds of made-up launches, each at
 * the sizes that the rounds before asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/refinement.h"
#include "tests/calibrate/samples/sample_lines.h"

static const char usual_sizes[] = "8,64,256,768,1024,2048,3000,4096,6000,8192,12000,16384,24000,"
                                  "32768,65536,100000,262144,1048576,4194304,16777216,33554432";
enum { USUAL = 21 };

/* Seconds of a message of m bytes. */
typedef double curve(double m);

typedef struct trial {
    curve *time;
    double together; /* relative standard deviation that a launch's sizes have in common */
    double apart;    /* likewise, of each size by itself */
    unsigned long long random;
    unsigned launches;
    samples samples;
    campaign_refinement found;
} trial;

static double straight(double m) {
    return 1e-6 + 2e-10 * m;
}

static double step_up(double m) {
    return straight(m) * (m < 7000 ? 1 : 1.6);
}

static double step_down(double m) {
    return straight(m) * (m <= 2500000 ? 1 : 0.6);
}

static double bump(double m) {
    return straight(m) * (m == 12000 ? 1.6 : 1);
}

/* A lesser bump beside a step hides nothing. */
static double step_and_bump(double m) {
    return straight(m) * (m < 7000 ? 1 : m == 8192 ? 2.4 : 2);
}

static double bend(double m) {
    return straight(m) + 4e-10 * fmax(m - 20000, 0);
}

static double smooth(double m) {
    return 1e-6 + 3e-9 * pow(m, 0.7);
}

static double many_steps(double m) {
    static const double at[] = {500, 1500, 5000, 11000, 20000, 50000, 500000};
    double time = 1e-6 + 1e-10 * m;
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        time += m < at[k] ? 0 : 3e-6 + 3e-10 * at[k];
    }
    return time;
}

/* Roughly normal, of variance 1: the sum of twelve uniform numbers (xorshift64*). */
static double draw(trial *t) {
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        t->random ^= t->random >> 12;
        t->random ^= t->random << 25;
        t->random ^= t->random >> 27;
        sum += (double)((t->random * 2685821657736338717u) >> 11) / 9007199254740992.0;
    }
    return sum;
}

static void add(trial *t, const char *operation, int p, double m, int index, double seconds) {
    char line[128];
    snprintf(line, sizeof line, "%u,%s,%d,%.17g,%d,%.9g,interval,0,1,%d", t->launches, operation, p,
             m, index, seconds, p);
    add_line(&t->samples, line, SAMPLES_LINE_ROW);
}

static size_t read_sizes(const char *text, double *sizes) {
    size_t count = 0;
    for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        sizes[count++] = strtod(text, &end);
        assert_true(count == 1 || sizes[count - 1] > sizes[count - 2]);
    }
    return count;
}

/* One launch at the sizes that are due; gives how many the next has more. */
static size_t launch(trial *t) {
    double sizes[64];
    size_t count = read_sizes(t->found.sizes != NULL ? t->found.sizes : usual_sizes, sizes);
    double common = exp(t->together * draw(t));
    for (size_t i = 0; i < count; i++) {
        double own = exp(t->apart * draw(t));
        for (int k = 0; k < 5; k++) {
            double seconds = t->time(sizes[i]) * common * own * (1 + 0.003 * draw(t));
            add(t, "T_send", 2, sizes[i], k, seconds);
            add(t, "T_copy", 1, sizes[i], k, straight(sizes[i]) * common * (1 + 0.003 * draw(t)));
        }
    }
    add(t, "T_barrier", 2, 0, 0, 1e-6);
    add(t, "mm", 2, 5000, 0, 1e-10);
    t->launches++;
    assert_true(campaign_refinement_find(&t->samples, usual_sizes, &t->found));
    double next[64];
    return read_sizes(t->found.sizes, next) - count;
}

static void launch_often(trial *t, unsigned launches) {
    t->random += 0x9E3779B97F4A7C15u;
    while (t->launches < launches) {
        assert_true(launch(t) <= CAMPAIGN_REFINEMENT_ROUND_MAX);
    }
}

static void end(trial *t) {
    samples_free(&t->samples);
    campaign_refinement_free(&t->found);
}

/* The sizes next to m, of those measured. */
static double gap_round(const trial *t, double m) {
    double sizes[64];
    size_t count = read_sizes(t->found.sizes, sizes);
    size_t k = 0;
    while (k < count && sizes[k] < m) {
        k++;
    }
    assert_true(k > 0 && k < count);
    return sizes[k] / sizes[k - 1];
}

static void steps_are_bracketed(void **state) {
    (void)state;
    static const struct {
        curve *time;
        double at;
        double noise;
        unsigned launches;
    } cases[] = {
        {step_up, 7000, 0.02, 6}, {step_down, 2500001, 0.01, 8}, {step_and_bump, 7000, 0.01, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned seed = 1; seed < 20; seed++) {
            trial t = {.time = cases[i].time,
                       .together = cases[i].noise,
                       .apart = cases[i].noise,
                       .random = seed};
            launch_often(&t, cases[i].launches);
            double gap = gap_round(&t, cases[i].at);
            if (gap > 1.05) {
                fail_msg("case %zu, seed %u: a gap of %.3f in %s", i, seed, gap, t.found.sizes);
            }
            end(&t);
        }
    }
}

static void a_note_shows_of_the_switch(void **state) {
    (void)state;
    trial t = {.time = step_up, .random = 1};
    launch_often(&t, 1);
    assert_string_equal(t.found.sizes, usual_sizes);
    assert_null(t.found.note);
    launch_often(&t, 6);
    assert_string_equal(t.found.note,
                        "# refined: 3 message sizes added; switches: T_send p=2 6744..7008 B");
    /* The samples alone state a calibration that goes on all of it. */
    campaign_refinement again = {0};
    assert_true(campaign_refinement_find(&t.samples, usual_sizes, &again));
    assert_string_equal(again.sizes, t.found.sizes);
    assert_string_equal(again.note, t.found.note);
    campaign_refinement_free(&again);
    end(&t);
}

static void what_has_no_step_adds_nothing(void **state) {
    (void)state;
    curve *const curves[] = {straight, bend, smooth, bump};
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        trial t = {.time = curves[i], .together = 0.01, .apart = 0.01, .random = i};
        launch_often(&t, 8);
        assert_string_equal(t.found.sizes, usual_sizes);
        assert_null(t.found.note);
        end(&t);
    }
}

static void noise_adds_nothing(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 60; seed++) {
        trial t = {.time = straight,
                   .together = seed % 2 == 0 ? 0.1 : 0,
                   .apart = seed % 3 == 0 ? 0.03 : 0.1,
                   .random = seed};
        launch_often(&t, 10);
        if (strcmp(t.found.sizes, usual_sizes) != 0) {
            fail_msg("seed %u: %s", seed, t.found.sizes);
        }
        end(&t);
    }
}

static void there_is_an_end(void **state) {
    (void)state;
    trial t = {.time = many_steps, .random = 1};
    launch_often(&t, 20);
    double sizes[64];
    assert_int_equal(read_sizes(t.found.sizes, sizes), USUAL + CAMPAIGN_REFINEMENT_MAX);
    assert_true(strlen(t.found.note) < 500);
    end(&t);
}

static void what_is_no_list_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"", "8,,64", "8;64", "m"};
    samples none = {0};
    campaign_refinement found = {0};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(campaign_refinement_find(&none, bad[i], &found));
        assert_null(found.sizes);
    }
    assert_true(campaign_refinement_find(&none, "8,64", &found));
    assert_string_equal(found.sizes, "8,64");
    campaign_refinement_free(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_bracketed),
                                       cmocka_unit_test(a_note_shows_of_the_switch),
                                       cmocka_unit_test(what_has_no_step_adds_nothing),
                                       cmocka_unit_test(noise_adds_nothing),
                                       cmocka_unit_test(there_is_an_end),
                                       cmocka_unit_test(what_is_no_list_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
