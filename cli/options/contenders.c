#include "contenders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "locate.h"
#include "model/base/source_read.h"
#include "spec_kind.h"

/* The positional arguments, distinguished. */
typedef struct sorted {
    const char *algorithms[CLI_CONTENDERS_MAX];
    size_t algorithm_count;
    const char *machines[CLI_CONTENDERS_MAX]; /* and platforms */
    bool is_platform[CLI_CONTENDERS_MAX];
    size_t machine_count;
    size_t given; /* of these, by positional arguments: the first ones */
} sorted;

/* Reports why a file is nothing that can be compared. *held: a machine file holds its platform. */
static int read_kind(const char *path, cli_kind *kind, bool *held) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, &diagnostics, &source);
    CLI_THEN(status, cli_spec_kind_of(source, &diagnostics, kind));
    isocast_source_free(source);
    CLI_THEN(status, cli_spec_holds_platform(path, held));
    /* Loading the file states its warnings. */
    return cli_exit_with(&diagnostics, true, status);
}

static int sort_name(const cli_usage *usage, const char *name, bool laws, sorted *out) {
    if (strcmp(name, "-") == 0) {
        return cli_usage_error(usage, "standard input cannot be compared; give files or names");
    }
    char *path = NULL;
    int status = cli_locate_any_spec(name, &path);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    /* Nothing of that name: this shows what may be meant. */
    char *algorithm = NULL;
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        status = cli_locate_spec(CLI_SPEC_ALGORITHM, name, &algorithm);
        free(algorithm);
    }
    if (status != CLI_EXIT_OK) {
        free(path);
        return status;
    }
    cli_kind kind = CLI_KIND_UNKNOWN;
    bool held = false;
    status = read_kind(path, &kind, &held);
    free(path);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    bool is_machine = kind == CLI_KIND_MACHINE || kind == CLI_KIND_PLATFORM;
    size_t *count = is_machine ? &out->machine_count : &out->algorithm_count;
    if (*count == CLI_CONTENDERS_MAX) {
        return cli_usage_error(usage, "at most %d are compared", CLI_CONTENDERS_MAX);
    }
    if (is_machine) {
        out->is_platform[*count] = held && !laws;
    }
    (is_machine ? out->machines : out->algorithms)[(*count)++] = name;
    return CLI_EXIT_OK;
}

static int add_platforms(const cli_usage *usage, const cli_list *platforms, sorted *out) {
    for (size_t i = 0; i < platforms->count; i++) {
        if (out->machine_count == CLI_CONTENDERS_MAX) {
            return cli_usage_error(usage, "at most %d are compared", CLI_CONTENDERS_MAX);
        }
        out->is_platform[out->machine_count] = true;
        out->machines[out->machine_count++] = platforms->items[i];
    }
    return CLI_EXIT_OK;
}

static char *name_of(const sorted *s, const cli_loaded *loaded) {
    isocast_buffer name = {0};
    const char *machine =
        loaded->platform != NULL ? loaded->platform->hardware->name : loaded->machine->name;
    if (s->machine_count == 1) {
        isocast_buffer_puts(&name, loaded->algorithm->name);
    } else if (s->algorithm_count == 1) {
        isocast_buffer_puts(&name, machine);
    } else {
        isocast_buffer_printf(&name, "%s on %s", loaded->algorithm->name, machine);
    }
    return isocast_buffer_take(&name);
}

static int load_pair(const cli_usage *usage, const sorted *s, size_t algorithm, size_t machine,
                     const cli_settings *settings, size_t *known, isocast_diagnostics *reported,
                     const char *to, bool quiet, cli_contenders *out) {
    cli_contender *c = &out->items[out->count];
    bool is_platform = s->is_platform[machine];
    const cli_spec_kind kind = machine < s->given ? CLI_SPEC_MACHINE : CLI_SPEC_PLATFORM;
    const char *names[] = {s->algorithms[algorithm], s->machines[machine]};
    int status = is_platform ? cli_load_on_platform(names[0], kind, names[1], quiet, &c->loaded)
                             : cli_load_apart(names[0], names[1], quiet, &c->loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    out->count++;
    status = cli_apply_known_settings(settings, &c->loaded, known, reported);
    const isocast_algorithm *a = c->loaded.algorithm;
    if (status == CLI_EXIT_OK && a->size_count > 1) {
        return cli_size_missing(usage, a, &a->sizes[1], "--set");
    }
    status = status == CLI_EXIT_OK && !is_platform ? cli_load_bind(&c->loaded, quiet) : status;
    CLI_THEN(status, cli_systems_read(
                         "--to", to, is_platform ? c->loaded.platform->hardware : c->loaded.machine,
                         a->kernel, &c->systems, &out->system_count));
    if (status == CLI_EXIT_OK) {
        c->name = name_of(s, &c->loaded);
        status = c->name == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : status;
    }
    return status;
}

static int load_all(const cli_usage *usage, const sorted *s, const cli_settings *settings,
                    const char *to, bool quiet, cli_contenders *out) {
    size_t *known = calloc(settings->set.count + 1, sizeof *known);
    if (known == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    isocast_diagnostics reported = {0};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < s->algorithm_count; i++) {
        for (size_t k = 0; k < s->machine_count && status == CLI_EXIT_OK; k++) {
            status = load_pair(usage, s, i, k, settings, known, &reported, to, quiet, out);
        }
    }
    CLI_THEN(status, cli_check_settings_known(settings, known, &reported));
    isocast_diagnostics_clear(&reported);
    free(known);
    return status;
}

int cli_contenders_load(const cli_usage *usage, const char *const *names, size_t count,
                        const cli_list *platforms, bool laws, const cli_settings *settings,
                        const char *to, bool quiet, cli_contenders *out) {
    sorted s = {0};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        status = sort_name(usage, names[i], laws, &s);
    }
    s.given = s.machine_count;
    CLI_THEN(status, add_platforms(usage, platforms, &s));
    if (status == CLI_EXIT_OK && (s.algorithm_count == 0 || s.machine_count == 0)) {
        return cli_usage_error(usage, "compare takes algorithms and machines; there is no %s here",
                               s.algorithm_count == 0 ? "algorithm" : "machine, and no --platform");
    }
    size_t pairs = s.algorithm_count * s.machine_count;
    if (status == CLI_EXIT_OK && (pairs < 2 || pairs > CLI_CONTENDERS_MAX)) {
        return cli_usage_error(usage,
                               "each algorithm runs on each machine, and 2 to %d such pairs are "
                               "compared; %zu algorithm%s and %zu machine%s make %zu",
                               CLI_CONTENDERS_MAX, s.algorithm_count,
                               s.algorithm_count == 1 ? "" : "s", s.machine_count,
                               s.machine_count == 1 ? "" : "s", pairs);
    }
    for (size_t i = 0; i < s.given; i++) {
        out->held = s.is_platform[i] ? s.machines[i] : out->held;
    }
    return status == CLI_EXIT_OK ? load_all(usage, &s, settings, to, quiet, out) : status;
}

void cli_contenders_free(cli_contenders *contenders) {
    for (size_t i = 0; i < contenders->count; i++) {
        cli_contender *c = &contenders->items[i];
        if (c->systems != NULL) {
            isocast_systems_free(c->systems, contenders->system_count);
        }
        free(c->name);
        cli_loaded_free(&c->loaded);
    }
}
