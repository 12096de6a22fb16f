#include "point_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/array.h"
#include "model/base/buffer.h"

/* Of a file: a span has a few hundred rows at most. */
enum { CACHE_FILE_MAX = 256 * 1024, CACHE_PATH_MAX = CAMPAIGN_CACHE_FOLDER_MAX + 128 };

static const char first_line[] = "isocast simulated times 1\n";

bool campaign_size_times_add(campaign_size_times *times, double m, double seconds) {
    return ISOCAST_ARRAY_ADD(times->rows, times->count, times->room,
                             (campaign_size_time){.m = m, .seconds = seconds});
}

bool campaign_size_times_insert(campaign_size_times *times, double m, double seconds) {
    size_t at = times->count;
    while (at > 0 && times->rows[at - 1].m >= m) {
        at--;
    }
    if (at < times->count && times->rows[at].m == m) {
        return true;
    }
    if (!campaign_size_times_add(times, m, seconds)) {
        return false;
    }
    memmove(&times->rows[at + 1], &times->rows[at], (times->count - 1 - at) * sizeof *times->rows);
    times->rows[at] = (campaign_size_time){.m = m, .seconds = seconds};
    return true;
}

bool campaign_size_times_insert_all(campaign_size_times *times, const campaign_size_time *rows,
                                    size_t count) {
    bool inserted = true;
    for (size_t i = 0; i < count && inserted; i++) {
        inserted = campaign_size_times_insert(times, rows[i].m, rows[i].seconds);
    }
    return inserted;
}

void campaign_size_times_free(campaign_size_times *times) {
    free(times->rows);
    *times = (campaign_size_times){0};
}

double campaign_size_times_at(const campaign_size_times *times, double m) {
    const campaign_size_time *rows = times->rows;
    size_t k = 0;
    while (k < times->count && rows[k].m <= m) {
        k++;
    }
    if (k == 0 || k == times->count || !(rows[k - 1].m > 0)) {
        return rows[k == 0 ? 0 : k - 1].seconds;
    }
    double part = log(m / rows[k - 1].m) / log(rows[k].m / rows[k - 1].m);
    return rows[k - 1].seconds * pow(rows[k].seconds / rows[k - 1].seconds, part);
}

/* Whether nobody else could have written here. */
static bool is_own(const struct stat *file) {
    return file->st_uid == geteuid() && (file->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Makes each folder of the path; those that are there stay. False with errno. */
static bool make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) {
            return false;
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool name_folder(const char *folder, char *out) {
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;
    if (folder != NULL) {
        length = snprintf(out, CAMPAIGN_CACHE_FOLDER_MAX, "%s", folder);
    } else if (cache != NULL && cache[0] == '/') {
        length = snprintf(out, CAMPAIGN_CACHE_FOLDER_MAX, "%s/isocast", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(out, CAMPAIGN_CACHE_FOLDER_MAX, "%s/.cache/isocast", home);
    }
    return length > 0 && length < CAMPAIGN_CACHE_FOLDER_MAX;
}

void campaign_point_cache_open(const char *folder, const campaign_listener *listener,
                               campaign_point_cache *out) {
    *out = (campaign_point_cache){.folder = ""};
    char path[CAMPAIGN_CACHE_FOLDER_MAX];
    if (!name_folder(folder, path)) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "simulated times are not kept: there is no folder for them; name one with "
                        "--cache");
        return;
    }
    struct stat file;
    if (!make_folders(path) || stat(path, &file) != 0) {
        campaign_report(listener, CAMPAIGN_WARNING, "simulated times are not kept in %s: %s", path,
                        strerror(errno));
    } else if (!S_ISDIR(file.st_mode)) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "simulated times are not kept: %s is not a folder", path);
    } else if (!is_own(&file)) {
        campaign_report(listener, CAMPAIGN_WARNING,
                        "simulated times are not kept in %s: others own it or may write there",
                        path);
    } else {
        memcpy(out->folder, path, strlen(path) + 1);
    }
}

