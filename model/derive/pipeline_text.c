#include "pipeline_text.h"

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

/* The time until a message has passed all processes, as often as the law says. Each process does
 * besides what the other terms say, and so a step of the last one is there already. */
static void put_pipeline(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                         const isocast_law *fills, const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *send = &d->sites[pipeline->send];
    isocast_buffer_puts(out, "  ");
    put_name(d, pipeline, out);
    isocast_buffer_puts(out, ": if(p > 1, ");
    isocast_put_times(fills, names, out);
    isocast_buffer_puts(out, "((p - 2)*(T_send(");
    isocast_law_write(&send->size, names, "B", false, out);
    isocast_buffer_puts(out, ") + T_recv(");
    isocast_law_write(&send->size, names, "B", false, out);
    isocast_buffer_puts(out, ")) + (p - 1)*");
    if (pipeline->share < isocast_whole_share) {
        isocast_buffer_printf(out, "%.2g*", pipeline->share);
    }
    isocast_buffer_puts(out, "W*t_c/p/max(1, ");
    isocast_law_write(&send->calls, names, "", false, out);
    isocast_buffer_puts(out, ")), 0 s)\n");
}

static void put_comment(const isocast_derived *d, const isocast_derived_pipeline *pipeline,
                        isocast_buffer *out) {
    isocast_buffer_puts(out, "  # A pipeline: each process waits for the one before it at ");
    isocast_put_place(d->sites[pipeline->receive].key.site, out);
    isocast_buffer_puts(out, " and sends to the next one at ");
    isocast_put_place(d->sites[pipeline->send].key.site, out);
    isocast_buffer_puts(out, ".\n");
}

static bool is_certain(const isocast_derived_pipeline *pipeline) {
    return pipeline->fills.exact;
}

void isocast_put_pipelines(const isocast_derived *d, const char *const *names,
                           isocast_buffer *out) {
    for (size_t i = 0; i < d->pipeline_count; i++) {
        const isocast_derived_pipeline *pipeline = &d->pipelines[i];
        if (is_certain(pipeline) && pipeline->fills.term_count > 0) {
            put_comment(d, pipeline, out);
            isocast_buffer_puts(out,
                                "  # It fills so often, as these calls wait for each other.\n");
            put_pipeline(d, pipeline, &pipeline->fills, names, out);
        }
    }
}

/* A chain of calls that no term has: its messages, and a share of the computing for each. */
static void put_chain(const isocast_derived *d, const char *const *names, isocast_buffer *out) {
    const isocast_derived_site *site = &d->sites[d->chain_site];
    isocast_law chain = d->chain;
    isocast_buffer_puts(
        out, "  # Calls wait for each other in chains that go through processes, and are "
             "longer than those of one\n  # process. No term has that time: this is "
             "the most.\n  chain: if(p > 2, max(0, ");
    isocast_law_write(&chain, names, "", false, out);
    isocast_buffer_puts(out, ")*(T_send(");
    isocast_law_write(&site->size, names, "B", false, out);
    isocast_buffer_puts(out, ") + T_recv(");
    isocast_law_write(&site->size, names, "B", false, out);
    isocast_buffer_puts(out, ") + W*t_c/p/max(1, ");
    isocast_law_write(&site->calls, names, "", false, out);
    isocast_buffer_puts(out, ")), 0 s)\n");
}

const char *isocast_put_uncertain_pipelines(const isocast_derived *d, const char *head,
                                            const char *const *names, isocast_buffer *out) {
    for (size_t i = 0; i < d->pipeline_count; i++) {
        const isocast_derived_pipeline *pipeline = &d->pipelines[i];
        if (!is_certain(pipeline)) {
            isocast_buffer_puts(out, head);
            head = "";
            put_comment(d, pipeline, out);
            isocast_buffer_puts(out,
                                "  # Whether sweeps overlap is not known. T has no time for it "
                                "to fill; this is for each sweep.\n");
            put_pipeline(d, pipeline, &pipeline->sweeps, names, out);
        }
    }
    if (d->chain.known && d->chain.term_count > 0) {
        isocast_buffer_puts(out, head);
        head = "";
        put_chain(d, names, out);
    }
    return head;
}
