#include "program_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/input.h"

bool campaign_program_contains(const char *path, const char *text) {
    enum { BLOCK = 65536, TEXT_MAX = 64 };
    char block[BLOCK + TEXT_MAX];
    const size_t keep = strlen(text) - 1; /* bytes of the last block, where the text may begin */
    size_t kept = 0;
    bool found = false;
    FILE *file = keep < TEXT_MAX ? isocast_input_look(path) : NULL;
    while (file != NULL && !found) {
        size_t count = fread(block + kept, 1, BLOCK, file);
        found = memmem(block, kept + count, text, keep + 1) != NULL;
        if (count == 0) {
            break;
        }
        size_t all = kept + count;
        kept = all < keep ? all : keep;
        memmove(block, block + all - kept, kept);
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* What the first line says behind "#!", of which `size` bytes are enough; false: it is no script.
 */
static bool read_interpreter(const char *path, char *out, int size) {
    FILE *file = isocast_input_look(path);
    bool script = file != NULL && fgetc(file) == '#' && fgetc(file) == '!';
    if (script && fgets(out, size, file) == NULL) {
        out[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return script;
}

bool campaign_program_is_script(const char *path) {
    char line[8];
    return read_interpreter(path, line, sizeof line);
}

static bool lacks_interpreter(const char *path) {
    char line[256];
    if (!read_interpreter(path, line, sizeof line)) {
        return false;
    }
    char *name = line + strspn(line, " \t");
    name[strcspn(name, " \t\r\n")] = '\0';
    return access(name, X_OK) != 0;
}

const char *campaign_program_obstacle(const char *program, const char *folder) {
    if (program[0] == '\0') {
        return "its name is empty";
    }
    if (strchr(program, '/') == NULL) {
        return launcher_is_installed(program)
                   ? NULL
                   : "here is no program of that name in PATH; one in a folder is named with it, "
                     "such as ./program";
    }
    char path[4096];
    bool below = folder != NULL && program[0] != '/';
    snprintf(path, sizeof path, "%s%s%s", below ? folder : "", below ? "/" : "", program);
    struct stat status;
    if (stat(path, &status) != 0) {
        return "here is no program of that name";
    }
    if (S_ISDIR(status.st_mode)) {
        return "it is a folder";
    }
    if (!S_ISREG(status.st_mode)) {
        return "it is a pipe or a device, not a file";
    }
    if (access(path, X_OK) != 0) {
        return "its file may not be executed; chmod +x allows it";
    }
    return lacks_interpreter(path) ? "the interpreter that its first line names is not there"
                                   : NULL;
}

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
                                const record_folder *folder, const char *mode,
                                launcher_words *environment) {
    const char *before = getenv("LD_PRELOAD");
    bool more = before != NULL && before[0] != '\0';
    isocast_buffer preload = {0};
    isocast_buffer parts = {0};
    isocast_buffer_puts(&preload, "LD_PRELOAD=");
    isocast_status status = put_path(listener, library, folder, &preload);
    isocast_buffer_printf(&preload, "%s%s", more ? ":" : "", more ? before : "");
    isocast_buffer_printf(&parts, RECORD_PART_FOLDER "=%s", folder->path);
    launcher_words_take(environment, &preload);
    launcher_words_take(environment, &parts);
    launcher_words_add(environment, mode);
    return status == ISOCAST_OK && environment->failed ? ISOCAST_NO_MEMORY : status;
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
        campaign_report(listener, CAMPAIGN_WARNING, "the folder %s stays: %s", folder->path,
                        errno == ENOTEMPTY ? "the program left something in it" : strerror(errno));
    }
    free((char *)folder->path);
}
