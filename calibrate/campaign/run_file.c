#include "run_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claim.h"
#include "model/base/source_read.h"

/* How the header of a kernel's rows starts and ends; its phases stand between, or an own program's
 * settings, where it has any. */
static const char header_start[] = "algorithm,machine,system,p,N,repetition,T";
static const char header_end[] = ",oversubscribed";

enum { HEADER_MAX = 4096 };

static isocast_status fail(const campaign_run_file *f, int cause) {
    return campaign_fail(f->listener, ISOCAST_IO, "cannot write %s: %s", f->path, strerror(cause));
}

static isocast_status refuse_columns(const campaign_run_file *f) {
    return campaign_fail(f->listener, ISOCAST_INVALID,
                         "%s has other columns than the kernel's rows; name another file", f->path);
}

static isocast_status claim(campaign_run_file *f) {
    isocast_status status = campaign_claim_take_for(f->listener, f->path);
    f->claimed = status == ISOCAST_OK;
    return status;
}

/* Whether the first line, or what a crash left of it, is a kernel's. A file that measure did not
 * write is the user's, and not even its last line is touched. */
static bool has_kernel_header(const char *start, size_t length) {
    const char *end = memchr(start, '\n', length);
    size_t line = end != NULL ? (size_t)(end - start) : length;
    size_t compared = strlen(header_start);
    if (end == NULL) {
        return strncmp(start, header_start, line < compared ? line : compared) == 0;
    }
    size_t ending = strlen(header_end);
    return line >= compared + ending && strncmp(start, header_start, compared) == 0 &&
           strncmp(start + line - ending, header_end, ending) == 0;
}

/* The place where the last whole line ends. */
static off_t end_of_lines(int file, off_t size) {
    char last = '\n';
    off_t end = size;
    while (end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n') {
        end--;
    }
    return end;
}

/* The file up to its last line end, which is *end, as text. */
static isocast_status read_lines(const campaign_run_file *f, off_t size, off_t *end, char **text) {
    *end = end_of_lines(f->file, size);
    *text = malloc((size_t)*end + 1);
    if (*text == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (off_t at = 0; at < *end;) {
        ssize_t got = pread(f->file, *text + at, (size_t)(*end - at), at);
        if (got <= 0) {
            return fail(f, got < 0 ? errno : EIO);
        }
        at += got;
    }
    return ISOCAST_OK;
}

static isocast_status take_runs(campaign_run_file *f, const char *text, size_t length,
                                isocast_diagnostics *diagnostics) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_take(f->path, text, length, diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = isocast_runs_read(source, diagnostics, &f->runs);
    }
    if (status == ISOCAST_OK) {
        f->header = strdup(f->runs->header);
        status = f->header == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    return status;
}

/* Reads the rows. Where they are right, a last line that has no line end is cut off. */
static isocast_status read_runs(campaign_run_file *f, isocast_diagnostics *diagnostics) {
    char start[HEADER_MAX];
    off_t size = lseek(f->file, 0, SEEK_END);
    ssize_t length = size < 0 ? -1 : pread(f->file, start, sizeof start, 0);
    if (length < 0) {
        return fail(f, errno);
    }
    if (!has_kernel_header(start, (size_t)length)) {
        return refuse_columns(f);
    }
    off_t end = 0;
    char *text = NULL;
    isocast_status status = read_lines(f, size, &end, &text);
    if (status == ISOCAST_OK && end > 0) {
        status = take_runs(f, text, (size_t)end, diagnostics);
    }
    free(text);
    if (status == ISOCAST_OK && end < size) {
        campaign_report(f->listener, CAMPAIGN_WARNING,
                        "%s ends in half a row, which is measured again", f->path);
        status = ftruncate(f->file, end) == 0 ? ISOCAST_OK : fail(f, errno);
    }
    return status;
}

isocast_status campaign_run_file_open(const char *path, const campaign_listener *listener,
                                      isocast_diagnostics *diagnostics, campaign_run_file *out) {
    *out = (campaign_run_file){.path = path, .file = -1, .listener = listener};
    isocast_status status = claim(out);
    if (status != ISOCAST_OK) {
        return status;
    }
    const int flags = O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC;
    out->file = open(path, flags | O_EXCL, 0666);
    out->made = out->file >= 0;
    if (out->file < 0 && errno == EEXIST) {
        out->file = open(path, flags, 0666);
    }
    return out->file < 0 ? fail(out, errno) : read_runs(out, diagnostics);
}

static isocast_status append_text(const campaign_run_file *f, const isocast_buffer *text) {
    if (text->failed) {
        return ISOCAST_NO_MEMORY;
    }
    off_t before = lseek(f->file, 0, SEEK_END);
    ssize_t written = before < 0 ? -1 : write(f->file, text->text, text->length);
    if (written == (ssize_t)text->length && fsync(f->file) == 0) {
        return ISOCAST_OK;
    }
    int cause = written >= 0 && written < (ssize_t)text->length ? ENOSPC : errno;
    if (before >= 0 && ftruncate(f->file, before) != 0) {
        campaign_report(f->listener, CAMPAIGN_WARNING, "a part of a row stays at the end of %s",
                        f->path);
    }
    campaign_report(f->listener, CAMPAIGN_WARNING, "the last run is lost");
    return fail(f, cause);
}

isocast_status campaign_run_file_append(campaign_run_file *file, const char *header,
                                        const char *row) {
    isocast_buffer text = {0};
    if (file->header == NULL) {
        file->header = strdup(header);
        if (file->header == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        isocast_buffer_printf(&text, "%s\n", header);
    } else if (strcmp(file->header, header) != 0) {
        return refuse_columns(file);
    }
    isocast_buffer_printf(&text, "%s\n", row);
    isocast_status status = append_text(file, &text);
    isocast_buffer_free(&text);
    return status;
}

bool campaign_run_file_has_rows(const campaign_run_file *file) {
    return file->file >= 0 && lseek(file->file, 0, SEEK_END) > 0;
}

void campaign_run_file_close(campaign_run_file *file) {
    if (file->file >= 0) {
        if (file->made && lseek(file->file, 0, SEEK_END) == 0) {
            (void)unlink(file->path);
        }
        close(file->file);
    }
    if (file->claimed) {
        campaign_claim_release(file->path);
    }
    isocast_runs_free(file->runs);
    free(file->header);
}
