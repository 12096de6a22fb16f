#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keeper.h"

enum { WORDS_MAX = 1024 };
enum { POLL_RUNNING = 200, POLL_CLOSED = 20, POLL_ENDING = 5 }; /* ms */

const int launcher_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
enum { SIGNALS = sizeof launcher_signals / sizeof launcher_signals[0] };
const size_t launcher_signal_count = SIGNALS;

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number) {
    interrupted = signal_number;
}

bool launcher_was_interrupted(void) {
    return interrupted != 0;
}

long launcher_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? online : 1;
}

/* The number that a placeholder at the start of the text stands for; *length gets the
 * placeholder's, or 0 where there is none. */
static long placeholder(const launcher_request *request, const char *text, size_t *length) {
    long nodes = request->nodes > 0 ? request->nodes : 1;
    const struct {
        const char *name;
        long value;
    } all[] = {{"{p}", request->processes},
               {"{processes}", request->processes},
               {"{nodes}", nodes},
               {"{per_node}", (request->processes + nodes - 1) / nodes}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *length = strlen(all[i].name);
        if (strncmp(text, all[i].name, *length) == 0) {
            return all[i].value;
        }
    }
    *length = 0;
    return 0;
}

/* The launcher's words with the placeholders filled in, then the command's. The words live in
 * `text`. */
static bool make_arguments(const launcher_request *request, const char *launcher, char *text,
                           size_t text_size, char **arguments) {
    size_t used = 0;
    text[0] = '\0';
    for (const char *from = launcher; *from != '\0';) {
        size_t length;
        long value = placeholder(request, from, &length);
        int written = length > 0 ? snprintf(text + used, text_size - used, "%ld", value)
                                 : snprintf(text + used, text_size - used, "%c", *from);
        used += (size_t)written;
        from += length > 0 ? length : 1;
        if (used + 1 >= text_size) {
            return false;
        }
    }
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        if (count == WORDS_MAX / 8) {
            return false;
        }
        arguments[count++] = word;
    }
    bool named = count > 0 || request->alone;
    for (size_t i = 0; request->command[i] != NULL; i++) {
        if (count == WORDS_MAX - 1) {
            return false;
        }
        arguments[count++] = (char *)request->command[i];
    }
    arguments[count] = NULL;
    return named && arguments[0] != NULL;
}

/* Where a program would be found; the launchers that may stand for the default are tried in turn.
 */
static bool is_installed(const char *program) {
    if (strchr(program, '/') != NULL) {
        return access(program, X_OK) == 0;
    }
    const char *path = getenv("PATH");
    char candidate[4096];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)length, path, program);
        if (access(candidate, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

static const char *what_brings(const char *program) {
    return strcmp(program, "smpirun") == 0 || strcmp(program, "smpicc") == 0
               ? "SimGrid (package libsimgrid-dev), which runs programs on simulated platforms"
               : "mpich, or name another launcher with --launcher";
}

static const char *default_launcher(void) {
    if (is_installed("mpiexec.mpich")) {
        return LAUNCHER_DEFAULT;
    }
    return is_installed("mpiexec.hydra") ? "mpiexec.hydra -n {p}" : "mpiexec -n {p}";
}

/* A running program with both its outputs. */
typedef struct child {
    pid_t keeper;
    int output;
    int errors;
    char line[65536];
    size_t line_length;
} child;

static bool open_pipes(int out[2], int err[2]) {
    if (pipe2(out, O_CLOEXEC) != 0) {
        return false;
    }
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return false;
    }
    return true;
}

static bool start(child *c, const launcher_request *request, char **arguments) {
    int out[2];
    int err[2];
    if (!open_pipes(out, err)) {
        return false;
    }
    c->keeper = keeper_start(&(keeper_program){.arguments = arguments,
                                               .output = request->through ? -1 : out[1],
                                               .errors = request->through ? -1 : err[1],
                                               .temporary = request->temporary,
                                               .environment = request->environment,
                                               .folder = request->folder});
    close(out[1]);
    close(err[1]);
    if (c->keeper < 0) {
        close(out[0]);
        close(err[0]);
        return false;
    }
    c->output = out[0];
    c->errors = err[0];
    return true;
}

/* Keeps the last bytes of standard error. */
static void keep_errors(launcher_end *end, const char *bytes, size_t length) {
    size_t room = sizeof end->text - 1;
    if (length > room) {
        bytes += length - room;
        length = room;
    }
    size_t have = strlen(end->text);
    if (have + length > room) {
        size_t drop = have + length - room;
        memmove(end->text, end->text + drop, have - drop);
        have -= drop;
    }
    memcpy(end->text + have, bytes, length);
    end->text[have + length] = '\0';
}

/* Hands complete lines on. False where the receiver has had enough. */
static bool pass_lines(child *c, const launcher_request *request, const char *bytes,
                       size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n') {
            if (c->line_length < sizeof c->line - 1) {
                c->line[c->line_length++] = bytes[i];
            }
            continue;
        }
        c->line[c->line_length] = '\0';
        c->line_length = 0;
        if (request->line != NULL && !request->line(c->line, request->context)) {
            return false;
        }
    }
    return true;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Hands on what one output has. False where the receiver has had enough. */
