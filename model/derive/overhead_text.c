#include "overhead_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "asks.h"
#include "call_text.h"
#include "derived.h"
#include "derived_words.h"
#include "exponents.h"
#include "rounds.h"
#include "term_text.h"
#include "uncertain.h"

static bool is_lock(const isocast_derived_site *site) {
    return site->key.operation == ISOCAST_RECORD_OPERATION_Win_lock;
}

/* Whether a process may hold up others by a lock. */
static bool has_locks(const isocast_derived *derived) {
    bool has = false;
    for (size_t s = 0; s < derived->site_count; s++) {
        has = has || is_lock(&derived->sites[s]);
    }
    return has;
}

static const char *comment_of(const isocast_derived_site *site) {
    return is_lock(site) ? "All other processes may have the lock before"
                         : "Processes wait here for messages of 0 B";
}

/* How many messages of 0 B a call waits for. */
static const char *messages_of(const isocast_derived_site *site) {
    bool one = site->key.operation < ISOCAST_RECORD_OPERATION_Win_lock;
    return is_lock(site) ? "2*(p - 1)*" : one ? "" : "2*";
}

/* head: what stands before the first one; returns it, or "" where there was one. names: as of
 * isocast_law_write(). */
static const char *put_uncertain_windows(const isocast_derived *derived, const char *head,
                                         const char *const *names, isocast_buffer *out) {
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        if (!isocast_derived_site_synchronizes(site) || !site->calls.known ||
            site->calls.term_count == 0) {
            continue;
        }
        isocast_buffer_printf(out, "%s  # %s, ", head, isocast_call_name(site));
        head = "";
        isocast_put_place(site->key.site, out);
        isocast_buffer_printf(out, ": %s.\n  ", comment_of(site));
        isocast_put_name(isocast_call_name(site) + strlen("MPI_"), out);
        isocast_buffer_printf(out, "-%zu-%zu: if(p > 1, ", site->key.site->line, s + 1);
        isocast_put_times(&site->calls, names, out);
        isocast_buffer_printf(out, "%s(T_send(0 B) + T_recv(0 B)), 0 s)\n", messages_of(site));
    }
    return head;
}

/* A share of the computing that counts as all. */
extern const double isocast_whole_share;

const double isocast_whole_share = 0.995;

static void put_name(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                     isocast_buffer *out) {
    const isocast_derived_site *receive = &d->sites[pipeline->receive];
    if (receive->key.site->function[0] != '\0') {
        isocast_put_name(receive->key.site->function, out);
        isocast_buffer_puts(out, "-");
    }
    /* The line of one file may be that of another one, too. */
    isocast_buffer_printf(out, "pipeline-%zu-%zu", receive->key.site->line, pipeline->receive + 1);
}

/* "W*t_c/p/max(1, N)": the computing for a message. A number needs no bound. */
static void put_computing(const isocast_law *messages, const char *const *names,
                          isocast_buffer *out) {
    bool number = messages->term_count == 1 && messages->terms[0].cost == 0 &&
                  messages->numerators[0] >= messages->denominators[0];
    isocast_buffer_puts(out, number ? "W*t_c/p/" : "W*t_c/p/max(1, ");
    isocast_law_write(messages, names, "", number, out);
    isocast_buffer_puts(out, number ? "" : ")");
}

/* "T_send(8 B) + T_recv(8 B)" */
static void put_message(const isocast_law *size, const char *const *names, isocast_buffer *out) {
    isocast_buffer_puts(out, "T_send(");
    isocast_law_write(size, names, "B", false, out);
    isocast_buffer_puts(out, ") + T_recv(");
    isocast_law_write(size, names, "B", false, out);
    isocast_buffer_puts(out, ")");
}

/* The time until a message has passed all processes, as often as the law says. Each process does
 * besides what the other terms say, and so a step of the last one is there already. fills: NULL:
 * the steps of the chain count. */
