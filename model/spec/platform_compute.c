#include "platform_compute.h"

#include <stdio.h>
#include <string.h>

#include "machine_operations.h"

isocast_span isocast_platform_section_lines(const isocast_tree *tree, const char *key) {
    const isocast_source *source = tree->source;
    const isocast_tree_entry *section = isocast_tree_find(&tree->root, key);
    if (section == NULL) {
        return (isocast_span){0, 0};
    }
    size_t last = section->value.span.end;
    last -= last > section->key.span.begin ? 1 : 0;
    size_t end = isocast_source_line(source, last).end;
    return (isocast_span){section->key.span.begin, end < source->length ? end + 1 : end};
}

/* Whether the section begins a line, and no other key of the file stands in its lines. */
static bool has_own_lines(const isocast_tree *tree, const isocast_tree_entry *section) {
    isocast_span lines = isocast_platform_section_lines(tree, section->key.text);
    bool own = isocast_source_line(tree->source, lines.begin).begin == lines.begin;
    for (size_t i = 0; i < tree->root.count; i++) {
        const isocast_tree_entry *other = &tree->root.entries[i];
        own = own && (other == section || other->key.span.begin < lines.begin ||
                      other->key.span.begin >= lines.end);
    }
    return own;
}

bool isocast_platform_check_section(isocast_reader *reader, const isocast_tree *tree,
                                    const char *key) {
    const isocast_tree_entry *section = isocast_tree_find(&tree->root, key);
    if (section == NULL || has_own_lines(tree, section)) {
        return true;
    }
    char hint[128];
    snprintf(hint, sizeof hint, "begin a line with '%s:', and write a line under it for each %s",
             key, strcmp(key, "compute") == 0 ? "kernel" : "entry");
    isocast_reader_refuse(reader, section->key.span, hint,
                          "'%s' of a platform file has lines of its own", key);
    return false;
}

void isocast_platform_read_compute(isocast_reader *reader, const isocast_tree_node *root,
                                   isocast_machine *hardware) {
    if (isocast_tree_find(root, "compute") == NULL ||
        !isocast_platform_check_section(reader, hardware->tree, "compute")) {
        return;
    }
    isocast_machine_read_operations(reader, root, hardware);
    bool named = true;
    for (size_t i = 0; i < hardware->compute_count; i++) {
        named = named && hardware->compute[i].name != NULL;
    }
    for (size_t i = 0; i < hardware->parameter_count; i++) {
        named = named && hardware->parameters[i].name != NULL;
    }
    if (named) {
        isocast_machine_check_operations(reader, hardware);
    }
}
