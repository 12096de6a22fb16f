#include "list_entries.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/launcher_table.h"
#include "cli/options/locate.h"
#include "list_title.h"
#include "model/base/array.h"
#include "model/base/text.h"

const char *const list_kind_words[LIST_KINDS] = {[LIST_ALGORITHM] = "algorithm",
                                                 [LIST_MACHINE] = "machine",
                                                 [LIST_PLATFORM] = "platform",
                                                 [LIST_LAUNCHER] = "launcher",
                                                 [LIST_RUNS] = "runs"};

const char *const list_kind_plurals[LIST_KINDS] = {[LIST_ALGORITHM] = "algorithms",
                                                   [LIST_MACHINE] = "machines",
                                                   [LIST_PLATFORM] = "platforms",
                                                   [LIST_LAUNCHER] = "launchers",
                                                   [LIST_RUNS] = "runs"};

/* What is filled in before it becomes an entry. */
typedef struct draft {
    isocast_buffer name, title, file, problem; /* empty: there is none */
    list_status status;
} draft;

/* Hands the text over without its control characters; NULL where it is empty. False where memory is
 * short. */
static bool take_clean(isocast_buffer *text, char **out) {
    isocast_buffer clean = {.failed = text->failed};
    if (text->length > 0) {
        isocast_text_clean(text->text, text->length, "", &clean);
    }
    bool empty = text->length == 0 && !clean.failed;
    isocast_buffer_free(text);
    *out = empty ? NULL : isocast_buffer_take(&clean);
    return empty || *out != NULL;
}

/* Adds it; frees what the draft holds. */
static isocast_status add(list_entries *entries, draft *d) {
    list_entry entry = {.status = d->status};
    bool taken = take_clean(&d->name, &entry.name);
    taken &= take_clean(&d->title, &entry.title);
    taken &= take_clean(&d->file, &entry.file);
    taken &= take_clean(&d->problem, &entry.problem);
    if (taken && isocast_array_grow((void **)&entries->items, entries->count, &entries->capacity,
                                    sizeof *entries->items)) {
        entries->items[entries->count++] = entry;
        return ISOCAST_OK;
    }
    free(entry.name);
    free(entry.title);
    free(entry.file);
    free(entry.problem);
    return ISOCAST_NO_MEMORY;
}

/* What is wrong with a file, in one line. */
static void describe_errors(const isocast_diagnostics *diagnostics, isocast_buffer *out) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const isocast_diagnostic *first = &diagnostics->items[i];
        if (first->severity != ISOCAST_ERROR) {
            continue;
        }
        if (first->line > 0) {
            isocast_buffer_printf(out, "line %zu: ", first->line);
        }
        isocast_buffer_puts(out, first->message);
        if (diagnostics->errors > 1) {
            isocast_buffer_printf(out, " (and %zu more)", diagnostics->errors - 1);
        }
        return;
    }
    isocast_buffer_puts(out, "it cannot be read");
}

/* What is wrong with the file is told by its entry, what is wrong with the system by diagnostics.
 */
static isocast_status add_file(list_kind kind, const char *name, size_t name_length,
                               isocast_diagnostics *diagnostics, list_entries *entries) {
    draft d = {.status = LIST_OK};
    isocast_buffer_append(&d.name, name, name_length);
    isocast_buffer_printf(&d.file, "%s/%s", entries->place, name);
    isocast_status status = d.file.failed
                                ? ISOCAST_NO_MEMORY
                                : list_title_read(kind, d.file.text, diagnostics, &d.title);
    if (status == ISOCAST_INVALID && !diagnostics->failed) {
        d.status = LIST_BROKEN;
        describe_errors(diagnostics, &d.problem);
        status = ISOCAST_OK;
    }
    if (status != ISOCAST_IO) {
        status = diagnostics->failed ? ISOCAST_NO_MEMORY : status;
        isocast_diagnostics_clear(diagnostics);
    }
    isocast_status added = add(entries, &d);
    return status != ISOCAST_OK ? status : added;
}

/* The length of a file's name without the ending; 0 where it has another one. */
static size_t stem_length(const char *name, const char *ending) {
    bool ends = isocast_text_ends(name, ending) && name[0] != '.';
    return ends ? strlen(name) - strlen(ending) : 0;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const list_entry *)a)->name, ((const list_entry *)b)->name);
}

/* A folder that cannot be read is no fault of a file. */
static isocast_status note_failure(isocast_diagnostics *diagnostics, const char *place, int cause) {
    isocast_status status = isocast_diagnostics_add_failure(diagnostics, place, "read", cause);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_IO;
}

