#include "tree.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "model/base/source.h"
#include "model/base/text.h"

typedef struct isocast_line_slip {
    isocast_span span;
    const char *message;
    const char *hint;
} isocast_line_slip;

/* A line without its blanks at both ends and its comment. */
typedef struct line {
    const char *text; /* its first byte in the source */
    size_t begin;     /* of the words, in the source */
    size_t end;
    size_t indent;
} line;

static line line_at(const isocast_source *source, size_t at) {
    size_t begin = at;
    while (begin > 0 && source->text[begin - 1] != '\n') {
        begin--;
    }
    size_t end = begin;
    while (end < source->length && source->text[end] != '\n' &&
           !(source->text[end] == '#' && (end == begin || source->text[end - 1] == ' '))) {
        end++;
    }
    line l = {.text = source->text + begin, .begin = begin};
    while (l.begin < end && source->text[l.begin] == ' ') {
        l.begin++;
    }
    while (end > l.begin && isspace((unsigned char)source->text[end - 1])) {
        end--;
    }
    l.end = end;
    l.indent = l.begin - begin;
    return l;
}

/* The line before that has words. False where there is none. */
static bool line_before(const isocast_source *source, line *l) {
    size_t begin = (size_t)(l->text - source->text);
    while (begin > 0) {
        *l = line_at(source, begin - 1);
        if (l->begin < l->end) {
            return true;
        }
        begin = (size_t)(l->text - source->text);
    }
    return false;
}

/* Where the first word of a line ends, which would be its key. */
static size_t key_end(const isocast_source *source, const line *l) {
    size_t end = l->begin;
    while (end < l->end && (isalnum((unsigned char)source->text[end]) ||
                            strchr("_-.'", source->text[end]) != NULL)) {
        end++;
    }
    return end;
}

/* Whether a ':' of the line ends a key: a blank follows, or nothing. */
static bool has_key(const isocast_source *source, const line *l) {
    for (size_t i = l->begin; i < l->end; i++) {
        if (source->text[i] == ':' && (i + 1 == l->end || source->text[i + 1] == ' ')) {
            return true;
        }
    }
    return false;
}

/* "work:N", "work= N", "work N", "work {N: 1}". An item of a list has no key before its blank. */
static bool find_missing_colon(const isocast_source *source, const line *l,
                               isocast_line_slip *out) {
    size_t end = key_end(source, l);
    bool item = source->text[l->begin] == '-';
    if (end == l->begin || item) {
        return false;
    }
    char next = end < l->end ? source->text[end] : '\0';
    bool glued = next == ':' && end + 1 < l->end && source->text[end + 1] != ' ';
    for (size_t i = end; i < l->end && next == ' '; i++) {
        next = source->text[i];
    }
    if (has_key(source, l) && !glued && strchr("={[\"", next) == NULL) {
        return false;
    }
    *out = (isocast_line_slip){.span = {l->begin, end},
                               .message = "this key is not followed by ':' and a blank",
                               .hint = next == '='   ? "write ':' for '=': key: value"
                                       : next == ':' ? "a blank stands behind the ':': key: value"
                                                     : "write key: value"};
    return true;
}

static bool find_bracket(const isocast_source *source, const line *l, size_t at,
                         isocast_line_slip *out) {
    size_t opened = 0;
    size_t closed = 0;
    size_t last = l->begin;
    size_t first_closed = l->end;
    for (size_t i = l->begin; i < l->end; i++) {
        opened += source->text[i] == '{' || source->text[i] == '[';
        if (source->text[i] == '}' || source->text[i] == ']') {
            closed++;
            last = i;
            first_closed = i < first_closed ? i : first_closed;
        }
    }
    if (closed > opened) {
        *out = (isocast_line_slip){.span = {last, last + 1},
                                   .message = "this closes a bracket that is not opened here",
                                   .hint = "remove it, or open the bracket before it"};
    } else if (opened > 0 && first_closed < at && at < l->end) {
        *out = (isocast_line_slip){.span = {at, l->end},
                                   .message = "something stands behind the closed bracket",
                                   .hint = "put text that begins with [ or { in quotes"};
    }
    return closed > opened || (opened > 0 && first_closed < at && at < l->end);
}

/* Looks at the line of the byte `at`, where the parser stopped, and at the one before it. False
 * where neither has a slip that is known. */
