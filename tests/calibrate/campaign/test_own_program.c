/* The words of a program that is not isocast's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/campaign/own_program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The sides of p processes, x, y and z; 0 where there is no such side. */
static void sides_of(const char *command, double p, double *sides) {
    static const char *const names[] = {"px", "py", "pz"};
    campaign_own_program program = {0};
    isocast_buffer why = {0};
    assert_true(campaign_own_program_split(command, &program, &why));
    assert_true(campaign_own_program_check(&program, &why));
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(campaign_own_program_is_side(&program, names[i], 2, p, &sides[i]));
    }
    campaign_own_program_free(&program);
    isocast_buffer_free(&why);
}

static void sides_are_those_of_dims_create(void **unused) {
    (void)unused;
    static const struct {
        const char *command;
        double p, sides[3];
    } rows[] = {{"./a {N} {px} {py}", 12, {4, 3, 1}},
                {"./a {N} {px} {py}", 7, {7, 1, 1}},
                {"./a {N} --x={px} --y={py} --z={pz}", 12, {3, 2, 2}},
                {"./a {N} {pz} {py} {px}", 64, {4, 4, 4}},
                {"./a {N} {px} {py} {pz}", 1, {1, 1, 1}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double sides[3];
        sides_of(rows[i].command, rows[i].p, sides);
        assert_memory_equal(sides, rows[i].sides, sizeof sides);
    }
}

static void other_names_have_no_value(void **unused) {
    (void)unused;
    static const char *const commands[] = {"./a {N} {pw}", "./a {N} {pxy}", "./a {N} {x}"};
    for (size_t i = 0; i < COUNT(commands); i++) {
        campaign_own_program program = {0};
        isocast_buffer why = {0};
        assert_true(campaign_own_program_split(commands[i], &program, &why));
        assert_false(campaign_own_program_check(&program, &why));
        assert_non_null(strstr(why.text, "has no value"));
        campaign_own_program_free(&program);
        isocast_buffer_free(&why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides_are_those_of_dims_create),
                                       cmocka_unit_test(other_names_have_no_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
