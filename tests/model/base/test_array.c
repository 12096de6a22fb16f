/* Arrays that grow, and tables that are read with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/array.h"
#include "model/base/csv.h"

static void growth(void **state) {
    (void)state;
    unsigned *items = NULL;
    size_t capacity = 0;
    for (size_t count = 0; count < 5000; count++) {
        assert_true(isocast_array_grow((void **)&items, count, &capacity, sizeof *items));
        assert_true(capacity > count);
        items[count] = (unsigned)count * 7919U;
    }
    for (size_t i = 0; i < 5000; i++) {
        assert_int_equal(items[i], (unsigned)i * 7919U);
    }
    /* More than there can be is refused, and nothing is lost. */
    unsigned *kept = items;
    size_t huge = SIZE_MAX / 2;
    assert_false(isocast_array_grow((void **)&items, huge, &huge, sizeof *items));
    assert_ptr_equal(items, kept);
    assert_true(huge == SIZE_MAX / 2);
    free(items);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void tables(void **state) {
    (void)state;
    char path[] = "/tmp/isocast-test-array-XXXXXX";
    assert_true(mkstemp(path) >= 0);
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_csv csv = {0};
    write_file(path, "a,b\n1,\"x,\"\"y\"\n2\n");
    assert_int_equal(isocast_csv_load(path, &diagnostics, &source, &csv), ISOCAST_OK);
    assert_int_equal(csv.row_count, 3);
    assert_string_equal(isocast_csv_text(&csv, 1, 1), "x,\"y");
    assert_string_equal(isocast_csv_text(&csv, 2, 1), "");
    isocast_csv_free(&csv);
    isocast_source_free(source);

    /* On failure nothing is given, and the place is reported. */
    source = NULL;
    csv = (isocast_csv){0};
    write_file(path, "a,b\n1,x\ty\n");
    assert_int_equal(isocast_csv_load(path, &diagnostics, &source, &csv), ISOCAST_INVALID);
    assert_null(source);
    assert_null(csv.fields);
    assert_int_equal(diagnostics.errors, 1);
    isocast_diagnostics_clear(&diagnostics);
    remove(path);
}

/* A field has the number that strtod gives, to the bit, or none. */
static void numbers(void **state) {
    (void)state;
    char texts[][32] = {"0",
                        "7",
                        ".5",
                        "5.",
                        "0.1",
                        "3.14159265358979",
                        "-2",
                        "+2",
                        "1e3",
                        "0x10",
                        "1234567.25",
                        "999999999999999",
                        "000.30",
                        "1e-400",
                        "0.00000001",
                        "1e-320",
                        "123456789012345678901"};
    char others[][32] = {"", ".", "1.2.3", "1 s", "x", "inf", "nan", "1,5", "1e999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = -1;
        assert_true(isocast_csv_number(&(isocast_csv_field){.text = texts[i]}, &value));
        assert_true(value == strtod(texts[i], NULL));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        double value = -1;
        assert_false(isocast_csv_number(&(isocast_csv_field){.text = others[i]}, &value));
        assert_true(value == -1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(growth), cmocka_unit_test(tables),
                                       cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
