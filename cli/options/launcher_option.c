#include "launcher_option.h"

#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/node.h"
#include "exit.h"
#include "locate.h"
#include "number.h"
#include "ranks_join.h"

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

/* A name has no blank, no placeholder and no folder. */
static bool may_be_name(const char *text) {
    return text[0] != '\0' && strpbrk(text, " \t{/") == NULL;
}

static long number_of(const char *variable) {
    const char *text = variable != NULL ? getenv(variable) : NULL;
    double value = 0;
    return text != NULL && cli_number_parse(text, &value) && value >= 1 && value < 1e9 ? (long)value
                                                                                       : 0;
}

static int take_row(const cli_usage *usage, const isocast_tree *tree, const cli_launcher_row *row,
                    cli_launcher *out) {
    const char *name = row->key->text;
    if (row->command == NULL) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, tree->source, row->key->span,
                                "NAME: {command: \"mpiexec -n {processes}\"}",
                                "the launcher '%s' has no command", name);
        return cli_exit_with(&diagnostics, false, ISOCAST_INVALID);
    }
    if (row->inside != NULL && getenv(row->inside) == NULL) {
        return cli_usage_error(usage,
                               "--launcher %s works where %s is set, that is in a batch job or "
                               "allocation; docs/how-to/cluster.md shows one",
                               name, row->inside);
    }
    out->command = strdup(row->command);
    out->processors = number_of(row->processors);
    return out->command != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
}

static int take_named(const cli_usage *usage, const isocast_tree *tree, const char *name,
                      cli_launcher *out) {
    for (size_t i = 0; i < cli_launcher_table_count(tree); i++) {
        cli_launcher_row row = cli_launcher_table_row(tree, i);
        if (strcmp(row.key->text, name) == 0) {
            return take_row(usage, tree, &row, out);
        }
    }
    return CLI_EXIT_OK;
}

int cli_launcher_find(const cli_usage *usage, const char *text, cli_launcher *out) {
    *out = (cli_launcher){0};
    int status = cli_ranks_refuse(usage, "without that launcher");
    if (status != CLI_EXIT_OK || text == NULL) {
        return status;
    }
    char *path = may_be_name(text) ? cli_locate_launchers() : NULL;
    isocast_diagnostics diagnostics = {0};
    isocast_tree *tree = NULL;
    isocast_status read =
        path != NULL ? cli_launcher_table_read(path, &diagnostics, &tree) : ISOCAST_OK;
    status = cli_exit_with(&diagnostics, false, read);
    if (tree != NULL) {
        status = take_named(usage, tree, text, out);
        isocast_tree_free(tree);
    }
    if (status == CLI_EXIT_OK && out->command == NULL) {
        out->command = strdup(text);
        status = out->command != NULL ? status : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(path);
    return status;
}

long cli_launcher_processors(const cli_launcher *launcher) {
    node_description node;
    node_describe(&node);
    return launcher->processors > 0 ? launcher->processors : node.processors;
}

void cli_launcher_free(cli_launcher *launcher) {
    free(launcher->command);
    *launcher = (cli_launcher){0};
}
