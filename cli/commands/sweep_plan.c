#include "sweep_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/options/prediction_options.h"
#include "cli/output/provenance.h"
#include "model/spec/platform_load.h"

/* Each of them is simulated. */
static const double platforms_most = 1000;
/* Rows whose sizes are looked at in each round; of more, points of the design at equal distances.
 * Sizes between theirs are on straight lines between what is simulated. */
static const double rows_looked_at = 200;

static bool is_of_platform(const isocast_axis *axis) {
    return axis->variable.kind == ISOCAST_VARIED_PLATFORM;
}

/* How many there are; each point of the design has its own where what is drawn is a platform's. */
static double count_platforms(const isocast_design *design, bool *drawn) {
    double count = 1;
    *drawn = false;
    for (size_t i = 0; i < design->axis_count; i++) {
        if (is_of_platform(&design->axes[i])) {
            count *= design->axes[i].count;
            *drawn = *drawn || design->axes[i].drawn;
        }
    }
    return *drawn ? design->points : count;
}

/* The values of the k-th platform where none is drawn; the last axis changes quickest. */
static void put_grid_values(const isocast_design *design, size_t k, double *values) {
    for (size_t i = design->axis_count; i-- > 0;) {
        const isocast_axis *axis = &design->axes[i];
        values[i] = NAN;
        if (is_of_platform(axis)) {
            size_t count = (size_t)axis->count;
            values[i] = isocast_axis_at(axis, (double)(k % count));
            k /= count;
        }
    }
}

static isocast_status put_values(const isocast_design *design, bool drawn, size_t count,
                                 sweep_variant *items) {
    isocast_design_cursor *cursor = NULL;
    isocast_status status = drawn ? isocast_design_cursor_create(design, &cursor) : ISOCAST_OK;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        items[k].values = calloc(design->axis_count + 1, sizeof *items[k].values);
        if (items[k].values == NULL) {
            status = ISOCAST_NO_MEMORY;
        } else if (drawn) {
            isocast_design_point(cursor, (double)k, items[k].values);
        } else {
            put_grid_values(design, k, items[k].values);
        }
    }
    isocast_design_cursor_free(cursor);
    return status;
}

/* The platform of the command line with the values of one variant. */
static isocast_status make_platform(sweep_platforms *p, sweep_variant *item) {
    const isocast_source *source = p->loaded->platform->hardware->tree->source;
    isocast_diagnostics ignored = {0}; /* reported when the file was loaded */
    isocast_status status = isocast_platform_read_text(source->name, source->text, source->length,
                                                       &ignored, &item->platform);
    isocast_diagnostics_clear(&ignored);
    for (size_t i = 0; i < p->settings->set.count && status == ISOCAST_OK; i++) {
        cli_loaded loaded = {.algorithm = p->loaded->algorithm, .platform = item->platform};
        isocast_setting one = {0};
        status = cli_apply_setting(p->settings->set.items[i], &loaded, &ignored, &one);
        isocast_diagnostics_clear(&ignored);
        free(one.name);
    }
    for (size_t i = 0; i < p->design->axis_count && status == ISOCAST_OK; i++) {
        if (is_of_platform(&p->design->axes[i])) {
            isocast_platform_number_put(item->platform, &p->design->axes[i].variable.number,
                                        item->values[i]);
        }
    }
    return status;
}

