#include "import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_reader.h"

static const char formats[] =
    "a CSV starts with a header such as operation,p,m,launch,seconds; the output of OSU, IMB, "
    "SKaMPI and ReproMPI is known by its comment lines, which must be in the file";

static bool is_blank(const import_reader *reader) {
    const char *at = reader->line;
    while (at < reader->line_end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at == reader->line_end;
}

/* "# processes: 16", for outputs that do not tell. */
static bool take_processes(import_reader *reader) {
    static const char *const keys[] = {"# processes:", "# processes =", "# p:", "# p ="};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (import_starts(reader, keys[i])) {
            import_field field = {reader->line + strlen(keys[i]), reader->line_end};
            while (field.begin < field.end && *field.begin == ' ') {
                field.begin++;
            }
            if (!import_number(field, &reader->processes)) {
                import_problem(reader, field, "write it as # processes: 16",
                               "the number of processes is no number");
            }
            return true;
        }
    }
    return false;
}

static void take_line(import_reader *reader) {
    static bool (*const starts[])(import_reader *) = {import_osu_starts, import_imb_starts,
                                                      import_skampi_starts, import_reprompi_starts};
    /* Most lines are rows: what starts anything else has a # or a name in it. */
    bool row = reader->take != NULL && reader->line < reader->line_end && *reader->line != '#' &&
               !import_starts(reader, "begin");
    if (row) {
        if (!is_blank(reader)) {
            reader->take(reader);
        }
        return;
    }
    if (is_blank(reader) || take_processes(reader)) {
        return;
    }
    /* A log may hold one output after the other. */
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (starts[i](reader)) {
            return;
        }
    }
    if (reader->take == NULL) {
        import_csv_starts(reader);
    } else {
        reader->take(reader);
    }
}

static isocast_status read_lines(import_reader *reader, FILE *file) {
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    errno = 0;
    while (!reader->no_memory && reader->problems < IMPORT_PROBLEMS_MOST &&
           (length = getline(&text, &capacity, file)) >= 0 && ferror(file) == 0) {
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            length--;
        }
        reader->line = text;
        reader->line_end = text + length;
        reader->line_number++;
        take_line(reader);
    }
    int cause = errno;
    /* Where memory is short getline() ends, too, and says nothing in the file's flags. */
    bool failed = ferror(file) != 0 || (length < 0 && feof(file) == 0);
    free(text);
    if (failed) {
        return isocast_diagnostics_add_failure(reader->diagnostics, reader->name, "read", cause);
    }
    if (reader->no_memory) {
        return ISOCAST_NO_MEMORY;
    }
    if (reader->problems == 0 && reader->take == NULL) {
        isocast_diagnostics_add_file(reader->diagnostics, ISOCAST_ERROR, reader->name, formats,
                                     "is of no format that is known");
        return ISOCAST_INVALID;
    }
    if (reader->problems == 0 && reader->rows == 0) {
        isocast_diagnostics_add_file(reader->diagnostics, ISOCAST_ERROR, reader->name, NULL,
                                     "has no time of any operation");
        return ISOCAST_INVALID;
    }
    return reader->problems == 0 ? ISOCAST_OK : ISOCAST_INVALID;
}

isocast_status import_file(const char *path, double processes, observations *out,
                           isocast_diagnostics *diagnostics) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (file == NULL) {
        return isocast_diagnostics_add_failure(diagnostics, path, "opened", errno);
    }
    import_reader *reader = calloc(1, sizeof *reader);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (reader != NULL) {
        reader->name = standard ? "<stdin>" : path;
        reader->out = out;
        reader->diagnostics = diagnostics;
        reader->processes = processes;
        reader->file = (unsigned)out->files++;
        status = read_lines(reader, file);
    }
    free(reader);
    if (!standard) {
        fclose(file);
    }
    return status;
}
