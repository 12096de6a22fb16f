#include "growing.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "cli/options/exit.h"
#include "cli/options/write_all.h"

/* A line of the file is the sum of one block. */
enum { LINE = SHA256_DIGEST_STRING_LENGTH };

static void begin_block(cli_growing_sums *sums, double number) {
    char text[32];
    int length = snprintf(text, sizeof text, "%.0f\n", number);
    SHA256Init(&sums->block);
    SHA256Update(&sums->block, (const uint8_t *)sums->head->text, sums->head->length);
    SHA256Update(&sums->block, (const uint8_t *)text, (size_t)length);
    sums->number = number;
}

/* Opens the sums of a result, or begins them again. head must outlive them. */
static void growing_sums_open(const char *path, const isocast_buffer *head, bool again,
                              cli_growing_sums *out) {
    *out = (cli_growing_sums){.file = -1, .head = head};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    int length = snprintf(out->path, sizeof out->path, "%.*s.%s.isocast-sums", (int)(name - path),
                          path, name);
    const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    if (length < (int)sizeof out->path) {
        out->file = open(out->path, flags | O_CREAT | O_EXCL, 0666);
        out->made = out->file >= 0;
    }
    if (!out->made && length < (int)sizeof out->path) {
        out->file = open(out->path, flags | (again ? O_TRUNC : 0));
    }
    begin_block(out, 0);
}

/* Bytes of the next block, and its end: false where its sum is another one, or missing. */
static void growing_sums_read(cli_growing_sums *sums, const char *bytes, size_t length) {
    SHA256Update(&sums->block, (const uint8_t *)bytes, length);
}

static bool growing_sums_vouch(cli_growing_sums *sums) {
    char due[LINE];
    char there[LINE];
    SHA256End(&sums->block, due);
    due[LINE - 1] = '\n';
    off_t at = (off_t)sums->number * LINE;
    bool same = sums->file >= 0 && pread(sums->file, there, LINE, at) == LINE &&
                memcmp(due, there, LINE) == 0;
    begin_block(sums, sums->number + 1);
    return same;
}

/* Notes that the block of this number is these bytes. */
static void growing_sums_note(cli_growing_sums *sums, double number, const char *bytes,
                              size_t length) {
    char line[LINE];
    if (sums->file < 0) {
        return;
    }
    begin_block(sums, number);
    growing_sums_read(sums, bytes, length);
    SHA256End(&sums->block, line);
    line[LINE - 1] = '\n';
    if (pwrite(sums->file, line, LINE, (off_t)number * LINE) != LINE) {
        /* Whoever goes on computes this block again. */
        close(sums->file);
        sums->file = -1;
    }
}

/* Closes the file; removes it where the result is complete, or was refused and had
 * no sums before. */
static void growing_sums_close(cli_growing_sums *sums, bool complete, bool refused) {
    if ((complete || (refused && sums->made)) && sums->path[0] != '\0') {
        if (unlink(sums->path) != 0 && errno != ENOENT) {
            fprintf(stderr, "isocast: cannot remove '%s': %s\n", sums->path, strerror(errno));
        }
    }
    if (sums->file >= 0) {
        close(sums->file);
    }
    *sums = (cli_growing_sums){.file = -1};
}

enum { READ_BYTES = 1 << 16, LINE_MAX_BYTES = 1 << 20 };

static int fail(const cli_growing *g, const char *done, int cause) {
    fprintf(stderr, "isocast %s: cannot %s '%s': %s\n", g->request->command, done,
            g->request->path != NULL ? g->request->path : "-", strerror(cause));
    return CLI_EXIT_SYSTEM;
}

/* The file is there, but it is not what this command goes on with. */
static int refuse(const cli_growing *g, const char *format, double number) {
    fprintf(stderr, "isocast %s: cannot go on with '%s': ", g->request->command, g->request->path);
    fprintf(stderr, format, number);
    fputs("\n", stderr);
    return CLI_EXIT_INVALID;
}

static bool is_standard_output(const char *path) {
    return path == NULL || strcmp(path, "-") == 0;
}

/* Reads a file from its beginning. */
typedef struct reader {
    int file;
    char bytes[READ_BYTES];
    size_t at, count;
    off_t offset;        /* behind the bytes that were taken */
    isocast_buffer line; /* with its break */
    bool failed;         /* errno shows; a line that is too long is cut */
} reader;

/* The next line that ends in a break; false at the end of the file, with what stands behind the
 * last one. */