static bool find_line_slip(const isocast_source *source, size_t at, isocast_line_slip *out) {
    line own = line_at(source, at < source->length ? at : source->length);
    line above = own;
    bool has_above = line_before(source, &above);
    if (has_above && find_missing_colon(source, &above, out)) {
        return true;
    }
    if (own.begin == own.end || find_missing_colon(source, &own, out) ||
        find_bracket(source, &own, at, out)) {
        return own.begin < own.end;
    }
    /* The ':' where the parser stopped is the line's first one. */
    size_t end = key_end(source, &own);
    if (has_above && own.indent > above.indent && at == end) {
        *out = (isocast_line_slip){
            .span = {own.begin, end},
            .message = "this line is indented more than the one above, which has a value already",
            .hint = "indent the keys of one mapping alike"};
        return true;
    }
    return false;
}

/* libyaml counts characters; sources count bytes. Every step-th character's offset is kept, so that
 * a mark is found by walking a few characters. */
enum { OFFSET_STEP = 64 };

typedef struct builder {
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    size_t text_begin; /* after a byte order mark */
    size_t *offsets;   /* [characters/OFFSET_STEP + 1] */
    size_t offset_count;
    isocast_status status;
} builder;

static bool is_first_byte(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

static bool index_offsets(builder *b) {
    const isocast_source *source = b->source;
    b->offsets = malloc((source->length / OFFSET_STEP + 2) * sizeof *b->offsets);
    if (b->offsets == NULL) {
        return false;
    }
    b->text_begin = strncmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t characters = 0;
    for (size_t i = b->text_begin; i < source->length; i++) {
        if (is_first_byte(source->text[i]) && characters++ % OFFSET_STEP == 0) {
            b->offsets[b->offset_count++] = i;
        }
    }
    return true;
}

static size_t byte_of(const builder *b, size_t character) {
    size_t step = character / OFFSET_STEP;
    if (step >= b->offset_count) {
        return b->source->length;
    }
    size_t offset = b->offsets[step];
    for (size_t left = character % OFFSET_STEP; left > 0 && offset < b->source->length; left--) {
        do {
            offset++;
        } while (offset < b->source->length && !is_first_byte(b->source->text[offset]));
    }
    return offset;
}

static isocast_span span_of(const builder *b, yaml_mark_t start, yaml_mark_t end) {
    return (isocast_span){byte_of(b, start.index), byte_of(b, end.index)};
}

static void report(builder *b, isocast_span span, const char *hint, const char *message) {
    isocast_diagnostics_add(b->diagnostics, ISOCAST_ERROR, b->source, span, hint, "%s", message);
    b->status = ISOCAST_INVALID;
}

static const char of_second_colon[] = "mapping values are not allowed in this context";
static const char of_no_key[] = "did not find expected key";
static const char of_no_colon[] = "could not find expected ':'";

/* What libyaml says, and what a person would need to hear. */
static const struct {
    const char *problem;
    const char *message;
    const char *hint;
} problems[] = {
    {"found character that cannot start any token", "this character cannot start a value here",
     "indent with spaces, not tabs; put text that starts with @, `, % or a tab in quotes"},
    {"found a tab character that violates indentation", "a tab cannot indent a line",
     "indent with spaces"},
    {of_second_colon, "a second ':' in one line is not understood",
     "put text with ': ' in quotes, and start each key on a line of its own"},
    {of_no_key, "this line is neither a key nor a part of the value before it",
     "indent the keys of one mapping alike"},
    {of_no_colon, "a key without ':' after it", "write key: value"},
    {"did not find expected <document start>", "this line does not belong to the mapping before it",
     "indent the keys of one mapping alike"},
    {"did not find expected ',' or '}'", "expected ',' or '}'",
     "close the mapping with }, and put text with a comma in it in quotes"},
    {"did not find expected ',' or ']'", "expected ',' or ']'", "close the list with ]"},
    {"found unexpected end of stream", "the file ends inside quotes", "close the quotes"},
    {"did not find expected node content", "a value is missing or closed too early", NULL},
    {"did not find expected '-' indicator", "expected '-' to go on with the list", NULL},
    {"control characters are not allowed", "control characters are not allowed", NULL},
};

static void report_problem(builder *b, const yaml_parser_t *parser) {
    /* libyaml's composer does not always say that memory was short, but then has no problem. */
    if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    size_t at = parser->error == YAML_READER_ERROR ? parser->problem_offset
                                                   : byte_of(b, parser->problem_mark.index);
    const char *problem = parser->problem;
    isocast_line_slip slip;
    bool of_line = strcmp(problem, of_second_colon) == 0 || strcmp(problem, of_no_colon) == 0 ||
                   strcmp(problem, of_no_key) == 0;
    if (of_line && find_line_slip(b->source, at, &slip)) {
        report(b, slip.span, slip.hint, slip.message);
        return;
    }
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        if (strcmp(problem, problems[i].problem) == 0) {
            report(b, (isocast_span){at, at + 1}, problems[i].hint, problems[i].message);
            return;
        }
    }
    report(b, (isocast_span){at, at + 1}, NULL, problem);
}