/* Makes the platforms that the design takes. Gives an exit status, and shows why it is none. */
static int sweep_platforms_create(sweep_platforms *p) {
    bool drawn = false;
    double count = count_platforms(p->design, &drawn);
    if (count > platforms_most) {
        return cli_usage_error(p->usage,
                               "--vary gives %.0f platforms, and each of them is simulated: at "
                               "most %.0f are",
                               count, platforms_most);
    }
    p->items = calloc((size_t)count, sizeof *p->items);
    p->subjects = calloc((size_t)count, sizeof *p->subjects);
    p->variants = calloc((size_t)count, sizeof *p->variants);
    bool good = p->items != NULL && p->subjects != NULL && p->variants != NULL;
    p->count = good ? (size_t)count : 0;
    const char *why = p->loaded->algorithm->program != NULL ? "a sweep has too many rows" : NULL;
    isocast_status status =
        good ? put_values(p->design, drawn, p->count, p->items) : ISOCAST_NO_MEMORY;
    for (size_t k = 0; k < p->count && status == ISOCAST_OK; k++) {
        status = make_platform(p, &p->items[k]);
        p->subjects[k] = (campaign_subject){.algorithm = p->loaded->algorithm,
                                            .platform = p->items[k].platform,
                                            .name = p->loaded->machine_path,
                                            .not_executed = why};
    }
    return cli_exit_of(status);
}

static void sweep_platforms_free(sweep_platforms *p) {
    for (size_t k = 0; k < p->count; k++) {
        campaign_subject_free(&p->subjects[k]);
        cli_prediction_options_free(&p->items[k].question);
        isocast_platform_free(p->items[k].platform);
        free(p->items[k].values);
    }
    free(p->items);
    free(p->subjects);
    free(p->variants);
    *p = (sweep_platforms){0};
}

/* What learning calls for each machine: puts in what is set by hand, and opens what varies. */
static isocast_status sweep_platforms_dress(sweep_platforms *p, isocast_machine *machine,
                                            isocast_diagnostics *diagnostics) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < p->settings->set.count && status == ISOCAST_OK; i++) {
        cli_loaded loaded = {.algorithm = p->loaded->algorithm, .machine = machine};
        isocast_setting one = {0};
        status = cli_apply_setting(p->settings->set.items[i], &loaded, diagnostics, &one);
        free(one.name);
    }
    for (size_t i = 0; i < p->design->axis_count && status == ISOCAST_OK; i++) {
        isocast_axis *axis = &p->design->axes[i];
        /* A machine for one row has parameters of its own, and so other indices. */
        isocast_varied of_row = axis->variable;
        isocast_varied *variable = p->row != NULL ? &of_row : &axis->variable;
        status = isocast_varied_open(variable, p->loaded->algorithm, machine, diagnostics);
        if (status == ISOCAST_OK && variable->kind == ISOCAST_VARIED_PARAMETER) {
            machine->parameters[variable->index].value =
                p->row != NULL ? p->row[i] : isocast_axis_at(axis, 0);
        }
    }
    return status;
}

/* The models as they are, for a sweep: *out, shape [count], stays until the next call. */
static void sweep_platforms_variants(sweep_platforms *p, const isocast_sweep_variant **out) {
    for (size_t k = 0; k < p->count; k++) {
        p->variants[k] = (isocast_sweep_variant){.values = p->items[k].values,
                                                 .model = p->subjects[k].model,
                                                 .systems = p->items[k].question.request.systems};
    }
    *out = p->variants;
}

/* Notes what all systems call, at the values of the design's first point. */
static isocast_status sweep_platforms_need_systems(sweep_platforms *p, const double *other_sizes) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < p->count; k++) {
        const isocast_prediction_request *request = &p->items[k].question.request;
        for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
            status = campaign_subject_need(&p->subjects[k], request->systems[i], NAN, other_sizes);
        }
    }
    return status;
}

/* What is looked at of a sweep. */
typedef struct look {
    sweep_platforms *platforms;
    const isocast_sweep_request *request;
    double *values;      /* [axis_count] */
    double *other_sizes; /* [size_count - 1] */
} look;

static size_t variant_of(const sweep_platforms *p, const double *values) {
    size_t found = 0;
    for (size_t k = 0; k < p->count; k++) {
        bool same = true;
        for (size_t i = 0; i < p->design->axis_count; i++) {
            same = same && (isnan(p->items[k].values[i]) || p->items[k].values[i] == values[i]);
        }
        found = same ? k : found;
    }
    return found;
}

