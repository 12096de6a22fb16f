#include "offers_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "locate.h"
#include "model/base/text.h"
#include "model/offers/offers_file.h"
#include "offers_settings.h"
#include "spec_keys.h"

typedef struct loading {
    const cli_usage *usage;
    const char *algorithm;
    const cli_settings *settings;
    bool quiet;
    cli_offers *out;
} loading;

static int bind(cli_loaded *loaded, bool quiet) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_model_create(loaded->algorithm, loaded->machine, &diagnostics, &loaded->model);
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, quiet, status));
}

static int check_name(const loading *l, const char *name) {
    for (size_t i = 0; i + 1 < l->out->count; i++) {
        if (strcmp(l->out->names[i], name) == 0) {
            return cli_usage_error(l->usage,
                                   "two offers have the name '%s'; give them others in a "
                                   "file of offers",
                                   name);
        }
    }
    return CLI_EXIT_OK;
}

static int check_sizes(const loading *l, const isocast_algorithm *algorithm) {
    return algorithm->size_count == 1
               ? CLI_EXIT_OK
               : cli_usage_error(l->usage, "%s also needs %s: --set %s=NUMBER", algorithm->name,
                                 algorithm->sizes[1].name, algorithm->sizes[1].name);
}

/* Loads one offer; `file` is NULL where the machine file is the offer. */
static int load_offer(const loading *l, const char *machine, const isocast_offers_file *file,
                      size_t index) {
    cli_offers *out = l->out;
    if (out->count == ISOCAST_OFFERS_MAX) {
        return cli_usage_error(l->usage, "at most %d offers are compared", ISOCAST_OFFERS_MAX);
    }
    cli_loaded *loaded = &out->loaded[out->count];
    int status = file != NULL ? cli_load_named(l->algorithm, machine, l->quiet, loaded)
                              : cli_load_apart(l->algorithm, machine, l->quiet, loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_status applied =
        file != NULL ? isocast_offers_file_apply(file, index, loaded->machine, &diagnostics)
                     : ISOCAST_OK;
    const char *name = file != NULL ? isocast_offers_file_name(file, index) : loaded->machine->name;
    out->names[out->count] = strdup(name);
    out->items[out->count] =
        (isocast_offer){.name = out->names[out->count], .priced = loaded->machine};
    out->count++;
    status = cli_exit_of(cli_diagnostics_tell(&diagnostics, l->quiet, applied));
    if (status == CLI_EXIT_OK && out->names[out->count - 1] == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    status = status == CLI_EXIT_OK ? check_name(l, name) : status;
    if (status == CLI_EXIT_OK && loaded->machine->class_count > ISOCAST_OFFER_CLASSES_MAX) {
        status = cli_usage_error(l->usage, "offer '%s' has %zu node classes; at most %d are mixed",
                                 name, loaded->machine->class_count, ISOCAST_OFFER_CLASSES_MAX);
    }
    return status;
}

/* The path of a machine that a file of offers names: beside that file where there is such a file,
 * else as it stands. NULL where memory is short. */
static char *machine_beside(const char *file, const char *machine) {
    const char *slash = strrchr(file, '/');
    isocast_buffer beside = {0};
    isocast_buffer_append(&beside, file, slash != NULL ? (size_t)(slash - file) + 1 : 0);
    isocast_buffer_puts(&beside, machine);
    char *path = isocast_buffer_take(&beside);
    if (path != NULL && machine[0] != '/' && access(path, F_OK) == 0) {
        return path;
    }
    free(path);
    return strdup(machine);
}

static int load_file(const loading *l, const char *path) {
    isocast_diagnostics diagnostics = {0};
    isocast_offers_file *file = NULL;
    isocast_status loaded = isocast_offers_file_load(path, &diagnostics, &file);
    int status = cli_exit_of(cli_diagnostics_tell(&diagnostics, l->quiet, loaded));
    for (size_t i = 0; status == CLI_EXIT_OK && i < isocast_offers_file_count(file); i++) {
        char *machine = machine_beside(path, isocast_offers_file_machine(file, i));
        status = machine == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : load_offer(l, machine, file, i);
        free(machine);
    }
    isocast_offers_file_free(file);
    return status;
}

/* Whether a file is one of offers; one that cannot be read is none, so that loading it as a machine
 * tells why. */
static isocast_status is_offers_file(const char *path, bool *is) {
    *is = isocast_text_ends(path, ".csv");
    if (*is || (access(path, F_OK) != 0 && errno == ENOENT)) {
        return ISOCAST_OK;
    }
    static const char *const keys[] = {"machine", "offers", "list"};
    bool has[3];
    isocast_status status = cli_spec_keys(path, keys, 3, has);
    *is = !has[0] && (has[1] || has[2]);
    return status;
}

int cli_offers_load(const cli_usage *usage, const char *algorithm, const char *const *names,
                    size_t count, const cli_settings *settings, bool quiet, cli_offers *out) {
    const loading l = {usage, algorithm, settings, quiet, out};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        bool is_file = false;
        if (strcmp(names[i], "-") == 0 || strcmp(algorithm, "-") == 0) {
            return cli_usage_error(usage, "standard input is no offer; give files or names");
        }
        isocast_status looked = is_offers_file(names[i], &is_file);
        status = looked != ISOCAST_OK ? cli_exit_of(looked)
                 : is_file            ? load_file(&l, names[i])
                                      : load_offer(&l, names[i], NULL, 0);
    }
    status = status == CLI_EXIT_OK ? cli_offers_set(usage, settings, quiet, out) : status;
    for (size_t i = 0; i < out->count && status == CLI_EXIT_OK; i++) {
        status = check_sizes(&l, out->loaded[i].algorithm);
        status = status == CLI_EXIT_OK ? bind(&out->loaded[i], quiet) : status;
        out->items[i].model = out->loaded[i].model;
    }
    return status;
}

void cli_offers_free(cli_offers *offers) {
    for (size_t i = 0; i < offers->count; i++) {
        cli_loaded_free(&offers->loaded[i]);
        free(offers->names[i]);
    }
}
