/* Loaded before a program (LD_PRELOAD): makes one allocation or one system call of it fail, or all
 * from one on. Counts from the moment that all libraries are loaded. The program is loaded once and
 * forks for each fault, so that a fault costs a few milliseconds. Speaks to inject.py over two
 * pipes; knows nothing of the program.
 *
 * The environment names the files: FAULTS_REQUESTS and FAULTS_REPLIES are file descriptors,
 * FAULTS_LOG is a file of the layout `record`, FAULTS_STDIN, FAULTS_STDOUT and FAULTS_STDERR take
 * the place of the standard streams. A request is a line "KIND SITE LASTING CAUSE": KIND is 'a' for
 * allocations or 'c' for system calls; SITE counts from one, 0 lets all succeed and lists them in
 * the log; LASTING is 1 where all that follow fail, too; CAUSE is an errno, or 0 for a read or
 * write that moves one byte only. The reply is the process's wait status. */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <dlfcn.h>

#ifndef __x86_64__
#error "the registers of a system call are known here for x86-64 only"
#endif
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

enum { SITES_MAX = 1 << 20, DEPTH_MAX = 40, SECONDS_MAX = 20 };

/* One allocation or system call of a run that lists them. */
typedef struct site {
    uint64_t stack;   /* a hash of the addresses it was called from */
    int32_t call;     /* number of the system call; -1: an allocation */
    int32_t argument; /* its first argument: the file, of most */
} site;

/* What a run leaves in FAULTS_LOG, which is shared with it. */
typedef struct record {
    uint64_t count; /* of allocations or system calls */
    uint64_t fired; /* how many of them failed */
    int64_t call;   /* of the first one that failed */
    int64_t argument;
    uint64_t depth;         /* of its stack */
    void *stack[DEPTH_MAX]; /* [depth] */
    site sites[SITES_MAX];  /* [count], where SITE was 0 */
} record;

static struct {
    record *log;
    char kind; /* 0: nothing is counted */
    uint64_t at;
    bool lasting;
    bool busy; /* noting one: what this calls itself doesn't count */
    int cause;
} faults;

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);

static uint64_t hash_of(void *const *stack, int depth) {
    uint64_t hash = 1469598103934665603U;
    for (int i = 0; i < depth; i++) {
        hash = (hash ^ (uint64_t)(uintptr_t)stack[i]) * 1099511628211U;
    }
    return hash;
}

/* Whether this one is to fail; notes it. */
static bool strikes(int call, int argument) {
    uint64_t number = ++faults.log->count;
    if (faults.at == 0) {
        if (number <= SITES_MAX) {
            void *stack[DEPTH_MAX];
            faults.busy = true;
            int depth = backtrace(stack, DEPTH_MAX);
            faults.busy = false;
            faults.log->sites[number - 1] = (site){hash_of(stack, depth), call, argument};
        }
        return false;
    }
    /* What lasts is one cause: no file can be opened any more, the disk stays full. Messages still
     * reach the terminal. */
    bool goes_on = faults.lasting && number > faults.at && call == faults.log->call &&
                   !(call == SYS_write && argument == STDERR_FILENO);
    if (number != faults.at && !goes_on) {
        return false;
    }
    if (faults.log->fired++ == 0) {
        faults.log->call = call;
        faults.log->argument = argument;
        faults.busy = true;
        faults.log->depth = (uint64_t)backtrace(faults.log->stack, DEPTH_MAX);
        faults.busy = false;
    }
    return true;
}

static bool allocation_fails(void) {
    if (faults.kind != 'a' || faults.busy || !strikes(-1, 0)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

/* Allocations before the libraries are ready come here: dlsym's own. */
static void *find_next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        static const char message[] = "inject: no allocator\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        _exit(99);
    }
    return found;
}

static void find_allocator(void) {
    if (next_malloc == NULL) {
        *(void **)&next_calloc = find_next("calloc");
        *(void **)&next_realloc = find_next("realloc");
        *(void **)&next_posix_memalign = find_next("posix_memalign");
        *(void **)&next_aligned_alloc = find_next("aligned_alloc");
        *(void **)&next_malloc = find_next("malloc");
    }
}

void *malloc(size_t size) {
    find_allocator();
    return allocation_fails() ? NULL : next_malloc(size);
}

void *calloc(size_t count, size_t size) {
    find_allocator();
    return allocation_fails() ? NULL : next_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    find_allocator();
    return allocation_fails() ? NULL : next_realloc(block, size);
}

