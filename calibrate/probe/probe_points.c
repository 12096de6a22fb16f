#include "probe_points.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of a launch's time: what kernels get beside messages, where no weights say otherwise. */
static const double kernel_share = 0.5;
/* Of a kernel's time: what one call may take at most, and where only every fifth launch makes it.
 */
static const double one_call_most = 0.25;
static const double rare_call_most = 1.25;

static double weight_of(const probe_options *o, const char *name, size_t size, bool *listed) {
    *listed = false;
    for (size_t i = 0; i < o->weight_count; i++) {
        const probe_weight *weight = &o->weights[i];
        if (strcmp(weight->name, name) == 0 && (weight->size == 0 || weight->size == size)) {
            *listed = true;
            return weight->weight;
        }
    }
    return 0;
}

/* Whether a name is measured at a size: without weights the usual ones are. */
static bool is_wanted(const probe_options *o, const char *name, size_t size, bool usual) {
    bool listed;
    weight_of(o, name, size, &listed);
    return o->weight_count > 0 ? listed : usual;
}

static size_t list_operation(const probe_context *context, const probe_options *o,
                             const probe_operation *op, probe_point *points) {
    const isocast_known_operation *known = op->known;
    bool sized = probe_operation_is_sized(op);
    double weight = known->weight > 0 ? known->weight : 1;
    size_t count = 0;
    for (size_t i = 0; probe_operation_applies(op, context) && i < o->size_count; i++) {
        bool allowed = known->size_most == 0 || o->sizes[i] <= known->size_most;
        if (allowed && (sized || i == 0) &&
            is_wanted(o, known->name, o->sizes[i], known->is_usual)) {
            points[count++] =
                (probe_point){.operation = op, .size = sized ? o->sizes[i] : 0, .share = weight};
        }
    }
    return count;
}

static size_t list_messages(const probe_context *context, const probe_options *o,
                            probe_point *points) {
    size_t count = 0;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        if (probe_operation_is_measured(&probe_operations[i])) {
            count += list_operation(context, o, &probe_operations[i], points + count);
        }
    }
    return count;
}

static size_t smallest_of(const size_t *problems, size_t count) {
    size_t smallest = count > 0 ? problems[0] : 0;
    for (size_t i = 1; i < count; i++) {
        smallest = problems[i] < smallest ? problems[i] : smallest;
    }
    return smallest;
}

static size_t index_of(const size_t *sizes, size_t count, size_t size) {
    size_t i = 0;
    while (i < count && sizes[i] != size) {
        i++;
    }
    return i;
}

/* Every fifth size of everything, another fifth in the next launch: where there is no time for all
 * points, the launches together still have some of each operation, and most sizes. */
static bool is_of_this_launch(const probe_options *o, size_t index) {
    enum { PARTS = 5 };
    return (index + (size_t)o->launch) % PARTS == 0;
}

static bool is_problem_first(const probe_options *o, const probe_kernel *kernel, size_t N) {
    enum { BENCHMARK = 1024 };
    size_t count;
    const size_t *problems = probe_kernels_problems(o, kernel, &count);
    return N == BENCHMARK || is_of_this_launch(o, index_of(problems, count, N));
}

static bool is_first(const probe_options *o, const probe_point *at) {
    if (at->operation == NULL) {
        return is_problem_first(o, at->kernel, at->size);
    }
    return !probe_operation_is_sized(at->operation) ||
           is_of_this_launch(o, index_of(o->sizes, o->size_count, at->size));
}

/* The problem of a kernel that is nearest to a small one; those that are planned have no other. */
static size_t small_problem(const probe_options *o, const probe_kernel *kernel) {
    enum { SMALL = 128 };
    size_t count;
    const size_t *problems = probe_kernels_problems(o, kernel, &count);
    size_t nearest = count > 0 ? problems[0] : SMALL;
    for (size_t i = 1; i < count; i++) {
        double off = fabs(log((double)problems[i] / SMALL));
        nearest = off < fabs(log((double)nearest / SMALL)) ? problems[i] : nearest;
    }
    return kernel->planned && nearest > o->planned_most ? smallest_of(problems, count) : nearest;
}

