#include "calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "interrupt.h"
#include "progress.h"
#include "schedule.h"

/* Message sizes, bytes: powers of two and sizes between, as libraries switch at both. */
static const char message_sizes[] =
    "8,64,256,768,1024,2048,3000,4096,6000,8192,12000,16384,24000,"
    "32768,65536,100000,262144,524288,1048576,2097152,4194304,16777216,"
    "33554432";
/* Problem sizes of the kernels, from the first cache to several times the last one: at every third
 * of a power of two, so that none is further from one of them, and of no kind of their own, as
 * whole powers are, whose rows meet in the same lines of a cache. 1024 is the benchmark's. */
static const char problem_sizes[] = "32,43,55,69,86,109,137,173,217,274,345,435,547,690,869,1024,"
                                    "1249,1630,2055";
/* Those of transforms: all lengths that the specification is valid for, as each has its own time
 * per flop. They take seconds to plan. */
static const char planned_sizes[] = "32,64,96,128,160,192,256,288,320,384,480,512,576,640,768,800,"
                                    "864,960,1024,1152,1280,1440,1536,1600,1728,1920,2048,2304";

/* Processor seconds of what was started, to the second that measuring took, where it was here. */
static const double started_here = 0.2;
static const double show_every = 0.25;
static const double flush_every = 0.5;

double cli_calibration_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *name_of(const cli_calibration *c) {
    return c->command != NULL ? c->command : "calibrate";
}

static bool shows_progress(const cli_calibration *c) {
    return !c->quiet && isatty(STDERR_FILENO);
}

static void clear_progress(const cli_calibration *c) {
    if (shows_progress(c)) {
        cli_progress_clear();
    }
}

static void show_progress(cli_calibration *c) {
    double now = cli_calibration_clock();
    if (!shows_progress(c) || now - c->shown < show_every) {
        return;
    }
    c->shown = now;
    cli_progress_show("measuring: launch %zu of %zu, %.0f s so far, about %.0f s left",
                      c->launch_now + 1, c->launches_now, now - c->started,
                      fmax(c->started + c->budget - c->spent - now, 0));
}

/* What the user should know while it goes on. */
static void tell_jump(cli_calibration *c, const char *line) {
    static const char start[] = "# clock_jumped: ";
    if (strncmp(line, start, strlen(start)) == 0) {
        c->clock_jumps++;
        clear_progress(c);
        fprintf(stderr, "isocast %s: the clock (MPI_Wtime) jumped %s\n", name_of(c),
                line + strlen(start));
    }
}

/* "# processor_share: 0.97", once a launch. */
static void note_share(cli_calibration *c, const char *line) {
    double share;
    if (sscanf(line, "# processor_share: %lf", &share) == 1) {
        c->share_sum += share;
        c->share_count++;
    }
}

/* "# planned for 2.9 s", where the launch planned transforms. */
static void note_planning(cli_calibration *c, const char *line) {
    double seconds;
    if (sscanf(line, "# planned for %lf s", &seconds) == 1) {
        c->planned = seconds;
    }
}

/* A launcher may say on standard output why it ended a program. */
static void note_stray(cli_calibration *c, const char *line) {
    size_t used = strlen(c->stray);
    snprintf(c->stray + used, sizeof c->stray - used, "%s\n", line);
}

/* What is measured is in the file soon, should this process be killed. */
static bool flush_in_time(cli_calibration *c) {
    double now = cli_calibration_clock();
    if (now - c->flushed < flush_every) {
        return true;
    }
    c->flushed = now;
    return cli_sample_file_flush(&c->file);
}

bool cli_calibration_take_line(const char *line, void *context) {
    cli_calibration *c = context;
    samples_line kind = samples_add_line(&c->samples, line);
    if (kind == SAMPLES_LINE_NO_MEMORY) {
        clear_progress(c);
        fprintf(stderr, "isocast %s: out of memory\n", name_of(c));
        return false;
    }
    if (kind == SAMPLES_LINE_BAD) {
        note_stray(c, line);
        return true;
    }
    tell_jump(c, line);
    note_share(c, line);
    note_planning(c, line);
    show_progress(c);
    bool new = kind == SAMPLES_LINE_ROW || kind == SAMPLES_LINE_ENVIRONMENT;
    return !new || c->file.file < 0 || (cli_sample_file_add(&c->file, line) && flush_in_time(c));
}