/* How much a file holds, counted before any of it is built. */
typedef struct census {
    size_t documents;
    size_t nodes;
    size_t depth;
    size_t children[ISOCAST_TREE_DEPTH_MAX + 1]; /* [depth + 1]: of the collections around */
    bool in_mapping[ISOCAST_TREE_DEPTH_MAX + 1]; /* [depth + 1] */
} census;

/* Counts a scalar, list or mapping where it starts. False where reading on makes no sense. */
static bool count_node(builder *b, census *c, const yaml_event_t *event, isocast_span span) {
    bool anchored = event->type == YAML_SCALAR_EVENT ? event->data.scalar.anchor != NULL
                    : event->type == YAML_MAPPING_START_EVENT
                        ? event->data.mapping_start.anchor != NULL
                        : event->data.sequence_start.anchor != NULL;
    if (anchored) {
        report(b, (isocast_span){span.begin, span.begin + 1}, "remove it",
               "anchors (&name) are not used in specifications");
    }
    if (++c->nodes > ISOCAST_TREE_NODES_MAX) {
        report(b, span, NULL, "too many values for a specification (at most 200000)");
        return false;
    }
    if (++c->children[c->depth] > (size_t)2 * ISOCAST_TREE_ENTRIES_MAX && c->in_mapping[c->depth]) {
        report(b, span, "leave some out", "too many keys in one mapping (at most 10000)");
        return false;
    }
    return true;
}

/* Notes what a specification must not hold. False where reading on makes no sense. */
static bool event_is_allowed(builder *b, const yaml_event_t *event, census *c) {
    isocast_span span = span_of(b, event->start_mark, event->end_mark);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++c->documents > 1) {
            report(b, span, "put each specification in a file of its own",
                   "a second document in one file");
            return false;
        }
        return true;
    case YAML_ALIAS_EVENT:
        report(b, span, "write the value out", "aliases (*name) are not used in specifications");
        return true;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        if (!count_node(b, c, event, span)) {
            return false;
        }
        if (++c->depth > ISOCAST_TREE_DEPTH_MAX) {
            report(b, (isocast_span){span.begin, span.begin + 1}, NULL,
                   "lists and mappings are nested too deeply (at most 64 levels)");
            return false;
        }
        c->children[c->depth] = 0;
        c->in_mapping[c->depth] = event->type == YAML_MAPPING_START_EVENT;
        return true;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        c->depth--;
        return true;
    case YAML_SCALAR_EVENT:
        return count_node(b, c, event, span);
    default:
        return true;
    }
}

static void open_parser(const builder *b, yaml_parser_t *parser) {
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)b->source->text + b->text_begin,
                                 b->source->length - b->text_begin);
}

/* Runs over the events before a document is built, so that depth and size are bounded first. */
static void survey(builder *b) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    open_parser(b, &parser);
    census c = {0};
    for (bool go_on = true; go_on;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            report_problem(b, &parser);
            break;
        }
        go_on = event_is_allowed(b, &event, &c) && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (b->status == ISOCAST_OK && c.documents == 0) {
        isocast_diagnostics_add_file(b->diagnostics, ISOCAST_ERROR, b->source->name, NULL,
                                     "holds nothing but comments or blanks");
        b->status = ISOCAST_INVALID;
    }
}

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Whether two texts are the same but for the amount of white space: then a formula can be read from
 * the source itself, also where YAML folded its lines. */
static bool same_but_blanks(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t i = 0;
    size_t j = 0;
    for (;;) {
        while (i < a_length && is_blank(a[i])) {
            i++;
        }
        while (j < b_length && is_blank(b[j])) {
            j++;
        }
        if (i == a_length || j == b_length) {
            return i == a_length && j == b_length;
        }
        if (a[i++] != b[j++]) {
            return false;
        }
    }
}

/* A text goes to terminals, pictures and other programs. `kept`: what this one may hold of control
 * characters. */
