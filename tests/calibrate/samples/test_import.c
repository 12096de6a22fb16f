/* Reading timings: numbers as strtod() reads them, medians by launch, names that formulas can have;
 * and forecasts of laws that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "calibrate/fit/fit_results.h"
#include "calibrate/samples/import.h"
#include "calibrate/samples/import_reader.h"
#include "model/base/known_operation.h"

static import_field field_of(const char *text) {
    return (import_field){text, text + strlen(text)};
}

static void numbers_are_what_strtod_reads(void **state) {
    (void)state;
    fit_random random = {7};
    for (int i = 0; i < 100000; i++) {
        char text[64];
        double digits = (double)fit_random_below(&random, (size_t)1 << 40);
        int places = (int)fit_random_below(&random, 18);
        if (i % 3 == 0) {
            snprintf(text, sizeof text, "%.*f", places, digits * pow(10, -places));
        } else if (i % 3 == 1) {
            snprintf(text, sizeof text, "%.*e", places, digits * pow(10, places - 20));
        } else {
            snprintf(text, sizeof text, "%.0f", digits);
        }
        double read = NAN;
        assert_true(import_number(field_of(text), &read));
        if (read != strtod(text, NULL)) {
            fail_msg("%s is read as %.17g", text, read);
        }
    }
}

static void no_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {"",   ".",  "-",   "1.2.3", "1e",  "0x10", "nan", "inf",
                                        "1 ", " 1", "1,2", "1e999", "--1", "1e5x", "+-1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double read = 0;
        if (import_number(field_of(texts[i]), &read)) {
            fail_msg("'%s' is read as %g", texts[i], read);
        }
    }
}

/* A file of this content, read into observations that are finished. */
static void read_text(const char *text, observations *o) {
    char path[] = "/tmp/isocast-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    isocast_diagnostics diagnostics = {0};
    assert_int_equal(import_file(path, 0, o, &diagnostics), ISOCAST_OK);
    isocast_diagnostics_clear(&diagnostics);
    remove(path);
    assert_true(observations_finish(o));
}

/* What is read of a text, or spoken of it. */
static isocast_status try_text(const char *text, observations *o, char *reported, size_t room) {
    char path[] = "/tmp/isocast-import-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    isocast_diagnostics diagnostics = {0};
    isocast_status status = import_file(path, 0, o, &diagnostics);
    snprintf(reported, room, "%s", diagnostics.count > 0 ? diagnostics.items[0].message : "");
    isocast_diagnostics_clear(&diagnostics);
    remove(path);
    return status;
}

#define IMB_HEADING "   #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"

/* What the Intel benchmarks write beside rows with times, and options that change their output. */
static void outputs_of_intel_with_options(void **state) {
    (void)state;
    observations o = {0};
    /* -map, -npmin, -msglog, -mem, -time; carriage returns; a log of two runs; threads. */
    read_text(
        "#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\r\n"
        "# Benchmarking Allreduce \r\n# #processes = 4; rank order (rowwise): \r\n"
        "#     0    2\r\n#     1    3\r\n# ( 28 additional processes waiting in "
        "MPI_Barrier)\r\n\r\n" IMB_HEADING
        "            8         1000         0.90         1.00         0.95\r\n"
        "      4194304 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over\r\n"
        "# Benchmarking Alltoall \n# #processes = 8 \n" IMB_HEADING
        "      4194304 out-of-mem.; needed X=   4.301 GB; use flag \"-mem X\"\n"
        "    268435456 int-overflow; The production rank*size caused int overflow;\n"
        "# Benchmarking Multi-Allreduce \n# ( 2 groups of 16 processes each running "
        "simultaneous ) \n# Group  0:     0    1\n# \n" IMB_HEADING
        "            8         1000         5.90         6.00         5.95\n"
        "# Benchmarking Multi-Bcast \n# ( 2 groups of 16 processes each running "
        "simultaneous ) \n Group" IMB_HEADING
        "\n  0         8         1000         5.90         6.00         5.95\n"
        "#    Intel(R) MPI Benchmarks 2021.7, MT part\n"
        "# Benchmarking AllReduceMT\n# #processes = 2 (threads: 4)\n" IMB_HEADING
        "            16         1000         1.90         2.00         1.95\n",
        &o);
    assert_int_equal(o.count, 2);
    assert_string_equal(o.operations.texts[o.items[0].operation], "T_allreduce");
    assert_true(o.items[0].p == 4 && o.items[0].m == 8 && fabs(o.items[0].seconds - 1e-6) < 1e-18);
    assert_string_equal(o.operations.texts[o.items[1].operation], "T_allreducemt");
    assert_true(o.items[1].p == 2 && o.items[1].m == 16);
    observations_free(&o);
}

