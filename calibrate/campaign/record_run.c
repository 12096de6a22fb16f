#include "record_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program_file.h"

bool campaign_is_launcher(const char *program) {
    static const char *const names[] = {"mpiexec", "mpirun", "srun", "orterun", "aprun", "jsrun"};
    const char *slash = strrchr(program, '/');
    const char *name = slash != NULL ? slash + 1 : program;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) == 0 && (name[length] == '\0' || name[length] == '.')) {
            return true;
        }
    }
    return false;
}

/* Joins the parts that a run left in a folder, which stays. Errors: IO and PROGRAM, which are
 * reported; NO_MEMORY. */
static isocast_status join(const campaign_listener *listener, const record_folder *folder,
                           const record_run *run, isocast_buffer *text, record_joined *out) {
    record_parts parts = {0};
    isocast_status status = record_parts_open(folder, &parts);
    if (status == ISOCAST_IO) {
        return campaign_fail(listener, status, "cannot read the folder %s: %s", folder->path,
                             strerror(errno));
    }
    if (status == ISOCAST_OK && parts.broken > 0 && parts.count > 0) {
        campaign_report(
            listener, parts.cause != 0 ? CAMPAIGN_PROBLEM : CAMPAIGN_WARNING,
            "%zu files of processes cannot be read%s%s: what these processes did is missing",
            parts.broken, parts.cause != 0 ? ": " : "",
            parts.cause != 0 ? strerror(parts.cause) : "");
    }
    if (status == ISOCAST_OK && parts.count == 0) {
        status = parts.broken > 0
                     ? campaign_fail(listener, ISOCAST_IO,
                                     parts.cause != 0
                                         ? "cannot read what the processes left in %s: %s"
                                         : "no process could leave what it did in %s; is the disk "
                                           "full?",
                                     folder->path, strerror(parts.cause))
                     : ISOCAST_PROGRAM;
    } else if (status == ISOCAST_OK) {
        status = record_join(&parts, run, text, out);
    }
    out->unread = parts.cause != 0;
    record_parts_close(&parts);
    return status;
}

/* Reports what is missing in a record. */
static void report_gaps(const campaign_record_request *request, const record_joined *joined) {
    const campaign_listener *listener = request->listener;
    if (joined->heard < joined->processes) {
        campaign_report(listener, CAMPAIGN_WARNING, "%zu of %zu processes left nothing",
                        joined->processes - joined->heard, joined->processes);
    }
    if (joined->lost > 0) {
        campaign_report(
            listener, CAMPAIGN_WARNING,
            "%.0f calls are in no row: the program has more call sites, communicators or "
            "sizes than a record has rows, or the disk is full; derive refuses such a record",
            joined->lost);
    }
    if (joined->merged > 0) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "%zu rows stand for calls of many different sizes and partners, of which "
                        "only mean and spread are known",
                        joined->merged);
    }
    int cause = joined->unnamed_cause;
    if (cause != 0) {
        campaign_report(
            listener, cause == EACCES ? CAMPAIGN_NOTE : CAMPAIGN_PROBLEM,
            "cannot read the program's files: %s; the record lacks its hash, or names of "
            "call sites",
            strerror(cause));
    } else if (joined->named < joined->sites) {
        campaign_report(listener, CAMPAIGN_NOTE,
                        "%zu of %zu call sites have no source line; compile the program with -g",
                        joined->sites - joined->named, joined->sites);
    }
}

