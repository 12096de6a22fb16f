#include "platform_launches.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "probe_launch.h"
#include "simgrid.h"
#include "simulation.h"

/* Rounds of broadcasts start from all processes where there are no more than this, so that who
 * starts after whom is as in a program; fewer where all processes see the same network. */
static const double roots_all = 64;
static const double roots_all_alike = 32;
/* Else from so many processes all over the system; or, where all nodes are alike, from the
 * processes of so many nodes. */
static const double roots_apart = 16;
static const double nodes_of_roots = 4;
/* What is wanted of a system goes to several launches where it has so many processes, and each of
 * them gets so many spans: to start one takes little beside that. */
static const double shared_least = 32;
enum { QUICK_AT_ONCE = 2, SPANS_EACH = 2 };

/* A launch of the probe on a place. */
typedef struct task {
    const campaign_place *place;
    campaign_span **spans; /* [count], in the order that they are asked for */
    size_t count;
    campaign_simulation simulation;
    campaign_recorder recorder;
    isocast_buffer wanted;
    launcher_words command;
    launcher_end end;
    double last;                  /* s of campaign_clock(), when its last row came, or it began */
    campaign_size_times arrivals; /* [rows of the recorder], s since the row before */
} task;

static bool take_version(const char *line, void *context) {
    char *version = context;
    if (version[0] == '\0') {
        snprintf(version, CAMPAIGN_SIMULATOR_MAX, "%s", line);
    }
    return true;
}

void campaign_launches_begin_like(campaign_launches *launches, const campaign_launches *like) {
    launches->started = like->started;
    memcpy(launches->probe_sha256, like->probe_sha256, sizeof launches->probe_sha256);
    memcpy(launches->simulator, like->simulator, sizeof launches->simulator);
}

isocast_status campaign_launches_begin(campaign_launches *launches) {
    launches->started = campaign_clock();
    if (SHA256File(launches->probe, launches->probe_sha256) == NULL) {
        return campaign_fail(launches->listener, ISOCAST_IO, "cannot read %s: %s", launches->probe,
                             strerror(errno));
    }
    launcher_end end; /* where it is not there, simulations say so */
    if (launcher_ask("smpirun", "-version", take_version, launches->simulator, &end) !=
        ISOCAST_OK) {
        launches->simulator[0] = '\0';
    }
    return ISOCAST_OK;
}

void campaign_launches_put_origin(const campaign_launches *launches, const char *version,
                                  isocast_buffer *key) {
    isocast_buffer_printf(key, "isocast %s probe %s simulator %s %s\n", version,
                          launches->probe_sha256, launches->simulator, simgrid_options);
}

/* Whether all processes see the network alike, but for their places on a node. */
static bool is_regular(const isocast_platform *platform, const isocast_system *system) {
    return platform->network.topology == ISOCAST_TOPOLOGY_SWITCHED && system->count == 1 &&
           system->p == system->nodes * system->p_node;
}

static double roots_of(const campaign_launches *launches, const campaign_place *at) {
    const isocast_platform *platform = launches->places->platform;
    const isocast_system *system = at->system;
    double processes = campaign_place_processes(at);
    if (launches->roots > 0) {
        return fmin(processes, (double)launches->roots);
    }
    double nodes = system->p_node > 1 ? nodes_of_roots : 1;
    bool regular = is_regular(platform, system);
    double few = regular ? nodes * system->p_node : roots_apart;
    double all = regular && system->p_node == 1 ? roots_all_alike : roots_all;
    return processes <= all ? processes : fmin(few, processes);
}

static void put_part(const campaign_place *at, isocast_buffer *out) {
    if (at->part) {
        isocast_buffer_printf(out, "parts of %.0f, every %.0f\n", campaign_place_processes(at),
                              campaign_place_stride(at));
    }
}

