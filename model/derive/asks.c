#include "asks.h"

#include <math.h>
#include <stdlib.h>

#include "derived_words.h"

/* Of one process, in a record. Times in s. */
typedef struct asking {
    double all;     /* of its computing */
    double between; /* of computing between two such calls */
    double squares; /* of each of these times, s^2 */
    double idle;    /* at least, of that: in each turn as much as in the shortest one */
    double found;   /* how often it goes on to another call */
} asking;

static bool asks_at(const isocast_derived *d, const isocast_record *record, size_t at) {
    bool asks = false;
    for (size_t s = 0; s < d->site_count && !asks; s++) {
        const isocast_site_key here = {.site = &record->sites[at],
                                       .operation = d->sites[s].key.operation};
        asks = d->sites[s].hangs_on_time && isocast_site_key_same(&here, &d->sites[s].key);
    }
    return asks;
}

static void note(asking *own, const isocast_record_compute *way, bool from, bool to) {
    own->all += way->time;
    own->found += from && !to ? way->times : 0;
    if (from && to) {
        own->between += way->time;
        own->squares += way->squares;
        own->idle += way->times * way->least;
    }
}

/* A message comes at any time between two calls, and so within a long time rather than a short one;
 * it is found at the end. processes: [count]. */
static void take(isocast_derived *d, const asking *processes, size_t count) {
    double all = 0;
    double idle = 0;
    double latest = 0;
    for (size_t k = 0; k < count; k++) {
        const asking *own = &processes[k];
        double late = own->between > 0 ? own->found * own->squares / own->between : 0;
        latest = fmax(latest, fmin(late, own->between));
        idle += fmin(own->idle, own->between);
        all += own->all;
    }
    if (all > 0) {
        d->asks.late = fmax(d->asks.late, latest * (double)count / all);
        d->asks.idle = fmax(d->asks.idle, idle / all);
    }
}

static isocast_status look_at(isocast_derived *d, const isocast_record *record) {
    asking *processes = calloc(record->process_count + 1, sizeof *processes);
    bool *asks = calloc(record->site_count + 1, sizeof *asks);
    bool made = processes != NULL && asks != NULL;
    for (size_t s = 0; made && s < record->site_count; s++) {
        asks[s] = asks_at(d, record, s);
    }
    for (size_t i = 0; made && i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        note(&processes[way->process], way, asks[way->from], asks[way->to]);
    }
    if (made) {
        take(d, processes, record->process_count);
    }
    free(processes);
    free(asks);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_derive_asks_find(isocast_derived *derived) {
    derived->asks.known = false;
    for (size_t s = 0; s < derived->site_count; s++) {
        if (derived->sites[s].hangs_on_time) {
            derived->asks.site = derived->asks.known ? derived->asks.site : s;
            derived->asks.known = true;
        }
    }
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < derived->record_count && derived->asks.known; r++) {
        if (status == ISOCAST_OK && derived->records[r]->process_count > 1) {
            status = look_at(derived, derived->records[r]);
        }
    }
    return status;
}

const char *isocast_put_uncertain_asks(const isocast_derived *derived, const char *head,
                                       isocast_buffer *out) {
    if (!derived->asks.known) {
        return head;
    }
    const isocast_derived_site *site = &derived->sites[derived->asks.site];
    isocast_buffer_printf(out, "%s  # How often %s, ", head, isocast_call_name(site));
    isocast_put_place(site->key.site, out);
    isocast_buffer_printf(out,
                          ", is called hangs on time. What computes between such calls finds a "
                          "message late,\n  found-late: if(p > 1, %.2g*W*t_c/p, 0 s)\n"
                          "  # and some of it may be asking alone, and no work.\n"
                          "  asking: if(p > 1, -%.2g*W*t_c/p, 0 s)\n",
                          derived->asks.late, derived->asks.idle);
    return "";
}
