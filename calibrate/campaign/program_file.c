#include "program_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

/* Whether a file is a script whose first line names an interpreter that is not there. */
static bool lacks_interpreter(const char *path) {
    char line[256] = "";
    FILE *file = fopen(path, "re");
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
    if (access(path, X_OK) != 0) {
        return "its file may not be executed; chmod +x allows it";
    }
    return lacks_interpreter(path) ? "the interpreter that its first line names is not there"
                                   : NULL;
}
