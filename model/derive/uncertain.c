#include "uncertain.h"

#include <string.h>

#include "asks.h"
#include "derived_words.h"
#include "exponents.h"
#include "site_text.h"
#include "step.h"

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
    s.head = isocast_put_uncertain_growth(d, speed, s.head, names, out);
    put_spread(&s);
    s.head = isocast_put_uncertain_asks(d, s.head, out);
    put_program(&s);
}

void isocast_put_doubts(const isocast_derived *d, const char *prefix, isocast_buffer *out) {
    for (size_t i = 0; i < d->program->doubt_count; i++) {
        isocast_buffer_puts(out, prefix);
        put_doubt(d, &d->program->doubts[i], out);
        isocast_buffer_puts(out, "\n");
    }
}
