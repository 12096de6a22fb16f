#include "derived_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "derived_words.h"
#include "doubts.h"
#include "sites.h"
#include "size_words.h"
#include "steps_maker.h"
#include "steps_text.h"

/* A part of T that is worth a sentence. */
static const double waiting_least = 0.05;
static const double percent = 100;
static const double nanoseconds = 1e9; /* flop/s: a flop is a nanosecond of the records */

static void names_of(const isocast_derived *d, const char **names) {
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        names[i] = i < d->sizes.count ? d->sizes.words[i].name : "";
    }
}

static int by_value(const void *a, const void *b) {
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one > other) - (one < other);
}

void isocast_derived_put_values(const isocast_derived *d, size_t size, isocast_buffer *out) {
    double *values = calloc(d->record_count + 1, sizeof *values);
    if (values == NULL) {
        out->failed = true;
        return;
    }
    for (size_t r = 0; r < d->record_count; r++) {
        values[r] = size == SIZE_MAX ? d->points[r].p : d->points[r].sizes[size];
    }
    qsort(values, d->record_count, sizeof *values, by_value);
    for (size_t r = 0; r < d->record_count; r++) {
        if (r == 0 || values[r] != values[r - 1]) {
            isocast_buffer_printf(out, "%s%.15g", r > 0 ? ", " : "", values[r]);
        }
    }
    free(values);
}

static bool word_differs(const isocast_derived *d, size_t argument) {
    for (size_t r = 1; r < d->record_count; r++) {
        if (strcmp(d->records[0]->arguments[argument], d->records[r]->arguments[argument]) != 0) {
            return true;
        }
    }
    return false;
}

/* What stands in a word before its number. */
static void put_beginning(const char *word, size_t length, isocast_buffer *out) {
    isocast_buffer beginning = {0};
    isocast_buffer_append(&beginning, word, length);
    isocast_put_clean(beginning.text != NULL ? beginning.text : "", out);
    out->failed = out->failed || beginning.failed;
    isocast_buffer_free(&beginning);
}

/* What formulas call a side that is a word of the command line; NULL: it is none. */
static const char *side_name(const isocast_side_words *sides, size_t argument) {
    for (size_t i = 0; i < sides->count && i < ISOCAST_SIDES_MOST; i++) {
        if (sides->arguments[i] == argument) {
            return isocast_side_names[i + (sides->count == 2 ? ISOCAST_ROWS : ISOCAST_DEPTH)];
        }
    }
    return NULL;
}

static void put_head(const isocast_derived *d, const char *algorithm, isocast_buffer *out) {
    const isocast_record *first = d->records[0];
    isocast_buffer_printf(out, ISOCAST_DERIVED_BEGIN " from %zu records of ", d->record_count);
    isocast_put_clean(first->program, out);
    for (size_t r = 0; r < d->record_count; r++) {
        const char *hash = d->records[r]->hash;
        bool is_new = hash[0] != '\0';
        for (size_t k = 0; k < r; k++) {
            is_new = is_new && strcmp(d->records[k]->hash, hash) != 0;
        }
        isocast_buffer_puts(out, is_new ? "\n# " : "");
        isocast_put_clean(is_new ? hash : "", out);
    }
    isocast_buffer_puts(out, "\n# Numbers of processes: ");
    isocast_derived_put_values(d, SIZE_MAX, out);
    isocast_buffer_puts(out, ". Words of the command line: ");
    for (size_t i = 0; i < first->argument_count; i++) {
        const char *name = NULL;
        for (size_t k = 0; k < d->sizes.count; k++) {
            name = d->sizes.words[k].argument == i ? d->sizes.words[k].name : name;
        }
        name = name == NULL ? side_name(&d->sizes.sides, i) : name;
        isocast_buffer_puts(out, i > 0 ? " " : "");
        if (name != NULL) {
            double unused;
            size_t begin = isocast_word_number(first->arguments[i], &unused);
            put_beginning(first->arguments[i], begin, out);
            isocast_buffer_printf(out, "{%s}", name);
        } else if (word_differs(d, i)) {
            bool follows = isocast_word_follows_processes(d->records, d->record_count, i);
            isocast_buffer_puts(out, follows ? "{a divisor of p}" : "{a multiple of another one}");
        } else {
            isocast_put_clean(first->arguments[i], out);
        }
    }
    isocast_buffer_puts(out, "\nalgorithm: ");
    isocast_put_name(algorithm, out);
    isocast_buffer_puts(out, "\ntitle: \"");
    isocast_put_clean(isocast_base_name(first->program), out);
    isocast_buffer_puts(out, ", as its records say\"\nsize:\n");
    for (size_t i = 0; i < d->sizes.count; i++) {
        isocast_buffer_printf(out, "  %s: {description: word %zu of the command line, min: 1}",
                              d->sizes.words[i].name, d->sizes.words[i].argument + 1);
        isocast_buffer_puts(out, "\n");
    }
}

