/* The results that the public interface gives, against closed forms. Like test_api.c, this file
 * includes no private header of the project. */
#include <isocast/isocast.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_fixture.h"

static const char nodes_of_two[] =
    "machine: sets\n"
    "nodes: {node: {count: 64, processors: 2, marked_speed: 1.5 Gflop/s}}\n"
    "operations: {T_send: 2.508 us, T_recv: 2.508 us}\n";

/* W/C_1 = K T_o with T_o = 4 p log2(p) (2.508 us): W = Theta(p log p), and the local exponent is
 * 1 + 1/ln p. */
static void isoefficiency_by_hand(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_isoefficiency *found = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = "2,8";
    assert_int_equal(isocast_model_isoefficiency(b.model, &request, NULL, &found),
                     ISOCAST_ARGUMENT);
    request.efficiency = 0.75;
    assert_int_equal(isocast_model_isoefficiency(b.model, NULL, NULL, &found), ISOCAST_ARGUMENT);
    request.metric = ISOCAST_METRIC_LATENCY;
    assert_int_equal(isocast_model_isoefficiency(b.model, &request, NULL, &found),
                     ISOCAST_ARGUMENT);
    assert_null(found);
    request.metric = ISOCAST_METRIC_ISOSPEED_E;
    assert_int_equal(isocast_model_isoefficiency(b.model, &request, NULL, &found), ISOCAST_OK);
    double overhead = 8 * 3 * 4 * 2.508e-6;
    assert_near(isocast_isoefficiency_K(found), 3);
    assert_near(isocast_isoefficiency_limit(found), 1);
    assert_near(isocast_isoefficiency_number(found, 1, ISOCAST_ISOEFFICIENCY_OVERHEAD), overhead);
    assert_near(isocast_isoefficiency_number(found, 1, ISOCAST_ISOEFFICIENCY_IDEAL), 3 * overhead);
    assert_near(isocast_isoefficiency_number(found, 1, ISOCAST_ISOEFFICIENCY_COST), 4 * overhead);
    assert_true(isocast_isoefficiency_number(found, 1, ISOCAST_ISOEFFICIENCY_IDLE) == 0);
    assert_near(isocast_isoefficiency_number(found, 1, ISOCAST_ISOEFFICIENCY_EXPONENT),
                1 + 1 / log(8));
    assert_true(isnan(isocast_isoefficiency_number(found, 2, ISOCAST_ISOEFFICIENCY_COST)));
    assert_string_equal(isocast_prediction_system(isocast_isoefficiency_prediction(found), 1), "8");
    assert_int_equal(isocast_isoefficiency_part_count(found), 3);
    assert_string_equal(isocast_isoefficiency_part_name(found, 0), "combine");
    assert_string_equal(isocast_isoefficiency_part_name(found, 2), "processes");
    assert_null(isocast_isoefficiency_part_name(found, 3));
    const size_t ruling[] = {0, ISOCAST_PART_ALL};
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(isocast_isoefficiency_verdict(found, ruling[k]), ISOCAST_GROWTH_PROVED);
        assert_near(isocast_isoefficiency_order(found, ruling[k], ISOCAST_GROWTH_P), 1);
        assert_near(isocast_isoefficiency_order(found, ruling[k], ISOCAST_GROWTH_LOG_P), 1);
        assert_true(isocast_isoefficiency_order(found, ruling[k], ISOCAST_GROWTH_LOG_LOG_P) == 0);
        assert_false(isocast_isoefficiency_depends_on_E(found, ruling[k]));
    }
    assert_int_equal(isocast_isoefficiency_verdict(found, 1), ISOCAST_GROWTH_FREE);
    assert_int_equal(isocast_isoefficiency_verdict(found, 3), ISOCAST_GROWTH_UNDECIDED);
    assert_true(isnan(isocast_isoefficiency_order(found, 1, ISOCAST_GROWTH_P)));
    assert_null(isocast_isoefficiency_reason(found, ISOCAST_PART_ALL));
    assert_false(isocast_isoefficiency_needs_squares(found));
    isocast_isoefficiency_free(found);
    isocast_isoefficiency_free(NULL);
    unbind(b);
}