static void name_file(const campaign_point_cache *cache, const char *key, char *path) {
    char digest[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data((const uint8_t *)key, strlen(key), digest);
    snprintf(path, CACHE_PATH_MAX, "%s/%s.times", cache->folder, digest);
}

/* The whole file, NUL-terminated; NULL where it is not there, or not to be trusted. */
static char *read_own(const char *path) {
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat file;
    char *text = NULL;
    if (descriptor >= 0 && fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode) &&
        is_own(&file) && file.st_size > 0 && file.st_size < CACHE_FILE_MAX) {
        size_t size = (size_t)file.st_size;
        text = malloc(size + 1);
        if (text != NULL && read(descriptor, text, size) != (ssize_t)size) {
            free(text);
            text = NULL;
        }
        if (text != NULL) {
            text[size] = '\0';
        }
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return text;
}

/* "9344 0.000971102935"; false where it is no row, or m does not rise. */
static bool read_row(const char **at, campaign_size_times *out) {
    char *end;
    double m = strtod(*at, &end);
    bool good = end != *at && *end == ' ';
    const char *second = end;
    double seconds = good ? strtod(second, &end) : NAN;
    good = good && end != second && *end == '\n' && isfinite(m) && m >= 0 && isfinite(seconds) &&
           seconds >= 0 && (out->count == 0 || m > out->rows[out->count - 1].m);
    *at = end + (*end == '\n');
    return good && campaign_size_times_add(out, m, seconds);
}

/* Rows between the first line and the digest of them, which is the last. */
static bool read_rows(char *text, campaign_size_times *out) {
    size_t first = strlen(first_line);
    size_t length = strlen(text);
    size_t last = SHA256_DIGEST_STRING_LENGTH; /* with its newline in place of the NUL */
    if (strncmp(text, first_line, first) != 0 || length < first + last) {
        return false;
    }
    char digest[SHA256_DIGEST_STRING_LENGTH];
    size_t body = length - last;
    SHA256Data((const uint8_t *)text, body, digest);
    if (strncmp(text + body, digest, last - 1) != 0 || text[length - 1] != '\n') {
        return false;
    }
    text[body] = '\0';
    bool good = true;
    for (const char *at = text + first; good && *at != '\0';) {
        good = read_row(&at, out);
    }
    return good;
}

isocast_status campaign_point_cache_find(const campaign_point_cache *cache, const char *key,
                                         campaign_size_times *out) {
    if (cache->folder[0] == '\0') {
        return ISOCAST_OK;
    }
    char path[CACHE_PATH_MAX];
    name_file(cache, key, path);
    char *text = read_own(path);
    campaign_size_times found = {0};
    if (text != NULL && read_rows(text, &found)) {
        *out = found;
    } else {
        campaign_size_times_free(&found);
    }
    free(text);
    return ISOCAST_OK;
}

/* All of it, or nothing. */
static bool write_whole(int descriptor, const isocast_buffer *text) {
    size_t written = 0;
    while (written < text->length) {
        ssize_t step = write(descriptor, text->text + written, text->length - written);
        if (step < 0 && errno != EINTR) {
            return false;
        }
        written += step > 0 ? (size_t)step : 0;
    }
    return true;
}

void campaign_point_cache_keep(const campaign_point_cache *cache, const char *key,
                               const campaign_size_times *times) {
    if (cache->folder[0] == '\0') {
        return;
    }
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, first_line);
    for (size_t i = 0; i < times->count; i++) {
        isocast_buffer_printf(&text, "%.17g %.17g\n", times->rows[i].m, times->rows[i].seconds);
    }
    char path[CACHE_PATH_MAX];
    char part[CACHE_PATH_MAX];
    name_file(cache, key, path);
    snprintf(part, sizeof part, "%s/part-XXXXXX", cache->folder);
    char digest[SHA256_DIGEST_STRING_LENGTH] = "";
    if (!text.failed) {
        SHA256Data((const uint8_t *)text.text, text.length, digest);
        isocast_buffer_printf(&text, "%s\n", digest);
    }
    int descriptor = text.failed || text.length >= CACHE_FILE_MAX ? -1 : mkostemp(part, O_CLOEXEC);
    if (descriptor >= 0) {
        bool written = write_whole(descriptor, &text);
        written = close(descriptor) == 0 && written;
        if (!written || rename(part, path) != 0) {
            unlink(part);
        }
    }
    isocast_buffer_free(&text);
}
