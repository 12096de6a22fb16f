#include "claims.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derived_words.h"
#include "model/base/process_grid.h"
#include "step.h"
#include "word_numbers.h"

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a formula has a name; NULL: there is none. */
static bool has_name(const char *formula, const char *name) {
    size_t length = strlen(name);
    for (const char *at = formula; at != NULL && (at = strstr(at, name)) != NULL; at++) {
        if ((at == formula || !is_letter(at[-1])) && !is_letter(at[length])) {
            return true;
        }
    }
    return false;
}

static bool is_message(const derive_step *step) {
    return step->kind != DERIVE_STEP_WORK && step->kind != DERIVE_STEP_CALL &&
           step->kind != DERIVE_STEP_FOR && step->kind != DERIVE_STEP_START &&
           step->kind != DERIVE_STEP_FINISH;
}

static bool have_messages(const derive_steps *steps) {
    bool have = false;
    for (size_t i = 0; i < steps->count && !have; i++) {
        have = is_message(&steps->items[i]) || have_messages(&steps->items[i].body);
    }
    return have;
}

/* Whether messages from process to process are repeated by a name, or have it in their bytes. */
static bool messages_have(const derive_steps *steps, const char *name, bool repeats) {
    bool have = false;
    for (size_t i = 0; i < steps->count && !have; i++) {
        const derive_step *step = &steps->items[i];
        have = (repeats ? has_name(step->loop, name) && have_messages(&step->body)
                        : is_message(step) && has_name(step->amount, name)) ||
               messages_have(&step->body, name, repeats);
    }
    return have;
}

/* Whether a formula of the steps has a name. */
static bool steps_have(const derive_steps *steps, const char *name) {
    bool have = false;
    for (size_t i = 0; i < steps->count && !have; i++) {
        const derive_step *s = &steps->items[i];
        const char *const formulas[] = {s->amount, s->root, s->to,   s->from,
                                        s->loop,   s->when, s->turns};
        for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++) {
            have = have || has_name(formulas[k], name);
        }
        have = have || steps_have(&s->body, name);
    }
    return have;
}

/* The most grids that can be made of a p at which the formulas are known to hold. */
static size_t most_grids(const isocast_derived *d, int dimensions) {
    bool checked = d->held_out.records > 0 && d->held_out.exact == d->held_out.sites;
    size_t most = checked ? isocast_grid_count(d->held_out.p_grids, dimensions) : 0;
    for (size_t r = 0; r < d->record_count; r++) {
        size_t count = isocast_grid_count(d->points[r].p, dimensions);
        most = count > most ? count : most;
    }
    return most;
}

/* The first side of the grid that makes the surface of a process's share of two sizes least. */
static double side_of_least_surface(double p, const double *sizes) {
    double least = INFINITY;
    double side = 1;
    for (double a = 1; a * a <= p; a++) {
        const double sides[] = {a, p / a};
        for (size_t i = 0; i < 2 && fmod(p, a) == 0; i++) {
            double surface = sizes[0] / sides[i] + sizes[1] * sides[i] / p;
            side = surface < least ? sides[i] : side;
            least = fmin(surface, least);
        }
    }
    return side;
}

/* Whether a grid that follows the ratio of two sizes is another one in two records with as many
 * processes. */
static bool tells_shape(const isocast_derived *d, size_t first, size_t second) {
    for (size_t r = 0; r < d->record_count; r++) {
        const isocast_law_point *a = &d->points[r];
        const double sizes[] = {a->sizes[first], a->sizes[second]};
        for (size_t k = 0; k < r; k++) {
            const isocast_law_point *b = &d->points[k];
            const double others[] = {b->sizes[first], b->sizes[second]};
            if (a->p == b->p &&
                side_of_least_surface(a->p, sizes) != side_of_least_surface(b->p, others)) {
                return true;
            }
        }
    }
    return false;
}

/* Sizes that change how often messages are sent are no sides of a mesh. Those that change the
 * messages are, and others may be. */
static void put_shape(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    const derive_steps *steps = &d->program->steps;
    bool repeats[ISOCAST_DERIVE_SIZES_MAX];
    bool lengths[ISOCAST_DERIVE_SIZES_MAX];
    for (size_t i = 0; i < d->sizes.count; i++) {
        repeats[i] = messages_have(steps, d->sizes.words[i].name, true);
        lengths[i] = messages_have(steps, d->sizes.words[i].name, false);
    }
    for (size_t i = 0; i < d->sizes.count; i++) {
        for (size_t k = 0; k < i; k++) {
            bool likely = (lengths[i] || lengths[k]) && !repeats[i] && !repeats[k];
            if (likely && !tells_shape(d, k, i)) {
                isocast_buffer_printf(
                    out,
                    "%sWhether the grid of processes follows the ratio of %s to %s is not known: "
                    "record both orders of them at one p, such as 1 to 4 and 4 to 1\n",
                    prefix, d->sizes.words[k].name, d->sizes.words[i].name);
            }
        }
    }
}

/* Another rule that makes the same grids in all records. */
static void put_open_shape(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    const isocast_shape *shape = &d->sizes.shape;
    isocast_law_point at;
    if (isocast_shape_is_open(shape, d->points, d->record_count, &at)) {
        const char *first = d->sizes.words[shape->first].name;
        const char *second = d->sizes.words[shape->second].name;
        isocast_buffer_printf(out,
                              "%sBy which rule the grid of processes follows %s and %s is not "
                              "known: two of them make the grids of the records. Record p = %.0f "
                              "with %s = %g and %s = %g\n",
                              prefix, first, second, at.p, first, at.sizes[shape->first], second,
                              at.sizes[shape->second]);
    }
}

