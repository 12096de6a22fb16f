/* Whether intervals of predictions hold the truth as often as they say. Each trial draws a machine,
 * times its operations with noise within launches, between them and from one minute to another,
 * fits the times as a calibration does, and predicts. What the machine that was drawn gives itself
 * is the truth.
 *
 *     bench-cover-intervals SPECS [--trials N] [--seed N] [--level L] [--least L] [--most L]
 *                           [--speed-error R]
 *
 * SPECS is the folder with algorithms/. Prints the share of trials whose interval of N' and of psi'
 * holds the truth: in the range measured, and at 8 times the processes. With --least and --most,
 * status 1 where the share of all intervals in the range is not between them. With --speed-error
 * the marked speed is measured with that relative standard error, too; else it is known. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit.h"
#include "calibrate/fit/machine_file.h"
#include "model/base/source_read.h"
#include "model/solve/prediction.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

enum {
    LAUNCHES = 8,
    CALLS = 9,
    SIZES = 13,
    MINUTE = 8,
    PROCESSES = 5,
    ALGORITHMS = 3,
    SYSTEMS = 4
};

static const double processes[PROCESSES] = {1, 2, 4, 8, 16};
/* Three in the range, one beyond. */
static const char systems_text[] = "4,8,16,128";
enum { MIDDLE = 1, LAST_MEASURED = 2, BEYOND = 3 };

static const char *const algorithm_names[ALGORITHMS] = {"gaussian-elimination",
                                                        "matrix-multiplication", "convolution-2d"};
static const char *const kernels[ALGORITHMS] = {"ge", "mm", "conv2d"};
static const double marked_speed = 2e9; /* flop/s of one processor */

/* Relative standard deviations of times. Of the variance between launches a fifth is shared by all
 * launches of a minute, which is what fits allow for (calibration-method.md). Launches on all
 * counts of processes follow each other in turns, MINUTE of them in a minute. */
static const double sigma_launch = 0.06;
static const double sigma_within = 0.03;
static const double shared_in_minute = 0.2;

/* T = (start + byte m) times steps: those of a binomial tree, one for each other process, or one.
 */
typedef enum steps { ONE, TREE, OTHERS } steps;

typedef struct law {
    const char *name;
    steps steps;
    double start, byte; /* s, s/B: typical */
} law;

static const law laws[] = {{"T_send", ONE, 2e-6, 4e-10},
                           {"T_recv", ONE, 1.5e-6, 3e-10},
                           {"T_bcast_barrier", TREE, 5e-6, 6e-10},
                           {"T_alltoallv", OTHERS, 4e-6, 4e-10},
                           {"T_copy", ONE, 0, 1e-10}};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* A machine as it is. */
typedef struct truth {
    double start[LAWS], byte[LAWS];
    double flop[ALGORITHMS]; /* s/flop */
} truth;

static double vary(gsl_rng *random, double value) {
    return value * exp(0.3 * gsl_ran_gaussian(random, 1));
}

static truth draw_truth(gsl_rng *random) {
    truth t;
    for (int i = 0; i < LAWS; i++) {
        t.start[i] = vary(random, laws[i].start);
        t.byte[i] = vary(random, laws[i].byte);
    }
    for (int i = 0; i < ALGORITHMS; i++) {
        t.flop[i] = 0.6e-9 * exp(0.1 * gsl_ran_gaussian(random, 1));
    }
    return t;
}

static double count_steps(steps kind, double p) {
    return kind == TREE ? ceil(log2(p)) : kind == OTHERS ? p - 1 : 1;
}

static void write_truth(const truth *t, isocast_buffer *out) {
    static const char *const formulas[] = {
        [ONE] = "1", [TREE] = "ceil(log2(p))", [OTHERS] = "(p - 1)"};
    isocast_buffer_printf(out,
                          "machine: truth\nnodes: {node: {count: 1024, processors: 1, "
                          "marked_speed: %.17g flop/s}}\noperations:\n",
                          marked_speed);
    for (int i = 0; i < LAWS; i++) {
        isocast_buffer_printf(out, "  %s: %s*(%.17g s + %.17g s/B * m)\n", laws[i].name,
                              formulas[laws[i].steps], t->start[i], t->byte[i]);
    }
    isocast_buffer_puts(out, "compute:\n");
    for (int i = 0; i < ALGORITHMS; i++) {
        isocast_buffer_printf(out, "  %s: %.17g s/flop\n", kernels[i], t->flop[i]);
    }
}

