#include "api_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const char adding[] = "algorithm: adding\n"
                      "size: {N: {description: numbers to add, min: 1, max: 1e9}}\n"
                      "work: N\n"
                      "overhead:\n"
                      "  combine: 2*log2(p)*(T_send(8 B) + T_recv(8 B))\n";

static const char plain[] = "machine: plain\n"
                            "nodes: {node: {count: 64, processors: 1, marked_speed: 1.5 Gflop/s}}\n"
                            "systems: {four: node:4}\n"
                            "parameters: {latency: 2.5 us, per_byte: 1 ns/B}\n"
                            "operations:\n"
                            "  T_send: latency + per_byte*m\n"
                            "  T_recv: latency + per_byte*m\n"
                            "  T_barrier: latency*log2(p)\n";

bound bind_adding(void) {
    bound b = {NULL, NULL, NULL};
    assert_int_equal(
        isocast_algorithm_load_text("adding", adding, strlen(adding), NULL, &b.algorithm),
        ISOCAST_OK);
    assert_int_equal(isocast_machine_load_text("plain", plain, strlen(plain), NULL, &b.machine),
                     ISOCAST_OK);
    assert_int_equal(isocast_model_bind(b.algorithm, b.machine, NULL, &b.model), ISOCAST_OK);
    return b;
}

void unbind(bound b) {
    isocast_model_free(b.model);
    isocast_machine_free(b.machine);
    isocast_algorithm_free(b.algorithm);
}

isocast_diagnostics *list(void) {
    isocast_diagnostics *diagnostics = NULL;
    assert_int_equal(isocast_diagnostics_create(&diagnostics), ISOCAST_OK);
    return diagnostics;
}

void assert_near(double is, double due) {
    if (!(fabs(is - due) <= 1e-9 * fabs(due))) {
        fail_msg("%.17g is not %.17g", is, due);
    }
}