/* Where it computes, the largest shares first. */
static void put_stretches(const isocast_derived *d, const char *const *names, isocast_buffer *out) {
    static const double share_least = 0.05;
    const derive_stretch *last = NULL;
    for (size_t count = 0; count < d->flow->stretch_count; count++) {
        const derive_stretch *next = NULL;
        for (size_t i = 0; i < d->flow->stretch_count; i++) {
            const derive_stretch *s = &d->flow->stretches[i];
            bool is_left = s->share >= share_least && (last == NULL || s->share < last->share ||
                                                       (s->share == last->share && s > last));
            next = is_left && (next == NULL || s->share > next->share) ? s : next;
        }
        if (next == NULL) {
            return;
        }
        isocast_buffer_printf(out, "# %.0f %% from ", percent * next->share);
        isocast_put_place(d->sites[next->from].key.site, out);
        isocast_buffer_puts(out, " to ");
        isocast_put_place(d->sites[next->to].key.site, out);
        isocast_buffer_puts(out, ": ");
        isocast_law_write(&next->time, names, "s", false, out);
        isocast_buffer_printf(out, ", with a mean error of %.1f %%\n",
                              percent * next->time.mean_error);
        last = next;
    }
}

static void put_work(const isocast_derived *d, const char *algorithm, double speed,
                     const char *const *names, isocast_buffer *out) {
    const isocast_law work = isocast_law_scaled(&d->work, speed);
    isocast_buffer_printf(
        out,
        "# Processor time outside of MPI, on a processor of %.4g flop/s. The mean error is %.1f %%",
        speed, percent * d->work_error);
    if (d->work_runs < d->record_count) {
        isocast_buffer_printf(out, "\n# in the %zu %s whose processes had a processor each",
                              d->work_runs, d->work_runs == 1 ? "run" : "runs");
    }
    isocast_buffer_puts(out, ".\n");
    if (isocast_derived_work_has_p(d)) {
        isocast_buffer_puts(out, "# It grows with p, as each process has the size by itself.\n");
    }
    isocast_buffer_puts(out, "work: ");
    isocast_law_write(&work, names, "", false, out);
    isocast_buffer_puts(out, "\n");
    put_stretches(d, names, out);
    isocast_buffer_puts(out, "kernel: ");
    isocast_put_name(algorithm, out);
    isocast_buffer_puts(out, "\n");
}

/* speed_known: the work is in flops of a speed that somebody gave. */
static void put_recorded(const isocast_derived *d, double speed, bool speed_known,
                         isocast_buffer *out) {
    isocast_buffer_puts(out, "recorded: {p: [");
    isocast_derived_put_values(d, SIZE_MAX, out);
    for (size_t i = 0; i < d->sizes.count; i++) {
        isocast_buffer_printf(out, "], %s: [", d->sizes.words[i].name);
        isocast_derived_put_values(d, i, out);
    }
    isocast_buffer_puts(out, "], marked_speed: ");
    if (speed_known) {
        isocast_buffer_printf(out, "%.6g flop/s", speed);
    } else {
        isocast_buffer_puts(out, "unknown");
    }
    isocast_buffer_puts(out, "}\n");
}

