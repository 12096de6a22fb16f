#include "shorten.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MOST = 120, /* bytes that a person reads at once: parts of longer lines get names */
    PART_LEAST = 12, /* bytes of what is worth a name */
    NAME_SIZE = 32,
    TIMES_LEAST = 2,
    ITERATIONS_LEAST = 3
};

typedef struct shortening {
    isocast_buffer *texts[2]; /* definitions, formulas */
    const char *const *taken;
    size_t taken_count;
} shortening;

static size_t longest_line(const isocast_buffer *text) {
    size_t longest = 0;
    for (const char *at = text->text; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool comment = at[strspn(at, " ")] == '#';
        longest = !comment && length > longest ? length : longest;
        at += length + (at[length] == '\n');
    }
    return longest;
}

/* How a part has to stand to be replaced. */
typedef bool stands(const char *text, const char *at, size_t length);

static bool anywhere(const char *text, const char *at, size_t length) {
    (void)text;
    (void)at;
    (void)length;
    return true;
}

static bool as_message(const char *text, const char *at, size_t length) {
    bool called =
        at - text > 7 && (strncmp(at - 7, "T_send(", 7) == 0 || strncmp(at - 7, "T_recv(", 7) == 0);
    return called && (at[length] == ')' || at[length] == ',');
}

/* A number of calls: at the beginning of a sum or a product, and no factor of a size. */
static bool as_count(const char *text, const char *at, size_t length) {
    const char *sign = at - text > 3 && at[-1] == '-' ? at - 1 : at;
    bool first = sign - text > 2 && sign[-1] == ' ' &&
                 (strchr(":,", sign[-2]) != NULL ||
                  (sign[-2] == '+' && strncmp(at + length, "*max(0, ", 8) == 0));
    return first && (at[length] == '*' || strncmp(at + length, ", 0)", 4) == 0);
}

static size_t count_in(const isocast_buffer *text, const char *part, stands *how) {
    size_t count = 0;
    const char *at = text->text;
    while (at != NULL && (at = strstr(at, part)) != NULL) {
        count += how(text->text, at, strlen(part));
        at += strlen(part);
    }
    return count;
}

static void replace(isocast_buffer *text, const char *part, const char *name, stands *how) {
    isocast_buffer out = {0};
    const char *from = text->text != NULL ? text->text : "";
    const char *at = from;
    while ((at = strstr(at, part)) != NULL) {
        bool is = how(text->text, at, strlen(part));
        isocast_buffer_append(&out, from, (size_t)(at - from));
        isocast_buffer_puts(&out, is ? name : part);
        at += strlen(part);
        from = at;
    }
    isocast_buffer_puts(&out, from);
    out.failed = out.failed || text->failed;
    isocast_buffer_free(text);
    *text = out;
}

static bool is_taken(const shortening *s, const char *name) {
    bool taken = false;
    for (size_t i = 0; i < s->taken_count; i++) {
        taken = taken || strcmp(s->taken[i], name) == 0;
    }
    for (size_t i = 0; i < 2; i++) {
        taken = taken || (s->texts[i]->text != NULL && strstr(s->texts[i]->text, name) != NULL);
    }
    return taken;
}

/* Names a part that comes so often, in all texts. */
static void name_part(shortening *s, const char *part, const char *wanted, stands *how,
                      size_t least) {
    size_t times = count_in(s->texts[0], part, how) + count_in(s->texts[1], part, how);
    char name[NAME_SIZE] = "";
    isocast_buffer text = {0};
    for (size_t i = 1; times >= least && (i == 1 || is_taken(s, name)) && !text.failed; i++) {
        text.length = 0;
        isocast_buffer_printf(&text, i == 1 ? "%s" : "%s_%zu", wanted, i);
        strncpy(name, text.text != NULL ? text.text : "", sizeof name - 1);
    }
    isocast_buffer_free(&text);
    if (times < least || name[0] == '\0') {
        return;
    }
    isocast_buffer definition = {0};
    isocast_buffer_printf(&definition, "%s  %s: %s\n", s->texts[0]->length == 0 ? "define:\n" : "",
                          name, part);
    replace(s->texts[0], part, name, how);
    replace(s->texts[1], part, name, how);
    isocast_buffer_append(s->texts[0], definition.text != NULL ? definition.text : "",
                          definition.length);
    s->texts[0]->failed = s->texts[0]->failed || definition.failed;
    isocast_buffer_free(&definition);
}

