/* JSON as text: jansson's values, with every number as short as it can be and still read back the
 * same, and short objects on one line. */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include <jansson.h>

#include "cli/options/options.h"
#include "model/base/buffer.h"

/* Whether the format that was asked for has the whole result as JSON: a page holds it, too. */
bool cli_has_document(const cli_common *common);

/* Comes before all else of jansson, which leaves out what memory is too short for in many places: a
 * refusal is noted (model/base/refused.h), so that no such result is written. */
void cli_json_prepare(void);

/* json_loadb(), which writes and reads beyond its memory where it is refused more: reading ends at
 * the first refusal, and what was read until then is not freed. */
json_t *cli_json_read(const char *text, size_t length, json_error_t *error);

/* A number; null where it is not finite; a whole one that a double holds exactly as an integer. */
json_t *cli_json_number(double value);

/* An array of numbers, shape [count]. */
json_t *cli_json_numbers(const double *values, size_t count);

/* A string; null for NULL. Bytes that are no UTF-8 (a path may hold any) become U+FFFD. */
json_t *cli_json_string(const char *text);

/* Sets a key, appends an element; the value is taken over. Where memory is short for either, the
 * collection is dropped and becomes NULL, and stays so: one check at the end is enough. */
void cli_json_set(json_t **object, const char *key, json_t *value);
void cli_json_append(json_t **array, json_t *value);

/* Goes through the elements of a list, the i-th being `element`; only return leaves it early. */
#define CLI_JSON_EACH(element, i, list)                                                            \
    for (size_t i = 0; i < json_array_size(list); i++)                                             \
        for (json_t *element = json_array_get(list, i); (element) != NULL; (element) = NULL)

/* Appends a value and a newline. Where memory is short the buffer is marked as failed. */
void cli_json_format(const json_t *value, isocast_buffer *out);

/* Likewise, and drops the reference; NULL: memory was short. */
void cli_json_render(json_t *value, isocast_buffer *out);

/* Likewise, on one line and without a newline. json_dumps() is no substitute: where memory is short
 * it leaves out a key and does not say. */
void cli_json_put(json_t *value, isocast_buffer *out);

/* Writes a value to where the common options say, and drops the reference; NULL: memory was short.
 * Gives an exit status. */
int cli_json_write(json_t *value, const cli_common *common);

#endif
