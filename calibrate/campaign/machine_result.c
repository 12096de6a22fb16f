#include "machine_result.h"

#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel_table.h"
#include "marked_speeds.h"
#include "model/base/known_operation.h"
#include "model/base/refused.h"
#include "model/spec/machine_load.h"
#include "selection.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Of the operations that `counts` says, the one whose time differs most from launch to launch,
 * where it differs by more than this, relative; NULL: none does. */
static const fit_operation *find_worst(const fit *f, bool (*counts)(const fit_operation *),
                                       double most) {
    const fit_operation *worst = NULL;
    for (size_t i = 0; i < f->operation_count; i++) {
        if (counts(&f->operations[i]) && f->operations[i].sigma_launch > most) {
            worst = &f->operations[i];
            most = worst->sigma_launch;
        }
    }
    return worst;
}

static bool is_whole(const fit_operation *operation) {
    const isocast_known_operation *known = isocast_known_operation_find(operation->name);
    return known == NULL || !known->is_rest;
}

/* Work that no message touches. The triad's arrays are in memory, which others use, too. */
static bool is_undisturbed(const fit_operation *operation) {
    return operation->is_kernel && strcmp(operation->name, kernel_names[KERNEL_BANDWIDTH]) != 0;
}

/* Predictions are no steadier than what they are made from. */
static void report_unsteady(const campaign_listener *listener, const fit *f) {
    const fit_operation *worst = find_worst(f, is_whole, 0.2);
    if (worst != NULL) {
        campaign_report(listener, CAMPAIGN_NOTE,
                        "the time of %s differs by %.0f %% from launch to launch; predictions that "
                        "use it are as uncertain",
                        worst->name, 100 * worst->sigma_launch);
    }
}

/* Where no other program here did it, something did that cannot be seen from here. */
static void report_disturbed(const campaign_listener *listener, const fit *f) {
    const fit_operation *worst = find_worst(f, is_undisturbed, 0.08);
    if (worst != NULL) {
        campaign_report(listener, CAMPAIGN_NOTE,
                        "the time per flop of %s differs by %.0f %% from launch to launch although "
                        "no other program here used the processors. Something outside shares them, "
                        "such as another virtual machine, or their frequency changes. Runs will "
                        "differ as much; calibrate again in a calmer hour",
                        worst->name, 100 * worst->sigma_launch);
    }
}

/* What a machine does for a while, it may do again when a program runs. */
static void report_speed(const campaign_listener *listener, const fit *f) {
    if (f->speed.changed) {
        char text[256];
        machine_file_speed_note(&f->speed, text, sizeof text);
        campaign_report(
            listener, CAMPAIGN_NOTE,
            "%s. Programs take longer whenever the machine is slower, up to %.0f %% as was "
            "seen",
            text, 100 * (1 / f->speed.slowest - 1));
    }
}

/* B/s of so many processes of a node together: the triad moves three numbers for two flop. One
 * process may be on any node; NAN where it was not measured. */
static double memory_bandwidth(const samples *s, bool simulated, double processes) {
    static const double bytes_of_flop = 12;
    static const double far_from_caches = 1e8;
    const char *triad = kernel_names[KERNEL_BANDWIDTH];
    double m_found;
    double seconds = simulated ? NAN
                     : processes > 1
                         ? fit_shared_time(s, triad, processes, far_from_caches / processes)
                         : fit_reference_time(s, triad, far_from_caches, &m_found);
    return processes * bytes_of_flop / seconds;
}

/* The node classes with their marked speeds: of several nodes as they were found, of one node with
 * what the suite speaks of it. */
