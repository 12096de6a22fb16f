#include "probe_exchange.h"

#include <stdlib.h>

#include "probe_clock.h"
#include "probe_common.h"
#include "probe_memory.h"

/* What a simulated process keeps from one operation to the next: to map it for each again takes the
 * simulator longer than the messages do. */
static struct kept {
    char *bytes;
    size_t size;
} kept_send, kept_receive;

/* NULL where memory is short. */
static char *take(const probe_context *context, struct kept *kept, size_t size) {
    if (!context->simulated) {
        return probe_memory_make(size);
    }
    if (kept->size < size) {
        probe_memory_free(kept->bytes);
        kept->bytes = probe_memory_make(size);
        kept->size = kept->bytes != NULL ? size : 0;
    }
    return kept->bytes;
}

static void release(probe_exchange *x) {
    if (!x->context->simulated) {
        probe_memory_free(x->send);
        probe_memory_free(x->receive);
    }
    probe_common_release(x->types);
}

static probe_exchange make(const probe_context *context, size_t m) {
    static const char of_counts;
    size_t processes = (size_t)context->processes;
    size_t each = m > sizeof(double) ? m : sizeof(double);
    bool is_new;
    void *memory = probe_common_take(context, &of_counts, m,
                                     processes * (3 * sizeof(int) + sizeof(MPI_Datatype)), &is_new);
    probe_exchange x = {.context = context,
                        .count = (int)m,
                        .numbers = (int)(each / sizeof(double)),
                        .send = take(context, &kept_send, processes * each),
                        .receive = take(context, &kept_receive, processes * each),
                        .types = memory,
                        .counts = (int *)((MPI_Datatype *)memory + processes)};
    x.places = x.counts + processes;
    x.number_counts = x.places + processes;
    if (x.send == NULL || x.receive == NULL) {
        release(&x);
        MPI_Abort(context->communicator, 5);
        exit(EXIT_FAILURE);
    }
    for (size_t q = 0; q < processes && is_new; q++) {
        x.counts[q] = (int)m;
        x.places[q] = (int)(q * m);
        x.number_counts[q] = x.numbers;
        x.types[q] = MPI_BYTE;
    }
    return x;
}

/* One call before those that count touches the pages, for which a simulation takes no time. */
static void touch_pages(const probe_exchange *x, void (*call)(const probe_exchange *x)) {
    if (!x->context->simulated) {
        call(x);
    }
}

double probe_exchange_time(const probe_context *context, size_t m, size_t repeats,
                           void (*call)(const probe_exchange *x)) {
    probe_exchange x = make(context, m);
    double seconds = 0;
    touch_pages(&x, call);
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        call(&x);
        seconds += MPI_Wtime() - start;
    }
    release(&x);
    return seconds / (double)repeats;
}
