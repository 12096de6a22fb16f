/* Names that may be meant by one that is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/dimension.h"
#include "model/base/nearest.h"

static const char *const names[] = {"work", "overhead", "link_latency", "gaussian-elimination",
                                    "t_c",  "C4",       "Sunwulf"};
enum { COUNT = sizeof names / sizeof names[0] };

static void expect(const char *name, const char *meant) {
    const char *nearest = isocast_nearest_name(name, names, COUNT);
    if (meant == NULL) {
        assert_null(nearest);
    } else {
        assert_non_null(nearest);
        assert_string_equal(nearest, meant);
    }
}

static void slips_of_letters_are_found(void **state) {
    (void)state;
    expect("wrok", "work");
    expect("wor", "work");
    expect("worrk", "work");
    expect("overhaed", "overhead");
    expect("tc", "t_c");
    expect("SUNWULF", "Sunwulf");
    expect("c4", "C4");
}

static void short_names_are_no_slips_of_each_other(void **state) {
    (void)state;
    expect("t_s", NULL);
    expect("C5", NULL);
    expect("x", NULL);
    expect("", NULL);
}

static void last_words_and_beginnings_are_found(void **state) {
    (void)state;
    expect("latency", "link_latency");
    expect("gaussian", "gaussian-elimination");
    expect("ga", NULL);
    expect("over-the-head", "overhead");
    expect("over-the-hood", NULL);
    expect("quite-another", NULL);
}

/* Each slip of two neighbours in each name of four letters or more leads back to it. */
static void letters_that_changed_places_lead_back(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        char slip[64];
        size_t length = strlen(names[i]);
        for (size_t k = 0; length > 3 && k + 1 < length; k++) {
            memcpy(slip, names[i], length + 1);
            slip[k] = names[i][k + 1];
            slip[k + 1] = names[i][k];
            expect(slip, names[i]);
        }
    }
}

static void units_are_found(void **state) {
    (void)state;
    isocast_unit_text unit;
    assert_true(isocast_unit_nearest("kEsR", 4, &unit));
    assert_string_equal(unit.text, "kEUR");
    assert_true(isocast_unit_nearest("Gflopp", 6, &unit));
    assert_string_equal(unit.text, "Gflop");
    assert_false(isocast_unit_nearest("rows", 4, &unit));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slips_of_letters_are_found),
                                       cmocka_unit_test(short_names_are_no_slips_of_each_other),
                                       cmocka_unit_test(last_words_and_beginnings_are_found),
                                       cmocka_unit_test(letters_that_changed_places_lead_back),
                                       cmocka_unit_test(units_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