static void put_grid(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    static const char *const sides[][3] = {{"rows", "columns", "rows"},
                                           {"depth", "height", "width"}};
    bool any = false;
    for (size_t dimensions = 2; dimensions <= 3; dimensions++) {
        bool uses = d->grid->count == dimensions;
        for (size_t i = 0; i < 3; i++) {
            uses = uses || steps_have(&d->program->steps, sides[dimensions - 2][i]);
        }
        any = any || uses;
        if (uses && most_grids(d, (int)dimensions) < 2) {
            isocast_buffer_printf(
                out,
                "%sWhich grid of %s the program makes of other p is not known: each p of the "
                "records has one. The most even one is taken; record p = %s\n",
                prefix, dimensions == 2 ? "rows and columns" : "three dimensions",
                dimensions == 2 ? "12 or 16" : "24 or 32");
        }
    }
    if (!any && most_grids(d, 2) == 0) {
        isocast_buffer_printf(out,
                              "%sWhether processes stand in a grid is not known: no p of the "
                              "records has one of several rows. Record p = 4, 6 and 12\n",
                              prefix);
    }
}

/* A number that always was the same multiple of a size. */
static void put_followers(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    const isocast_record *first = d->records[0];
    for (size_t i = 0; i < first->argument_count; i++) {
        bool differs = false;
        for (size_t r = 1; r < d->record_count; r++) {
            differs = differs || strcmp(first->arguments[i], d->records[r]->arguments[i]) != 0;
        }
        bool is_named = false;
        for (size_t k = 0; k < d->sizes.count; k++) {
            is_named = is_named || d->sizes.words[k].argument == i;
        }
        for (size_t k = 0; k < d->sizes.sides.count; k++) {
            is_named = is_named || d->sizes.sides.arguments[k] == i;
        }
        if (differs && !is_named &&
            !isocast_word_follows_processes(d->records, d->record_count, i)) {
            isocast_buffer_printf(out,
                                  "%sWord %zu of the command line has one ratio to another one in "
                                  "all records: nothing is known of other ratios\n",
                                  prefix, i + 1);
        }
    }
}

/* Whether a site is the only one of its call, and its function makes no other: as of a function
 * that stands between the program and MPI. */
static bool stands_alone(const isocast_derived *d, size_t site) {
    const isocast_site_key *own = &d->sites[site].key;
    bool alone = own->site->function[0] != '\0' && strcmp(own->site->function, "main") != 0;
    for (size_t s = 0; s < d->site_count && alone; s++) {
        const isocast_site_key *other = &d->sites[s].key;
        bool beside = strcmp(other->site->function, own->site->function) == 0 &&
                      strcmp(other->site->file, own->site->file) == 0;
        alone =
            isocast_site_key_same(own, other) || (own->operation != other->operation && !beside);
    }
    return alone;
}

enum { WRAPPERS_LEAST = 3 /* one site of a call each is usual for fewer calls */ };

static void put_wrappers(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    size_t alone = 0;
    for (size_t s = 0; s < d->site_count; s++) {
        alone += isocast_derived_site_sends(&d->sites[s]) && stands_alone(d, s);
    }
    for (size_t s = 0; s < d->site_count && alone >= WRAPPERS_LEAST; s++) {
        const isocast_derived_site *site = &d->sites[s];
        bool mixed = site->several || !isocast_derived_site_is_exact(site);
        if (isocast_derived_site_sends(site) && mixed && stands_alone(d, s)) {
            isocast_buffer_printf(out, "%sAll calls of %s are at ", prefix,
                                  isocast_call_name(site));
            isocast_put_place(site->key.site, out);
            isocast_buffer_puts(out, ", with several sizes or counts: where other functions call ");
            isocast_put_clean(site->key.site->function, out);
            isocast_buffer_puts(out, " in the place of MPI, one step stands for all of them\n");
        }
    }
}

/* Threads of MPI's own take far less. */
static const double threads_told = 0.1;

/* Other threads compute while the one that calls MPI waits for them with the processor, so that
 * neither more threads nor fewer follow from what the records have. */
static void put_threads(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    double own = 0;
    double others = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        for (size_t i = 0; i < d->records[r]->process_count; i++) {
            own += d->records[r]->processes[i].cpu;
            others += d->records[r]->processes[i].others;
        }
    }
    if (others > threads_told * (own + others)) {
        isocast_buffer_printf(
            out,
            "%sOther threads than the one that calls MPI take %.0f %% of the processor time. The "
            "computing here is that of the one alone, with its waiting for the others. It holds "
            "for so many threads, each with a processor of its own\n",
            prefix, 100 * others / (own + others));
    }
}

void isocast_put_claims(const isocast_derived *derived, const char *prefix, isocast_buffer *out) {
    bool any = have_messages(&derived->program->steps);
    bool by_ratio = derived->sizes.shape.rule != ISOCAST_SHAPE_UNTOLD;
    if (any && derived->sizes.sides.count == 0) {
        put_grid(derived, prefix, out);
        if (!by_ratio && derived->grid->count > 0) {
            put_shape(derived, prefix, out);
        }
    }
    if (by_ratio) {
        put_open_shape(derived, prefix, out);
    }
    put_followers(derived, prefix, out);
    put_wrappers(derived, prefix, out);
    put_threads(derived, prefix, out);
}
