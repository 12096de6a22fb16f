/* isocast cc: the simulator's compilers, with what measures the time of a program added. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/claim.h"
#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/program_file.h"
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
    "know the program's simulated time, that send the messages of the platform's\n"
    "MPI library in collective operations, and that correct the time of calls that\n"
    "make communicators. It prints the commands that it runs.\n"
    "\n"
    "Examples:\n"
    "  isocast cc -O2 -o jacobi jacobi.c\n"
    "  isocast cc -O2 -o waves waves.f90\n";

/* The parts that are linked, by the names of their files without ".c". */
static const char *const parts[] = {"own_time",          "own_collectives", "own_carrier",
                                    "own_communicators", "own_memory",      "own_polls",
                                    "own_fortran"};
enum { PARTS = sizeof parts / sizeof parts[0] };
/* What they need that knows neither MPI nor the simulator: the algorithms of collectives. */
static const char algorithms[] = "libisocast-collectives.a";

/* Fortran's names of MPI_Init and so on have no macros, so the linker renames them. */
static const char *const renames[] = {"-Wl,--wrap=mpi_init_",
                                      "-Wl,--wrap=mpi_init_thread_",
                                      "-Wl,--wrap=mpi_finalize_",
                                      "-Wl,--wrap=mpi_pcontrol_",
                                      "-Wl,--wrap=mpi_bcast_",
                                      "-Wl,--wrap=mpi_barrier_",
                                      "-Wl,--wrap=mpi_reduce_",
                                      "-Wl,--wrap=mpi_allreduce_",
                                      "-Wl,--wrap=mpi_scan_",
                                      "-Wl,--wrap=mpi_reduce_scatter_",
                                      "-Wl,--wrap=mpi_reduce_scatter_block_",
                                      "-Wl,--wrap=mpi_gather_",
                                      "-Wl,--wrap=mpi_gatherv_",
                                      "-Wl,--wrap=mpi_scatter_",
                                      "-Wl,--wrap=mpi_scatterv_",
                                      "-Wl,--wrap=mpi_allgather_",
                                      "-Wl,--wrap=mpi_allgatherv_",
                                      "-Wl,--wrap=mpi_alltoall_",
                                      "-Wl,--wrap=mpi_alltoallv_",
                                      "-Wl,--wrap=mpi_test_",
                                      "-Wl,--wrap=mpi_testall_",
                                      "-Wl,--wrap=mpi_testany_",
                                      "-Wl,--wrap=mpi_iprobe_",
                                      "-Wl,--wrap=mpi_cart_create_",
                                      "-Wl,--wrap=mpi_cart_sub_",
                                      "-Wl,--wrap=mpi_comm_create_",
                                      "-Wl,--wrap=mpi_comm_dup_",
                                      "-Wl,--wrap=mpi_comm_dup_with_info_"};
enum { RENAMES = sizeof renames / sizeof renames[0] };

