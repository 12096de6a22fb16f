#include "platform_learning.h"

#include <math.h>
#include <stdlib.h>

#include "simulation.h"

/* How often the answer is asked for again. */
enum { ROUNDS_MAX = 12, ROUNDS_WITH_PROGRAM = 30 };

/* The dresser of one subject. */
typedef struct dressing {
    const campaign_learning *learning;
    const campaign_subject *subject;
} dressing;

static isocast_status dress(void *context, isocast_machine *machine) {
    const dressing *d = context;
    return d->learning->dress(d->learning->context, d->subject, machine);
}

static void forget_model(campaign_subject *subject) {
    isocast_model_free(subject->model);
    isocast_machine_free(subject->machine);
    isocast_diagnostics_clear(&subject->diagnostics);
    subject->model = NULL;
    subject->machine = NULL;
}

void campaign_subject_free(campaign_subject *subject) {
    forget_model(subject);
    campaign_points_free(subject->points);
    subject->points = NULL;
}

/* Makes a model of what is known so far. */
static isocast_status bind(campaign_subject *subject) {
    forget_model(subject);
    return campaign_points_bind(subject->points, subject->name, &subject->diagnostics,
                                &subject->machine, &subject->model);
}

static isocast_status begin(const campaign_learning *l, campaign_subject *subjects, size_t count,
                            dressing *dressings) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        dressings[i] = (dressing){l, &subjects[i]};
        if (i == 0 || subjects[i].platform != subjects[i - 1].platform) {
            campaign_simulation_tell_plain(subjects[i].platform, l->listener);
        }
        const campaign_points_request request = {
            .platform = subjects[i].platform,
            .algorithm = subjects[i].algorithm,
            .probe = l->probe,
            .quick = l->quick,
            .version = l->version,
            .cache = l->cache,
            .listener = l->listener,
            .timings = l->timings,
            .budget = l->budget,
            .dress = {l->dress != NULL ? dress : NULL, &dressings[i]},
            .steps = subjects[i].steps,
            .schedule = l->schedule,
            .quick_schedule = l->quick_schedule,
            .like = i > 0 ? subjects[0].points : NULL};
        status = campaign_points_create(&request, &subjects[i].points);
        status = status == ISOCAST_OK ? bind(&subjects[i]) : status;
    }
    return status;
}

/* Who asks for many platforms is to know what that takes before it begins. */
static isocast_status tell_missing(const campaign_learning *l, campaign_subject *subjects,
                                   size_t count) {
    size_t missing = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        size_t own = 0;
        status = campaign_points_missing(subjects[i].points, &own);
        missing += own;
    }
    if (status == ISOCAST_OK && missing > 0) {
        campaign_tell(l->listener, CAMPAIGN_NOTE,
                      "the answer needs at least %zu simulations, as it is for %zu pairs of an "
                      "algorithm and a platform; all of them together may take %g s (--budget)",
                      missing, count, l->budget);
    }
    return status;
}

/* Simulates what is missing, and makes the models anew where there was some. */
static isocast_status simulate(campaign_subject *subjects, size_t count, bool *news) {
    isocast_status status = ISOCAST_OK;
    *news = false;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        bool own = false;
        status = campaign_points_simulate(subjects[i].points, &own);
        if (status == ISOCAST_OK && own) {
            status = bind(&subjects[i]);
        }
        *news = *news || own;
    }
    return status;
}

/* Asks what the answer needs of what is known so far. */
static isocast_status need(const campaign_learning *l, campaign_subject *subjects, size_t count,
                           bool first) {
    for (size_t i = 0; i < count; i++) {
        campaign_points_begin(subjects[i].points);
    }
    return l->need(l->context, first);
}

/* Executes programs where all that formulas need is known; subjects share the time that is left. */
static isocast_status execute(campaign_subject *subjects, size_t count, bool *news) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        bool own = false;
        double now = campaign_clock();
        double left = fmax(campaign_points_end(subjects[i].points) - now, 0);
        status = campaign_points_execute(subjects[i].points, subjects[i].model,
                                         now + left / (double)(count - i), &own);
        if (status == ISOCAST_OK && own) {
            status = bind(&subjects[i]);
        }
        *news = *news || own;
    }
    return status;
}

/* What the results say of the program. Where memory is short, they say nothing. */
static void describe(const campaign_learning *l, campaign_subject *subjects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_buffer why = {0};
        if (subjects[i].not_executed != NULL) {
            isocast_buffer_printf(&why, "no schedule was executed: %s", subjects[i].not_executed);
        }
        char *text = subjects[i].steps != NULL ? campaign_points_describe(subjects[i].points)
                                               : isocast_buffer_take(&why);
        bool said = text != NULL && text[0] != '\0';
        subjects[i].machine->schedule = said ? text : NULL;
        if (said) {
            campaign_tell(l->listener, CAMPAIGN_NOTE, "overlap: %s", text);
        } else {
            free(text);
        }
    }
}

static void tell_end(const campaign_learning *l, const campaign_subject *subjects, size_t count,
                     bool news) {
    size_t launches = 0;
    size_t cached = 0;
    for (size_t i = 0; i < count; i++) {
        launches += campaign_points_launches(subjects[i].points);
        cached += campaign_points_cached(subjects[i].points);
        campaign_points_tell(subjects[i].points);
    }
    if (news) {
        campaign_tell(l->listener, CAMPAIGN_WARNING,
                      "the answer still moved to other sizes after many rounds of simulations; it "
                      "may be less exact than usual");
    }
    campaign_tell(l->listener, CAMPAIGN_NOTE,
                  "%zu simulations were run; %zu results came from the cache", launches, cached);
}

isocast_status campaign_platform_learn(const campaign_learning *learning,
                                       campaign_subject *subjects, size_t count) {
    /* The points keep their dressers: these live as long as the learning. */
    dressing *dressings = calloc(count + 1, sizeof *dressings);
    if (dressings == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = begin(learning, subjects, count, dressings);
    bool news = true;
    size_t most = ROUNDS_MAX;
    for (size_t i = 0; i < count; i++) {
        most = subjects[i].steps != NULL ? ROUNDS_WITH_PROGRAM : most;
    }
    for (size_t round = 0; news && round < most && status == ISOCAST_OK; round++) {
        status = need(learning, subjects, count, round == 0);
        if (status == ISOCAST_OK && round == 0 && count > 1) {
            status = tell_missing(learning, subjects, count);
        }
        if (status == ISOCAST_OK) {
            status = simulate(subjects, count, &news);
        }
        if (status == ISOCAST_OK && !news && round > 0) {
            status = execute(subjects, count, &news);
        }
    }
    if (status == ISOCAST_OK) {
        describe(learning, subjects, count);
        tell_end(learning, subjects, count, news);
    }
    free(dressings);
    return status;
}
