/* Systems and lists of them: what is counted of processor sets, and what ranges stand for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine_of_text.h"
#include "model/spec/system.h"

static const char two_classes[] =
    "machine: m\n"
    "nodes:\n"
    "  a: {count: 1000, processors: 8, marked_speed: 2 Mflop/s, memory: 8 GB}\n"
    "  b: {count: 1000, processors: 4, marked_speed: 3 Mflop/s, memory: 12 GB}\n";
static const char one_class[] =
    "machine: m\nnodes: {node: {count: 64, processors: 8, marked_speed: 2 Mflop/s}}\n"
    "systems: {odd..1: 1x2+2x1}\n";

static isocast_status parse(const isocast_machine *machine, const char *text,
                            isocast_system ***systems, size_t *count) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_systems_parse(machine, NULL, "test", text, &diagnostics, systems, count);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

/* Each list and the names of what it stands for. */
static void ranges(void **state) {
    (void)state;
    static const struct {
        bool alike; /* the machine of one class */
        const char *text;
        const char *names;
    } cases[] = {{true, "2..16*2", "2,4,8,16"},
                 {true, "10..50+20,7", "10,30,50,7"},
                 {true, "1..3", "1,2,3"},
                 {true, "1e1..2e1+5", "10,15,20"},
                 {true, "2x4..2x16*2", "2x4,2x8,2x16"},
                 {true, "2x4..16*2", "2x4,2x8,2x16"},
                 {true, "1x4..8x4*2", "1x4,2x4,4x4,8x4"},
                 {true, "1x1..8x8*2", "1x1,2x2,4x4,8x8"},
                 {true, "1x2..1x6+2+2x1", "1x2+2x1,1x4+2x1,1x6+2x1"},
                 {true, "1x2..1x4+2x1", "1x2+2x1,1x3+2x1,1x4+2x1"},
                 {true, "1x1..1x4*2+2x3..2x9+3", "1x1+2x3,1x2+2x6,1x4+2x9"},
                 {true, "3..3", "3"},
                 {true, "1e1,2e0x3", "1e1,2e0x3"},
                 {true, "1e", NULL},
                 {true, "1e1e1", NULL},
                 {true, "1e001", NULL},
                 {true, "odd..1", "odd..1"},
                 {false, "a:8..32*2", "a:8,a:16,a:32"},
                 {false, "a:8..32*2,b:4x2", "a:8,a:16,a:32,b:4x2"},
                 {false, "a:1x1+b:2x4..2x16*2", "a:1x1+b:2x4,a:1x1+b:2x8,a:1x1+b:2x16"},
                 {false, "b:1+a:8..16+8+b:2x1", NULL}, /* b has a count already */
                 {false, "b:1x1+a:8..16+8+b:2x1", "b:1x1+a:8+b:2x1,b:1x1+a:16+b:2x1"},
                 {false, "a:1..4+b:1..3", NULL},
                 {false, "a:1..1x4", NULL},
                 {false, "a:1x1..4x2", NULL},
                 {false, "a:4..1", NULL},
                 {false, "a:1..", NULL},
                 {false, "a:1..4*1", NULL},
                 {false, "a:1..1e9", NULL},
                 {false, "1..4", NULL},
                 {true, "1x2+1x3", NULL},
                 {true, "4+1x2", NULL},
                 {true, "9x1", NULL},
                 {true, "0x4", NULL},
                 {true, "4x0", NULL}};
    isocast_machine *alike = machine_of(one_class);
    isocast_machine *mixed = machine_of(two_classes);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_system **systems = NULL;
        size_t count = 0;
        isocast_status status =
            parse(cases[i].alike ? alike : mixed, cases[i].text, &systems, &count);
        char names[512] = "";
        for (size_t k = 0; k < count; k++) {
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k > 0 ? "," : "",
                     systems[k]->name);
        }
        if (cases[i].names == NULL) {
            assert_int_equal(status, ISOCAST_INVALID);
        } else {
            assert_string_equal(names, cases[i].names);
        }
        isocast_systems_free(systems, count);
    }
    isocast_machine_free(alike);
    isocast_machine_free(mixed);
}