/* Strong scaling at N, and weak scaling from a base: T = N/C + 4 log2(p) (2.508 us). */
static void lines_by_hand(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_scaling *scaling = NULL;
    isocast_line_request request = ISOCAST_LINE_REQUEST_INIT;
    request.systems = "1,2,8";
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_ARGUMENT);
    request.line = ISOCAST_LINE_MEMORY;
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_ARGUMENT);
    request.line = (isocast_line)99;
    request.level = 1e6;
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_ARGUMENT);
    request.line = ISOCAST_LINE_SIZE;
    request.size = 1;
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_ARGUMENT);
    assert_null(scaling);
    request.size = sizeof request;
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_OK);
    double alone = 1e6 / 1.5e9;
    double T = alone / 8 + 3 * 4 * 2.508e-6;
    assert_int_equal(isocast_scaling_row_count(scaling), 3);
    assert_string_equal(isocast_scaling_system(scaling, 2), "8");
    assert_int_equal(isocast_scaling_status(scaling, 2), ISOCAST_ROW_OK);
    assert_near(isocast_scaling_level(scaling), 1e6);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_T), T);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_T_ALONE), alone);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_SPEEDUP), alone / T);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_EFFICIENCY), alone / T / 8);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_COST), 8 * T);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_OVERHEAD), 8 * T - alone);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_SERIAL_FRACTION),
                (T / alone - 1.0 / 8) / (1 - 1.0 / 8));
    assert_true(isnan(isocast_scaling_number(scaling, 3, ISOCAST_SCALING_T)));
    assert_true(isnan(isocast_scaling_number(scaling, ISOCAST_INDEX_BASE, ISOCAST_SCALING_T)));
    assert_null(isocast_scaling_system(scaling, 3));
    isocast_scaling_free(scaling);
    request.line = ISOCAST_LINE_SIZE_PER_PROCESS;
    request.level = 0;
    request.base = "2";
    request.N = 30000;
    assert_int_equal(isocast_model_scale(b.model, &request, NULL, &scaling), ISOCAST_OK);
    assert_near(isocast_scaling_number(scaling, 2, ISOCAST_SCALING_N), 120000);
    assert_near(isocast_scaling_number(scaling, ISOCAST_INDEX_BASE, ISOCAST_SCALING_N), 30000);
    assert_near(isocast_scaling_level(scaling), 15000);
    isocast_scaling_free(scaling);
    isocast_scaling_free(NULL);
    unbind(b);
}

/* Where the machine gives R_f, the size of a set may be R_f C_1. */
static void sizes_by_reference(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_model_free(b.model);
    isocast_machine_free(b.machine);
    assert_int_equal(
        isocast_machine_load_text("sets", nodes_of_two, strlen(nodes_of_two), NULL, &b.machine),
        ISOCAST_OK);
    assert_int_equal(isocast_model_bind(b.algorithm, b.machine, NULL, &b.model), ISOCAST_OK);
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = "1x2,2x1";
    request.N = 30000;
    request.measure = ISOCAST_SIZE_BY_REFERENCE;
    assert_int_equal(isocast_model_predict(b.model, &request, NULL, &prediction), ISOCAST_ARGUMENT);
    isocast_model_free(b.model);
    isocast_machine_free(b.machine);
    char text[1024];
    snprintf(text, sizeof text, "%sreference: {program: ring, factors: {1x2: 1.6, 2x1: 1.9}}\n",
             nodes_of_two);
    assert_int_equal(isocast_machine_load_text("sets", text, strlen(text), NULL, &b.machine),
                     ISOCAST_OK);
    assert_int_equal(isocast_model_bind(b.algorithm, b.machine, NULL, &b.model), ISOCAST_OK);
    assert_int_equal(isocast_model_predict(b.model, &request, NULL, &prediction), ISOCAST_OK);
    const double R_f[] = {1.6, 1.9};
    for (size_t row = 0; row < 2; row++) {
        double T = isocast_prediction_number(prediction, row, ISOCAST_QUANTITY_T);
        assert_near(isocast_prediction_number(prediction, row, ISOCAST_QUANTITY_E),
                    30000 / (T * R_f[row] * 1.5e9));
    }
    isocast_prediction_free(prediction);
    unbind(b);
}

