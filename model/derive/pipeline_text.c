#include "pipeline_text.h"

#include <math.h>

#include "call_text.h"
#include "derived_words.h"

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

void isocast_put_pipelines(const isocast_derived *d, const char *const *names,
                           isocast_buffer *out) {
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

const char *isocast_put_uncertain_pipelines(const isocast_derived *d, const char *head,
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