static isocast_status need_row(look *l, const isocast_sweep_records *records, size_t k) {
    sweep_platforms *p = l->platforms;
    size_t further = isocast_model_algorithm(l->request->model)->size_count - 1;
    double N = isfinite(records->results.N[k]) ? records->results.N[k] : records->results.best_N[k];
    if (further > 0) {
        memcpy(l->other_sizes, l->request->other_sizes, further * sizeof *l->other_sizes);
    }
    for (size_t i = 0; i < p->design->axis_count; i++) {
        const isocast_varied *variable = &p->design->axes[i].variable;
        l->values[i] = records->values[i][k];
        if (variable->kind == ISOCAST_VARIED_SIZE) {
            l->other_sizes[variable->index - 1] = l->values[i];
        }
    }
    size_t variant = variant_of(p, l->values);
    p->row = l->values;
    isocast_status status = campaign_subject_need(&p->subjects[variant],
                                                  p->variants[variant].systems[records->system[k]],
                                                  N, further > 0 ? l->other_sizes : NULL);
    p->row = NULL;
    return status;
}

/* Notes what the rows of a sweep of these variants need, of very many a part. */
static isocast_status sweep_platforms_need_rows(sweep_platforms *p, const isocast_sweep *sweep) {
    isocast_sweep_request request = *isocast_sweep_request_of(sweep);
    isocast_sweep *looked_at = NULL;
    isocast_sweep_worker *worker = NULL;
    look l = {.platforms = p,
              .request = &request,
              .values = calloc(p->design->axis_count + 1, sizeof(double)),
              .other_sizes =
                  calloc(isocast_model_algorithm(request.model)->size_count, sizeof(double))};
    isocast_status status =
        l.values == NULL || l.other_sizes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    request.stride = ceil(isocast_sweep_rows(sweep) / rows_looked_at);
    CLI_THEN(status, isocast_sweep_create(&request, &looked_at));
    CLI_THEN(status, isocast_sweep_worker_create(looked_at, &worker));
    for (double b = 0; status == ISOCAST_OK && b < isocast_sweep_blocks(looked_at); b++) {
        isocast_sweep_records records;
        status = isocast_sweep_compute(worker, b, &records);
        for (size_t k = 0; status == ISOCAST_OK && k < records.count; k++) {
            status = need_row(&l, &records, k);
        }
    }
    isocast_sweep_worker_free(worker);
    isocast_sweep_free(looked_at);
    free(l.values);
    free(l.other_sizes);
    return status;
}

typedef struct planner {
    const cli_call *call;
    const sweep_texts *texts;
    sweep_plan *plan;
    cli_platform_question learning;
} planner;

/* Diagnostics of the command line. */
static int report(isocast_diagnostics *diagnostics, isocast_status status) {
    return cli_exit_with_text(diagnostics, status);
}