/* E = W/(T C) with T = N/C + 4 log2(p) (2.508 us) in closed form. */
static void prediction_by_hand(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.base = "2";
    request.N = 30000;
    request.systems = "four,16";
    assert_int_equal(isocast_model_predict(b.model, &request, NULL, &prediction), ISOCAST_OK);
    double overhead = 4 * 2.508e-6;
    double E = 30000 / (30000 + 3e9 * overhead);
    assert_near(isocast_prediction_target(prediction), E);
    assert_int_equal(isocast_prediction_row_count(prediction), 2);
    assert_string_equal(isocast_prediction_system(prediction, ISOCAST_INDEX_BASE), "2");
    assert_string_equal(isocast_prediction_system(prediction, 0), "four");
    assert_int_equal(isocast_prediction_status(prediction, 1), ISOCAST_ROW_OK);
    double N = E / (1 - E) * 24e9 * 4 * overhead;
    assert_near(isocast_prediction_number(prediction, 1, ISOCAST_QUANTITY_N), N);
    assert_near(isocast_prediction_number(prediction, 1, ISOCAST_QUANTITY_T_O), 4 * overhead);
    assert_near(isocast_prediction_number(prediction, 1, ISOCAST_QUANTITY_C), 24e9);
    assert_near(isocast_prediction_number(prediction, 1, ISOCAST_QUANTITY_PSI_FROM_BASE),
                isocast_psi(3e9, 30000, 24e9, N));
    assert_int_equal(isocast_prediction_root_count(prediction, 1), 1);
    assert_near(isocast_prediction_root(prediction, 1, 0), N);
    assert_true(isnan(isocast_prediction_root(prediction, 1, 1)));
    assert_int_equal(isocast_prediction_term_count(prediction), 1);
    assert_string_equal(isocast_prediction_term_name(prediction, 0), "combine");
    assert_near(isocast_prediction_term(prediction, 1, 0), 4 * overhead);
    assert_null(isocast_prediction_term_name(prediction, 1));
    assert_true(isnan(isocast_prediction_number(prediction, 2, ISOCAST_QUANTITY_N)));
    /* By name. */
    assert_near(isocast_prediction_value(prediction, 1, "N"), N);
    assert_near(isocast_prediction_value(prediction, 1, "T_o"), 4 * overhead);
    assert_true(isnan(isocast_prediction_value(prediction, 1, "system")));
    assert_true(isnan(isocast_prediction_value(prediction, 1, "none")));
    assert_true(isnan(isocast_prediction_value(prediction, 2, "N")));
    assert_string_equal(isocast_prediction_value_name(0), "p");
    assert_string_equal(isocast_prediction_value_unit(1), "flop/s");
    size_t names = 0;
    while (isocast_prediction_value_name(names) != NULL) {
        assert_non_null(isocast_prediction_value_meaning(names));
        names++;
    }
    assert_true(names > 30 && isocast_prediction_value_unit(names) == NULL);
    assert_null(isocast_prediction_system(prediction, 2));
    isocast_prediction_free(prediction);
    unbind(b);
}

