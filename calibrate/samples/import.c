#include "import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_reader.h"

enum { REPORTED_OF_LONG_LINE = 60 /* bytes */ };

static const char formats[] =
    "a CSV starts with a header such as operation,p,m,launch,seconds; the output of OSU, IMB, "
    "SKaMPI, ReproMPI and nccl-tests is known by its comment lines, which must be in the file";

static bool is_blank(const import_reader *reader) {
    const char *at = reader->line;
    while (at < reader->line_end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at == reader->line_end;
}

/* Reads "# processes: 16", for outputs that do not state the number. */
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
                               "the number of processes is not a number");
            }
            return true;
        }
    }
    return false;
}

static void take_line(import_reader *reader) {
    static bool (*const starts[])(import_reader *) = {import_osu_starts, import_imb_starts,
                                                      import_skampi_starts, import_reprompi_starts,
                                                      import_nccl_starts};
    /* Most lines are rows. A line that starts something else has a # or a name in it. */
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
    /* A log may hold several outputs, one after the other. */
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
    char *text = malloc(IMPORT_LINE_MAX + 2);
    size_t length = 0;
    size_t bytes = 0;
    if (text == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    errno = 0;
    while (!reader->no_memory && reader->problems < IMPORT_PROBLEMS_MAX &&
           (length = isocast_input_line(file, text, IMPORT_LINE_MAX)) > 0 && ferror(file) == 0) {
        reader->line = text;
        reader->line_number++;
        bytes += length;
        if (bytes > IMPORT_FILE_MAX) {
            reader->line_end = text + 1;
            import_problem(reader, (import_field){text, text + 1}, NULL,
                           "the file is too large: at most %d bytes are read", IMPORT_FILE_MAX);
            break;
        }
        if (isocast_input_is_long(text, length, IMPORT_LINE_MAX)) {
            reader->line_end = text + REPORTED_OF_LONG_LINE;
            import_problem(reader, (import_field){text, text + 1}, formats,
                           "a line longer than %d bytes is not read", IMPORT_LINE_MAX);
            break;
        }
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            length--;
        }
        reader->line_end = text + length;
        take_line(reader);
    }
    int cause = errno;
    bool failed = ferror(file) != 0;
    free(text);
    if (failed) {
        return isocast_diagnostics_add_failure(reader->diagnostics, reader->name, "read", cause);
    }
    if (reader->no_memory) {
        return ISOCAST_NO_MEMORY;
    }
    if (reader->problems == 0 && reader->take == NULL) {
        isocast_diagnostics_add_file(reader->diagnostics, ISOCAST_ERROR, reader->name, formats,
                                     "is in a format that isocast does not know");
        return ISOCAST_INVALID;
    }
    if (reader->problems == 0 && reader->rows == 0) {
        isocast_diagnostics_add_file(reader->diagnostics, ISOCAST_ERROR, reader->name,
                                     "benchmarks of bandwidth, of overlap and of several groups at "
                                     "once (Multi-) are left out",
                                     "has no time of any operation%s%s",
                                     reader->system != NULL ? " on the system " : "",
                                     reader->system != NULL ? reader->system : "");
        return ISOCAST_INVALID;
    }
    return reader->problems == 0 ? ISOCAST_OK : ISOCAST_INVALID;
}

isocast_status import_file(const char *path, double processes, observations *out,
                           isocast_diagnostics *diagnostics) {
    return import_file_of(path, ISOCAST_INPUT_ANY, NULL, processes, out, diagnostics);
}

isocast_status import_file_of(const char *path, isocast_input_kind kind, const char *system,
                              double processes, observations *out,
                              isocast_diagnostics *diagnostics) {
    bool standard = kind == ISOCAST_INPUT_ANY && strcmp(path, "-") == 0;
    FILE *file = stdin;
    isocast_status status =
        standard ? ISOCAST_OK : isocast_input_open(path, kind, IMPORT_FILE_MAX, diagnostics, &file);
    if (status != ISOCAST_OK) {
        return status;
    }
    import_reader *reader = calloc(1, sizeof *reader);
    status = ISOCAST_NO_MEMORY;
    if (reader != NULL) {
        reader->name = standard ? "<stdin>" : path;
        reader->out = out;
        reader->diagnostics = diagnostics;
        reader->system = system;
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
