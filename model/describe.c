#include "describe.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *unit;
    const char *words;
} words[] = {
    {"1", "a plain number"},
    {"s", "a time (s)"},
    {"flop", "an amount of work (flop)"},
    {"B", "a size (B)"},
    {"flop/s", "a speed (flop/s)"},
    {"s/flop", "a time per flop (s/flop)"},
    {"s/B", "a time per byte (s/B)"},
    {"B/s", "a bandwidth (B/s)"},
    {"W", "a power (W)"},
    {"s W", "an energy (J)"},
    {"USD", "an amount of money (USD)"},
    {"EUR", "an amount of money (EUR)"},
};

isocast_description isocast_describe(isocast_dimension dimension) {
    isocast_description description = {"a value"};
    isocast_buffer unit = {0};
    isocast_dimension_format(dimension, &unit);
    const char *text = unit.text != NULL ? unit.text : "";
    snprintf(description.text, sizeof description.text, "a value in %s", text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].unit, text) == 0) {
            snprintf(description.text, sizeof description.text, "%s", words[i].words);
        }
    }
    isocast_buffer_free(&unit);
    return description;
}
