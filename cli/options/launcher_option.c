#include "launcher_option.h"

#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "locate.h"
#include "model/spec/tree.h"
#include "number.h"
#include "ranks_join.h"

/* A name has no blank, no placeholder and no folder. */
static bool may_be_name(const char *text) {
    return text[0] != '\0' && strpbrk(text, " \t{/") == NULL;
}

static isocast_status read_table(const char *path, isocast_diagnostics *diagnostics,
                                 isocast_tree **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_tree_parse(source, diagnostics, out) : status;
}

static const isocast_tree_node *part(const isocast_tree_node *launcher, const char *key) {
    const isocast_tree_entry *entry = isocast_tree_find(launcher, key);
    return entry != NULL && entry->value.kind == ISOCAST_TREE_SCALAR ? &entry->value : NULL;
}

static long number_of(const char *variable) {
    const char *text = variable != NULL ? getenv(variable) : NULL;
    double value = 0;
    return text != NULL && cli_number_parse(text, &value) && value >= 1 && value < 1e9 ? (long)value
                                                                                       : 0;
}

/* An entry of the table. */
static int take_entry(const cli_usage *usage, const isocast_tree *tree,
                      const isocast_tree_entry *entry, cli_launcher *out) {
    const isocast_tree_node *command = part(&entry->value, "command");
    const isocast_tree_node *inside = part(&entry->value, "inside");
    const isocast_tree_node *processors = part(&entry->value, "processors");
    if (command == NULL) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, tree->source, entry->key.span,
                                "NAME: {command: \"mpiexec -n {processes}\"}",
                                "the launcher '%s' has no command", entry->key.text);
        return cli_exit_of(cli_diagnostics_tell(&diagnostics, false, ISOCAST_INVALID));
    }
    if (inside != NULL && getenv(inside->text) == NULL) {
        return cli_usage_error(usage,
                               "--launcher %s works where %s is set, that is in a batch job or "
                               "allocation; docs/cluster.md shows one",
                               entry->key.text, inside->text);
    }
    out->command = strdup(command->text);
    out->processors = number_of(processors != NULL ? processors->text : NULL);
    return out->command != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
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
    isocast_status read = path != NULL ? read_table(path, &diagnostics, &tree) : ISOCAST_OK;
    status = cli_exit_of(cli_diagnostics_tell(&diagnostics, false, read));
    if (tree != NULL) {
        const isocast_tree_entry *all = isocast_tree_find(&tree->root, "launchers");
        const isocast_tree_entry *entry = all != NULL ? isocast_tree_find(&all->value, text) : NULL;
        status = entry != NULL ? take_entry(usage, tree, entry, out) : status;
        isocast_tree_free(tree);
    }
    if (status == CLI_EXIT_OK && out->command == NULL) {
        out->command = strdup(text);
        status = out->command != NULL ? status : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    free(path);
    return status;
}

void cli_launcher_free(cli_launcher *launcher) {
    free(launcher->command);
    *launcher = (cli_launcher){0};
}
