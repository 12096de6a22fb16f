#include "calibration.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "calibrate/samples/environment.h"
#include "marked_speeds.h"
#include "refinement.h"
#include "schedule.h"

/* Message sizes in bytes: powers of two and sizes between them, because libraries switch at both.
 */
static const char message_sizes[] =
    "8,64,256,768,1024,2048,3000,4096,6000,8192,12000,16384,24000,"
    "32768,65536,100000,262144,524288,1048576,2097152,4194304,16777216,"
    "33554432";
/* Problem sizes of the kernels, from the first cache to several times the last one, three to each
 * factor of two. They are no powers of two, whose rows would meet in the same lines of a cache;
 * 1024 alone is one, as the benchmark has it. */
static const char problem_sizes[] =
    "16,23,32,43,55,69,86,109,137,173,217,274,345,435,547,690,869,1024,"
    "1249,1630,2055";
/* Problem sizes of the transforms: all lengths that the specification is valid for, because each
 * has its own time per flop. Planning them takes seconds. */
static const char planned_sizes[] = "32,64,96,128,160,192,256,288,320,384,480,512,576,640,768,800,"
                                    "864,960,1024,1152,1280,1440,1536,1600,1728,1920,2048,2304";

/* Launches that used at least so many processor seconds for each second of measuring ran on this
 * node. */
static const double started_here = 0.2;

/* How far the launches have got. */
typedef struct rounds {
    const campaign_request *request;
    campaign_recorder *recorder;
    campaign_schedule schedule;
    campaign_refinement refinement; /* unless sizes are given */
    campaign_selection selection;   /* its weights are those of the next launch */
    char *weights;                  /* the same as the probe's option; NULL: the usual operations */
} rounds;

/* The number of launches on this number of processes that were measured to their end, and the sum
 * of the seconds that they took. */
static size_t count_finished(const samples *s, double processes, double *seconds) {
    size_t count = 0;
    *seconds = 0;
    for (size_t i = 0; i < s->facts.end_count; i++) {
        count += s->facts.ends[i].processes == processes;
        *seconds += s->facts.ends[i].seconds;
    }
    return count;
}

/* A number that no sample has: a launch that was cut off keeps its number. */
static long new_launch(const samples *s) {
    long launch = 0;
    for (size_t k = 0; k < s->count; k++) {
        launch = (long)s->rows[k].launch >= launch ? (long)s->rows[k].launch + 1 : launch;
    }
    return launch;
}

/* Chooses the sizes for the next launches. Where memory is short, the sizes stay as they are. */
static void refine_sizes(rounds *r) {
    if (r->request->sizes == NULL) {
        campaign_refinement_find(&r->recorder->samples, message_sizes, &r->refinement);
    }
}

static const char *sizes_of(const rounds *r) {
    const char *refined = r->refinement.sizes != NULL ? r->refinement.sizes : message_sizes;
    return r->request->sizes != NULL ? r->request->sizes : refined;
}

/* Gives more time of the next launches to the operations that the prediction is least sure of.
 * Where the samples do not state yet, or memory is short, the weights stay as they are. */
static void weigh(rounds *r) {
    char *weights = NULL;
    if (r->request->weighting != NULL &&
        campaign_weighting_apply(r->request->weighting, &r->recorder->samples, &r->selection) &&
        campaign_selection_weights(&r->selection, &weights) == ISOCAST_OK) {
        free(r->weights);
        r->weights = weights;
    }
}

/* Nodes that a launch uses. */
static double nodes_of(const campaign_request *request, double processes) {
    return ceil(processes / (double)request->site.node.processors);
}

/* Whether no launch uses more nodes than this one: marked speeds are measured on all nodes. */
static bool has_all_nodes(const campaign_request *request, double processes) {
    bool all = true;
    for (size_t k = 0; k < request->process_count; k++) {
        all = all && nodes_of(request, request->processes[k]) <= nodes_of(request, processes);
    }
    return all;
}

/* The programs whose marked speeds the launch measures, as the probe's option; NULL: none. Free
 * with free(). */
static char *suite_of(const rounds *r, size_t i, campaign_schedule_share share) {
    const campaign_weighting *weighting = r->request->weighting;
    if (!(share.suite_first > 0) || !has_all_nodes(r->request, r->request->processes[i])) {
        return NULL;
    }
    bool first_time = r->schedule.finished[i] == 0;
    char *names = campaign_marked_speeds_next(
        &r->recorder->samples.facts, weighting != NULL ? weighting->algorithm->kernel : NULL,
        first_time);
    if (names != NULL && names[0] == '\0') {
        free(names);
        return NULL;
    }
    return names;
}

/* The command line of the probe for a launch. */
static void put_command(const rounds *r, long number, double processes,
                        const campaign_schedule_share *share, const char *suite,
                        launcher_words *out) {
    const campaign_request *request = r->request;
    const char *problems = request->problems;
    launcher_words_add(out, request->site.probe);
    launcher_words_put(out, "--launch %ld --budget %.3f --seed %ld --planning %.3f", number,
                       share->seconds, request->seed, share->planning);
    launcher_words_option(out, "--sizes", sizes_of(r));
    launcher_words_option(out, "--problems", problems != NULL ? problems : problem_sizes);
    launcher_words_option(out, "--planned", problems != NULL ? problems : planned_sizes);
    launcher_words_option(out, "--plans", request->plans);
    launcher_words_option(out, "--weights", r->weights);
    launcher_words_option(out, "--suite", suite);
    if (suite != NULL) {
        launcher_words_put(out, "--suite-seconds %.3f --suite-first %.3f", share->suite,
                           share->suite_first);
    }
    if (campaign_site_is_oversubscribed(&request->site, processes)) {
        launcher_words_add(out, "--oversubscribed");
    }
}