static bool is_same(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* A name that is varied twice, or set as well. */
static int check_names(const planner *p) {
    const isocast_design *design = &p->plan->design;
    for (size_t i = 0; i < design->axis_count; i++) {
        const char *name = design->axes[i].variable.name;
        for (size_t k = 0; k < i; k++) {
            if (is_same(name, design->axes[k].variable.name)) {
                return cli_usage_error(p->call->usage, "--vary gives %s twice", name);
            }
        }
        for (size_t k = 0; k < p->plan->loaded.setting_count; k++) {
            if (is_same(name, p->plan->loaded.settings[k].name)) {
                return cli_usage_error(p->call->usage, "%s is given by --set and by --vary", name);
            }
        }
        if (p->texts->prediction.set.marked_speed != NULL && cli_is_marked_speed(name)) {
            return cli_usage_error(p->call->usage, "%s is given by --marked-speed and by --vary",
                                   name);
        }
    }
    return CLI_EXIT_OK;
}

static const isocast_machine *machine_of(const planner *p) {
    const isocast_platform *platform = p->plan->loaded.platform;
    return platform != NULL ? platform->hardware : p->plan->loaded.machine;
}

static int read_axes(const planner *p) {
    isocast_design *design = &p->plan->design;
    const cli_list *vary = &p->texts->vary;
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_design_read("--design", p->texts->design, &diagnostics, design);
    design->seed = (uint64_t)p->texts->seed;
    design->axes = calloc(vary->count + 1, sizeof *design->axes);
    status = design->axes == NULL ? ISOCAST_NO_MEMORY : status;
    bool draws = p->texts->design != NULL;
    for (size_t i = 0; i < vary->count && !isocast_status_is_of_system(status); i++) {
        isocast_status one = isocast_axis_read(
            "--vary", vary->items[i], draws, p->plan->loaded.algorithm, machine_of(p),
            p->plan->loaded.platform, &diagnostics, &design->axes[design->axis_count]);
        design->axis_count += one == ISOCAST_OK;
        status = one != ISOCAST_OK ? one : status;
    }
    CLI_THEN(status, isocast_design_finish(design, draws ? "--design" : "--vary", &diagnostics));
    return report(&diagnostics, status);
}

/* Gives an exit status. */
static int warn_of_axes(const planner *p) {
    isocast_diagnostics diagnostics = {0};
    for (size_t i = 0; i < p->plan->design.axis_count; i++) {
        cli_warn_of_replaced_times("--vary", p->plan->design.axes[i].variable.name,
                                   p->plan->loaded.algorithm, machine_of(p), &diagnostics);
    }
    return cli_exit_with(&diagnostics, p->call->common.quiet, ISOCAST_OK);
}

/* Makes the names inputs, and binds the algorithm and the machine. */
static int open_axes(const planner *p) {
    cli_loaded *loaded = &p->plan->loaded;
    isocast_diagnostics diagnostics = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < p->plan->design.axis_count && status == ISOCAST_OK; i++) {
        status = isocast_varied_open(&p->plan->design.axes[i].variable, loaded->algorithm,
                                     loaded->machine, &diagnostics);
    }
    if (status != ISOCAST_OK) {
        return report(&diagnostics, status);
    }
    status = isocast_model_create(loaded->algorithm, loaded->machine, &diagnostics, &loaded->model);
    return cli_exit_with(&diagnostics, p->call->common.quiet, status);
}

/* The values of --at with one more for each size that varies, which is not asked for then. */
typedef struct sizes {
    const char **items; /* [count] */
    char **own;         /* [own_count] of them */
    size_t count, own_count;
} sizes;

static bool add_varied_sizes(const planner *p, sizes *out) {
    const cli_list *at = &p->texts->prediction.at;
    const isocast_design *design = &p->plan->design;
    out->items = calloc(at->count + design->axis_count + 1, sizeof *out->items);
    out->own = calloc(design->axis_count + 1, sizeof *out->own);
    bool good = out->items != NULL && out->own != NULL;
    for (size_t i = 0; good && i < at->count; i++) {
        out->items[out->count++] = at->items[i];
    }
    for (size_t i = 0; good && i < design->axis_count; i++) {
        const isocast_axis *axis = &design->axes[i];
        if (axis->variable.kind == ISOCAST_VARIED_SIZE) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s=", axis->variable.name);
            cli_number_format(isocast_axis_at(axis, 0), &text);
            out->own[out->own_count] = isocast_buffer_take(&text);
            good = out->own[out->own_count] != NULL;
            out->items[out->count++] = out->own[out->own_count++];
        }
    }
    return good;
}

static void sizes_free(sizes *s) {
    for (size_t i = 0; s->own != NULL && i < s->own_count; i++) {
        free(s->own[i]);
    }
    free(s->own);
    free(s->items);
}

