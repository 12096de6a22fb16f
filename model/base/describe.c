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

static const struct {
    const char *wanted, *is;
    const char *remedy;
} remedies[] = {
    {"s", "s/flop", "multiply it with an amount of work, such as 2 flop*N"},
    {"s", "flop", "multiply it with a time per flop, such as t_c"},
    {"s", "s/B", "multiply it with a size, such as 8 B*N"},
    {"s", "B", "multiply it with a time per byte, such as 0.1 ns/B"},
    {"flop/s", "1/s",
     "a clock rate is no speed: multiply it with the flop of a cycle, as in "
     "8 flop*2.5 GHz"},
    {"flop/s", "flop", "write how much is done in a second, such as 2 Gflop/s"},
    {"B/s", "B", "write how much passes in a second, such as 10 Gbit/s"},
};

const char *isocast_describe_remedy(isocast_dimension wanted, isocast_dimension is) {
    isocast_unit_text due = isocast_dimension_text(wanted);
    isocast_unit_text given = isocast_dimension_text(is);
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++) {
        if (strcmp(remedies[i].wanted, due.text) == 0 && strcmp(remedies[i].is, given.text) == 0) {
            return remedies[i].remedy;
        }
    }
    return NULL;
}
