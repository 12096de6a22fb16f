#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keeper.h"
#include "model/base/array.h"

enum { OUTPUTS = 2 };                                           /* of a program */
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

size_t launcher_at_once(void) {
    static const size_t most = 8;
    size_t processors = (size_t)launcher_processors();
    return processors < most ? processors : most;
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

bool launcher_find(const char *program, char *path, size_t size) {
    if (strchr(program, '/') != NULL) {
        bool there = access(program, X_OK) == 0;
        snprintf(path, size, "%s", there ? program : "");
        return there;
    }
    int cause = ENOENT;
    const char *folders = getenv("PATH");
    while (folders != NULL && *folders != '\0') {
        size_t length = strcspn(folders, ":");
        snprintf(path, size, "%.*s/%s", (int)length, folders, program);
        if (access(path, X_OK) == 0) {
            return true;
        }
        /* As a shell does: a folder that may not be looked into is passed over. */
        cause = errno == ENOTDIR || errno == EACCES ? cause : errno;
        folders += length + (folders[length] == ':');
    }
    path[0] = '\0';
    errno = cause;
    return false;
}

bool launcher_is_installed(const char *program) {
    char path[4096];
    return launcher_find(program, path, sizeof path);
}

static const char *what_brings(const char *program) {
    return strcmp(program, "gnuplot") == 0 ? "the package gnuplot-nox"
           : strcmp(program, "smpirun") == 0 || strcmp(program, "smpicc") == 0
               ? "SimGrid (package libsimgrid-dev), which runs programs on simulated platforms"
               : "mpich, or name another launcher with --launcher";
}

const char *launcher_default(void) {
    if (launcher_is_installed("mpiexec.mpich")) {
        return LAUNCHER_DEFAULT;
    }
    return launcher_is_installed("mpiexec.hydra") ? "mpiexec.hydra -n {p}" : "mpiexec -n {p}";
}

void launcher_words_take(launcher_words *words, isocast_buffer *word) {
    char *text = isocast_buffer_take(word);
    bool room = text != NULL && isocast_array_grow((void **)&words->items, words->count + 1,
                                                   &words->room, sizeof *words->items);
    if (!room) {
        free(text);
        words->failed = true;
        return;
    }
    words->items[words->count++] = text;
    words->items[words->count] = NULL;
}

void launcher_words_add(launcher_words *words, const char *word) {
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, word);
    launcher_words_take(words, &text);
}

void launcher_words_put(launcher_words *words, const char *format, ...) {
    char *text = NULL;
    char *rest = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
        words->failed = true;
    }
    va_end(arguments);
    for (char *word = text != NULL ? strtok_r(text, " \t", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        launcher_words_add(words, word);
    }
    free(text);
}

void launcher_words_option(launcher_words *words, const char *option, const char *value) {
    if (value != NULL) {
        launcher_words_add(words, option);
        launcher_words_add(words, value);
    }
}

void launcher_words_free(launcher_words *words) {
    for (size_t i = 0; i < words->count; i++) {
        free(words->items[i]);
    }
    free(words->items);
    *words = (launcher_words){0};
}

void launcher_put_line(const launcher_request *request, isocast_buffer *out) {
    const char *launcher = request->launcher != NULL ? request->launcher : launcher_default();
    for (const char *from = request->alone ? "" : launcher; *from != '\0';) {
        size_t length;
        long value = placeholder(request, from, &length);
        if (length > 0) {
            isocast_buffer_printf(out, "%ld", value);
        } else {
            isocast_buffer_append(out, from, 1);
        }
        from += length > 0 ? length : 1;
    }
}