/* Samples under construction. */
typedef struct sampler {
    samples s;
    gsl_rng *random;
} sampler;

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "bench-cover-intervals: %s\n", what);
        exit(5);
    }
}

static unsigned add_operation(samples *s, const char *name) {
    snprintf(s->operations[s->operation_count], SAMPLES_NAME_MAX, "%s", name);
    return (unsigned)s->operation_count++;
}

/* All calls of one operation at one size in one launch. */
static void add_calls(sampler *a, unsigned operation, unsigned launch, double p, double m,
                      double seconds) {
    for (int call = 0; call < CALLS; call++) {
        if (a->s.count == a->s.capacity) {
            a->s.capacity = 2 * a->s.capacity + 4096;
            a->s.rows = realloc(a->s.rows, a->s.capacity * sizeof *a->s.rows);
            require(a->s.rows != NULL, "out of memory");
        }
        double noise = exp(sigma_within * gsl_ran_gaussian(a->random, 1));
        a->s.rows[a->s.count++] = (sample){operation, launch, p, m, seconds * noise, p, 1};
    }
}

/* An operation or kernel on all processes from `first` on; seconds(p, m) by what it is. */
static void add_samples(sampler *a, const char *name, const truth *t, int kernel, int law_index,
                        size_t first) {
    unsigned operation = add_operation(&a->s, name);
    double minute = 0;
    int launches = 0;
    for (unsigned j = 0; j < LAUNCHES; j++) {
        for (size_t i = first; i < PROCESSES; i++) {
            double p = processes[i];
            if (launches++ % MINUTE == 0) {
                minute = sqrt(shared_in_minute) * gsl_ran_gaussian(a->random, 1);
            }
            double own = sqrt(1 - shared_in_minute) * gsl_ran_gaussian(a->random, 1);
            double shift = exp(sigma_launch * (minute + own));
            for (int k = 0; k < SIZES; k++) {
                double m = ldexp(8, 2 * k);
                double seconds = kernel >= 0 ? t->flop[kernel]
                                             : count_steps(laws[law_index].steps, p) *
                                                   (t->start[law_index] + t->byte[law_index] * m);
                add_calls(a, operation, j * PROCESSES + (unsigned)i, p, m, seconds * shift);
            }
        }
    }
}

static isocast_machine *load_machine(const char *text) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_machine *machine = NULL;
    isocast_status status =
        isocast_source_take("machine", text, strlen(text), &diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = isocast_machine_read(source, &diagnostics, &machine);
    }
    if (status != ISOCAST_OK) {
        isocast_buffer reported = {0};
        isocast_diagnostics_render(&diagnostics, &reported);
        fprintf(stderr, "%s\n", reported.text != NULL ? reported.text : "");
        require(false, "a machine file is refused");
    }
    isocast_diagnostics_clear(&diagnostics);
    return machine;
}

/* The machine file that a calibration of the true machine gives. */
static isocast_machine *calibrate(const truth *t, gsl_rng *random) {
    sampler a = {.random = random};
    for (int i = 0; i < LAWS; i++) {
        add_samples(&a, laws[i].name, t, -1, i, laws[i].steps == ONE && laws[i].start == 0 ? 0 : 1);
    }
    for (int i = 0; i < ALGORITHMS; i++) {
        add_samples(&a, kernels[i], t, i, -1, 0);
    }
    fit f = {0};
    isocast_buffer why = {0};
    if (fit_samples(&a.s, &why, &f) != ISOCAST_OK) {
        require(false, why.text != NULL ? why.text : "nothing was fitted");
    }
    machine_file_class nodes = {
        .name = "node", .count = 1024, .processors = 1, .marked_speed = marked_speed};
    machine_file file = {.name = "fitted",
                         .date = "2026-01-01T00:00:00Z",
                         .version = "bench",
                         .command = "bench-cover-intervals",
                         .benchmark = "none",
                         .classes = &nodes,
                         .class_count = 1,
                         .processors = 1,
                         .marked_speed = marked_speed,
                         .t_c = NAN,
                         .memory_bandwidth = NAN,
                         .others = NAN,
                         .samples_file = "none.csv",
                         .samples_sha256 =
                             "0000000000000000000000000000000000000000000000000000000000000000",
                         .environment = ""};
    isocast_buffer text = {0};
    machine_file_write(&file, &f, &text);
    require(!text.failed, "out of memory");
    isocast_machine *machine = load_machine(text.text);
    isocast_buffer_free(&text);
    isocast_buffer_free(&why);
    fit_free(&f);
    samples_free(&a.s);
    return machine;
}

