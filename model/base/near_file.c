#include "near_file.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "nearest.h"

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Where the ending of a file's name begins: at its last point, or at its end. */
static size_t stem_length(const char *name) {
    const char *point = strrchr(name, '.');
    return point != NULL ? (size_t)(point - name) : strlen(name);
}

/* The file whose name is near without the ending, which both have; or the one that has another
 * ending. Of two the first in the alphabet. NULL where there is none, or memory is short. */
static const char *nearest_of(const char *name, struct dirent **entries, size_t count) {
    size_t length = stem_length(name);
    char *stem = strndup(name, length);
    char **stems = calloc(count + 1, sizeof *stems);
    const char **owners = calloc(count + 1, sizeof *owners);
    size_t alike = 0;
    const char *found = NULL;
    for (size_t i = 0; stem != NULL && stems != NULL && owners != NULL && i < count; i++) {
        const char *other = entries[i]->d_name;
        size_t other_length = stem_length(other);
        bool same_ending = strcasecmp(other + other_length, name + length) == 0;
        if (same_ending) {
            stems[alike] = strndup(other, other_length);
            owners[alike] = other;
            alike += stems[alike] != NULL;
        } else if (found == NULL && other_length == length &&
                   strncasecmp(other, name, length) == 0) {
            found = other;
        }
    }
    const char *nearest =
        alike > 0 ? isocast_nearest_name(stem, (const char *const *)stems, alike) : NULL;
    for (size_t i = 0; i < alike && nearest != NULL; i++) {
        found = stems[i] == nearest ? owners[i] : found;
    }
    for (size_t i = 0; i < alike; i++) {
        free(stems[i]);
    }
    free(stems);
    free(owners);
    free(stem);
    return found;
}

static void append_of_folder(const char *folder, const char *path, size_t folder_length,
                             isocast_buffer *out) {
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_visible, alphasort);
    size_t count = found > 0 ? (size_t)found : 0;
    const char *nearest = nearest_of(path + folder_length, entries, count);
    if (nearest != NULL) {
        isocast_buffer_printf(out, "did you mean '%.*s%s'?", (int)folder_length, path, nearest);
    }
    for (size_t i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

void isocast_near_file_append(const char *path, isocast_buffer *out) {
    if (path[strcspn(path, "*?[")] != '\0') {
        isocast_buffer_puts(out, "no file fits this pattern");
        return;
    }
    const char *slash = strrchr(path, '/');
    size_t folder_length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *folder = folder_length > 0 ? strndup(path, folder_length) : strdup(".");
    if (folder != NULL) {
        append_of_folder(folder, path, folder_length, out);
    }
    free(folder);
}
