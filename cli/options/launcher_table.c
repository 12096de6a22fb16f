#include "launcher_table.h"

isocast_status cli_launcher_table_read(const char *path, isocast_diagnostics *diagnostics,
                                       isocast_tree **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_tree_parse(source, diagnostics, out) : status;
}

/* The mapping of the launchers; NULL where the file has none. */
static const isocast_tree_node *rows_of(const isocast_tree *table) {
    const isocast_tree_entry *all = isocast_tree_find(&table->root, "launchers");
    return all != NULL && all->value.kind == ISOCAST_TREE_MAPPING ? &all->value : NULL;
}

static const char *part(const isocast_tree_node *launcher, const char *key) {
    const isocast_tree_entry *entry = isocast_tree_find(launcher, key);
    return entry != NULL && entry->value.kind == ISOCAST_TREE_SCALAR ? entry->value.text : NULL;
}

size_t cli_launcher_table_count(const isocast_tree *table) {
    const isocast_tree_node *rows = rows_of(table);
    return rows != NULL ? rows->count : 0;
}

cli_launcher_row cli_launcher_table_row(const isocast_tree *table, size_t row) {
    const isocast_tree_entry *entry = &rows_of(table)->entries[row];
    return (cli_launcher_row){.key = &entry->key,
                              .command = part(&entry->value, "command"),
                              .inside = part(&entry->value, "inside"),
                              .processors = part(&entry->value, "processors")};
}
