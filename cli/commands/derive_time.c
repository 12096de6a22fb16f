#include "derive_time.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <isocast/prediction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "model/derive/derive.h"
#include "model/derive/derived_text.h"
#include "model/runs/runs_sizes.h"
#include "model/spec/algorithm_load.h"

/* What is predicted, and what was seen there. */
typedef struct held {
    isocast_held_point point;
    char system[64]; /* as --to takes it */
} held;

/* The algorithm file of the laws, read. */
static isocast_status read_file(const cli_derive_time *with, const isocast_derived *laws,
                                isocast_algorithm **out) {
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_derived_write(laws, with->name, with->speed, &text);
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_read_text("held-out", text.text, text.length, &diagnostics, out);
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_buffer_free(&text);
    return status;
}

/* T of the point, s; NAN where the machine does not tell it. */
static isocast_status predict(const isocast_algorithm *algorithm, const isocast_machine *machine,
                              const held *at, double *T) {
    isocast_diagnostics diagnostics = {0};
    isocast_model *model = NULL;
    isocast_prediction *prediction = NULL;
    isocast_request request = ISOCAST_REQUEST_INIT;
    request.systems = at->system;
    request.N = at->point.point.sizes[0];
    request.other_sizes = algorithm->size_count > 1 ? at->point.point.sizes + 1 : NULL;
    *T = NAN;
    isocast_status status = isocast_model_create(algorithm, machine, &diagnostics, &model);
    if (status == ISOCAST_OK) {
        status = isocast_model_predict(model, &request, &diagnostics, &prediction);
    }
    if (status == ISOCAST_OK) {
        *T = isocast_prediction_number(prediction, 0, ISOCAST_QUANTITY_T);
    }
    isocast_prediction_free(prediction);
    isocast_model_free(model);
    isocast_diagnostics_clear(&diagnostics);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* What is simulated for the point. */
typedef struct question {
    campaign_subject subject;
    cli_platform_question asked;
    const held *at;
} question;

static isocast_status need(void *context, bool first) {
    question *q = context;
    const isocast_law_point *point = &q->at->point.point;
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(q->subject.machine, q->subject.algorithm->kernel, "the runs",
                              q->at->system, &diagnostics, &systems, &count);
    if (status != ISOCAST_OK) {
        q->asked.exit = cli_exit_of(cli_diagnostics_tell(&diagnostics, false, status));
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        status = campaign_points_need(q->subject.points, q->subject.model, systems[i],
                                      first ? NAN : point->sizes[0], point->sizes + 1);
    }
    isocast_systems_free(systems, count);
    isocast_diagnostics_clear(&diagnostics);
    return status;
}

static int predict_on_platform(const cli_derive_time *with, const isocast_algorithm *algorithm,
                               held *at) {
    question q = {.subject = {.algorithm = algorithm,
                              .platform = with->platform,
                              .name = with->texts->platform},
                  .asked = {.need = need},
                  .at = at};
    q.asked.context = &q;
    int exit = cli_platform_learn(with->usage, with->texts, with->quiet, &q.asked, &q.subject, 1);
    if (exit == CLI_EXIT_OK) {
        exit = cli_exit_of(predict(algorithm, q.subject.machine, at, &at->point.predicted));
    }
    campaign_subject_free(&q.subject);
    return exit;
}

/* The median of the records, of their slowest processes. */
static isocast_status see_records(isocast_record *const *records, size_t count,
                                  isocast_held_point *out) {
    double *times = calloc(count + 1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < records[r]->process_count; i++) {
            times[r] = fmax(times[r], records[r]->processes[i].T);
        }
    }
    gsl_sort(times, 1, count);
    out->seen = gsl_stats_median_from_sorted_data(times, 1, count);
    out->differs = count > 1 && times[0] > 0 ? times[count - 1] / times[0] - 1 : 0;
    free(times);
    return ISOCAST_OK;
}