void *reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    find_allocator();
    return allocation_fails() ? ENOMEM : next_posix_memalign(block, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    find_allocator();
    return allocation_fails() ? NULL : next_aligned_alloc(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
    return aligned_alloc(alignment, size);
}

/* The only place that system calls are let through from; a signal handler ends there, too. */
void faults_restore(void);
long faults_gate(long number, long a, long b, long c, long d, long e, long f);
extern const char faults_gate_end[];
__asm__(".text\n"
        ".globl faults_gate\n"
        ".type faults_gate, @function\n"
        "faults_gate:\n"
        "  movq %rdi, %rax\n"
        "  movq %rsi, %rdi\n"
        "  movq %rdx, %rsi\n"
        "  movq %rcx, %rdx\n"
        "  movq %r8, %r10\n"
        "  movq %r9, %r8\n"
        "  movq 8(%rsp), %r9\n"
        "  syscall\n"
        "  ret\n"
        ".globl faults_restore\n"
        "faults_restore:\n"
        "  movq $15, %rax\n"
        "  syscall\n"
        "  ud2\n"
        ".globl faults_gate_end\n"
        "faults_gate_end:\n");

static long fail_call(long number, const long *a) {
    switch (number) {
    case SYS_close:
        /* A close that fails has closed the file all the same. */
        (void)faults_gate(number, a[0], a[1], a[2], a[3], a[4], a[5]);
        return -faults.cause;
    case SYS_brk:
        return faults_gate(SYS_brk, 0, 0, 0, 0, 0, 0);
    case SYS_read:
    case SYS_write:
        if (faults.cause == 0) {
            return faults_gate(number, a[0], a[1], a[2] > 0 ? 1 : 0, 0, 0, 0);
        }
        return -faults.cause;
    default:
        return -faults.cause;
    }
}

/* What the kernel reads to know whether calls are trapped. */
static char dispatch = 1;

/* A thread or process with a stack of its own does not come back to this one. */
static bool leaves_stack(long number, const long *a) {
    return (number == SYS_clone && a[1] != 0) || number == SYS_clone3 || number == SYS_vfork;
}

static void on_call(int signal_number, siginfo_t *information, void *context) {
    (void)signal_number;
    (void)information;
    int saved = errno;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long number = registers[REG_RAX];
    const long a[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                       registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    if (leaves_stack(number, a)) {
        /* The call is made again, and nothing is trapped from here on. */
        dispatch = 0;
        registers[REG_RIP] -= 2;
        return;
    }
    bool fails = !faults.busy && strikes((int)number, (int)a[0]);
    registers[REG_RAX] =
        fails ? fail_call(number, a) : faults_gate(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    errno = saved;
}

/* Every system call of this thread from outside the gate comes to on_call() from here on; those of
 * the processes and programs that it starts do not. */
static void trap_calls(void) {
    struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } action = {on_call, SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */, faults_restore, 0};
    uintptr_t begin = (uintptr_t)faults_gate;
    if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof action.mask) != 0 ||
        prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, begin,
              (uintptr_t)faults_gate_end - begin, &dispatch) != 0) {
        _exit(98);
    }
}

static void put_on(int stream, const char *variable, int mode) {
    const char *path = getenv(variable);
    int file = open(path != NULL ? path : "/dev/null", mode, 0600);
    if (file < 0 || dup2(file, stream) < 0) {
        _exit(97);
    }
    close(file);
}

/* What the program forks is not the program. */
static void forget(void) {
    faults.kind = 0;
}

static void become_program(char kind) {
    put_on(STDIN_FILENO, "FAULTS_STDIN", O_RDONLY);
    put_on(STDOUT_FILENO, "FAULTS_STDOUT", O_WRONLY | O_CREAT | O_TRUNC);
    put_on(STDERR_FILENO, "FAULTS_STDERR", O_WRONLY | O_CREAT | O_TRUNC);
    struct itimerval limit = {.it_value = {.tv_sec = SECONDS_MAX}};
    setitimer(ITIMER_REAL, &limit, NULL);
    pthread_atfork(NULL, NULL, forget);
    faults.kind = kind;
    if (kind == 'c') {
        trap_calls();
    }
}

/* For addresses on stacks to be found again. */
static void copy_maps(const char *log) {
    char path[4096];
    char block[4096];
    (void)snprintf(path, sizeof path, "%s.maps", log);
    int from = open("/proc/self/maps", O_RDONLY);
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t got = 0;
    while (from >= 0 && to >= 0 && (got = read(from, block, sizeof block)) > 0 &&
           write(to, block, (size_t)got) == got) {
    }
    close(from);
    close(to);
}

static int number_of(const char *variable) {
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : -1;
}

static bool open_log(const char *path) {
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(record)) != 0) {
        return false;
    }
    faults.log = mmap(NULL, sizeof(record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return faults.log != MAP_FAILED;
}

/* Forks for each request until there is none; the process that returns is the program. */
__attribute__((constructor)) static void serve(void) {
    const char *log = getenv("FAULTS_LOG");
    int requests = number_of("FAULTS_REQUESTS");
    int replies = number_of("FAULTS_REPLIES");
    if (log == NULL || requests < 0 || replies < 0) {
        return;
    }
    find_allocator();
    void *warm[2];
    (void)backtrace(warm, 2);
    if (!open_log(log)) {
        _exit(96);
    }
    copy_maps(log);
    unsetenv("LD_PRELOAD");
    char line[128];
    for (;;) {
        ssize_t got = read(requests, line, sizeof line - 1);
        if (got <= 0) {
            _exit(0);
        }
        line[got] = '\0';
        char kind = 0;
        unsigned long at = 0;
        int lasting = 0;
        int cause = 0;
        if (sscanf(line, "%c %lu %d %d", &kind, &at, &lasting, &cause) != 4) {
            _exit(95);
        }
        faults.log->count = faults.log->fired = faults.log->depth = 0;
        faults.log->call = -1;
        faults.log->argument = 0;
        pid_t child = fork();
        if (child == 0) {
            close(requests);
            close(replies);
            faults.at = at;
            faults.lasting = lasting != 0;
            faults.cause = cause;
            become_program(kind);
            return;
        }
        int status = 0;
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        int length = snprintf(line, sizeof line, "%d\n", child > 0 ? status : -1);
        if (write(replies, line, (size_t)length) != length) {
            _exit(0);
        }
    }
}
