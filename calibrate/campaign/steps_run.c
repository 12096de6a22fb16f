#include "steps_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "model/base/array.h"
#include "model/base/known_operation.h"
#include "model/solve/model.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/algorithm_program.h"
#include "model/spec/kernel_time.h"

/* s of computing in one run, where no limit is given. */
static const double limit_usual = 3600;

/* A run has gone wrong that takes so many times as long as slow machines and networks need: s of
 * its own, of a message, and of a byte. */
static const double run_most = 120;
static const double message_most = 1e-3;
static const double byte_most = 1e-6;
static const double patience = 10;

static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@,:";

bool campaign_steps_locate(const char *path, campaign_steps *out, isocast_buffer *why) {
    struct stat status;
    out->path = realpath(path, NULL);
    if (out->path == NULL || stat(out->path, &status) != 0) {
        isocast_buffer_printf(why, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        isocast_buffer_printf(why, "%s is no regular file, and is read again by what runs it",
                              path);
    } else if (strspn(out->path, plain) != strlen(out->path)) {
        isocast_buffer_printf(why,
                              "the path of %s has blanks or signs in it that launchers take for "
                              "their own: copy it to a folder without",
                              path);
    } else {
        return true;
    }
    return false;
}

/* As a number in SI units: what a user wrote may be a formula, in signs that a shell looks at. */
bool campaign_steps_set(campaign_steps *steps, const isocast_setting *set) {
    bool counts = isocast_dimension_is_count(set->dimension);
    isocast_buffer word = {0};
    isocast_buffer_printf(&word, "%s=%.17g%s", set->name, set->value,
                          counts ? "" : isocast_dimension_text(set->dimension).text);
    launcher_words_take(&steps->words, &word);
    char *name = strdup(set->name);
    bool added = name != NULL &&
                 ISOCAST_ARRAY_ADD(steps->settings, steps->setting_count, steps->setting_room,
                                   (campaign_setting){name, set->value});
    if (!added) {
        free(name);
    }
    return added && !steps->words.failed;
}

void campaign_steps_free(campaign_steps *steps) {
    for (size_t i = 0; i < steps->setting_count; i++) {
        free((char *)steps->settings[i].name);
    }
    launcher_words_free(&steps->words);
    free(steps->settings);
    free(steps->path);
    *steps = (campaign_steps){0};
}

/* Nothing but work, all of it at t_c; and a formula of an operation that takes no time. */
static const char by_work[] = "algorithm: work\nsize: {N: {min: 1}}\nwork: N\ncompute: W*t_c/p\n"
                              "overhead: {none: 0 s}\n";

/* The algorithm's own operations, and those that are known: definitions call them, and a platform
 * says nothing of them. NULL where memory is short. */
static isocast_term *operations_of(const isocast_algorithm *algorithm, isocast_formula *of_known,
                                   size_t *count) {
    isocast_term *terms =
        calloc(algorithm->operation_count + ISOCAST_KNOWN_OPERATIONS, sizeof *terms);
    *count = 0;
    for (size_t i = 0; terms != NULL && i < algorithm->operation_count; i++) {
        if (isocast_known_operation_find(algorithm->operations[i].name) == NULL) {
            terms[(*count)++] = algorithm->operations[i];
        }
    }
    for (size_t i = 0; terms != NULL && i < ISOCAST_KNOWN_OPERATIONS; i++) {
        terms[(*count)++] = (isocast_term){(char *)isocast_known_operations[i].name, of_known};
    }
    return terms;
}

/* W and T_c of the algorithm with nothing but its work, all of it at t_c; NAN where they have no
 * value. */
static isocast_status time_work(const isocast_algorithm *algorithm, const isocast_machine *machine,
                                const isocast_system *system, double N, double *W, double *T_c) {
    isocast_algorithm work = *algorithm;
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_algorithm *by_itself = NULL;
    *W = NAN;
    *T_c = NAN;
    isocast_status status =
        isocast_algorithm_read_text("work", by_work, sizeof by_work - 1, &diagnostics, &by_itself);
    if (status != ISOCAST_OK) {
        isocast_diagnostics_clear(&diagnostics);
        return status;
    }
    work.overhead_count = work.uncertain_count = work.phase_count = 0;
    work.sequential = NULL;
    work.compute = by_itself->compute;
    work.operations =
        operations_of(algorithm, by_itself->overhead[0].formula, &work.operation_count);
    status = work.operations != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = isocast_model_create(&work, machine, &diagnostics, &model);
    }
    if (status == ISOCAST_OK) {
        const isocast_model_points points = {.count = 1, .N = &N, .systems = &system};
        isocast_model_results results = {.W = W, .T_c = T_c};
        status = isocast_model_evaluate(model, &points, &results);
    }
    isocast_model_free(model);
    free(work.operations);
    isocast_algorithm_free(by_itself);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

isocast_status campaign_steps_time_per_flop(const isocast_algorithm *algorithm,
                                            const isocast_machine *machine,
                                            const isocast_system *system, double N, double *out) {
    double W;
    double T_c;
    isocast_status status = time_work(algorithm, machine, system, N, &W, &T_c);
    double found = T_c * system->p / W;
    *out = found > 0 && isfinite(found) ? found : system->p / system->C;
    return status;
}

isocast_status campaign_steps_stretch(const isocast_algorithm *algorithm,
                                      const isocast_machine *machine, const isocast_system *system,
                                      double N, double *out) {
    *out = 1;
    if (algorithm == NULL ||
        (algorithm->traffic == NULL && isocast_kernel_time_find(algorithm, machine) == NULL)) {
        return ISOCAST_OK;
    }
    double time_per_flop = 0;
    isocast_status status =
        campaign_steps_time_per_flop(algorithm, machine, system, N, &time_per_flop);
    if (status == ISOCAST_OK) {
        *out = time_per_flop * system->C / system->p;
    }
    return status;
}

static double *speeds_of(const isocast_system *system) {
    double *speeds = malloc(((size_t)system->p + 1) * sizeof *speeds);
    size_t count = 0;
    for (size_t i = 0; speeds != NULL && i < system->count; i++) {
        for (double k = 0; k < system->table.rows[ISOCAST_CLASS_PROCESSES][i]; k++) {
            speeds[count++] = system->table.rows[ISOCAST_CLASS_MARKED_SPEED][i];
        }
    }
    return speeds;
}

isocast_status campaign_steps_rehearse(const campaign_steps *steps,
                                       const campaign_listener *listener,
                                       const isocast_system *system, double N, double time_per_flop,
                                       isocast_rehearsal *out, double *longest) {
    isocast_algorithm_run *run = NULL;
    double *speeds = speeds_of(system);
    /* As much as so many questions: what is rehearsed will run, and that takes longer. */
    isocast_effort effort = {.left = 20.0 * ISOCAST_EFFORT_MAX};
    const isocast_algorithm_run_request request = {.algorithm = steps->algorithm,
                                                   .sizes = &N,
                                                   .processes = (int)system->p,
                                                   .speeds = speeds,
                                                   .nodes = system->nodes,
                                                   .p_node = system->p / system->nodes,
                                                   .effort = &effort};
    isocast_status status = speeds == NULL
                                ? ISOCAST_NO_MEMORY
                                : isocast_algorithm_run_create(&request, steps->diagnostics, &run);
    double most = steps->actions_most > 0 ? fmin(steps->actions_most, ISOCAST_REHEARSAL_MOST)
                                          : ISOCAST_REHEARSAL_MOST;
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_run_rehearse(run, most, NULL, steps->diagnostics, out);
    }
    isocast_algorithm_run_free(run);
    free(speeds);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!out->is_complete) {
        return campaign_fail(listener, ISOCAST_ARGUMENT,
                             "on %s, N = %.0f: all processes together take more than %g steps; "
                             "take a smaller size, or fewer processes",
                             system->name, N, most);
    }
    double computing = out->flop_most * time_per_flop;
    double limit = steps->limit > 0 ? steps->limit : limit_usual;
    if (computing > limit) {
        return campaign_fail(listener, ISOCAST_ARGUMENT,
                             "on %s, N = %.0f: a process computes %.3g flop, which takes about "
                             "%.3g s here; at most %.3g s are allowed (--limit)",
                             system->name, N, out->flop_most, computing, limit);
    }
    const isocast_schedule_counts *all = &out->all;
    double bytes = time_per_flop > 0 ? all->bytes + all->call_bytes * system->p + all->copied : 0;
    *longest = run_most + patience * (2 * computing + byte_most * bytes +
                                      message_most * (all->messages + all->calls * system->p));
    return ISOCAST_OK;
}
