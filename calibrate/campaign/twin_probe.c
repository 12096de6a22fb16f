#include "twin_probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_launch.h"
#include "simgrid.h"
#include "simulation.h"
#include "simulation_memory.h"

/* A launch for one place. */
typedef struct task {
    campaign_twin_place *place;
    isocast_system **system; /* [system_count] */
    size_t system_count;
    campaign_simulation simulation;
    campaign_recorder recorder;
    isocast_buffer spans;
    isocast_buffer key;        /* of the cache */
    campaign_size_times times; /* in the order of the spans */
    char together[32];
    const char *command[20];
    launcher_end end;
    bool known; /* by the cache */
} task;

isocast_status campaign_twin_probe_begin(campaign_twin_probe *probe) {
    probe->about = (campaign_launches){.probe = probe->probe, .listener = probe->listener};
    return campaign_launches_begin(&probe->about);
}

static void put_span(const char *name, double m, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s%s:%.0f-%.0f", out->length > 0 ? "," : "", name, m, m);
}

/* The operations whose times make up a point. */
static size_t parts_of(const campaign_twin_point *point, size_t parts[2]) {
    bool message = point->operation == ISOCAST_KNOWN_message;
    parts[0] = message ? ISOCAST_KNOWN_send : point->operation;
    parts[1] = ISOCAST_KNOWN_recv;
    return message ? 2 : 1;
}

static void put_points(const campaign_twin_place *place, isocast_buffer *out) {
    for (size_t i = 0; i < place->count; i++) {
        size_t parts[2];
        size_t count = parts_of(&place->points[i], parts);
        for (size_t k = 0; k < count; k++) {
            put_span(isocast_known_operations[parts[k]].name, place->points[i].m, out);
        }
    }
}

static isocast_status look_up(const campaign_twin_probe *probe, const isocast_platform *platform,
                              task *t) {
    put_points(t->place, &t->spans);
    campaign_launches_put_origin(&probe->about, probe->version, &t->key);
    isocast_buffer_printf(&t->key, "twin %s\n", t->spans.text != NULL ? t->spans.text : "");
    simgrid_write_platform(platform, t->system[0], &t->key);
    simgrid_write_hosts(platform, t->system[0], 0, &t->key);
    if (t->key.failed || t->spans.failed) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = campaign_point_cache_find(probe->cache, t->key.text, &t->times);
    t->known = t->times.count > 0;
    return status;
}

static isocast_status prepare(const campaign_listener *listener, const campaign_twin_probe *probe,
                              const isocast_platform *platform, task *t) {
    t->simulation.platform = platform;
    t->recorder = (campaign_recorder){.listener = listener, .file = {.file = -1}};
    snprintf(t->together, sizeof t->together, "%.0f", isocast_platform_together(platform));
    const char *command[] = {probe->probe, "--launch",    "0",           "--budget",   "1",
                             "--seed",     "1",           "--simulated", "--together", t->together,
                             "--spans",    t->spans.text, NULL};
    memcpy(t->command, command, sizeof command);
    campaign_recorder_begin_launch(&t->recorder);
    return campaign_simulation_prepare(&t->simulation, t->system[0], 0, listener);
}

/* Rows come in the order of the spans. The cache wants them to rise: their number stands for m. */
static isocast_status take_rows(task *t) {
    const samples *s = &t->recorder.samples;
    for (size_t i = 0; i < s->count; i++) {
        if (!campaign_size_times_add(&t->times, (double)i, s->rows[i].seconds)) {
            return ISOCAST_NO_MEMORY;
        }
    }
    return ISOCAST_OK;
}

/* False where a span has no row: then it is not known which row is whose. */
static bool take_times(task *t) {
    size_t row = 0;
    for (size_t i = 0; i < t->place->count; i++) {
        size_t parts[2];
        size_t count = parts_of(&t->place->points[i], parts);
        double seconds = 0;
        for (size_t k = 0; k < count; k++, row++) {
            seconds += row < t->times.count ? t->times.rows[row].seconds : NAN;
        }
        t->place->points[i].simulated = seconds > 0 ? seconds : NAN;
    }
    for (size_t i = 0; i < t->place->count && row != t->times.count; i++) {
        t->place->points[i].simulated = NAN;
    }
    return row == t->times.count;
}

