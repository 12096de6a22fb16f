#include "probe_exchange.h"

#include <math.h>
#include <stdlib.h>

#include "probe_clock.h"
#include "probe_common.h"
#include "probe_memory.h"

/* What a simulated process keeps from one operation to the next: to map it for each anew takes the
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

/* From a start together until the last process has ended so many calls; *first: until the last one
 * has ended the first of them. */
static double time_row(const probe_exchange *x, int calls, void (*call)(const probe_exchange *x),
                       double *first) {
    double own[2];
    double last[2];
    probe_synchronise(x->context);
    double start = MPI_Wtime();
    call(x);
    own[0] = MPI_Wtime() - start;
    for (int i = 1; i < calls; i++) {
        call(x);
    }
    own[1] = MPI_Wtime() - start;
    MPI_Allreduce(own, last, 2, MPI_DOUBLE, MPI_MAX, x->context->communicator);
    *first = last[0];
    return last[1];
}

/* The first call of the same row, as a single one begins later or earlier by more than what is
 * looked for. In a simulation nothing differs, but what follows may slow the first one down. */
double probe_exchange_next_time(const probe_context *context, size_t m, size_t repeats,
                                void (*call)(const probe_exchange *x)) {
    enum { MORE = 3 }; /* the first ones after a start tell what all of a row take */
    probe_exchange x = make(context, m);
    double longer = 0;
    touch_pages(&x, call);
    for (size_t k = 0; k < repeats; k++) {
        double first;
        longer += time_row(&x, 1 + MORE, call, &first);
        longer -= context->simulated ? time_row(&x, 1, call, &first) : first;
    }
    release(&x);
    return fmax(longer / MORE / (double)repeats, context->granule);
}

/* How many roots are looked at: all, or fewer where messages are so long that their place counts
 * for little, and that all of them would take long. */
static int count_roots(const probe_context *context, size_t m, int few) {
    const double bytes_most = 1 << 28; /* of all calls, to all processes each */
    double roots = bytes_most / ((double)(m + 1) * context->processes);
    int all = context->processes;
    return roots >= all || all <= few ? all : roots > few ? (int)roots : few;
}

/* They are spread over the processes, and on different places of nodes. */
double probe_exchange_any_root_time(const probe_context *context, size_t m, size_t repeats,
                                    void (*call)(const probe_exchange *x)) {
    enum { MOST = 16, FEW = 4 };
    int roots = count_roots(context, m, FEW);
    roots = roots < MOST ? roots : MOST;
    int apart = context->processes > roots ? context->processes / roots + 1 : 1;
    probe_exchange x = make(context, m);
    double seconds = 0;
    touch_pages(&x, call);
    for (size_t k = 0; k < repeats; k++) {
        for (int i = 0; i < roots; i++) {
            double first;
            x.root = i * apart % context->processes;
            seconds += time_row(&x, 1, call, &first);
        }
    }
    release(&x);
    return seconds / roots / (double)repeats;
}

enum { ROOTS_FEW = 8 };

/* Each of some processes in turn is the root of `calls` calls, and none waits for others in
 * between. From a start together until the last process has ended so many roots, and as many more.
 */
static void time_roots(probe_exchange *x, int calls, int roots, bool more,
                       void (*call)(const probe_exchange *x), double last[2]) {
    int all = x->context->processes;
    int first = 2 * roots < all ? all / 2 - roots : 0;
    double own[2] = {0, 0};
    probe_synchronise(x->context);
    double start = MPI_Wtime();
    for (int half = 0; half <= (more ? 1 : 0); half++) {
        for (int i = half * roots; i < (half + 1) * roots; i++) {
            x->root = (first + i) % all;
            for (int k = 0; k < calls; k++) {
                call(x);
            }
        }
        own[half] = MPI_Wtime() - start;
    }
    MPI_Allreduce(own, last, 2, MPI_DOUBLE, MPI_MAX, x->context->communicator);
}

/* What rows of calls with these roots take longer than shorter ones, s; of all processes. */
static double next_roots(probe_exchange *x, int roots, void (*call)(const probe_exchange *x)) {
    double last[2];
    time_roots(x, 1, roots, true, call, last);
    return last[1] - last[0];
}

static double second_calls(probe_exchange *x, int roots, void (*call)(const probe_exchange *x)) {
    double twice[2];
    double once[2];
    time_roots(x, 2, roots, false, call, twice);
    time_roots(x, 1, roots, false, call, once);
    return twice[0] - once[0];
}

/* What one more call takes, of a few roots. */
static double time_further(const probe_context *context, size_t m, size_t repeats,
                           void (*call)(const probe_exchange *x),
                           double (*longer)(probe_exchange *x, int roots,
                                            void (*call)(const probe_exchange *x))) {
    int roots = count_roots(context, m, ROOTS_FEW);
    probe_exchange x = make(context, m);
    double sum = 0;
    touch_pages(&x, call);
    for (size_t k = 0; k < repeats; k++) {
        sum += longer(&x, roots, call);
    }
    release(&x);
    return fmax(sum / roots / (double)repeats, context->granule);
}

double probe_exchange_next_root_time(const probe_context *context, size_t m, size_t repeats,
                                     void (*call)(const probe_exchange *x)) {
    return time_further(context, m, repeats, call, next_roots);
}

double probe_exchange_same_root_time(const probe_context *context, size_t m, size_t repeats,
                                     void (*call)(const probe_exchange *x)) {
    return time_further(context, m, repeats, call, second_calls);
}
