#include "offers_load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit.h"
#include "locate.h"
#include "model/base/text.h"
#include "model/offers/offers_file.h"
#include "model/spec/class_property.h"
#include "spec_kind.h"

/* The texts that one offer gets; those that were put together again are its own. */
typedef struct share {
    const char **texts; /* [count] */
    char **own;         /* [count], NULL for a text of the command line */
    size_t count;
} share;

static char *name_of(const char *text) {
    return strndup(text, strcspn(text, "="));
}

static const isocast_machine *machine_of(const cli_offers *offers, size_t i) {
    return offers->loaded[i].machine;
}

/* The offer that a text begins with, "OFFER."; the count of offers where there is none. */
static size_t find_offer(const cli_offers *offers, const char *text) {
    size_t found = offers->count;
    size_t longest = 0;
    for (size_t i = 0; i < offers->count; i++) {
        size_t length = strlen(offers->names[i]);
        if (length >= longest && strncmp(text, offers->names[i], length) == 0 &&
            text[length] == '.' && memchr(text, '=', length) == NULL) {
            found = i;
            longest = length;
        }
    }
    return found;
}

/* Whether "rest" is a property of a class without the class; *out gets it with that of the first
 * one. Errors: NO_MEMORY. */
static isocast_status with_class(const isocast_machine *machine, const char *rest, char **out) {
    isocast_buffer whole = {0};
    isocast_buffer_printf(&whole, "%s.%s", machine->classes[0].name, rest);
    char *longer = isocast_buffer_take(&whole);
    char *name = longer != NULL ? name_of(longer) : NULL;
    isocast_class_property property;
    bool found = name != NULL && isocast_class_property_find(machine, name, &property);
    isocast_status status = name == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    free(name);
    *out = found ? longer : NULL;
    if (!found) {
        free(longer);
    }
    return status;
}

