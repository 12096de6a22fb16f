#include "locate.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
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
#include "model/base/near_file.h"
#include "model/base/nearest.h"
#include "spec_kind.h"

static const char suffix[] = ".yaml";
enum { SUFFIX_LENGTH = sizeof suffix - 1 };

static const char *const kind_words[] = {[CLI_SPEC_ALGORITHM] = "algorithm",
                                         [CLI_SPEC_MACHINE] = "machine",
                                         [CLI_SPEC_PLATFORM] = "platform"};
static const char *const kind_phrases[] = {[CLI_SPEC_ALGORITHM] = "an algorithm",
                                           [CLI_SPEC_MACHINE] = "a machine",
                                           [CLI_SPEC_PLATFORM] = "a platform"};
enum { KINDS = sizeof kind_words / sizeof kind_words[0] };

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
 * Where that cannot be reported, opening the file will say why. */
static char *where_accessible(char *path, int mode) {
    if (path != NULL && access(path, mode) != 0 && (is_absence(errno) || errno == EACCES)) {
        free(path);
        path = NULL;
    }
    return path;
}

int cli_locate_fail(const char *command, const char *missing, ...) {
    int cause = errno;
    if (cause == ENOMEM) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    fprintf(stderr, "isocast %s: ", command);
    if (is_absence(cause) || cause == EACCES) {
        va_list arguments;
        va_start(arguments, missing);
        vfprintf(stderr, missing, arguments);
        va_end(arguments);
        fprintf(stderr, "%s%s\n", cause == EACCES ? ": " : "",
                cause == EACCES ? strerror(cause) : "");
    } else {
        fprintf(stderr, "cannot find out where isocast is installed: %s\n", strerror(cause));
    }
    return CLI_EXIT_SYSTEM;
}

int cli_locate_lacks(const char *command, const char *name, const char *without) {
    return cli_locate_fail(command, "%s is not there: %s", name, without);
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

/* Reports why a look-up failed, which is no fault of the name. */
static int report_failure(const char *what, const char *name, int cause) {
    if (cause == ENOMEM) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    fprintf(stderr, "isocast: %s '%s': %s\n", what, name, strerror(cause));
    return CLI_EXIT_SYSTEM;
}

/* Where the folder of a specification is not found; errno says why. */
static int report_no_folder(void) {
    return report_failure("cannot find where it is installed:", "/proc/self/exe", errno);
}

/* Whether the text is a path rather than a name. A file of that name is taken before an installed
 * specification, so it has to be known whether there is one. */
static int report_path(const char *text, bool *path) {
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
    return none ? CLI_EXIT_OK : report_failure("cannot look for", text, errno);
}

/* NAME.yaml where a specification of that kind would be installed; NULL: errno says why. */
static char *spec_file(cli_spec_kind kind, const char *name) {
    char *folder = spec_folder(kind);
    char *file = folder == NULL ? NULL : print_path("%s/%s%s", folder, name, suffix);
    free(folder);
    return file;
}

static bool is_installed(cli_spec_kind kind, const char *name) {
    char *file = strchr(name, '/') == NULL ? spec_file(kind, name) : NULL;
    bool installed = file != NULL && access(file, F_OK) == 0;
    free(file);
    return installed;
}

bool cli_locate_kinds(const char *name, isocast_buffer *out) {
    bool found = false;
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (is_installed((cli_spec_kind)kind, name)) {
            isocast_buffer_printf(out, "%s%s", found ? " and " : "", kind_phrases[kind]);
            found = true;
        }
    }
    return found;
}

/* The first of the algorithms whose kernel has the name; NULL where none has it. */
static int find_of_kernel(const char *kernel, const char *const *names, size_t count,
                          const char **out) {
    *out = NULL;
    int status = CLI_EXIT_OK;
    for (size_t i = 0; i < count && *out == NULL && status == CLI_EXIT_OK; i++) {
        char *file = spec_file(CLI_SPEC_ALGORITHM, names[i]);
        bool says = false;
        status = file == NULL ? report_no_folder()
                              : cli_exit_of(cli_spec_says(file, "kernel", kernel, &says));
        *out = says ? names[i] : NULL;
        free(file);
    }
    return status;
}

