/* Results in JSON as rows: the plain values of an object are columns of all rows inside of it, and
 * each item of certain lists, or of these in turn, is a row. A file may hold several values, one
 * after the other, as JSON Lines do. */
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "run_table.h"

enum {
    DEPTH_MAX = 64,
    NODES_MAX = 4000000, /* of one value of a file */
    LABELS_MAX = 4096    /* bytes of the path of a region */
};

/* Lists whose items are rows, and objects whose values are columns. */
static const char *const lists[] = {"results", "experiments", "CONTEXTS", "foms",
                                    "runs",    "testcases",   "perfvars"};
static const char *const merged[] = {"params", "parameters", "RAMBLE_VARIABLES", "globals"};
static const char *const parameters[] = {"params", "parameters"};

/* A value; those inside of an object or list follow it. */
typedef struct node {
    char kind;         /* { [ " or 0 for a number or word */
    isocast_span key;  /* without quotes; empty: it is an item of a list */
    isocast_span span; /* of a text without quotes */
    size_t end;        /* index of the node after all that is inside */
} node;

typedef struct reader {
    isocast_run_table *table;
    const char *text;
    size_t at, length;
    node *nodes; /* [count] */
    size_t count, capacity;
    bool in_list; /* the row at hand is an item of one of the lists */
} reader;

static void skip_blanks(reader *r) {
    r->at += strspn(r->text + r->at, " \t\r\n");
}

static void refuse(reader *r) {
    isocast_run_refuse(r->table, (isocast_span){r->at, r->at + 1},
                       "write it again with the program that made it",
                       "this is no JSON from here on");
}

/* What stands for a backslash and what follows it, at most one byte; 0: both stay. */
static char unescaped(char byte) {
    static const char letters[] = "\"\\/bfnrt";
    static const char means[] = "\"\\/     ";
    const char *found = byte != '\0' ? strchr(letters, byte) : NULL;
    return found != NULL ? means[found - letters] : '\0';
}

/* A text, without quotes. Its copy in the table gets the characters that it stands for. */
static isocast_span read_text(reader *r) {
    isocast_span span = {r->at + 1, r->at + 1};
    char *copy = r->table->csv.text;
    size_t kept = span.begin;
    while (span.end < r->length && r->text[span.end] != '"') {
        bool pair = r->text[span.end] == '\\' && span.end + 1 < r->length;
        char meant = pair ? unescaped(r->text[span.end + 1]) : '\0';
        copy[kept++] = meant != '\0' ? meant : r->text[span.end];
        if (pair && meant == '\0') {
            copy[kept++] = r->text[span.end + 1];
        }
        span.end += pair ? 2 : 1;
    }
    copy[kept] = '\0';
    if (span.end >= r->length) {
        refuse(r);
    }
    r->at = span.end < r->length ? span.end + 1 : r->length;
    skip_blanks(r);
    return span;
}

static bool take(reader *r, char byte) {
    bool is_there = r->text[r->at] == byte;
    r->at += is_there ? 1 : 0;
    skip_blanks(r);
    return is_there;
}

static void read_value(reader *r, isocast_span key, int depth) {
    size_t index = r->count;
    if (depth > DEPTH_MAX || r->count == NODES_MAX) {
        isocast_run_refuse(r->table, (isocast_span){r->at, r->at + 1}, NULL,
                           depth > DEPTH_MAX ? "lists are nested too deeply here"
                                             : "there are too many values up to here");
        return;
    }
    if (!isocast_array_grow((void **)&r->nodes, r->count, &r->capacity, sizeof *r->nodes)) {
        r->table->status = ISOCAST_NO_MEMORY;
        return;
    }
    char first = r->text[r->at];
    bool opens = first == '{' || first == '[';
    r->nodes[r->count++] = (node){
        .kind = opens || first == '"' ? first : '\0', .key = key, .span = {r->at, r->at + 1}};
    if (first == '"') {
        r->nodes[index].span = read_text(r);
    } else if (!opens) {
        isocast_span span = {r->at, r->at + strcspn(r->text + r->at, ",:{}[]\" \t\r\n")};
        r->nodes[index].span = span;
        if (span.begin == span.end) {
            refuse(r);
        }
        r->at = span.end;
        skip_blanks(r);
    }
    char closing = first == '{' ? '}' : ']';
    bool more = opens && (r->at++, skip_blanks(r), !take(r, closing));
    while (more && r->table->status == ISOCAST_OK) {
        isocast_span name = {r->at, r->at};
        if (first == '{') {
            if (r->text[r->at] != '"') {
                refuse(r);
                break;
            }
            name = read_text(r);
            if (!take(r, ':') && r->table->status == ISOCAST_OK) {
                refuse(r);
            }
        }
        if (r->table->status == ISOCAST_OK) {
            read_value(r, name, depth + 1);
        }
        more = r->table->status == ISOCAST_OK && take(r, ',');
        if (r->table->status == ISOCAST_OK && !more && !take(r, closing)) {
            refuse(r);
        }
    }
    r->nodes[index].end = r->count;
}

static bool is_one_of(const reader *r, const node *n, const char *const *words, size_t count,
                      const char **which) {
    for (size_t i = 0; i < count; i++) {
        if (isocast_run_span_is(r->table, n->key, words[i])) {
            *which = words[i];
            return true;
        }
    }
    return false;
}
#define IS_ONE_OF(r, n, words, which)                                                              \
    is_one_of(r, n, words, sizeof(words) / sizeof(words)[0], which)

/* The member of an object; NULL. */
static const node *member(const reader *r, const node *object, const char *name) {
    const node *end = r->nodes + object->end;
    for (const node *n = object + 1; object->kind == '{' && n < end; n = r->nodes + n->end) {
        if (isocast_run_span_is(r->table, n->key, name)) {
            return n;
        }
    }
    return NULL;
}