/* All that the times of a span depend on. */
static isocast_status name_span(const campaign_launches *launches, campaign_span *s) {
    const isocast_platform *platform = launches->places->platform;
    const isocast_system *system = s->place->system;
    campaign_launches_put_origin(launches, launches->places->version, &s->key);
    isocast_buffer_printf(&s->key, "%s %.0f to %.0f B, roots %.0f\n",
                          isocast_known_operations[s->operation].name, s->from, s->to,
                          roots_of(launches, s->place));
    isocast_buffer_puts(&s->key, launches->roots > 0 ? "apart\n" : "");
    put_part(s->place, &s->key);
    if (launches->quick) {
        simgrid_write_quick(platform, system, &s->key);
    } else {
        simgrid_write_platform(platform, system, &s->key);
        simgrid_write_hosts(platform, system, &s->key);
    }
    return s->key.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* Where the rows of a span go. False where memory is short. */
static bool take_span(campaign_curve *c, campaign_span *s) {
    bool taken = true;
    if (s->to > s->from) {
        campaign_size_times_free(&c->cells[s->cell]);
        c->cells[s->cell] = s->found;
        c->cell_known[s->cell] = true;
        s->found = (campaign_size_times){0};
        return true;
    }
    campaign_size_times *rows = s->single ? &c->points[s->cell] : &c->grid;
    for (size_t i = 0; i < s->found.count && taken; i++) {
        taken = campaign_size_times_insert(rows, s->found.rows[i].m, s->found.rows[i].seconds);
        for (size_t k = 0; k < rows->count && taken; k++) {
            bool same = rows->rows[k].m == s->found.rows[i].m;
            rows->rows[k].cost = same ? s->found.rows[i].cost : rows->rows[k].cost;
        }
    }
    return taken;
}

void campaign_spans_add(campaign_spans *spans, campaign_span span) {
    bool added = ISOCAST_ARRAY_ADD(spans->items, spans->count, spans->room, span);
    spans->failed = spans->failed || !added;
}

void campaign_spans_free(campaign_spans *spans) {
    for (size_t i = 0; i < spans->count; i++) {
        campaign_size_times_free(&spans->items[i].found);
        isocast_buffer_free(&spans->items[i].key);
    }
    free(spans->items);
}

/* Whether the k-th size of all is simulated on a place. */
static bool is_due(const campaign_places *places, const campaign_place *at, size_t operation,
                   size_t k) {
    const isocast_known_operation *known = &isocast_known_operations[operation];
    const campaign_curve *c = &at->curves[operation];
    size_t sizes = campaign_operation_is_sized(known) ? places->grid : 1;
    bool can_be = places->any_size || campaign_operation_can_be_of(known, campaign_grid_size(k),
                                                                   campaign_place_processes(at));
    return k < sizes && can_be && !c->skipped[k];
}

/* Adds what is wanted of a place and not known. */
static void list_spans(const campaign_places *places, campaign_place *at, campaign_spans *out) {
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const campaign_curve *c = &at->curves[i];
        for (size_t k = 0; k < CAMPAIGN_GRID_MAX && !c->elsewhere; k++) {
            campaign_span s = {.place = at, .operation = i, .cell = k};
            if (c->wanted && !c->known && is_due(places, at, i, k)) {
                s.from = s.to = campaign_grid_size(k);
                campaign_spans_add(out, s);
            }
            if (c->known && k + 1 < c->grid.count && c->cell_wanted[k] && !c->cell_known[k]) {
                s.from = campaign_grid_size(k);
                s.to = campaign_grid_size(k + 1);
                campaign_spans_add(out, s);
            }
            s.single = true;
            for (size_t n = 0; c->known && n < c->points_wanted[k].count; n++) {
                s.from = s.to = c->points_wanted[k].rows[n].m;
                campaign_spans_add(out, s);
            }
        }
    }
}

static bool take_line(const char *line, void *context) {
    task *t = context;
    size_t before = t->recorder.samples.count;
    bool taken = campaign_recorder_take_line(line, &t->recorder);
    if (t->recorder.samples.count > before) {
        double now = campaign_clock();
        taken = campaign_size_times_add(&t->arrivals, 0, now - t->last) && taken;
        t->last = now;
    }
    return taken;
}

static void report_progress(void *context) {
    task *t = context;
    campaign_recorder_report_progress(&t->recorder);
}

/* Parts the rows of a launch, which come in the order of its spans, among these. A span is done
 * where its last size came, or where a launch that went well has none of it. */