/* The end of a file may be missing, and a number with it. */
static void outputs_of_intel_cut_off(void **state) {
    (void)state;
    static const struct {
        const char *text, *reported;
    } cases[] = {{"# Benchmarking Bcast\n# #processes = 4\n" IMB_HEADING "  8  1000  0.90  1.0",
                  "this row is cut off"},
                 {"# Benchmarking Bcast\n# #processes = 4\n" IMB_HEADING "  8  1000  0.9",
                  "this row is cut off"},
                 {"# Benchmarking Bcast\n# #processes = 4\n" IMB_HEADING
                  "  8  1000  0.90  1.00  0.95\n# Benchmarking Bcast\n# #processes =",
                  "the number of processes is not a number"},
                 /* The processes of the section before are not those of this one. */
                 {"# Benchmarking Bcast\n# #processes = 4\n" IMB_HEADING
                  "  8  1000  0.90  1.00  0.95\n# Benchmarking Bcast\n" IMB_HEADING
                  "  8  1000  0.90  1.00  0.95\n",
                  "how many processes took part is not in the file"},
                 {"# Benchmarking Multi-Bcast\n# ( 2 groups of 4 processes each running "
                  "simultaneous ) \n" IMB_HEADING "  8  1000  0.90  1.00  0.95\n",
                  "has no time of any operation"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        observations o = {0};
        char reported[256];
        assert_int_equal(try_text(cases[i].text, &o, reported, sizeof reported), ISOCAST_INVALID);
        assert_string_equal(reported, cases[i].reported);
        observations_free(&o);
    }
}

static void medians_by_launch(void **state) {
    (void)state;
    observations o = {0};
    read_text("launch,collective,algorithm,p,m,seconds\n"
              "1,bcast,a-b,4,8,3\n"
              "1,bcast,a-b,4,8,1\n"
              "2,bcast,a-b,4,8,7\n"
              "1,bcast,a-b,4,8,2\n"
              "1,bcast,a-b,2,8,5\n"
              "1,bcast,,2,8,9\n",
              &o);
    assert_int_equal(o.count, 4);
    assert_string_equal(o.operations.texts[o.items[0].operation], "T_bcast_a_b");
    assert_true(o.items[0].p == 2 && o.items[0].seconds == 5);
    assert_true(o.items[1].p == 4 && o.items[1].seconds == 2 && o.items[1].count == 3);
    assert_true(o.items[2].p == 4 && o.items[2].seconds == 7 && o.items[2].count == 1);
    assert_string_equal(o.operations.texts[o.items[3].operation], "T_bcast_");
    observations_free(&o);
}

static void quartiles_and_units(void **state) {
    (void)state;
    observations o = {0};
    read_text("bytes,p,collective,job,samples,t_p25_ns,t_median_ns,t_p75_ns,processes_per_node\n"
              "1.024e+03,4,reduce,x/1,19995,1000,1100,2000,2\n",
              &o);
    assert_int_equal(o.count, 1);
    assert_string_equal(o.operations.texts[0], "T_reduce_ppn2");
    assert_true(o.items[0].m == 1024 && fabs(o.items[0].seconds - 1.1e-6) < 1e-18);
    assert_true(fabs(o.items[0].deviation - log(2) / 1.349) < 1e-12);
    assert_true(o.items[0].count == 19995);
    observations_free(&o);
}

/* A ping-pong of a job on 16 nodes does not run on 16 nodes: its two processes may share one. */
static void more_nodes_than_processes_are_those_of_a_job(void **state) {
    (void)state;
    observations o = {0};
    read_text("operation,nodes,p,bytes,t_us\n"
              "PingPong,1,2,8,0.4\nPingPong,2,2,8,0.4\nPingPong,16,2,8,0.4\n"
              "Allreduce,2,64,8,5\nAllreduce,16,512,8,9\n",
              &o);
    for (uint32_t i = 0; i < o.operations.count; i++) {
        const char *name = o.operations.texts[i];
        double due = strcmp(name, "T_allreduce") == 0 ? 32
                     : strcmp(name, "T_message") == 0 ? NAN
                                                      : 2;
        double noted = i < o.per_node_count ? o.per_node[i] : 0;
        assert_true(noted == due || (isnan(noted) && isnan(due)));
    }
    assert_int_equal(o.operations.count, 3);
    observations_free(&o);
}

/* Without noise a law that a candidate has comes out as it is, within the range and beyond. */
static void known_laws(void **state) {
    (void)state;
    for (int law = 0; law < 3; law++) {
        observations o = {0};
        for (double p = 2; p <= 64; p *= 2) {
            for (double m = 8; m <= 1 << 20; m *= 4) {
                double L = log2(p);
                double seconds = law == 0   ? L * (2e-6 + m * 1e-9)
                                 : law == 1 ? (p - 1) * 3e-6 + m * (p - 1) / p * 2e-9
                                            : 2 * L * 1e-6 + 2 * m * (p - 1) / p * 1e-9;
                assert_true(isocast_text_index_number(&o.operations, "T_x", 3) == 0);
                assert_true(observations_add(&o, 0, 0, p, m, seconds));
            }
        }
        assert_true(observations_finish(&o));
        fit_result_settings settings = {20, 1, INFINITY};
        fit_result result = {0};
        assert_true(fit_result_make(&o, 0, &settings, &result));
        assert_true(result.form_share == 1 && result.form.ranges.count == 1);
        assert_int_equal(result.form.shape, law == 0   ? FIT_SHAPE_TREE
                                            : law == 1 ? FIT_SHAPE_RING
                                                       : FIT_SHAPE_HALVING);
        double m = 1000;
        double due = law == 0   ? 10 * (2e-6 + m * 1e-9)
                     : law == 1 ? 1023 * 3e-6 + m * 1023 / 1024 * 2e-9
                                : 20e-6 + 2 * m * 1023 / 1024 * 1e-9;
        assert_true(fabs(fit_result_time(&result, 1024, m) / due - 1) < 1e-6);
        assert_true(fabs(fit_forward_time(&result.forward, 128, 2048) /
                             fit_form_time(&result.form.ranges, 128, 2048) -
                         1) < 0.25);
        fit_result_free(&result);
        observations_free(&o);
    }
}

/* Every name that the table has for OSU and IMB is read as the operation of its row. */
static void names_of_other_benchmarks(void **state) {
    (void)state;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = &isocast_known_operations[i];
        for (size_t k = 0; k < 2 * ISOCAST_OPERATION_NAMES_MAX; k++) {
            bool osu = k < ISOCAST_OPERATION_NAMES_MAX;
            const char *name = osu ? known->osu[k] : known->imb[k - ISOCAST_OPERATION_NAMES_MAX];
            char text[512];
            if (name == NULL) {
                continue;
            }
            snprintf(text, sizeof text,
                     osu ? "# processes: 4\n# OSU MPI %s%sLatency Test v7.0\n"
                           "# Size       Avg Latency(us)\n8                       1.5\n"
                         : "# Benchmarking %s%s\n# #processes = 2\n"
                           "#bytes #repetitions t[usec]\n8 1000 1.5\n",
                     name, name[0] != '\0' ? " " : "");
            observations o = {0};
            read_text(text, &o);
            assert_int_equal(o.operations.count, 1);
            assert_string_equal(o.operations.texts[0], known->name);
            observations_free(&o);
        }
    }
}