static isocast_status find_classes(const campaign_recorder *recorder, campaign_machine *machine) {
    const environment_facts *facts = &recorder->samples.facts;
    isocast_buffer left_out = {0};
    machine->classes = calloc(MACHINE_FILE_CLASSES_MAX, sizeof *machine->classes);
    if (machine->classes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    machine->class_count = campaign_node_classes_find(facts, &machine->fit.speed, machine->classes);
    if (machine->class_count == 0) {
        machine_file_class *node = &machine->classes[0];
        *node = (machine_file_class){.name = "node", .count = 1, .marked_speed = NAN};
        node->speed_count =
            campaign_marked_speeds_find(facts, &machine->fit.speed, NULL, NULL, node->speeds);
        machine->class_count = node->speed_count > 0 ? 1 : 0;
    }
    campaign_marked_speeds_settle(machine->classes, machine->class_count, &machine->fit, &left_out);
    bool failed = left_out.failed;
    machine->left_out = left_out.length > 0 ? isocast_buffer_take(&left_out) : NULL;
    isocast_buffer_free(&left_out);
    return failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

static bool has_suite(const campaign_machine *machine) {
    return machine->class_count > 0 && machine->classes[0].speed_count > 0;
}

isocast_status campaign_machine_fit(campaign_recorder *recorder, bool simulated,
                                    campaign_machine *out) {
    const campaign_listener *listener = recorder->listener;
    campaign_machine machine = {.t_c = NAN, .m_benchmark = NAN};
    isocast_buffer why = {0};
    samples *all = &recorder->samples;
    size_t count = all->count;
    if (!simulated && !fit_states_take_fast(all, &machine.states)) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status fitted = fit_samples(all, &why, &machine.fit);
    all->count = count;
    if (fitted != ISOCAST_OK) {
        isocast_status status = why.failed ? ISOCAST_NO_MEMORY : fitted;
        if (fitted == ISOCAST_INVALID) {
            status = campaign_fail(listener, ISOCAST_PROGRAM, "the probe gave no samples");
        } else if (status == ISOCAST_NUMERIC && why.text != NULL) {
            status = campaign_fail(listener, ISOCAST_NUMERIC, "%s", why.text);
        }
        isocast_buffer_free(&why);
        return status;
    }
    isocast_status status = simulated ? ISOCAST_OK : find_classes(recorder, &machine);
    if (status != ISOCAST_OK) {
        campaign_machine_free(&machine);
        return status;
    }
    if (!simulated) {
        machine.t_c = has_suite(&machine)
                          ? 1 / machine_file_mean_speed(&machine.classes[0])
                          : fit_reference_time(&recorder->samples, kernel_names[KERNEL_BENCHMARK],
                                               CAMPAIGN_BENCHMARK_BYTES, &machine.m_benchmark);
    }
    if (!simulated && !isfinite(machine.t_c)) {
        campaign_machine_free(&machine);
        return isocast_was_refused()
                   ? ISOCAST_NO_MEMORY
                   : campaign_fail(listener, ISOCAST_PROGRAM,
                                   "no marked speed: there was no time for its benchmark; "
                                   "--resume with more --budget adds to the samples");
    }
    *out = machine;
    return ISOCAST_OK;
}

void campaign_machine_write(const campaign_machine *machine, const campaign_machine_facts *facts,
                            const campaign_recorder *recorder, isocast_buffer *out) {
    const samples *s = &recorder->samples;
    bool simulated = facts->platform != NULL;
    char benchmark[128];
    snprintf(benchmark, sizeof benchmark,
             simulated ? "the speed that the platform file gives a processor"
                       : "Gaussian elimination's update on one process, working set %.3g MB",
             machine->m_benchmark * 1e-6);
    char sha256[SHA256_DIGEST_STRING_LENGTH] = "";
    SHA256File(recorder->file.path, sha256);
    machine_file file = {.name = facts->name,
                         .date = facts->date,
                         .version = facts->version,
                         .command = facts->command,
                         .benchmark = benchmark,
                         .platform = facts->platform,
                         .left_out = machine->left_out,
                         .classes = machine->classes,
                         .class_count = machine->class_count,
                         .processors = facts->node.processors,
                         .marked_speed = 1 / machine->t_c,
                         .memory = facts->node.memory,
                         .t_c = machine->t_c,
                         .memory_bandwidth = memory_bandwidth(s, simulated, 1),
                         .node_bandwidth =
                             memory_bandwidth(s, simulated, (double)facts->node.processors),
                         .seed = (unsigned long)facts->seed,
                         .oversubscribed = facts->oversubscribed,
                         .others = facts->others,
                         .states = machine->states,
                         .samples_file = base_name(recorder->file.path),
                         .samples_sha256 = sha256,
                         .environment = s->environment};
    machine_file_write(&file, &machine->fit, out);
}

isocast_status campaign_machine_of(const machine_file *file, const fit *f, isocast_machine **out) {
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    machine_file_write(file, f, &text);
    isocast_status status = text.failed ? ISOCAST_NO_MEMORY
                                        : isocast_machine_read_text(file->name, text.text,
                                                                    text.length, &diagnostics, out);
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* "ge 3.73, mm 41.2 and csr 1.1 Gflop/s". */
static void report_marked_speeds(const campaign_listener *listener,
                                 const campaign_machine *machine) {
    if (!has_suite(machine)) {
        campaign_report(listener, CAMPAIGN_NOTE, "the marked speed of a processor is %.4g Mflop/s",
                        1e-6 / machine->t_c);
        return;
    }
    const machine_file_class *class = &machine->classes[0];
    isocast_buffer text = {0};
    for (size_t i = 0; i < class->speed_count; i++) {
        isocast_buffer_printf(&text, "%s%s %.3g", i == 0 ? "" : ", ", class->speeds[i].member.name,
                              class->speeds[i].value * 1e-9);
    }
    campaign_report(
        listener, CAMPAIGN_NOTE,
        "the marked speeds of a processor%s%s are %s; the default is %.4g (all in Gflop/s)",
        machine->class_count > 1 ? " of class " : "", machine->class_count > 1 ? class->name : "",
        text.text != NULL ? text.text : "", 1e-9 / machine->t_c);
    isocast_buffer_free(&text);
    if (machine->left_out != NULL) {
        campaign_report(
            listener, CAMPAIGN_NOTE,
            "there was no time to measure the marked speed for %s, whose algorithms get "
            "the default; give more --budget",
            machine->left_out);
    }
}

/* A state that comes and goes is in the runs, too. */
static void report_states(const campaign_listener *listener, const fit_states *states) {
    if (states->slow > 0) {
        char text[256];
        machine_file_states_note(states, text, sizeof text);
        campaign_report(listener, CAMPAIGN_NOTE, "%s. Runs take longer whenever it is so", text);
    }
}

void campaign_machine_report(const campaign_machine *machine, const campaign_machine_facts *facts,
                             const campaign_recorder *recorder) {
    const campaign_listener *listener = recorder->listener;
    size_t count = recorder->samples.count;
    if (facts->platform != NULL) {
        campaign_report(listener, CAMPAIGN_NOTE, "%zu samples of %zu simulated systems in %s",
                        count, facts->system_count, recorder->file.path);
        return;
    }
    report_marked_speeds(listener, machine);
    campaign_report(listener, CAMPAIGN_NOTE, "%zu timings are in %s", count, recorder->file.path);
    campaign_report(listener, CAMPAIGN_NOTE,
                    "times differ by %.1f %% from launch to launch, and by %.1f %% within a launch",
                    100 * machine->fit.sigma_launch, 100 * machine->fit.sigma_within);
    report_unsteady(listener, &machine->fit);
    report_states(listener, &machine->states);
    report_speed(listener, &machine->fit);
    if (facts->others <= MACHINE_FILE_QUIET) { /* not where they are unknown */
        report_disturbed(listener, &machine->fit);
    }
    if (facts->others > MACHINE_FILE_QUIET) {
        campaign_report(listener, CAMPAIGN_NOTE,
                        "other programs used %.0f %% of the processors meanwhile; calibrate again "
                        "when the machine is quiet",
                        100 * facts->others);
    }
}

void campaign_machine_free(campaign_machine *machine) {
    fit_free(&machine->fit);
    free(machine->classes);
    free(machine->left_out);
    *machine = (campaign_machine){.t_c = NAN, .m_benchmark = NAN};
}