int cli_calibration_tell_launch(cli_calibration *c, launcher_status status, int exit_code,
                                const launcher_message *message) {
    clear_progress(c);
    switch (status) {
    case LAUNCHER_OK:
        if (c->stray[0] == '\0') {
            return CLI_EXIT_OK;
        }
        fprintf(stderr, "isocast %s: the probe wrote lines that are no samples:\n%s", name_of(c),
                c->stray);
        break;
    case LAUNCHER_MISSING:
        fprintf(stderr, "isocast %s: %s\n", name_of(c), message->text);
        break;
    case LAUNCHER_INTERRUPTED:
        fprintf(stderr, "isocast %s: interrupted\n", name_of(c));
        break;
    case LAUNCHER_TIMEOUT:
        fprintf(stderr, "isocast %s: the probe did not end in time\n", name_of(c));
        break;
    case LAUNCHER_FAILED:
        fprintf(stderr, "isocast %s: the probe ended with exit status %d\n%s%s", name_of(c),
                exit_code, message->text, c->stray);
        break;
    case LAUNCHER_STOPPED:
        break;
    case LAUNCHER_SYSTEM:
        fprintf(stderr, "isocast %s: cannot start the probe: %s\n", name_of(c), message->text);
        break;
    }
    return CLI_EXIT_SYSTEM;
}

bool cli_calibration_is_oversubscribed(const cli_calibration *c, double processes) {
    return processes > (double)(c->processors > 0 ? c->processors : c->node.processors);
}

/* The line that says that a launch was measured to its end; it has no colon, so it is no fact of
 * the environment. */
static const char end_of_launch[] = "# end of launch %ld on %.0f processes after %.3f s";

/* The number of launches on so many processes that were measured to their end, and the seconds that
 * all together took. */