static void refuse_controls(builder *b, const isocast_tree_node *node, const char *kept) {
    size_t length = strlen(node->text);
    for (size_t i = 0; i < length; i++) {
        unsigned code = 0;
        i += isocast_text_find_control(node->text + i, length - i, &code);
        if (i < length && strchr(kept, node->text[i]) == NULL) {
            isocast_diagnostics_add(
                b->diagnostics, ISOCAST_ERROR, b->source, node->span,
                "remove it, or the escape such as \\e, \\n or \\u202e that stands for it",
                "this text holds the control character U+%04X", code);
            b->status = ISOCAST_INVALID;
            return;
        }
    }
}

static void build_scalar(builder *b, const yaml_node_t *from, isocast_tree_node *node) {
    const char *value = (const char *)from->data.scalar.value;
    size_t length = from->data.scalar.length;
    node->kind = ISOCAST_TREE_SCALAR;
    node->text = malloc(length + 1);
    if (node->text == NULL) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    memcpy(node->text, value, length);
    node->text[length] = '\0';
    if (strlen(node->text) != length) {
        report(b, node->span, NULL, "a text must not hold a NUL character");
    }
    const char *source = b->source->text;
    switch (from->data.scalar.style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        node->span.begin++;
        node->span.end = node->span.end > node->span.begin ? node->span.end - 1 : node->span.end;
        break;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE:
        while (node->span.begin < node->span.end && source[node->span.begin] != '\n') {
            node->span.begin++;
        }
        break;
    default:
        break;
    }
    refuse_controls(b, node, "\n\t");
    node->verbatim = same_but_blanks(source + node->span.begin, node->span.end - node->span.begin,
                                     value, length);
}

/* In {} and [] a comma ends a plain text, so that it cuts a formula with a comma in two. What comes
 * of the halves would state nobody why. */
static void refuse_cut_formula(builder *b, yaml_document_t *document, int index,
                               const isocast_tree_node *node, bool in_mapping) {
    const yaml_node_t *from = yaml_document_get_node(document, index);
    size_t end = node->span.end;
    if (from->type != YAML_SCALAR_NODE || from->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
        node->text == NULL || end >= b->source->length || b->source->text[end] != ',') {
        return;
    }
    long open = 0;
    for (const char *at = node->text; *at != '\0'; at++) {
        open += *at == '(';
        open -= *at == ')';
    }
    if (open > 0) {
        report(b, (isocast_span){end, end + 1},
               "put all of the formula in quotes, as in \"mod(N, p) == 0\"",
               "inside {} and [] a comma ends a text without quotes; here a bracket is still open");
    } else if (in_mapping && end > 0 && isdigit((unsigned char)b->source->text[end - 1]) &&
               isdigit((unsigned char)b->source->text[end + 1])) {
        report(b, (isocast_span){end, end + 1}, "write a decimal number with a point, as in 1.5",
               "inside {} a comma ends a value");
    }
}

static void build(builder *b, yaml_document_t *document, int index, isocast_tree_node *node);

static void build_sequence(builder *b, yaml_document_t *document, const yaml_node_t *from,
                           isocast_tree_node *node) {
    node->kind = ISOCAST_TREE_SEQUENCE;
    size_t count = (size_t)(from->data.sequence.items.top - from->data.sequence.items.start);
    node->items = calloc(count + 1, sizeof *node->items);
    if (node->items == NULL) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    node->count = count;
    for (size_t i = 0; i < count; i++) {
        build(b, document, from->data.sequence.items.start[i], &node->items[i]);
        if (from->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE) {
            refuse_cut_formula(b, document, from->data.sequence.items.start[i], &node->items[i],
                               false);
        }
    }
}

static int by_key(const void *left, const void *right) {
    const isocast_tree_entry *const *a = left;
    const isocast_tree_entry *const *b = right;
    int order = strcmp((*a)->key.text, (*b)->key.text);
    return order != 0 ? order : *a < *b ? -1 : 1;
}

static void refuse_duplicates(builder *b, const isocast_tree_node *mapping) {
    const isocast_tree_entry **sorted = malloc((mapping->count + 1) * sizeof *sorted);
    if (sorted == NULL) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < mapping->count; i++) {
        if (mapping->entries[i].key.text != NULL) {
            sorted[count++] = &mapping->entries[i];
        }
    }
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(sorted[i]->key.text, sorted[i - 1]->key.text) == 0) {
            size_t first_line = 0;
            size_t column = 0;
            if (!isocast_diagnostics_full(b->diagnostics)) {
                isocast_source_locate(b->source, sorted[i - 1]->key.span.begin, &first_line,
                                      &column);
            }
            isocast_diagnostics_add(b->diagnostics, ISOCAST_ERROR, b->source, sorted[i]->key.span,
                                    "keep one of the two",
                                    "the key '%s' is given twice, first in line %zu",
                                    sorted[i]->key.text, first_line);
            b->status = ISOCAST_INVALID;
        }
    }
    free(sorted);
}

