#include "json_text.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/number.h"
#include "model/base/refused.h"
#include "model/base/text.h"
#include "output.h"

/* Objects and lists stay on one line up to this many bytes. */
enum { LINE_MAX = 100, INDENT = 2 };

/* Up to here every whole number is a double of its own: 2^53. */
static const double whole_most = 9007199254740992.0;

/* Where cli_json_read() ends for want of memory; NULL: it does not run. */
static jmp_buf *reading;

static void *allocate_noting(size_t size) {
    void *block = malloc(size);
    if (block == NULL) {
        isocast_refused_note();
        if (reading != NULL) {
            longjmp(*reading, 1);
        }
    }
    return block;
}

bool cli_has_document(const cli_common *common) {
    return strcmp(common->format, "json") == 0 || strcmp(common->format, "html") == 0;
}

json_t *cli_json_read(const char *text, size_t length, json_error_t *error) {
    jmp_buf end;
    json_t *volatile read = NULL;
    reading = &end;
    if (setjmp(end) == 0) {
        read = json_loadb(text, length, 0, error);
    }
    reading = NULL;
    return read;
}

void cli_json_prepare(void) {
    json_set_alloc_funcs(allocate_noting, free);
}

json_t *cli_json_number(double value) {
    if (!isfinite(value)) {
        return json_null();
    }
    if (value == floor(value) && fabs(value) <= whole_most) {
        return json_integer((json_int_t)value);
    }
    return json_real(value);
}

json_t *cli_json_string(const char *text) {
    if (text == NULL) {
        return json_null();
    }
    errno = 0;
    json_t *string = json_string(text);
    /* Where memory is short, there is nothing to correct in the text. */
    if (string != NULL || errno == ENOMEM) {
        return string;
    }
    isocast_buffer corrected = {0};
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x80) {
            isocast_buffer_append(&corrected, c, 1);
        } else {
            isocast_buffer_puts(&corrected, "\xEF\xBF\xBD");
        }
    }
    string = corrected.failed || corrected.text == NULL ? NULL : json_string(corrected.text);
    isocast_buffer_free(&corrected);
    return string;
}

void cli_json_set(json_t **object, const char *key, json_t *value) {
    if (*object == NULL) {
        json_decref(value);
    } else if (json_object_set_new(*object, key, value) != 0) {
        json_decref(*object);
        *object = NULL;
    }
}

void cli_json_append(json_t **array, json_t *value) {
    if (*array == NULL) {
        json_decref(value);
    } else if (json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    }
}

json_t *cli_json_numbers(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        cli_json_append(&array, cli_json_number(values[i]));
    }
    return array;
}

/* Of printable characters of ASCII that stand for themselves, as nearly all texts are. */
static bool is_plain(const char *text, size_t length) {
    size_t k = 0;
    while (k < length && text[k] >= ' ' && text[k] <= '~' && text[k] != '"' && text[k] != '\\') {
        k++;
    }
    return k == length;
}

static void append_string(const json_t *string, isocast_buffer *out) {
    if (string != NULL && is_plain(json_string_value(string), json_string_length(string))) {
        isocast_buffer_puts(out, "\"");
        isocast_buffer_append(out, json_string_value(string), json_string_length(string));
        isocast_buffer_puts(out, "\"");
        return;
    }
    char *text = json_dumps(string, JSON_ENCODE_ANY);
    if (text == NULL) {
        out->failed = true;
        return;
    }
    /* jansson escapes what is below the blank; the rest of what steers a terminal is escaped here.
     */
    size_t length = strlen(text);
    for (size_t from = 0; from < length;) {
        unsigned code = 0;
        size_t good = isocast_text_find_control(text + from, length - from, &code);
        isocast_buffer_append(out, text + from, good);
        from += good;
        if (from < length) {
            isocast_buffer_printf(out, "\\u%04x", code);
            from += isocast_text_character(text + from, length - from);
        }
    }
    free(text);
}

