/* Members of a result in JSON, as plots read them. */
#ifndef CLI_PLOT_JSON_H
#define CLI_PLOT_JSON_H

#include <jansson.h>

/* Members of an object: NAN and "" where there is none of the kind. */
double plot_number_of(const json_t *object, const char *key);
const char *plot_text_of(const json_t *object, const char *key);

/* An element of an array of numbers; NAN where there is none. */
double plot_element_of(const json_t *object, const char *key, size_t index);

#endif
