#include "prediction_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "model/base/nearest.h"
#include "number.h"
#include "word_option.h"

enum { QUESTIONS_MAX = 10000 };

/* The parts of all --at, "NAME=LIST", with the commas of a list inside. */
typedef struct sizes {
    char **parts; /* [count], owned */
    size_t count;
} sizes;

static void sizes_free(sizes *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->parts[i]);
    }
    free(s->parts);
}

static bool add_part(sizes *s, const char *begin, size_t length) {
    char **parts = realloc(s->parts, (s->count + 1) * sizeof(char *));
    if (parts == NULL) {
        return false;
    }
    s->parts = parts;
    parts[s->count] = strndup(begin, length);
    return parts[s->count] != NULL && ++s->count > 0;
}

/* A part without "=" goes on with the list before it. */
static bool split(const char *text, sizes *out) {
    const char *begin = text;
    while (*begin != '\0') {
        const char *end = begin;
        const char *next;
        do {
            end += strcspn(end, ",");
            next = *end == ',' ? end + 1 : end;
            size_t word = strcspn(next, ",=");
            if (*next == '\0' || next[word] == '=' || next == end) {
                break;
            }
            end = next;
        } while (true);
        if (!add_part(out, begin, (size_t)(end - begin))) {
            return false;
        }
        if (*end == ',' && end[1] == '\0') {
            return add_part(out, "", 0);
        }
        begin = *end == ',' ? end + 1 : end;
    }
    return true;
}

/* The part that gives the first size; `count` where there is none. */
static size_t first_size(const sizes *s, const isocast_algorithm *algorithm) {
    const char *name = algorithm->sizes[0].name;
    size_t i = 0;
    while (i < s->count &&
           (strncmp(s->parts[i], name, strlen(name)) != 0 || s->parts[i][strlen(name)] != '=')) {
        i++;
    }
    return i;
}

int cli_numbers_read(const char *label, const char *text, double **values, size_t *count) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_numbers_parse(label, text, &diagnostics, values, count);
    return cli_exit_with_text(&diagnostics, status);
}

/* "N=512" for each number, and what the other parts say. */
static bool fill_sizes(const sizes *s, size_t first, const char *name, const double *N,
                       cli_prediction_values *out) {
    out->items = calloc(out->count * s->count + 1, sizeof(const char *));
    out->kept = calloc(out->count + s->count + 1, sizeof(char *));
    if (out->items == NULL || out->kept == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        out->kept[out->kept_count] = strdup(s->parts[i]);
        if (out->kept[out->kept_count++] == NULL) {
            return false;
        }
    }
    for (size_t k = 0; k < out->count; k++) {
        const char **items = out->items + k * s->count;
        for (size_t i = 0; i < s->count; i++) {
            items[i] = out->kept[i];
        }
        if (N != NULL) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text, "%s=", name);
            cli_number_format(N[k], &text);
            out->kept[out->kept_count] = isocast_buffer_take(&text);
            items[first] = out->kept[out->kept_count];
            if (out->kept[out->kept_count++] == NULL) {
                return false;
            }
        }
        out->texts[k].at = (cli_list){items, s->count};
    }
    return true;
}

static int fill(const cli_usage *usage, const cli_prediction_texts *texts,
                const isocast_algorithm *algorithm, const sizes *s, cli_prediction_values *out) {
    const char *name = algorithm->sizes[0].name;
    size_t first = first_size(s, algorithm);
    double *efficiencies = NULL;
    double *N = NULL;
    size_t efficiency_count = 1;
    size_t N_count = 1;
    int status = CLI_EXIT_OK;
    if (texts->efficiency_text != NULL) {
        status = cli_numbers_read("--efficiency", texts->efficiency_text, &efficiencies,
                                  &efficiency_count);
    }
    const char *list = first < s->count ? s->parts[first] + strlen(name) + 1 : NULL;
    double one;
    if (status == CLI_EXIT_OK && list != NULL && !cli_number_parse(list, &one)) {
        status = cli_numbers_read("--at", list, &N, &N_count);
    }
    if (status == CLI_EXIT_OK && efficiency_count > 1 && list != NULL) {
        status = cli_usage_error(usage,
                                 "--efficiency is held by solving for %s, so --at %s cannot be "
                                 "given with it",
                                 name, s->parts[first]);
    }
    out->count = efficiency_count > N_count ? efficiency_count : N_count;
    if (status == CLI_EXIT_OK && out->count > QUESTIONS_MAX) {
        status = cli_usage_error(usage, "%zu values are too many (at most %d)", out->count,
                                 QUESTIONS_MAX);
    }
    out->texts = status == CLI_EXIT_OK ? calloc(out->count, sizeof *out->texts) : NULL;
    for (size_t k = 0; out->texts != NULL && k < out->count; k++) {
        out->texts[k] = *texts;
        out->texts[k].efficiency = efficiencies != NULL ? efficiencies[k] : NAN;
    }
    if (status == CLI_EXIT_OK && (out->texts == NULL || !fill_sizes(s, first, name, N, out))) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(efficiencies);
    free(N);
    return status;
}

int cli_prediction_values_read(const cli_usage *usage, const cli_prediction_texts *texts,
                               const isocast_algorithm *algorithm, cli_prediction_values *out) {
    sizes s = {0};
    bool read = true;
    for (size_t i = 0; i < texts->at.count && read; i++) {
        read = texts->at.items[i][0] != '\0' ? split(texts->at.items[i], &s)
                                             : add_part(&s, texts->at.items[i], 0);
    }
    int status = read ? fill(usage, texts, algorithm, &s, out) : cli_exit_of(ISOCAST_NO_MEMORY);
    sizes_free(&s);
    return status;
}

void cli_prediction_values_free(cli_prediction_values *values) {
    for (size_t i = 0; i < values->kept_count; i++) {
        free(values->kept[i]);
    }
    free(values->kept);
    free(values->items);
    free(values->texts);
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
    double *values = calloc(count + 1, sizeof *values);
    if (values == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = NAN;
    }
    r->question->sizes = values;
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

static int read_base(const reader *r, const char *text) {
    cli_prediction_options *question = r->question;
    int status = cli_systems_read("--base", text, r->machine, r->algorithm->kernel, &question->base,
                                  &question->base_count);
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
            return cli_size_missing(r->usage, r->algorithm, size, "--at");
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
    CLI_THEN(status, read_sizes(&r, &texts->at));
    status = status == CLI_EXIT_OK && !texts->line ? check_combination(&r, texts) : status;
    CLI_THEN(status, check_other_sizes(&r));
    if (status == CLI_EXIT_OK && texts->base != NULL) {
        status = read_base(&r, texts->base);
    }
    if (status == CLI_EXIT_OK && texts->to != NULL) {
        status = cli_systems_read("--to", texts->to, r.machine, r.algorithm->kernel, &out->systems,
                                  &out->request.system_count);
    }
    CLI_THEN(status, cli_size_apply(usage, texts->size, r.machine, out->base, out->base_count));
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
