#include "range_name.h"

#include <math.h>
#include <stdio.h>

/* Log2 of the power of two that a size counts as; for 0 and infinity what is below and above all
 * others. Switches are found midway between sizes measured, which are mostly powers of two and what
 * is midway between them: none of these is near where the powers part, so that the same switch
 * counts as the same power wherever its neighbours were measured. */
static double power_of(double size) {
    static const double parted_at = 0.7;
    return size < 1 ? -1 : ceil(log2(size) - parted_at);
}

static void write_end(double size, char *out, size_t most) {
    static const char *const units[] = {"B", "K", "M", "G", "T"};
    double power = power_of(size);
    if (power < 0) {
        snprintf(out, most, "0");
    } else if (isinf(power)) {
        snprintf(out, most, "up");
    } else {
        int unit = (int)fmin(floor(power / 10), 4);
        snprintf(out, most, "%.0f%s", exp2(power - 10 * unit), units[unit]);
    }
}

void isocast_range_name(const char *prefix, double from, double to, char *out, size_t most) {
    char begin[24];
    char end[24];
    write_end(from, begin, sizeof begin);
    write_end(to, end, sizeof end);
    if (from <= 0 && isinf(to)) {
        snprintf(out, most, "%s", prefix);
    } else if (power_of(from) == power_of(to)) {
        snprintf(out, most, "%s_%.0fB_%.0fB", prefix, from, to);
    } else {
        snprintf(out, most, "%s_%s_%s", prefix, begin, end);
    }
}
