/* Which callers distinguish sites: paths.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_records.h"
#include "model/derive/paths.h"

/* A record on two processes with sites at made.c:1 in `send`, each called as its words say: "a b"
 * is line a in f, which line b in g called. */
static isocast_record *record_called(const char *const *paths, size_t count) {
    isocast_buffer t = begin_record(2, "", "%d", 5);
    int frames = 0;
    for (size_t i = 0; i < count; i++) {
        int lines[3];
        int depth = sscanf(paths[i], "%d %d %d", &lines[0], &lines[1], &lines[2]);
        for (int k = depth; k-- > 0;) {
            isocast_buffer_printf(&t, "frame,%d,f%d,made.c,%d,made,%d,", frames, k, lines[k],
                                  1000 + lines[k]);
            isocast_buffer_printf(&t, k + 1 < depth ? "%d\n" : "\n", frames - 1);
            frames++;
        }
        isocast_buffer_printf(&t, "site,%zu,send,/x/made.c,1,made,%zu\n", i, i);
        if (depth > 0) {
            isocast_buffer_printf(&t, "caller,%zu,%d\n", i, frames - 1);
        }
    }
    return record_of(&t);
}

/* Aligns one record; what its sites have then is `due`. */
static void expect(const char *const *paths, const char *const *due, size_t count) {
    isocast_record *record = record_called(paths, count);
    assert_int_equal(isocast_derive_paths_align(&record, 1, NULL, 0), ISOCAST_OK);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(record->sites[i].path, due[i]);
    }
    isocast_record_free(record);
}

/* As many callers remain as distinguish the sites; what all have is cut. */
static void test_cut(void **state) {
    (void)state;
    expect((const char *[]){"10 50"}, (const char *[]){""}, 1);
    expect((const char *[]){"10 50", "20 50"},
           (const char *[]){"made.c:10 in f0\n", "made.c:20 in f0\n"}, 2);
    expect((const char *[]){"7 10", "7 20"},
           (const char *[]){"made.c:10 in f1\n", "made.c:20 in f1\n"}, 2);
    expect((const char *[]){"7 10", "7 20", "8 20"},
           (const char *[]){"made.c:7 in f0\nmade.c:10 in f1\n",
                            "made.c:7 in f0\nmade.c:20 in f1\n",
                            "made.c:8 in f0\nmade.c:20 in f1\n"},
           3);
    /* One has no callers, as in records of older versions: nothing is held against the others. */
    expect((const char *[]){"10 50", ""}, (const char *[]){"", ""}, 2);
}

/* A path that one record has beside that of another one counts in both. */
static void test_records(void **state) {
    (void)state;
    isocast_record *records[] = {record_called((const char *[]){"10 50"}, 1),
                                 record_called((const char *[]){"20 50"}, 1)};
    assert_int_equal(isocast_derive_paths_align(records, 1, records + 1, 1), ISOCAST_OK);
    assert_string_equal(records[0]->sites[0].path, "made.c:10 in f0\n");
    assert_string_equal(records[1]->sites[0].path, "made.c:20 in f0\n");
    isocast_record_free(records[0]);
    isocast_record_free(records[1]);
}

/* More sites than steps are made for: fewer callers are kept, and those of all are. */
static void test_many(void **state) {
    (void)state;
    enum { MANY = 500 };
    static char texts[MANY][32];
    const char *paths[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "%d %d", 1 + i % 5, 1 + i);
        paths[i] = texts[i];
    }
    isocast_record *record = record_called(paths, MANY);
    assert_int_equal(isocast_derive_paths_align(&record, 1, NULL, 0), ISOCAST_OK);
    assert_string_equal(record->sites[0].path, "made.c:1 in f0\n");
    assert_string_equal(record->sites[499].path, "made.c:5 in f0\n");
    isocast_record_free(record);
}

/* Processes come to one collective call by two paths: it is one site. Where each path has all of
 * them there are two. */
static void test_divided(void **state) {
    (void)state;
    for (int divided = 0; divided < 2; divided++) {
        isocast_buffer t = begin_record(2, "", "%d", 5);
        for (int i = 0; i < 2; i++) {
            isocast_buffer_printf(&t, "frame,%d,f,made.c,%d,made,%d,\n", i, 10 + i, 100 + i);
            isocast_buffer_printf(&t, "site,%d,send,/x/made.c,1,made,7\ncaller,%d,%d\n", i, i, i);
        }
        for (int process = 0; process < 2; process++) {
            for (int site = 0; site < 2; site++) {
                if (!divided || site == process) {
                    isocast_buffer_printf(&t, "call,%d,%d,0,MPI_Bcast,0,8,,,4,0.1\n", process,
                                          site);
                }
            }
        }
        isocast_record *record = record_of(&t);
        assert_int_equal(isocast_derive_paths_align(&record, 1, NULL, 0), ISOCAST_OK);
        assert_string_equal(record->sites[0].path, divided ? "" : "made.c:10 in f\n");
        assert_string_equal(record->sites[1].path, divided ? "" : "made.c:11 in f\n");
        isocast_record_free(record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cut), cmocka_unit_test(test_records),
                                       cmocka_unit_test(test_many), cmocka_unit_test(test_divided)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
