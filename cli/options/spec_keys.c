#include "spec_keys.h"

#include "model/base/source_read.h"
#include "model/spec/tree.h"

isocast_status cli_spec_keys(const char *path, const char *const *keys, size_t count, bool *has) {
    for (size_t i = 0; i < count; i++) {
        has[i] = false;
    }
    isocast_diagnostics ignored = {0};
    isocast_source *source = NULL;
    isocast_tree *tree = NULL;
    isocast_status status = isocast_source_read(path, &ignored, &source);
    if (status == ISOCAST_OK) {
        status = isocast_tree_parse(source, &ignored, &tree);
    }
    isocast_diagnostics_clear(&ignored);
    if (status == ISOCAST_OK) {
        for (size_t i = 0; tree->root.kind == ISOCAST_TREE_MAPPING && i < count; i++) {
            has[i] = isocast_tree_find(&tree->root, keys[i]) != NULL;
        }
        isocast_tree_free(tree);
    }
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}
