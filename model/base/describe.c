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
    isocast_unit_text unit = isocast_dimension_text(dimension);
    snprintf(description.text, sizeof description.text, "a value in %.80s", unit.text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].unit, unit.text) == 0) {
            snprintf(description.text, sizeof description.text, "%s", words[i].words);
        }
    }
    return description;
}
