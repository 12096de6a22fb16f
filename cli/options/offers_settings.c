#include "offers_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/class_property.h"

/* The texts that one offer gets; those that were put together anew are its own. */
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

int cli_offers_set(const cli_usage *usage, const cli_settings *settings, bool quiet,
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
