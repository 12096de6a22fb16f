/* Text output of nccl-tests and rccl-tests:
 *
 *     # Collective test starting: all_reduce_perf
 *     #  Rank  0 Group  0 Pid 1946 on node-1 device  0 [0000:0f:00] NVIDIA A100
 *     #  Rank  1 Group  0 Pid 1947 on node-1 device  1 [0000:15:00] NVIDIA A100
 *     #       size   count   type   redop   root    time   algbw   busbw  #wrong    time ...
 *     #        (B)                                  (us)  (GB/s)  (GB/s)            (us)
 *             1024     256  float     sum     -1   24.94    0.04    0.04       0   24.19 ...
 *
 * The time taken is the first, out of place. The size is that of the whole buffer of a process.
 * Older versions do not name the collective; the command that was run does, where a log shows it.
 */
#include <string.h>

#include "import_reader.h"

/* NCCL's names, and ours where these differ. */
static const char *const names[][2] = {{"all_reduce", "allreduce"},
                                       {"all_gather", "allgather"},
                                       {"broadcast", "bcast"},
                                       {"reduce_scatter", NULL},
                                       {"reduce", NULL},
                                       {"alltoall", NULL},
                                       {"alltoallv", NULL},
                                       {"gather", NULL},
                                       {"scatter", NULL},
                                       {"sendrecv", NULL},
                                       {"hypercube", NULL}};

/* The operation of the output to come, by the word before "_perf". */
static void take_name(import_reader *reader) {
    const char *end = import_find(reader, "_perf");
    const char *begin = end;
    while (begin != NULL && begin > reader->line &&
           strchr("abcdefghijklmnopqrstuvwxyz_", begin[-1]) != NULL) {
        begin--;
    }
    for (size_t i = 0; begin != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (import_is((import_field){begin, end}, names[i][0])) {
            const char *name = names[i][names[i][1] != NULL ? 1 : 0];
            import_mpi_operation(reader, name, strlen(name));
            reader->sized = true;
        }
    }
}

/* Messages to or from each are a part of the buffer. */
static double bytes_each(const import_reader *reader) {
    const char *name = reader->out->operations.texts[reader->operation];
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        if (strcmp(known->name, name) == 0 && known->argument == ISOCAST_ARGUMENT_BYTES_EACH &&
            reader->processes > 0) {
            return 1 / reader->processes;
        }
    }
    return 1;
}

/* "# size count type redop root time ...": the sign is no column. */
static bool take_heading(import_reader *reader) {
    import_split(reader);
    int size = -1;
    int time = -1;
    for (size_t i = 0; i < reader->field_count; i++) {
        size = size < 0 && import_is(reader->fields[i], "size") ? (int)i - 1 : size;
        time = time < 0 && import_is(reader->fields[i], "time") ? (int)i - 1 : time;
    }
    if (size < 0 || time < 0 || import_find(reader, "algbw") == NULL) {
        return false;
    }
    reader->size_column = size;
    reader->time_column = time;
    reader->heading_columns = reader->field_count - 1;
    return true;
}

static void take_rank(import_reader *reader) {
    double rank;
    import_split(reader);
    if (reader->field_count > 2 && import_is(reader->fields[1], "Rank") &&
        import_number(reader->fields[2], &rank) && rank + 1 > reader->processes) {
        reader->processes = rank + 1;
    }
}

static void take_nccl(import_reader *reader) {
    if (*reader->line == '#') {
        if (!take_heading(reader)) {
            take_rank(reader);
        }
        return;
    }
    import_split(reader);
    double size;
    if (reader->field_count < 2 || !import_number(reader->fields[0], &size) ||
        !import_number(reader->fields[1], &size)) {
        take_name(reader);
        return;
    }
    if (reader->time_column < 0) {
        return;
    }
    if (!reader->has_operation) {
        import_problem(reader, (import_field){reader->line, reader->line_end},
                       "put a line such as '# Collective test starting: all_reduce_perf' before "
                       "the output",
                       "which collective operation this is of is not in the file");
        /* Every other row would say the same. */
        reader->problems += IMPORT_PROBLEMS_MAX;
        return;
    }
    if (reader->field_count < reader->heading_columns) {
        import_row_in_us(reader);
        return;
    }
    import_row(reader, reader->fields[reader->size_column], bytes_each(reader),
               reader->fields[reader->time_column], 1e-6);
}

bool import_nccl_starts(import_reader *reader) {
    bool comment = *reader->line == '#';
    if (!comment || import_starts(reader, "# Collective test starting:")) {
        take_name(reader);
    }
    if (!import_starts(reader, "# nThread ")) {
        return false;
    }
    /* `sized` says that the operation was named since the last output. */
    reader->has_operation = reader->has_operation && reader->sized;
    reader->sized = false;
    reader->take = take_nccl;
    reader->time_column = -1;
    reader->processes = 0;
    import_next_run(reader);
    return true;
}