static isocast_status part_rows(const task *t, bool complete) {
    const samples *s = &t->recorder.samples;
    size_t row = 0;
    for (size_t i = 0; i < t->count; i++) {
        campaign_span *next = t->spans[i];
        const isocast_known_operation *known = &isocast_known_operations[next->operation];
        bool sized = campaign_operation_is_sized(known);
        double last = sized ? next->to : 0;
        bool ended = false;
        while (row < s->count && !ended &&
               strcmp(s->operations[s->rows[row].operation], known->name) == 0) {
            if (!campaign_size_times_add(&next->found, s->rows[row].m, s->rows[row].seconds)) {
                return ISOCAST_NO_MEMORY;
            }
            next->found.rows[next->found.count - 1].cost = t->arrivals.rows[row].seconds;
            ended = s->rows[row].m == last;
            row++;
        }
        next->done = ended || (complete && next->found.count == 0);
        if (!next->done) {
            return ISOCAST_OK;
        }
    }
    return ISOCAST_OK;
}

static isocast_status fail_budget(const campaign_launches *launches) {
    return campaign_fail(launches->listener, ISOCAST_PROGRAM,
                         "the simulations do not end within the budget of %.3g s\n    hint: give "
                         "more --budget; what was simulated so far is not lost where there is a "
                         "cache",
                         launches->budget);
}

/* Makes a launch ready to start. */
static isocast_status prepare(const campaign_launches *launches, task *t) {
    const isocast_platform *platform = launches->places->platform;
    const isocast_system *system = t->place->system;
    t->simulation.platform = platform;
    t->simulation.quick = launches->quick;
    t->recorder = (campaign_recorder){.listener = launches->listener,
                                      .file = {.file = -1},
                                      .progress = {.started = launches->started}};
    for (size_t i = 0; i < t->count; i++) {
        const campaign_span *s = t->spans[i];
        const isocast_known_operation *known = &isocast_known_operations[s->operation];
        bool sized = campaign_operation_is_sized(known);
        isocast_buffer_printf(&t->wanted, "%s%s:%.0f-%.0f", i > 0 ? "," : "", known->name,
                              sized ? s->from : 0, sized ? s->to : 0);
    }
    if (t->wanted.failed) {
        return ISOCAST_NO_MEMORY;
    }
    campaign_recorder_begin_launch(&t->recorder);
    isocast_status status = campaign_simulation_prepare(&t->simulation, system, launches->listener);
    launcher_words_add(&t->command, launches->probe);
    if (launches->quick) {
        launcher_words_add(&t->command, t->simulation.network);
    }
    launcher_words_put(&t->command, "--launch 0 --budget 1 --seed 1 --simulated --roots %.0f%s",
                       roots_of(launches, t->place),
                       launches->roots > 0 || !is_regular(platform, system) ? " --roots-apart"
                                                                            : "");
    launcher_words_option(&t->command, "--spans", t->wanted.text);
    if (t->place->part) {
        launcher_words_put(&t->command, "--part %.0f:%.0f", campaign_place_processes(t->place),
                           campaign_place_stride(t->place));
    }
    return status == ISOCAST_OK && t->command.failed ? ISOCAST_NO_MEMORY : status;
}

static void free_tasks(task *tasks, size_t count) {
    for (size_t i = 0; tasks != NULL && i < count; i++) {
        campaign_simulation_free(&tasks[i].simulation);
        campaign_recorder_free(&tasks[i].recorder);
        campaign_size_times_free(&tasks[i].arrivals);
        isocast_buffer_free(&tasks[i].wanted);
        launcher_words_free(&tasks[i].command);
        free(tasks[i].spans);
    }
    free(tasks);
}

