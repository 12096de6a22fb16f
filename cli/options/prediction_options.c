#include "prediction_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "metric_option.h"
#include "model/base/nearest.h"
#include "number.h"
#include "size_option.h"

void cli_prediction_options_table(cli_prediction_texts *texts, cli_option *options) {
    *texts = (cli_prediction_texts){.efficiency = NAN, .speed = NAN, .level = NAN};
    const cli_option rows[CLI_PREDICTION_OPTIONS + 1] = {
        {"--base", 0, CLI_OPTION_TEXT, "SYSTEM",
         "hold what the metric holds, such as the speed-efficiency, at its value on this system at "
         "the size of --at",
         &texts->base},
        {"--at", 0, CLI_OPTION_LIST, "SIZE=NUMBER",
         "a size of the problem, such as N=310: at the base, or else on every system; several "
         "sizes by "
         "commas or by repeating the option, several values as N=512..65536*2 or N=100,200",
         &texts->at},
        {"--efficiency", 0, CLI_OPTION_SHARES, "E",
         "hold this speed-efficiency E = W/(T C), such as 0.3 (several: 0.1..0.9+0.1 or "
         "0.2,0.4); or this efficiency, where --metric says so",
         &texts->efficiency_text},
        {"--to", 0, CLI_OPTION_TEXT, "SYSTEMS",
         "the systems to predict: names of the machine file (C4,C8), process counts where the "
         "machine has one node class (2..64*2), mixes (server:2+sunblade:7), 4x16 (4 processes on "
         "each of 16 nodes) or mixes of such sets (1x2+2x1)",
         &texts->to},
        {"--metric", 0, CLI_OPTION_TEXT, "METRIC", CLI_METRIC_HELP, &texts->metric},
        {"--speed", 0, CLI_OPTION_SPEED, "SPEED", CLI_SPEED_HELP, &texts->speed},
        {"--size", 0, CLI_OPTION_TEXT, "WHICH", CLI_SIZE_HELP, &texts->size},
        CLI_SET_OPTION(&texts->set),
        CLI_MARKED_SPEED_OPTION(&texts->set.marked_speed),
        {0}};
    memcpy(options, rows, sizeof rows);
}

void cli_prediction_texts_free(cli_prediction_texts *texts) {
    free(texts->at.items);
    free(texts->set.set.items);
}

typedef struct reader {
    const cli_usage *usage;
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    cli_prediction_options *question;
} reader;

static int no_memory(void) {
    return cli_exit_of(ISOCAST_NO_MEMORY);
}

/* The sizes with what they are: "N (matrix rank), K". */
static int unknown_size(const reader *r, const char *name) {
    const isocast_algorithm *algorithm = r->algorithm;
    isocast_buffer known = {0};
    const char **names = calloc(algorithm->size_count + 1, sizeof *names);
    const char *nearest = NULL;
    for (size_t i = 0; names != NULL && i < algorithm->size_count; i++) {
        const isocast_size *size = &algorithm->sizes[i];
        names[i] = size->name;
        isocast_buffer_printf(&known, "%s%s", i == 0 ? "" : ", ", size->name);
        if (size->description != NULL) {
            isocast_buffer_printf(&known, " (%s)", size->description);
        }
    }
    if (names != NULL) {
        nearest = isocast_nearest_name(name, names, algorithm->size_count);
    }
    bool failed = names == NULL || known.failed;
    int status =
        failed ? no_memory()
               : cli_usage_error(r->usage, "%s has no size '%s'%s%s%s; its size%s %s",
                                 algorithm->name, name, nearest != NULL ? " (did you mean '" : "",
                                 nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "",
                                 algorithm->size_count == 1 ? " is" : "s are", known.text);
    free(names);
    isocast_buffer_free(&known);
    return status;
}

static int set_size(const reader *r, const char *name, const char *text) {
    const isocast_algorithm *algorithm = r->algorithm;
    size_t i = 0;
    while (i < algorithm->size_count && strcmp(algorithm->sizes[i].name, name) != 0) {
        i++;
    }
    if (i == algorithm->size_count) {
        return unknown_size(r, name);
    }
    const isocast_size *size = &algorithm->sizes[i];
    double value;
    if (!cli_number_parse(text, &value)) {
        return cli_usage_error(r->usage, "--at %s= takes a number, not '%s'", name, text);
    }
    if (!isnan(r->question->sizes[i])) {
        return cli_usage_error(r->usage, "--at gives %s twice", name);
    }
    if (value < size->min) {
        return cli_usage_error(r->usage, "%s = %.10g is below its minimum, %.10g", name, value,
                               size->min);
    }
    if (value > size->max) {
        return cli_usage_error(r->usage, "%s = %.10g is above its maximum, %.10g", name, value,
                               size->max);
    }
    r->question->sizes[i] = value;
    return CLI_EXIT_OK;
}

/* One "N=310"; changes the text. */
static int read_size(const reader *r, char *text) {
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return cli_usage_error(r->usage,
                               "--at takes a size and a number, such as %s=1000, not '%s'",
                               r->algorithm->sizes[0].name, text);
    }
    *equals = '\0';
    return set_size(r, text, equals + 1);
}

static int read_sizes(const reader *r, const cli_list *at) {
    size_t count = r->algorithm->size_count;
    double *sizes = calloc(count + 1, sizeof *sizes);
    if (sizes == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < count; i++) {
        sizes[i] = NAN;
    }
    r->question->sizes = sizes;
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < at->count; i++) {
        char *copy = strdup(at->items[i]);
        char *rest = copy;
        if (copy == NULL) {
            return no_memory();
        }
        while (status == CLI_EXIT_OK && rest != NULL) {
            status = read_size(r, strsep(&rest, ","));
        }
        free(copy);
    }
    return status;
}

