#include "derived_text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call_form.h"
#include "model/base/text.h"

enum { NAME_MOST = 60 };

/* A part of T that is worth a sentence. */
static const double waiting_least = 0.05;
/* A share that counts as all. */
static const double whole_share = 0.995;
/* Laws of other kinds need this much, relative, to be told. */
static const double percent = 100;

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A text from a record in a comment or a text in quotes. */
static void put_clean(const char *text, isocast_buffer *out) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, strlen(text), "", &clean);
    for (size_t i = 0; i < clean.length; i++) {
        char byte = clean.text[i];
        isocast_buffer_append(out, byte == '"' || byte == '\\' ? "'" : &byte, 1);
    }
    out->failed = out->failed || clean.failed;
    isocast_buffer_free(&clean);
}

/* A text as a part of a name: letters, digits and -. */
static void put_name(const char *text, isocast_buffer *out) {
    size_t length = strlen(text);
    bool any = false;
    for (size_t i = 0; i < length && i < NAME_MOST; i++) {
        bool plain = isalnum((unsigned char)text[i]) || (any && text[i] == '_');
        if (plain) {
            isocast_buffer_append(out, &text[i], 1);
            any = true;
        } else if (any && i + 1 < length && isalnum((unsigned char)text[i + 1])) {
            isocast_buffer_puts(out, "-");
        }
    }
    if (!any) {
        isocast_buffer_puts(out, "program");
    }
}

static void names_of(const isocast_derived *d, const char **names) {
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        names[i] = i < d->sizes.count ? d->sizes.words[i].name : "";
    }
}

static void put_place(const isocast_record_site *site, isocast_buffer *out) {
    if (site->line > 0) {
        put_clean(base_name(site->file), out);
        isocast_buffer_printf(out, ":%zu", site->line);
    } else {
        put_clean(base_name(site->module), out);
        isocast_buffer_printf(out, "+%.0f", site->offset);
    }
}

static const char *call_name(const isocast_derived_site *site) {
    return isocast_record_operation_find(site->key.operation)->name;
}

static int by_value(const void *a, const void *b) {
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The values of a size, or of p. */
static void put_range(const isocast_derived *d, size_t size, isocast_buffer *out) {
    double values[16];
    size_t found = 0;
    size_t all = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double value = size == SIZE_MAX ? d->points[r].p : d->points[r].sizes[size];
        bool is_new = true;
        for (size_t i = 0; i < found; i++) {
            is_new = is_new && values[i] != value;
        }
        all += is_new;
        if (is_new && found < sizeof values / sizeof *values) {
            values[found++] = value;
        }
    }
    qsort(values, found, sizeof *values, by_value);
    for (size_t i = 0; i < found; i++) {
        isocast_buffer_printf(out, "%s%.15g", i > 0 ? ", " : "", values[i]);
    }
    isocast_buffer_puts(out, all > found ? " and others" : "");
}

static bool word_differs(const isocast_derived *d, size_t argument) {
    for (size_t r = 1; r < d->record_count; r++) {
        if (strcmp(d->records[0]->arguments[argument], d->records[r]->arguments[argument]) != 0) {
            return true;
        }
    }
    return false;
}