/* Time per flop of a kernel at that size, the same on all processes. */
static double flop_time_of(const probe_context *context, const probe_options *o,
                           const probe_kernel *kernel) {
    size_t N = small_problem(o, kernel);
    kernel->prepare(context, N);
    double own = kernel->call(context, N);
    double largest;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
    return largest;
}

static bool is_problem_wanted(const probe_options *o, const probe_kernel *kernel, size_t N) {
    return (!kernel->planned || N <= o->planned_most) &&
           is_wanted(o, kernel_names[kernel->id], N, N >= kernel->usual_least);
}

/* A kernel's points need time by their work. Those that would take much of it for one call, the
 * largest, are measured in every fifth launch only, and where that is still too much, as on a slow
 * machine, left out. The smallest stays, and one that is asked for by itself. */
static size_t list_problems(const probe_context *context, const probe_options *o,
                            const probe_kernel *kernel, double seconds, probe_point *points) {
    double flop_time = flop_time_of(context, o, kernel);
    size_t count = 0;
    double work = 0;
    size_t wanted = 0;
    size_t problem_count;
    const size_t *problems = probe_kernels_problems(o, kernel, &problem_count);
    for (size_t i = 0; i < problem_count; i++) {
        wanted += is_problem_wanted(o, kernel, problems[i]);
    }
    for (size_t i = 0; i < problem_count; i++) {
        double one = kernel->work(problems[i]);
        double most = is_problem_first(o, kernel, problems[i]) ? rare_call_most : one_call_most;
        bool affordable = one * flop_time / context->processes <= most * seconds;
        if (is_problem_wanted(o, kernel, problems[i]) &&
            (affordable || problems[i] == smallest_of(problems, problem_count) || wanted == 1)) {
            points[count++] =
                (probe_point){.kernel = kernel, .size = problems[i], .repeats = 1, .share = one};
            work += one;
        }
    }
    for (size_t i = 0; i < count; i++) {
        points[i].share = 0.3 / (double)count + 0.7 * points[i].share / work;
    }
    return count;
}

static bool is_kernel_wanted(const probe_options *o, const probe_kernel *kernel) {
    bool wanted = false;
    size_t count;
    const size_t *problems = probe_kernels_problems(o, kernel, &count);
    for (size_t i = 0; i < count && !wanted; i++) {
        wanted = is_problem_wanted(o, kernel, problems[i]);
    }
    return wanted;
}

static double weight_sum(const probe_options *o) {
    double sum = 0;
    for (size_t i = 0; i < o->weight_count; i++) {
        sum += o->weights[i].weight;
    }
    return sum;
}

/* The part of the launch's time that a kernel gets. */
static double share_of_kernel(const probe_options *o, const probe_kernel *kernel, double kernels,
                              double for_kernels) {
    bool listed = false;
    double weight = 0;
    size_t count;
    const size_t *problems = probe_kernels_problems(o, kernel, &count);
    for (size_t i = 0; i < count && !listed; i++) {
        weight = weight_of(o, kernel_names[kernel->id], problems[i], &listed);
    }
    return o->weight_count > 0 ? weight / weight_sum(o) : for_kernels * kernel->weight / kernels;
}

static size_t list_kernels(const probe_context *context, const probe_options *o, bool messages,
                           probe_point *points) {
    double kernels = 0;
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        kernels += is_kernel_wanted(o, probe_kernels[i]) ? probe_kernels[i]->weight : 0;
    }
    size_t count = 0;
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        const probe_kernel *k = probe_kernels[id];
        if (!is_kernel_wanted(o, k)) {
            continue;
        }
        double share = share_of_kernel(o, k, kernels, messages ? kernel_share : 1);
        size_t added = list_problems(context, o, k, o->budget * share, points + count);
        for (size_t i = count; i < count + added; i++) {
            points[i].share *= share;
        }
        count += added;
    }
    return count;
}

