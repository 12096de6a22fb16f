#include "quantity.h"

#include <math.h>
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

void isocast_quantity_format(double value, const char *unit, int digits, isocast_buffer *out) {
    if (unit[0] == '\0') {
        isocast_buffer_printf(out, "%.*g", digits, value);
        return;
    }
    /* Nobody reads kiloseconds. Up to 1e15 every whole number is exact. */
    if (strcmp(unit, "s") == 0 && fabs(value) > 1 && fabs(value) < 1e15) {
        double place = pow(10, floor(log10(fabs(value))) + 1 - digits);
        double rounded = round(value / place) * place;
        if (fabs(rounded) >= 1000) {
            isocast_buffer_printf(out, "%.0f s", rounded);
            return;
        }
    }
    double factor;
    const char *prefix = isocast_quantity_prefix(value, digits, &factor);
    isocast_buffer_printf(out, "%.*g %s%s", digits, value / factor, prefix, unit);
}