/* How values are separated: on one line, or one per line at a depth. */
typedef struct layout {
    bool one_line;
    int depth;
    size_t most; /* bytes of the text from which on one line is given up, as it is too long */
} layout;

static void append_value(const json_t *value, layout within, isocast_buffer *out);

static void append_break(layout l, isocast_buffer *out) {
    if (!l.one_line) {
        isocast_buffer_printf(out, "\n%*s", l.depth * INDENT, "");
    }
}

static void append_separator(bool first, layout l, isocast_buffer *out) {
    if (!first) {
        isocast_buffer_puts(out, l.one_line ? ", " : ",");
    }
    append_break(l, out);
}

static void append_object(const json_t *object, layout inside, isocast_buffer *out) {
    const char *key;
    json_t *value;
    bool first = true;
    json_object_foreach((json_t *)object, key, value) {
        if (out->length > inside.most) {
            return;
        }
        append_separator(first, inside, out);
        json_t *name = json_string(key);
        append_string(name, out);
        json_decref(name);
        isocast_buffer_puts(out, ": ");
        append_value(value, inside, out);
        first = false;
    }
}

static void append_array(const json_t *array, layout inside, isocast_buffer *out) {
    size_t index;
    json_t *value;
    json_array_foreach(array, index, value) {
        if (out->length > inside.most) {
            return;
        }
        append_separator(index == 0, inside, out);
        append_value(value, inside, out);
    }
}

static void append_members(const json_t *value, layout inside, isocast_buffer *out) {
    bool is_object = json_is_object(value);
    isocast_buffer_puts(out, is_object ? "{" : "[");
    if (is_object) {
        append_object(value, inside, out);
    } else {
        append_array(value, inside, out);
    }
    append_break((layout){inside.one_line, inside.depth - 1, inside.most}, out);
    isocast_buffer_puts(out, is_object ? "}" : "]");
}

/* Tries one line first, as far as it goes: a whole one would be written again at every depth. */
static void append_collection(const json_t *value, layout within, isocast_buffer *out) {
    size_t begin = out->length;
    layout inside = {.one_line = true,
                     .depth = within.depth + 1,
                     .most = within.one_line ? within.most : begin + LINE_MAX};
    append_members(value, inside, out);
    if (within.one_line || out->failed || out->length - begin <= LINE_MAX) {
        return;
    }
    out->length = begin;
    inside.one_line = false;
    inside.most = SIZE_MAX;
    append_members(value, inside, out);
}

static void append_value(const json_t *value, layout within, isocast_buffer *out) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        append_collection(value, within, out);
        break;
    case JSON_STRING:
        append_string(value, out);
        break;
    case JSON_INTEGER:
        isocast_buffer_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        cli_number_format(json_real_value(value), out);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        isocast_buffer_puts(out, json_is_true(value) ? "true" : "false");
        break;
    case JSON_NULL:
        isocast_buffer_puts(out, "null");
        break;
    }
}

void cli_json_format(const json_t *value, isocast_buffer *out) {
    append_value(value, (layout){.one_line = false, .depth = 0, .most = SIZE_MAX}, out);
    isocast_buffer_puts(out, "\n");
}

void cli_json_render(json_t *value, isocast_buffer *out) {
    out->failed = out->failed || value == NULL;
    if (value != NULL) {
        cli_json_format(value, out);
    }
    json_decref(value);
}

void cli_json_put(json_t *value, isocast_buffer *out) {
    out->failed = out->failed || value == NULL;
    if (value != NULL) {
        append_value(value, (layout){.one_line = true, .depth = 0, .most = SIZE_MAX}, out);
    }
    json_decref(value);
}

int cli_json_write(json_t *value, const cli_common *common) {
    isocast_buffer out = {0};
    cli_json_render(value, &out);
    return cli_output_write_text(common->output, &out);
}