static void put_pipeline(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                         const isocast_law *fills, const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *send = &d->sites[pipeline->send];
    isocast_buffer_puts(out, "  ");
    put_name(d, pipeline, out);
    isocast_buffer_puts(out, ": if(p > 1, ");
    isocast_put_times(fills != NULL ? fills : &pipeline->steps, names, out);
    isocast_buffer_puts(out, fills != NULL ? "((p - 2)*(" : "(");
    put_message(&send->size, names, out);
    isocast_buffer_puts(out, fills != NULL ? ") + (p - 1)*" : " + ");
    if (pipeline->share < isocast_whole_share) {
        isocast_buffer_printf(out, "%.2g*", pipeline->share);
    }
    put_computing(&send->calls, names, out);
    isocast_buffer_puts(out, "), 0 s)\n");
}

static void put_comment(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                        isocast_buffer *out) {
    isocast_buffer_puts(out, "  # A pipeline: each process waits for the one before it at ");
    isocast_put_place(d->sites[pipeline->receive].key.site, out);
    isocast_buffer_puts(out, " and sends to the next one at ");
    isocast_put_place(d->sites[pipeline->send].key.site, out);
    isocast_buffer_puts(out, ".\n");
}

static bool has_chain(const isocast_derived *d) {
    return d->chain.known && d->chain.term_count > 0;
}

/* Few numbers of processes let a law of their grid through by chance. */
static bool has_certain_chain(const isocast_derived *d) {
    return has_chain(d) && !d->chain_guessed && d->chain.exact && d->chain_of_all &&
           !isocast_law_uses_grid(&d->chain, 2) && !isocast_law_uses_grid(&d->chain, 3);
}

/* The steps of a chain, each a message, or the computing on its way, or both. share: of that. */
static void put_chain(const isocast_derived *d, bool message, double share,
                      const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[d->chain_site];
    isocast_buffer_printf(out,
                          "  # Calls wait for each other in chains through several processes, "
                          "which are longer than the calls of one.\n  chain: if(p > %d, ",
                          d->chain_of_two ? 1 : 2);
    isocast_put_times(&d->chain, names, out);
    isocast_buffer_puts(out, "(");
    if (message) {
        put_message(&site->size, names, out);
    }
    if (share > 0) {
        isocast_buffer_puts(out, message ? " + " : "");
        if (share < isocast_whole_share) {
            isocast_buffer_printf(out, "%.2g*", share);
        }
        put_computing(&site->calls, names, out);
    }
    isocast_buffer_puts(out, "), 0 s)\n");
}

/* Terms of the overhead. names: as of isocast_law_write(). */
static void put_pipelines(const isocast_derived *d, const char *const *names, isocast_buffer *out) {
    for (size_t i = 0; i < d->pipeline_count; i++) {
        const isocast_derived_pipeline *pipeline = &d->pipelines[i];
        if (isocast_derived_pipeline_is_certain(pipeline)) {
            put_comment(d, pipeline, out);
            isocast_buffer_puts(out,
                                "  # It fills so often, as these calls wait for each other.\n");
            put_pipeline(d, pipeline, pipeline->fills.exact ? &pipeline->fills : NULL, names, out);
        }
    }
    if (has_certain_chain(d)) {
        put_chain(d, true, isnan(d->chain_share) ? 0 : d->chain_share, names, out);
    }
}

/* Those of which it is not known how often they fill, and other chains. head: what stands before
 * the first one; returns it, or "" where there was one. */
static const char *put_uncertain_pipelines(const isocast_derived *d, const char *head,
                                           const char *const *names, isocast_buffer *out) {
    for (size_t i = 0; i < d->pipeline_count; i++) {
        const isocast_derived_pipeline *pipeline = &d->pipelines[i];
        if (!isocast_derived_pipeline_is_certain(pipeline)) {
            isocast_buffer_puts(out, head);
            head = "";
            put_comment(d, pipeline, out);
            isocast_buffer_puts(out,
                                "  # Whether sweeps overlap is not known. T has no time for it "
                                "to fill; this is for each sweep.\n");
            put_pipeline(d, pipeline, &pipeline->sweeps, names, out);
        }
    }
    if (has_chain(d) && !(has_certain_chain(d) && !isnan(d->chain_share))) {
        isocast_buffer_puts(out, head);
        head = "";
        if (d->chain_guessed) {
            isocast_buffer_puts(out, "  # Records do not tell the order of all calls, or their "
                                     "partners: both are guessed here.\n");
        }
        put_chain(d, !has_certain_chain(d), 1, names, out);
    } else if (d->chain_unknown) {
        const isocast_derived_site *site = &d->sites[d->chain_site];
        isocast_buffer_printf(out,
                              "%s  # In which order calls wait for each other is not known. This "
                              "is for each of them to wait for all processes.\n  chain: if(p > 2, ",
                              head);
        head = "";
        isocast_put_times(&site->calls, names, out);
        isocast_buffer_puts(out, "(p - 2)*(");
        put_message(&site->size, names, out);
        isocast_buffer_puts(out, ") + (p - 1)*W*t_c/p, 0 s)\n");
    }
    return head;
}