void isocast_derived_put_point(const isocast_derived *derived, const isocast_law_point *point,
                               const char *joint, isocast_buffer *out) {
    isocast_buffer_printf(out, "p%s%.15g", joint, point->p);
    for (size_t i = 0; i < derived->sizes.count; i++) {
        isocast_buffer_printf(out, ", %s%s%.15g", derived->sizes.words[i].name, joint,
                              point->sizes[i]);
    }
}

const char *const isocast_derived_no_machine =
    "derive was given no machine (--machine), and no runs on a platform (--platform, --runs)";

static void put_held_point(const isocast_derived *d, const char *name,
                           const isocast_held_point *held, isocast_buffer *out) {
    if (!held->known) {
        isocast_buffer_printf(out, "  %s: \"%s\"\n", name,
                              held->reason != NULL ? held->reason : isocast_derived_no_machine);
        return;
    }
    isocast_buffer_printf(out, "  %s: {", name);
    isocast_derived_put_point(d, &held->point, ": ", out);
    if (held->on != NULL) {
        isocast_buffer_puts(out, ", on: ");
        isocast_put_name(held->on, out);
    }
    isocast_buffer_printf(out, ", error: %.1f %%", percent * (held->predicted / held->seen - 1));
    if (held->differs > 0) {
        isocast_buffer_printf(out, ", runs_differ_by: %.1f %%", percent * held->differs);
    }
    isocast_buffer_puts(out, held->shared ? "}    # of processes that shared processors\n" : "}\n");
}

static void put_held_points(const isocast_derived *d, isocast_buffer *out) {
    isocast_buffer_puts(out, "# What formulas made without these records are off by there. T_c is "
                             "the computing of the busiest process.\nheld_out:\n");
    put_held_point(d, "T_c", &d->held_computing, out);
    put_held_point(d, "T", &d->held_time, out);
}

static void put_memory(const isocast_derived *d, const char *const *names, isocast_buffer *out) {
    if (d->memory.known) {
        isocast_buffer_printf(out,
                              "# Memory that a process allocates. The mean error is %.1f %%\n"
                              "memory: ",
                              percent * d->memory.mean_error);
        isocast_law_write(&d->memory, names, "B", false, out);
        isocast_buffer_puts(out, "\n");
    }
}

/* The grid of processes, by the rule that most messages follow. */
static void put_shape(const isocast_derived *d, isocast_buffer *out) {
    const isocast_shape *shape = &d->sizes.shape;
    const char *first = d->sizes.words[shape->first].name;
    const char *second = d->sizes.words[shape->second].name;
    switch (shape->rule) {
    case ISOCAST_SHAPE_LONGER:
        isocast_buffer_printf(
            out,
            "  # The most even grid, with the longer side along the longer one of %s and %s.\n"
            "  rows: if(%s >= %s, p/grid_rows(p), grid_rows(p))    # along %s\n",
            first, second, first, second, first);
        break;
    case ISOCAST_SHAPE_SURFACE:
        isocast_buffer_printf(
            out,
            "  # The grid in which a share of %s and %s has the least surface.\n"
            "  fewer: divisor(p, sqrt(p*%s/%s))\n"
            "  more: p/divisor(p, sqrt(p*%s/%s))\n"
            "  rows: if(%s/fewer + %s*fewer/p <= %s/more + %s*more/p, fewer, more)    # along "
            "%s\n",
            first, second, first, second, second, first, first, second, first, second, first);
        break;
    case ISOCAST_SHAPE_RATIO:
        isocast_buffer_printf(out,
                              "  # The ratio of the sides is at most that of %s to %s.\n"
                              "  most: divisor(p, sqrt(p*%s/%s))\n"
                              "  rows: if(most == 1 and %s >= %s, p, most)    # along %s\n",
                              first, second, first, second, first, second, first);
        break;
    case ISOCAST_SHAPE_UNREPORTED:
        isocast_buffer_puts(out, "  rows: grid_rows(p)      # of the grid of processes, the "
                                 "shorter side\n");
        break;
    }
}

/* The sides of the grid of processes in two dimensions, in three, where something names them. at:
 * a point whose sides are written as numbers; NULL: of any p. */
