#include "reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/fit/fit_summary.h"
#include "calibrate/fit/machine_text.h"

/* context: s, NAN until the line with it has come. */
static bool take_line(const char *line, void *context) {
    int processes;
    double seconds;
    if (sscanf(line, "reference,%d,%lf", &processes, &seconds) == 2 && seconds > 0) {
        *(double *)context = seconds;
    }
    return true;
}

static isocast_status launch(const campaign_reference_request *q, const isocast_system *set,
                             double *seconds) {
    if (campaign_must_stop(q->listener)) {
        return campaign_fail(q->listener, ISOCAST_INTERRUPTED, "interrupted");
    }
    if (q->simulation != NULL) {
        isocast_status prepared = campaign_simulation_prepare(q->simulation, set, q->listener);
        if (prepared != ISOCAST_OK) {
            return prepared;
        }
    }
    *seconds = NAN;
    launcher_words words = {0};
    launcher_words_add(&words, q->site->probe);
    launcher_words_put(&words, "--reference %.15g%s", q->ratio,
                       q->simulation != NULL ? " --simulated" : "");
    launcher_request request =
        campaign_simulation_request(q->simulation, q->site->launcher, set, words.items);
    request.line = take_line;
    request.context = seconds;
    launcher_end end;
    isocast_status status = words.failed ? ISOCAST_NO_MEMORY : launcher_run(&request, &end);
    launcher_words_free(&words);
    if (status == ISOCAST_OK && isnan(*seconds)) {
        return campaign_fail(q->listener, ISOCAST_PROGRAM,
                             "the reference program printed no time on %s", set->name);
    }
    char what[256];
    snprintf(what, sizeof what, "the reference program on %.200s", set->name);
    return launcher_fail(q->listener, what, status, &end, "");
}

/* The set with its time, the mean of ln T, and its standard error by Student's t. */
static void put_set(const isocast_system *set, const double *seconds, size_t launches,
                    isocast_buffer *out) {
    double mean = 0;
    double squares = 0;
    for (size_t i = 0; i < launches; i++) {
        mean += log(seconds[i]) / (double)launches;
    }
    for (size_t i = 0; i < launches; i++) {
        squares += (log(seconds[i]) - mean) * (log(seconds[i]) - mean);
    }
    machine_text_key(out, "    ", set->name);
    isocast_buffer_printf(out, "%.6g s", exp(mean));
    if (launches > 1) {
        double freedom = (double)launches - 1;
        double variance = squares / freedom / (double)launches * fit_few_launches(freedom);
        isocast_buffer_printf(out, " \xC2\xB1 %.3g %%", 100 * sqrt(variance));
    }
    isocast_buffer_puts(out, "\n");
}

/* Measures all sets in turn, several times: a change of the machine's speed then concerns all sets.
 * seconds: shape [count][launches]. */
static isocast_status launch_all(const campaign_reference_request *q, size_t launches,
                                 double *seconds) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < q->count * launches && status == ISOCAST_OK; i++) {
        const isocast_system *set = q->sets[i % q->count];
        campaign_report_progress(q->listener, i + 1, q->count * launches,
                                 "measuring R_f: the reference program on %s", set->name);
        status = launch(q, set, &seconds[(i % q->count) * launches + i / q->count]);
    }
    return status;
}

isocast_status campaign_reference_measure(const campaign_reference_request *request,
                                          isocast_buffer *out) {
    size_t launches = request->simulation != NULL ? 1 : (size_t)request->launches;
    double *seconds = calloc(request->count * launches + 1, sizeof *seconds);
    if (seconds == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = launch_all(request, launches, seconds);
    if (status == ISOCAST_OK) {
        isocast_buffer_printf(out,
                              "reference:    # R_f = n T(1)/T(set) of n processes\n"
                              "  program: \"an update of 1024 x 1024 numbers on each process, then "
                              "a message to the next process, 50 times\"\n"
                              "  ratio: %.15g flop/B\n"
                              "  times:\n",
                              request->ratio);
        for (size_t i = 0; i < request->count; i++) {
            put_set(request->sets[i], seconds + i * launches, launches, out);
        }
    }
    free(seconds);
    return status;
}