static void build_mapping(builder *b, yaml_document_t *document, const yaml_node_t *from,
                          isocast_tree_node *node) {
    node->kind = ISOCAST_TREE_MAPPING;
    size_t count = (size_t)(from->data.mapping.pairs.top - from->data.mapping.pairs.start);
    node->entries = calloc(count + 1, sizeof *node->entries);
    if (node->entries == NULL) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    node->count = count;
    for (size_t i = 0; i < count; i++) {
        isocast_tree_entry *entry = &node->entries[i];
        build(b, document, from->data.mapping.pairs.start[i].key, &entry->key);
        build(b, document, from->data.mapping.pairs.start[i].value, &entry->value);
        if (from->data.mapping.style == YAML_FLOW_MAPPING_STYLE) {
            refuse_cut_formula(b, document, from->data.mapping.pairs.start[i].value, &entry->value,
                               true);
        }
        if (entry->key.kind != ISOCAST_TREE_SCALAR) {
            report(b, entry->key.span, NULL, "a key must be plain text");
        } else if (entry->key.text != NULL) {
            refuse_controls(b, &entry->key, "");
        }
    }
    refuse_duplicates(b, node);
}

/* Recursion is bounded by ISOCAST_TREE_DEPTH_MAX, which survey() has made sure of. */
static void build(builder *b, yaml_document_t *document, int index, isocast_tree_node *node) {
    const yaml_node_t *from = yaml_document_get_node(document, index);
    node->span = span_of(b, from->start_mark, from->end_mark);
    switch (from->type) {
    case YAML_SEQUENCE_NODE:
        build_sequence(b, document, from, node);
        break;
    case YAML_MAPPING_NODE:
        build_mapping(b, document, from, node);
        break;
    default:
        build_scalar(b, from, node);
        break;
    }
}

static void load(builder *b, isocast_tree *tree) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        b->status = ISOCAST_NO_MEMORY;
        return;
    }
    open_parser(b, &parser);
    yaml_document_t document;
    if (!yaml_parser_load(&parser, &document)) {
        report_problem(b, &parser);
    } else {
        build(b, &document, 1, &tree->root);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
}

isocast_status isocast_tree_parse(isocast_source *source, isocast_diagnostics *diagnostics,
                                  isocast_tree **out) {
    isocast_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    tree->source = source;
    builder b = {.source = source, .diagnostics = diagnostics, .status = ISOCAST_OK};
    if (!index_offsets(&b)) {
        b.status = ISOCAST_NO_MEMORY;
    }
    if (b.status == ISOCAST_OK) {
        survey(&b);
    }
    if (b.status == ISOCAST_OK) {
        load(&b, tree);
    }
    free(b.offsets);
    if (b.status != ISOCAST_OK) {
        isocast_tree_free(tree);
        return b.status;
    }
    *out = tree;
    return ISOCAST_OK;
}

static void node_free(isocast_tree_node *node) {
    for (size_t i = 0; i < node->count; i++) {
        if (node->items != NULL) {
            node_free(&node->items[i]);
        }
        if (node->entries != NULL) {
            node_free(&node->entries[i].key);
            node_free(&node->entries[i].value);
        }
    }
    free(node->items);
    free(node->entries);
    free(node->text);
}

void isocast_tree_free(isocast_tree *tree) {
    if (tree != NULL) {
        node_free(&tree->root);
        isocast_source_free(tree->source);
        free(tree);
    }
}

const isocast_tree_entry *isocast_tree_find(const isocast_tree_node *mapping, const char *key) {
    for (size_t i = 0; mapping->kind == ISOCAST_TREE_MAPPING && i < mapping->count; i++) {
        if (strcmp(mapping->entries[i].key.text, key) == 0) {
            return &mapping->entries[i];
        }
    }
    return NULL;
}

const char *isocast_tree_kind_name(isocast_tree_kind kind) {
    switch (kind) {
    case ISOCAST_TREE_SCALAR:
        return "a number or text";
    case ISOCAST_TREE_SEQUENCE:
        return "a list";
    case ISOCAST_TREE_MAPPING:
        return "a mapping";
    }
    return "something else";
}
