#include "calibration_result.h"

#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/machine_file.h"
#include "cli/options/exit.h"
#include "cli/output/output.h"
#include "kernels/kernel_table.h"
#include "model/base/known_operation.h"
#include "node_classes.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Predictions are no steadier than what they are made from. */
static void tell_unsteady(const fit *f) {
    static const double unsteady = 0.2;
    const fit_operation *worst = &f->operations[0];
    for (size_t i = 1; i < f->operation_count; i++) {
        const fit_operation *operation = &f->operations[i];
        const isocast_known_operation *known = isocast_known_operation_find(operation->name);
        if (operation->sigma_launch > worst->sigma_launch && (known == NULL || !known->is_rest)) {
            worst = operation;
        }
    }
    if (worst->sigma_launch > unsteady) {
        fprintf(stderr,
                "isocast calibrate: the time of %s differs by %.0f %% from launch to launch; "
                "predictions that use it are as uncertain\n",
                worst->name, 100 * worst->sigma_launch);
    }
}

/* Work that no message touches and that differs from launch to launch was disturbed; where no other
 * program here did it, something did that cannot be seen from here. */
static void tell_disturbed(const fit *f, bool quiet) {
    static const double disturbed = 0.08;
    const fit_operation *worst = NULL;
    for (size_t i = 0; i < f->operation_count; i++) {
        const fit_operation *operation = &f->operations[i];
        /* The triad's arrays are in memory, which others use, too. */
        bool kernel =
            operation->is_kernel && strcmp(operation->name, kernel_names[KERNEL_BANDWIDTH]) != 0;
        if (kernel && (worst == NULL || operation->sigma_launch > worst->sigma_launch)) {
            worst = operation;
        }
    }
    if (worst != NULL && worst->sigma_launch > disturbed && quiet) {
        fprintf(stderr,
                "isocast calibrate: the time per flop of %s differs by %.0f %% from launch to "
                "launch although no other program here used the processors. Something outside "
                "shares them, such as another virtual machine, or their frequency changes. Runs "
                "will differ as much; calibrate again in a calmer hour\n",
                worst->name, 100 * worst->sigma_launch);
    }
}

/* B/s of one process: the triad moves three numbers for two flop. */
static double memory_bandwidth(const samples *s, bool simulated) {
    static const double bytes_of_flop = 12;
    static const double far_from_caches = 1e8;
    double m_found;
    double seconds = simulated ? NAN
                               : fit_reference_time(s, kernel_names[KERNEL_BANDWIDTH],
                                                    far_from_caches, &m_found);
    return bytes_of_flop / seconds;
}

/* What a machine does for a while, it may do again when a program runs. */
static void tell_speed(const fit *f) {
    if (f->speed.changed) {
        char text[256];
        machine_file_speed_note(&f->speed, text, sizeof text);
        fprintf(stderr,
                "isocast calibrate: %s. Programs take longer whenever the machine is slower, up to "
                "%.0f %% as was seen\n",
                text, 100 * (1 / f->speed.slowest - 1));
    }
}

static void tell_result(const cli_calibration *c, const cli_calibration_facts *facts, const fit *f,
                        double t_c) {
    if (facts->platform != NULL) {
        fprintf(stderr, "isocast calibrate: %zu samples of %zu simulated systems in %s\n",
                c->samples.count, facts->system_count, c->file.path);
        return;
    }
    fprintf(stderr,
            "isocast calibrate: the marked speed of a processor is %.4g Mflop/s; %zu timings are "
            "in %s\n"
            "isocast calibrate: times differ by %.1f %% from launch to launch, and by %.1f %% "
            "within a launch\n",
            1e-6 / t_c, c->samples.count, c->file.path, 100 * f->sigma_launch,
            100 * f->sigma_within);
    tell_unsteady(f);
    tell_speed(f);
    tell_disturbed(f, c->others <= MACHINE_FILE_QUIET); /* not where they are unknown */
    if (c->others > MACHINE_FILE_QUIET) {
        fprintf(stderr,
                "isocast calibrate: other programs used %.0f %% of the processors meanwhile; "
                "calibrate again when the machine is quiet\n",
                100 * c->others);
    }
}

int cli_calibration_write(const cli_calibration *c, const cli_calibration_facts *facts) {
    fit f = {0};
    isocast_buffer why = {0};
    fit_status status = fit_samples(&c->samples, &why, &f);
    if (status != FIT_OK) {
        bool told = status == FIT_NOTHING_FITS && !why.failed;
        fprintf(stderr, "isocast calibrate: %s\n",
                told                       ? why.text
                : status == FIT_NO_SAMPLES ? "the probe gave no samples"
                                           : "out of memory");
        isocast_buffer_free(&why);
        return CLI_EXIT_SYSTEM;
    }
    const isocast_platform *platform = facts->platform;
    double m_found = NAN;
    double t_c = platform != NULL ? NAN
                                  : fit_reference_time(&c->samples, kernel_names[KERNEL_BENCHMARK],
                                                       CLI_CALIBRATION_BENCHMARK_BYTES, &m_found);
    if (platform == NULL && !isfinite(t_c)) {
        fprintf(stderr,
                "isocast calibrate: no marked speed: there was no time for its benchmark; the "
                "samples are in %s, and --resume with more --budget adds to them\n",
                c->file.path);
        fit_free(&f);
        return CLI_EXIT_SYSTEM;
    }
    char benchmark[128];
    snprintf(benchmark, sizeof benchmark,
             platform != NULL ? "the speed that the platform file gives a processor"
                              : "Gaussian elimination's update on one process, working set %.3g MB",
             m_found * 1e-6);
    char sha256[SHA256_DIGEST_STRING_LENGTH] = "";
    SHA256File(c->file.path, sha256);
    machine_file_class classes[MACHINE_FILE_CLASSES_MOST];
    machine_file file = {
        .name = facts->name,
        .date = facts->date,
        .version = ISOCAST_VERSION,
        .command = facts->command,
        .benchmark = benchmark,
        .platform = platform,
        .classes = classes,
        .class_count =
            platform != NULL ? 0 : cli_node_classes_find(c->samples.environment, classes),
        .processors = c->node.processors,
        .marked_speed = 1 / t_c,
        .memory = c->node.memory,
        .t_c = t_c,
        .memory_bandwidth = memory_bandwidth(&c->samples, platform != NULL),
        .seed = (unsigned long)c->seed,
        .oversubscribed = facts->oversubscribed,
        .others = c->others,
        .samples_file = base_name(c->file.path),
        .samples_sha256 = sha256,
        .environment = c->samples.environment};
    isocast_buffer text = {0};
    machine_file_write(&file, &f, &text);
    int written = cli_output_write_text(facts->output, &text);
    if (written == CLI_EXIT_OK && !c->quiet) {
        tell_result(c, facts, &f, t_c);
    }
    fit_free(&f);
    return written;
}
