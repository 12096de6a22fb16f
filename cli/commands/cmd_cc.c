/* isocast cc: the simulator's compilers, with what measures the time of a program added. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "command.h"
#include "model/base/buffer.h"

static const char help[] =
    "Usage: isocast cc ARGUMENT...\n"
    "\n"
    "Compiles an MPI program in C, C++ or Fortran for simulated platforms: runs\n"
    "smpicc, smpicxx or smpif90 (SimGrid), as the names of the files ask for, with\n"
    "these arguments, and with parts that let 'isocast measure --platform --command'\n"
    "know the program's simulated time, and that mend MPI_Alltoall on an odd number\n"
    "of processes, MPI_Bcast on nodes with numbers of processes that are no power of\n"
    "two, and the time of calls that make communicators. It prints the commands that\n"
    "it runs.\n"
    "\n"
    "Examples:\n"
    "  isocast cc -O2 -o jacobi jacobi.c\n"
    "  isocast cc -O2 -o waves waves.f90\n";

/* The parts that are linked, by the names of their files without ".c". */
static const char *const parts[] = {"own_time", "own_alltoall", "own_bcast", "own_communicators",
                                    "own_fortran"};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* Fortran's names of MPI_Init and so on have no macros, so the linker renames them. */
static const char *const renames[] = {"-Wl,--wrap=mpi_init_",
                                      "-Wl,--wrap=mpi_init_thread_",
                                      "-Wl,--wrap=mpi_finalize_",
                                      "-Wl,--wrap=mpi_pcontrol_",
                                      "-Wl,--wrap=mpi_alltoall_",
                                      "-Wl,--wrap=mpi_bcast_",
                                      "-Wl,--wrap=mpi_cart_create_",
                                      "-Wl,--wrap=mpi_cart_sub_",
                                      "-Wl,--wrap=mpi_comm_create_",
                                      "-Wl,--wrap=mpi_comm_dup_",
                                      "-Wl,--wrap=mpi_comm_dup_with_info_"};
enum { RENAMES = sizeof renames / sizeof renames[0] };

typedef struct compilation {
    char folder[64]; /* of the compiled parts; "": none yet */
    char *header;    /* own_time.h */
    char *sources[PARTS];
    char *objects[PARTS];
    const char **words;
} compilation;

/* Whether the compiler makes a program of its arguments, and not something on the way to it. */
static bool links(int argc, char **argv) {
    bool input = false;
    for (int i = 1; i < argc; i++) {
        static const char *const stops[] = {"-c",        "-E", "-S", "-M", "-MM", "-fsyntax-only",
                                            "--version", "-v"};
        for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++) {
            if (strcmp(argv[i], stops[k]) == 0) {
                return false;
            }
        }
        input = input || argv[i][0] != '-';
    }
    return input;
}

