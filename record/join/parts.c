#include "parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_part(const char *name) {
    return strncmp(name, RECORD_PART_NAME, strlen(RECORD_PART_NAME)) == 0;
}

static bool frame_holds(const record_part_frame *frame, const record_part_head *head,
                        uint32_t frames) {
    return frame->module < head->module_count &&
           (frame->caller == RECORD_PART_NONE || frame->caller < frames);
}

static bool numbers_hold(const record_part *part) {
    const record_part_head *head = &part->head;
    for (uint32_t i = 0; i < head->frame_count; i++) {
        if (!frame_holds(&part->frames[i], head, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < head->site_count; i++) {
        if (!frame_holds(&part->sites[i].frame, head, head->frame_count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < head->communicator_count; i++) {
        const record_part_communicator *c = &part->communicators[i];
        bool good = (c->site == RECORD_PART_NONE || c->site < head->site_count) &&
                    (c->parent == RECORD_PART_NONE || c->parent < i) &&
                    c->dimension_count <= RECORD_PART_DIMENSIONS &&
                    c->members <= head->member_count && c->size <= head->member_count - c->members;
        if (!good) {
            return false;
        }
    }
    for (uint32_t i = 0; i < head->call_count; i++) {
        const record_part_key *key = &part->calls[i].key;
        if (key->site >= head->site_count || (key->communicator != RECORD_PART_NONE &&
                                              key->communicator >= head->communicator_count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < head->compute_count; i++) {
        const record_part_compute *way = &part->computes[i];
        if (way->from >= head->site_count || way->to >= head->site_count) {
            return false;
        }
    }
    return true;
}

static bool is_whole(const record_part *part) {
    const record_part_head *head = &part->head;
    return memcmp(head->magic, RECORD_PART_MAGIC, sizeof RECORD_PART_MAGIC) == 0 &&
           head->size > 0 && head->rank < head->size &&
           head->command[sizeof head->command - 1] == '\0' &&
           head->module_count <= RECORD_PART_MODULES && head->site_count <= RECORD_PART_SITES &&
           head->frame_count <= RECORD_PART_FRAMES &&
           head->communicator_count <= RECORD_PART_COMMUNICATORS &&
           head->member_count <= RECORD_PART_MEMBERS && head->call_count <= RECORD_PART_CALLS &&
           head->compute_count <= RECORD_PART_COMPUTES && numbers_hold(part);
}

static bool is_zero(const char *bytes, size_t length) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

/* Reads what the file has into fresh memory; its holes stay memory that is not there. (A mapping of
 * the file itself would need room on its disk for the holes that are read, which ends this process
 * where the disk is full.) */
static bool read_data(int file, char *place, size_t length) {
    enum { BLOCK = 1 << 16 };
    char block[BLOCK];
    off_t at = lseek(file, 0, SEEK_DATA);
    while (at >= 0 && (size_t)at < length) {
        size_t left = length - (size_t)at;
        ssize_t read = pread(file, block, left < BLOCK ? left : BLOCK, at);
        if (read <= 0) {
            errno = read == 0 ? 0 : errno;
            return false;
        }
        if (!is_zero(block, (size_t)read)) {
            memcpy(place + at, block, (size_t)read);
        }
        at = lseek(file, at + read, SEEK_DATA);
    }
    return at >= 0 || errno == ENXIO; /* no more data */
}

/* NULL where the file is no whole part, or, by errno, cannot be read. A pipe that nobody writes to,
 * or a device, must not hold this process up. */
static const record_part *read_part(int folder, const char *name) {
    errno = 0;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    char *place = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size == (off_t)sizeof(record_part)) {
        place = mmap(NULL, sizeof(record_part), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    bool read = place != MAP_FAILED && read_data(file, place, sizeof(record_part));
    int cause = read ? 0 : errno;
    if (file >= 0) {
        close(file);
    }
    const record_part *part = place != MAP_FAILED ? (const record_part *)place : NULL;
    if (part != NULL && (!read || !is_whole(part))) {
        munmap(place, sizeof(record_part));
        part = NULL;
    }
    errno = cause;
    return part;
}

static int by_rank(const void *a, const void *b) {
    uint32_t first = (*(const record_part *const *)a)->head.rank;
    uint32_t second = (*(const record_part *const *)b)->head.rank;
    return first < second ? -1 : first > second;
}

static isocast_status add_part(record_parts *parts, const record_part *part) {
    if (part == NULL) {
        parts->broken++;
        parts->cause = errno != 0 ? errno : parts->cause;
        return ISOCAST_OK;
    }
    const record_part **grown = realloc(parts->items, (parts->count + 1) * sizeof *grown);
    if (grown == NULL) {
        munmap((void *)part, sizeof *part);
        return ISOCAST_NO_MEMORY;
    }
    parts->items = grown;
    parts->items[parts->count++] = part;
    parts->processes = part->head.size > parts->processes ? part->head.size : parts->processes;
    return ISOCAST_OK;
}

isocast_status record_folder_open(const char *path, record_folder *out) {
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *out = (record_folder){descriptor >= 0 ? fdopendir(descriptor) : NULL, path};
    if (out->entries == NULL && descriptor >= 0) {
        close(descriptor);
    }
    return out->entries != NULL ? ISOCAST_OK : ISOCAST_IO;
}

/* False, with errno, where the entries cannot be gone through again. */
static bool rewind_entries(const record_folder *folder) {
    errno = 0;
    rewinddir(folder->entries);
    return errno == 0;
}

/* The next entry; NULL, with errno 0 where there is no more. */
static const struct dirent *next_entry(const record_folder *folder) {
    errno = 0;
    return readdir(folder->entries);
}

isocast_status record_parts_open(const record_folder *folder, record_parts *out) {
    record_parts parts = {0};
    isocast_status status = ISOCAST_OK;
    const struct dirent *entry = NULL;
    if (!rewind_entries(folder)) {
        return ISOCAST_IO;
    }
    while (status == ISOCAST_OK && (entry = next_entry(folder)) != NULL) {
        if (is_part(entry->d_name)) {
            status = add_part(&parts, read_part(dirfd(folder->entries), entry->d_name));
        }
    }
    if (status == ISOCAST_OK && errno != 0) {
        status = ISOCAST_IO;
    }
    if (status != ISOCAST_OK) {
        int cause = errno;
        record_parts_close(&parts);
        errno = cause;
        return status;
    }
    if (parts.count > 0) {
        qsort(parts.items, parts.count, sizeof *parts.items, by_rank);
    }
    *out = parts;
    return ISOCAST_OK;
}

void record_parts_close(record_parts *parts) {
    for (size_t i = 0; i < parts->count; i++) {
        munmap((void *)parts->items[i], sizeof(record_part));
    }
    free(parts->items);
    *parts = (record_parts){0};
}

/* Whether the folder is still what its path names; errno where it is not. */
static bool is_there(const record_folder *folder) {
    struct stat own;
    struct stat named;
    if (fstat(dirfd(folder->entries), &own) != 0 || lstat(folder->path, &named) != 0) {
        return false;
    }
    errno = ENOENT;
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

bool record_folder_remove(record_folder *folder) {
    if (folder->entries == NULL) {
        return true;
    }
    int descriptor = dirfd(folder->entries);
    int cause = rewind_entries(folder) ? 0 : errno;
    const struct dirent *entry = NULL;
    while ((entry = next_entry(folder)) != NULL) {
        if (is_part(entry->d_name) && unlinkat(descriptor, entry->d_name, 0) != 0) {
            cause = errno;
        }
    }
    cause = errno != 0 ? errno : cause;
    unlinkat(descriptor, RECORD_PRELOAD_NAME, 0);
    bool removed = is_there(folder) && rmdir(folder->path) == 0;
    cause = cause != 0 ? cause : errno;
    closedir(folder->entries);
    folder->entries = NULL;
    errno = cause;
    return removed;
}
