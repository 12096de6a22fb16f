/* The columns of a result, declared once: name, unit, meaning, how a row gives the value, and where
 * it is shown. Tables, CSV, JSON, its schema, and what the public headers give by name follow from
 * the declaration. Data and accessors alone: formats nothing. */
#ifndef ISOCAST_FIELD_H
#define ISOCAST_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

typedef enum isocast_field_kind {
    ISOCAST_FIELD_TEXT,
    ISOCAST_FIELD_NUMBER, /* a table scales the column to an SI prefix that reads well */
    ISOCAST_FIELD_SHARE,  /* a part of one; a table shows per cent, files the plain number */
    ISOCAST_FIELD_COUNT,  /* shown whole wherever it is whole; never scaled */
    /* The following are in JSON alone. */
    ISOCAST_FIELD_FLAG,    /* true or false */
    ISOCAST_FIELD_OBJECT,  /* the columns of another table, of one row */
    ISOCAST_FIELD_LIST,    /* likewise, of each of several rows */
    ISOCAST_FIELD_NUMBERS, /* a list of numbers */
    ISOCAST_FIELD_NAMED,   /* numbers by their name */
    ISOCAST_FIELD_FOREIGN  /* what is made elsewhere */
} isocast_field_kind;

/* Where a column is. */
enum {
    ISOCAST_IN_TABLES = 1, /* for people: tables and Markdown */
    ISOCAST_IN_CSV = 2,
    ISOCAST_IN_JSON = 4,
    ISOCAST_IN_FILES = ISOCAST_IN_CSV | ISOCAST_IN_JSON,
    ISOCAST_IN_ROWS = ISOCAST_IN_TABLES | ISOCAST_IN_CSV
};

/* A row of a result. */
typedef struct isocast_at isocast_at;
struct isocast_at {
    const void *result;   /* the whole that it is a row of */
    const void *row;      /* NULL where columns alone are asked for, or rows are known by number */
    size_t index;         /* its number in its list */
    const isocast_at *in; /* the row that has the list; NULL: it is in none */
};

/* The i-th row of a list, `in` being the row that has it: false where there is no such row. An
 * object is such a list, too: without a first row it is null. */
typedef bool isocast_item(const isocast_at *in, size_t i, isocast_at *out);

typedef struct isocast_table isocast_table;
typedef struct isocast_field isocast_field;
struct isocast_field {
    const char *name; /* in files; also in tables unless there is a heading */
    isocast_field_kind kind;
    const char *unit;    /* SI unit of the values; NULL for none */
    const char *meaning; /* for the schema */
    /* How a row gives the value: the first of these that is not NULL, else what stands at `offset`
     * of it. A number that is not finite, and a text that is NULL or empty, is missing. */
    double (*number)(const isocast_at *at);
    const char *(*text)(const isocast_at *at);
    void (*put)(const isocast_at *at, isocast_buffer *out); /* a text */
    bool (*flag)(const isocast_at *at);
    bool (*element)(const isocast_at *at, size_t i, double *value);      /* false: no i-th */
    const char *(*named)(const isocast_at *at, size_t i, double *value); /* NULL: no i-th */
    void *(*foreign)(const isocast_at *at); /* for the format that knows it */
    /* What `offset` counts from; NULL: the row. */
    const void *(*from)(const isocast_at *at);
    size_t offset;
    bool is_size;  /* a number that is stored as size_t */
    size_t length; /* of numbers that stand at the offset; 0: there are none */
    /* Whether the column is there, and in tables: NULL is always. The row is NULL for tables. */
    bool (*shown)(const isocast_at *at);
    bool (*tabled)(const isocast_at *at);
    unsigned where; /* 0: everywhere; of a kind that only JSON has: there */
    /* What numbers by name are in rows: columns of this kind, one for each. The accessor gives the
     * names without a row, too. */
    isocast_field_kind spread;
    unsigned only; /* bits of its own; a table may leave such columns out */
    /* In tables. */
    const char *heading;                          /* NULL: the name */
    const char *(*name_of)(const isocast_at *at); /* what depends on the result */
    void (*heading_put)(const isocast_at *at, isocast_buffer *out);
    const char *(*unit_of)(const isocast_at *at);
    int digits;                           /* significant digits of the smallest value; 0: four */
    bool optional;                        /* left out where no row has a value, */
    bool (*needed)(const isocast_at *at); /* unless it is needed; NULL: it is not */
    int compared; /* columns with one number above 0 have one prefix and number of decimals */
    /* In JSON and its schema. */
    bool known;              /* never null */
    const isocast_table *of; /* of objects and lists */
    isocast_item *item;
    /* The values of a text, ending in NULL: one alone is the value; of several without an accessor
     * the value is that whose number, of an enumeration, stands at the offset. */
    const char *const *words;
    const char *schema; /* of what is made elsewhere: the text of its JSON schema */
};

struct isocast_table {
    const char *name;    /* of its definition in the schema; NULL: it stands where it is used */
    const char *meaning; /* what a row is */
    const isocast_field *fields; /* [count] */
    size_t count;
    unsigned without;         /* bits of fields that it does not have */
    const char *const *names; /* of those that it has, ending in NULL; NULL: all */
    /* What further numbers mean, under names of their own; NULL: there are none. */
    const char *further;
};

/* Defines an accessor of a row `at`. */
#define ISOCAST_GIVES(type, name, value)                                                           \
    static type name(const isocast_at *at) {                                                       \
        (void)at;                                                                                  \
        return value;                                                                              \
    }