int cli_locate_kernel(const char *algorithm, const char *const *kernels, size_t count,
                      const char **out) {
    bool path = false;
    int status = report_path(algorithm, &path);
    *out = NULL;
    char *file = status != CLI_EXIT_OK ? NULL
                 : path                ? strdup(algorithm)
                                       : spec_file(CLI_SPEC_ALGORITHM, algorithm);
    if (status == CLI_EXIT_OK && file == NULL) {
        status = report_no_folder();
    }
    for (size_t i = 0; i < count && *out == NULL && status == CLI_EXIT_OK; i++) {
        bool says = false;
        status = cli_exit_of(cli_spec_says(file, "kernel", kernels[i], &says));
        *out = says ? kernels[i] : NULL;
    }
    free(file);
    return status;
}

/* The names of the installed specifications of a kind. */
typedef struct listing {
    struct dirent **entries; /* [count] */
    const char **names;      /* [count], in the entries */
    size_t count;
} listing;

static void listing_free(listing *l) {
    for (size_t i = 0; i < l->count; i++) {
        free(l->entries[i]);
    }
    free(l->entries);
    free(l->names);
}

/* Where there is no such folder there are none. */
static int listing_read(cli_spec_kind kind, listing *out) {
    char *folder = spec_folder(kind);
    if (folder == NULL) {
        return report_no_folder();
    }
    int found = scandir(folder, &out->entries, is_spec, alphasort);
    int cause = errno;
    out->count = found > 0 ? (size_t)found : 0;
    out->names = calloc(out->count + 1, sizeof *out->names);
    for (size_t i = 0; out->names != NULL && i < out->count; i++) {
        char *name = out->entries[i]->d_name;
        name[strlen(name) - SUFFIX_LENGTH] = '\0';
        out->names[i] = name;
    }
    int status = out->names == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                 : found < 0 && !is_absence(cause)
                     ? report_failure("cannot list the folder", folder, cause)
                     : CLI_EXIT_OK;
    free(folder);
    return status;
}

/* Appends the name of a specification that is near, of any kind but one (KINDS: of any). */
static int append_near(size_t except, const char *text, isocast_buffer *out) {
    int status = CLI_EXIT_OK;
    for (size_t other = 0; other < KINDS && out->length == 0 && status == CLI_EXIT_OK; other++) {
        listing l = {0};
        if (other != except) {
            status = listing_read((cli_spec_kind)other, &l);
        }
        const char *nearest =
            status == CLI_EXIT_OK ? isocast_nearest_name(text, l.names, l.count) : NULL;
        if (nearest != NULL) {
            isocast_buffer_printf(out, "did you mean the %s '%s'?", kind_words[other], nearest);
        }
        listing_free(&l);
    }
    return status;
}

/* Where a name has an ending, a file of the folder may be meant. */
static bool append_near_file(const char *text, isocast_buffer *out) {
    if (strchr(text, '.') != NULL) {
        isocast_near_file_append(text, out);
    }
    return out->length > 0;
}

/* What may be meant by a name of which there is no specification of that kind. */
static int append_meant(cli_spec_kind kind, const char *text, const listing *l,
                        isocast_buffer *out) {
    char *file = print_path("%s%s", text, suffix);
    const char *of_kernel = NULL;
    bool is_file = false;
    char stem[NAME_MAX + 1]; /* sunwulf.yml */
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(text, "."), text);
    int status = cli_exit_of(file == NULL ? ISOCAST_NO_MEMORY
                                          : cli_spec_keys(file, &kind_words[kind], 1, &is_file));
    if (status == CLI_EXIT_OK && kind == CLI_SPEC_ALGORITHM) {
        status = find_of_kernel(text, l->names, l->count, &of_kernel);
    }
    if (of_kernel != NULL) {
        isocast_buffer_printf(out, "'%s' is a kernel; its algorithm is '%s'", text, of_kernel);
    } else if (is_file) {
        isocast_buffer_printf(out, "did you mean the file '%s'?", file);
    } else if (append_near_file(text, out)) {
        /* That is what is meant. */
    } else if (isocast_nearest_append(out, text, l->names, l->count) ||
               isocast_nearest_append(out, stem, l->names, l->count)) {
        isocast_buffer_printf(out, " 'isocast list %ss' shows all", kind_words[kind]);
    } else if (status == CLI_EXIT_OK) {
        status = append_near(kind, text, out);
    }
    free(file);
    return status;
}

