/* How large must a matrix be, so that Gaussian elimination runs on 4 to 32 nodes as efficiently as
 * N = 310 does on 2? */
#include <isocast/isocast.h>
#include <stdio.h>
#include <stdlib.h>

static const char elimination[] =
    "algorithm: gaussian-elimination\n"
    "size: {N: {description: matrix rank, min: 2}}\n"
    "work: 2/3*N^3 - 1/2*N^2 - 19/6*N + 3\n"
    "compute: W*t_c/p\n"
    "overhead:\n"
    "  broadcast: T_bcast(8 B * N)\n"
    "  distribute-collect: 2*(p-1)*(T_send(8 B * N) + T_recv(8 B * N))\n"
    "  pivot-rounds: N*(2*T_bcast(8 B * N) + T_barrier())\n";
static const char sunwulf[] =
    "machine: sunwulf\n"
    "nodes:\n"
    "  server: {count: 1, processors: 4, marked_speed: 20.88 Mflop/s}\n"
    "  sunblade: {count: 64, processors: 1, marked_speed: 20.29 Mflop/s}\n"
    "systems: {C2: server:2+sunblade:1, C4: server:2+sunblade:3, C8: server:2+sunblade:7,\n"
    "          C16: server:2+sunblade:15, C32: server:2+sunblade:31}\n"
    "parameters: {t_c: 3.1e-5 ms/flop}\n"
    "operations:\n"
    "  T_bcast: 0.12 ms + 0.23 ms * p\n"
    "  T_send: 0.08 ms + 0.00003 ms * m/(8 B)\n"
    "  T_recv: 0.08 ms + 0.00003 ms * m/(8 B)\n"
    "  T_barrier: 0.39 ms * p\n";

int main(void) {
    isocast_algorithm *algorithm = NULL;
    isocast_machine *machine = NULL;
    isocast_model *model = NULL;
    isocast_prediction *prediction = NULL;
    isocast_diagnostics *problems = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.base = "C2";
    request.N = 310;
    request.systems = "C4,C8,C16,C32";
    if (isocast_diagnostics_create(&problems) != ISOCAST_OK) {
        return EXIT_FAILURE;
    }
    isocast_status status = isocast_algorithm_load_text(
        "elimination", elimination, sizeof elimination - 1, problems, &algorithm);
    if (status == ISOCAST_OK) {
        status =
            isocast_machine_load_text("sunwulf", sunwulf, sizeof sunwulf - 1, problems, &machine);
    }
    if (status == ISOCAST_OK) {
        status = isocast_model_bind(algorithm, machine, problems, &model);
    }
    if (status == ISOCAST_OK) {
        status = isocast_model_predict(model, &request, problems, &prediction);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < isocast_prediction_row_count(prediction); i++) {
        printf("%-3s  N' = %7.2f  psi = %.4f\n", isocast_prediction_system(prediction, i),
               isocast_prediction_number(prediction, i, ISOCAST_QUANTITY_N),
               isocast_prediction_number(prediction, i, ISOCAST_QUANTITY_PSI));
    }
    for (size_t i = 0; i < isocast_diagnostics_count(problems); i++) {
        fprintf(stderr, "%s:%zu: %s\n", isocast_diagnostics_file(problems, i),
                isocast_diagnostics_line(problems, i), isocast_diagnostics_message(problems, i));
    }
    isocast_prediction_free(prediction);
    isocast_model_free(model);
    isocast_machine_free(machine);
    isocast_algorithm_free(algorithm);
    isocast_diagnostics_free(problems);
    return status == ISOCAST_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