/* Defines what puts a text of a row `at` into `out`: a statement. */
#define ISOCAST_PUTS(name, statement)                                                              \
    static void name(const isocast_at *at, isocast_buffer *out) {                                  \
        (void)at;                                                                                  \
        statement;                                                                                 \
    }
/* Defines what gives numbers by their name: the name of the i-th, whose number becomes *value. */
#define ISOCAST_NAMES(name, its_name)                                                              \
    static const char *name(const isocast_at *at, size_t i, double *value) {                       \
        return its_name;                                                                           \
    }
/* Defines an isocast_item: the rows of a list of `count`, the i-th of `in` being at `its_row`. */
#define ISOCAST_ITEMS(name, its_count, its_row)                                                    \
    bool name(const isocast_at *in, size_t i, isocast_at *out) {                                   \
        (void)in;                                                                                  \
        out->row = i < (its_count) ? (its_row) : NULL;                                             \
        return out->row != NULL;                                                                   \
    }
/* Likewise, for one file alone. */
#define ISOCAST_OWN_ITEMS(name, its_count, its_row) static ISOCAST_ITEMS(name, its_count, its_row)
/* Defines an isocast_item for one file alone: the rows that `item` finds in another result. */
#define ISOCAST_ITEMS_WITHIN(name, its_result, item)                                               \
    static bool name(const isocast_at *in, size_t i, isocast_at *out) {                            \
        out->result = (its_result);                                                                \
        return item(out, i, out);                                                                  \
    }
/* Defines what gives the numbers of a list, for one file alone: `its_count`, the i-th being
 * `its_i`.
 */
#define ISOCAST_ELEMENTS(name, its_count, its_i)                                                   \
    static bool name(const isocast_at *at, size_t i, double *value) {                              \
        bool any = i < (its_count);                                                                \
        *value = any ? (its_i) : (double)NAN;                                                      \
        return any;                                                                                \
    }
#define ISOCAST_TABLE(its_fields)                                                                  \
    .fields = (its_fields), .count = sizeof(its_fields) / sizeof((its_fields)[0])

/* A table whose schema stands where it is used, and what a row of it is. */
#define ISOCAST_TABLE_OF(its_fields, its_meaning)                                                  \
    { .meaning = (its_meaning), ISOCAST_TABLE(its_fields) }

/* A column that stands in a row of a type: what goes behind it is its meaning, and what else is to
 * be said of it. */
#define ISOCAST_FIELD(its_name, its_kind, type, member, its_unit, ...)                             \
    {                                                                                              \
        .name = (its_name), .kind = ISOCAST_FIELD_##its_kind, .unit = (its_unit),                  \
        .offset = offsetof(type, member), .meaning = __VA_ARGS__                                   \
    }
/* A text that is one of `its_words` (ending in NULL), whose number stands in a row of a type. */
#define ISOCAST_CHOSEN(its_name, type, member, its_words, ...)                                     \
    ISOCAST_FIELD(its_name, TEXT, type, member, NULL, __VA_ARGS__, .words = (its_words))
/* A column that is computed. */
#define ISOCAST_MADE(its_name, its_kind, how, its_unit, ...)                                       \
    {                                                                                              \
        .name = (its_name), .kind = ISOCAST_FIELD_##its_kind, how, .unit = (its_unit),             \
        .meaning = __VA_ARGS__                                                                     \
    }
/* The same by the kind and the accessor. A word is a text that is always one of `its_words`. */
#define ISOCAST_TEXT(name, how, ...) ISOCAST_MADE(name, TEXT, .text = (how), NULL, __VA_ARGS__)
#define ISOCAST_PUT(name, how, ...) ISOCAST_MADE(name, TEXT, .put = (how), NULL, __VA_ARGS__)
#define ISOCAST_WORD(name, how, its_words, ...)                                                    \
    ISOCAST_TEXT(name, how, __VA_ARGS__, .words = (its_words), .known = true)
#define ISOCAST_NUMBER(name, how, unit, ...)                                                       \
    ISOCAST_MADE(name, NUMBER, .number = (how), unit, __VA_ARGS__)
#define ISOCAST_COUNT(name, how, ...) ISOCAST_MADE(name, COUNT, .number = (how), NULL, __VA_ARGS__)
#define ISOCAST_SHARE(name, how, ...) ISOCAST_MADE(name, SHARE, .number = (how), NULL, __VA_ARGS__)
#define ISOCAST_FLAG(name, how, ...) ISOCAST_MADE(name, FLAG, .flag = (how), NULL, __VA_ARGS__)
#define ISOCAST_LIST(name, its_item, table, ...)                                                   \
    ISOCAST_MADE(name, LIST, .item = (its_item), NULL, __VA_ARGS__, .of = (table))
#define ISOCAST_OBJECT(name, its_item, table, ...)                                                 \
    ISOCAST_MADE(name, OBJECT, .item = (its_item), NULL, __VA_ARGS__, .of = (table))
/* Where a column is, for declarations. */
#define ISOCAST_ROWS .where = ISOCAST_IN_ROWS
#define ISOCAST_JSON .where = ISOCAST_IN_JSON
#define ISOCAST_FILES .where = ISOCAST_IN_FILES

bool isocast_field_is_in(const isocast_table *table, const isocast_field *column, unsigned where);
double isocast_field_number(const isocast_field *column, const isocast_at *at);
bool isocast_field_flag(const isocast_field *column, const isocast_at *at);
/* NULL: missing. What a text had to be put together for is put into `made`, which the caller frees.
 */
const char *isocast_field_text(const isocast_field *column, const isocast_at *at,
                               isocast_buffer *made);
/* The column of a name; NULL where there is none. */
const isocast_field *isocast_field_find(const isocast_table *table, const char *name);

#endif
