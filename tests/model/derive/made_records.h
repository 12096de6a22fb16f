/* Records that are made up, laws of them, and whether their text is an algorithm. */
#ifndef MADE_RECORDS_H
#define MADE_RECORDS_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/derive/derive.h"
#include "model/derive/derived_text.h"
#include "model/derive/sites.h"
#include "model/spec/algorithm_load.h"

enum { RECORDS_MOST = 64 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The next of the words that blanks divide, from *at on; false: there is none. */
static inline bool next_word(const char **at, int *length) {
    *at += strspn(*at + *length, " ") + (size_t)*length;
    *length = (int)strcspn(*at, " ");
    return *length > 0;
}

/* How a record begins: a run on p processes of communicator 0. It has a site in each of the
 * functions, in made.c from line 1 on. words: those of the command line, as printf() takes them.
 * More communicators, calls and computing may follow. */
__attribute__((format(printf, 3, 4))) static inline isocast_buffer
begin_record(int p, const char *functions, const char *words, ...) {
    char line[256];
    va_list values;
    va_start(values, words);
    assert_in_range(vsnprintf(line, sizeof line, words, values), 0, sizeof line - 1);
    va_end(values);
    isocast_buffer t = {0};
    isocast_buffer_puts(&t, "record,1\nprogram,./made\n");
    int length = 0;
    for (const char *at = line; next_word(&at, &length);) {
        isocast_buffer_printf(&t, "argument,%.*s\n", length, at);
    }
    isocast_buffer_printf(&t, "processes,%d\nend,complete\n", p);
    int site = 0;
    length = 0;
    for (const char *at = functions; next_word(&at, &length); site++) {
        isocast_buffer_printf(&t, "site,%d,%.*s,made.c,%d,made,%d\n", site, length, at, site + 1,
                              site);
    }
    isocast_buffer_printf(&t, "communicator,0,MPI_COMM_WORLD,,,,0-%d,,\n", p - 1);
    for (int r = 0; r < p; r++) {
        isocast_buffer_printf(&t, "process,%d,h,1,1,0,0,0,0,complete\n", r);
    }
    return t;
}

/* Frees the text. */
static inline isocast_record *record_of(isocast_buffer *t) {
    assert_false(t->failed);
    isocast_source *source = NULL;
    assert_int_equal(isocast_source_create("made.csv", t->text, t->length, &source), ISOCAST_OK);
    isocast_buffer_free(t);
    isocast_diagnostics diagnostics = {0};
    isocast_record *record = NULL;
    assert_int_equal(isocast_record_read(source, &diagnostics, &record), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return record;
}

/* other: held out; NULL: none is. */
static inline isocast_derived *derive_all(isocast_record **records, size_t count,
                                          isocast_record *other) {
    static const isocast_size_words none = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_derived *derived = NULL;
    assert_int_equal(isocast_derive(records, count, other != NULL ? &other : NULL, other != NULL,
                                    &none, &diagnostics, &derived),
                     ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    return derived;
}

/* A run of each of the numbers of processes ps, shape [count], with N = 20, 40 and 60. Gives how
 * many there are. */
static inline size_t make_runs(isocast_record *(*run)(int N, int p), const int *ps, size_t count,
                               isocast_record **records) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        for (int N = 20; N <= 60; N += 20) {
            records[made++] = run(N, ps[i]);
        }
    }
    return made;
}

static inline void free_all(isocast_record **records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_record_free(records[i]);
    }
}

/* The file of the laws. */
static inline void write_file(const isocast_derived *derived, double speed, isocast_buffer *out) {
    assert_int_equal(isocast_derived_write(derived, "made", speed, out), ISOCAST_OK);
}

/* The file, with each formula in one line. */
static inline void write_laws(const isocast_derived *derived, double speed, isocast_buffer *out) {
    isocast_buffer text = {0};
    write_file(derived, speed, &text);
    for (const char *at = text.text; *at != '\0'; at++) {
        size_t blanks = *at == '\n' ? strspn(at + 1, " ") : 0;
        isocast_buffer_append(out, blanks >= 4 ? " " : at, 1);
        at += blanks >= 4 ? blanks : 0;
    }
    isocast_buffer_free(&text);
}

static inline void text_is_an_algorithm(const isocast_derived *derived) {
    isocast_buffer text = {0};
    write_file(derived, 1e9, &text);
    assert_false(text.failed);
    for (const char *line = text.text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length > 120 && memchr(line, '"', length) == NULL) {
            fail_msg("%zu characters in a line: %.*s", length, (int)length, line);
        }
        line += length + (line[length] == '\n');
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_algorithm *algorithm = NULL;
    assert_int_equal(isocast_source_create("made.yaml", text.text, text.length, &source),
                     ISOCAST_OK);
    isocast_status status = isocast_algorithm_read(source, &diagnostics, &algorithm);
    if (status != ISOCAST_OK) {
        isocast_buffer reported = {0};
        isocast_diagnostics_render(&diagnostics, &reported);
        fputs(text.text, stderr);
        fail_msg("%s", reported.text);
    }
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
}

/* Fails where the text lacks one of `expected`, shape [count], or is no algorithm. */
static inline void text_holds(const isocast_derived *derived, const char *const *expected,
                              size_t count) {
    isocast_buffer text = {0};
    write_laws(derived, 1e9, &text);
    for (size_t i = 0; i < count; i++) {
        if (strstr(text.text, expected[i]) == NULL) {
            fputs(text.text, stderr); /* messages are cut off */
            fail_msg("no %s", expected[i]);
        }
    }
    isocast_buffer_free(&text);
    text_is_an_algorithm(derived);
}

/* What is expected of the records' text, shape [expected_count], and the number of sites that are
 * exact in a record that is held out. */
typedef struct expectation {
    const char *const *expected;
    size_t expected_count;
    size_t exact;
} expectation;

/* Derives laws of the records, shape [count], with `other` held out, and frees all of them. */
static inline void laws_are(isocast_record **records, size_t count, isocast_record *other,
                            const expectation *due) {
    isocast_derived *derived = derive_all(records, count, other);
    text_holds(derived, due->expected, due->expected_count);
    assert_int_equal(derived->held_out.exact, due->exact);
    isocast_derived_free(derived);
    isocast_record_free(other);
    free_all(records, count);
}

#endif