/* The gather and the scatter of MPI are not those of isocast, which go from process to process in
 * turn: wherever their timings come from, they have names of their own. */
static void the_scatter_of_mpi_is_one_of_its_own(void **state) {
    (void)state;
    static const char *const texts[] = {
        ("# processes: 4\n# OSU MPI Scatter Latency Test v7.0\n# Size       Avg Latency(us)\n8 "
         "1.5\n"),
        "# Benchmarking Scatter\n# #processes = 2\n#bytes #repetitions t[usec]\n8 1000 1.5\n",
        "operation,p,m,seconds\nscatter,4,8,1e-6\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        observations o = {0};
        read_text(texts[i], &o);
        assert_int_equal(o.operations.count, 1);
        assert_string_equal(o.operations.texts[0], "T_scatter");
        observations_free(&o);
    }
}

#define NCCL_HEADING                                                                               \
    "#                                     out-of-place              in-place\n"                   \
    "#   size  count  type  redop  root   time  algbw  busbw #wrong   time  algbw  busbw #wrong\n" \
    "#    (B)  (elements)                  (us) (GB/s) (GB/s)         (us) (GB/s) (GB/s)\n"

/* One log: a version that names its collective, and one whose command does. Sizes are of the whole
 * buffer, of which each of the others gets its part. */
