#include "fit_parts.h"

#include <math.h>
#include <string.h>

#include "model/base/known_operation.h"

/* Where an operation was measured on several nodes only, or on one only, that is all there is. */
const fit_message_times *fit_part_of(const fit_message_times part[2], bool one_node) {
    return part[one_node].count > 0 ? &part[one_node] : &part[!one_node];
}

/* The allgather of a broadcast's blocks: p - 1 steps round a ring, or L steps with blocks that
 * double. What was measured of such steps holds for any p. 0 for other operations. */
double fit_parts_known(const fit_parts *parts, fit_kind kind, const fit_summary *item) {
    const fit_message_times *shift = fit_part_of(parts->shift, item->nodes == 1);
    double size = item->m / item->p;
    double seconds = 0;
    if (shift->count > 0 && kind == FIT_KIND_RING) {
        seconds = (item->p - 1) * fit_message_time(shift, size);
    }
    for (double q = 1; shift->count > 0 && kind == FIT_KIND_DOUBLING && q < item->p; q *= 2) {
        seconds += fit_message_time(shift, size * q);
    }
    return seconds;
}

const char *fit_parts_formula(fit_kind kind, bool shifts) {
    if (shifts && kind == FIT_KIND_RING) {
        return "(p - 1)*T_sendrecv(m/p)";
    }
    if (shifts && kind == FIT_KIND_DOUBLING) {
        return "sum(k, 1, ceil(log2(p)), T_sendrecv(m/p*2^(k - 1)))";
    }
    return "";
}

bool fit_parts_find(const samples *s, const fit_summaries *all, fit_parts *out) {
    const char *name = isocast_known_operations[ISOCAST_KNOWN_sendrecv].name;
    for (size_t k = 0; k < all->count; k++) {
        const fit_summary *item = &all->items[k];
        if (strcmp(s->operations[item->operation], name) == 0 &&
            !fit_message_times_add(&out->shift[item->nodes == 1], item->m, item->seconds)) {
            return false;
        }
    }
    fit_message_times_finish(&out->shift[0]);
    fit_message_times_finish(&out->shift[1]);
    return true;
}

void fit_parts_free(fit_parts *parts) {
    fit_message_times_free(&parts->shift[0]);
    fit_message_times_free(&parts->shift[1]);
}
