#include "locate.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffer.h"
#include "diagnostic.h"

static const char suffix[] = ".yaml";
enum { SUFFIX_LENGTH = sizeof suffix - 1 };

static const char *const kind_words[] = {[CLI_SPEC_ALGORITHM] = "algorithm",
                                         [CLI_SPEC_MACHINE] = "machine",
                                         [CLI_SPEC_PLATFORM] = "platform"};

__attribute__((format(printf, 1, 2))) static char *print_path(const char *format, ...) {
    va_list arguments;
    char *path = NULL;
    va_start(arguments, format);
    if (vasprintf(&path, format, arguments) < 0) {
        path = NULL;
    }
    va_end(arguments);
    return path;
}

/* What bin/, libexec/ and share/ stand in: two levels over the executable. */
static char *installation_prefix(void) {
    char *path = realpath("/proc/self/exe", NULL);
    for (int level = 0; path != NULL && level < 2; level++) {
        char *slash = strrchr(path, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    return path;
}

static char *in_installation(const char *below, const char *name) {
    char *prefix = installation_prefix();
    char *path = prefix == NULL ? NULL : print_path("%s/%s/%s", prefix, below, name);
    free(prefix);
    return path;
}

/* Gives the path back where it can be reached in the way asked for, else frees it. */
static char *where_accessible(char *path, int mode) {
    if (path != NULL && access(path, mode) != 0) {
        free(path);
        path = NULL;
    }
    return path;
}

char *cli_locate_program(const char *name) {
    return where_accessible(in_installation("libexec/isocast", name), X_OK);
}

char *cli_locate_plot_script(const char *name) {
    return where_accessible(in_installation("share/isocast/plots", name), R_OK);
}

char *cli_locate_launchers(void) {
    static const char name[] = "launchers.yaml";
    const char *specs = getenv("ISOCAST_SPECS");
    bool elsewhere = specs != NULL && specs[0] != '\0';
    return where_accessible(elsewhere ? print_path("%s/%s", specs, name)
                                      : in_installation("share/isocast/specs", name),
                            R_OK);
}

static char *spec_folder(cli_spec_kind kind) {
    const char *specs = getenv("ISOCAST_SPECS");
    if (specs != NULL && specs[0] != '\0') {
        return print_path("%s/%ss", specs, kind_words[kind]);
    }
    char *folder = in_installation("share/isocast/specs", kind_words[kind]);
    char *plural = folder == NULL ? NULL : print_path("%ss", folder);
    free(folder);
    return plural;
}

static bool has_suffix(const char *name) {
    size_t length = strlen(name);
    return length > SUFFIX_LENGTH && strcmp(name + length - SUFFIX_LENGTH, suffix) == 0;
}

static int is_spec(const struct dirent *entry) {
    return entry->d_name[0] != '.' && has_suffix(entry->d_name);
}

static bool is_path(const char *text) {
    struct stat file;
    return strcmp(text, "-") == 0 || strchr(text, '/') != NULL || has_suffix(text) ||
           (stat(text, &file) == 0 && !S_ISDIR(file.st_mode));
}

static void tell_unknown(cli_spec_kind kind, const char *text, const char *folder) {
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_spec, alphasort);
    size_t count = found > 0 ? (size_t)found : 0;
    const char **names = calloc(count + 1, sizeof *names);
    isocast_buffer known = {0};
    for (size_t i = 0; names != NULL && i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - SUFFIX_LENGTH] = '\0';
        names[i] = entries[i]->d_name;
        isocast_buffer_printf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    const char *nearest = names == NULL ? NULL : isocast_nearest_name(text, names, count);
    fprintf(stderr, "isocast: there is no %s '%s' (neither a file nor a known name)%s%s%s\n",
            kind_words[kind], text, nearest != NULL ? "; did you mean '" : "",
            nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    if (count > 0 && known.text != NULL) {
        fprintf(stderr, "known %ss: %s\n", kind_words[kind], known.text);
    } else {
        fprintf(stderr, "no %ss are installed in %s\n", kind_words[kind], folder);
    }
    isocast_buffer_free(&known);
    free(names);
    for (size_t i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
}

char *cli_locate_spec(cli_spec_kind kind, const char *text) {
    if (is_path(text)) {
        return strdup(text);
    }
    char *folder = spec_folder(kind);
    if (folder == NULL) {
        fprintf(stderr, "isocast: cannot find where it is installed (/proc is not readable)\n");
        return NULL;
    }
    char *path = where_accessible(print_path("%s/%s%s", folder, text, suffix), F_OK);
    /* A platform of that name is read in its place, and refused with the way from it to a machine
     * file. */
    if (path == NULL && kind == CLI_SPEC_MACHINE) {
        char *platforms = spec_folder(CLI_SPEC_PLATFORM);
        path = platforms == NULL
                   ? NULL
                   : where_accessible(print_path("%s/%s%s", platforms, text, suffix), F_OK);
        free(platforms);
    }
    if (path == NULL) {
        tell_unknown(kind, text, folder);
    }
    free(folder);
    return path;
}
