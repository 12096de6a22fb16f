#include "fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit_collective.h"
#include "fit_text.h"
#include "median.h"

/* Variance between launches at one size, widened by how badly it is known, over it and its
 * neighbours: it differs by a factor of a hundred between working sets within a processor's own
 * caches and in one that is shared with others, where there is time for fewer launches, too.
 * Neighbours were measured in the same launches, so they do not add to what is known. NAN where
 * each had one launch. */
static double local_variance(const fit_summary *items, size_t count, size_t at) {
    double squares = 0;
    double freedom = 0;
    double launches = 0;
    for (size_t k = at > 0 ? at - 1 : 0; k < count && k <= at + 1; k++) {
        if (items[k].launches > 1) {
            squares += items[k].variance * ((double)items[k].launches - 1);
            freedom += (double)items[k].launches - 1;
            launches = fmax(launches, (double)items[k].launches);
        }
    }
    return squares / freedom * fit_few_launches(fmin(freedom, launches - 1));
}

/* One p of a kernel: straight lines in log2 of the working set between the sizes measured. */
static bool add_kernel_table(fit *f, fit_covariances *c, fit_operation *operation,
                             const fit_summary *items, size_t count, double between,
                             double inflation) {
    double p = items[0].p;
    isocast_buffer_puts(&operation->formula, "interpolate(log2(m/(1 B))");
    for (size_t k = 0; k < count; k++) {
        char name[FIT_NAME_MOST];
        snprintf(name, sizeof name, "%.16s_p%.0f_%.0fB", operation->name, p, items[k].m);
        long index = fit_add_parameter(f, name, "s/flop", items[k].seconds, f->operation_count);
        if (index < 0) {
            return false;
        }
        /* Where there was no time for all sizes, one has fewer launches than others. */
        double spread = fmax(between, local_variance(items, count, k));
        double relative = spread * inflation / (double)items[k].launches;
        double variance = pow(items[k].seconds, 2) * relative;
        isocast_buffer_printf(&operation->formula, ", %.6g, %s", log2(items[k].m), name);
        if (!fit_add_covariance(c, (size_t)index, (size_t)index, variance)) {
            return false;
        }
    }
    /* interpolate() takes two points at least; one measured size holds everywhere. */
    if (count == 1) {
        isocast_buffer_printf(&operation->formula, ", %.6g, %s", log2(items[0].m) + 1,
                              f->parameters[f->parameter_count - 1].name);
    }
    isocast_buffer_puts(&operation->formula, ")");
    return true;
}

static fit_status fit_kernel(fit *f, fit_covariances *c, const char *name, const fit_summary *items,
                             size_t count, double between, double inflation) {
    fit_operation *operation = fit_new_operation(f, name, true);
    if (operation == NULL) {
        return FIT_NO_MEMORY;
    }
    fit_note_range(operation, items, count);
    size_t tables = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && items[end].p == items[begin].p) {
            end++;
        }
        /* The table of the largest p measured holds beyond it. */
        if (end < count) {
            isocast_buffer_printf(&operation->formula, "if(p <= %.0f, ", items[begin].p);
        }
        if (!add_kernel_table(f, c, operation, items + begin, end - begin, between, inflation)) {
            return FIT_NO_MEMORY;
        }
        isocast_buffer_puts(&operation->formula, end < count ? ", " : "");
        tables++;
        begin = end;
    }
    for (size_t k = 1; k < tables; k++) {
        isocast_buffer_puts(&operation->formula, ")");
    }
    snprintf(operation->form, sizeof operation->form,
             "table over the working set for each of %zu process counts", tables);
    f->operation_count++;
    return operation->formula.failed ? FIT_NO_MEMORY : FIT_OK;
}

static size_t most_launches(const fit_summaries *all) {
    size_t most = 0;
    for (size_t k = 0; k < all->count; k++) {
        most = all->items[k].launches > most ? all->items[k].launches : most;
    }
    return most;
}

static fit_status fit_all(const samples *s, fit_summaries *all, fit *f) {
    f->launches = most_launches(all);
    f->sigma_launch = sqrt(fit_typical_variance(all->items, all->count));
    f->sigma_within = all->within_count > 0 ? sqrt(median_of(all->within, all->within_count)) : 0;
    fit_covariances c = {0};
    fit_parts parts = {0};
    fit_status status = fit_parts_find(s, all, &parts) ? FIT_OK : FIT_NO_MEMORY;
    for (size_t begin = 0; begin < all->count && status == FIT_OK;) {
        size_t end = begin;
        while (end < all->count && all->items[end].operation == all->items[begin].operation) {
            end++;
        }
        const char *name = s->operations[all->items[begin].operation];
        bool message = strncmp(name, "T_", 2) == 0;
        double between = fit_typical_variance(all->items + begin, end - begin);
        double inflation = fit_launch_inflation(all->items + begin, end - begin);
        double widened = between * fit_few_launches((double)f->launches - 1);
        double launch_variance = widened * inflation / (double)f->launches;
        size_t added = f->operation_count;
        const fit_summary *own = all->items + begin;
        size_t count = end - begin;
        fit_request request = {&parts, name, launch_variance};
        if (!message) {
            status = fit_kernel(f, &c, name, own, count, widened, inflation);
        } else {
            status = fit_collective(f, &c, &request, own, count);
        }
        if (status == FIT_OK) {
            f->operations[added].sigma_launch = sqrt(between);
        }
        begin = end;
    }
    status = status == FIT_OK ? fit_fill_covariance(f, &c) : status;
    free(c.items);
    fit_parts_free(&parts);
    return status;
}

fit_status fit_samples(const samples *s, fit *out) {
    if (s->count == 0) {
        return FIT_NO_SAMPLES;
    }
    fit_summaries all = {0};
    fit f = {0};
    fit_status status = fit_summarise(s, &all) ? fit_all(s, &all, &f) : FIT_NO_MEMORY;
    fit_summaries_free(&all);
    if (status != FIT_OK) {
        fit_free(&f);
        return status;
    }
    if (s->together > 1) {
        fit_count_groups(&f, s->together);
    }
    *out = f;
    return FIT_OK;
}

void fit_free(fit *f) {
    for (size_t i = 0; i < f->operation_count; i++) {
        isocast_buffer_free(&f->operations[i].formula);
    }
    free(f->operations);
    free(f->parameters);
    free(f->covariance);
    *f = (fit){0};
}

double fit_reference_time(const samples *s, const char *kernel, double m, double *m_found) {
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
            if (item->p == p_least && strcmp(s->operations[item->operation], kernel) == 0 &&
                distance < least) {
                least = distance;
                seconds = item->seconds;
                *m_found = item->m;
            }
        }
    }
    fit_summaries_free(&all);
    return seconds;
}
