#include "preload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/buffer.h"

/* The loader parts LD_PRELOAD at blanks and colons, and puts other words in place of $ORIGIN and
 * the like. What is left of a path it looks for in the working folder. */
static bool is_parted(const char *path) {
    return strpbrk(path, " :$\t\n") != NULL;
}

static isocast_status put_path(const campaign_listener *listener, const char *library,
                               const record_folder *folder, isocast_buffer *out) {
    if (!is_parted(library)) {
        isocast_buffer_puts(out, library);
        return ISOCAST_OK;
    }
    if (is_parted(folder->path)) {
        return campaign_fail(
            listener, ISOCAST_IO,
            "%s cannot be loaded into a program: its path has a blank, a colon or "
            "a $, and so has that of the folder for results, %s\n    hint: name an "
            "output (-o) in a folder whose path has none of these, or install "
            "isocast in one",
            library, folder->path);
    }
    if (symlinkat(library, dirfd(folder->entries), RECORD_PRELOAD_NAME) != 0) {
        return campaign_fail(listener, ISOCAST_IO, "cannot make a link in %s: %s", folder->path,
                             strerror(errno));
    }
    isocast_buffer_printf(out, "%s/" RECORD_PRELOAD_NAME, folder->path);
    return ISOCAST_OK;
}

isocast_status campaign_preload(const campaign_listener *listener, const char *library,
                                const record_folder *folder, const char *mode, char **out) {
    const char *before = getenv("LD_PRELOAD");
    bool more = before != NULL && before[0] != '\0';
    isocast_buffer preload = {0};
    isocast_buffer parts = {0};
    isocast_buffer_puts(&preload, "LD_PRELOAD=");
    isocast_status status = put_path(listener, library, folder, &preload);
    isocast_buffer_printf(&preload, "%s%s", more ? ":" : "", more ? before : "");
    isocast_buffer_printf(&parts, RECORD_PART_FOLDER "=%s", folder->path);
    char *made[CAMPAIGN_PRELOAD_VARIABLES] = {isocast_buffer_take(&preload),
                                              isocast_buffer_take(&parts), strdup(mode)};
    for (size_t i = 0; i < CAMPAIGN_PRELOAD_VARIABLES; i++) {
        status = status == ISOCAST_OK && made[i] == NULL ? ISOCAST_NO_MEMORY : status;
    }
    if (status != ISOCAST_OK) {
        campaign_preload_free(made);
        return status;
    }
    memcpy(out, made, sizeof made);
    return ISOCAST_OK;
}

void campaign_preload_free(char **variables) {
    for (size_t i = 0; i < CAMPAIGN_PRELOAD_VARIABLES; i++) {
        free(variables[i]);
    }
}

isocast_status campaign_folder_hold(const campaign_listener *listener, const char *name,
                                    record_folder *out) {
    char *path = realpath(name, NULL);
    if (path != NULL && record_folder_open(path, out) == ISOCAST_OK) {
        return ISOCAST_OK;
    }
    int cause = errno;
    free(path);
    *out = (record_folder){0};
    rmdir(name);
    return cause == ENOMEM ? ISOCAST_NO_MEMORY
                           : campaign_fail(listener, ISOCAST_IO, "cannot open the folder %s: %s",
                                           name, strerror(cause));
}

void campaign_folder_remove(const campaign_listener *listener, record_folder *folder) {
    if (!record_folder_remove(folder) && errno != ENOENT) {
        campaign_tell(listener, CAMPAIGN_WARNING, "the folder %s stays: %s", folder->path,
                      errno == ENOTEMPTY ? "the program left something in it" : strerror(errno));
    }
    free((char *)folder->path);
}
