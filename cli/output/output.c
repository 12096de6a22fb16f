#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "cli/options/exit.h"
#include "cli/options/write_all.h"
#include "model/base/refused.h"

/* One output on its way. */
typedef struct job {
    const char *path; /* as the user called it */
    enum { STANDARD_OUTPUT, SPECIAL, REGULAR } kind;
    /* Of a REGULAR one: */
    bool existed;                  /* there is an old file to replace */
    mode_t mode;                   /* of the new file */
    char target[PATH_MAX];         /* the real file */
    char temporary[PATH_MAX + 32]; /* the new one beside it; empty where there is none any more */
    char old[PATH_MAX + 40];       /* a second name of the old one; empty likewise */
} job;

static int fail(const char *path, int cause) {
    fprintf(stderr, "isocast: cannot write '%s': %s\n", path, strerror(cause));
    return CLI_EXIT_SYSTEM;
}

/* Gives the status; frees the sentence. */
static int report_claimed(isocast_status status, isocast_buffer *why) {
    if (status != ISOCAST_OK) {
        fprintf(stderr, "isocast: %s\n",
                why->text != NULL ? why->text : "another command is writing the output");
    }
    isocast_buffer_free(why);
    return status == ISOCAST_OK ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

static bool wrote_standard_output;
static bool closed_standard_output;

static bool reader_left;

bool cli_output_reader_left(void) {
    return reader_left;
}

/* Past stdio's buffer, so that a failure is reported here, once, with its cause. */
static int write_standard_output(const char *bytes, size_t length) {
    wrote_standard_output = true;
    if (fflush(stdout) == 0 && cli_write_all(STDOUT_FILENO, bytes, length)) {
        return CLI_EXIT_OK;
    }
    /* A reader that has seen enough, such as head, is no failure to state about. */
    if (errno == EPIPE) {
        reader_left = true;
        cli_exit_reported();
    } else {
        fprintf(stderr, "isocast: cannot write standard output: %s\n", strerror(errno));
    }
    return CLI_EXIT_SYSTEM;
}

int cli_output_close(int status) {
    if (closed_standard_output) {
        return status;
    }
    closed_standard_output = true;
    bool wrote = wrote_standard_output || __fpending(stdout) > 0;
    bool failed_before = ferror(stdout) != 0;
    errno = 0;
    bool closed = fclose(stdout) == 0;
    if (!failed_before && (closed || !wrote)) {
        return status;
    }
    if (errno == EPIPE) {
        reader_left = true;
        cli_exit_reported();
    } else {
        fprintf(stderr, "isocast: cannot write standard output: %s\n",
                errno != 0 ? strerror(errno) : "an earlier write failed");
    }
    return CLI_EXIT_SYSTEM;
}

/* Devices and pipes cannot be replaced by a renamed file. */
static int write_special(const char *path, const char *bytes, size_t length) {
    int file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (file < 0) {
        return fail(path, errno);
    }
    bool written = cli_write_all(file, bytes, length);
    int cause = errno;
    if (close(file) != 0 && written) {
        written = false;
        cause = errno;
    }
    return written ? CLI_EXIT_OK : fail(path, cause);
}

static mode_t new_file_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Makes the rename itself durable; a file system that cannot sync a directory is let be. */
static void sync_directory(const char *directory) {
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
}

static bool fill_temporary(int file, mode_t mode, const char *bytes, size_t length) {
    bool filled = cli_write_all(file, bytes, length) && fchmod(file, mode) == 0 && fsync(file) == 0;
    int cause = errno;
    if (close(file) != 0 && filled) {
        return false;
    }
    errno = cause;
    return filled;
}

/* Finds out what is to be written where. */
static int look_at(const char *path, job *out) {
    *out = (job){.path = path, .kind = STANDARD_OUTPUT};
    if (path == NULL || strcmp(path, "-") == 0) {
        return CLI_EXIT_OK;
    }
    struct stat old;
    out->kind = REGULAR;
    if (stat(path, &old) != 0) {
        if (errno != ENOENT || strlen(path) >= PATH_MAX) {
            return fail(path, errno);
        }
        (void)snprintf(out->target, sizeof out->target, "%s", path);
        out->mode = new_file_mode();
        return CLI_EXIT_OK;
    }
    if (S_ISDIR(old.st_mode)) {
        return fail(path, EISDIR);
    }
    if (!S_ISREG(old.st_mode)) {
        out->kind = SPECIAL;
        return CLI_EXIT_OK;
    }
    /* A rename would also replace a file that its owner made read-only, or a link to it. */
    if (access(path, W_OK) != 0 || realpath(path, out->target) == NULL) {
        return fail(path, errno);
    }
    out->existed = true;
    out->mode = old.st_mode & 07777;
    return CLI_EXIT_OK;
}

/* The folder of the real file. copy: PATH_MAX bytes for its name. */
static const char *folder_of(const job *j, char *copy) {
    (void)snprintf(copy, PATH_MAX, "%.*s", PATH_MAX - 1, j->target);
    return dirname(copy);
}

/* Writes the new file beside the old one, flushed to the disk. */
static int put_beside(job *j, const char *bytes, size_t length) {
    char copy[PATH_MAX];
    (void)snprintf(j->temporary, sizeof j->temporary, "%s/.isocast-XXXXXX", folder_of(j, copy));
    int file = mkostemp(j->temporary, O_CLOEXEC);
    if (file < 0) {
        j->temporary[0] = '\0';
        return fail(j->path, errno);
    }
    return fill_temporary(file, j->mode, bytes, length) ? CLI_EXIT_OK : fail(j->path, errno);
}

/* Keeps the old file under a second name, for it to be put back. A file system without links does
 * without. */
static int keep_old(job *j) {
    (void)snprintf(j->old, sizeof j->old, "%.*s.old", PATH_MAX + 31, j->temporary);
    if (link(j->target, j->old) == 0) {
        return CLI_EXIT_OK;
    }
    int cause = errno;
    j->old[0] = '\0';
    bool unknown = cause == EPERM || cause == EOPNOTSUPP || cause == ENOSYS || cause == EMLINK;
    return unknown ? CLI_EXIT_OK : fail(j->path, cause);
}

/* A name that is new must be nobody's in the meantime; a file system may not know this way. */
static bool give_name(const job *j) {
    if (!j->existed) {
        if (renameat2(AT_FDCWD, j->temporary, AT_FDCWD, j->target, RENAME_NOREPLACE) == 0) {
            return true;
        }
        if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) {
            return false;
        }
    }
    return rename(j->temporary, j->target) == 0;
}