static void put_sides(const isocast_derived *d, const isocast_law_point *at, bool square, bool cube,
                      isocast_buffer *out) {
    isocast_buffer_puts(out, square || cube ? "define:\n" : "");
    if (d->sizes.sides.count > 0 && (square || cube)) {
        isocast_buffer_puts(out, "  # These are words of the command line. Of other grids than the "
                                 "most even ones, --set gives the shorter sides.\n");
    }
    if (square && at != NULL && at->rows > 0) {
        isocast_buffer_printf(out, "  rows: %.0f\n", at->rows);
    } else if (square) {
        put_shape(d, out);
    }
    isocast_buffer_puts(out, square ? "  columns: p/rows\n" : "");
    if (cube && at != NULL && at->depth > 0) {
        isocast_buffer_printf(out, "  depth: %.0f\n  height: %.0f\n", at->depth, at->height);
    } else if (cube) {
        isocast_buffer_puts(
            out, "  depth: grid_layers(p)    # of the grid in three dimensions, the shortest side\n"
                 "  height: grid_rows(p/depth)\n");
    }
    isocast_buffer_puts(out, cube ? "  width: p/depth/height\n" : "");
}

/* Calls that no step has, so that each is accounted for. */
static void put_others(const isocast_derived *d, isocast_buffer *out) {
    bool any = false;
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        if (isocast_derive_has_step(site->key.operation)) {
            continue;
        }
        isocast_buffer_printf(out, "%s%s, ",
                              any ? "; " : "# Calls without a step: ", isocast_call_name(site));
        isocast_put_place(site->key.site, out);
        any = true;
    }
    isocast_buffer_puts(out, any ? "\n" : "");
}

static void put_held_out(const isocast_derived *d, isocast_buffer *out) {
    const isocast_held_out *h = &d->held_out;
    isocast_buffer_puts(out,
                        "# A site is a line that calls MPI. It is exact where the steps make all "
                        "its calls, with their sizes and roots,\n# at the recorded sizes and "
                        "numbers of processes above.\n");
    if (h->records == 0) {
        isocast_buffer_puts(out, "# No sites were held out: four numbers of processes are "
                                 "needed.\n");
        return;
    }
    isocast_buffer_printf(out, "# Held out: %zu %s with p = %.0f", h->records,
                          h->records == 1 ? "record" : "records", h->p_least);
    if (h->p_most > h->p_least) {
        isocast_buffer_printf(out, " to %.0f", h->p_most);
    }
    isocast_buffer_printf(out,
                          ". Steps made without them make calls and sizes of %zu of %zu sites "
                          "exactly.",
                          h->exact, h->sites);
    if (h->worst_site != SIZE_MAX) {
        isocast_buffer_printf(out, " The largest error of a site is %.1f %%, at ",
                              percent * h->worst);
        isocast_put_place(d->sites[h->worst_site].key.site, out);
        isocast_buffer_puts(out, ".");
    }
    if (h->unknown > 0) {
        isocast_buffer_printf(out, " %zu sites are there alone.", h->unknown);
    }
    isocast_buffer_puts(out, "\n");
}

/* "calls exact, sizes off by up to 3.1 %". */
static void put_fit(const isocast_site_fit *fit, isocast_buffer *out) {
    static const double shown_least = 0.0005; /* less would be 0.0 % */
    const char *const what[] = {"calls", ", sizes"};
    const double errors[] = {fit->calls, fit->size};
    for (size_t i = 0; i < 2; i++) {
        isocast_buffer_puts(out, what[i]);
        if (errors[i] >= shown_least) {
            isocast_buffer_printf(out, " off by up to %.1f %%", percent * errors[i]);
        } else {
            isocast_buffer_puts(out, errors[i] > 0 ? " off by less than 0.1 %" : " exact");
        }
    }
    isocast_buffer_puts(out, fit->roots_differ ? ", other roots" : "");
}