static bool take_output(child *c, const launcher_request *request, struct pollfd *from,
                        launcher_end *end) {
    char bytes[16384];
    ssize_t got = read(from->fd, bytes, sizeof bytes);
    if (got <= 0) {
        from->fd = got < 0 && errno == EINTR ? from->fd : -1;
        return true;
    }
    if (from->fd == c->errors) {
        keep_errors(end, bytes, (size_t)got);
        return true;
    }
    return pass_lines(c, request, bytes, (size_t)got);
}

/* Whether the program has ended; leaves its exit status to be collected. */
static bool has_ended(const child *c) {
    siginfo_t info = {0};
    int failed = waitid(P_PID, (id_t)c->keeper, &info, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 || info.si_pid != 0;
}

static isocast_status fail(launcher_end *end, launcher_cause cause) {
    end->cause = cause;
    return ISOCAST_PROGRAM;
}

/* Reads both outputs until the program has ended or there is a reason to end it. Something that it
 * left behind may hold an output open: what came until the end is all that is waited for. */
static isocast_status follow(child *c, const launcher_request *request, launcher_end *end) {
    double deadline = request->timeout > 0 ? seconds_now() + request->timeout : 0;
    struct pollfd ends[2] = {{c->output, POLLIN, 0}, {c->errors, POLLIN, 0}};
    for (;;) {
        if (interrupted != 0) {
            return ISOCAST_INTERRUPTED;
        }
        if (deadline > 0 && seconds_now() > deadline) {
            return fail(end, LAUNCHER_TIMEOUT);
        }
        bool ended = has_ended(c);
        bool closed = ends[0].fd < 0 && ends[1].fd < 0;
        int ready = poll(ends, 2, ended ? POLL_ENDING : closed ? POLL_CLOSED : POLL_RUNNING);
        if (ended && ready == 0) {
            return ISOCAST_OK;
        }
        for (int i = 0; i < 2 && ready > 0; i++) {
            if (ends[i].fd >= 0 && ends[i].revents != 0 &&
                !take_output(c, request, &ends[i], end)) {
                return fail(end, LAUNCHER_STOPPED);
            }
        }
    }
}

/* Ends the program and all that it has started. */
static void end_all(const child *c) {
    keeper_end(c->keeper);
    double deadline = seconds_now() + KEEPER_ENDS_WITHIN;
    while (!has_ended(c) && seconds_now() < deadline) {
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    kill(c->keeper, SIGKILL);
}

static isocast_status run_arguments(const launcher_request *request, char **arguments,
                                    launcher_end *end) {
    child *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (!start(c, request, arguments)) {
        snprintf(end->text, sizeof end->text, "%s", strerror(errno));
        free(c);
        return ISOCAST_IO;
    }
    isocast_status status = follow(c, request, end);
    if (status != ISOCAST_OK) {
        end_all(c);
    }
    int state = 0;
    while (waitpid(c->keeper, &state, 0) < 0 && errno == EINTR) {
    }
    close(c->output);
    close(c->errors);
    int code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    if (WIFSIGNALED(state)) {
        keeper_end_orphans();
    }
    if (status == ISOCAST_OK && code != 0) {
        end->exit_code = code;
        status = fail(end, LAUNCHER_FAILED);
    } else if (status == ISOCAST_OK && c->line_length > 0) {
        /* The last line of a program that went well counts even where it does not end. */
        status = pass_lines(c, request, "\n", 1) ? ISOCAST_OK : fail(end, LAUNCHER_STOPPED);
    }
    free(c);
    return status;
}

/* A program run with `nohup` or in the background ignores signals, and goes on doing so. */
static void catch_signal(int number, struct sigaction *before) {
    struct sigaction note = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
    sigaction(number, NULL, before);
    if (before->sa_handler != SIG_IGN) {
        sigaction(number, &note, NULL);
    }
}

static isocast_status run_caught(const launcher_request *request, char **arguments,
                                 launcher_end *end) {
    struct sigaction before[SIGNALS];
    struct sigaction before_child;
    interrupted = 0;
    for (size_t i = 0; i < SIGNALS; i++) {
        catch_signal(launcher_signals[i], &before[i]);
    }
    /* Where the ends of children are ignored, nobody learns how they ended. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &before_child);
    isocast_status status = run_arguments(request, arguments, end);
    sigaction(SIGCHLD, &before_child, NULL);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(launcher_signals[i], &before[i], NULL);
    }
    return status;
}

isocast_status launcher_run(const launcher_request *request, launcher_end *end) {
    *end = (launcher_end){.cause = LAUNCHER_NO_CAUSE};
    const char *launcher = request->launcher != NULL ? request->launcher : default_launcher();
    char text[4096];
    char *arguments[WORDS_MAX];
    if (!make_arguments(request, request->alone ? "" : launcher, text, sizeof text, arguments)) {
        snprintf(end->text, sizeof end->text, "the launcher's command line is empty or too long");
        return fail(end, LAUNCHER_MISSING);
    }
    if (!is_installed(arguments[0])) {
        snprintf(end->text, sizeof end->text, "there is no program '%s'; install %s", arguments[0],
                 what_brings(arguments[0]));
        return fail(end, LAUNCHER_MISSING);
    }
    return run_caught(request, arguments, end);
}
