#include "locate.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "model/base/buffer.h"
#include "model/base/diagnostic.h"

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

/* Whether a look-up failed because there is nothing of that name; any other cause is a failure of
 * the system. */
static bool is_absence(int cause) {
    return cause == ENOENT || cause == ENOTDIR || cause == ENAMETOOLONG;
}

/* Gives the path back, but frees it where there is no such file, or none that may be used as asked.
 * Where that cannot be told, opening the file will say why. */
static char *where_accessible(char *path, int mode) {
    if (path != NULL && access(path, mode) != 0 && (is_absence(errno) || errno == EACCES)) {
        free(path);
        path = NULL;
    }
    return path;
}

char *cli_locate_program(const char *name) {
    return where_accessible(in_installation("libexec/isocast", name), X_OK);
}

char *cli_locate_part(const char *name) {
    return where_accessible(in_installation("libexec/isocast", name), R_OK);
}

char *cli_locate_plot_script(const char *name) {
    return where_accessible(in_installation("share/isocast/plots", name), R_OK);
}

char *cli_locate_specs(const char *name) {
    const char *specs = getenv("ISOCAST_SPECS");
    bool elsewhere = specs != NULL && specs[0] != '\0';
    return elsewhere ? print_path("%s/%s", specs, name)
                     : in_installation("share/isocast/specs", name);
}

char *cli_locate_launchers(void) {
    return where_accessible(cli_locate_specs("launchers.yaml"), R_OK);
}

static char *spec_folder(cli_spec_kind kind) {
    static const char *const folders[] = {[CLI_SPEC_ALGORITHM] = "algorithms",
                                          [CLI_SPEC_MACHINE] = "machines",
                                          [CLI_SPEC_PLATFORM] = "platforms"};
    return cli_locate_specs(folders[kind]);
}

static bool has_suffix(const char *name) {
    size_t length = strlen(name);
    return length > SUFFIX_LENGTH && strcmp(name + length - SUFFIX_LENGTH, suffix) == 0;
}

static int is_spec(const struct dirent *entry) {
    return entry->d_name[0] != '.' && has_suffix(entry->d_name);
}

/* Tells why a look-up failed, which is no fault of the name. */
static int tell_failure(const char *what, const char *name, int cause) {
    if (cause == ENOMEM) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    fprintf(stderr, "isocast: %s '%s': %s\n", what, name, strerror(cause));
    return CLI_EXIT_SYSTEM;
}

/* Whether the text is a path rather than a name. A file of that name is taken before an installed
 * specification, so it has to be known whether there is one. */
static int tell_path(const char *text, bool *path) {
    struct stat file;
    *path = strcmp(text, "-") == 0 || strchr(text, '/') != NULL || has_suffix(text);
    if (*path) {
        return CLI_EXIT_OK;
    }
    if (stat(text, &file) == 0) {
        *path = !S_ISDIR(file.st_mode);
        return CLI_EXIT_OK;
    }
    bool none = is_absence(errno) || errno == EACCES;
    return none ? CLI_EXIT_OK : tell_failure("cannot look for", text, errno);
}

/* The names among the entries of a folder, their endings cut off. */
static int tell_known(cli_spec_kind kind, const char *text, const char *folder,
                      struct dirent **entries, size_t count) {
    const char **names = calloc(count + 1, sizeof *names);
    isocast_buffer known = {0};
    for (size_t i = 0; names != NULL && i < count; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - SUFFIX_LENGTH] = '\0';
        names[i] = entries[i]->d_name;
        isocast_buffer_printf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    int status = CLI_EXIT_USAGE;
    if (names == NULL || known.failed) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else {
        const char *nearest = isocast_nearest_name(text, names, count);
        fprintf(stderr, "isocast: there is no %s '%s' (neither a file nor a known name)%s%s%s\n",
                kind_words[kind], text, nearest != NULL ? "; did you mean '" : "",
                nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
        if (count > 0) {
            fprintf(stderr, "known %ss: %s\n", kind_words[kind], known.text);
        } else {
            fprintf(stderr, "no %ss are installed in %s\n", kind_words[kind], folder);
        }
    }
    isocast_buffer_free(&known);
    free(names);
    return status;
}

static int tell_unknown(cli_spec_kind kind, const char *text, const char *folder) {
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_spec, alphasort);
    if (found < 0 && !is_absence(errno)) {
        return tell_failure("cannot list the folder", folder, errno);
    }
    size_t count = found > 0 ? (size_t)found : 0;
    int status = tell_known(kind, text, folder, entries, count);
    for (size_t i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* A platform of the name of a machine is read in its place, and refused with the way from it to a
 * machine file. Other names are told to be unknown. What *file had is freed. */
static int locate_instead(cli_spec_kind kind, const char *text, const char *folder, char **file) {
    if (kind != CLI_SPEC_MACHINE) {
        return tell_unknown(kind, text, folder);
    }
    char *platforms = spec_folder(CLI_SPEC_PLATFORM);
    char *platform = platforms == NULL ? NULL : print_path("%s/%s%s", platforms, text, suffix);
    free(platforms);
    if (platform == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (access(platform, F_OK) == 0) {
        free(*file);
        *file = platform;
        return CLI_EXIT_OK;
    }
    int cause = errno;
    int status = is_absence(cause) ? tell_unknown(kind, text, folder)
                                   : tell_failure("cannot look for", platform, cause);
    free(platform);
    return status;
}

int cli_locate_spec(cli_spec_kind kind, const char *text, char **out) {
    bool path = false;
    int status = tell_path(text, &path);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (path) {
        *out = strdup(text);
        return *out != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    char *folder = spec_folder(kind);
    if (folder == NULL) {
        return tell_failure("cannot find where it is installed:", "/proc/self/exe", errno);
    }
    char *file = print_path("%s/%s%s", folder, text, suffix);
    if (file == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else if (access(file, F_OK) != 0) {
        status = is_absence(errno) ? locate_instead(kind, text, folder, &file)
                                   : tell_failure("cannot look for", file, errno);
    }
    free(folder);
    if (status != CLI_EXIT_OK) {
        free(file);
        return status;
    }
    *out = file;
    return CLI_EXIT_OK;
}

int cli_locate_any_spec(const char *text, char **out) {
    static const cli_spec_kind kinds[] = {CLI_SPEC_ALGORITHM, CLI_SPEC_MACHINE, CLI_SPEC_PLATFORM};
    bool is_path;
    int status = tell_path(text, &is_path);
    char *path = NULL;
    for (size_t i = 0;
         status == CLI_EXIT_OK && path == NULL && !is_path && i < sizeof kinds / sizeof kinds[0];
         i++) {
        char *folder = spec_folder(kinds[i]);
        char *file = folder == NULL ? NULL : print_path("%s/%s%s", folder, text, suffix);
        if (file == NULL) {
            status = cli_exit_of(ISOCAST_NO_MEMORY);
        } else if (access(file, F_OK) == 0) {
            path = strdup(file);
            status = path == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
        } else if (!is_absence(errno)) {
            status = tell_failure("cannot look for", file, errno);
        }
        free(file);
        free(folder);
    }
    if (status == CLI_EXIT_OK && path == NULL) {
        path = strdup(text);
        status = path == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
    }
    *out = path;
    return status;
}