/* The marked speed as it was measured. */
static void err_in_speed(isocast_machine *machine, gsl_rng *random, double relative) {
    isocast_node_class *class = &machine->classes[0];
    if (relative > 0) {
        class->marked_speed *= 1 + relative * gsl_ran_gaussian(random, 1);
        class->standard_error = relative * class->marked_speed;
    }
}

static isocast_prediction *predict(const isocast_algorithm *algorithm,
                                   const isocast_machine *machine, double efficiency, double level,
                                   isocast_model **model, isocast_system ***systems) {
    isocast_diagnostics diagnostics = {0};
    size_t count = 0;
    isocast_prediction *prediction = NULL;
    require(isocast_model_create(algorithm, machine, &diagnostics, model) == ISOCAST_OK &&
                isocast_systems_parse(machine, algorithm->kernel, "systems", systems_text,
                                      &diagnostics, systems, &count) == ISOCAST_OK &&
                count == SYSTEMS,
            "the algorithm cannot be bound to the machine");
    isocast_prediction_request request = {.N = NAN,
                                          .efficiency = efficiency,
                                          .systems = (const isocast_system *const *)*systems,
                                          .system_count = count,
                                          .level = level};
    require(isocast_predict(*model, &request, &prediction) == ISOCAST_OK, "no prediction");
    return prediction;
}

/* How many intervals there were, and how many held the truth. */
typedef struct tally {
    int due, held, above, below;
} tally;

typedef struct figures {
    tally N, psi;
} figures;

static void count_interval(double low, double high, double truth_value, tally *t) {
    if (isfinite(truth_value)) {
        t->due++;
        t->held += low <= truth_value && truth_value <= high;
        t->above += truth_value > high;
        t->below += truth_value < low;
    }
}

static void compare(const isocast_prediction *fitted, const isocast_prediction *due, size_t row,
                    figures *out) {
    const isocast_prediction_row *f = &fitted->rows[row];
    const isocast_prediction_row *d = &due->rows[row];
    count_interval(f->N_low, f->N_high, d->N, &out->N);
    count_interval(f->psi_low, f->psi_high, d->psi, &out->psi);
}

static void run_algorithm(const isocast_algorithm *algorithm, const isocast_machine *due,
                          const isocast_machine *fitted, gsl_rng *random, double level,
                          figures *inside, figures *beyond) {
    double efficiency = 0.3 + 0.3 * gsl_rng_uniform(random);
    isocast_model *models[2];
    isocast_system **systems[2];
    isocast_prediction *truth_rows =
        predict(algorithm, due, efficiency, level, &models[0], &systems[0]);
    isocast_prediction *rows =
        predict(algorithm, fitted, efficiency, level, &models[1], &systems[1]);
    compare(rows, truth_rows, gsl_rng_uniform(random) < 0.5 ? MIDDLE : LAST_MEASURED, inside);
    compare(rows, truth_rows, BEYOND, beyond);
    isocast_prediction_free(rows);
    isocast_prediction_free(truth_rows);
    for (int k = 0; k < 2; k++) {
        isocast_systems_free(systems[k], SYSTEMS);
        isocast_model_free(models[k]);
    }
}

typedef struct settings {
    const char *specs;
    long trials, seed;
    double level, least, most;
    double speed_error; /* relative */
} settings;