/* The target or N of each question: the first one is read whole, of the others that alone. */
static int read_targets(const planner *p, const cli_prediction_values *values) {
    sweep_plan *plan = p->plan;
    plan->targets = calloc(values->count + 1, sizeof *plan->targets);
    if (plan->targets == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = cli_prediction_options_read(p->call->usage, &values->texts[0], plan->loaded.model,
                                             &plan->question);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    bool solves = !isnan(plan->question.request.efficiency);
    plan->targets[0] = solves ? plan->question.request.efficiency : plan->question.request.N;
    plan->target_count = 1;
    for (size_t k = 1; k < values->count && status == CLI_EXIT_OK; k++) {
        cli_prediction_texts text = values->texts[k];
        cli_prediction_options one = {0};
        text.to = NULL;
        text.line = true;
        status = cli_prediction_options_read(p->call->usage, &text, plan->loaded.model, &one);
        plan->targets[k] = solves ? one.request.efficiency : one.request.N;
        if (status == CLI_EXIT_OK && solves && !(plan->targets[k] > 0)) {
            status = cli_usage_error(p->call->usage, "--efficiency must be above 0, not %.10g",
                                     plan->targets[k]);
        }
        plan->target_count += status == CLI_EXIT_OK;
        cli_prediction_options_free(&one);
    }
    return status;
}

/* Whether it is said what to hold, or at which sizes. */
static int check_question(const planner *p) {
    const cli_prediction_texts *texts = &p->texts->prediction;
    const char *name = p->plan->loaded.algorithm->sizes[0].name;
    size_t length = strlen(name);
    bool has_N = false;
    for (size_t i = 0; i < texts->at.count; i++) {
        const char *part = texts->at.items[i];
        while (part != NULL) {
            has_N = has_N || (strncmp(part, name, length) == 0 && part[length] == '=');
            part = strchr(part, ',');
            part = part != NULL ? part + 1 : NULL;
        }
    }
    if (texts->efficiency_text == NULL && isnan(texts->speed) && !has_N) {
        return cli_usage_error(p->call->usage,
                               "say what to hold constant, --efficiency E (or --speed SPEED with "
                               "--metric isospeed), or the size: --at %s=NUMBER",
                               name);
    }
    return CLI_EXIT_OK;
}

/* The systems of each platform; their marked speeds may differ. */
static int read_systems(const planner *p, const cli_prediction_texts *texts) {
    sweep_platforms *platforms = &p->plan->platforms;
    int status = CLI_EXIT_OK;
    for (size_t k = 0; k < platforms->count && status == CLI_EXIT_OK; k++) {
        status = cli_prediction_options_read(p->call->usage, texts, platforms->subjects[k].model,
                                             &platforms->items[k].question);
    }
    return status;
}

static int read_question(const planner *p) {
    int status = check_question(p);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    sizes at = {0};
    cli_prediction_texts texts = p->texts->prediction;
    cli_prediction_values values = {0};
    status = add_varied_sizes(p, &at) ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
    if (status == CLI_EXIT_OK) {
        texts.at = (cli_list){at.items, at.count};
        status =
            cli_prediction_values_read(p->call->usage, &texts, p->plan->loaded.algorithm, &values);
    }
    CLI_THEN(status, read_targets(p, &values));
    CLI_THEN(status, read_systems(p, &values.texts[0]));
    cli_prediction_values_free(&values);
    sizes_free(&at);
    return status;
}

/* More rows of a platform would take long to look at, again and again. */
static const double rows_on_platforms = 1e5;

static int check_rows(const planner *p, double rows) {
    const sweep_plan *plan = p->plan;
    double most = plan->platforms.count > 0 ? rows_on_platforms : ISOCAST_SWEEP_ROWS_MAX;
    if (rows > most) {
        return cli_usage_error(p->call->usage,
                               "%.6g rows are too many (at most %g%s); points: %.6g, %s: %zu, "
                               "systems: %zu",
                               rows, most, plan->platforms.count > 0 ? " with --platform" : "",
                               plan->design.points,
                               isnan(plan->question.request.efficiency) ? "sizes" : "targets",
                               plan->target_count, plan->question.request.system_count);
    }
    return CLI_EXIT_OK;
}

static int create_sweep(const planner *p) {
    sweep_plan *plan = p->plan;
    const isocast_prediction_request *request = &plan->question.request;
    bool solves = !isnan(request->efficiency);
    isocast_sweep_request sweep = {.model = plan->loaded.model,
                                   .design = &plan->design,
                                   .metric = request->metric,
                                   .measure = request->systems[0]->measure,
                                   .systems = request->systems,
                                   .system_count = request->system_count,
                                   .targets = solves ? plan->targets : NULL,
                                   .N = solves ? NULL : plan->targets,
                                   .target_count = plan->target_count,
                                   .other_sizes = request->other_sizes};
    if (plan->platforms.count > 0) {
        sweep_platforms_variants(&plan->platforms, &sweep.variants);
        sweep.variant_count = plan->platforms.count;
    }
    int status = check_rows(p, isocast_sweep_rows_of(&sweep));
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_sweep_free(plan->sweep);
    plan->sweep = NULL;
    return cli_exit_of(isocast_sweep_create(&sweep, &plan->sweep));
}

/* An option with its value, where it was given. */
static void put_option(const char **line, int *count, const char *option, const char *value) {
    if (value != NULL) {
        line[(*count)++] = option;
        line[(*count)++] = value;
    }
}

static void put_list(const char **line, int *count, const char *option, const cli_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        put_option(line, count, option, list->items[i]);
    }
}

