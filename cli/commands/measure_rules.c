#include "measure_rules.h"

#include <math.h>

#include "model/spec/rules.h"

static void append_nearest(const char *name, isocast_valid_pair next, isocast_buffer *out) {
    bool both = !isnan(next.below) && !isnan(next.above);
    if (both) {
        isocast_buffer_printf(out, "; the nearest %s are %.0f and %.0f", name, next.below,
                              next.above);
    } else if (!isnan(next.below) || !isnan(next.above)) {
        isocast_buffer_printf(out, "; the nearest %s is %.0f", name,
                              isnan(next.below) ? next.above : next.below);
    }
}

/* A system by itself (N is NAN), or a size on it. */
static int check_point(const cli_usage *usage, const isocast_algorithm *algorithm,
                       const isocast_system *system, double N) {
    static const isocast_valid any = {.factor_count = 0};
    const isocast_rules_point point = {N, NULL, system->p};
    bool of_N = !isnan(N);
    isocast_valid_pair next = {NAN, NAN};
    const char *broken = NULL;
    isocast_status status = isocast_rules_broken(algorithm, of_N, &point, &broken);
    if (status == ISOCAST_OK && broken != NULL) {
        status = of_N ? isocast_rules_nearest_N(algorithm, &any, &point, &next)
                      : isocast_rules_nearest_p(algorithm, &point, &next);
    }
    if (status != ISOCAST_OK || broken == NULL) {
        return cli_exit_of(status);
    }
    isocast_buffer nearest = {0};
    append_nearest(of_N ? algorithm->sizes[0].name : "valid p", next, &nearest);
    isocast_buffer size = {0};
    if (of_N) {
        isocast_buffer_printf(&size, "%s = %.0f on ", algorithm->sizes[0].name, N);
    }
    int result = nearest.failed || size.failed
                     ? cli_exit_of(ISOCAST_NO_MEMORY)
                     : cli_usage_error(usage,
                                       "%s%s cannot be measured: %s%s (--keep-sizes tries it all "
                                       "the same)",
                                       of_N ? size.text : "system ", system->name, broken,
                                       nearest.text != NULL ? nearest.text : "");
    isocast_buffer_free(&nearest);
    isocast_buffer_free(&size);
    return result;
}

int cli_measure_check_rules(const cli_usage *usage, const isocast_algorithm *algorithm,
                            const cli_measure_points *points) {
    int status = CLI_EXIT_OK;
    /* Kernels have one size. */
    bool has_rules = algorithm->rule_count > 0 && algorithm->size_count == 1;
    for (size_t i = 0; has_rules && status == CLI_EXIT_OK && i < points->system_count; i++) {
        const isocast_system *system = points->systems[i];
        status = check_point(usage, algorithm, system, NAN);
        for (size_t k = 0; status == CLI_EXIT_OK && k < points->size_count; k++) {
            status = check_point(usage, algorithm, system, points->sizes[k]);
        }
    }
    return status;
}