static void explanation_by_hand(void **state) {
    (void)state;
    bound b = bind_adding();
    isocast_explanation *explanation = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.efficiency = 0.5;
    request.systems = "2,16";
    assert_int_equal(isocast_model_explain(b.model, &request, NULL, &explanation), ISOCAST_OK);
    const isocast_prediction *prediction = isocast_explanation_prediction(explanation);
    assert_int_equal(isocast_prediction_row_count(prediction), 2);
    assert_int_equal(isocast_explanation_part_count(explanation), 2);
    for (size_t part = 0; part < 2; part++) {
        assert_near(isocast_explanation_part_share(explanation, part, 1), 0.5);
        assert_near(isocast_explanation_part_growth(explanation, part), log(4) / log(8));
    }
    assert_null(isocast_explanation_part_name(explanation, 2));
    assert_true(isnan(isocast_explanation_part_time(explanation, 0, 2)));
    /* N' = E/(1 - E) C T_o is in proportion to both; 8 ns of 2.508 us are the bytes'. */
    size_t found = 0;
    for (size_t i = 0; i < isocast_explanation_driver_count(explanation); i++) {
        const char *name = isocast_explanation_driver_name(explanation, i);
        double elasticity = isocast_explanation_driver_elasticity(explanation, i);
        if (strcmp(name, "latency") == 0) {
            assert_int_equal(isocast_explanation_driver_kind(explanation, i),
                             ISOCAST_DRIVER_PARAMETER);
            assert_non_null(isocast_explanation_driver_meaning(explanation, i));
            assert_true(fabs(elasticity - 2.5 / 2.508) < 1e-4);
            found++;
        } else if (strcmp(name, "node") == 0) {
            assert_true(fabs(elasticity - 1) < 1e-4);
            found++;
        }
    }
    assert_int_equal(found, 2);
    assert_null(isocast_explanation_driver_name(explanation, 99));
    isocast_explanation_free(explanation);
    unbind(b);
}

static void no_efficiency_at_the_base(void **state) {
    (void)state;
    static const char nothing[] = "algorithm: nothing\nsize: {N: {min: 1}}\nwork: N - 1\n";
    bound b = bind_adding();
    isocast_algorithm *algorithm = NULL;
    isocast_model *model = NULL;
    isocast_prediction *prediction = NULL;
    isocast_explanation *explanation = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.base = "2";
    request.N = 1;
    request.systems = "4";
    assert_int_equal(
        isocast_algorithm_load_text("nothing", nothing, strlen(nothing), NULL, &algorithm),
        ISOCAST_OK);
    assert_int_equal(isocast_model_bind(algorithm, b.machine, NULL, &model), ISOCAST_OK);
    assert_int_equal(isocast_model_predict(model, &request, NULL, &prediction), ISOCAST_DOMAIN);
    assert_int_equal(isocast_model_explain(model, &request, NULL, &explanation), ISOCAST_DOMAIN);
    assert_null(prediction);
    assert_null(explanation);
    isocast_model_free(model);
    isocast_algorithm_free(algorithm);
    unbind(b);
}

/* The default of a machine, and the speeds of an algorithm's kernel for a model. */
static void marked_speeds_follow_the_kernel(void **state) {
    (void)state;
    static const char speeds[] =
        "machine: m\nnodes: {node: {count: 4, marked_speed: {default: 2 Gflop/s, mm: 9 "
        "Gflop/s}}}\n";
    static const char *const kernels[] = {"mm", "lu"};
    static const double due[] = {27e9, 6e9};
    isocast_machine *machine = NULL;
    double p = 0;
    double C = 0;
    assert_int_equal(isocast_machine_load_text("m", speeds, strlen(speeds), NULL, &machine),
                     ISOCAST_OK);
    assert_int_equal(isocast_machine_describe_system(machine, "3", NULL, &p, &C), ISOCAST_OK);
    assert_near(C, 6e9);
    for (size_t i = 0; i < 2; i++) {
        char text[128];
        isocast_algorithm *algorithm = NULL;
        isocast_model *model = NULL;
        isocast_prediction *prediction = NULL;
        snprintf(text, sizeof text, "algorithm: a\nsize: {N: {min: 1}}\nwork: N\nkernel: %s\n",
                 kernels[i]);
        assert_int_equal(isocast_algorithm_load_text("a", text, strlen(text), NULL, &algorithm),
                         ISOCAST_OK);
        assert_int_equal(isocast_model_bind(algorithm, machine, NULL, &model), ISOCAST_OK);
        assert_int_equal(isocast_model_describe_system(model, "3", NULL, &p, &C), ISOCAST_OK);
        assert_near(p, 3);
        assert_near(C, due[i]);
        isocast_request request = ISOCAST_REQUEST_INIT;
        request.systems = "3";
        request.N = 1000;
        assert_int_equal(isocast_model_predict(model, &request, NULL, &prediction), ISOCAST_OK);
        assert_near(isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_C), due[i]);
        assert_near(isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_T), 1000 / due[i]);
        isocast_prediction_free(prediction);
        isocast_model_free(model);
        isocast_algorithm_free(algorithm);
    }
    assert_int_equal(isocast_model_describe_system(NULL, "3", NULL, &p, &C), ISOCAST_ARGUMENT);
    isocast_machine_free(machine);
}