static size_t count_finished(const cli_calibration *c, double processes, double *seconds) {
    size_t count = 0;
    *seconds = 0;
    for (const char *line = c->samples.environment; line != NULL && *line != '\0';) {
        long launch;
        double p;
        double took;
        if (sscanf(line, "# end of launch %ld on %lf processes after %lf s", &launch, &p, &took) ==
            3) {
            count += p == processes;
            *seconds += took;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return count;
}

/* One that no sample has: a launch that was cut off keeps its own. */
static long new_launch(const cli_calibration *c) {
    long launch = 0;
    for (size_t k = 0; k < c->samples.count; k++) {
        launch = (long)c->samples.rows[k].launch >= launch ? (long)c->samples.rows[k].launch + 1
                                                           : launch;
    }
    return launch;
}

static const char *sizes_of(const cli_calibration *c) {
    const char *refined = c->refinement.sizes != NULL ? c->refinement.sizes : message_sizes;
    return c->sizes != NULL ? c->sizes : refined;
}

/* Sizes for the next launches. Where there is no memory for it they stay as they are. */
static void refine_sizes(cli_calibration *c) {
    if (c->sizes == NULL) {
        cli_refinement_find(&c->samples, message_sizes, &c->refinement);
    }
}

static launcher_status run_probe(cli_calibration *c, long launch, double processes, double seconds,
                                 double planning, int *exit_code, launcher_message *message) {
    char launch_text[32];
    char budget_text[32];
    char seed_text[32];
    char planning_text[32];
    snprintf(launch_text, sizeof launch_text, "%ld", launch);
    snprintf(budget_text, sizeof budget_text, "%.3f", seconds);
    snprintf(seed_text, sizeof seed_text, "%ld", c->seed);
    snprintf(planning_text, sizeof planning_text, "%.3f", planning);
    const char *command[32] = {c->probe,
                               "--launch",
                               launch_text,
                               "--budget",
                               budget_text,
                               "--seed",
                               seed_text,
                               "--sizes",
                               sizes_of(c),
                               "--problems",
                               c->problems != NULL ? c->problems : problem_sizes,
                               "--planned",
                               c->problems != NULL ? c->problems : planned_sizes,
                               "--planning",
                               planning_text};
    size_t count = 15;
    if (c->plans_path[0] != '\0') {
        command[count++] = "--plans";
        command[count++] = c->plans_path;
    }
    if (c->weights != NULL) {
        command[count++] = "--weights";
        command[count++] = c->weights;
    }
    if (cli_calibration_is_oversubscribed(c, processes)) {
        command[count++] = "--oversubscribed";
    }
    launcher_request request = {.launcher = c->launcher,
                                .processes = (long)processes,
                                .nodes = (long)ceil(processes / (double)c->node.processors),
                                .command = command,
                                .timeout = 60 + 20 * seconds,
                                .line = cli_calibration_take_line,
                                .context = c};
    return launcher_run(&request, exit_code, message);
}

/* One launch on processes[i]; *took gets its seconds. */
static int launch_probe(cli_calibration *c, size_t i, cli_schedule_share share, double *took) {
    long launch = new_launch(c);
    double start = cli_calibration_clock();
    int exit_code = 0;
    launcher_message message;
    c->planned = 0;
    launcher_status ended =
        run_probe(c, launch, c->processes[i], share.seconds, share.planning, &exit_code, &message);
    *took = cli_calibration_clock() - start;
    int status = cli_calibration_tell_launch(c, ended, exit_code, &message);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    char line[128];
    snprintf(line, sizeof line, end_of_launch, launch, c->processes[i], *took);
    bool kept =
        cli_calibration_take_line(line, c) && (c->file.file < 0 || cli_sample_file_flush(&c->file));
    return kept ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* At the end, as the machine file takes the first line of a key. */
static int note_refinement(cli_calibration *c) {
    const char *note = c->refinement.note;
    return note == NULL || cli_calibration_take_line(note, c) ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* What all launches so far say of the next ones. */
static void end_round(cli_calibration *c) {
    refine_sizes(c);
    if (c->reweigh != NULL) {
        c->reweigh(c, c->reweigh_context);
    }
}

/* Launches that the samples have, where the calibration goes on. */
static void note_finished(cli_calibration *c, cli_schedule *s) {
    double seconds;
    for (size_t i = 0; i < c->process_count; i++) {
        s->finished[i] = count_finished(c, c->processes[i], &seconds);
        c->launch_now += s->finished[i];
    }
}

/* Every launch measures every point once, at each count of processes in turn. */
static int measure_rounds(cli_calibration *c, cli_schedule *s) {
    int status = CLI_EXIT_OK;
    note_finished(c, s);
    refine_sizes(c); /* by the samples of a calibration that goes on */
    for (size_t i; status == CLI_EXIT_OK && (i = cli_schedule_next(s)) < c->process_count;) {
        c->launches_now = s->rounds * c->process_count;
        if (cli_interrupts_came()) {
            return cli_calibration_tell_launch(c, LAUNCHER_INTERRUPTED, 0, NULL);
        }
        cli_schedule_share share = cli_schedule_take(s, i, cli_calibration_clock());
        double took;
        status = launch_probe(c, i, share, &took);
        c->launch_now++;
        double now = cli_calibration_clock();
        if (cli_schedule_finish(s, i, share, took, c->planned, now) && status == CLI_EXIT_OK) {
            end_round(c);
        }
    }
    return status == CLI_EXIT_OK ? note_refinement(c) : status;
}

/* Seconds of processor that the finished launches took. */
static double launched_seconds(void) {
    struct rusage usage_of_children;
    getrusage(RUSAGE_CHILDREN, &usage_of_children);
    const struct timeval *user = &usage_of_children.ru_utime;
    const struct timeval *system = &usage_of_children.ru_stime;
    return (double)(user->tv_sec + system->tv_sec) +
           1e-6 * (double)(user->tv_usec + system->tv_usec);
}

int cli_calibration_measure(cli_calibration *c) {
    cli_schedule s = {.process_count = c->process_count,
                      .budget = c->budget,
                      .launches = (size_t)c->launches,
                      .extent = c->extent};
    (void)count_finished(c, 0, &c->spent); /* the seconds are of all numbers of processes */
    if (!cli_schedule_make(&s, c->started, c->spent)) {
        cli_schedule_free(&s);
        fprintf(stderr, "isocast %s: out of memory\n", name_of(c));
        return CLI_EXIT_SYSTEM;
    }
    double start = cli_calibration_clock();
    double launched = launched_seconds();
    double busy = node_busy_seconds();
    int status = measure_rounds(c, &s);
    clear_progress(c);
    double taken = fmax(cli_calibration_clock() - start, 1);
    launched = launched_seconds() - launched;
    busy = node_busy_seconds() - busy - launched;
    bool known = !isnan(busy) && c->share_count > 0;
    c->others = known ? fmax(busy, 0) / (taken * (double)c->node.processors) : NAN;
    /* Launchers that leave the starting to a daemon, and other nodes: by what the processes say. */
    if (known && launched < started_here * taken) {
        c->others = 1 - c->share_sum / (double)c->share_count;
    }
    cli_refinement_free(&c->refinement);
    cli_schedule_free(&s);
    return status;
}