/* One launch on the i-th count of processes; *took gets its seconds. */
static isocast_status launch_probe(rounds *r, size_t i, campaign_schedule_share share,
                                   double *took) {
    const double processes = r->request->processes[i];
    const long number = new_launch(&r->recorder->samples);
    char *suite = suite_of(r, i, share);
    launcher_words words = {0};
    put_command(r, number, processes, &share, suite, &words);
    double start = campaign_clock();
    isocast_status status =
        campaign_probe_run(&r->request->site, &words, processes, share.seconds, r->recorder);
    *took = campaign_clock() - start;
    launcher_words_free(&words);
    free(suite);
    if (status == ISOCAST_OK) {
        char line[ENVIRONMENT_LINE_MAX];
        environment_write_end(&(environment_end){number, processes, *took}, line);
        status = campaign_recorder_add(r->recorder, line);
    }
    return status == ISOCAST_OK ? campaign_recorder_flush(r->recorder) : status;
}

/* This comes last, because the machine file takes the first line of a key. */
static isocast_status note_refinement(rounds *r) {
    const char *note = r->refinement.note;
    return note == NULL ? ISOCAST_OK : campaign_recorder_add(r->recorder, note);
}

/* The launches that the samples have already, where the calibration is resumed. */
static void note_finished(rounds *r) {
    double seconds;
    for (size_t i = 0; i < r->request->process_count; i++) {
        r->schedule.finished[i] =
            count_finished(&r->recorder->samples, r->request->processes[i], &seconds);
        r->recorder->progress.launch += r->schedule.finished[i];
    }
}

/* Every launch measures every point once, at each count of processes in turn. */
static isocast_status measure_rounds(rounds *r) {
    campaign_progress *progress = &r->recorder->progress;
    size_t counts = r->request->process_count;
    isocast_status status = ISOCAST_OK;
    note_finished(r);
    refine_sizes(r); /* by the samples of the calibration that is resumed */
    progress->launches = r->schedule.rounds * counts;
    for (size_t i; status == ISOCAST_OK && (i = campaign_schedule_next(&r->schedule)) < counts;) {
        if (campaign_must_stop(r->recorder->listener)) {
            return campaign_probe_end(r->recorder, ISOCAST_INTERRUPTED, NULL);
        }
        campaign_schedule_share share = campaign_schedule_take(&r->schedule, i, campaign_clock());
        double took;
        status = launch_probe(r, i, share, &took);
        progress->launch++;
        const campaign_launch_record *record = &r->recorder->launch;
        r->schedule.suite -= record->suite;
        if (campaign_schedule_finish(&r->schedule, i, share, took, record->planned + record->suite,
                                     campaign_clock()) &&
            status == ISOCAST_OK) {
            refine_sizes(r);
            weigh(r);
        }
        progress->launches = r->schedule.rounds * counts;
    }
    return status == ISOCAST_OK ? note_refinement(r) : status;
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

/* The share of the processors that other programs used in `taken` seconds in which all programs
 * together used `busy` and the launches `launched` seconds of processors. */
static double share_of_others(const campaign_request *request, const campaign_recorder *recorder,
                              double taken, double busy, double launched) {
    if (isnan(busy) || recorder->share_count == 0) {
        return NAN;
    }
    /* Where a launcher leaves the starting to a daemon, or other nodes take part, the processes
     * themselves say how much they used. */
    if (launched < started_here * taken) {
        return 1 - recorder->share_sum / (double)recorder->share_count;
    }
    return fmax(busy - launched, 0) / (taken * (double)request->site.node.processors);
}

static isocast_status measure(rounds *r, double *others) {
    double start = campaign_clock();
    double launched = launched_seconds();
    double busy = node_busy_seconds();
    isocast_status status = measure_rounds(r);
    double taken = fmax(campaign_clock() - start, 1);
    launched = launched_seconds() - launched;
    busy = node_busy_seconds() - busy;
    if (status == ISOCAST_OK) {
        *others = share_of_others(r->request, r->recorder, taken, busy, launched);
    }
    return status;
}

/* The selection with its weights, and the schedule. */
static isocast_status plan(rounds *r) {
    const campaign_request *request = r->request;
    isocast_status status = ISOCAST_OK;
    double extent = 0;
    if (request->selection != NULL) {
        r->selection = *request->selection;
        extent = campaign_selection_extent(&r->selection);
        status = campaign_selection_weights(&r->selection, &r->weights);
    }
    double spent;
    (void)count_finished(&r->recorder->samples, 0, &spent); /* of all counts of processes */
    r->schedule = (campaign_schedule){.process_count = request->process_count,
                                      .budget = request->budget,
                                      .launches = (size_t)request->launches,
                                      .extent = extent};
    r->recorder->progress = (campaign_progress){.started = request->started,
                                                .ends = request->started + request->budget - spent};
    if (status == ISOCAST_OK && !campaign_schedule_make(&r->schedule, request->started, spent)) {
        status = ISOCAST_NO_MEMORY;
    }
    return status;
}

isocast_status campaign_calibrate(const campaign_request *request, campaign_recorder *recorder,
                                  double *others) {
    rounds r = {.request = request, .recorder = recorder};
    isocast_status status = plan(&r);
    if (status == ISOCAST_OK) {
        status = measure(&r, others);
    }
    campaign_refinement_free(&r.refinement);
    campaign_schedule_free(&r.schedule);
    free(r.weights);
    return status;
}