/* The axes of the messages of a term's sites, "width" or "height and width". */
static void put_axes(const isocast_derived *d, const isocast_derived_term *term,
                     const char *between, isocast_buffer *out) {
    static const char *const names[] = {"depth", "height", "width"};
    for (size_t i = 0; i < term->count; i++) {
        unsigned axes = d->sites[term->sites[i]].axes;
        isocast_buffer_puts(out, i > 0 ? between : "");
        const char *joint = "";
        for (unsigned k = 0; k < 3; k++) {
            if ((axes & 1U << k) != 0) {
                isocast_buffer_printf(out, "%s%s", joint, names[k]);
                joint = axes == ISOCAST_AXES - 1 && k == 0 ? ", " : " and ";
            }
        }
    }
}

/* What is known against a term, if there is something. */
static void put_doubt(const char *doubt, isocast_buffer *out) {
    if (doubt != NULL) {
        isocast_buffer_printf(out, "  # Uncertain: %s.\n", doubt);
    }
}

static void put_term_comment(const isocast_derived *d, const isocast_derived_term *term,
                             isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_buffer_printf(out, "  # %s, ", isocast_call_name(site));
    for (size_t i = 0; i < term->count; i++) {
        const isocast_record_site *place = d->sites[term->sites[i]].key.site;
        bool again = false; /* parts of one site have one place */
        for (size_t k = 0; k < i; k++) {
            again = again || d->sites[term->sites[k]].key.site == place;
        }
        if (!again) {
            isocast_buffer_puts(out, i == 0 ? "" : i + 1 == term->count ? " and " : ", ");
            isocast_put_place(place, out);
        }
    }
    if (site->key.is_part) {
        isocast_buffer_puts(out, site->axes == 0 ? ", to the process itself" : ", along the ");
        put_axes(d, term, ", ", out);
    }
    if (site->key.rank > 0) {
        isocast_buffer_printf(out, ", those of length %u, from the longest", site->key.rank);
    }
    isocast_buffer_puts(out, ": ");
    isocast_put_law_kind(&term->calls, "calls", out);
    isocast_put_law_kind(&site->size,
                         site->several && !site->mean ? ", bytes of all of them" : ", sizes", out);
    isocast_buffer_puts(out, site->stepped   ? "; sizes differ by equal steps\n"
                             : site->several ? "; sizes differ, their mean counts\n"
                                             : "\n");
    if (term->turns.known) {
        isocast_buffer_puts(out, "  # Each process has a message for each other one, one after "
                                 "the other.\n");
    }
    static const char *const roots[] = {
        [ISOCAST_ROOTS_FIRST] = "",
        [ISOCAST_ROOTS_OTHER] = "  # The root is not process 0: the mean over all roots counts.\n",
        [ISOCAST_ROOTS_ANY] = "  # The root changes: each call counts by itself.\n",
        [ISOCAST_ROOTS_STAY] = "  # The root is one process for many calls, then the next one.\n",
        [ISOCAST_ROOTS_EACH] = "  # The root is the next process with each call.\n",
        [ISOCAST_ROOTS_EACH_PERHAPS] = "  # The root changes.\n"};
    isocast_buffer_puts(out, roots[site->roots]);
    put_doubt(isocast_derived_roots_doubt(d, site), out);
    if (isocast_derived_term_has_rounds(term)) {
        isocast_buffer_puts(
            out, "  # Messages under way together are on the way once. The count of these "
                 "rounds is exact.\n");
    }
}