static int move(job *j) {
    isocast_buffer why = {0};
    int status = report_claimed(campaign_claim_check(j->path, &why), &why);
    if (status == CLI_EXIT_OK && !give_name(j)) {
        status = fail(j->path, errno);
    }
    if (status == CLI_EXIT_OK) {
        j->temporary[0] = '\0';
        campaign_claim_written(j->path);
    }
    return status;
}

/* Undoes a move. */
static void move_back(job *j) {
    if (j->old[0] != '\0' && rename(j->old, j->target) == 0) {
        j->old[0] = '\0';
    } else if (!j->existed) {
        unlink(j->target);
    }
    campaign_claim_written(j->path);
}

static void remove_rest(const char *path) {
    if (path[0] != '\0' && unlink(path) != 0 && errno != ENOENT) {
        fprintf(stderr, "isocast: cannot remove '%s': %s\n", path, strerror(errno));
    }
}

static void remove_rests(job *jobs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        remove_rest(jobs[i].temporary);
        remove_rest(jobs[i].old);
    }
}

/* Gives all new files their names, or none. */
static int move_all(job *jobs, size_t count) {
    int status = CLI_EXIT_OK;
    /* The last needs no way back. */
    for (size_t i = 0; status == CLI_EXIT_OK && i + 1 < count; i++) {
        status = jobs[i].kind == REGULAR && jobs[i].existed ? keep_old(&jobs[i]) : CLI_EXIT_OK;
    }
    size_t moved = 0;
    for (; status == CLI_EXIT_OK && moved < count; moved += status == CLI_EXIT_OK) {
        status = jobs[moved].kind == REGULAR ? move(&jobs[moved]) : CLI_EXIT_OK;
    }
    for (size_t i = moved; status != CLI_EXIT_OK && i-- > 0;) {
        if (jobs[i].kind == REGULAR) {
            move_back(&jobs[i]);
        }
    }
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        char copy[PATH_MAX];
        if (jobs[i].kind == REGULAR) {
            sync_directory(folder_of(&jobs[i], copy));
        }
    }
    return status;
}

/* What cannot be undone, a stream's bytes, comes when every file lies ready. */
static int write_streams(const job *jobs, const cli_output *outputs, size_t count) {
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        const isocast_buffer *text = &outputs[i].text;
        if (jobs[i].kind == STANDARD_OUTPUT) {
            status = write_standard_output(text->text, text->length);
            /* Some file systems state only then that the bytes have no room. */
            if (status == CLI_EXIT_OK && count > 1) {
                status = cli_output_close(status);
            }
        } else if (jobs[i].kind == SPECIAL) {
            status = write_special(jobs[i].path, text->text, text->length);
        }
    }
    return status;
}

static bool is_lost;

void cli_output_lost(void) {
    is_lost = true;
}

int cli_outputs_write(cli_output *outputs, size_t count) {
    job jobs[CLI_OUTPUTS_MAX] = {0};
    int status = CLI_EXIT_OK;
    bool refused = isocast_was_refused();
    for (size_t i = 0; i < count; i++) {
        refused = refused || outputs[i].text.failed;
    }
    if (refused) {
        status = is_lost ? CLI_EXIT_SYSTEM : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    size_t claimed = 0;
    for (; status == CLI_EXIT_OK && claimed < count; claimed += status == CLI_EXIT_OK) {
        isocast_buffer why = {0};
        status = report_claimed(campaign_claim_take(outputs[claimed].path, &why), &why);
    }
    for (size_t i = 0; status == CLI_EXIT_OK && i < count; i++) {
        status = look_at(outputs[i].path, &jobs[i]);
        if (status == CLI_EXIT_OK && jobs[i].kind == REGULAR) {
            status = put_beside(&jobs[i], outputs[i].text.text, outputs[i].text.length);
        }
    }
    CLI_THEN(status, write_streams(jobs, outputs, count));
    CLI_THEN(status, move_all(jobs, count));
    remove_rests(jobs, count);
    for (size_t i = 0; i < claimed; i++) {
        campaign_claim_release(outputs[i].path);
    }
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_free(&outputs[i].text);
    }
    return status;
}

int cli_output_write_text(const char *path, isocast_buffer *text) {
    cli_output output = {path, *text};
    *text = (isocast_buffer){0};
    return cli_outputs_write(&output, 1);
}

int cli_output_check(const char *path) {
    job j;
    char copy[PATH_MAX];
    int status = look_at(path, &j);
    if (status == CLI_EXIT_OK && j.kind == REGULAR && access(folder_of(&j, copy), W_OK) != 0) {
        return fail(path, errno);
    }
    return status;
}