typedef struct compilation {
    char folder[64]; /* of the compiled parts; "": none yet */
    char *header;    /* own_time.h */
    char *archive;   /* of the algorithms */
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

static bool is_fortran(const char *word) {
    static const char *const endings[] = {"f", "for", "f90", "f95", "f03", "f08",
                                          "F", "FOR", "F90", "F95", "F03", "F08"};
    return word[0] != '-' && has_ending(word, endings, sizeof endings / sizeof *endings);
}

static bool is_cxx(const char *word) {
    static const char *const endings[] = {"cc", "cp", "cxx", "cpp", "c++", "C", "CPP"};
    return word[0] != '-' && has_ending(word, endings, sizeof endings / sizeof *endings);
}

/* Whether a compiled file or a library of such names what stands in the language's own library. */
static bool names(const char *word, const char *what) {
    static const char *const endings[] = {"o", "a", "lo"};
    return word[0] != '-' && has_ending(word, endings, sizeof endings / sizeof *endings) &&
           campaign_program_contains(word, what);
}

/* What the files are written in, compiled ones as well. */
typedef struct languages {
    bool fortran, cxx;
} languages;

static languages languages_of(int argc, char **argv) {
    languages l = {false, false};
    for (int i = 1; i < argc; i++) {
        bool is_output = strcmp(argv[i - 1], "-o") == 0;
        l.fortran =
            l.fortran || (!is_output && (is_fortran(argv[i]) || names(argv[i], "_gfortran_")));
        l.cxx = l.cxx || (!is_output && (is_cxx(argv[i]) || names(argv[i], "__gxx_personality")));
    }
    return l;
}

static void print_command(const char *const *words) {
    fputs("isocast cc:", stderr);
    for (size_t i = 0; words[i] != NULL; i++) {
        fprintf(stderr, " %s", words[i]);
    }
    fputs("\n", stderr);
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
    } else if (status == ISOCAST_NO_MEMORY) {
        return cli_exit_of(status);
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
    c->archive = c->header != NULL ? cli_locate_part(algorithms) : NULL;
    bool missing = c->archive == NULL;
    for (size_t i = 0; i < PARTS && !missing; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.c", parts[i]);
        c->sources[i] = cli_locate_part(name);
        missing = c->sources[i] == NULL;
    }
    return !missing ? CLI_EXIT_OK
                    : cli_locate_fail("cc", "own_time.h and the parts beside it are not installed "
                                            "with isocast");
}

/* Runs the compiler on all words; on those but for the sources in Fortran other than `only`, where
 * that is above 0. `output`: of -o; NULL: that of the words. */
static int compile_words(compilation *c, int argc, char **argv, int only, const char *output) {
    const languages l = languages_of(argc, argv);
    size_t count = 0;
    c->words[count++] = l.fortran ? "smpif90" : l.cxx ? "smpicxx" : "smpicc";
    /* A simulated program is a library, whose functions others might replace: that would keep them
     * from being inlined. */
    c->words[count++] = "-fno-semantic-interposition";
    if (!l.fortran) {
        c->words[count++] = "-include";
        c->words[count++] = c->header;
    }
    for (int i = 1; i < argc; i++) {
        if (only == 0 || i == only || !is_fortran(argv[i])) {
            c->words[count++] = argv[i];
        }
    }
    if (output != NULL) {
        c->words[count++] = "-o";
        c->words[count++] = output;
    }
    bool whole = links(argc, argv);
    for (size_t i = 0; whole && i < PARTS; i++) {
        c->words[count++] = c->objects[i];
    }
    if (whole) {
        c->words[count++] = c->archive;
    }
    for (size_t i = 0; whole && i < RENAMES; i++) {
        c->words[count++] = renames[i];
    }
    if (whole) {
        c->words[count++] = "-lm"; /* of own_memory */
    }
    if (whole && l.fortran && l.cxx) {
        c->words[count++] = "-lstdc++";
    }
    c->words[count] = NULL;
    return run(c->words, NULL);
}

static bool has_word(int argc, char **argv, const char *word) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* "folder/waves.f90" as "waves.o". */
static char *compiled_name(const char *source, const char *ending) {
    const char *slash = strrchr(source, '/');
    const char *name = slash != NULL ? slash + 1 : source;
    isocast_buffer text = {0};
    isocast_buffer_append(&text, name, (size_t)(strrchr(name, '.') - name));
    isocast_buffer_puts(&text, ending);
    return isocast_buffer_take(&text);
}

/* smpif90 gives programs, and files whose endings it does not know, names that nobody expects. */
static int compile(compilation *c, int argc, char **argv) {
    c->words = calloc((size_t)argc + 9 + PARTS + RENAMES, sizeof *c->words);
    if (c->words == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    bool named = !languages_of(argc, argv).fortran;
    for (int i = 1; i < argc; i++) {
        named = named || strncmp(argv[i], "-o", 2) == 0;
    }
    const char *ending = has_word(argc, argv, "-c")   ? ".o"
                         : has_word(argc, argv, "-S") ? ".s"
                                                      : NULL;
    if (named || ending == NULL) {
        return compile_words(c, argc, argv, 0, named || !links(argc, argv) ? NULL : "a.out");
    }
    int status = CLI_EXIT_OK;
    for (int i = 1; i < argc && status == CLI_EXIT_OK; i++) {
        if (is_fortran(argv[i])) {
            char *output = compiled_name(argv[i], ending);
            status = output != NULL ? compile_words(c, argc, argv, i, output)
                                    : cli_exit_of(ISOCAST_NO_MEMORY);
            free(output);
        }
    }
    return status;
}

/* What the compiler is to write; NULL where that has the names of the sources. */
static const char *output_of(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-o", 2) == 0) {
            return argv[i][2] != '\0' ? argv[i] + 2 : i + 1 < argc ? argv[i + 1] : NULL;
        }
    }
    return links(argc, argv) ? "a.out" : NULL;
}

static int claim_output(int argc, char **argv) {
    isocast_buffer why = {0};
    isocast_status status = campaign_claim_take(output_of(argc, argv), &why);
    if (status != ISOCAST_OK) {
        fprintf(stderr, "isocast cc: %s\n",
                why.text != NULL ? why.text : "another command is writing the output");
    }
    isocast_buffer_free(&why);
    return cli_exit_of(status);
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
    free(c->archive);
    free(c->words);
}

int cmd_cc(int argc, char **argv) {
    if (argc == 1 ||
        (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))) {
        fputs(help, argc == 1 ? stderr : stdout);
        return argc == 1 ? CLI_EXIT_USAGE : CLI_EXIT_OK;
    }
    compilation c = {.folder = ""};
    int status = claim_output(argc, argv);
    CLI_THEN(status, find_parts(&c));
    if (status == CLI_EXIT_OK && links(argc, argv)) {
        status = compile_parts(&c);
    }
    CLI_THEN(status, compile(&c, argc, argv));
    forget(&c);
    return status;
}
