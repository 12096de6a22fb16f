#include "reach_trace.h"

#include <stdlib.h>

#include "model/base/array.h"

enum { TRACES_MAX = 192 };

/* A trace of a piece that is not wider than this (end/begin) serves the pieces inside it. */
static const double narrow = 1.5;
/* The trace of a single N serves those up to so far away, as a factor. */
static const double near = 1.25;

void isocast_trace_shelf_free(isocast_trace_shelf *shelf) {
    for (size_t k = 0; shelf->traces != NULL && k < TRACES_MAX; k++) {
        free(shelf->traces[k].entries);
        free(shelf->traces[k].constants);
    }
    free(shelf->traces);
}

void isocast_trace_shelf_clear(isocast_trace_shelf *shelf) {
    shelf->count = 0;
    shelf->last = NULL;
}

static bool serves(const isocast_trace *trace, double begin, double end) {
    if (trace->begin == trace->end) {
        return begin == end && begin <= near * trace->begin && near * begin >= trace->begin;
    }
    return trace->begin <= begin && trace->end >= end &&
           (trace->end <= narrow * trace->begin || (trace->begin == begin && trace->end == end));
}

isocast_trace *isocast_trace_find(isocast_trace_shelf *shelf, double begin, double end) {
    if (shelf->last != NULL && serves(shelf->last, begin, end)) {
        return shelf->last;
    }
    for (size_t k = 0; k < shelf->count; k++) {
        if (serves(&shelf->traces[k], begin, end)) {
            shelf->last = &shelf->traces[k];
            return shelf->last;
        }
    }
    return NULL;
}

isocast_trace *isocast_trace_begin(isocast_trace_shelf *shelf, double begin, double end,
                                   unsigned long condition) {
    if (shelf->traces == NULL) {
        shelf->traces = calloc(TRACES_MAX, sizeof *shelf->traces);
        if (shelf->traces == NULL) {
            return NULL;
        }
    }
    if (shelf->count == TRACES_MAX) {
        isocast_trace_shelf_clear(shelf);
    }
    isocast_trace *trace = &shelf->traces[shelf->count++];
    trace->begin = begin;
    trace->end = end;
    trace->count = 0;
    trace->constant_count = 0;
    trace->condition = condition;
    return trace;
}

bool isocast_trace_add(isocast_trace *trace, const isocast_trace_entry *entry) {
    return ISOCAST_ARRAY_ADD(trace->entries, trace->count, trace->capacity, *entry);
}

bool isocast_trace_add_constant(isocast_trace *trace, unsigned reg) {
    return ISOCAST_ARRAY_ADD(trace->constants, trace->constant_count, trace->constant_capacity,
                             reg);
}

void isocast_trace_drop(isocast_trace_shelf *shelf, isocast_trace *trace) {
    isocast_trace *last = &shelf->traces[shelf->count - 1];
    isocast_trace dropped = *trace;
    *trace = *last;
    *last = dropped;
    shelf->count--;
    shelf->last = NULL;
}
