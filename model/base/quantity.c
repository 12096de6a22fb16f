#include "quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const prefixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
enum { UNITY = 3, PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0] };

const char *isocast_quantity_prefix(double value, int digits, double *factor) {
    int step = 0;
    if (value != 0 && isfinite(value)) {
        /* What the digits round up to 1000 has the next prefix. */
        step = (int)floor(log10(fabs(value)) / 3);
        step += fabs(value) / pow(1000, step) >= 1000 - 0.5 * pow(10, 3 - digits);
    }
    step = step < -UNITY ? -UNITY : step;
    step = step > PREFIX_COUNT - 1 - UNITY ? PREFIX_COUNT - 1 - UNITY : step;
    *factor = pow(1000, step);
    return prefixes[step + UNITY];
}

enum { DIGITS_MAX = 17 };
/* Of a number that was computed: what it is off by is no digit. */
static const double rounding = 4e-16;

double isocast_quantity_round(double value, int digits, bool up) {
    char text[64];
    char exact[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    snprintf(exact, sizeof exact, "%.*e", DIGITS_MAX - 1, value);
    double nearest = strtod(text, NULL);
    double off = (nearest - value) * (up ? 1 : -1);
    const char *exponent = strchr(exact, 'e'); /* the nearest may have one more */
    if (exponent == NULL || off >= -rounding * fabs(value)) {
        return nearest;
    }
    char step[64];
    snprintf(step, sizeof step, "1e%ld", strtol(exponent + 1, NULL, 10) - (digits - 1));
    snprintf(text, sizeof text, "%.*e", digits - 1, nearest + (up ? 1 : -1) * strtod(step, NULL));
    return strtod(text, NULL);
}

int isocast_quantity_digits_apart(double low, double high, int digits) {
    while (digits < DIGITS_MAX && high != low) {
        char one[64];
        char other[64];
        snprintf(one, sizeof one, "%.*e", digits - 1, low);
        snprintf(other, sizeof other, "%.*e", digits - 1, high);
        if (strcmp(one, other) != 0) {
            break;
        }
        digits++;
    }
    return digits;
}

isocast_amount isocast_quantity_text(double value, const char *unit, int digits) {
    isocast_amount out;
    if (unit[0] == '\0') {
        snprintf(out.text, sizeof out.text, "%.*g", digits, value);
        return out;
    }
    /* Nobody reads kiloseconds. Up to 1e15 every whole number is exact. */
    if (strcmp(unit, "s") == 0 && fabs(value) > 1 && fabs(value) < 1e15) {
        snprintf(out.text, sizeof out.text, "%.*e", digits - 1, value);
        double rounded = strtod(out.text, NULL);
        if (fabs(rounded) >= 1000) {
            int whole = (int)floor(log10(fabs(rounded))) + 1;
            snprintf(out.text, sizeof out.text, "%.*g s", digits > whole ? digits : whole, rounded);
            return out;
        }
    }
    double factor;
    const char *prefix = isocast_quantity_prefix(value, digits, &factor);
    snprintf(out.text, sizeof out.text, "%.*g %s%s", digits, value / factor, prefix, unit);
    return out;
}

void isocast_quantity_format(double value, const char *unit, int digits, isocast_buffer *out) {
    isocast_buffer_puts(out, isocast_quantity_text(value, unit, digits).text);
}