static isocast_status find_files(list_kind kind, isocast_diagnostics *diagnostics,
                                 list_entries *out) {
    const char *ending = kind == LIST_RUNS ? ".csv" : ".yaml";
    struct dirent **files = NULL;
    int found = scandir(out->place, &files, NULL, NULL);
    if (found < 0) {
        bool none = errno == ENOENT || errno == ENOTDIR;
        return none ? ISOCAST_OK : note_failure(diagnostics, out->place, errno);
    }
    isocast_status status = ISOCAST_OK;
    for (int i = 0; i < found; i++) {
        const char *name = files[i]->d_name;
        size_t length = stem_length(name, ending);
        if (length > 0 && status == ISOCAST_OK) {
            /* Runs are named by their files, specifications without the ending. */
            length = kind == LIST_RUNS ? strlen(name) : length;
            status = add_file(kind, name, length, diagnostics, out);
        }
        free(files[i]);
    }
    free(files);
    if (out->count > 0) {
        qsort(out->items, out->count, sizeof *out->items, compare_names);
    }
    return status;
}

/* Whether it can be used here and now. */
static void judge_launcher(const cli_launcher_row *row, draft *d) {
    const char *command = row->command != NULL ? row->command : "";
    isocast_buffer program = {0};
    isocast_buffer_append(&program, command, strcspn(command, " \t"));
    if (program.failed) {
        d->problem.failed = true;
    } else if (program.length == 0) {
        d->status = LIST_BROKEN;
        isocast_buffer_puts(&d->problem, "it has no command");
    } else if (!launcher_is_installed(program.text)) {
        d->status = LIST_MISSING;
        isocast_buffer_printf(&d->problem, "%s is not on PATH", program.text);
    } else if (row->inside != NULL && getenv(row->inside) == NULL) {
        d->status = LIST_OUTSIDE;
        isocast_buffer_printf(&d->problem, "%s is found, but works only where %s is set",
                              program.text, row->inside);
    }
    isocast_buffer_puts(&d->title, command);
    isocast_buffer_free(&program);
}

static isocast_status add_launchers(const isocast_tree *table, list_entries *out) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < cli_launcher_table_count(table) && status == ISOCAST_OK; i++) {
        cli_launcher_row row = cli_launcher_table_row(table, i);
        draft d = {.status = LIST_OK};
        isocast_buffer_puts(&d.name, row.key->text);
        isocast_buffer_puts(&d.file, out->place);
        judge_launcher(&row, &d);
        status = add(out, &d);
    }
    return status;
}

/* A table that cannot be read is one entry, which says why. */
static isocast_status add_broken_table(const isocast_diagnostics *diagnostics, list_entries *out) {
    draft d = {.status = LIST_BROKEN};
    const char *slash = strrchr(out->place, '/');
    isocast_buffer_puts(&d.name, slash != NULL ? slash + 1 : out->place);
    isocast_buffer_puts(&d.file, out->place);
    describe_errors(diagnostics, &d.problem);
    return add(out, &d);
}

static isocast_status find_launchers(isocast_diagnostics *diagnostics, list_entries *out) {
    if (access(out->place, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return ISOCAST_OK;
    }
    isocast_tree *table = NULL;
    isocast_status status = cli_launcher_table_read(out->place, diagnostics, &table);
    if (status == ISOCAST_OK) {
        status = add_launchers(table, out);
        isocast_tree_free(table);
    } else if (status == ISOCAST_INVALID && !diagnostics->failed) {
        status = add_broken_table(diagnostics, out);
    }
    if (status != ISOCAST_IO) {
        status = diagnostics->failed ? ISOCAST_NO_MEMORY : status;
        isocast_diagnostics_clear(diagnostics);
    }
    return status;
}

isocast_status list_entries_find(list_kind kind, isocast_diagnostics *diagnostics,
                                 list_entries *out) {
    bool launchers = kind == LIST_LAUNCHER;
    out->place = cli_locate_specs(launchers ? "launchers.yaml" : list_kind_plurals[kind]);
    if (out->place == NULL) {
        return note_failure(diagnostics, "/proc/self/exe", errno);
    }
    return launchers ? find_launchers(diagnostics, out) : find_files(kind, diagnostics, out);
}

void list_entries_free(list_entries *entries) {
    for (size_t i = 0; i < entries->count; i++) {
        free(entries->items[i].name);
        free(entries->items[i].title);
        free(entries->items[i].file);
        free(entries->items[i].problem);
    }
    free(entries->items);
    free(entries->place);
    *entries = (list_entries){0};
}