static settings read_settings(int argc, char **argv) {
    settings s = {.trials = 2000, .seed = 1, .level = 0.9, .least = NAN, .most = NAN};
    require(argc >= 2 && argc % 2 == 0, "say the folder of the specifications, then options with "
                                        "a value each");
    s.specs = argv[1];
    for (int i = 2; i + 1 < argc; i += 2) {
        double value = strtod(argv[i + 1], NULL);
        if (strcmp(argv[i], "--trials") == 0) {
            s.trials = (long)value;
        } else if (strcmp(argv[i], "--seed") == 0) {
            s.seed = (long)value;
        } else if (strcmp(argv[i], "--level") == 0) {
            s.level = value;
        } else if (strcmp(argv[i], "--least") == 0) {
            s.least = value;
        } else if (strcmp(argv[i], "--most") == 0) {
            s.most = value;
        } else if (strcmp(argv[i], "--speed-error") == 0) {
            s.speed_error = value;
        } else {
            require(false,
                    "options are --trials, --seed, --level, --least, --most and --speed-error");
        }
    }
    return s;
}

static void print_row(const char *algorithm, const char *where, const figures *f) {
    const tally *tallies[] = {&f->N, &f->psi};
    printf("%-24s %-16s", algorithm, where);
    for (int k = 0; k < 2; k++) {
        double per_cent = 100.0 / fmax(tallies[k]->due, 1);
        printf("  %5.1f %% of %4d (%.1f %% above, %.1f %% below)", per_cent * tallies[k]->held,
               tallies[k]->due, per_cent * tallies[k]->above, per_cent * tallies[k]->below);
    }
    printf("\n");
}

/* Whether the share of all intervals in the range is what is asked for. */
static bool is_sound(const figures *inside, const settings *s) {
    double held = 0;
    double due = 0;
    for (int i = 0; i < ALGORITHMS; i++) {
        held += inside[i].N.held + inside[i].psi.held;
        due += inside[i].N.due + inside[i].psi.due;
    }
    return !(held < s->least * due || held > s->most * due);
}

int main(int argc, char **argv) {
    settings s = read_settings(argc, argv);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    require(random != NULL, "out of memory");
    gsl_rng_set(random, (unsigned long)s.seed);
    isocast_algorithm *algorithms[ALGORITHMS];
    for (int i = 0; i < ALGORITHMS; i++) {
        isocast_buffer path = {0};
        isocast_diagnostics diagnostics = {0};
        isocast_buffer_printf(&path, "%s/algorithms/%s.yaml", s.specs, algorithm_names[i]);
        require(path.text != NULL &&
                    isocast_algorithm_load(path.text, &diagnostics, &algorithms[i]) == ISOCAST_OK,
                "an algorithm cannot be read");
        isocast_diagnostics_clear(&diagnostics);
        isocast_buffer_free(&path);
    }
    figures inside[ALGORITHMS] = {0};
    figures beyond[ALGORITHMS] = {0};
    for (long trial = 0; trial < s.trials; trial++) {
        truth t = draw_truth(random);
        isocast_buffer text = {0};
        write_truth(&t, &text);
        require(!text.failed, "out of memory");
        isocast_machine *due = load_machine(text.text);
        isocast_machine *fitted = calibrate(&t, random);
        err_in_speed(fitted, random, s.speed_error);
        for (int i = 0; i < ALGORITHMS; i++) {
            run_algorithm(algorithms[i], due, fitted, random, s.level, &inside[i], &beyond[i]);
        }
        isocast_machine_free(fitted);
        isocast_machine_free(due);
        isocast_buffer_free(&text);
    }
    printf("%ld trials, intervals of %g %%: how many hold the true N', and the true psi'\n",
           s.trials, 100 * s.level);
    for (int i = 0; i < ALGORITHMS; i++) {
        print_row(algorithm_names[i], "in range", &inside[i]);
        print_row(algorithm_names[i], "8 times beyond", &beyond[i]);
        isocast_algorithm_free(algorithms[i]);
    }
    gsl_rng_free(random);
    return is_sound(inside, &s) ? 0 : 1;
}