static double draw(unsigned *seed, double most) {
    *seed = *seed * 1103515245U + 12345U;
    return 1 + floor((*seed >> 8) % 65536 * most / 65536);
}

/* Random mixes of sets: what is counted set by set here is what the system says. */
static void random_sets(void **state) {
    (void)state;
    static const double speeds[] = {2e6, 3e6};
    static const double processors[] = {8, 4};
    static const double memories[] = {8e9, 12e9};
    isocast_machine *machine = machine_of(two_classes);
    unsigned seed = 7;
    for (size_t round = 0; round < 2000; round++) {
        char text[256] = "";
        char reversed[256] = "";
        double p = 0, C = 0, nodes = 0, first = 0, most = 0, memory = INFINITY;
        size_t first_class = 0, last_class = 0;
        bool used[2][9] = {{false}};
        size_t parts = (size_t)draw(&seed, 4);
        for (size_t i = 0; i < parts; i++) {
            size_t class = (size_t)draw(&seed, 2) - 1;
            double each = draw(&seed, processors[class]);
            double m = draw(&seed, 100);
            if (used[class][(size_t)each]) {
                continue;
            }
            used[class][(size_t)each] = true;
            char part[32];
            snprintf(part, sizeof part, "%s:%.0fx%.0f", class == 0 ? "a" : "b", each, m);
            char behind[sizeof part + 1 + sizeof reversed];
            snprintf(behind, sizeof behind, "%s%s%s", part, p > 0 ? "+" : "", reversed);
            snprintf(reversed, sizeof reversed, "%.*s", (int)sizeof reversed - 1, behind);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", p > 0 ? "+" : "",
                     part);
            first_class = p > 0 ? first_class : class;
            last_class = class;
            first = p > 0 ? first : each;
            p += each * m;
            C += each * m * speeds[class];
            nodes += m;
            most = fmax(most, each);
            memory = fmin(memory, memories[class] / each);
        }
        isocast_system **systems = NULL;
        size_t count = 0;
        char both[520];
        snprintf(both, sizeof both, "%s,%s", text, reversed);
        assert_int_equal(parse(machine, both, &systems, &count), ISOCAST_OK);
        assert_int_equal(count, 2);
        const isocast_system *s = systems[0];
        bool same = s->p == p && s->nodes == nodes && s->p_node == first && s->p_node_max == most &&
                    fabs(s->C / C - 1) < 1e-14 && s->C_j == speeds[first_class] &&
                    isocast_system_memory(s) == memory && !s->beyond_machine;
        if (!same) {
            fail_msg("%s: p %g, nodes %g, p_node %g, p_node_max %g", text, s->p, s->nodes,
                     s->p_node, s->p_node_max);
        }
        char *one = isocast_system_placement(machine, systems[0]);
        char *other = isocast_system_placement(machine, systems[1]);
        assert_non_null(one);
        assert_non_null(other);
        /* In another order it is the same set, but for the class of process 0. */
        assert_int_equal(strcmp(one, other) == 0, first_class == last_class);
        free(one);
        free(other);
        isocast_systems_free(systems, count);
    }
    isocast_machine_free(machine);
}

/* Sets of one class share its nodes. */
static void nodes_of_the_class(void **state) {
    (void)state;
    isocast_machine *machine = machine_of(one_class);
    isocast_system **systems = NULL;
    size_t count = 0;
    assert_int_equal(parse(machine, "1x60+2x4,1x60+2x5,8x64,8x65", &systems, &count), ISOCAST_OK);
    assert_false(systems[0]->beyond_machine);
    assert_true(systems[1]->beyond_machine);
    assert_false(systems[2]->beyond_machine);
    assert_true(systems[3]->beyond_machine);
    isocast_systems_free(systems, count);
    isocast_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges), cmocka_unit_test(random_sets),
                                       cmocka_unit_test(nodes_of_the_class)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
