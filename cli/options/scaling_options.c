#include "scaling_options.h"

#include <math.h>
#include <string.h>

#include "exit.h"
#include "model/base/dimension.h"
#include "number.h"
#include "word_option.h"

typedef struct reader {
    const cli_usage *usage;
    const cli_prediction_texts *others;
    const isocast_algorithm *algorithm;
    const isocast_machine *machine;
    const cli_prediction_options *question;
} reader;

static bool spells(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* The lines by their names; a size's own name and N/p, W/p and T mean the same. */
static bool find_line(const reader *r, const char *text, size_t length, isocast_line *line) {
    const char *size = r->algorithm->sizes[0].name;
    size_t letters = strlen(size);
    for (int i = 0; i < ISOCAST_LINE_COUNT; i++) {
        if (spells(text, length, isocast_line_word((isocast_line)i))) {
            *line = (isocast_line)i;
            return true;
        }
    }
    if (spells(text, length, size)) {
        *line = ISOCAST_LINE_SIZE;
    } else if (length == letters + 2 && strncmp(text, size, letters) == 0 &&
               strncmp(text + letters, "/p", 2) == 0) {
        *line = ISOCAST_LINE_SIZE_PER_PROCESS;
    } else if (spells(text, length, "W/p")) {
        *line = ISOCAST_LINE_WORK_PER_PROCESS;
    } else if (spells(text, length, "T")) {
        *line = ISOCAST_LINE_TIME;
    } else {
        return false;
    }
    return true;
}

static int unknown_line(const reader *r, const char *text) {
    static const isocast_line lines[] = {ISOCAST_LINE_SIZE,
                                         ISOCAST_LINE_SIZE_PER_PROCESS,
                                         ISOCAST_LINE_WORK_PER_PROCESS,
                                         ISOCAST_LINE_MEMORY_PER_PROCESS,
                                         ISOCAST_LINE_MEMORY,
                                         ISOCAST_LINE_TIME};
    enum { LINES = sizeof lines / sizeof lines[0] };
    const char *words[LINES];
    for (size_t i = 0; i < LINES; i++) {
        words[i] = isocast_line_word(lines[i]);
    }
    return cli_word_refuse(r->usage, "--fixed", text, words, LINES);
}

/* The SI unit's dimension; a count's for "". */
static isocast_dimension dimension_of(isocast_line line) {
    isocast_dimension dimension = isocast_dimension_count;
    const char *unit = isocast_line_unit(line);
    if (unit[0] != '\0') {
        isocast_unit_dimension(unit, &dimension);
    }
    return dimension;
}

/* "60s", "64 MB", "1e9" (SI) as a level of the line. */
static int read_level(const reader *r, isocast_line line, const char *text, double *level) {
    const char *end;
    const char *unit = isocast_line_unit(line);
    double factor = 1;
    bool known = cli_number_scan(text, level, &end);
    end += known ? strspn(end, " ") : 0;
    if (known && *end != '\0') {
        isocast_dimension dimension;
        known = isocast_unit_parse(end, strlen(end), &factor, &dimension, NULL) &&
                isocast_dimension_equal(dimension, dimension_of(line));
    }
    *level *= factor;
    if (!known || !(*level > 0) || !isfinite(*level)) {
        return cli_usage_error(r->usage, "--fixed %s= takes a number above 0%s%s, not '%s'",
                               isocast_line_word(line),
                               unit[0] != '\0' ? " with a unit such as " : "", unit, text);
    }
    return CLI_EXIT_OK;
}

static int read_fixed(const reader *r, const char *text, isocast_scaling_request *out) {
    size_t length = strcspn(text, "=");
    if (!find_line(r, text, length, &out->line)) {
        return unknown_line(r, text);
    }
    out->level = NAN;
    if (text[length] == '\0') {
        return CLI_EXIT_OK;
    }
    if (out->line == ISOCAST_LINE_MEMORY) {
        return cli_usage_error(r->usage, "--fixed memory is all that each system has; to give a "
                                         "number of bytes, use memory-per-process=");
    }
    return read_level(r, out->line, text + length + 1, &out->level);
}

/* Is there one level, and no more? */
static int check_level(const reader *r, isocast_scaling_request *out) {
    const char *word = isocast_line_word(out->line);
    const char *size = r->algorithm->sizes[0].name;
    bool has_base = r->question->request.base != NULL;
    bool has_N = !isnan(r->question->sizes[0]);
    bool has_level = !isnan(out->level);
    if (has_level && (has_base || has_N)) {
        return cli_usage_error(r->usage,
                               "--fixed %s= gives what is held, so --base and --at %s= do not go "
                               "with it",
                               word, size);
    }
    if (has_base && !has_N) {
        return cli_usage_error(r->usage, "--base %s needs the size there: --at %s=NUMBER",
                               r->others->base, size);
    }
    if (has_level || has_base) {
        return CLI_EXIT_OK;
    }
    if (out->line == ISOCAST_LINE_SIZE && has_N) {
        out->level = r->question->sizes[0];
        return CLI_EXIT_OK;
    }
    if (out->line == ISOCAST_LINE_MEMORY && !has_N) {
        return CLI_EXIT_OK;
    }
    if (has_N) {
        return cli_usage_error(r->usage,
                               "--fixed %s with --at %s= needs the system that has this "
                               "size: --base SYSTEM",
                               word, size);
    }
    return cli_usage_error(r->usage,
                           "say how much --fixed %s holds: --base SYSTEM --at %s=NUMBER (as it is "
                           "there), or --fixed %s=VALUE",
                           word, size, word);
}

static int read_line(const reader *r, const char *text, isocast_scaling_request *out) {
    int status = read_fixed(r, text, out);
    bool needs_memory =
        out->line == ISOCAST_LINE_MEMORY || out->line == ISOCAST_LINE_MEMORY_PER_PROCESS;
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (!isnan(r->others->efficiency)) {
        return cli_usage_error(r->usage, "--fixed and --efficiency exclude each other: each says "
                                         "what is held");
    }
    if (r->others->to == NULL) {
        return cli_usage_error(r->usage, "say which systems to predict with --to SYSTEMS");
    }
    if (needs_memory && r->algorithm->memory == NULL) {
        return cli_usage_error(r->usage,
                               "%s does not say how much memory a process needs, so --fixed %s has "
                               "no meaning; add the key 'memory' to its file",
                               r->algorithm->name, isocast_line_word(out->line));
    }
    status = check_level(r, out);
    const isocast_prediction_request *question = &r->question->request;
    out->base = question->base;
    out->N = question->base != NULL ? question->N : NAN;
    out->other_sizes = question->other_sizes;
    out->systems = question->systems;
    out->system_count = question->system_count;
    return status;
}

/* The systems to choose from: a list, or the counts up to one number. */
static int read_candidates(const reader *r, isocast_choice_request *out) {
    const isocast_prediction_request *question = &r->question->request;
    const isocast_node_class *node = &r->machine->classes[0];
    bool alike = r->machine->class_count == 1;
    double most = alike ? node->count * node->processors : NAN;
    bool is_count =
        question->system_count == 1 && alike && cli_number_parse(question->systems[0]->name, &most);
    if (r->others->to != NULL && !is_count) {
        out->systems = question->systems;
        out->system_count = question->system_count;
        return CLI_EXIT_OK;
    }
    if (!alike) {
        return cli_usage_error(
            r->usage,
            "%s has several node classes, so a number of processes does not "
            "determine which are used; give the systems to choose from with --to",
            r->machine->name);
    }
    out->most = most;
    return CLI_EXIT_OK;
}

static int read_choice(const reader *r, const char *text, isocast_choice_request *out) {
    const char *size = r->algorithm->sizes[0].name;
    if (strcmp(text, "least-time") == 0) {
        out->goal = ISOCAST_CHOICE_LEAST_TIME;
    } else if (strcmp(text, "most") == 0) {
        out->goal = ISOCAST_CHOICE_MOST;
    } else {
        static const char *const words[] = {"least-time", "most"};
        return cli_word_refuse(r->usage, "--processes", text, words, 2);
    }
    if (r->question->request.base != NULL) {
        return cli_usage_error(r->usage, "--processes is asked at one size: --base does not go "
                                         "with it");
    }
    if (isnan(r->question->sizes[0])) {
        return cli_usage_error(r->usage, "--processes %s needs the size: --at %s=NUMBER", text,
                               size);
    }
    out->efficiency = r->others->efficiency;
    if (!isnan(out->efficiency) && out->efficiency <= 0) {
        return cli_usage_error(r->usage, "--efficiency must be above 0, not %.10g",
                               out->efficiency);
    }
    if (out->goal == ISOCAST_CHOICE_MOST && isnan(out->efficiency)) {
        return cli_usage_error(r->usage, "--processes most needs the limit that E keeps: "
                                         "--efficiency E");
    }
    out->N = r->question->request.N;
    out->other_sizes = r->question->request.other_sizes;
    return read_candidates(r, out);
}

int cli_scaling_options_read(const cli_usage *usage, const cli_scaling_texts *texts,
                             const cli_prediction_texts *others, const isocast_model *model,
                             const cli_prediction_options *question, cli_scaling_options *out) {
    reader r = {.usage = usage,
                .others = others,
                .algorithm = isocast_model_algorithm(model),
                .machine = isocast_model_machine(model),
                .question = question};
    *out = (cli_scaling_options){.is_choice = texts->processes != NULL};
    if (others->metric != NULL || !isnan(others->speed)) {
        return cli_usage_error(usage, "--metric and --speed say what is held; --%s does, too",
                               out->is_choice ? "processes" : "fixed");
    }
    if (texts->fixed != NULL && texts->processes != NULL) {
        return cli_usage_error(usage,
                               "--fixed and --processes are two questions: give one of them");
    }
    if (texts->processes != NULL) {
        return read_choice(&r, texts->processes, &out->choice);
    }
    return read_line(&r, texts->fixed != NULL ? texts->fixed : "", &out->scaling);
}
