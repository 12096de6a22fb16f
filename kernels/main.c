/* isocast-kernel and isocast-schedule: run one kernel, or the program of an algorithm file, under
 * mpiexec and write one CSV row a repetition. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_options.h"
#include "grid.h"
#include "node_memory.h"
#include "option_value.h"

/* One of the speeds: `length` bytes of a text. */
static bool read_speed(const char *text, size_t length, bool loud, double *out) {
    static const double most = 1e300;
    char *number = strndup(text, length);
    if (number == NULL) {
        return false;
    }
    bool read = option_number(&(option_value){driver_this.name, "--speeds", number, loud}, false,
                              most, out);
    free(number);
    return read;
}

/* Marked speeds of the processes; all 1 where none were given, or that of all. */
static bool read_speeds(const char *text, bool loud, int processes, double *speeds) {
    double total = 0;
    int count = 0;
    const char *at = text;
    for (; at != NULL && count < processes; count++) {
        size_t length = strcspn(at, ",");
        if (!read_speed(at, length, loud, &speeds[count])) {
            return false;
        }
        total += speeds[count];
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    bool one = text == NULL || (at == NULL && count == 1);
    for (int q = 0; one && q < processes; q++) {
        speeds[q] = text == NULL ? 1 : speeds[0];
    }
    bool fits =
        one ? isfinite(total * processes) : at == NULL && count == processes && isfinite(total);
    if (!fits && loud) {
        fprintf(stderr,
                "%s: --speeds takes one positive number, or %d separated by commas, whose "
                "sum is finite, not '%s'\n",
                driver_this.name, processes, text);
    }
    return fits;
}

/* Adds up what the processes of each node need and compares it with what the node has. */
static bool fits_into_memory(const kernel *k, const kernel_task *task, int rank, int processes) {
    double needed = k->memory(task, rank, processes);
    double sums[2] = {needed, 0};
    MPI_Comm node;
    MPI_Comm_split_type(task->communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Allreduce(&needed, &sums[0], 1, MPI_DOUBLE, MPI_SUM, node);
    MPI_Comm_free(&node);
    sums[1] = node_memory_available();
    double lack = sums[1] > 0 ? sums[0] - sums[1] : 0;
    struct {
        double lack;
        int rank;
    } mine = {lack, rank}, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, task->communicator);
    if (worst.lack <= 0) {
        return true;
    }
    MPI_Bcast(sums, 2, MPI_DOUBLE, worst.rank, task->communicator);
    if (rank == 0) {
        fprintf(stderr,
                "%s: N = %zu needs %.3g GB on one node, of which %.3g GB are free; "
                "take a smaller N\n",
                driver_this.name, task->N, sums[0] * 1e-9, sums[1] * 1e-9);
    }
    return false;
}

static void print_header(const kernel *k) {
    fputs("algorithm,machine,system,p,N,repetition,T", stdout);
    for (size_t i = 0; k->phase_names[i] != NULL; i++) {
        printf(",%s", k->phase_names[i]);
    }
    printf(",flop");
    for (size_t i = 0; k->count_names != NULL && k->count_names[i] != NULL; i++) {
        printf(",%s", k->count_names[i]);
    }
    printf(",%s\n", k->error_name);
}

/* A name as a field of CSV that no spreadsheet runs; isocast's reader takes the apostrophe off. */
static void print_name(const char *name) {
    const char *start = name + strspn(name, "'");
    bool run = start[0] != '\0' && strchr("=+-@\t\r", start[0]) != NULL && start[1] != '\0';
    bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    fputs(quoted ? ",\"" : ",", stdout);
    fputs(run ? "'" : "", stdout);
    for (; *name != '\0'; name++) {
        fputs(quoted && *name == '"' ? "\"" : "", stdout);
        putchar(*name);
    }
    fputs(quoted ? "\"" : "", stdout);
}

static bool verifies(const driver_options *o) {
    return o->verify && (!o->modelled || o->kernel->verifies_modelled);
}

static void print_row(const driver_options *o, int processes, long repetition,
                      const kernel_result *result) {
    fputs(o->kernel->algorithm, stdout);
    print_name(o->machine);
    print_name(o->system);
    printf(",%d,%ld,%ld,%.9g", processes, o->N, repetition, result->T);
    for (size_t i = 0; o->kernel->phase_names[i] != NULL; i++) {
        printf(",%.9g", result->phases[i]);
    }
    printf(",%.17g", result->flops);
    const char *const *counts = o->kernel->count_names;
    for (size_t i = 0; counts != NULL && counts[i] != NULL; i++) {
        printf(",%.17g", result->counts[i]);
    }
    if (verifies(o)) {
        printf(",%.3g\n", result->error);
    } else {
        printf(",\n");
    }
    fflush(stdout);
}

/* Blocks of a grid, rows and columns of each. */
static int show_grid(const kernel_task *task, int processes) {
    grid g = grid_of(processes);
    printf("process,rows,columns\n");
    for (int q = 0; q < processes; q++) {
        printf("%d,%zu,%zu\n", q, grid_length(task->N, g.rows, q / g.columns),
               grid_length(task->N, g.columns, q % g.columns));
    }
    return EXIT_SUCCESS;
}

static int show_distribution(const driver_options *o, const kernel_task *task, int processes) {
    if (o->kernel->owners == NULL) {
        return show_grid(task, processes);
    }
    int *owner = malloc((task->N + 1) * sizeof *owner);
    if (owner == NULL) {
        return EXIT_SYSTEM;
    }
    o->kernel->owners(task, processes, owner);
    printf("process,speed,rows\n");
    for (int q = 0; q < processes; q++) {
        size_t rows = 0;
        for (size_t i = 0; i < task->N; i++) {
            rows += owner[i] == q;
        }
        printf("%d,%.15g,%zu\n", q, task->speeds[q], rows);
    }
    free(owner);
    return EXIT_SUCCESS;
}

/* The first run pays for connections and pages that no later one pays for; the first milliseconds
 * for caches and clocks that come up to speed. Process 0 decides for all when it is enough. */
static void warm_up(const driver_options *o, const kernel_task *task, void *state) {
    double end = MPI_Wtime() + 1e-3 * (double)o->warm_up_time;
    for (long w = 0;; w++) {
        int enough = w >= o->warm_up && (o->warm_up_time == 0 || MPI_Wtime() >= end);
        if (o->warm_up_time > 0) {
            MPI_Bcast(&enough, 1, MPI_INT, 0, task->communicator);
        }
        if (enough) {
            return;
        }
        kernel_result ignored = {.error = 0};
        o->kernel->run(state, &ignored);
    }
}

static int run_repetitions(const driver_options *o, const kernel_task *task, int rank,
                           int processes) {
    double bytes = o->kernel->memory(task, rank, processes);
    void *state =
        compute_begin(task->compute, bytes, task->communicator) ? o->kernel->set_up(task) : NULL;
    if (state == NULL) {
        if (rank == 0) {
            fprintf(stderr, "%s: out of memory, or messages too large, at N = %ld\n",
                    driver_this.name, o->N);
        }
        return EXIT_SYSTEM;
    }
    warm_up(o, task, state);
    int status = EXIT_SUCCESS;
    for (long r = 0; r < o->repetitions && status == EXIT_SUCCESS; r++) {
        kernel_result result = {.error = 0};
        o->kernel->run(state, &result);
        if (verifies(o)) {
            o->kernel->verify(state, &result);
        }
        if (rank == 0 && !(result.error <= o->kernel->error_most)) {
            fprintf(stderr, "%s: wrong result: %s = %g, at most %g is right\n", driver_this.name,
                    o->kernel->error_name, result.error, o->kernel->error_most);
            status = EXIT_WRONG_RESULT;
        } else if (rank == 0) {
            print_row(o, processes, o->first_repetition + r, &result);
        }
        MPI_Bcast(&status, 1, MPI_INT, 0, task->communicator);
    }
    o->kernel->tear_down(state);
    compute_end(task->compute, task->communicator);
    return status;
}

/* Whether the kernel does not run with this N on so many processes; process 0 says why. */
static bool refuses(const kernel *k, const kernel_task *task, int rank, int processes) {
    const char *why = k->refusal != NULL ? k->refusal(task->N, processes) : NULL;
    if (why != NULL && rank == 0) {
        fprintf(stderr, "%s: N = %zu on %d process%s: %s %s\n", driver_this.name, task->N,
                processes, processes == 1 ? "" : "es", kernel_names[k->id], why);
    }
    return why != NULL;
}

/* Whether the options suit each other; process 0 shows where they do not. */
static bool accepts(const driver_options *o, const kernel_task *task, int rank, int processes) {
    if (task->N < o->kernel->N_least || task->N >= INT32_MAX) {
        if (rank == 0) {
            fprintf(stderr, "%s: N = %ld: %s takes %zu to %d\n", driver_this.name, o->N, o->name,
                    o->kernel->N_least, INT32_MAX - 1);
        }
        return false;
    }
    return !refuses(o->kernel, task, rank, processes);
}

static int run(driver_options *o, int rank, int processes) {
    double *speeds = malloc((size_t)processes * sizeof *speeds);
    if (speeds == NULL) {
        return EXIT_SYSTEM;
    }
    kernel_compute compute = {.modelled = o->modelled, .stretch = o->stretch};
    kernel_task task = {MPI_COMM_WORLD, (size_t)o->N, speeds, (uint64_t)o->seed, &compute};
    int status = EXIT_USAGE;
    if (read_speeds(o->speeds, rank == 0, processes, speeds)) {
        status = driver_this.prepare != NULL ? driver_this.prepare(o, &task, rank, processes)
                                             : EXIT_SUCCESS;
    }
    if (status != EXIT_SUCCESS) {
        free(speeds);
        return status;
    }
    if (!accepts(o, &task, rank, processes)) {
        status = EXIT_USAGE;
    } else if (o->show_distribution) {
        status = rank == 0 ? show_distribution(o, &task, processes) : EXIT_SUCCESS;
    } else if (!o->modelled && !fits_into_memory(o->kernel, &task, rank, processes)) {
        status = EXIT_SYSTEM;
    } else {
        if (rank == 0 && o->header) {
            print_header(o->kernel);
        }
        status = run_repetitions(o, &task, rank, processes);
    }
    free(speeds);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 2 && driver_this.list != NULL && strcmp(argv[1], "--list") == 0) {
        return driver_this.list();
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        driver_print_usage(stdout);
        return EXIT_SUCCESS;
    }
    MPI_Init(&argc, &argv);
    int rank;
    int processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    driver_options o;
    int status = EXIT_USAGE;
    if (driver_read_options(argc, argv, rank == 0, &o)) {
        status = run(&o, rank, processes);
    }
    if (status == EXIT_SUCCESS && fflush(stdout) + ferror(stdout) != 0) {
        fprintf(stderr, "%s: cannot write to standard output: %s\n", driver_this.name,
                strerror(errno));
        status = EXIT_SYSTEM;
    }
    MPI_Finalize();
    return status;
}