static bool next_line(reader *r) {
    r->line.length = 0;
    while (true) {
        if (r->at == r->count) {
            ssize_t got = pread(r->file, r->bytes, sizeof r->bytes, r->offset);
            r->failed = r->failed || got < 0;
            r->at = 0;
            r->count = got > 0 ? (size_t)got : 0;
            if (got <= 0) {
                return false;
            }
        }
        char *begin = r->bytes + r->at;
        size_t left = r->count - r->at;
        char *end = memchr(begin, '\n', left);
        size_t taken = end != NULL ? (size_t)(end - begin) : left;
        taken += end != NULL ? 1 : 0;
        if (r->line.length < LINE_MAX_BYTES) {
            isocast_buffer_append(&r->line, begin, taken);
        }
        r->at += taken;
        r->offset += (off_t)taken;
        if (r->line.failed) {
            r->failed = true;
            errno = ENOMEM;
            return false;
        }
        if (end != NULL) {
            return true;
        }
    }
}

/* Whether the file begins with the head, or is a part of it. */
static int check_head(cli_growing *g, reader *r, bool *whole) {
    const isocast_buffer *head = g->request->head;
    size_t at = 0;
    *whole = false;
    while (at < head->length) {
        size_t due = strcspn(head->text + at, "\n");
        if (!next_line(r)) {
            /* The head itself was torn. */
            size_t rest = r->line.length;
            bool part =
                rest <= due && (rest == 0 || memcmp(r->line.text, head->text + at, rest) == 0);
            g->end = 0;
            return r->failed ? fail(g, "read", errno)
                   : part    ? CLI_EXIT_OK
                             : refuse(g, "its head is not that of this command", 0);
        }
        size_t length = r->line.length - 1;
        if (length != due || memcmp(r->line.text, head->text + at, due) != 0) {
            fprintf(stderr,
                    "isocast %s: cannot go on with '%s': it answers another question\n"
                    "    its line:     %.*s\n"
                    "    this command: %.*s\n",
                    g->request->command, g->request->path, (int)(length < 400 ? length : 400),
                    r->line.text, (int)(due < 400 ? due : 400), head->text + at);
            return CLI_EXIT_INVALID;
        }
        at += due + 1;
    }
    *whole = true;
    g->from = g->end = r->offset;
    return CLI_EXIT_OK;
}

/* Counts the lines behind the head, up to one that is torn. What nothing vouches for, and the last
 * block, is computed again. */
static int check_lines(cli_growing *g, reader *r) {
    const cli_growing_request *request = g->request;
    bool vouched = true; /* all blocks before this one */
    double unsolved = 0;
    off_t begin = r->offset;
    while (next_line(r)) {
        bool solved = false;
        double number = g->lines + 1;
        if (number > request->lines_most ||
            !request->read_line(request->context, r->line.text, r->line.length - 1, number,
                                &solved)) {
            return refuse(g, "row %.0f is not one of this command", number);
        }
        if (fmod(g->lines, request->block) == 0) {
            vouched = vouched && (g->lines == 0 || growing_sums_vouch(&g->sums));
            if (vouched) {
                g->from = begin;
                g->next = g->lines / request->block;
                g->unsolved = unsolved;
            }
        }
        growing_sums_read(&g->sums, r->line.text, r->line.length);
        g->lines++;
        unsolved += solved ? 0 : 1;
        g->end = begin = r->offset;
    }
    g->number = g->next;
    return r->failed ? fail(g, "read", errno) : CLI_EXIT_OK;
}

/* Finds out how far the file is. */
static int go_on(cli_growing *g, bool *has_head) {
    reader *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    r->file = g->file;
    int status = check_head(g, r, has_head);
    if (status == CLI_EXIT_OK && *has_head) {
        status = check_lines(g, r);
    }
    g->torn = true;
    isocast_buffer_free(&r->line);
    free(r);
    return status;
}

static int open_file(cli_growing *g, bool *has_content) {
    const char *path = g->request->path;
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) {
        return fail(g, "write", errno);
    }
    g->created = !exists;
    g->regular = !exists || S_ISREG(old.st_mode);
    int flags = g->regular ? O_RDWR | (exists ? 0 : O_CREAT | O_EXCL) : O_WRONLY | O_NOCTTY;
    *has_content = exists && g->regular && old.st_size > 0;
    if (*has_content && !g->request->resume) {
        fprintf(stderr,
                "isocast %s: '%s' is there already; add --resume to go on with it, or name another "
                "file\n",
                g->request->command, path);
        return CLI_EXIT_USAGE;
    }
    g->file = open(path, flags | O_CLOEXEC, 0666);
    if (g->file < 0) {
        g->created = false;
        return fail(g, "write", errno);
    }
    if (g->regular) {
        growing_sums_open(path, g->request->head, !*has_content, &g->sums);
    }
    return CLI_EXIT_OK;
}