/* Why the program failed, in words; empty where the program reported it itself. */
static isocast_status report_end(const campaign_record_request *request, isocast_status launched,
                                 const launcher_end *run, bool heard, isocast_record_end end) {
    const campaign_listener *listener = request->listener;
    const char *program = request->command[0];
    const char *kept = heard ? "; what was recorded until then is kept" : "";
    int code = run->exit_code;
    if (launched == ISOCAST_INTERRUPTED) {
        return campaign_fail(listener, ISOCAST_INTERRUPTED, "interrupted%s", kept);
    }
    if (launched == ISOCAST_NO_MEMORY) {
        return launched;
    }
    if (launched == ISOCAST_IO || run->cause == LAUNCHER_MISSING) {
        return campaign_fail(listener, launched, "%s", run->text);
    }
    if (!heard) {
        const char *obstacle = campaign_program_obstacle(program, NULL);
        if (code != 0 && obstacle != NULL) {
            return campaign_fail(listener, ISOCAST_PROGRAM,
                                 "%s did not start: %s; nothing is recorded", program, obstacle);
        }
        if (code != 0) {
            return campaign_fail(
                listener, ISOCAST_PROGRAM,
                "%s ended with exit status %d before MPI_Init; nothing is recorded", program, code);
        }
        return campaign_fail(
            listener, ISOCAST_PROGRAM,
            "%s did not call MPI_Init of a shared MPI library: it is no MPI program, or it is "
            "linked statically; nothing is recorded",
            program);
    }
    if (end == ISOCAST_RECORD_COMPLETE && code == 0) {
        return ISOCAST_OK;
    }
    return campaign_fail(listener, ISOCAST_PROGRAM,
                         end == ISOCAST_RECORD_ABORTED ? "%s called MPI_Abort (exit status %d)%s"
                         : end == ISOCAST_RECORD_KILLED
                             ? "a process of %s was killed, or ended by _exit (exit status %d)%s"
                         : end == ISOCAST_RECORD_EXITED
                             ? "%s ended without MPI_Finalize (exit status %d)%s"
                             : "%s ended with exit status %d%s",
                         program, code, kept);
}

/* Runs the program, and joins what it left. */
static isocast_status run(const campaign_record_request *request, const record_folder *folder,
                          isocast_buffer *text, record_joined *out) {
    launcher_words environment = {0};
    isocast_status status = campaign_preload(request->listener, request->library, folder,
                                             RECORD_PART_MODE "=record", &environment);
    launcher_request launched = {.alone = request->alone,
                                 .launcher = request->launcher,
                                 .processes = request->processes,
                                 .command = request->command,
                                 .environment = (const char *const *)environment.items,
                                 .through = true};
    isocast_buffer line = {0};
    launcher_put_line(&launched, &line);
    status = status == ISOCAST_OK && line.failed ? ISOCAST_NO_MEMORY : status;
    if (status != ISOCAST_OK) {
        launcher_words_free(&environment);
        isocast_buffer_free(&line);
        return status;
    }
    launcher_end end = {0};
    isocast_status ended = launcher_run(&launched, &end);
    launcher_words_free(&environment);
    const record_run with = {request->command, line.text != NULL ? line.text : ""};
    isocast_buffer joined = {0};
    status = join(request->listener, folder, &with, &joined, out);
    isocast_buffer_free(&line);
    bool heard = status == ISOCAST_OK;
    if (heard && out->unread) {
        status = ISOCAST_IO;
    } else if (status != ISOCAST_IO && status != ISOCAST_NO_MEMORY) {
        status = report_end(request, ended, &end, heard, out->end);
    }
    if (heard) {
        if (!out->unread) {
            report_gaps(request, out);
            bool failed = out->unnamed_cause != 0 && out->unnamed_cause != EACCES;
            status = status == ISOCAST_OK && failed ? ISOCAST_IO : status;
        }
        *text = joined;
    } else {
        isocast_buffer_free(&joined);
    }
    return status;
}

isocast_status campaign_record(const campaign_record_request *request, isocast_buffer *text,
                               record_joined *out) {
    if (campaign_must_stop(request->listener)) {
        return campaign_fail(request->listener, ISOCAST_INTERRUPTED, "interrupted");
    }
    if (mkdir(request->folder, 0700) != 0) {
        return campaign_fail(request->listener, ISOCAST_IO, "cannot make the folder %s: %s",
                             request->folder, strerror(errno));
    }
    record_folder folder;
    isocast_status status = campaign_folder_hold(request->listener, request->folder, &folder);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = run(request, &folder, text, out);
    campaign_folder_remove(request->listener, &folder);
    return status;
}
