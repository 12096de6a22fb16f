#include "orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Rounds of 20 ms: with SIGTERM for so many, then SIGKILL until the last. */
enum { ROUNDS_GENTLE = 50, ROUNDS_MOST = 150, ROUND_PAUSE = 20000000 /* ns */ };

void cli_orphans_adopt(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The parent of a process; 0 where it cannot be told. */
static pid_t parent_of(const char *process) {
    char path[64];
    char line[512] = "";
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL) {
            line[0] = '\0';
        }
        fclose(file);
    }
    /* "number (name) state parent ...": a name may hold anything, brackets too. */
    const char *end = strrchr(line, ')');
    return end != NULL && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

static void signal_children(int number) {
    DIR *processes = opendir("/proc");
    if (processes == NULL) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid()) {
            kill((pid_t)strtol(entry->d_name, NULL, 10), number);
        }
    }
    closedir(processes);
}

/* Collects those that have ended; whether there are others. */
static bool has_children(void) {
    pid_t ended;
    do {
        ended = waitpid(-1, NULL, WNOHANG);
    } while (ended > 0);
    return ended == 0;
}

void cli_orphans_end(void) {
    for (int i = 0; i < ROUNDS_MOST && has_children(); i++) {
        signal_children(i < ROUNDS_GENTLE ? SIGTERM : SIGKILL);
        nanosleep(&(struct timespec){0, ROUND_PAUSE}, NULL);
    }
}