/* Machines whose nodes differ by a factor of 4 in all that counts take a quarter of T. */
static void runs_go_to_another_machine(void **state) {
    (void)state;
    bound b = bind_adding();
    static const char *const texts[] = {
        "platform: here\nnodes: {n: {count: 9, processors: 2, speed: 1 Gflop/s, memory_bandwidth: "
        "5 "
        "GB/s}}\nnetwork: {topology: switched, link_bandwidth: 1 GB/s, link_latency: 1 us}\n",
        "platform: there\nnodes: {n: {count: 2, processors: 8, speed: 1 Gflop/s, memory_bandwidth: "
        "20 GB/s}}\nnetwork: {topology: switched, link_bandwidth: 1 GB/s, link_latency: 1 us}\n"};
    static const char rows[] = "system,nodes,p,N,T\na,1,2,1e6,8\na,3,6,1e6,4\n";
    isocast_platform *ends[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            isocast_platform_load_text("p", texts[i], strlen(texts[i]), NULL, &ends[i]),
            ISOCAST_OK);
    }
    isocast_runs *runs = NULL;
    isocast_transfer *t = NULL;
    assert_int_equal(isocast_runs_load_text("runs", rows, strlen(rows), NULL, &runs), ISOCAST_OK);
    isocast_transfer_end from = {.platform = ends[0]};
    isocast_transfer_end to = {.machine = isocast_platform_hardware(ends[1])};
    assert_int_equal(isocast_runs_transfer(runs, from, to, b.algorithm, NULL, NULL, &t),
                     ISOCAST_OK);
    assert_int_equal(isocast_transfer_row_count(t), 2);
    assert_near(isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_T), 2);
    assert_near(isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_P), 8);
    assert_near(isocast_transfer_measured(t, 0, ISOCAST_QUANTITY_T), 8);
    assert_near(isocast_transfer_measured(t, 0, ISOCAST_QUANTITY_E),
                isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_E));
    assert_near(isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_T_HIGH) / 2,
                2 / isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_T_LOW));
    assert_near(isocast_transfer_by_memory(t, 0), 2);
    assert_near(isocast_transfer_by_speed(t, 0), 2);
    assert_near(isocast_transfer_size(t, 0, ISOCAST_QUANTITY_N), 1e6);
    assert_near(isocast_transfer_predicted(t, 0, ISOCAST_QUANTITY_PSI), 4);
    /* There are two nodes there. */
    assert_near(isocast_transfer_nodes(t, 1), 3);
    assert_true(isnan(isocast_transfer_predicted(t, 1, ISOCAST_QUANTITY_T)));
    assert_true(isnan(isocast_transfer_predicted(t, 2, ISOCAST_QUANTITY_T)));
    assert_true(isnan(isocast_transfer_measured(t, 0, ISOCAST_QUANTITY_T_LOW)));
    isocast_transfer_free(t);
    isocast_transfer_free(NULL);
    assert_int_equal(
        isocast_runs_transfer(runs, from, (isocast_transfer_end){NULL, NULL}, NULL, NULL, NULL, &t),
        ISOCAST_ARGUMENT);
    isocast_runs_free(runs);
    static const char list[] = "system,p,N\na,2,1e6\n";
    assert_int_equal(isocast_runs_load_text("runs", list, strlen(list), NULL, &runs), ISOCAST_OK);
    assert_int_equal(isocast_runs_transfer(runs, from, to, NULL, NULL, NULL, &t), ISOCAST_ARGUMENT);
    isocast_runs_free(runs);
    isocast_platform_free(ends[0]);
    isocast_platform_free(ends[1]);
    unbind(b);
}

