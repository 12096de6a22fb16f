#include "doubts.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "derived_words.h"
#include "flow.h"
#include "model/base/process_grid.h"
#include "sites.h"
#include "size_words.h"
#include "step.h"

/* ---- what T may change by ---- */

/* Entries of the section, whose head stands before the first one. */
typedef struct section {
    const isocast_derived *d;
    const char *head;
    isocast_buffer *out;
} section;

/* Begins an entry behind a comment. */
static void begin(section *s, const char *comment) {
    isocast_buffer_printf(s->out, "%s  # %s\n  ", s->head, comment);
    s->head = "";
}

static void put_growth(section *s, double speed, const char *const *names) {
    const isocast_derived *d = s->d;
    if (!d->work_most.known) {
        return;
    }
    const isocast_law most = isocast_law_scaled(&d->work_most, speed);
    isocast_buffer_printf(s->out,
                          "%s  # The recorded sizes are too few, or too near each other, to report "
                          "the growth of the work from this one,\n  # which is %.2g times as much "
                          "at %d times the largest sizes.\n  growth-of-work: (",
                          s->head, d->work_factor, ISOCAST_DERIVED_FAR);
    isocast_law_write(&most, names, "flop", false, s->out);
    isocast_buffer_puts(s->out, " - W)*t_c/p\n");
    s->head = "";
}

/* Computing that took longer, or shorter, in some records than the formulas say. */
static void put_spread(section *s) {
    static const double least = 0.1; /* of T_c */
    static const char *const comments[] = {
        "In one of ten records computing took so much longer than the formulas say, as it may "
        "again.",
        "In one of ten records computing took so much less than the formulas say, as it may "
        "again."};
    static const char *const begins[] = {"slower-computing: ", "faster-computing: -"};
    const double shares[] = {s->d->slower, s->d->faster};
    for (size_t i = 0; i < 2; i++) {
        if (shares[i] >= least) {
            begin(s, comments[i]);
            isocast_buffer_printf(s->out, "%s%.2g*W*t_c/p\n", begins[i], shares[i]);
        }
    }
}

static void put_asks(section *s) {
    const derive_asks *asks = &s->d->flow->asks;
    if (asks->site == SIZE_MAX) {
        return;
    }
    const isocast_derived_site *site = &s->d->sites[asks->site];
    isocast_buffer_printf(s->out, "%s  # How often %s, ", s->head, isocast_call_name(site));
    isocast_put_place(site->key.site, s->out);
    isocast_buffer_printf(s->out,
                          ", is called depends on time. What computes between such calls finds a "
                          "message late,\n  found-late: if(p > 1, %.2g*W*t_c/p, 0 s)\n"
                          "  # and some of it may be asking alone, and no work.\n"
                          "  asking: if(p > 1, -%.2g*W*t_c/p, 0 s)\n",
                          asks->late, asks->idle);
    s->head = "";
}

static void put_doubt(const isocast_derived *d, const derive_doubt *doubt, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s at ", isocast_call_name(&d->sites[doubt->site]));
    isocast_put_place(d->sites[doubt->site].key.site, out);
    isocast_buffer_printf(out, ": %s", doubt->what);
}

/* What T changes by where a doubt is one. Where each call waits for all processes, computing does
 * as often as there are processes. */
static void put_time(const derive_doubt *doubt, size_t index, isocast_buffer *out) {
    switch (doubt->kind) {
    case DERIVE_DOUBT_ORDER:
        isocast_buffer_printf(out, "-order: if(p > 2, (p - 2)*%s + (p - 1)*W*t_c/p, 0 s)\n",
                              doubt->time);
        break;
    case DERIVE_DOUBT_WINDOW:
        isocast_buffer_printf(out, ": %s\n", doubt->time);
        break;
    case DERIVE_DOUBT_NOTED:
    case DERIVE_DOUBT_MORE:
    case DERIVE_DOUBT_LESS:
        isocast_buffer_printf(out, "-%zu: %s%s\n", index + 1,
                              doubt->kind == DERIVE_DOUBT_LESS ? "0 s - " : "", doubt->time);
        break;
    }
}

static void put_program(section *s) {
    bool ordered = false;
    const derive_program *program = s->d->program;
    for (size_t i = 0; i < program->doubt_count; i++) {
        const derive_doubt *doubt = &program->doubts[i];
        const isocast_derived_site *site = &s->d->sites[doubt->site];
        bool order = doubt->kind == DERIVE_DOUBT_ORDER;
        /* One entry is for all calls whose order is not known. */
        if (doubt->time == NULL ||
            (order && (ordered || !isocast_record_is_between_two(site->key.operation)))) {
            continue;
        }
        isocast_buffer comment = {0};
        put_doubt(s->d, doubt, &comment);
        isocast_buffer_puts(&comment, ".");
        begin(s, comment.text != NULL ? comment.text : "");
        s->out->failed = s->out->failed || comment.failed;
        isocast_buffer_free(&comment);
        isocast_put_site_name(s->d, doubt->site, s->out);
        ordered = ordered || order;
        put_time(doubt, i, s->out);
    }
}

void isocast_put_uncertain(const isocast_derived *d, double speed, const char *const *names,
                           isocast_buffer *out) {
    section s = {.d = d,
                 .head =
                     "uncertain:        # T may be so much longer, or shorter where it is below "
                     "0\n",
                 .out = out};
    put_growth(&s, speed, names);
    put_spread(&s);
    put_asks(&s);
    put_program(&s);
}

void isocast_put_doubts(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    for (size_t i = 0; i < d->program->doubt_count; i++) {
        isocast_buffer_puts(out, prefix);
        put_doubt(d, &d->program->doubts[i], out);
        isocast_buffer_puts(out, "\n");
    }
}

/* ---- what records do not have ---- */

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

/* Whether a grid that follows the ratio of two sizes is another one in two records with as many
 * processes. */
static bool shows_shape(const isocast_derived *d, size_t first, size_t second) {
    const isocast_shape shape = {.rule = ISOCAST_SHAPE_SURFACE, .first = first, .second = second};
    bool shows = false;
    for (size_t r = 0; r < d->record_count; r++) {
        for (size_t k = 0; k < r && !shows; k++) {
            shows =
                d->points[r].p == d->points[k].p && isocast_shape_rows(&shape, &d->points[r]) !=
                                                        isocast_shape_rows(&shape, &d->points[k]);
        }
    }
    return shows;
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
            if (likely && !shows_shape(d, k, i)) {
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
    bool any = false;
    for (size_t dimensions = 2; dimensions <= 3; dimensions++) {
        bool uses = d->grid->count == dimensions;
        for (size_t i = 0; i < dimensions; i++) {
            size_t side = i + (dimensions == 2 ? ISOCAST_ROWS : ISOCAST_DEPTH);
            uses = uses || steps_have(&d->program->steps, isocast_side_names[side]);
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

/* Threads of MPI's own take far less. */
static const double threads_reported = 0.1;

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
    if (others > threads_reported * (own + others)) {
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
    bool by_ratio = derived->sizes.shape.rule != ISOCAST_SHAPE_UNREPORTED;
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
    put_threads(derived, prefix, out);
}