/* Reads a list of systems; whatever is wrong with it is a slip on the command line. */
static int read_systems(const reader *r, const char *label, const char *text,
                        isocast_system ***systems, size_t *count) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_systems_parse(r->machine, r->algorithm->kernel, label, text,
                                                  &diagnostics, systems, count);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
}

static int read_base(const reader *r, const char *text) {
    cli_prediction_options *question = r->question;
    int status = read_systems(r, "--base", text, &question->base, &question->base_count);
    if (status == CLI_EXIT_OK && question->base_count != 1) {
        return cli_usage_error(r->usage, "--base takes one system, not %zu", question->base_count);
    }
    if (status == CLI_EXIT_OK) {
        question->request.base = question->base[0];
    }
    return status;
}

/* Is it one of: base and size; efficiency; size? */
static int check_combination(const reader *r, const cli_prediction_texts *texts) {
    const char *name = r->algorithm->sizes[0].name;
    bool has_N = !isnan(r->question->sizes[0]);
    const char *option = isnan(texts->efficiency) ? "--speed" : "--efficiency";
    double target = isnan(texts->efficiency) ? texts->speed : texts->efficiency;
    bool has_efficiency = !isnan(target);
    if (texts->base != NULL && has_efficiency) {
        return cli_usage_error(r->usage,
                               "--base and %s exclude each other: the base gives the %s; to have "
                               "psi from %s, name it first in --to",
                               option, option + 2, texts->base);
    }
    if (has_efficiency && target <= 0) {
        return cli_usage_error(r->usage,
                               "%s must be above 0, not %.10g; a comma parts several values, and "
                               "0.3 has a point",
                               option, target);
    }
    if (has_efficiency && has_N) {
        return cli_usage_error(
            r->usage,
            "%s is held by solving for %s, so --at %s=%.10g cannot be given with "
            "it",
            option, name, name, r->question->sizes[0]);
    }
    if (texts->base != NULL && !has_N) {
        return cli_usage_error(r->usage, "--base %s needs the size there: --at %s=NUMBER",
                               texts->base, name);
    }
    bool speed = isocast_metric_row_of(r->question->request.metric)->unit[0] != '\0';
    if (!has_N && !has_efficiency) {
        return cli_usage_error(r->usage,
                               "say what to hold constant: --base SYSTEM --at %s=NUMBER (the "
                               "%s there), %s, or --at %s=NUMBER (the size)",
                               name, speed ? "average speed" : "efficiency",
                               speed ? "--speed SPEED" : "--efficiency E", name);
    }
    return CLI_EXIT_OK;
}

static int check_other_sizes(const reader *r) {
    for (size_t i = 1; i < r->algorithm->size_count; i++) {
        if (isnan(r->question->sizes[i])) {
            const isocast_size *size = &r->algorithm->sizes[i];
            return cli_usage_error(r->usage, "%s also needs %s%s%s%s: --at %s=NUMBER",
                                   r->algorithm->name, size->name,
                                   size->description != NULL ? " (" : "",
                                   size->description != NULL ? size->description : "",
                                   size->description != NULL ? ")" : "", size->name);
        }
    }
    return CLI_EXIT_OK;
}

int cli_prediction_options_read(const cli_usage *usage, const cli_prediction_texts *texts,
                                const isocast_model *model, cli_prediction_options *out) {
    reader r = {.usage = usage,
                .algorithm = isocast_model_algorithm(model),
                .machine = isocast_model_machine(model),
                .question = out};
    if (texts->to == NULL && !texts->line) {
        return cli_usage_error(usage,
                               "say which systems to predict with --to SYSTEMS, such as --to %s",
                               r.machine->system_count > 0 ? r.machine->systems[0].name : "2,4,8");
    }
    if (!isnan(texts->level) && !(texts->level > 0 && texts->level < 1)) {
        return cli_usage_error(usage, "--level must be above 0 and below 1, such as 0.9");
    }
    out->request.level = isnan(texts->level) ? ISOCAST_LEVEL : texts->level;
    double target = NAN;
    int status = cli_metric_read(usage, texts->metric, &out->request.metric);
    if (status == CLI_EXIT_OK) {
        status =
            cli_metric_target(usage, out->request.metric, texts->efficiency, texts->speed, &target);
    }
    status = status == CLI_EXIT_OK ? read_sizes(&r, &texts->at) : status;
    status = status == CLI_EXIT_OK && !texts->line ? check_combination(&r, texts) : status;
    status = status == CLI_EXIT_OK ? check_other_sizes(&r) : status;
    if (status == CLI_EXIT_OK && texts->base != NULL) {
        status = read_base(&r, texts->base);
    }
    if (status == CLI_EXIT_OK && texts->to != NULL) {
        status = read_systems(&r, "--to", texts->to, &out->systems, &out->request.system_count);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_size_apply(usage, texts->size, r.machine, out->base, out->base_count);
    }
    if (status == CLI_EXIT_OK) {
        status =
            cli_size_apply(usage, texts->size, r.machine, out->systems, out->request.system_count);
    }
    if (status == CLI_EXIT_OK) {
        out->request.N = out->sizes[0];
        out->request.other_sizes = r.algorithm->size_count > 1 ? out->sizes + 1 : NULL;
        out->request.efficiency = target;
        out->request.systems = (const isocast_system *const *)out->systems;
    }
    return status;
}

void cli_prediction_options_free(cli_prediction_options *question) {
    isocast_systems_free(question->base, question->base_count);
    isocast_systems_free(question->systems, question->request.system_count);
    free(question->sizes);
}