static void append_list(cli_spec_kind kind, const listing *l, const char *folder,
                        isocast_buffer *out) {
    isocast_buffer_puts(out, out->length > 0 ? "\n" : "");
    if (l->count == 0) {
        isocast_buffer_printf(out, "no %ss are installed in %s", kind_words[kind], folder);
    } else {
        isocast_buffer_printf(out, "known %ss:", kind_words[kind]);
    }
    for (size_t i = 0; i < l->count; i++) {
        isocast_buffer_printf(out, "%s %s", i == 0 ? "" : ",", l->names[i]);
    }
}

static int append_platforms(isocast_buffer *out) {
    listing l = {0};
    int status = listing_read(CLI_SPEC_PLATFORM, &l);
    if (status == CLI_EXIT_OK && l.count > 0) {
        append_list(CLI_SPEC_PLATFORM, &l, "", out);
    }
    listing_free(&l);
    return status;
}

static int report_unknown(cli_spec_kind kind, const char *text, const char *folder) {
    isocast_buffer meant = {0};
    if (cli_locate_kinds(text, &meant)) {
        fprintf(stderr, "isocast: '%s' is %s, but %s is needed here\n", text,
                meant.text != NULL ? meant.text : "", kind_phrases[kind]);
        isocast_buffer_free(&meant);
        return CLI_EXIT_USAGE;
    }
    listing l = {0};
    int status = listing_read(kind, &l);
    CLI_THEN(status, append_meant(kind, text, &l, &meant));
    bool none = meant.length == 0;
    if (status == CLI_EXIT_OK && none) {
        append_list(kind, &l, folder, &meant);
    }
    listing_free(&l);
    if (status == CLI_EXIT_OK && none && kind == CLI_SPEC_MACHINE) {
        status = append_platforms(&meant); /* their names are taken, too: locate_instead() */
    }
    CLI_THEN(status, meant.failed ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_USAGE);
    if (status == CLI_EXIT_USAGE) {
        fprintf(stderr, "isocast: there is no %s '%s' (neither a file nor a known name)\n%s\n",
                kind_words[kind], text, meant.text);
    }
    isocast_buffer_free(&meant);
    return status;
}

/* A file of a folder that is not there, but whose name is installed: NAME.yaml for NAME. */
static int report_missing_file(cli_spec_kind kind, const char *text) {
    if (!has_suffix(text) || access(text, F_OK) == 0 || !is_absence(errno)) {
        return CLI_EXIT_OK;
    }
    char *name = strndup(text, strlen(text) - SUFFIX_LENGTH);
    int status = name == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
    if (name != NULL && is_installed(kind, name)) {
        fprintf(stderr, "isocast: there is no file '%s'; the installed %s is called '%s'\n", text,
                kind_words[kind], name);
        status = CLI_EXIT_INVALID;
    }
    free(name);
    return status;
}

/* A platform of the name of a machine is read in its place, and refused with the way from it to a
 * machine file. Other names are given to be unknown. What *file had is freed. */
static int locate_instead(cli_spec_kind kind, const char *text, const char *folder, char **file) {
    if (kind != CLI_SPEC_MACHINE) {
        return report_unknown(kind, text, folder);
    }
    char *platform = spec_file(CLI_SPEC_PLATFORM, text);
    if (platform == NULL) {
        return report_no_folder();
    }
    if (access(platform, F_OK) == 0) {
        free(*file);
        *file = platform;
        return CLI_EXIT_OK;
    }
    int cause = errno;
    int status = is_absence(cause) ? report_unknown(kind, text, folder)
                                   : report_failure("cannot look for", platform, cause);
    free(platform);
    return status;
}