static isocast_status run_missing(campaign_twin_probe *probe, const campaign_listener *listener,
                                  const isocast_platform *platform, task *tasks, size_t count) {
    launcher_task *runs = calloc(count + 1, sizeof *runs);
    size_t *whose = calloc(count + 1, sizeof *whose);
    size_t missing = 0;
    double most = 1;
    double left = probe->ends - campaign_clock();
    isocast_status status = runs == NULL || whose == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        if (tasks[i].known) {
            continue;
        }
        status = left > 0 ? prepare(listener, probe, platform, &tasks[i]) : ISOCAST_PROGRAM;
        most = fmax(most, tasks[i].place->p);
        whose[missing] = i;
        runs[missing] = (launcher_task){
            .request = campaign_probe_simulated(&tasks[i].simulation, tasks[i].place->p,
                                                tasks[i].command, &tasks[i].recorder),
            .end = &tasks[i].end};
        runs[missing++].request.timeout = left;
    }
    if (status == ISOCAST_OK && missing > 0) {
        status =
            launcher_run_several(runs, missing, campaign_memory_at_once(most, launcher_at_once()));
    }
    for (size_t k = 0; k < missing && status == ISOCAST_OK; k++) {
        task *t = &tasks[whose[k]];
        probe->count += runs[k].started;
        bool ended = runs[k].status == ISOCAST_PROGRAM && t->end.cause == LAUNCHER_STOPPED;
        if (runs[k].status == ISOCAST_PROGRAM && t->end.cause == LAUNCHER_TIMEOUT) {
            status = ISOCAST_PROGRAM;
        } else if (!ended) {
            status = campaign_probe_end(&t->recorder, runs[k].status, &t->end);
        }
        status = status == ISOCAST_OK ? take_rows(t) : status;
    }
    free(runs);
    free(whose);
    return status;
}

static void free_tasks(task *tasks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_systems_free(tasks[i].system, tasks[i].system_count);
        campaign_simulation_free(&tasks[i].simulation);
        campaign_recorder_free(&tasks[i].recorder);
        isocast_buffer_free(&tasks[i].spans);
        isocast_buffer_free(&tasks[i].key);
        campaign_size_times_free(&tasks[i].times);
    }
    free(tasks);
}

isocast_status campaign_twin_simulate(campaign_twin_probe *probe, const isocast_platform *platform,
                                      campaign_twin_place *places, size_t count, bool tells) {
    const campaign_listener silent = {.stop = probe->listener->stop,
                                      .context = probe->listener->context};
    const campaign_listener *listener = tells ? probe->listener : &silent;
    task *tasks = calloc(count + 1, sizeof *tasks);
    isocast_status status = tasks == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (campaign_must_stop(probe->listener)) {
        status = ISOCAST_INTERRUPTED;
    }
    isocast_diagnostics diagnostics = {0};
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        tasks[i].place = &places[i];
        tasks[i].recorder.file.file = -1;
        status = isocast_systems_parse(platform->hardware, NULL, "system", places[i].system,
                                       &diagnostics, &tasks[i].system, &tasks[i].system_count);
        status = status == ISOCAST_OK ? look_up(probe, platform, &tasks[i]) : status;
        probe->cached += tasks[i].known;
    }
    if (status == ISOCAST_INVALID && diagnostics.count > 0) {
        status = campaign_fail(probe->listener, ISOCAST_ARGUMENT,
                               "the twin cannot have the processes of a timing: %s",
                               diagnostics.items[0].message);
    }
    isocast_diagnostics_clear(&diagnostics);
    if (status == ISOCAST_OK) {
        status = run_missing(probe, listener, platform, tasks, count);
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        bool whole = take_times(&tasks[i]);
        if (whole && !tasks[i].known) {
            campaign_point_cache_keep(probe->cache, tasks[i].key.text, &tasks[i].times);
        }
    }
    if (tasks != NULL) {
        free_tasks(tasks, count);
    }
    return status;
}