static void outputs_of_nccl_tests(void **state) {
    (void)state;
    observations o = {0};
    read_text(
        "+ mpirun -n 2 ./build/all_gather_perf -b 8 -e 8\n"
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) graph: 0\n"
        "#  Rank  0 Group  0 Pid   1 on host-1 device  0 [0x01] NVIDIA A100\n"
        "#  Rank  1 Group  0 Pid   2 on host-2 device  0 [0x01] NVIDIA A100\n"
        "NCCL version 2.26.6+cuda12.8\n" NCCL_HEADING
        "     1024    128 float   none    -1  12.50   0.04   0.02      0  13.50   0.04   0.02 0\n"
        "# Avg bus bandwidth    : 0.02\n"
        "# Collective test concluded: all_gather_perf\n"
        "# rccl-tests version 2.18.3\n# Collective test starting: all_reduce_perf\n"
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) graph: 0\n"
        "#   Rank  3 Pid   1 on host-1 device  0 [0x01] AMD Instinct MI250X\n" NCCL_HEADING
        "     1024    256 float    sum    -1  20.00   0.04   0.02      0  21.00   0.04   0.02 "
        "N/A\n",
        &o);
    assert_int_equal(o.count, 2);
    assert_int_equal(o.operations.count, 2);
    for (size_t i = 0; i < o.count; i++) {
        bool gather = strcmp(o.operations.texts[o.items[i].operation], "T_allgather") == 0;
        assert_true(gather || strcmp(o.operations.texts[o.items[i].operation], "T_allreduce") == 0);
        assert_true(o.items[i].p == (gather ? 2 : 4) && o.items[i].m == (gather ? 512 : 1024));
        assert_true(fabs(o.items[i].seconds - (gather ? 12.5e-6 : 20e-6)) < 1e-15);
    }
    observations_free(&o);
    char reported[256];
    assert_int_equal(try_text("# nThread 1 nGpus 1\n#  Rank  1 Group  0\n" NCCL_HEADING
                              " 8 2 float sum -1 1.5 0 0 0 1.5 0 0 0\n",
                              &o, reported, sizeof reported),
                     ISOCAST_INVALID);
    assert_string_equal(reported, "which collective operation this is of is not in the file");
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_what_strtod_reads),
        cmocka_unit_test(no_numbers),
        cmocka_unit_test(medians_by_launch),
        cmocka_unit_test(outputs_of_intel_with_options),
        cmocka_unit_test(outputs_of_intel_cut_off),
        cmocka_unit_test(more_nodes_than_processes_are_those_of_a_job),
        cmocka_unit_test(quartiles_and_units),
        cmocka_unit_test(names_of_other_benchmarks),
        cmocka_unit_test(the_scatter_of_mpi_is_one_of_its_own),
        cmocka_unit_test(outputs_of_nccl_tests),
        cmocka_unit_test(known_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
