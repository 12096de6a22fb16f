/* Loaded before isocast (LD_PRELOAD) in two processes of a pair: lets them meet, and delays what
 * they do with files. The environment says how: RACE_FOLDER is a folder of the pair, RACE_SELF is 0
 * or 1, RACE_SEED draws the delays, and RACE_MEET is "claim", "held" (the first claim is taken) or
 * "write": where each waits until the other has come there, too, or has ended. So the two are at
 * work together however slow the machine is. A wait ends after RACE_SECONDS in any case. Programs
 * that isocast starts are left alone. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { RACE_SECONDS = 20, PATH_ROOM = 4096, PAUSE = 1000000 /* ns */, DELAY_MOST = 2000000 };

static struct {
    bool on;
    bool met;
    pid_t process;
    char folder[PATH_ROOM - 64];
    char meet[16];
    int self;
    uint64_t state;
} race;

static void name_mark(const char *what, int who, char *path) {
    snprintf(path, PATH_ROOM, "%s/%s.%d", race.folder, what, who);
}

static void mark(const char *what) {
    char path[PATH_ROOM];
    name_mark(what, race.self, path);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fclose(file);
    }
}

static bool is_marked(const char *what) {
    char path[PATH_ROOM];
    name_mark(what, 1 - race.self, path);
    return access(path, F_OK) == 0;
}

static uint64_t draw(void) {
    race.state = race.state * 6364136223846793005U + 1442695040888963407U;
    return race.state >> 33;
}

static bool active(void) {
    return race.on && getpid() == race.process;
}

static void delay(void) {
    if (active() && draw() % 4 == 0) {
        nanosleep(&(struct timespec){0, (long)(draw() % DELAY_MOST)}, NULL);
    }
}

static void meet(const char *where) {
    int saved = errno;
    if (active() && !race.met && strcmp(race.meet, where) == 0) {
        race.met = true;
        race.on = false; /* for what this does itself */
        mark(where);
        time_t began = time(NULL);
        while (!is_marked(where) && !is_marked("end") && time(NULL) - began < RACE_SECONDS) {
            nanosleep(&(struct timespec){0, PAUSE}, NULL);
        }
        race.on = true;
    }
    delay();
    errno = saved;
}

__attribute__((constructor)) static void begin(void) {
    char program[PATH_ROOM] = "";
    const char *folder = getenv("RACE_FOLDER");
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    const char *slash = length > 0 ? strrchr(program, '/') : NULL;
    if (folder == NULL || slash == NULL || strcmp(slash, "/isocast") != 0) {
        return;
    }
    const char *self = getenv("RACE_SELF");
    const char *seed = getenv("RACE_SEED");
    const char *where = getenv("RACE_MEET");
    snprintf(race.folder, sizeof race.folder, "%s", folder);
    snprintf(race.meet, sizeof race.meet, "%s", where != NULL ? where : "");
    race.self = self != NULL && strcmp(self, "1") == 0;
    race.state = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    race.process = getpid();
    unsetenv("LD_PRELOAD");
    unsetenv("RACE_FOLDER");
    race.on = true;
}

__attribute__((destructor)) static void end(void) {
    if (active()) {
        race.on = false;
        mark("end");
    }
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

/* A lock of a record is the claim. */
int fcntl64(int file, int command, ...) {
    static int (*real)(int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (real == NULL) {
        *(void **)&real = next("fcntl64");
    }
    if (command == F_SETLK) {
        meet("claim");
    }
    int done = real(file, command, argument);
    if (command == F_SETLK && done == 0) {
        meet("held");
    }
    return done;
}

int fcntl(int file, int command, ...) __attribute__((alias("fcntl64")));

int flock(int file, int operation) {
    static int (*real)(int, int);
    if (real == NULL) {
        *(void **)&real = next("flock");
    }
    meet("claim");
    return real(file, operation);
}

int fsync(int file) {
    static int (*real)(int);
    if (real == NULL) {
        *(void **)&real = next("fsync");
    }
    meet("write");
    return real(file);
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (real == NULL) {
        *(void **)&real = next("rename");
    }
    meet("write");
    return real(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to,
              unsigned int flags) {
    static int (*real)(int, const char *, int, const char *, unsigned int);
    if (real == NULL) {
        *(void **)&real = next("renameat2");
    }
    meet("write");
    return real(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (real == NULL) {
        *(void **)&real = next("link");
    }
    delay();
    return real(from, to);
}

int unlink(const char *path) {
    static int (*real)(const char *);
    if (real == NULL) {
        *(void **)&real = next("unlink");
    }
    delay();
    return real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    static int (*real)(int, const char *, int);
    if (real == NULL) {
        *(void **)&real = next("unlinkat");
    }
    delay();
    return real(folder, path, flags);
}