/* A running program with both its outputs. */
typedef struct child {
    launcher_task *task;
    pid_t keeper;
    struct pollfd outputs[OUTPUTS]; /* standard output, standard error; fd -1: it is closed */
    int descriptors[OUTPUTS];       /* the same, until the end */
    double deadline;                /* s of seconds_now(); 0: none */
    bool ended;
    int cause; /* errno of an output that cannot be read; 0: none */
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

static bool start(child *c, char **arguments) {
    const launcher_request *request = &c->task->request;
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
                                               .folder = request->folder,
                                               .processor = request->processor});
    close(out[1]);
    close(err[1]);
    if (c->keeper < 0) {
        close(out[0]);
        close(err[0]);
        return false;
    }
    const int from[OUTPUTS] = {out[0], err[0]};
    for (int i = 0; i < OUTPUTS; i++) {
        c->descriptors[i] = from[i];
        c->outputs[i] = (struct pollfd){from[i], POLLIN, 0};
    }
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
static bool pass_lines(child *c, const char *bytes, size_t length) {
    const launcher_request *request = &c->task->request;
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
static bool take_output(child *c, int which) {
    struct pollfd *from = &c->outputs[which];
    char bytes[16384];
    ssize_t got = read(from->fd, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return true;
    }
    if (got <= 0) {
        c->cause = got < 0 ? errno : c->cause;
        from->fd = -1;
        return true;
    }
    if (which == OUTPUTS - 1) {
        keep_errors(c->task->end, bytes, (size_t)got);
        return true;
    }
    return pass_lines(c, bytes, (size_t)got);
}

/* Whether the program has ended; leaves its exit status to be collected. */
static bool has_ended(const child *c) {
    siginfo_t info = {0};
    int failed = waitid(P_PID, (id_t)c->keeper, &info, WEXITED | WNOHANG | WNOWAIT);
    return failed != 0 ? errno == ECHILD : info.si_pid != 0;
}

static isocast_status fail(launcher_end *end, launcher_cause cause) {
    end->cause = cause;
    return ISOCAST_PROGRAM;
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

/* A program run with `nohup` or in the background ignores signals, and goes on doing so. */
static void catch_signal(int number, struct sigaction *before) {
    struct sigaction note = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART};
    sigaction(number, NULL, before);
    if (before->sa_handler != SIG_IGN) {
        sigaction(number, &note, NULL);
    }
}

/* Programs that run at once, and those that wait for their turn. */
typedef struct launch_crew {
    launcher_task *tasks; /* [count] */
    size_t count, next;   /* the next one that is to be started */
    child **running;      /* [at_once], of `busy` programs */
    size_t busy, at_once;
    struct pollfd *outputs; /* [at_once][OUTPUTS] */
    double began;           /* s */
    bool failed;            /* nothing more is started */
} launch_crew;

/* What came until the end is all that is waited for. */
static void finish(launch_crew *crew, size_t place, isocast_status status) {
    child *c = crew->running[place];
    if (status != ISOCAST_OK) {
        end_all(c);
    }
    int state = 0;
    while (waitpid(c->keeper, &state, 0) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < OUTPUTS; i++) {
        close(c->descriptors[i]);
    }
    int code = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
    if (WIFSIGNALED(state)) {
        keeper_end_orphans();
    }
    if (status == ISOCAST_OK && c->cause != 0) {
        snprintf(c->task->end->text, sizeof c->task->end->text,
                 "cannot read what the program writes: %s", strerror(c->cause));
        status = ISOCAST_IO;
    } else if (status == ISOCAST_OK && code != 0) {
        c->task->end->exit_code = code;
        status = fail(c->task->end, LAUNCHER_FAILED);
    } else if (status == ISOCAST_OK && c->line_length > 0) {
        /* The last line of a program that went well counts even where it does not end. */
        status = pass_lines(c, "\n", 1) ? ISOCAST_OK : fail(c->task->end, LAUNCHER_STOPPED);
    }
    c->task->status = status;
    crew->failed = crew->failed || status != ISOCAST_OK;
    free(c);
    crew->busy--;
    crew->running[place] = crew->running[crew->busy];
}

/* The launcher's words, then the command's. */
static isocast_status list_words(const launcher_task *task, launcher_words *out) {
    const launcher_request *request = &task->request;
    launcher_end *end = task->end;
    isocast_buffer line = {0};
    launcher_put_line(request, &line);
    launcher_words_put(out, "%s", line.text != NULL ? line.text : "");
    bool named = out->count > 0 || request->alone;
    for (size_t i = 0; request->command[i] != NULL; i++) {
        launcher_words_add(out, request->command[i]);
    }
    bool failed = line.failed || out->failed;
    isocast_buffer_free(&line);
    if (failed) {
        return ISOCAST_NO_MEMORY;
    }
    if (!named || out->count == 0) {
        snprintf(end->text, sizeof end->text, "the launcher's command line is empty");
        return fail(end, LAUNCHER_MISSING);
    }
    if (!launcher_is_installed(out->items[0])) {
        const char *name = out->items[0];
        if (errno == ENOENT || errno == ENOTDIR) {
            snprintf(end->text, sizeof end->text, "there is no program '%s'; install %s", name,
                     what_brings(name));
        } else {
            snprintf(end->text, sizeof end->text, "cannot use the program '%s': %s", name,
                     strerror(errno));
        }
        return fail(end, LAUNCHER_MISSING);
    }
    return ISOCAST_OK;
}

static void start_next(launch_crew *crew) {
    launcher_task *task = &crew->tasks[crew->next];
    task->started = true;
    task->end->cause = LAUNCHER_NO_CAUSE;
    child *c = calloc(1, sizeof *c);
    launcher_words command = {0};
    task->status = c == NULL ? ISOCAST_NO_MEMORY : list_words(task, &command);
    if (task->status == ISOCAST_OK) {
        double timeout = task->request.timeout;
        *c = (child){.task = task, .deadline = timeout > 0 ? crew->began + timeout : 0};
        if (!start(c, command.items)) {
            snprintf(task->end->text, sizeof task->end->text, "cannot start %s: %s",
                     command.items[0], strerror(errno));
            task->status = ISOCAST_IO;
        }
    }
    launcher_words_free(&command);
    if (task->status == ISOCAST_OK) {
        crew->running[crew->busy++] = c;
    } else {
        free(c);
        crew->failed = true;
    }
    crew->next++;
}

/* Waits until a program writes or ends, and no longer than until somebody looks again. Gives what
 * poll() gives. */
static int wait_for_news(launch_crew *crew) {
    int wait = POLL_RUNNING;
    for (size_t i = 0; i < crew->busy; i++) {
        child *c = crew->running[i];
        c->ended = has_ended(c);
        bool closed = c->outputs[0].fd < 0 && c->outputs[1].fd < 0;
        int own = c->ended ? POLL_ENDING : closed ? POLL_CLOSED : POLL_RUNNING;
        wait = own < wait ? own : wait;
        memcpy(&crew->outputs[i * OUTPUTS], c->outputs, sizeof c->outputs);
    }
    return poll(crew->outputs, crew->busy * OUTPUTS, wait);
}

/* Takes what a program wrote. Something that it left behind may hold an output open: it has ended
 * where it has, and nothing more came. */
static void take_news(launch_crew *crew, size_t place, bool polled) {
    child *c = crew->running[place];
    bool came = false;
    bool enough = false;
    for (int i = 0; i < OUTPUTS && polled && !enough; i++) {
        bool ready =
            c->outputs[i].fd >= 0 && crew->outputs[place * OUTPUTS + (size_t)i].revents != 0;
        came = came || ready;
        enough = ready && !take_output(c, i);
    }
    if (enough) {
        finish(crew, place, fail(c->task->end, LAUNCHER_STOPPED));
    } else if (c->ended && !came) {
        finish(crew, place, ISOCAST_OK);
    }
}

/* Why a program is to be ended; OK: it is not. */
static isocast_status reason_to_end(const launch_crew *crew, const child *c) {
    if (interrupted != 0) {
        return ISOCAST_INTERRUPTED;
    }
    if (c->deadline > 0 && seconds_now() > c->deadline) {
        return fail(c->task->end, LAUNCHER_TIMEOUT);
    }
    return crew->failed ? fail(c->task->end, LAUNCHER_STOPPED) : ISOCAST_OK;
}

static void run_crew(launch_crew *crew) {
    while (crew->busy > 0 || (crew->next < crew->count && !crew->failed)) {
        while (crew->busy < crew->at_once && crew->next < crew->count && !crew->failed) {
            start_next(crew);
        }
        /* From the last on, as the place of one that ends is taken by the last. */
        for (size_t i = crew->busy; i-- > 0;) {
            const launcher_request *request = &crew->running[i]->task->request;
            if (request->alive != NULL) {
                request->alive(request->context);
            }
            isocast_status status = reason_to_end(crew, crew->running[i]);
            if (status != ISOCAST_OK) {
                finish(crew, i, status);
            }
        }
        bool polled = crew->busy > 0 && wait_for_news(crew) > 0;
        for (size_t i = crew->busy; i-- > 0;) {
            take_news(crew, i, polled);
        }
    }
}

static void run_caught(launch_crew *crew) {
    struct sigaction before[SIGNALS];
    struct sigaction before_child;
    interrupted = 0;
    for (size_t i = 0; i < SIGNALS; i++) {
        catch_signal(launcher_signals[i], &before[i]);
    }
    /* Where the ends of children are ignored, nobody learns how they ended. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &before_child);
    run_crew(crew);
    sigaction(SIGCHLD, &before_child, NULL);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(launcher_signals[i], &before[i], NULL);
    }
}

isocast_status launcher_run_several(launcher_task *tasks, size_t count, size_t at_once) {
    launch_crew crew = {.tasks = tasks, .count = count, .at_once = at_once, .began = seconds_now()};
    for (size_t i = 0; i < count; i++) {
        *tasks[i].end = (launcher_end){.cause = LAUNCHER_STOPPED};
        tasks[i].status = ISOCAST_PROGRAM;
        tasks[i].started = false;
    }
    crew.running = calloc(at_once, sizeof(child *));
    crew.outputs = calloc(at_once * OUTPUTS, sizeof *crew.outputs);
    bool room = crew.running != NULL && crew.outputs != NULL;
    if (room) {
        run_caught(&crew);
    }
    free(crew.running);
    free(crew.outputs);
    return room ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status launcher_run(const launcher_request *request, launcher_end *end) {
    launcher_task task = {.request = *request, .end = end};
    isocast_status status = launcher_run_several(&task, 1, 1);
    return status == ISOCAST_OK ? task.status : status;
}

isocast_status launcher_ask(const char *program, const char *option, launcher_line line,
                            void *context, launcher_end *end) {
    enum { SECONDS = 30 };
    const char *command[] = {program, option, NULL};
    const launcher_request request = {.alone = true,
                                      .processes = 1,
                                      .command = command,
                                      .timeout = SECONDS,
                                      .line = line,
                                      .context = context};
    return launcher_run(&request, end);
}

isocast_status launcher_fail(const campaign_listener *listener, const char *what,
                             isocast_status status, const launcher_end *end, const char *lines) {
    if (status == ISOCAST_OK || status == ISOCAST_NO_MEMORY) {
        return status;
    }
    if (status == ISOCAST_INTERRUPTED) {
        return campaign_fail(listener, status, "interrupted");
    }
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_TIMEOUT) {
        return campaign_fail(listener, status, "%s did not end in time", what);
    }
    if (status == ISOCAST_PROGRAM && end->cause == LAUNCHER_FAILED) {
        return campaign_fail(listener, status, "%s ended with exit status %d\n%s%s", what,
                             end->exit_code, end->text, lines);
    }
    return campaign_fail(listener, status, "%s", end->text);
}
