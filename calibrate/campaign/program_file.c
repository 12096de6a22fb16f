#include "program_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"
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

bool campaign_program_is_script(const char *path) {
    char first[2] = "";
    FILE *file = isocast_input_look(path);
    bool script = file != NULL && fread(first, 1, 2, file) == 2 && memcmp(first, "#!", 2) == 0;
    if (file != NULL) {
        fclose(file);
    }
    return script;
}

/* Whether a file is a script whose first line names an interpreter that is not there. */
static bool lacks_interpreter(const char *path) {
    char line[256] = "";
    FILE *file = isocast_input_look(path);
    bool script =
        file != NULL && fgets(line, sizeof line, file) != NULL && line[0] == '#' && line[1] == '!';
    if (file != NULL) {
        fclose(file);
    }
    char *name = line + 2 + (script ? strspn(line + 2, " \t") : 0);
    name[strcspn(name, " \t\r\n")] = '\0';
    return script && access(name, X_OK) != 0;
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