int cli_locate_spec(cli_spec_kind kind, const char *text, char **out) {
    bool path = false;
    int status = report_path(text, &path);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (path) {
        status = report_missing_file(kind, text);
        char *copy = status == CLI_EXIT_OK ? strdup(text) : NULL;
        status = status == CLI_EXIT_OK && copy == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : status;
        *out = copy != NULL ? copy : *out;
        return status;
    }
    char *folder = spec_folder(kind);
    if (folder == NULL) {
        return report_no_folder();
    }
    char *file = print_path("%s/%s%s", folder, text, suffix);
    if (file == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else if (access(file, F_OK) != 0) {
        status = is_absence(errno) ? locate_instead(kind, text, folder, &file)
                                   : report_failure("cannot look for", file, errno);
    }
    free(folder);
    if (status != CLI_EXIT_OK) {
        free(file);
        return status;
    }
    *out = file;
    return CLI_EXIT_OK;
}

/* Refuses at its place what is named and not there; `beside` is the path that was tried. */
static int refuse_named(cli_spec_kind kind, const isocast_source *source, isocast_span span,
                        const char *name, const char *beside) {
    isocast_diagnostics diagnostics = {0};
    isocast_buffer kinds = {0};
    isocast_buffer hint = {0};
    listing l = {0};
    bool other = cli_locate_kinds(name, &kinds);
    int status = listing_read(kind, &l);
    if (status == CLI_EXIT_OK && !other && !append_near_file(beside, &hint)) {
        status = append_meant(kind, name, &l, &hint);
    }
    if (hint.length == 0) {
        isocast_buffer_printf(&hint,
                              "give the path of a %s file from the folder of this file, or a name "
                              "that 'isocast list %ss' shows",
                              kind_words[kind], kind_words[kind]);
    }
    isocast_diagnostics_rely(&diagnostics, &kinds);
    isocast_diagnostics_rely(&diagnostics, &hint);
    if (other) {
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, source, span, hint.text,
                                "'%s' is %s, but %s is needed here", name, kinds.text,
                                kind_phrases[kind]);
    } else {
        isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, source, span, hint.text,
                                "there is no %s '%s' (neither a file nor a known name)",
                                kind_words[kind], name);
    }
    CLI_THEN(status, cli_exit_with(&diagnostics, false, ISOCAST_INVALID));
    isocast_diagnostics_clear(&diagnostics);
    listing_free(&l);
    isocast_buffer_free(&kinds);
    isocast_buffer_free(&hint);
    return status;
}

/* A file that cannot be looked for is there: opening it shows why. */
static bool is_missing(const char *path) {
    return access(path, F_OK) != 0 && is_absence(errno);
}

int cli_locate_named(cli_spec_kind kind, const isocast_source *source, isocast_span span,
                     const char *name, char **out) {
    const char *slash = name[0] != '/' ? strrchr(source->name, '/') : NULL;
    int folder = slash != NULL ? (int)(slash - source->name) + 1 : 0;
    char *path = print_path("%.*s%s", folder, source->name, name);
    int status = CLI_EXIT_OK;
    if (path != NULL && is_missing(path)) {
        /* A platform that is named as a machine is refused when it is read. */
        bool known = !is_missing(name) || is_installed(kind, name) ||
                     (kind == CLI_SPEC_MACHINE && is_installed(CLI_SPEC_PLATFORM, name));
        status = known ? CLI_EXIT_OK : refuse_named(kind, source, span, name, path);
        free(path);
        path = known ? strdup(name) : NULL;
    }
    *out = path;
    return status == CLI_EXIT_OK && path == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : status;
}

int cli_locate_suggest(const char *text) {
    isocast_buffer meant = {0};
    bool path = false;
    int status = report_path(text, &path);
    if (status == CLI_EXIT_OK && !path) {
        status = append_near(KINDS, text, &meant);
    }
    if (meant.length > 0) {
        fprintf(stderr, "    hint: %s\n", meant.text);
    }
    isocast_buffer_free(&meant);
    return status;
}

int cli_locate_any_spec(const char *text, char **out) {
    static const cli_spec_kind kinds[] = {CLI_SPEC_ALGORITHM, CLI_SPEC_MACHINE, CLI_SPEC_PLATFORM};
    bool is_path;
    int status = report_path(text, &is_path);
    char *path = NULL;
    for (size_t i = 0;
         status == CLI_EXIT_OK && path == NULL && !is_path && i < sizeof kinds / sizeof kinds[0];
         i++) {
        char *file = spec_file(kinds[i], text);
        if (file == NULL) {
            status = report_no_folder();
        } else if (access(file, F_OK) == 0) {
            path = strdup(file);
            status = path == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
        } else if (!is_absence(errno)) {
            status = report_failure("cannot look for", file, errno);
        }
        free(file);
    }
    if (status == CLI_EXIT_OK && path == NULL) {
        path = strdup(text);
        status = path == NULL ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
    }
    *out = path;
    return status;
}