/* What the steps have of a site that sends, where that is not all of it. */
static void put_site(const isocast_derived_site *site, const char *prefix, isocast_buffer *out) {
    bool off_there = isocast_derived_site_is_off_there(site);
    if (!isocast_derived_site_sends(site) || (isocast_derived_site_is_exact(site) && !off_there)) {
        return;
    }
    isocast_buffer_printf(out, "%s%s at ", prefix, isocast_call_name(site));
    isocast_put_place(site->key.site, out);
    isocast_buffer_puts(out, ": ");
    if (site->here.records > 0) {
        put_fit(&site->here, out);
    } else {
        isocast_buffer_puts(out, "not compared, as the steps could not be rehearsed");
    }
    if (off_there) {
        isocast_buffer_puts(out, "; held out: ");
        put_fit(&site->there, out);
    }
    isocast_buffer_puts(out, "\n");
}

/* Sizes that are too small say nothing of how computing grows. */
static void put_growth_doubt(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    static const double growth_least = 1.5;
    static const double time_least = 1e-3; /* s */
    double longest = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        longest = fmax(longest, isocast_law_value(&d->work, &d->points[r]) / d->points[r].p);
    }
    if (longest > 0 && longest < time_least) {
        isocast_buffer_printf(out,
                              "%sThe computing takes %.2g ms at most: too short to show how it "
                              "grows. Record larger sizes\n",
                              prefix, longest / time_least);
    } else if (d->grows > 0 && d->grows < growth_least) {
        isocast_buffer_printf(
            out,
            "%sThe computing of the largest size is %.3g times that of the "
            "smallest one: too little to show how it grows. Record larger sizes\n",
            prefix, d->grows);
    }
}

void isocast_derived_write_open(const isocast_derived *derived, const char *prefix,
                                isocast_buffer *out) {
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        if (site->waiting >= waiting_least) {
            isocast_buffer_printf(out, "%s%.0f %% of T is waiting at ", prefix,
                                  percent * site->waiting);
            isocast_put_place(site->key.site, out);
            isocast_buffer_printf(
                out,
                " (%s, p = %.0f), which formulas do not show without an execution of the steps\n",
                isocast_call_name(site), site->waiting_p);
        }
        put_site(site, prefix, out);
    }
    put_growth_doubt(derived, prefix, out);
    if (derived->program != NULL) {
        isocast_put_claims(derived, prefix, out);
    }
    if (derived->alone == 0) {
        isocast_buffer_printf(out,
                              "%sWhether processes wait is not known: in no record each of them "
                              "had a processor of its own\n",
                              prefix);
    }
}

/* ---- lines that a person can read ---- */

enum { LINE_MOST = 120 /* bytes that a person reads at once */ };

/* Where a line is broken: behind its last blank that comes before one of the words, or behind one,
 * within what a line has; 0: nowhere. from: of the line's own text. */
static size_t last_break(const char *line, size_t from, size_t length, size_t most,
                         const char *before, const char *behind) {
    for (size_t i = length < most ? length : most; i > from; i--) {
        bool blank = line[i] == ' ' && i + 2 < length;
        if (blank && ((line[i + 2] == ' ' && strchr(before, line[i + 1]) != NULL) ||
                      strchr(behind, line[i - 1]) != NULL)) {
            return i + 1;
        }
    }
    return 0;
}

static bool has_word(const char *line, size_t length, const char *word) {
    const char *at = strstr(line, word);
    return at != NULL && (size_t)(at - line) < length;
}