/* The most processes of the runs, and of their sizes the largest ones. */
static void choose(const isocast_run_sizes *sizes, held *out) {
    isocast_law_point *point = &out->point.point;
    for (size_t s = 0; s < sizes->system_count; s++) {
        const isocast_run_system *system = &sizes->systems[s];
        double p = sizes->order[system->first_run]->p;
        size_t last = system->first_size + system->size_count - 1;
        bool more = p > point->p || (p == point->p && sizes->sizes[last].N > point->sizes[0]);
        if (more && strlen(system->name) < sizeof out->system) {
            *point = (isocast_law_point){.p = p, .sizes = {sizes->sizes[last].N}};
            for (size_t i = 1; i < sizes->value_count; i++) {
                point->sizes[i] = system->others[i - 1];
            }
            snprintf(out->system, sizeof out->system, "%s", system->name);
            out->point.seen = sizes->sizes[last].T;
            out->point.differs = sizes->sizes[last].T_max / sizes->sizes[last].T_min - 1;
        }
    }
}

/* The point of the runs, with its T. Gives an exit status. */
static int see_runs(const cli_derive_time *with, const isocast_derived *derived, held *out) {
    isocast_diagnostics diagnostics = {0};
    isocast_run_sizes sizes = {0};
    isocast_algorithm *algorithm = NULL;
    isocast_status status = read_file(with, derived, &algorithm);
    if (status == ISOCAST_OK && algorithm != NULL) {
        status =
            isocast_run_sizes_collect(with->runs, algorithm, NULL, false, &diagnostics, &sizes);
    }
    if (status == ISOCAST_OK) {
        choose(&sizes, out);
        isocast_run_sizes_free(&sizes);
    }
    isocast_algorithm_free(algorithm);
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, with->quiet, status));
}

static double processors_of(const isocast_machine *machine) {
    double all = 0;
    for (size_t i = 0; machine != NULL && i < machine->class_count; i++) {
        all += machine->classes[i].count * machine->classes[i].processors;
    }
    return all;
}

/* Laws that know nothing of the point are read as the file is that derive writes. */
static int predict_with(const cli_derive_time *with, const isocast_derived *laws, held *at) {
    isocast_algorithm *algorithm = NULL;
    int exit = cli_exit_of(read_file(with, laws, &algorithm));
    if (exit == CLI_EXIT_OK && algorithm != NULL) {
        exit = with->machine != NULL
                   ? cli_exit_of(predict(algorithm, with->machine, at, &at->point.predicted))
                   : predict_on_platform(with, algorithm, at);
    }
    isocast_algorithm_free(algorithm);
    return exit;
}

int cli_derive_hold_time(const cli_derive_time *with, isocast_derived *derived) {
    held at = {0};
    bool by_runs = with->runs != NULL;
    int exit = by_runs ? see_runs(with, derived, &at) : CLI_EXIT_OK;
    if (exit != CLI_EXIT_OK) {
        return exit;
    }
    if (by_runs && !(at.point.point.p > 0)) {
        derived->held_time.reason = "the runs do not say on how many processes they were";
        return CLI_EXIT_OK;
    }
    const isocast_held_point seen = at.point;
    isocast_record **sorted = calloc(derived->record_count + 1, sizeof *sorted);
    isocast_derived *laws = NULL;
    isocast_status status =
        sorted != NULL
            ? isocast_derive_without_point(derived, processors_of(with->machine),
                                           by_runs ? &seen.point : NULL, sorted, &at.point, &laws)
            : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && laws != NULL && !by_runs) {
        size_t others = laws->record_count;
        snprintf(at.system, sizeof at.system, "%.0f", at.point.point.p);
        status = see_records(sorted + others, derived->record_count - others, &at.point);
    } else {
        at.point.seen = seen.seen;
        at.point.differs = seen.differs;
    }
    exit = cli_exit_of(status);
    if (exit == CLI_EXIT_OK && laws != NULL) {
        at.point.on = !by_runs                ? NULL
                      : with->machine != NULL ? with->machine->name
                                              : with->platform->hardware->name;
        exit = predict_with(with, laws, &at);
        at.point.known = at.point.predicted > 0 && at.point.seen > 0;
        at.point.reason =
            at.point.known ? NULL : "the machine file does not give T of this program";
    }
    derived->held_time = at.point;
    isocast_derived_free(laws);
    free(sorted);
    return exit;
}
