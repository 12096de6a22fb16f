/* Several threads load, predict, explain and evaluate at once through the public interface, with
 * handles of their own and with shared ones; each must get what one thread alone gets.
 * ThreadSanitizer looks on: this program and the library in it are built with it. */
#include <isocast/isocast.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 3 };

static const char algorithm_path[] =
    ISOCAST_SOURCE_DIR "/specs/algorithms/gaussian-elimination-published.yaml";
static const char machine_path[] = ISOCAST_SOURCE_DIR "/specs/machines/sunwulf.yaml";
static const char runs_path[] = ISOCAST_SOURCE_DIR "/specs/runs/sunwulf-gaussian-elimination.csv";
static const char broken[] = "machine: broken\nnodes: {a: {count: 1.5}}\nparameters: {x: 3 foo}\n";

/* What one pass comes to. */
typedef struct outcome {
    double N;
    double elasticity;
    double seconds;
    double psi;
    double order;
    double speedup;
    size_t problems;
} outcome;

/* Handles that all threads use; a barrier lets them begin at once. */
static const isocast_model *shared_model;
static const isocast_machine *shared_machine;
static outcome expected;
static pthread_barrier_t start;

static bool predict(const isocast_model *model, outcome *out) {
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = "C4,C8";
    request.base = "C2";
    request.N = 310;
    isocast_explanation *explanation = NULL;
    if (isocast_model_explain(model, &request, NULL, &explanation) != ISOCAST_OK) {
        return false;
    }
    const isocast_prediction *prediction = isocast_explanation_prediction(explanation);
    out->N = isocast_prediction_number(prediction, 1, ISOCAST_QUANTITY_N);
    out->elasticity = isocast_explanation_driver_elasticity(explanation, 0);
    isocast_explanation_free(explanation);
    return true;
}

static bool grow(const isocast_model *model, outcome *out) {
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = "C2,C8";
    request.efficiency = 0.3;
    isocast_line_request line = ISOCAST_LINE_REQUEST_INIT;
    line.systems = "C2,C8";
    line.level = 400;
    isocast_isoefficiency *growth = NULL;
    isocast_scaling *scaling = NULL;
    bool good = isocast_model_isoefficiency(model, &request, NULL, &growth) == ISOCAST_OK &&
                isocast_model_scale(model, &line, NULL, &scaling) == ISOCAST_OK;
    if (good) {
        out->order = isocast_isoefficiency_order(growth, ISOCAST_PART_ALL, ISOCAST_GROWTH_P);
        out->speedup = isocast_scaling_number(scaling, 1, ISOCAST_SCALING_SPEEDUP);
    }
    isocast_isoefficiency_free(growth);
    isocast_scaling_free(scaling);
    return good;
}

static bool read_psi(const isocast_algorithm *algorithm, outcome *out) {
    isocast_runs *runs = NULL;
    isocast_scalability *scalability = NULL;
    bool good =
        isocast_runs_load_file(runs_path, NULL, &runs) == ISOCAST_OK &&
        isocast_runs_scale(runs, algorithm, NULL, NULL, 0.3, NULL, &scalability) == ISOCAST_OK;
    if (good) {
        out->psi = isocast_scalability_number(scalability, 1, ISOCAST_QUANTITY_PSI);
    }
    isocast_scalability_free(scalability);
    isocast_runs_free(runs);
    return good;
}

/* Everything from the files on. */
static bool pass(outcome *out) {
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_machine *none = NULL;
    isocast_model *model = NULL;
    isocast_diagnostics *problems = NULL;
    bool good = isocast_diagnostics_create(&problems) == ISOCAST_OK &&
                isocast_machine_load_text("broken", broken, strlen(broken), problems, &none) ==
                    ISOCAST_INVALID &&
                isocast_algorithm_load_file(algorithm_path, NULL, &algorithm) == ISOCAST_OK &&
                isocast_machine_load_file(machine_path, NULL, &machine) == ISOCAST_OK &&
                isocast_model_bind(algorithm, machine, NULL, &model) == ISOCAST_OK &&
                predict(model, out) && grow(model, out) && read_psi(algorithm, out) &&
                isocast_machine_evaluate_operation(machine, "T_bcast", "C8", 8000, NULL,
                                                   &out->seconds) == ISOCAST_OK;
    out->problems = isocast_diagnostics_count(problems);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_free(problems);
    return good;
}

static bool same(const outcome *a, const outcome *b) {
    return a->N == b->N && a->elasticity == b->elasticity && a->seconds == b->seconds &&
           a->psi == b->psi && a->order == b->order && a->speedup == b->speedup &&
           a->problems == b->problems;
}

static void *work(void *result) {
    bool good = true;
    (void)pthread_barrier_wait(&start);
    for (int round = 0; good && round < ROUNDS; round++) {
        outcome own = {0};
        good = pass(&own);
        outcome shared = own;
        good = good && predict(shared_model, &shared) && grow(shared_model, &shared) &&
               isocast_machine_evaluate_operation(shared_machine, "T_bcast", "C8", 8000, NULL,
                                                  &shared.seconds) == ISOCAST_OK;
        if (good && expected.problems > 0) {
            good = same(&own, &expected) && same(&shared, &expected);
        }
    }
    *(bool *)result = good;
    return NULL;
}

static bool run_threads(void) {
    pthread_t threads[THREADS];
    bool good[THREADS] = {false};
    if (pthread_barrier_init(&start, NULL, THREADS) != 0) {
        return false;
    }
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, &good[i]) != 0) {
            return false;
        }
    }
    bool all = true;
    for (size_t i = 0; i < THREADS; i++) {
        (void)pthread_join(threads[i], NULL);
        all = all && good[i];
    }
    (void)pthread_barrier_destroy(&start);
    return all;
}

int main(void) {
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    if (isocast_algorithm_load_file(algorithm_path, NULL, &algorithm) != ISOCAST_OK ||
        isocast_machine_load_file(machine_path, NULL, &machine) != ISOCAST_OK ||
        isocast_model_bind(algorithm, machine, NULL, &model) != ISOCAST_OK) {
        return EXIT_FAILURE;
    }
    shared_model = model;
    shared_machine = machine;
    /* The first solve of the process is done by several threads at once. */
    bool good = run_threads();
    good = good && pass(&expected) && isfinite(expected.N) && expected.psi > 0 &&
           expected.problems >= 2;
    good = good && run_threads();
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    printf("%s: N' = %.2f\n", good ? "same in all threads" : "threads differ", expected.N);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