/* Shares of messages: by weights of their names, else half of the time by the operations' own. */
static void share_messages(const probe_options *o, probe_point *points, size_t count) {
    double all = 0;
    for (size_t i = 0; i < count; i++) {
        all += points[i].share;
    }
    for (size_t i = 0; i < count && o->weight_count == 0; i++) {
        points[i].share *= (o->problem_count > 0 ? 1 - kernel_share : 1) / all;
    }
    for (size_t i = 0; i < count && o->weight_count > 0;) {
        size_t end = i;
        while (end < count && points[end].operation == points[i].operation) {
            end++;
        }
        bool listed;
        double weight = weight_of(o, points[i].operation->known->name, points[i].size, &listed);
        for (size_t k = i; k < end; k++) {
            points[k].share = weight / weight_sum(o) / (double)(end - i);
        }
        i = end;
    }
}

/* The same order on every process. */
static void shuffle(const probe_context *context, probe_point *points, size_t count,
                    unsigned long seed) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (random == NULL) {
        MPI_Abort(context->communicator, 5);
        return;
    }
    gsl_rng_set(random, seed);
    gsl_ran_shuffle(random, points, count, sizeof *points);
    gsl_rng_free(random);
}

/* Moves a point to an earlier place; the others keep their order. */
static void move_to(probe_point *points, size_t from, size_t to) {
    probe_point moved = points[from];
    memmove(points + to + 1, points + to, (from - to) * sizeof *points);
    points[to] = moved;
}

static void put_first(const probe_options *o, probe_point *points, size_t count) {
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_first(o, &points[i])) {
            move_to(points, i, first++);
        }
    }
}

/* A point of each operation comes before others: where time is short, none is left out. Gives how
 * many there are. */
static size_t put_each(probe_point *points, size_t count) {
    size_t each = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = points[i].operation == NULL;
        for (size_t k = 0; k < each && !known; k++) {
            known = points[k].operation == points[i].operation;
        }
        if (!known) {
            move_to(points, i, each++);
        }
    }
    return each;
}

size_t probe_points_list(const probe_context *context, const probe_options *o, probe_point *points,
                         size_t *needed) {
    size_t messages = list_messages(context, o, points);
    share_messages(o, points, messages);
    size_t count = messages;
    if (o->problem_count > 0) {
        count += list_kernels(context, o, messages > 0, points + messages);
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += points[i].share;
    }
    for (size_t i = 0; i < count; i++) {
        points[i].share /= sum;
    }
    shuffle(context, points, count, o->seed + (unsigned long)o->launch * 7919);
    put_first(o, points, count);
    *needed = put_each(points, count);
    return count;
}

bool probe_points_need_plans(const probe_options *o, bool *wanted) {
    bool needed = false;
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        const probe_kernel *k = probe_kernels[id];
        size_t count;
        const size_t *problems = probe_kernels_problems(o, k, &count);
        wanted[id] = false;
        for (size_t i = 0; k->planned && i < count; i++) {
            bool usual = problems[i] >= k->usual_least;
            wanted[id] = wanted[id] || is_wanted(o, kernel_names[id], problems[i], usual);
        }
        needed = needed || wanted[id];
    }
    return needed;
}

void probe_points_print_names(void) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = probe_operations[i].known;
        if (probe_operation_is_measured(&probe_operations[i])) {
            printf("%s\t%s\n", known->name, known->is_usual ? "usual" : "on request");
        }
    }
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        bool usual = probe_kernels[i]->usual_least != PROBE_KERNEL_ON_REQUEST;
        printf("%s\tkernel%s\n", kernel_names[i], usual ? "" : " on request");
    }
}