/* Takes `own`, which may be NULL. Gives the exit status. */
static int give(share *to, const char *text, char *own) {
    const char **texts = realloc(to->texts, (to->count + 1) * sizeof *texts);
    to->texts = texts != NULL ? texts : to->texts;
    char **owned = texts != NULL ? realloc(to->own, (to->count + 1) * sizeof *owned) : NULL;
    if (owned == NULL) {
        free(own);
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    to->own = owned;
    to->texts[to->count] = own != NULL ? own : text;
    to->own[to->count++] = own;
    return CLI_EXIT_OK;
}

static int refuse_several(const cli_usage *usage, const cli_offers *offers, const char *name,
                          size_t count, size_t first) {
    return cli_usage_error(usage,
                           "--set %s= would change %zu offers at once; name the offer, such as "
                           "--set %s.%s=",
                           name, count, offers->names[first], name);
}

/* What stands behind "OFFER.": a property of its only class needs no class. */
static int share_out_named(const cli_usage *usage, const cli_offers *offers, const char *text,
                           size_t offer, share *to) {
    const char *offer_name = offers->names[offer];
    const char *rest = text + strlen(offer_name) + 1;
    const isocast_machine *machine = machine_of(offers, offer);
    char *own = NULL;
    char *name = name_of(rest);
    if (name == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int exit = cli_exit_of(with_class(machine, rest, &own));
    if (exit == CLI_EXIT_OK && own != NULL && machine->class_count > 1) {
        exit = cli_usage_error(usage,
                               "offer '%s' has %zu node classes; name one of them, such as --set "
                               "%s.%s.%s=",
                               offer_name, machine->class_count, offer_name,
                               machine->classes[0].name, name);
    } else if (exit == CLI_EXIT_OK && own == NULL && strcmp(name, "t_c") != 0 &&
               isocast_setting_kind_of(name, offers->loaded[offer].algorithm, machine) ==
                   ISOCAST_SETTING_ALGORITHM) {
        exit = cli_usage_error(usage, "all offers run the same algorithm: --set %s", rest);
    }
    if (exit == CLI_EXIT_OK) {
        exit = give(&to[offer], rest, own);
    } else {
        free(own);
    }
    free(name);
    return exit;
}

static int share_out(const cli_usage *usage, const cli_offers *offers, const char *text, bool quiet,
                     share *to) {
    size_t named = find_offer(offers, text);
    if (named < offers->count) {
        return share_out_named(usage, offers, text, named, to);
    }
    char *name = name_of(text);
    size_t count = 0;
    size_t first = 0;
    bool of_one = false;
    bool of_machine = false;
    isocast_setting_kind kinds[ISOCAST_OFFERS_MAX];
    for (size_t i = 0; name != NULL && i < offers->count; i++) {
        kinds[i] =
            isocast_setting_kind_of(name, offers->loaded[i].algorithm, machine_of(offers, i));
        bool own = kinds[i] == ISOCAST_SETTING_CLASS || kinds[i] == ISOCAST_SETTING_AMOUNT;
        of_one = of_one || own;
        own = own || kinds[i] == ISOCAST_SETTING_PARAMETER;
        of_machine = of_machine || own;
        first = own && count == 0 ? i : first;
        count += own;
    }
    int status = name == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
    if (status == CLI_EXIT_OK && of_one && count > 1) {
        status = refuse_several(usage, offers, name, count, first);
    } else if (status == CLI_EXIT_OK && of_machine && count > 1 && !quiet) {
        fprintf(stderr,
                "isocast offers: --set %s= changes %zu offers; --set %s.%s= changes one alone\n",
                name, count, offers->names[first], name);
    }
    for (size_t i = 0; status == CLI_EXIT_OK && i < offers->count; i++) {
        /* What another machine alone has means nothing here. */
        if (!of_machine || kinds[i] != ISOCAST_SETTING_OTHER) {
            status = give(&to[i], text, NULL);
        }
    }
    free(name);
    return status;
}

static int apply(const cli_settings *settings, const share *own, cli_loaded *loaded) {
    cli_settings these = *settings;
    these.set.items = own->texts;
    these.set.count = own->count;
    return cli_apply_settings(&these, loaded);
}

/* Applies settings to offers that are loaded and not bound. A name alone that stands for a number
 * of a node class, or an amount, in more than one offer is refused; a parameter of several machines
 * changes all of them, which is stated unless `quiet`. Reports on stderr; gives an exit status. */
static int offers_set(const cli_usage *usage, const cli_settings *settings, bool quiet,
                      cli_offers *offers) {
    share shares[ISOCAST_OFFERS_MAX] = {{0}};
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < settings->set.count && status == CLI_EXIT_OK; i++) {
        status = share_out(usage, offers, settings->set.items[i], quiet, shares);
    }
    for (size_t i = 0; i < offers->count && status == CLI_EXIT_OK; i++) {
        status = apply(settings, &shares[i], &offers->loaded[i]);
    }
    for (size_t i = 0; i < ISOCAST_OFFERS_MAX; i++) {
        for (size_t k = 0; k < shares[i].count; k++) {
            free(shares[i].own[k]);
        }
        free(shares[i].own);
        free(shares[i].texts);
    }
    return status;
}

typedef struct loading {
    const cli_usage *usage;
    const char *algorithm;
    const cli_settings *settings;
    bool quiet;
    cli_offers *out;
} loading;

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
    status = cli_exit_with(&diagnostics, l->quiet, applied);
    if (status == CLI_EXIT_OK && out->names[out->count - 1] == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    }
    CLI_THEN(status, check_name(l, name));
    if (status == CLI_EXIT_OK && loaded->machine->class_count > ISOCAST_OFFER_CLASSES_MAX) {
        status = cli_usage_error(l->usage, "offer '%s' has %zu node classes; at most %d are mixed",
                                 name, loaded->machine->class_count, ISOCAST_OFFER_CLASSES_MAX);
    }
    return status;
}

static int load_file(const loading *l, const char *path) {
    isocast_diagnostics diagnostics = {0};
    isocast_offers_file *file = NULL;
    isocast_status loaded = isocast_offers_file_load(path, &diagnostics, &file);
    int status = cli_exit_with(&diagnostics, l->quiet, loaded);
    for (size_t i = 0; status == CLI_EXIT_OK && i < isocast_offers_file_count(file); i++) {
        const isocast_tree_node *named = isocast_offers_file_machine(file, i);
        char *machine = NULL;
        status = cli_locate_named(CLI_SPEC_MACHINE, isocast_offers_file_source(file), named->span,
                                  named->text, &machine);
        CLI_THEN(status, load_offer(l, machine, file, i));
        free(machine);
    }
    isocast_offers_file_free(file);
    return status;
}

/* Whether a file is one of offers; one that cannot be read is none, so that loading it as a machine
 * shows why. */
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
    CLI_THEN(status, offers_set(usage, settings, quiet, out));
    for (size_t i = 0; i < out->count && status == CLI_EXIT_OK; i++) {
        const isocast_algorithm *a = out->loaded[i].algorithm;
        status = a->size_count > 1 ? cli_size_missing(usage, a, &a->sizes[1], "--set")
                                   : cli_load_bind(&out->loaded[i], quiet);
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