/* What another command is writing is not even looked at. */
static int claim_file(const cli_growing *g) {
    isocast_buffer why = {0};
    isocast_status status = campaign_claim_take(g->request->path, &why);
    if (status != ISOCAST_OK) {
        fprintf(stderr, "isocast %s: %s\n", g->request->command,
                why.text != NULL ? why.text : "another command is writing the output");
    }
    isocast_buffer_free(&why);
    return cli_exit_of(status);
}

int cli_growing_open(const cli_growing_request *request, cli_growing *out) {
    *out = (cli_growing){.request = request, .file = STDOUT_FILENO, .sums = {.file = -1}};
    bool has_content = false;
    bool has_head = false;
    int status = CLI_EXIT_OK;
    if (!is_standard_output(request->path)) {
        out->file = -1;
        status = claim_file(out);
        CLI_THEN(status, open_file(out, &has_content));
    }
    if (status == CLI_EXIT_OK && has_content) {
        status = go_on(out, &has_head);
    }
    out->head_due = !has_head;
    return status;
}

/* Whether the lines that are there are those of the block that was computed again, or begin it.
 * *there is how many bytes of it they have. */
static int compare(cli_growing *g, const char *text, size_t length, size_t *there) {
    char bytes[READ_BYTES];
    size_t left = (size_t)(g->end - g->from);
    size_t due = left < length ? left : length;
    bool same = true;
    for (size_t at = 0; at < due && same;) {
        size_t most = due - at < sizeof bytes ? due - at : sizeof bytes;
        ssize_t got = pread(g->file, bytes, most, g->from + (off_t)at);
        if (got <= 0) {
            return fail(g, "read", got < 0 ? errno : EIO);
        }
        same = memcmp(bytes, text + at, (size_t)got) == 0;
        at += (size_t)got;
    }
    *there = due;
    return same ? CLI_EXIT_OK
                : refuse(g, "from row %.0f on it has other values than are computed now",
                         g->number * g->request->block + 1);
}

/* Cuts the line that was torn, now that all before it is known to be right. */
static int cut(cli_growing *g) {
    if (g->torn && (ftruncate(g->file, g->end) != 0 || lseek(g->file, g->end, SEEK_SET) < 0)) {
        return fail(g, "write", errno);
    }
    g->torn = false;
    return CLI_EXIT_OK;
}

/* Writes what is new of a block, after the head where that is due. */
static int write_new(cli_growing *g, const char *text, size_t length) {
    int status = cut(g);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    const isocast_buffer *head = g->request->head;
    bool written = !g->head_due || cli_write_all(g->file, head->text, head->length);
    if (!written || !cli_write_all(g->file, text, length)) {
        int cause = errno;
        /* A reader that has seen enough, such as head, is no failure to state about. */
        if (cause == EPIPE) {
            cli_exit_reported();
            return CLI_EXIT_SYSTEM;
        }
        return fail(g, "write", cause);
    }
    g->end += (off_t)(length + (g->head_due ? head->length : 0));
    g->head_due = false;
    return CLI_EXIT_OK;
}

int cli_growing_append(cli_growing *growing, const char *text, size_t length) {
    size_t there = 0;
    int status = CLI_EXIT_OK;
    if (growing->end > growing->from) {
        status = compare(growing, text, length, &there);
    }
    if (status == CLI_EXIT_OK && growing->from + (off_t)there >= growing->end) {
        status = write_new(growing, text + there, length - there);
    }
    if (status == CLI_EXIT_OK) {
        growing_sums_note(&growing->sums, growing->number++, text, length);
        growing->from = there == length ? growing->from + (off_t)length : growing->end;
    }
    return status;
}

int cli_growing_close(cli_growing *growing, bool complete, int status) {
    if (growing->file < 0 || growing->file == STDOUT_FILENO) {
        return status;
    }
    bool empty = growing->created && growing->head_due;
    if (empty) {
        unlink(growing->request->path);
    }
    growing_sums_close(&growing->sums, complete || empty, status == CLI_EXIT_INVALID);
    bool kept = !growing->regular || fsync(growing->file) == 0;
    int cause = errno;
    if (close(growing->file) != 0 && kept) {
        kept = false;
        cause = errno;
    }
    growing->file = -1;
    campaign_claim_release(growing->request->path);
    return kept || status == CLI_EXIT_SYSTEM ? status : fail(growing, "write", cause);
}