static void put_head(const isocast_derived *d, const char *algorithm, isocast_buffer *out) {
    const isocast_record *first = d->records[0];
    isocast_buffer_printf(out, "# Derived by isocast from %zu records of ", d->record_count);
    put_clean(first->program, out);
    isocast_buffer_puts(out, first->hash[0] != '\0' ? "\n# " : "");
    put_clean(first->hash, out);
    isocast_buffer_puts(out, "\n# Numbers of processes: ");
    put_range(d, SIZE_MAX, out);
    isocast_buffer_puts(out, ". Words of the command line: ");
    for (size_t i = 0; i < first->argument_count; i++) {
        const char *name = NULL;
        for (size_t k = 0; k < d->sizes.count; k++) {
            name = d->sizes.words[k].argument == i ? d->sizes.words[k].name : name;
        }
        isocast_buffer_puts(out, i > 0 ? " " : "");
        if (name != NULL) {
            isocast_buffer_printf(out, "{%s}", name);
        } else if (word_differs(d, i)) {
            bool follows = isocast_size_word_follows_processes(d->records, d->record_count, i);
            isocast_buffer_puts(out, follows ? "{a divisor of p}" : "{a multiple of another one}");
        } else {
            put_clean(first->arguments[i], out);
        }
    }
    isocast_buffer_puts(out, "\nalgorithm: ");
    put_name(algorithm, out);
    isocast_buffer_puts(out, "\ntitle: \"");
    put_clean(base_name(first->program), out);
    isocast_buffer_puts(out, ", as its records say\"\nsize:\n");
    for (size_t i = 0; i < d->sizes.count; i++) {
        isocast_buffer_printf(out, "  %s: {description: word %zu of the command line, min: 1}",
                              d->sizes.words[i].name, d->sizes.words[i].argument + 1);
        isocast_buffer_puts(out, " # recorded: ");
        put_range(d, i, out);
        isocast_buffer_puts(out, "\n");
    }
}

static void scaled(const isocast_law *law, double by, isocast_law *out) {
    *out = *law;
    for (size_t i = 0; i < law->term_count; i++) {
        out->numerators[i] *= by;
    }
}