/* Runs as the model says, 5 % longer. */
static void runs_of_the_model(void **state) {
    (void)state;
    bound b = bind_adding();
    static const char *const systems[] = {"2", "16"};
    static const double speeds[] = {3e9, 24e9};
    char text[2048] = "system,N,T,C\n";
    for (size_t s = 0; s < 2; s++) {
        for (double N = 5000; N < 2e6; N *= 2) {
            double T = 1.05 * (N / speeds[s] + (s == 0 ? 1 : 4) * 4 * 2.508e-6);
            char line[128];
            snprintf(line, sizeof line, "%s,%.17g,%.17g,%.17g\n", systems[s], N, T, speeds[s]);
            strcat(text, line);
        }
    }
    isocast_runs *runs = NULL;
    isocast_validation *v = NULL;
    isocast_scalability *psi = NULL;
    assert_int_equal(isocast_runs_load_text("runs", text, strlen(text), NULL, &runs), ISOCAST_OK);
    assert_int_equal(isocast_runs_count(runs), 18);
    assert_int_equal(isocast_model_validate(b.model, runs, NULL, 0.5, NULL, &v), ISOCAST_OK);
    assert_int_equal(isocast_validation_point_count(v), 18);
    assert_int_equal(isocast_validation_error_count(v, ISOCAST_QUANTITY_T), 18);
    assert_near(isocast_validation_mean_error(v, ISOCAST_QUANTITY_T), 1 - 1 / 1.05);
    assert_near(isocast_validation_bias(v, ISOCAST_QUANTITY_T), 1 / 1.05 - 1);
    assert_near(isocast_validation_point_error(v, 3, ISOCAST_QUANTITY_T), 1 / 1.05 - 1);
    assert_near(isocast_validation_point_predicted(v, 3, ISOCAST_QUANTITY_T) * 1.05,
                isocast_validation_point_measured(v, 3, ISOCAST_QUANTITY_T));
    assert_string_equal(isocast_validation_point_system(v, 0), "2");
    assert_int_equal(isocast_validation_system_count(v), 2);
    assert_near(isocast_validation_system_predicted(v, 1, ISOCAST_QUANTITY_N),
                24e9 * 16 * 2.508e-6);
    assert_true(isnan(isocast_validation_system_error(v, 1, ISOCAST_QUANTITY_T)));
    assert_true(isnan(isocast_validation_mean_error(v, ISOCAST_QUANTITY_W)));
    assert_int_equal(isocast_runs_scale(runs, b.algorithm, NULL, NULL, 0.5, NULL, &psi),
                     ISOCAST_OK);
    assert_int_equal(isocast_scalability_row_count(psi), 2);
    assert_int_equal(isocast_scalability_row_status(psi, 1), ISOCAST_SCALABILITY_OK);
    double read = isocast_scalability_number(psi, 1, ISOCAST_QUANTITY_PSI);
    assert_true(fabs(read / 0.25 - 1) < 0.05);
    isocast_scalability_free(psi);
    isocast_validation_free(v);
    isocast_runs_free(runs);
    unbind(b);
}

static void runs_that_do_not_fit(void **state) {
    (void)state;
    static const char sizes[] = "system,N,C\n2,1000,3e9\n4,2000,6e9\n";
    bound b = bind_adding();
    isocast_diagnostics *d = list();
    isocast_runs *runs = NULL;
    isocast_validation *v = NULL;
    isocast_scalability *psi = NULL;
    assert_int_equal(isocast_runs_load_text("none", "N\n1\n", 4, d, &runs), ISOCAST_INVALID);
    assert_null(runs);
    isocast_diagnostics_reset(d);
    assert_int_equal(isocast_runs_load_text("sizes", sizes, strlen(sizes), d, &runs), ISOCAST_OK);
    assert_int_equal(isocast_model_validate(b.model, runs, NULL, 0, d, &v), ISOCAST_INVALID);
    assert_int_equal(isocast_diagnostics_error_count(d), 1);
    assert_int_equal(isocast_model_validate(b.model, runs, NULL, NAN, d, &v), ISOCAST_ARGUMENT);
    assert_null(v);
    assert_int_equal(isocast_runs_scale(runs, b.algorithm, NULL, NULL, 0.5, NULL, &psi),
                     ISOCAST_ARGUMENT);
    assert_int_equal(isocast_runs_scale(runs, b.algorithm, b.machine, NULL, 0, NULL, &psi),
                     ISOCAST_OK);
    assert_near(isocast_scalability_number(psi, 1, ISOCAST_QUANTITY_PSI),
                isocast_psi(3e9, 1000, 6e9, 2000));
    isocast_scalability_free(psi);
    isocast_runs_free(runs);
    isocast_diagnostics_free(d);
    unbind(b);
}