/* The item of a list; NULL. */
static const node *item(const reader *r, const node *list, size_t index) {
    const node *end = r->nodes + list->end;
    const node *n = list + 1;
    while (n < end && index > 0) {
        n = r->nodes + n->end;
        index--;
    }
    return list->kind == '[' && n < end ? n : NULL;
}

/* The span of a name that no file has: it is looked up by its text in ours. */
static void set(reader *r, const char *list, isocast_span name, const node *value,
                bool is_parameter) {
    bool is_null = value->kind == '\0' && isocast_run_span_is(r->table, value->span, "null");
    if (value->kind != '{' && value->kind != '[' && !is_null) {
        isocast_run_set(r->table, list, name, value->span, is_parameter);
    }
}

static void set_plain(reader *r, const char *list, const node *object) {
    const char *which = NULL;
    for (const node *n = object + 1, *end = r->nodes + object->end; n < end;
         n = r->nodes + n->end) {
        set(r, list, n->key, n, false);
        if (n->kind == '{' && IS_ONE_OF(r, n, merged, &which)) {
            for (const node *m = n + 1; m < r->nodes + n->end; m = r->nodes + m->end) {
                set(r, NULL, m->key, m, IS_ONE_OF(r, n, parameters, &which));
            }
        }
    }
}

/* "system:partition:name": [value, reference, lower, upper, unit, ...] of ReFrame. */
static void add_figures(reader *r, const node *object) {
    for (const node *n = object + 1, *end = r->nodes + object->end; n < end;
         n = r->nodes + n->end) {
        size_t mark = r->table->undo_count;
        isocast_span name = n->key;
        for (size_t i = name.begin; i < n->key.end; i++) {
            name.begin = r->text[i] == ':' ? i + 1 : name.begin;
        }
        const node *value = item(r, n, 0);
        const node *unit = item(r, n, 4);
        if (value != NULL && unit != NULL) {
            isocast_run_set_ours(r->table, "figure", name);
            isocast_run_set_ours(r->table, "T", value->span);
            isocast_run_set_ours(r->table, "unit", unit->span);
            isocast_run_add(r->table, n->key);
        }
        isocast_run_take_back(r->table, mark);
    }
}

/* The rows of Caliper's columns: a path is an index into nodes, which know their parents. */
static void add_rows(reader *r, const node *object, const node *columns, const node *data) {
    const node *paths = member(r, object, "nodes");
    for (const node *row = data + 1; row < r->nodes + data->end; row = r->nodes + row->end) {
        size_t mark = r->table->undo_count;
        for (size_t i = 0; item(r, row, i) != NULL && item(r, columns, i) != NULL; i++) {
            const node *value = item(r, row, i);
            isocast_span name = item(r, columns, i)->span;
            bool is_path = isocast_run_span_is(r->table, name, "path") && value->kind == '\0';
            const node *path = is_path && paths != NULL
                                   ? item(r, paths, strtoul(r->text + value->span.begin, NULL, 10))
                                   : NULL;
            const node *label = path != NULL ? member(r, path, "label") : NULL;
            set(r, NULL, name, label != NULL ? label : value, false);
        }
        isocast_run_add(r->table, row->span);
        isocast_run_take_back(r->table, mark);
    }
}

/* The rows of an object that is an item of `list` (NULL: of the file). */
static void walk(reader *r, const char *list, const node *object) {
    size_t mark = r->table->undo_count;
    bool has_rows = false;
    const node *end = r->nodes + object->end;
    set_plain(r, list, object);
    for (const node *n = object + 1; n < end && r->table->status == ISOCAST_OK;
         n = r->nodes + n->end) {
        const char *which = NULL;
        if (n->kind == '[' && IS_ONE_OF(r, n, lists, &which)) {
            has_rows = true;
            for (const node *i = n + 1; i < r->nodes + n->end; i = r->nodes + i->end) {
                if (i->kind == '{') {
                    walk(r, which, i);
                }
            }
        } else if (n->kind == '[' && list != NULL &&
                   isocast_run_span_is(r->table, n->key, "times")) {
            has_rows = true;
            for (const node *i = n + 1; i < r->nodes + n->end; i = r->nodes + i->end) {
                set(r, list, n->key, i, false);
                isocast_run_add(r->table, i->span);
            }
        } else if (n->kind == '{' && isocast_run_span_is(r->table, n->key, "perfvalues")) {
            has_rows = true;
            add_figures(r, n);
        }
    }
    const node *columns = member(r, object, "columns");
    const node *data = member(r, object, "data");
    if (columns != NULL && data != NULL && data->kind == '[') {
        add_rows(r, object, columns, data);
    } else if (!has_rows) {
        isocast_run_add(r->table, object->span);
    }
    isocast_run_take_back(r->table, mark);
}

void isocast_run_json(isocast_run_table *table, size_t at) {
    reader r = {
        .table = table, .text = table->source->text, .at = at, .length = table->source->length};
    while (r.at < r.length && table->status == ISOCAST_OK) {
        if (r.text[r.at] == '#') { /* a comment between lines, as Extra-P has them */
            r.at += strcspn(r.text + r.at, "\n");
            skip_blanks(&r);
            continue;
        }
        r.count = 0;
        read_value(&r, (isocast_span){r.at, r.at}, 0);
        const node *root = r.nodes;
        if (table->status == ISOCAST_OK && root->kind == '{') {
            walk(&r, NULL, root);
        } else if (table->status == ISOCAST_OK && root->kind == '[') {
            for (const node *n = root + 1; n < r.nodes + root->end; n = r.nodes + n->end) {
                if (n->kind == '{') {
                    walk(&r, NULL, n);
                }
            }
        }
    }
    free(r.nodes);
}
