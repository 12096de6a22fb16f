#include "same_file.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The folder that a file would be made in, and its name there. copy, folder: PATH_MAX bytes. */
static bool place_of(const char *path, char *copy, char *folder, const char **name) {
    if (snprintf(copy, PATH_MAX, "%s", path) >= PATH_MAX) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    return realpath(dirname(copy), folder) != NULL;
}

/* Two that are not there yet. */
static bool same_place(const char *a, const char *b) {
    char copy[PATH_MAX];
    char folder_a[PATH_MAX];
    char folder_b[PATH_MAX];
    const char *name_a;
    const char *name_b;
    return place_of(a, copy, folder_a, &name_a) && place_of(b, copy, folder_b, &name_b) &&
           strcmp(folder_a, folder_b) == 0 && strcmp(name_a, name_b) == 0;
}

bool cli_same_file(const char *a, const char *b) {
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool is_missing(const char *path) {
    struct stat file;
    return stat(path, &file) != 0 && errno == ENOENT;
}

bool cli_same_output(const char *a, const char *b) {
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) {
        return strcmp(a, b) == 0;
    }
    return cli_same_file(a, b) || (is_missing(a) && is_missing(b) && same_place(a, b));
}