static void put_work(const isocast_derived *d, const char *algorithm, double speed,
                     const char *const *names, isocast_buffer *out) {
    isocast_law work;
    scaled(&d->work, speed, &work);
    isocast_buffer_printf(
        out,
        "# Processor time outside of MPI, on a processor of %.4g flop/s. The mean error is %.1f %%",
        speed, percent * d->work_error);
    isocast_buffer_printf(out,
                          ";\n# the busiest process computes %.1f %% more than the mean.\nwork: ",
                          percent * fmax(d->imbalance - 1, 0));
    isocast_law_write(&work, names, "", false, out);
    isocast_buffer_puts(out, "\n");
    for (size_t i = 0; i < d->stretch_count; i++) {
        const isocast_derived_stretch *s = &d->stretches[i];
        isocast_buffer_printf(out, "# %.0f %% from ", percent * s->share);
        put_place(s->from, out);
        isocast_buffer_puts(out, " to ");
        put_place(s->to, out);
        isocast_buffer_puts(out, ": ");
        isocast_law_write(&s->time, names, "s", false, out);
        isocast_buffer_printf(out, ", with a mean error of %.1f %%\n",
                              percent * s->time.mean_error);
    }
    isocast_buffer_puts(out, "kernel: ");
    put_name(algorithm, out);
    isocast_buffer_puts(out, "\n");
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

static bool uses_grid(const isocast_derived *d) {
    bool uses = (d->extra.known && isocast_law_uses_grid(&d->extra)) ||
                (d->memory.known && isocast_law_uses_grid(&d->memory));
    for (size_t i = 0; i < d->pipeline_count; i++) {
        uses = uses || isocast_law_uses_grid(&d->pipelines[i].sweeps);
    }
    for (size_t t = 0; t < d->term_count; t++) {
        const isocast_derived_site *site = &d->sites[d->terms[t].sites[0]];
        uses = uses || isocast_law_uses_grid(&d->terms[t].calls) ||
               (isocast_derived_term_has_rounds(&d->terms[t]) &&
                isocast_law_uses_grid(&d->terms[t].rounds)) ||
               isocast_law_uses_grid(&site->size) || isocast_law_uses_grid(&site->among) ||
               isocast_law_uses_grid(&site->stride);
    }
    return uses;
}

static void put_definitions(const isocast_derived *d, isocast_buffer *out) {
    if (uses_grid(d)) {
        isocast_buffer_puts(
            out, "define:\n"
                 "  rows: grid_rows(p)      # of the grid of processes, the shorter side\n"
                 "  columns: p/rows\n");
    }
}

/* The size of a message, B; of a site with several the mean one. */
static void put_size(const isocast_derived *d, const isocast_derived_term *term,
                     const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    bool guarded = site->size.guard != ISOCAST_GUARD_NONE &&
                   site->size.guard != term->calls.guard && site->size.term_count > 0;
    if (guarded) {
        isocast_buffer_puts(out, "if(");
        isocast_guard_write(site->size.guard, out);
        isocast_buffer_puts(out, ", ");
    }
    isocast_law_write(&site->size, names, "B", site->several, out);
    if (site->several) {
        isocast_buffer_puts(out, "/max(1, ");
        isocast_law_write(&term->calls, names, "", false, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, guarded ? ", 0 B)" : "");
}

static void put_divisor(const isocast_law *law, const char *const *names, isocast_buffer *out) {
    isocast_buffer text = {0};
    isocast_law_write(law, names, "", false, &text);
    bool one = text.text != NULL && strpbrk(text.text, " */") == NULL;
    isocast_buffer_printf(out, one ? "/%s" : "/(%s)", text.text != NULL ? text.text : "1");
    out->failed = out->failed || text.failed;
    isocast_buffer_free(&text);
}

/* "T_bcast(8 B * N, rows, min(rows, p_node))". */
static void put_call(const isocast_derived *d, const isocast_derived_term *term,
                     const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    const derive_call_form *form = isocast_derive_call_form_find(site->key.operation);
    bool collective =
        isocast_record_operation_find(site->key.operation)->kind == ISOCAST_RECORD_COLLECTIVE;
    isocast_buffer_printf(out, "%s(", form->name);
    if (form->has_size) {
        put_size(d, term, names, out);
    }
    if (collective && !site->everybody && site->among.known) {
        isocast_buffer_puts(out, form->has_size ? "" : "0 B");
        isocast_buffer_puts(out, ", ");
        isocast_law_write(&site->among, names, "", false, out);
        isocast_buffer_puts(out, ", min(");
        isocast_law_write(&site->among, names, "", false, out);
        isocast_buffer_puts(out, ", p_node");
        bool apart = site->stride.known &&
                     !(site->stride.term_count == 1 && site->stride.terms[0].cost == 0 &&
                       site->stride.numerators[0] == 1);
        if (apart) {
            put_divisor(&site->stride, names, out);
        }
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, ")");
}

static void put_plain_name(const isocast_derived *d, size_t index, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[d->terms[index].sites[0]];
    const isocast_record_site *place = site->key.site;
    if (place->function[0] != '\0') {
        put_name(place->function, out);
        isocast_buffer_puts(out, "-");
    }
    const char *call = call_name(site);
    put_name(strncmp(call, "MPI_", 4) == 0 ? call + 4 : call, out);
    if (place->line > 0) {
        isocast_buffer_printf(out, "-%zu", place->line);
    } else {
        isocast_buffer_printf(out, "-at-%.0f", place->offset);
    }
}

/* Names that come again, from several files, get the number of their term. */
static void put_term_name(const isocast_derived *d, size_t index, isocast_buffer *out) {
    isocast_buffer own = {0};
    isocast_buffer other = {0};
    put_plain_name(d, index, &own);
    bool again = false;
    for (size_t t = 0; t < index && !own.failed && !other.failed && !again; t++) {
        other.length = 0;
        put_plain_name(d, t, &other);
        again = !other.failed && strcmp(own.text, other.text) == 0;
    }
    out->failed = out->failed || own.failed || other.failed;
    isocast_buffer_append(out, own.text != NULL ? own.text : "", own.length);
    if (again) {
        isocast_buffer_printf(out, "--%zu", index + 1);
    }
    isocast_buffer_free(&own);
    isocast_buffer_free(&other);
}

static void put_law_kind(const isocast_law *law, const char *what, isocast_buffer *out) {
    if (!law->known) {
        isocast_buffer_printf(out, "%s not found", what);
    } else if (law->exact) {
        isocast_buffer_printf(out, "%s exact", what);
    } else {
        isocast_buffer_printf(out, "%s with a mean error of %.1f %%, at most %.1f %%", what,
                              percent * law->mean_error, percent * law->worst_error);
    }
}

static void put_term_comment(const isocast_derived *d, const isocast_derived_term *term,
                             isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_buffer_printf(out, "  # %s, ", call_name(site));
    for (size_t i = 0; i < term->count; i++) {
        isocast_buffer_puts(out, i == 0 ? "" : i + 1 == term->count ? " and " : ", ");
        put_place(d->sites[term->sites[i]].key.site, out);
    }
    isocast_buffer_puts(out, ": ");
    put_law_kind(&term->calls, "calls", out);
    put_law_kind(&site->size, site->several ? ", bytes of all of them" : ", sizes", out);
    isocast_buffer_puts(out, site->several ? "; sizes differ, their mean counts\n" : "\n");
    if (isocast_derived_term_has_rounds(term)) {
        isocast_buffer_puts(
            out, "  # Messages under way together are on the way once. The count of these "
                 "rounds is exact.\n");
    }
}

/* Whether one process has no one to send to. */
static isocast_law_guard guard_of(const isocast_derived_site *site, const isocast_law *calls) {
    bool collective =
        isocast_record_operation_find(site->key.operation)->kind == ISOCAST_RECORD_COLLECTIVE;
    return calls->guard == ISOCAST_GUARD_NONE && collective ? ISOCAST_GUARD_PROCESSES
                                                            : calls->guard;
}

/* "11*"; nothing for 1. */
static void put_times(const isocast_law *count, const char *const *names, isocast_buffer *out) {
    isocast_buffer text = {0};
    isocast_law_write(count, names, "", true, &text);
    if (text.text != NULL && strcmp(text.text, "1") != 0) {
        isocast_buffer_printf(out, "%s*", text.text);
    }
    out->failed = out->failed || text.failed;
    isocast_buffer_free(&text);
}

/* What is under way together is on the way once: the first receive of a round takes its time, each
 * other one that of its bytes. guard: in which all of it stands. */
static void put_rounds(const isocast_derived *d, const isocast_derived_term *term,
                       isocast_law_guard guard, const char *const *names, isocast_buffer *out) {
    isocast_law rounds = term->rounds;
    bool guarded = rounds.guard != ISOCAST_GUARD_NONE && rounds.guard != guard;
    isocast_buffer count = {0};
    if (guarded) {
        isocast_buffer_puts(&count, "if(");
        isocast_guard_write(rounds.guard, &count);
        isocast_buffer_puts(&count, ", ");
    }
    isocast_law_write(&rounds, names, "", !guarded, &count);
    isocast_buffer_puts(&count, guarded ? ", 0)" : "");
    const char *text = count.text != NULL ? count.text : "0";
    if (rounds.term_count > 0) {
        isocast_buffer_printf(out, "%s*", text);
        put_call(d, term, names, out);
        isocast_buffer_puts(out, " + max(0, ");
        isocast_law_write(&term->calls, names, "", true, out);
        isocast_buffer_printf(out, " - %s)*", text);
    } else {
        put_times(&term->calls, names, out);
    }
    isocast_buffer_puts(out, "max(0 s, ");
    put_call(d, term, names, out);
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_buffer_printf(out, " - %s(0 B))",
                          isocast_derive_call_form_find(site->key.operation)->name);
    out->failed = out->failed || count.failed;
    isocast_buffer_free(&count);
}

static void put_term(const isocast_derived *d, size_t index, const char *const *names,
                     isocast_buffer *out) {
    const isocast_derived_term *term = &d->terms[index];
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    put_term_comment(d, term, out);
    isocast_buffer_puts(out, "  ");
    put_term_name(d, index, out);
    isocast_buffer_puts(out, ": ");
    isocast_law_guard guard = guard_of(site, &term->calls);
    if (guard != ISOCAST_GUARD_NONE) {
        isocast_buffer_puts(out, "if(");
        isocast_guard_write(guard, out);
        isocast_buffer_puts(out, ", ");
    }
    if (isocast_derived_term_has_rounds(term)) {
        put_rounds(d, term, guard, names, out);
    } else {
        put_times(&term->calls, names, out);
        put_call(d, term, names, out);
    }
    isocast_buffer_puts(out, guard != ISOCAST_GUARD_NONE ? ", 0 s)\n" : "\n");
}

static bool can_be_written(const isocast_derived *d, const isocast_derived_term *term) {
    return term->calls.known && term->calls.term_count > 0 && d->sites[term->sites[0]].size.known;
}

/* The time until the first message has passed all processes. Then each of them does what the other
 * terms say. */
static void put_pipeline(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                         const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *receive = &d->sites[pipeline->receive];
    const isocast_derived_site *send = &d->sites[pipeline->send];
    isocast_buffer_puts(out, "  # A pipeline: each process waits for the one before it at ");
    put_place(receive->key.site, out);
    isocast_buffer_puts(out, " and sends to the next one at ");
    put_place(send->key.site, out);
    isocast_buffer_puts(out, ".\n  # In each sweep the last one begins when the first message has "
                             "passed all others.\n  ");
    if (receive->key.site->function[0] != '\0') {
        put_name(receive->key.site->function, out);
        isocast_buffer_puts(out, "-");
    }
    /* The line of one file may be that of another one, too. */
    isocast_buffer_printf(out, "pipeline-%zu-%zu: if(p > 1, ", receive->key.site->line,
                          pipeline->receive + 1);
    put_times(&pipeline->sweeps, names, out);
    isocast_buffer_puts(out, "(p - 1)*(T_send(");
    isocast_law_write(&send->size, names, "B", false, out);
    isocast_buffer_puts(out, ") + T_recv(");
    isocast_law_write(&send->size, names, "B", false, out);
    isocast_buffer_puts(out, ") + ");
    if (pipeline->share < whole_share) {
        isocast_buffer_printf(out, "%.2g*", pipeline->share);
    }
    isocast_buffer_puts(out, "W*t_c/p/max(1, ");
    isocast_law_write(&send->calls, names, "", false, out);
    isocast_buffer_puts(out, ")), 0 s)\n");
}

static void put_overhead(const isocast_derived *d, double speed, const char *const *names,
                         isocast_buffer *out) {
    bool any = d->extra.known;
    for (size_t t = 0; t < d->term_count; t++) {
        any = any || can_be_written(d, &d->terms[t]);
    }
    isocast_buffer_puts(out, any ? "overhead:\n" : "");
    if (d->extra.known) {
        isocast_law more;
        scaled(&d->extra, speed, &more);
        isocast_buffer_puts(out, "  # Computing of all processes together that grows with p.\n"
                                 "  more-computing: (");
        isocast_law_write(&more, names, "flop", false, out);
        isocast_buffer_puts(out, ")/C\n");
    }
    for (size_t t = 0; t < d->term_count; t++) {
        if (can_be_written(d, &d->terms[t])) {
            put_term(d, t, names, out);
        }
    }
    for (size_t i = 0; i < d->pipeline_count; i++) {
        put_pipeline(d, &d->pipelines[i], names, out);
    }
}

static void put_operations(const isocast_derived *d, isocast_buffer *out) {
    bool any = false;
    for (size_t t = 0; t < d->term_count; t++) {
        const derive_call_form *form =
            isocast_derive_call_form_find(d->sites[d->terms[t].sites[0]].key.operation);
        bool is_new = form->lacked != NULL && can_be_written(d, &d->terms[t]);
        for (size_t k = 0; k < t; k++) {
            const isocast_derived_term *other = &d->terms[k];
            is_new =
                is_new &&
                !(can_be_written(d, other) &&
                  isocast_derive_call_form_find(d->sites[other->sites[0]].key.operation) == form);
        }
        if (is_new) {
            isocast_buffer_puts(out,
                                any ? "" : "operations:       # where the machine does not say\n");
            isocast_buffer_printf(out, "  %s: %s\n", form->name, form->lacked);
            any = true;
        }
    }
}

/* Sites without a term, so that each is accounted for. */
static void put_others(const isocast_derived *d, isocast_buffer *out) {
    bool any = false;
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        bool written = site->term != SIZE_MAX && can_be_written(d, &d->terms[site->term]);
        if (written) {
            continue;
        }
        isocast_buffer_puts(out, any ? "" : "# Calls without a term:\n");
        any = true;
        isocast_buffer_printf(out, "#   %s, ", call_name(site));
        put_place(site->key.site, out);
        const char *why = !isocast_derived_site_sends(site) ? "it sends nothing itself"
                          : site->calls.known && site->calls.term_count == 0
                              ? "it sends nothing in any record"
                              : "too few runs for a formula";
        isocast_buffer_printf(out, ": %s\n", why);
    }
}

static void put_held_out(const isocast_derived *d, isocast_buffer *out) {
    const isocast_held_out *h = &d->held_out;
    if (h->records == 0) {
        isocast_buffer_puts(out,
                            "# No record was held out: four numbers of processes are needed.\n");
        return;
    }
    isocast_buffer_printf(out, "# Held out: %zu %s with p = %.0f", h->records,
                          h->records == 1 ? "record" : "records", h->p_least);
    if (h->p_most > h->p_least) {
        isocast_buffer_printf(out, " to %.0f", h->p_most);
    }
    isocast_buffer_printf(out,
                          ". Formulas made without them give calls and sizes of %zu of %zu sites "
                          "exactly.\n# The mean error of the computing is %.1f %% there.",
                          h->exact, h->sites, percent * h->work_error);
    if (h->worst_site != SIZE_MAX) {
        isocast_buffer_printf(out, " The largest error of a site is %.1f %%, at ",
                              percent * h->worst);
        put_place(d->sites[h->worst_site].key.site, out);
        isocast_buffer_puts(out, ".");
    }
    if (h->unknown > 0) {
        isocast_buffer_printf(out, " %zu sites are there alone.", h->unknown);
    }
    isocast_buffer_puts(out, "\n");
}

void isocast_derived_write_open(const isocast_derived *derived, const char *prefix,
                                isocast_buffer *out) {
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        if (site->waiting >= waiting_least) {
            isocast_buffer_printf(out, "%s%.0f %% of T is waiting at ", prefix,
                                  percent * site->waiting);
            put_place(site->key.site, out);
            isocast_buffer_printf(out, " (%s, p = %.0f), which these formulas do not explain\n",
                                  call_name(site), site->waiting_p);
        }
        bool sends = isocast_derived_site_sends(site);
        if (sends && !isocast_derived_site_is_exact(site) && site->term != SIZE_MAX) {
            isocast_buffer_printf(out, "%s%s at ", prefix, call_name(site));
            put_place(site->key.site, out);
            isocast_buffer_puts(out, ": ");
            put_law_kind(&site->calls, "calls", out);
            put_law_kind(&site->size, ", sizes", out);
            isocast_buffer_puts(out, "\n");
        }
    }
    if (derived->alone == 0) {
        isocast_buffer_printf(out,
                              "%sWhether processes wait is not known: in no record each of them "
                              "had a processor of its own\n",
                              prefix);
    }
}

void isocast_derived_write(const isocast_derived *derived, const char *name, double speed,
                           isocast_buffer *out) {
    const char *names[ISOCAST_DERIVE_SIZES_MAX];
    names_of(derived, names);
    put_head(derived, name, out);
    put_work(derived, name, speed, names, out);
    put_memory(derived, names, out);
    put_definitions(derived, out);
    put_overhead(derived, speed, names, out);
    put_operations(derived, out);
    put_held_out(derived, out);
    isocast_derived_write_open(derived, "# ", out);
    put_others(derived, out);
}
