#include "spec_kind.h"

#include <errno.h>
#include <string.h>

#include "exit.h"
#include "model/base/source_read.h"
#include "model/spec/platform_load.h"
#include "model/yaml/schema.h"
#include "model/yaml/tree.h"

/* The file as a tree; *out is NULL where it is none, as for a pipe, which is read once alone.
 * Errors: NO_MEMORY; IO and INVALID, where it may not be read, which is reported. */
static isocast_status read_tree(const char *path, isocast_tree **out) {
    isocast_diagnostics ignored = {0};
    isocast_source *source = NULL;
    *out = NULL;
    errno = 0;
    isocast_status status =
        isocast_source_read_kind(path, ISOCAST_INPUT_PLAIN, ISOCAST_FILE_MAX, &ignored, &source);
    bool unreadable = status == ISOCAST_IO || (status == ISOCAST_INVALID && errno == EACCES);
    CLI_THEN(status, isocast_tree_parse(source, &ignored, out));
    if (unreadable) {
        return cli_diagnostics_report(&ignored, false, status);
    }
    isocast_diagnostics_clear(&ignored);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

static const isocast_tree_entry *find(const isocast_tree *tree, const char *key) {
    bool mapping = tree != NULL && tree->root.kind == ISOCAST_TREE_MAPPING;
    return mapping ? isocast_tree_find(&tree->root, key) : NULL;
}

isocast_status cli_spec_keys(const char *path, const char *const *keys, size_t count, bool *has) {
    isocast_tree *tree = NULL;
    isocast_status status = read_tree(path, &tree);
    for (size_t i = 0; i < count; i++) {
        has[i] = find(tree, keys[i]) != NULL;
    }
    isocast_tree_free(tree);
    return status;
}

isocast_status cli_spec_says(const char *path, const char *key, const char *text, bool *says) {
    isocast_tree *tree = NULL;
    isocast_status status = read_tree(path, &tree);
    const isocast_tree_entry *entry = find(tree, key);
    *says = entry != NULL && entry->value.kind == ISOCAST_TREE_SCALAR &&
            strcmp(entry->value.text, text) == 0;
    isocast_tree_free(tree);
    return status;
}

isocast_status cli_spec_holds_platform(const char *path, bool *holds) {
    isocast_tree *tree = NULL;
    isocast_status status = read_tree(path, &tree);
    *holds = tree != NULL && isocast_platform_is_held(tree);
    isocast_tree_free(tree);
    return status;
}

/* Keys that show what a file is, also where the one that names it is missing. */
static const struct {
    const char *key;
    cli_kind kind;
} reporting_keys[] = {{"algorithm", CLI_KIND_ALGORITHM}, {"machine", CLI_KIND_MACHINE},
                      {"platform", CLI_KIND_PLATFORM},   {"offers", CLI_KIND_OFFERS},
                      {"list", CLI_KIND_OFFERS},         {"work", CLI_KIND_ALGORITHM},
                      {"overhead", CLI_KIND_ALGORITHM},  {"size", CLI_KIND_ALGORITHM},
                      {"network", CLI_KIND_PLATFORM},    {"nodes", CLI_KIND_MACHINE},
                      {"operations", CLI_KIND_MACHINE}};
enum { REPORTING_COUNT = sizeof reporting_keys / sizeof reporting_keys[0] };

static cli_kind kind_of(const isocast_tree *tree, isocast_diagnostics *diagnostics) {
    for (size_t i = 0; i < REPORTING_COUNT; i++) {
        if (isocast_tree_find(&tree->root, reporting_keys[i].key) != NULL) {
            return reporting_keys[i].kind;
        }
    }
    static const char hint[] = "an algorithm file starts with 'algorithm: NAME', a machine file "
                               "with 'machine: NAME', a platform file with 'platform: NAME'";
    if (tree->root.kind == ISOCAST_TREE_MAPPING && tree->root.count > 0) {
        const isocast_tree_node *key = &tree->root.entries[0].key;
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, tree->source, key->span, hint,
                                "this is not an algorithm, machine or platform file: it has no key "
                                "'algorithm', 'machine' or 'platform'");
    } else {
        static const char record[] = "this looks like what 'isocast record' writes; 'isocast "
                                     "derive' makes a specification of records";
        const char *table = isocast_table_hint(&tree->root);
        bool is_record = strncmp(tree->source->text + tree->root.span.begin, "record,", 7) == 0;
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, tree->source, tree->root.span,
                                is_record       ? record
                                : table != NULL ? table
                                                : hint,
                                "a specification is a mapping of keys, this is %s",
                                isocast_tree_kind_name(tree->root.kind));
    }
    return CLI_KIND_UNKNOWN;
}

isocast_status cli_spec_kind_of(const isocast_source *source, isocast_diagnostics *diagnostics,
                                cli_kind *kind) {
    isocast_source *copy = NULL;
    isocast_tree *tree;
    isocast_status status =
        isocast_source_create(source->name, source->text, source->length, &copy);
    CLI_THEN(status, isocast_tree_parse(copy, diagnostics, &tree));
    if (status == ISOCAST_OK) {
        *kind = kind_of(tree, diagnostics);
        isocast_tree_free(tree);
        status = *kind == CLI_KIND_UNKNOWN ? ISOCAST_INVALID : ISOCAST_OK;
    }
    return status;
}