static void name_neighbours(shortening *s) {
    static const char *const rows[][2] = {{"min(2, p - 1)", "neighbours"},
                                          {"min(2, rows - 1)", "neighbours_in_column"},
                                          {"min(2, columns - 1)", "neighbours_in_row"},
                                          {"min(2, depth - 1)", "neighbours_in_depth"},
                                          {"min(2, height - 1)", "neighbours_in_height"},
                                          {"min(2, width - 1)", "neighbours_in_width"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        name_part(s, rows[i][0], rows[i][1], anywhere, TIMES_LEAST);
    }
}

/* Where the first argument of a call ends. */
static size_t argument_length(const char *at) {
    size_t length = 0;
    for (int depth = 0; at[length] != '\0' && at[length] != '\n'; length++) {
        if (depth == 0 && strchr("),", at[length]) != NULL) {
            break;
        }
        depth += (at[length] == '(') - (at[length] == ')');
    }
    return length;
}

/* Messages to neighbours are a halo. */
static void name_messages(shortening *s) {
    for (size_t from = 0; s->texts[1]->text != NULL;) {
        const char *text = s->texts[1]->text;
        const char *call = strstr(text + from, "T_");
        if (call == NULL) {
            return;
        }
        from = (size_t)(call - text) + 2;
        bool sends = strncmp(call, "T_send(", 7) == 0 || strncmp(call, "T_recv(", 7) == 0;
        size_t length = sends ? argument_length(call + 7) : 0;
        char *part = length >= PART_LEAST ? strndup(call + 7, length) : NULL;
        if (part != NULL) {
            const char *line = call;
            while (line > text && line[-1] != '\n') {
                line--;
            }
            const char *neighbours = strstr(line, "neighbours");
            bool halo = neighbours != NULL && neighbours < line + strcspn(line, "\n");
            name_part(s, part, halo ? "halo" : "message", as_message, TIMES_LEAST);
        }
        free(part);
    }
}

/* A number of calls that several terms begin with. */
static void name_iterations(shortening *s) {
    char best[NAME_SIZE] = "";
    size_t most = ITERATIONS_LEAST - 1;
    for (const char *at = s->texts[1]->text; at != NULL && *at != '\0';) {
        size_t digits = strspn(at, "0123456789");
        char number[NAME_SIZE] = "";
        if (digits > 0 && digits < sizeof number) {
            memcpy(number, at, digits);
            size_t times = as_count(s->texts[1]->text, at, digits) && strtod(number, NULL) > 1
                               ? count_in(s->texts[0], number, as_count) +
                                     count_in(s->texts[1], number, as_count)
                               : 0;
            if (times > most) {
                most = times;
                memcpy(best, number, sizeof best);
            }
        }
        at += digits > 0 ? digits : 1;
    }
    if (best[0] != '\0') {
        name_part(s, best, "iterations", as_count, ITERATIONS_LEAST);
    }
}

void isocast_shorten(isocast_buffer *definitions, isocast_buffer *formulas,
                     const char *const *taken, size_t count) {
    shortening s = {.texts = {definitions, formulas}, .taken = taken, .taken_count = count};
    if (longest_line(definitions) > LINE_MOST || longest_line(formulas) > LINE_MOST) {
        name_neighbours(&s);
        name_messages(&s);
        name_iterations(&s);
    }
}

/* Where a line is broken: behind its last blank that comes before one of the words, or behind one,
 * within what a line has; 0: nowhere. from: of the line's own text. */
static size_t last_break(const char *line, size_t from, size_t length, size_t most,
                         const char *before, const char *behind) {
    for (size_t i = length < most ? length : most; i > from; i--) {
        bool blank = line[i] == ' ' && i + 2 < length;
        if (blank && ((line[i + 2] == ' ' && strchr(before, line[i + 1]) != NULL) ||
                      strchr(behind, line[i - 1]) != NULL)) {
            return i + 1;
        }
    }
    return 0;
}

static bool holds(const char *line, size_t length, const char *word) {
    const char *at = strstr(line, word);
    return at != NULL && (size_t)(at - line) < length;
}

static size_t find_break(const char *line, size_t from, size_t length, size_t most, bool comment) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789.,;:()%*/^`'-+=";
    if (length <= most || (!comment && (holds(line, length, "\"") || holds(line, length, " #")))) {
        return 0;
    }
    size_t at = comment ? last_break(line, from, length, most, "", letters)
                        : last_break(line, from, length, most, "+", "");
    return at == 0 && !comment ? last_break(line, from, length, most, "*", ",") : at;
}

void isocast_fold(const isocast_buffer *text, isocast_buffer *out) {
    for (const char *line = text->text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t indent = strspn(line, " ");
        bool comment = line[indent] == '#';
        size_t key = comment ? 0 : strcspn(line, ":");
        size_t from = comment ? indent + 2 : key < length ? key + 2 : length;
        size_t at;
        size_t most = LINE_MOST;
        size_t next = comment ? indent + 2 : indent + 4;
        while ((at = find_break(line, from, length, most, comment)) > from) {
            isocast_buffer_append(out, line, at - 1);
            isocast_buffer_printf(out, "\n%*s", (int)(comment ? indent : indent + 4), "");
            isocast_buffer_puts(out, comment ? "# " : "");
            line += at;
            length -= at;
            from = 0;
            most = LINE_MOST - next;
        }
        isocast_buffer_append(out, line, length);
        isocast_buffer_puts(out, line[length] == '\n' ? "\n" : "");
        line += length + (line[length] == '\n');
    }
    out->failed = out->failed || text->failed;
}
