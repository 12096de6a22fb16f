#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/quantity.h"

static void quantities_read_well(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *unit;
        int digits;
        const char *text;
    } cases[] = {
        {0, "s", 4, "0 s"},           {1.5e-6, "s", 4, "1.5 us"},   {999.96, "s", 4, "1000 s"},
        {1411.3, "s", 4, "1411 s"},   {1411.3, "s", 6, "1411 s"},   {1234567, "s", 4, "1235000 s"},
        {-4321.5, "s", 2, "-4300 s"}, {1411.3, "B", 4, "1.411 kB"}, {44285703, "J", 4, "44.29 MJ"},
        {12345, "", 3, "1.23e+04"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_buffer text = {0};
        isocast_quantity_format(cases[i].value, cases[i].unit, cases[i].digits, &text);
        assert_string_equal(text.text, cases[i].text);
        isocast_buffer_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantities_read_well)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
