#include "validate_platform.h"

#include <math.h>

#include "model/runs/validation.h"

/* The sizes of the runs, and what the prediction gives for them; before that is known, what the
 * systems call. */
static isocast_status need_points(const campaign_subject *s, const isocast_validation *v,
                                  bool first) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < v->point_count && !first && status == ISOCAST_OK; i++) {
        const isocast_validation_point *point = &v->points[i];
        const isocast_validation_system *system = &v->systems[point->system];
        status = campaign_points_need(s->points, s->model, system->system, point->N,
                                      system->other_sizes);
    }
    for (size_t i = 0; i < v->system_count && status == ISOCAST_OK; i++) {
        const isocast_validation_system *system = &v->systems[i];
        if (first || isfinite(system->N_predicted)) {
            status = campaign_points_need(s->points, s->model, system->system,
                                          first ? NAN : system->N_predicted, system->other_sizes);
        }
    }
    return status;
}

static isocast_status need_at(const cli_validation_question *q, const campaign_subject *s,
                              double target, bool first) {
    isocast_diagnostics diagnostics = {0};
    isocast_validation *validation = NULL;
    isocast_status status = isocast_validate(s->model, q->runs, q->algorithm, q->metric, target,
                                             &diagnostics, &validation);
    if (status == ISOCAST_OK) {
        status = need_points(s, validation, first);
    } else if (!isocast_status_is_of_system(status)) {
        /* It is told when it is asked for the last time. */
        status = ISOCAST_OK;
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_validation_free(validation);
    return status;
}

static isocast_status need(void *context, cli_platform_single *single, bool first) {
    const cli_validation_question *q = context;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; status == ISOCAST_OK && k < q->target_count; k++) {
        status = need_at(q, &single->subject, q->targets[k], first);
    }
    return status;
}

int cli_validate_platform(const cli_usage *usage, const char *algorithm,
                          const cli_platform_texts *texts, const cli_settings *settings, bool quiet,
                          const cli_validation_question *question, cli_loaded *loaded) {
    cli_platform_single single = {.algorithm = algorithm,
                                  .settings = settings,
                                  .loaded = loaded,
                                  .need = need,
                                  .context = (void *)question};
    return cli_platform_learn_single(usage, texts, quiet, &single);
}