/* Whether its messages are under way while the process computes. */
static bool is_under_way(const isocast_derived *d, const isocast_derived_term *term) {
    bool is = false;
    for (size_t i = 0; i < term->count; i++) {
        is = is || d->sites[term->sites[i]].under_way;
    }
    return is && term->counts_in == SIZE_MAX && isocast_term_can_be_written(d, term);
}

static void put_term(const isocast_derived *d, size_t index, const char *const *names,
                     isocast_buffer *out) {
    const isocast_derived_term *term = &d->terms[index];
    put_term_comment(d, term, out);
    if (term->counts_in != SIZE_MAX) {
        isocast_buffer_puts(out, "  # They are the other ends of the messages of ");
        isocast_put_term_name(d, term->counts_in, out);
        isocast_buffer_puts(out, ", a term that has their time.\n");
        return;
    }
    isocast_buffer_puts(out, "  ");
    isocast_put_term_name(d, index, out);
    isocast_buffer_puts(out, ": ");
    if (is_under_way(d, term)) {
        isocast_buffer_printf(out, "under_way_%zu\n", index + 1);
    } else {
        isocast_put_formula(d, term, names, out);
    }
}

bool isocast_term_can_be_written(const isocast_derived *d, const isocast_derived_term *term) {
    bool always_zero = isocast_derived_term_has_rounds(term) && !term->turns.known &&
                       term->rounds.term_count == 0 && isocast_term_is_empty(d, term);
    return term->calls.known && term->calls.term_count > 0 && d->sites[term->sites[0]].size.known &&
           !always_zero;
}

/* The term of a site that can be written; NULL: there is none. */
static const isocast_derived_term *term_of(const isocast_derived *d, size_t site) {
    size_t term = d->sites[site].term;
    bool written = term != SIZE_MAX && isocast_term_can_be_written(d, &d->terms[term]);
    return written ? &d->terms[term] : NULL;
}

static bool row_can_be_written(const isocast_derived *d, const isocast_derived_row *row) {
    return term_of(d, row->before) != NULL && term_of(d, row->after) != NULL;
}

/* "T_bcast(4 B) - T_bcast_next(4 B)": what one more call hides of one like it. */
static void put_hidden(const isocast_derived *d, const isocast_derived_term *term,
                       const char *const *names, isocast_buffer *out) {
    isocast_put_call(d, term, names, out);
    isocast_buffer_puts(out, " - ");
    isocast_put_next(d, term, names, out);
}

/* The row that leads to the call which leaves others waiting; NULL: none, or it has no term. */
static const isocast_derived_row *carried_of(const isocast_derived *d,
                                             const isocast_derived_row *row) {
    const isocast_derived_row *carried = row->carried != SIZE_MAX ? &d->rows[row->carried] : NULL;
    return carried != NULL && row_can_be_written(d, carried) ? carried : NULL;
}

/* The term whose calls alone tell how late others are in a row; NULL: several do. A call never
 * hides all that one like it leaves. */
static const isocast_derived_term *lateness_of_one(const isocast_derived *d,
                                                   const isocast_derived_row *row) {
    const isocast_derived_term *term = term_of(d, isocast_derived_row_leaving(row));
    for (row = carried_of(d, row); row != NULL; row = carried_of(d, row)) {
        if (term_of(d, isocast_derived_row_leaving(row)) != term) {
            return NULL;
        }
    }
    return term;
}

/* How late others are where the root has left a call. */
static void put_lateness(const isocast_derived *d, const isocast_derived_row *row,
                         const char *const *names, isocast_buffer *out) {
    const isocast_derived_term *one = lateness_of_one(d, row);
    if (one != NULL) {
        put_hidden(d, one, names, out);
    } else {
        isocast_buffer_printf(out, "late_%zu", row->carried + 1);
    }
}

