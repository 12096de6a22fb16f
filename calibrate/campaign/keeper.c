#include "keeper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_NOT_STARTED = 127, EXIT_LOST = 1 };

/* Asks a keeper to end: sent by its parent, and by the system where the parent has ended. */
enum { SIGNAL_END = SIGUSR1 };

/* Rounds of 20 ms. After SIGTERM the program has PATIENCE rounds to end. Processes that it left
 * behind then get SIGTERM for the next rounds, and SIGKILL until the last round. */
enum { PATIENCE = 150, ROUNDS_GENTLE = 50, ROUNDS_MAX = 150, ROUND_PAUSE = 20000000 /* ns */ };

/* The parent of a process; 0 where it cannot be reported. */
static pid_t parent_of(const char *process) {
    char path[64];
    char line[512] = "";
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
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

/* Collects the children that have ended. True where other children still run. */
static bool has_children(void) {
    pid_t ended;
    do {
        ended = waitpid(-1, NULL, WNOHANG);
    } while (ended > 0);
    return ended == 0;
}

static void pause_for_a_round(void) {
    nanosleep(&(struct timespec){0, ROUND_PAUSE}, NULL);
}

void keeper_end_orphans(void) {
    for (int i = 0; i < ROUNDS_MAX && has_children(); i++) {
        signal_children(i < ROUNDS_GENTLE ? SIGTERM : SIGKILL);
        pause_for_a_round();
    }
}

/* Where the parent ended before the signal was asked for, no signal comes. `parent` is the process
 * that was the parent then. */
static void end_with_parent(pid_t parent, int number) {
    prctl(PR_SET_PDEATHSIG, number, 0, 0, 0);
    if (getppid() != parent) {
        _exit(EXIT_LOST);
    }
}

/* Runs in the process that becomes the program. */
__attribute__((noreturn)) static void become(const keeper_program *program, pid_t keeper,
                                             const sigset_t *mask) {
    end_with_parent(keeper, SIGKILL);
    /* A group of its own, so that it can be ended whole, with what it has started. */
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    if (program->output >= 0) {
        dup2(program->output, STDOUT_FILENO);
    }
    if (program->errors >= 0) {
        dup2(program->errors, STDERR_FILENO);
    }
    close(nothing);
    if (program->temporary != NULL) {
        setenv("TMPDIR", program->temporary, 1);
    }
    for (size_t i = 0; program->environment != NULL && program->environment[i] != NULL; i++) {
        putenv((char *)program->environment[i]);
    }
    if (program->folder != NULL && chdir(program->folder) != 0) {
        dprintf(STDERR_FILENO, "cannot work in '%s': %s\n", program->folder, strerror(errno));
        _exit(EXIT_NOT_STARTED);
    }
    if (program->processor > 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){program->processor, program->processor + 1});
    }
    execvp(program->arguments[0], program->arguments);
    dprintf(STDERR_FILENO, "cannot start '%s': %s\n", program->arguments[0], strerror(errno));
    _exit(EXIT_NOT_STARTED);
}

/* Nothing of the parent stays open here: not the pipes that somebody reads to their end, and not a
 * file that the parent has locked. */
static void close_all(void) {
    int nothing = open("/dev/null", O_RDWR);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        dup2(nothing, stream);
    }
    close_range(STDERR_FILENO + 1, UINT_MAX, 0);
}

/* True where the program has ended; *state gets its exit state. Collects all other children that
 * have ended. */
static bool program_has_ended(pid_t program, int *state) {
    int its_state;
    pid_t ended;
    while ((ended = waitpid(-1, &its_state, WNOHANG)) > 0) {
        if (ended == program) {
            *state = its_state;
            return true;
        }
    }
    return ended < 0 && errno == ECHILD;
}

static void end_all(pid_t program) {
    int state;
    kill(-program, SIGTERM);
    for (int i = 0; i < PATIENCE && !program_has_ended(program, &state); i++) {
        pause_for_a_round();
    }
    kill(-program, SIGKILL);
    keeper_end_orphans();
}

/* Runs in the keeper. */
__attribute__((noreturn)) static void keep(const keeper_program *program, pid_t parent) {
    sigset_t awaited;
    sigset_t before;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGNAL_END);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    end_with_parent(parent, SIGNAL_END);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    /* A signal to the parent's group, such as that of Ctrl-C, reaches the keeper through the
     * parent. */
    setpgid(0, 0);
    pid_t own = getpid();
    pid_t child = fork();
    if (child == 0) {
        become(program, own, &before);
    }
    if (child < 0) {
        dprintf(program->errors >= 0 ? program->errors : STDERR_FILENO,
                "cannot make a process: %s\n", strerror(errno));
        _exit(EXIT_NOT_STARTED);
    }
    setpgid(child, child);
    close_all();
    int state = 0;
    while (!program_has_ended(child, &state)) {
        int number = sigwaitinfo(&awaited, NULL);
        if (number == SIGNAL_END) {
            end_all(child);
            _exit(EXIT_LOST);
        }
    }
    int code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    if (code != 0) {
        /* Where mpiexec fails while it starts up, it leaves behind the processes that it has
         * started. */
        kill(-child, SIGKILL);
        keeper_end_orphans();
    }
    _exit(code);
}

pid_t keeper_start(const keeper_program *program) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t parent = getpid();
    pid_t keeper = fork();
    if (keeper == 0) {
        keep(program, parent);
    }
    return keeper;
}

void keeper_end(pid_t keeper) {
    kill(keeper, SIGNAL_END);
}