static bool has_ending(const char *name, const char *const *endings, size_t count) {
    const char *point = strrchr(name, '.');
    for (size_t i = 0; point != NULL && i < count; i++) {
        if (strcmp(point + 1, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The compiler of the language that the files are in: Fortran's where one is Fortran, as it links C
 * and C++ as well. */
static const char *compiler_of(int argc, char **argv) {
    static const char *const fortran[] = {"f", "for", "f90", "f95", "f03", "f08",
                                          "F", "FOR", "F90", "F95", "F03", "F08"};
    static const char *const cxx[] = {"cc", "cp", "cxx", "cpp", "c++", "C", "CPP"};
    const char *compiler = "smpicc";
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' && has_ending(argv[i], fortran, sizeof fortran / sizeof *fortran)) {
            return "smpif90";
        }
        if (argv[i][0] != '-' && has_ending(argv[i], cxx, sizeof cxx / sizeof *cxx)) {
            compiler = "smpicxx";
        }
    }
    return compiler;
}

static void print_command(const char *const *words) {
    isocast_buffer text = {0};
    for (size_t i = 0; words[i] != NULL; i++) {
        isocast_buffer_printf(&text, " %s", words[i]);
    }
    fprintf(stderr, "isocast cc:%s\n", text.text != NULL ? text.text : "");
    isocast_buffer_free(&text);
}

/* Runs a command in a folder; NULL: this one. */
static int run(const char *const *words, const char *folder) {
    print_command(words);
    const launcher_request request = {
        .alone = true, .processes = 1, .command = words, .through = true, .folder = folder};
    launcher_end end;
    isocast_status status = launcher_run(&request, &end);
    if (status == ISOCAST_PROGRAM && end.cause == LAUNCHER_FAILED) {
        fprintf(stderr, "isocast cc: %s ended with exit status %d\n", words[0], end.exit_code);
    } else if (status != ISOCAST_OK) {
        fprintf(stderr, "isocast cc: %s\n", end.text);
    }
    return status == ISOCAST_OK ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* Compiles the parts in C, whatever the program's language, into a folder that is removed later. */
static int compile_parts(compilation *c) {
    const char *temporary = getenv("TMPDIR");
    bool fits = temporary != NULL && temporary[0] == '/' && strlen(temporary) < 32;
    snprintf(c->folder, sizeof c->folder, "%s/isocast-cc-XXXXXX", fits ? temporary : "/tmp");
    if (mkdtemp(c->folder) == NULL) {
        fprintf(stderr, "isocast cc: cannot make the folder %s: %s\n", c->folder, strerror(errno));
        c->folder[0] = '\0';
        return CLI_EXIT_SYSTEM;
    }
    const char *words[3 + PARTS + 1] = {"smpicc", "-O2", "-c"};
    for (size_t i = 0; i < PARTS; i++) {
        isocast_buffer object = {0};
        isocast_buffer_printf(&object, "%s/%s.o", c->folder, parts[i]);
        c->objects[i] = isocast_buffer_take(&object);
        words[3 + i] = c->sources[i];
        if (c->objects[i] == NULL) {
            return cli_exit_of(ISOCAST_NO_MEMORY);
        }
    }
    return run(words, c->folder);
}

static int find_parts(compilation *c) {
    c->header = cli_locate_part("own_time.h");
    bool missing = c->header == NULL;
    for (size_t i = 0; i < PARTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.c", parts[i]);
        c->sources[i] = cli_locate_part(name);
        missing = missing || c->sources[i] == NULL;
    }
    if (missing) {
        fputs("isocast cc: own_time.h and the parts beside it are not installed with isocast\n",
              stderr);
    }
    return missing ? CLI_EXIT_SYSTEM : CLI_EXIT_OK;
}

static int compile(compilation *c, int argc, char **argv) {
    c->words = calloc((size_t)argc + 3 + PARTS + RENAMES, sizeof *c->words);
    if (c->words == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    const char *compiler = compiler_of(argc, argv);
    size_t count = 0;
    c->words[count++] = compiler;
    if (strcmp(compiler, "smpif90") != 0) {
        c->words[count++] = "-include";
        c->words[count++] = c->header;
    }
    for (int i = 1; i < argc; i++) {
        c->words[count++] = argv[i];
    }
    bool whole = links(argc, argv);
    for (size_t i = 0; whole && i < PARTS; i++) {
        c->words[count++] = c->objects[i];
    }
    for (size_t i = 0; whole && i < RENAMES; i++) {
        c->words[count++] = renames[i];
    }
    return run(c->words, NULL);
}

static void forget(compilation *c) {
    for (size_t i = 0; i < PARTS; i++) {
        if (c->objects[i] != NULL) {
            unlink(c->objects[i]);
        }
        free(c->objects[i]);
        free(c->sources[i]);
    }
    if (c->folder[0] != '\0') {
        rmdir(c->folder);
    }
    free(c->header);
    free(c->words);
}

int cmd_cc(int argc, char **argv) {
    if (argc == 1 ||
        (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))) {
        fputs(help, argc == 1 ? stderr : stdout);
        return argc == 1 ? CLI_EXIT_USAGE : CLI_EXIT_OK;
    }
    compilation c = {.folder = ""};
    int status = find_parts(&c);
    if (status == CLI_EXIT_OK && links(argc, argv)) {
        status = compile_parts(&c);
    }
    status = status == CLI_EXIT_OK ? compile(&c, argc, argv) : status;
    forget(&c);
    return status;
}