/* What a call hides of the one that it follows. From the root: that one leaves the root free so
 * long before its last process, as a row of its own shows, or as one before it did. But that
 * process is not to come later to the second one than its message. The message comes after all the
 * time of that call but what the root goes on sending to others, of which half is taken: which
 * process is the last hangs on both. To the root it is the same from the end on, with the two calls
 * in each other's place. In further turns of a loop each call adds what the root sends; so does one
 * like all before it. */
static void put_row(const isocast_derived *d, size_t index, const char *const *names,
                    isocast_buffer *out) {
    const isocast_derived_row *row = &d->rows[index];
    if (!row_can_be_written(d, row)) {
        return;
    }
    const isocast_derived_term *waiting = term_of(d, isocast_derived_row_waiting(row));
    bool alike = lateness_of_one(d, row) == waiting && row->count.exact;
    bool both = !alike && row->first.term_count > 0 && row->again.term_count > 0;
    isocast_buffer_puts(out, "  # It follows ");
    isocast_put_place(d->sites[row->before].key.site, out);
    isocast_buffer_puts(out, " with the same root, and begins while that is still under way.\n");
    put_doubt(isocast_derived_row_doubt(d, row), out);
    isocast_buffer_puts(out, "  ");
    isocast_put_term_name(d, d->sites[row->after].term, out);
    isocast_buffer_printf(out, "-in-a-row-%zu: if(p > 1, -%s", index + 1, both ? "(" : "");
    if (!alike && row->first.term_count > 0) {
        isocast_put_turns(&row->first, names, out);
        isocast_buffer_puts(out, "max(0 s, min(");
        put_lateness(d, row, names, out);
        isocast_buffer_puts(out, ", ");
        put_hidden(d, waiting, names, out);
        isocast_buffer_puts(out, "/2))");
    }
    isocast_buffer_puts(out, both ? " + " : "");
    if (alike || row->again.term_count > 0) {
        isocast_put_turns(alike ? &row->count : &row->again, names, out);
        isocast_buffer_puts(out, "max(0 s, ");
        put_hidden(d, waiting, names, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, both ? "), 0 s)\n" : ", 0 s)\n");
}

bool isocast_put_under_way(const isocast_derived *d, const char *const *names, bool first,
                           isocast_buffer *out) {
    for (size_t t = 0; t < d->term_count; t++) {
        if (is_under_way(d, &d->terms[t])) {
            isocast_buffer_puts(out, first ? "define:\n" : "");
            first = false;
            isocast_buffer_printf(out, "  under_way_%zu: ", t + 1);
            isocast_put_formula(d, &d->terms[t], names, out);
        }
    }
    return first;
}

/* "0.9*W*t_c/p" */
static void put_computing_meanwhile(const isocast_derived *d, isocast_buffer *out) {
    if (d->under_way < isocast_whole_share) {
        isocast_buffer_printf(out, "%.2g*", d->under_way);
    }
    isocast_buffer_puts(out, "W*t_c/p");
}

/* "if(p > 1, -min(under_way_1 + under_way_2, 0.9*W*t_c/p), 0 s)" */
static void put_hidden_by_computing(const isocast_derived *d, const char *sign,
                                    isocast_buffer *out) {
    isocast_buffer_printf(out, "  under-way: if(p > 1, %smin(", sign);
    const char *joint = "";
    for (size_t t = 0; t < d->term_count; t++) {
        if (is_under_way(d, &d->terms[t])) {
            isocast_buffer_printf(out, "%sunder_way_%zu", joint, t + 1);
            joint = " + ";
        }
    }
    isocast_buffer_puts(out, ", ");
    put_computing_meanwhile(d, out);
    isocast_buffer_puts(out, "), 0 s)\n");
}

static bool any_is_under_way(const isocast_derived *d) {
    bool any = false;
    for (size_t t = 0; t < d->term_count; t++) {
        any = any || is_under_way(d, &d->terms[t]);
    }
    return any;
}

/* Whether it counts as the collective that blocks, which libraries do in another way. */
static bool is_as_if_it_blocked(isocast_record_operation operation) {
    return isocast_starts_collective(operation) &&
           isocast_record_operation_find(operation)->operation[0] != 'i';
}

static const char *begin_uncertain(const isocast_derived *d, size_t index, const char *head,
                                   const char *comment, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s  # %s\n  ", head, comment);
    isocast_put_term_name(d, index, out);
    return "";
}

static const char *put_uncertain_term(const isocast_derived *d, size_t index, const char *head,
                                      const char *const *names, isocast_buffer *out) {
    const isocast_derived_term *term = &d->terms[index];
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_record_operation operation = site->key.operation;
    bool one_sided = isocast_record_operation_find(operation)->kind == ISOCAST_RECORD_ONE_SIDED;
    if (one_sided && has_locks(d)) {
        head = begin_uncertain(d, index, head,
                               "Others may hold a lock meanwhile, one after the other.", out);
        isocast_buffer_puts(out, "-locked: (p - 1)*");
        isocast_put_formula(d, term, names, out);
    }
    if (one_sided) {
        head = begin_uncertain(d, index, head,
                               "A call that waits for messages may take them along.", out);
        isocast_buffer_puts(out, ": 0 s - ");
        isocast_put_formula(d, term, names, out);
    }
    if (is_as_if_it_blocked(operation)) {
        head = begin_uncertain(
            d, index, head, "It counts as the call that blocks. Others need not wait for it,", out);
        if (is_under_way(d, term)) {
            isocast_buffer_printf(out, ": 0 s - max(0 s, under_way_%zu - ", index + 1);
            put_computing_meanwhile(d, out);
            isocast_buffer_puts(out, ")\n");
        } else {
            isocast_buffer_puts(out, ": 0 s - ");
            isocast_put_formula(d, term, names, out);
        }
        head = begin_uncertain(d, index, head, "and it may be a message for each process.", out);
        isocast_buffer_puts(out, "-in-turns: if(p > 1, ");
        isocast_put_times(&term->calls, names, out);
        isocast_buffer_puts(out, "(p - 1)*(T_send(");
        isocast_law_write(&site->size, names, "B", false, out);
        isocast_buffer_puts(out, ") + T_recv(");
        isocast_law_write(&site->size, names, "B", false, out);
        isocast_buffer_puts(out, ")), 0 s)\n");
    }
    if (isocast_derived_term_has_rounds(term) && !term->turns.known &&
        !isocast_term_is_empty(d, term)) {
        head = begin_uncertain(d, index, head,
                               "Messages that are under way together may be as fast as one.", out);
        isocast_law_guard guard = isocast_term_guard(d, term);
        bool guarded = guard != ISOCAST_GUARD_NONE;
        isocast_buffer_puts(out, guarded ? ": if(" : ": ");
        if (guarded) {
            isocast_guard_write(guard, out);
        }
        isocast_buffer_puts(out, guarded ? ", -" : "-");
        isocast_put_further(d, term, guard, names, out);
        isocast_buffer_puts(out, guarded ? ", 0 s)\n" : "\n");
    }
    return head;
}

static void put_T_c(const isocast_derived *d, double speed, const char *const *names,
                    isocast_buffer *out) {
    if (!d->busiest.known) {
        isocast_buffer_puts(out, "W*t_c/p");
        return;
    }
    isocast_law busiest;
    isocast_law_scaled(&d->busiest, speed, &busiest);
    isocast_buffer_puts(out, "(");
    isocast_law_write(&busiest, names, "flop", false, out);
    isocast_buffer_puts(out, ")*t_c");
}

/* T is at least what the process with most calls does, and at least what one does that computes. */
static const char *put_meanwhile(const isocast_derived *d, double speed, const char *head,
                                 const char *const *names, isocast_buffer *out) {
    isocast_buffer calls = {0};
    for (size_t t = 0; d->served.known && t < d->term_count; t++) {
        const isocast_derived_term *term = &d->terms[t];
        isocast_record_operation operation = d->sites[term->sites[0]].key.operation;
        if (isocast_record_is_between_two(operation) && term->counts_in == SIZE_MAX &&
            isocast_term_can_be_written(d, term)) {
            isocast_buffer_puts(&calls, calls.length > 0 ? " + " : "");
            isocast_put_formula(d, term, names, &calls);
            calls.length -= calls.length > 0; /* the end of the line */
        }
    }
    if (calls.length > 0) {
        isocast_buffer_printf(out,
                              "%s  # Others compute while the process with most calls serves "
                              "one.\n  meanwhile: 0 s - min(",
                              head);
        head = "";
        put_T_c(d, speed, names, out);
        isocast_buffer_puts(out, ", max(0, 1 - ");
        isocast_law_write(&d->served, names, "", true, out);
        isocast_buffer_puts(out, ")*(");
        isocast_buffer_append(out, calls.text, calls.length);
        isocast_buffer_puts(out, "))\n");
    }
    out->failed = out->failed || calls.failed;
    isocast_buffer_free(&calls);
    return head;
}

/* Computing that took longer, or shorter, in some records than the formulas say. */
static const char *put_spread(const isocast_derived *d, double speed, const char *head,
                              const char *const *names, isocast_buffer *out) {
    static const double least = 0.1; /* of T_c */
    static const char *const sides[][2] = {{"slower", ""}, {"faster", "-"}};
    const double shares[] = {d->slower, d->faster};
    for (size_t i = 0; i < 2; i++) {
        if (shares[i] < least) {
            continue;
        }
        isocast_buffer_printf(out,
                              "%s  # In one of ten records computing took so much %s than the "
                              "formulas say, as it may again.\n  %s-computing: %s%.2g*",
                              head, i == 0 ? "longer" : "less", sides[i][0], sides[i][1],
                              shares[i]);
        head = "";
        put_T_c(d, speed, names, out);
        isocast_buffer_puts(out, "\n");
    }
    return head;
}

void isocast_put_uncertain(const isocast_derived *d, double speed, const char *const *names,
                           isocast_buffer *out) {
    const char *head = "uncertain:        # T may be so much longer, or shorter where it is below "
                       "0\n";
    head = isocast_put_uncertain_growth(d, speed, head, names, out);
    head = put_spread(d, speed, head, names, out);
    head = put_meanwhile(d, speed, head, names, out);
    head = put_uncertain_pipelines(d, head, names, out);
    if (any_is_under_way(d)) {
        isocast_buffer_printf(
            out, "%s  # So it is where messages move only while the program is in MPI.\n", head);
        head = "";
        put_hidden_by_computing(d, "", out);
    }
    head = isocast_put_uncertain_asks(d, head, out);
    head = put_uncertain_windows(d, head, names, out);
    for (size_t t = 0; t < d->term_count; t++) {
        if (isocast_term_can_be_written(d, &d->terms[t]) && d->terms[t].counts_in == SIZE_MAX) {
            head = put_uncertain_term(d, t, head, names, out);
        }
    }
}

/* Whether how late others are behind a row is a definition that something names. */
static bool is_named(const isocast_derived *d, size_t index) {
    for (size_t i = 0; i < d->row_count; i++) {
        const isocast_derived_row *row = &d->rows[i];
        if (row->carried == index && row_can_be_written(d, row) && carried_of(d, row) != NULL &&
            lateness_of_one(d, row) == NULL) {
            return true;
        }
    }
    return false;
}

/* A process that came late to a call is less so behind it, by the half of what the root sends on
 * that it waits for no more; or another one is, by what the call itself leaves. Nobody is late
 * behind a call that all end together, as rows of it show: one more adds all of its time, but for a
 * tenth that measurements may be off by. */
void isocast_put_lateness(const isocast_derived *d, const char *const *names, bool first,
                          isocast_buffer *out) {
    for (size_t i = 0; i < d->row_count; i++) {
        const isocast_derived_row *row = &d->rows[i];
        if (!is_named(d, i)) {
            continue;
        }
        const isocast_derived_term *waiting = term_of(d, isocast_derived_row_waiting(row));
        isocast_buffer_puts(out, first ? "define:\n" : "");
        first = false;
        isocast_buffer_puts(out, row->to_root ? "  # How long before the root others can come to "
                                              : "  # How long after the root others leave ");
        isocast_put_place(d->sites[isocast_derived_row_waiting(row)].key.site, out);
        isocast_buffer_printf(out, "\n  late_%zu: if(", i + 1);
        isocast_put_next(d, waiting, names, out);
        isocast_buffer_puts(out, " < 0.9*");
        isocast_put_call(d, waiting, names, out);
        isocast_buffer_puts(out, ", max(");
        put_hidden(d, waiting, names, out);
        isocast_buffer_puts(out, ", ");
        put_lateness(d, row, names, out);
        isocast_buffer_puts(out, " - ");
        isocast_put_next(d, waiting, names, out);
        isocast_buffer_puts(out, "/2), 0 s)\n");
    }
}

void isocast_put_overhead(const isocast_derived *d, double speed, const char *const *names,
                          isocast_buffer *out) {
    bool more_computing = d->extra.known && !d->busiest.known; /* which has all of it */
    bool any = more_computing;
    for (size_t t = 0; t < d->term_count; t++) {
        any = any || isocast_term_can_be_written(d, &d->terms[t]);
    }
    isocast_buffer_puts(out, any ? "overhead:\n" : "");
    if (more_computing) {
        isocast_law more;
        isocast_law_scaled(&d->extra, speed, &more);
        isocast_buffer_puts(out, "  # Computing of all processes together that grows with p.\n"
                                 "  more-computing: (");
        isocast_law_write(&more, names, "flop", false, out);
        isocast_buffer_puts(out, ")/C\n");
    }
    for (size_t t = 0; t < d->term_count; t++) {
        if (isocast_term_can_be_written(d, &d->terms[t])) {
            put_term(d, t, names, out);
        }
    }
    for (size_t i = 0; i < d->row_count; i++) {
        put_row(d, i, names, out);
    }
    if (any_is_under_way(d)) {
        isocast_buffer_puts(out, "  # Messages are under way while processes compute: the longer "
                                 "of both counts.\n");
        put_hidden_by_computing(d, "-", out);
    }
    put_pipelines(d, names, out);
}

static bool is_in_row(const isocast_derived *d, const isocast_derived_term *term) {
    bool is = false;
    for (size_t i = 0; i < d->row_count; i++) {
        const isocast_derived_row *row = &d->rows[i];
        is = is || (row_can_be_written(d, row) &&
                    (term_of(d, row->before) == term || term_of(d, row->after) == term));
    }
    return is;
}

static bool has_other_roots(const isocast_derived *d, const isocast_derived_term *term) {
    return d->sites[term->sites[0]].roots != ISOCAST_ROOTS_FIRST;
}

/* Whether a term before one is written with its form, too; asked: and is so, NULL: whatever it is.
 */
static bool is_written_before(const isocast_derived *d, size_t term,
                              bool (*asked)(const isocast_derived *,
                                            const isocast_derived_term *)) {
    const derive_call_form *form = isocast_term_form(d, &d->terms[term]);
    for (size_t k = 0; k < term; k++) {
        const isocast_derived_term *other = &d->terms[k];
        if (isocast_term_can_be_written(d, other) && isocast_term_form(d, other) == form &&
            (asked == NULL || asked(d, other))) {
            return true;
        }
    }
    return false;
}

void isocast_put_operations(const isocast_derived *d, isocast_buffer *out) {
    const char *head = "operations:       # where the machine does not say\n";
    for (size_t t = 0; t < d->term_count; t++) {
        const isocast_derived_term *term = &d->terms[t];
        const derive_call_form *form = isocast_term_form(d, term);
        if (!isocast_term_can_be_written(d, term) || form->lacked == NULL) {
            continue;
        }
        if (!is_written_before(d, t, NULL)) {
            isocast_buffer_printf(out, "%s  %s: %s\n", head, form->name, form->lacked);
            head = "";
        }
        if (is_in_row(d, term) && !is_written_before(d, t, is_in_row)) {
            isocast_buffer_printf(out, "  %s: %s\n", form->next, form->next_lacked);
        }
        if (has_other_roots(d, term) && !is_written_before(d, t, has_other_roots)) {
            for (size_t i = 0; i < ISOCAST_ROOTED_ENDS; i++) {
                isocast_buffer_printf(out, "  %s%s: %s(m)\n", form->name, isocast_rooted_ends[i],
                                      form->name);
            }
        }
    }
}
