/* What is isocast-schedule's own in the driver: the algorithm file is read, and its program
 * rehearsed, before anything is executed. */
#include <stdlib.h>

#include "driver_options.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/setting.h"
#include "schedule.h"

static const char program[] = "isocast-schedule";

static bool choose(driver_options *o, bool loud) {
    if (o->name == NULL && loud) {
        fprintf(stderr, "%s: name an algorithm file\n", program);
    }
    return o->name != NULL;
}

/* Reports diagnostics on standard error. */
static int report(isocast_diagnostics *diagnostics, isocast_status status, bool loud) {
    isocast_buffer text = {0};
    isocast_diagnostics_render(diagnostics, &text);
    if (loud && status != ISOCAST_OK) {
        fprintf(stderr, "%s: %s\n%s", program,
                status == ISOCAST_NO_MEMORY ? "out of memory" : "the program cannot be run",
                text.text != NULL ? text.text : "");
    }
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(diagnostics);
    return status == ISOCAST_OK        ? EXIT_SUCCESS
           : status == ISOCAST_INVALID ? EXIT_INVALID
                                       : EXIT_SYSTEM;
}

/* Process 0 reads the file, so that no other node needs it. */
static isocast_status read_file(const driver_options *o, MPI_Comm communicator, bool shares,
                                int rank, isocast_diagnostics *diagnostics,
                                isocast_algorithm **out) {
    isocast_status status =
        rank == 0 ? isocast_algorithm_load(o->name, diagnostics, out) : ISOCAST_OK;
    const isocast_source *source = rank == 0 && status == ISOCAST_OK ? (*out)->tree->source : NULL;
    long facts[2] = {status, source != NULL ? (long)source->length : 0};
    if (shares) {
        return status;
    }
    MPI_Bcast(facts, 2, MPI_LONG, 0, communicator);
    if (facts[0] != ISOCAST_OK || (rank == 0 && source == NULL)) {
        return (isocast_status)facts[0];
    }
    char *text = rank == 0 ? source->text : malloc((size_t)facts[1] + 1);
    if (text == NULL) {
        MPI_Abort(communicator, EXIT_SYSTEM);
        return ISOCAST_NO_MEMORY;
    }
    MPI_Bcast(text, (int)facts[1], MPI_CHAR, 0, communicator);
    if (rank != 0) {
        status = isocast_algorithm_read_text(o->name, text, (size_t)facts[1], diagnostics, out);
        free(text);
    }
    return status;
}

static isocast_status set_values(const driver_options *o, isocast_diagnostics *diagnostics,
                                 isocast_algorithm *algorithm) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < o->setting_count && status == ISOCAST_OK; i++) {
        isocast_setting setting = {0};
        status =
            isocast_setting_apply("--set", o->settings[i], algorithm, NULL, diagnostics, &setting);
        free(setting.name);
    }
    if (status == ISOCAST_OK && (algorithm->program == NULL || algorithm->size_count > 1)) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, o->name, NULL,
                                     algorithm->program == NULL ? "there is no section program:"
                                                                : "%s is needed: --set %s=",
                                     algorithm->sizes[algorithm->size_count - 1].name,
                                     algorithm->sizes[algorithm->size_count - 1].name);
        status = ISOCAST_INVALID;
    }
    return status;
}

/* The plan on this process, or on process 0 for all in its memory. */
static isocast_status make_plan(const driver_options *o, const kernel_task *task, bool shares,
                                int processes, int rank, isocast_diagnostics *diagnostics,
                                schedule_plan *plan) {
    isocast_status status =
        read_file(o, task->communicator, shares, rank, diagnostics, &plan->algorithm);
    if (status == ISOCAST_OK) {
        status = set_values(o, diagnostics, plan->algorithm);
    }
    plan->N = (double)o->N;
    plan->time_per_flop = o->time_per_flop;
    if (status == ISOCAST_OK) {
        const isocast_algorithm_run_request request = {.algorithm = plan->algorithm,
                                                       .sizes = &plan->N,
                                                       .processes = processes,
                                                       .speeds = task->speeds,
                                                       .nodes = o->nodes,
                                                       .p_node =
                                                           o->nodes > 0 ? processes / o->nodes : 0};
        status = isocast_algorithm_run_create(&request, diagnostics, &plan->run);
    }
    if (status == ISOCAST_OK && rank == 0) {
        status = isocast_algorithm_run_rehearse(plan->run, ISOCAST_REHEARSAL_MOST, NULL,
                                                diagnostics, &plan->rehearsal);
    }
    return status;
}

static int prepare(driver_options *o, const kernel_task *task, int rank, int processes) {
    /* Simulated processes share the address space: one plan is enough, and is never freed. */
    bool shares = compute_is_simulated();
    isocast_diagnostics diagnostics = {0};
    static schedule_plan own;
    schedule_plan *plan = &own;
    int status = EXIT_SUCCESS;
    if (rank == 0 || !shares) {
        status = report(&diagnostics,
                        make_plan(o, task, shares, processes, rank, &diagnostics, plan), rank == 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, task->communicator);
    if (status != EXIT_SUCCESS) {
        return status;
    }
    if (shares) {
        MPI_Bcast(&plan, sizeof plan, MPI_BYTE, 0, task->communicator);
    } else {
        MPI_Bcast(&plan->rehearsal, sizeof plan->rehearsal, MPI_BYTE, 0, task->communicator);
    }
    const char *obstacle = schedule_obstacle(plan, o->modelled);
    if (obstacle != NULL) {
        if (rank == 0) {
            fprintf(stderr, "%s: N = %ld: %s; take a smaller size\n", program, o->N, obstacle);
        }
        return EXIT_SYSTEM;
    }
    o->kernel = schedule_use(plan);
    return EXIT_SUCCESS;
}

const driver_program driver_this = {
    .name = "isocast-schedule",
    .usage = "usage: mpiexec -n P isocast-schedule ALGORITHM.yaml -n N [options]\n",
    .options =
        "  --set NAME=VALUE         a further size, a parameter or a definition of the file\n"
        "  --nodes K                nodes that the processes are on (1)\n"
        "  --time-per-flop S        seconds that a flop of work takes (one of a loop)\n",
    .schedules = true,
    .choose = choose,
    .prepare = prepare};
