#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "fit_called.h"
#include "fit_collective.h"
#include "fit_kinds.h"
#include "fit_misses.h"
#include "fit_table.h"
#include "model/base/operation_name.h"
#include "model/base/refused.h"

static size_t most_launches(const fit_summaries *all) {
    size_t most = 0;
    for (size_t k = 0; k < all->count; k++) {
        most = all->items[k].launches > most ? all->items[k].launches : most;
    }
    return most;
}

/* Reports why an operation's samples (shape [count]) cannot be fitted. */
static void explain(const char *name, const fit_summary *items, size_t count, isocast_buffer *why) {
    bool alone = true;
    for (size_t k = 0; k < count; k++) {
        alone = alone && items[k].p == 1;
    }
    isocast_buffer_printf(
        why,
        alone ? "the samples of %s are of one process alone, which sends no "
                "message; measure it on two processes or more"
              : "no formula fits the samples of %s: each term that it may have is 0 "
                "at all of them; measure it at other sizes or on more processes",
        name);
}

static isocast_status fit_all(const samples *s, fit_summaries *all, isocast_buffer *why, fit *f) {
    f->launches = most_launches(all);
    f->sigma_launch = sqrt(fit_typical_variance(all->items, all->count));
    f->sigma_within =
        all->within_count > 0 ? sqrt(isocast_median(all->within, all->within_count)) : 0;
    fit_parts parts = {0};
    const isocast_collectives library = fit_called_library(s->environment);
    bool memory = !isnan(f->sigma_launch) && fit_parts_find(s, all, &parts);
    isocast_status status = memory ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t begin = 0; begin < all->count && status == ISOCAST_OK;) {
        size_t end = begin;
        while (end < all->count && all->items[end].operation == all->items[begin].operation) {
            end++;
        }
        const char *name = s->operations[all->items[begin].operation];
        bool message = isocast_operation_is_name(name);
        double between = fit_typical_variance(all->items + begin, end - begin);
        double inflation = fit_launch_inflation(all->items + begin, end - begin);
        /* With three counts of processes or more, terms are fitted with weights. */
        bool weighted = message && fit_count_processes(all->items + begin, end - begin) >= 3;
        fit_launches launches = fit_count_launches(all->items + begin, end - begin, weighted);
        double widened = between * fit_few_launches(launches.all - (double)launches.placements);
        double launch_variance =
            widened * fit_shared_share(all->items + begin, end - begin, &launches);
        double placement_variance = widened * fit_placement_share(&launches);
        size_t added = f->operation_count;
        const fit_summary *own = all->items + begin;
        size_t count = end - begin;
        fit_request request = {.parts = &parts,
                               .name = name,
                               .launch_variance = launch_variance,
                               .placement_variance = placement_variance,
                               .simgrid = s->facts.is_simulated,
                               .library = library};
        fit_table_request table = {name, widened, inflation};
        if (isnan(between)) {
            status = ISOCAST_NO_MEMORY;
        } else if (!message) {
            status = fit_kernel_table(f, &table, own, count);
        } else if (fit_kind_of(name) == FIT_KIND_WORK) {
            status = fit_work_table(f, &table, own, count);
        } else {
            status = fit_collective(f, &request, own, count);
        }
        if (status == ISOCAST_OK) {
            f->operations[added].sigma_launch = sqrt(between);
        }
        if (status == ISOCAST_NUMERIC && why != NULL) {
            explain(name, own, count, why);
        }
        begin = end;
    }
    status = status == ISOCAST_OK ? fit_misses_fill(s->facts.is_simulated, f) : status;
    fit_parts_free(&parts);
    return status;
}

isocast_status fit_samples(const samples *s, isocast_buffer *why, fit *out) {
    if (s->count == 0) {
        if (why != NULL) {
            isocast_buffer_puts(why, "there are no samples");
        }
        return ISOCAST_INVALID;
    }
    fit_summaries all = {0};
    fit f = {0};
    isocast_status status = fit_summarise(s, &all) ? fit_all(s, &all, why, &f) : ISOCAST_NO_MEMORY;
    f.speed = all.pace.speed;
    fit_summaries_free(&all);
    for (size_t i = 0; i < f.operation_count; i++) {
        status = f.operations[i].body.failed ? ISOCAST_NO_MEMORY : status;
    }
    if (status != ISOCAST_OK) {
        fit_free(&f);
        return status;
    }
    *out = f;
    return ISOCAST_OK;
}

void fit_free(fit *f) {
    for (size_t i = 0; i < f->operation_count; i++) {
        isocast_buffer_free(&f->operations[i].body);
    }
    free(f->operations);
    *f = (fit){0};
}

/* p: processes, on one node where there are several; NAN: as few as there are. */
static double kernel_time(const samples *s, const char *kernel, double p, double m,
                          double *m_found) {
    fit_summaries all = {0};
    double seconds = NAN;
    double least = INFINITY;
    if (fit_summarise(s, &all)) {
        double p_least = INFINITY;
        for (size_t k = 0; k < all.count; k++) {
            bool is_kernel = strcmp(s->operations[all.items[k].operation], kernel) == 0;
            p_least = is_kernel ? fmin(p_least, all.items[k].p) : p_least;
        }
        for (size_t k = 0; k < all.count; k++) {
            const fit_summary *item = &all.items[k];
            double distance = fabs(log(item->m / m));
            bool wanted = isnan(p) ? item->p == p_least : item->p == p && item->nodes <= 1;
            if (wanted && strcmp(s->operations[item->operation], kernel) == 0 && distance < least) {
                least = distance;
                seconds = item->seconds;
                *m_found = item->m;
            }
        }
    } else {
        isocast_refused_note();
    }
    fit_summaries_free(&all);
    return seconds;
}

double fit_reference_time(const samples *s, const char *kernel, double m, double *m_found) {
    return kernel_time(s, kernel, NAN, m, m_found);
}

double fit_shared_time(const samples *s, const char *kernel, double processes, double m) {
    double m_found;
    return kernel_time(s, kernel, processes, m, &m_found);
}
