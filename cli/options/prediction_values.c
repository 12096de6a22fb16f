#include "prediction_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "number.h"

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
    status = cli_diagnostics_tell(&diagnostics, false, status);
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
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