/* Most processes first: they take longest. */
static int compare_places(const void *a, const void *b) {
    const campaign_span *const *first = a;
    const campaign_span *const *second = b;
    double difference = (*second)->place->system->p - (*first)->place->system->p;
    if (difference == 0 && *first != *second) {
        return *first < *second ? -1 : 1;
    }
    return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

/* How many launches the spans of a place are shared out over. */
static size_t launches_for(const campaign_place *place, size_t spans, size_t at_once) {
    size_t most = spans / SPANS_EACH;
    most = most < at_once ? most : at_once;
    return place->system->p >= shared_least && most > 1 ? most : 1;
}

/* Shares out spans, which follow each other place by place; *count tasks. NULL: no memory. */
static task *share_out(campaign_span *const *spans, size_t span_count, size_t at_once,
                       size_t *count) {
    task *tasks = calloc(span_count + 1, sizeof *tasks);
    *count = 0;
    for (size_t first = 0; first < span_count && tasks != NULL;) {
        size_t next = first;
        while (next < span_count && spans[next]->place == spans[first]->place) {
            next++;
        }
        size_t launches = launches_for(spans[first]->place, next - first, at_once);
        for (size_t k = 0; k < launches; k++) {
            task *t = &tasks[(*count)++];
            t->place = spans[first]->place;
            t->spans = calloc(next - first, sizeof(campaign_span *));
            /* Sizes in turn: they take longer and longer. */
            for (size_t i = first + k; i < next && t->spans != NULL; i += launches) {
                t->spans[t->count++] = spans[i];
            }
            if (t->spans == NULL) {
                free_tasks(tasks, *count);
                return NULL;
            }
        }
        first = next;
    }
    return tasks;
}

/* Reports why launches failed, if they did. One that was ended because another failed says nothing.
 */
static isocast_status end_of(const campaign_launches *launches, const task *tasks,
                             const launcher_task *runs, size_t count) {
    size_t failed = count;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count; i++) {
        bool ended = runs[i].status == ISOCAST_PROGRAM && tasks[i].end.cause == LAUNCHER_STOPPED &&
                     tasks[i].recorder.launch.failure == ISOCAST_OK;
        bool first = failed == count || runs[i].status == ISOCAST_INTERRUPTED;
        if (runs[i].status != ISOCAST_OK && !ended && first) {
            failed = i;
            status = runs[i].status;
        }
    }
    bool late =
        failed < count && status == ISOCAST_PROGRAM && tasks[failed].end.cause == LAUNCHER_TIMEOUT;
    if (launches->until > 0 &&
        (late || (failed < count && launches->quick && status == ISOCAST_PROGRAM))) {
        return ISOCAST_OK;
    }
    if (late) {
        return fail_budget(launches);
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = campaign_probe_end(&tasks[i].recorder, ISOCAST_OK, &tasks[i].end);
    }
    return failed < count ? campaign_probe_end(&tasks[failed].recorder, status, &tasks[failed].end)
                          : status;
}

static isocast_status run_tasks(campaign_launches *launches, task *tasks, size_t count,
                                size_t at_once) {
    double end = launches->until > 0 ? launches->until : launches->started + launches->budget;
    double left = end - campaign_clock();
    if (left <= 0) {
        return launches->until > 0 ? ISOCAST_OK : fail_budget(launches);
    }
    launcher_task *runs = calloc(count, sizeof *runs);
    isocast_status status = runs == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = prepare(launches, &tasks[i]);
        tasks[i].recorder.progress.launch = launches->count + i;
        runs[i].request = campaign_simulation_request(
            &tasks[i].simulation, NULL, tasks[i].place->system, tasks[i].command.items);
        runs[i].end = &tasks[i].end;
        runs[i].request.timeout = left;
        runs[i].request.line = take_line;
        runs[i].request.alive = report_progress;
        runs[i].request.context = &tasks[i];
        tasks[i].last = campaign_clock();
    }
    status = status == ISOCAST_OK ? launcher_run_several(runs, count, at_once) : status;
    isocast_status parted = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK && parted == ISOCAST_OK; i++) {
        launches->count += runs[i].started;
        parted = part_rows(&tasks[i], runs[i].status == ISOCAST_OK);
    }
    status = status == ISOCAST_OK ? end_of(launches, tasks, runs, count) : status;
    free(runs);
    return status == ISOCAST_OK ? parted : status;
}

