#include "uncertain.h"

#include <string.h>

#include "asks.h"
#include "call_form.h"
#include "derived_words.h"
#include "exponents.h"
#include "site_text.h"

/* Entries of the section, whose head stands before the first one. */
typedef struct section {
    const isocast_derived *d;
    const char *const *names;
    double speed;
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

/* What waits for one-sided messages, and has no step. */
static void put_windows(section *s) {
    for (size_t i = 0; i < s->d->site_count; i++) {
        const isocast_derived_site *site = &s->d->sites[i];
        if (!isocast_derived_site_synchronizes(site) || !site->calls.known ||
            site->calls.term_count == 0) {
            continue;
        }
        bool lock = site->key.operation == ISOCAST_RECORD_OPERATION_Win_lock;
        bool one = site->key.operation < ISOCAST_RECORD_OPERATION_Win_lock;
        isocast_buffer count = {0};
        isocast_law_write(&site->calls, s->names, "", true, &count);
        begin(s, lock ? "It has no step. All other processes may have the lock before."
                      : "It has no step. Processes wait here for messages of 0 B.");
        isocast_put_site_name(s->d, i, s->out);
        isocast_buffer_printf(s->out, ": if(p > 1, %s*%s(T_send(0 B) + T_recv(0 B)), 0 s)\n",
                              count.text != NULL ? count.text : "1",
                              lock  ? "2*(p - 1)*"
                              : one ? ""
                                    : "2*");
        s->out->failed = s->out->failed || count.failed;
        isocast_buffer_free(&count);
    }
}

static void put_doubt(const isocast_derived *d, const derive_doubt *doubt, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s at ", isocast_call_name(&d->sites[doubt->site]));
    isocast_put_place(d->sites[doubt->site].key.site, out);
    isocast_buffer_printf(out, ": %s", doubt->what);
}

/* Each call waits for all processes, and computing does as often as there are processes. */
static void put_order(section *s, const isocast_derived_site *site) {
    isocast_buffer_puts(s->out, "if(p > 2, (p - 2)*");
    isocast_put_site_time(site, s->names, s->out);
    isocast_buffer_puts(s->out, " + (p - 1)*W*t_c/p, 0 s)\n");
}

static void put_program(section *s, const derive_program *program) {
    bool ordered = false;
    for (size_t i = 0; i < program->doubt_count; i++) {
        const derive_doubt *doubt = &program->doubts[i];
        const isocast_derived_site *site = &s->d->sites[doubt->site];
        bool order = doubt->kind == DERIVE_DOUBT_ORDER;
        /* One entry is for all calls whose order is not known. */
        if (doubt->kind == DERIVE_DOUBT_NOTED || !isocast_site_has_time(site) ||
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
        if (order) {
            isocast_buffer_puts(s->out, "-order: ");
            put_order(s, site);
            continue;
        }
        isocast_buffer_printf(s->out, "-%zu: %s", i + 1,
                              doubt->kind == DERIVE_DOUBT_LESS ? "0 s - " : "");
        isocast_put_site_time(site, s->names, s->out);
        isocast_buffer_puts(s->out, "\n");
    }
}

void isocast_put_uncertain(const isocast_derived *d, const derive_program *program, double speed,
                           const char *const *names, isocast_buffer *out) {
    section s = {.d = d,
                 .names = names,
                 .speed = speed,
                 .head =
                     "uncertain:        # T may be so much longer, or shorter where it is below "
                     "0\n",
                 .out = out};
    s.head = isocast_put_uncertain_growth(d, speed, s.head, names, out);
    put_spread(&s);
    s.head = isocast_put_uncertain_asks(d, s.head, out);
    put_windows(&s);
    put_program(&s, program);
}

void isocast_put_doubts(const isocast_derived *d, const derive_program *program, const char *prefix,
                        isocast_buffer *out) {
    for (size_t i = 0; i < program->doubt_count; i++) {
        isocast_buffer_puts(out, prefix);
        put_doubt(d, &program->doubts[i], out);
        isocast_buffer_puts(out, "\n");
    }
}