/* The command line in one order, without what does not change the rows. */
static int put_text(const planner *p) {
    const sweep_texts *t = p->texts;
    enum { SINGLE_OPTIONS = 10 };
    size_t options =
        SINGLE_OPTIONS + t->vary.count + t->prediction.at.count + t->prediction.set.set.count;
    const char **line = calloc(3 + 2 * options, sizeof *line);
    if (line == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_buffer seed = {0};
    isocast_buffer speed = {0};
    isocast_buffer_printf(&seed, "%ld", t->seed);
    cli_number_format(t->prediction.speed, &speed);
    int count = 0;
    line[count++] = p->call->usage->command;
    line[count++] = p->call->positional[0];
    if (t->platform.platform == NULL) {
        line[count++] = p->call->positional[1];
    }
    if (t->platform.laws) {
        line[count++] = "--laws";
    }
    put_option(line, &count, "--platform", t->platform.platform);
    put_option(line, &count, "--timings", t->platform.timings);
    put_list(line, &count, "--set", &t->prediction.set.set);
    put_option(line, &count, "--marked-speed", t->prediction.set.marked_speed);
    put_list(line, &count, "--vary", &t->vary);
    put_option(line, &count, "--design", t->design);
    put_option(line, &count, "--seed", t->design != NULL ? seed.text : NULL);
    put_option(line, &count, "--efficiency", t->prediction.efficiency_text);
    put_option(line, &count, "--speed", isnan(t->prediction.speed) ? NULL : speed.text);
    put_list(line, &count, "--at", &t->prediction.at);
    put_option(line, &count, "--to", t->prediction.to);
    put_option(line, &count, "--metric", t->prediction.metric);
    put_option(line, &count, "--size", t->prediction.size);
    json_t *text =
        seed.failed || speed.failed ? NULL : cli_command_line(count, (char *const *)line);
    p->plan->text = text != NULL ? strdup(json_string_value(text)) : NULL;
    json_decref(text);
    isocast_buffer_free(&seed);
    isocast_buffer_free(&speed);
    free(line);
    return p->plan->text != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
}

/* What was reported, if anything, becomes the exit status of the command. */
static isocast_status after(planner *p, int reported) {
    p->learning.exit = reported;
    return reported == CLI_EXIT_OK ? ISOCAST_OK : ISOCAST_ARGUMENT;
}

static isocast_status dress(void *context, const campaign_subject *subject,
                            isocast_machine *machine) {
    (void)subject;
    planner *p = context;
    isocast_diagnostics diagnostics = {0};
    isocast_status status = sweep_platforms_dress(&p->plan->platforms, machine, &diagnostics);
    return status == ISOCAST_OK ? status : after(p, report(&diagnostics, status));
}

static isocast_status need(void *context, bool first) {
    planner *p = context;
    sweep_plan *plan = p->plan;
    plan->loaded.machine = plan->platforms.subjects[0].machine;
    plan->loaded.model = plan->platforms.subjects[0].model;
    isocast_status status = first ? after(p, read_question(p)) : ISOCAST_OK;
    CLI_THEN(status, after(p, create_sweep(p)));
    if (status != ISOCAST_OK) {
        return status;
    }
    return first
               ? sweep_platforms_need_systems(&plan->platforms, plan->question.request.other_sizes)
               : sweep_platforms_need_rows(&plan->platforms, plan->sweep);
}

static int learn(planner *p) {
    sweep_plan *plan = p->plan;
    plan->platforms = (sweep_platforms){.usage = p->call->usage,
                                        .options = &p->texts->platform,
                                        .settings = &p->texts->prediction.set,
                                        .loaded = &plan->loaded,
                                        .design = &plan->design};
    p->learning = (cli_platform_question){.need = need, .dress = dress, .context = p};
    int status = sweep_platforms_create(&plan->platforms);
    CLI_THEN(status, cli_platform_learn(p->call, &p->texts->platform, &p->learning,
                                        plan->platforms.subjects, plan->platforms.count));
    if (status == CLI_EXIT_OK) {
        plan->loaded.machine = plan->platforms.subjects[0].machine;
        plan->loaded.model = plan->platforms.subjects[0].model;
        status = create_sweep(p);
    }
    return status;
}

static int load(const planner *p) {
    const cli_settings *set = &p->texts->prediction.set;
    cli_loaded *loaded = &p->plan->loaded;
    const char *platform = p->texts->platform.platform;
    if (platform == NULL) {
        return cli_load_apart_set(p->call->positional[0], p->call->positional[1], set,
                                  p->call->common.quiet, loaded);
    }
    int status =
        cli_load_on_platform(p->call->positional[0], cli_platform_kind(&p->texts->platform),
                             platform, p->call->common.quiet, loaded);
    return status == CLI_EXIT_OK ? cli_apply_settings(set, loaded) : status;
}

int sweep_plan_read(const cli_call *call, const sweep_texts *texts, sweep_plan *out) {
    planner p = {.call = call, .texts = texts, .plan = out};
    if (texts->vary.count == 0) {
        return cli_usage_error(call->usage,
                               "say what varies with --vary NAME=VALUES, such as --vary "
                               "t_c=1ns..5ns:log:9");
    }
    int status = load(&p);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status = read_axes(&p);
    CLI_THEN(status, check_names(&p));
    CLI_THEN(status, warn_of_axes(&p));
    if (out->loaded.platform != NULL) {
        CLI_THEN(status, learn(&p));
    } else {
        CLI_THEN(status, open_axes(&p));
        CLI_THEN(status, read_question(&p));
        CLI_THEN(status, create_sweep(&p));
    }
    return status == CLI_EXIT_OK ? put_text(&p) : status;
}

void sweep_plan_free(sweep_plan *plan) {
    isocast_sweep_free(plan->sweep);
    cli_prediction_options_free(&plan->question);
    for (size_t i = 0; i < plan->design.axis_count; i++) {
        isocast_axis_free(&plan->design.axes[i]);
    }
    free(plan->design.axes);
    free(plan->targets);
    free(plan->text);
    if (plan->loaded.platform != NULL) {
        plan->loaded.machine = NULL; /* the first platform's */
        plan->loaded.model = NULL;
    }
    sweep_platforms_free(&plan->platforms);
    cli_loaded_free(&plan->loaded);
}
