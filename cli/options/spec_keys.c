#include "spec_keys.h"

#include <errno.h>
#include <string.h>

#include "exit.h"
#include "model/base/source_read.h"
#include "model/yaml/tree.h"

/* The file as a tree; *out is NULL where it is none, as for a pipe, which is read once alone.
 * Errors: NO_MEMORY; IO and INVALID, where it may not be read, which is told. */
static isocast_status read_tree(const char *path, isocast_tree **out) {
    isocast_diagnostics ignored = {0};
    isocast_source *source = NULL;
    *out = NULL;
    errno = 0;
    isocast_status status =
        isocast_source_read_kind(path, ISOCAST_INPUT_PLAIN, ISOCAST_FILE_MAX, &ignored, &source);
    bool unreadable = status == ISOCAST_IO || (status == ISOCAST_INVALID && errno == EACCES);
    if (status == ISOCAST_OK) {
        status = isocast_tree_parse(source, &ignored, out);
    }
    if (unreadable) {
        return cli_diagnostics_tell(&ignored, false, status);
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