static size_t find_break(const char *line, size_t from, size_t length, size_t most, bool comment) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789.,;:()%*/^`'-+=";
    if (length <= most ||
        (!comment && (has_word(line, length, "\"") || has_word(line, length, " #")))) {
        return 0;
    }
    size_t at = comment ? last_break(line, from, length, most, "", letters)
                        : last_break(line, from, length, most, "+", "");
    return at == 0 && !comment ? last_break(line, from, length, most, "*", ",") : at;
}

/* Appends lines, of which long ones are broken: comments between words, formulas before an operator
 * or behind a comma. What stands in quotes, or before a comment, stays. */
static void fold(const isocast_buffer *text, isocast_buffer *out) {
    for (const char *line = text->text; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        size_t indent = strspn(line, " ");
        bool comment = line[indent] == '#';
        size_t key = comment ? 0 : strcspn(line, ":");
        size_t from = comment ? indent + 2 : key < length ? key + 2 : length;
        size_t at;
        size_t most = LINE_MOST;
        size_t next = comment ? indent + 2 : indent + 4;
        while ((at = find_break(line, from, length, most, comment)) > from) {
            isocast_buffer_append(out, line, at - 1);
            isocast_buffer_printf(out, "\n%*s", (int)(comment ? indent : indent + 4), "");
            isocast_buffer_puts(out, comment ? "# " : "");
            line += at;
            length -= at;
            from = 0;
            most = LINE_MOST - next;
        }
        isocast_buffer_append(out, line, length);
        isocast_buffer_puts(out, line[length] == '\n' ? "\n" : "");
        line += length + (line[length] == '\n');
    }
    out->failed = out->failed || text->failed;
}

/* ---- the file ---- */

static bool has(const isocast_buffer *text, const char *word) {
    return text->text != NULL && strstr(text->text, word) != NULL;
}

static void put_all(const isocast_derived *derived, const char *name, double speed,
                    const isocast_law_point *at, isocast_buffer *out) {
    bool speed_known = speed > 0;
    speed = speed_known ? speed : nanoseconds;
    const char *names[ISOCAST_DERIVE_SIZES_MAX];
    isocast_buffer formulas = {0};
    names_of(derived, names);
    put_head(derived, name, out);
    put_recorded(derived, speed, speed_known, out);
    put_held_points(derived, out);
    put_work(derived, name, speed, names, out);
    put_memory(derived, names, &formulas);
    isocast_derive_steps_put(derived, speed, names, &formulas);
    isocast_put_uncertain(derived, speed, names, &formulas);
    put_sides(derived, at, has(&formulas, "columns") || has(&formulas, "rows"),
              has(&formulas, "depth") || has(&formulas, "height") || has(&formulas, "width"), out);
    isocast_buffer_append(out, formulas.text != NULL ? formulas.text : "", formulas.length);
    out->failed = out->failed || formulas.failed;
    isocast_buffer_free(&formulas);
}

isocast_status isocast_derived_write_at(const isocast_derived *derived, const isocast_law_point *at,
                                        isocast_buffer *out) {
    isocast_buffer lines = {0};
    put_all(derived, "steps", 0, at, &lines);
    fold(&lines, out);
    isocast_buffer_free(&lines);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* What a rehearsal shows, and what is not known. */
void isocast_derived_write_rehearsed(const isocast_derived *derived, const char *prefix,
                                     isocast_buffer *out) {
    const isocast_rehearsed *r = &derived->rehearsed;
    isocast_buffer_puts(out, prefix);
    if (r->problem != NULL) {
        isocast_buffer_printf(out, "The steps do not go together: %s\n", r->problem);
    } else {
        isocast_buffer_printf(out,
                              "Rehearsed, the steps have all calls, messages and bytes of %zu of "
                              "%zu records",
                              r->same, r->records);
        if (r->same < r->records) {
            isocast_buffer_printf(out, ", of others up to %.1f, %.1f and %.1f %% more or less",
                                  percent * r->calls, percent * r->messages, percent * r->bytes);
        }
        if (r->records < derived->record_count) {
            isocast_buffer_printf(out, "; %zu are too long for that",
                                  derived->record_count - r->records);
        }
        isocast_buffer_puts(out, "\n");
    }
    isocast_put_doubts(derived, prefix, out);
}

isocast_status isocast_derived_write(const isocast_derived *derived, const char *name, double speed,
                                     isocast_buffer *out) {
    isocast_buffer lines = {0};
    put_all(derived, name, speed, NULL, &lines);
    put_held_out(derived, &lines);
    isocast_derived_write_open(derived, "# ", &lines);
    put_others(derived, &lines);
    isocast_derived_write_rehearsed(derived, "# ", &lines);
    fold(&lines, out);
    isocast_buffer_free(&lines);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
