/* Text output of SKaMPI 5:
 *
 *     # SKaMPI Version 5.0 rev. 191
 *     # begin result "MPI_Bcast-nodes-length"
 *     nodes= 2 count= 1        1       6.6       0.1       54       3.1       6.6
 *     # end result "MPI_Bcast-nodes-length"
 *
 * After the variables come the size in bytes (not for a barrier), the time in us, its standard
 * error, the number of repetitions, and the time of each process. */
#include <string.h>

#include "import_reader.h"

/* The number of processes, where a variable has it; the index of the first field after all
 * variables. */
static size_t take_variables(import_reader *reader) {
    static const char *const names[] = {"nodes=", "procs=", "nprocs=", "p="};
    size_t at = 0;
    while (at + 1 < reader->field_count && reader->fields[at].end[-1] == '=') {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            if (import_is(reader->fields[at], names[i]) &&
                !import_number(reader->fields[at + 1], &reader->processes)) {
                import_problem(reader, reader->fields[at + 1], "SKaMPI writes it as nodes= 16",
                               "the number of processes is not a number");
            }
        }
        at += 2;
    }
    return at;
}

static void take_skampi(import_reader *reader) {
    if (import_find(reader, "end result") != NULL) {
        reader->has_operation = false;
        return;
    }
    import_split(reader);
    if (reader->field_count == 0 || *reader->line == '#' || !reader->has_operation) {
        return;
    }
    size_t problems = reader->problems;
    size_t first = take_variables(reader);
    size_t due = first + (reader->sized ? 2 : 1);
    if (reader->problems > problems) {
        return;
    }
    if (reader->field_count < due) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "a row is: variables, bytes (not for a barrier), us, and what follows",
                       "this row is cut off");
        return;
    }
    import_field none = {NULL, NULL};
    import_row(reader, reader->sized ? reader->fields[first] : none, 1, reader->fields[due - 1],
               1e-6);
}

bool import_skampi_starts(import_reader *reader) {
    if (import_starts(reader, "# SKaMPI") || import_starts(reader, "#SKaMPI")) {
        reader->take = take_skampi;
        reader->has_operation = false;
        return true;
    }
    static const char title[] = "begin result \"";
    const char *name = import_find(reader, title);
    if (name == NULL) {
        return false;
    }
    name += strlen(title);
    name += (size_t)(reader->line_end - name) > 4 && memcmp(name, "MPI_", 4) == 0 ? 4 : 0;
    const char *end = name;
    while (end < reader->line_end && *end != '"' && *end != '-') {
        end++;
    }
    import_mpi_operation(reader, name, (size_t)(end - name));
    reader->sized = memmem(name, (size_t)(end - name), "arrier", 6) == NULL;
    reader->take = take_skampi;
    import_next_run(reader);
    return true;
}