/* Has what is not done simulated, and keeps what comes of it. */
static isocast_status simulate(campaign_launches *launches, const campaign_spans *spans) {
    campaign_span **missing = calloc(spans->count + 1, sizeof(campaign_span *));
    size_t count = 0;
    for (size_t i = 0; i < spans->count && missing != NULL; i++) {
        if (!spans->items[i].done) {
            missing[count++] = &spans->items[i];
        }
    }
    if (count == 0 || campaign_must_stop(launches->listener)) {
        isocast_status status = missing == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
        free(missing);
        return count == 0 ? status
                          : campaign_fail(launches->listener, ISOCAST_INTERRUPTED, "interrupted");
    }
    qsort(missing, count, sizeof(campaign_span *), compare_places);
    /* The first is one of the most processes. */
    size_t at_once = launcher_at_once();
    at_once = launches->quick ? (at_once < QUICK_AT_ONCE ? at_once : QUICK_AT_ONCE)
                              : campaign_memory_at_once(missing[0]->place->system->p, at_once);
    size_t task_count = 0;
    task *tasks = share_out(missing, count, at_once, &task_count);
    isocast_status status =
        tasks == NULL ? ISOCAST_NO_MEMORY : run_tasks(launches, tasks, task_count, at_once);
    for (size_t i = 0; i < count; i++) {
        if (missing[i]->done && missing[i]->found.count > 0) {
            campaign_point_cache_keep(launches->cache, missing[i]->key.text, &missing[i]->found);
        }
    }
    free_tasks(tasks, task_count);
    free(missing);
    return status;
}

/* Takes what the cache has of spans. */
static isocast_status look_up(const campaign_launches *launches, campaign_spans *spans) {
    isocast_status status = spans->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < spans->count && status == ISOCAST_OK; i++) {
        campaign_span *s = &spans->items[i];
        status = name_span(launches, s);
        if (status == ISOCAST_OK) {
            status = campaign_point_cache_find(launches->cache, s->key.text, &s->found);
        }
        s->done = s->found.count > 0;
    }
    return status;
}

isocast_status campaign_spans_simulate(campaign_launches *launches, campaign_spans *spans) {
    isocast_status status = look_up(launches, spans);
    for (size_t i = 0; i < spans->count; i++) {
        launches->cached += spans->items[i].done;
    }
    return status == ISOCAST_OK ? simulate(launches, spans) : status;
}

/* What is wanted of all places and not known. */
static campaign_spans list_all(const campaign_launches *launches) {
    campaign_spans spans = {0};
    for (size_t i = 0; i < launches->places->count; i++) {
        list_spans(launches->places, &launches->places->items[i], &spans);
    }
    return spans;
}

isocast_status campaign_launches_missing(campaign_launches *launches, size_t *out) {
    campaign_spans spans = list_all(launches);
    size_t tasks = 0;
    isocast_status status = look_up(launches, &spans);
    for (size_t i = 0; i < spans.count;) {
        size_t missing = 0;
        const campaign_place *place = spans.items[i].place;
        for (; i < spans.count && spans.items[i].place == place; i++) {
            missing += !spans.items[i].done;
        }
        tasks += missing > 0 ? launches_for(place, missing, launcher_at_once()) : 0;
    }
    campaign_spans_free(&spans);
    if (status == ISOCAST_OK) {
        *out = tasks;
    }
    return status;
}

static campaign_curve *curve_of(const campaign_span *s) {
    return &s->place->curves[s->operation];
}

/* What was wanted is known, or there was no time for it: then a line has to do between two sizes,
 * and an operation without all sizes is not known. */
static void end_span(const campaign_span *s, bool partial) {
    campaign_curve *c = curve_of(s);
    if (!c->known && c->left && !partial) {
        campaign_size_times_free(&c->grid);
        return;
    }
    c->known = true;
    c->cell_known[s->cell] = c->cell_known[s->cell] || s->to > s->from;
    campaign_size_times_free(&c->points_wanted[s->cell]);
}

isocast_status campaign_launches_run(campaign_launches *launches, bool *news) {
    campaign_spans spans = list_all(launches);
    *news = false;
    isocast_status status = campaign_spans_simulate(launches, &spans);
    for (size_t i = 0; i < spans.count && status == ISOCAST_OK; i++) {
        campaign_span *s = &spans.items[i];
        campaign_curve *c = curve_of(s);
        c->left = c->left || !s->done;
        *news = *news || s->done;
        status = !s->done || take_span(c, s) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < spans.count; i++) {
        end_span(&spans.items[i], launches->partial);
    }
    campaign_spans_free(&spans);
    return status;
}