/* T = 64/p + 1: forecasts, what others say, refusals, and what is no measured time. */
static void forecasts_from_times(void **state) {
    (void)state;
    const double p[] = {1, 2, 4, 8, 16, 32};
    const double T[] = {65, 33, 17, 9, 5, 3};
    isocast_forecast *forecast = NULL;
    assert_int_equal(isocast_forecast_create(p, T, 0, -1, &forecast), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_forecast_create(T, p, 6, -1, &forecast), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_forecast_create(p, NULL, 6, -1, &forecast), ISOCAST_ARGUMENT);
    assert_int_equal(isocast_forecast_create(p, T, 6, INFINITY, &forecast), ISOCAST_ARGUMENT);
    assert_null(forecast);
    assert_int_equal(isocast_forecast_create(p, T, 6, -1, &forecast), ISOCAST_OK);
    assert_int_equal(isocast_forecast_status_at(forecast, 64), ISOCAST_FORECAST_OK);
    assert_int_equal(isocast_forecast_status_at(forecast, NAN), ISOCAST_FORECAST_BELOW);
    assert_int_equal(isocast_forecast_status_at(forecast, 1e6), ISOCAST_FORECAST_TOO_FAR);
    assert_true(fabs(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_T) - 2) < 0.1);
    assert_true(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_LOW) < 2);
    assert_true(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_HIGH) > 2);
    assert_near(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_IDEAL), 1.5);
    assert_near(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_POWER), 1.8);
    assert_true(fabs(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_FIVE) - 2) < 1e-6);
    assert_true(fabs(isocast_forecast_number(forecast, 64, ISOCAST_FORECAST_AMDAHL) - 2) < 1e-6);
    assert_true(isnan(isocast_forecast_number(forecast, -1, ISOCAST_FORECAST_T)));
    assert_true(isocast_forecast_limit(forecast, ISOCAST_FORECAST_HORIZON) >= 64);
    assert_true(isocast_forecast_limit(forecast, ISOCAST_FORECAST_STOP_LOW) <=
                isocast_forecast_limit(forecast, ISOCAST_FORECAST_STOP_HIGH));
    isocast_forecast_free(forecast);
    assert_int_equal(isocast_forecast_create(p, T, 2, -1, &forecast), ISOCAST_OK);
    assert_int_equal(isocast_forecast_status_at(forecast, 64), ISOCAST_FORECAST_TOO_FEW);
    assert_true(isnan(isocast_forecast_limit(forecast, ISOCAST_FORECAST_HORIZON)));
    isocast_forecast_free(forecast);
    isocast_forecast_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(isoefficiency_by_hand),
                                       cmocka_unit_test(forecasts_from_times),
                                       cmocka_unit_test(lines_by_hand),
                                       cmocka_unit_test(sizes_by_reference),
                                       cmocka_unit_test(prediction_by_hand),
                                       cmocka_unit_test(explanation_by_hand),
                                       cmocka_unit_test(no_efficiency_at_the_base),
                                       cmocka_unit_test(marked_speeds_follow_the_kernel),
                                       cmocka_unit_test(runs_of_the_model),
                                       cmocka_unit_test(runs_go_to_another_machine),
                                       cmocka_unit_test(runs_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
