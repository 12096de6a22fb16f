#include "offers_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/report/results.h"
#include "model/offers/offers_check.h"
#include "model/offers/offers_file.h"

/* What is loaded; all lists: [file->suite.count]. The offers are freed with it. */
typedef struct suite_loaded {
    const cli_suite_question *question;
    const char *path;
    isocast_offers_file *file;
    cli_offers *offers; /* the same offers, each time with another algorithm */
    const isocast_offer *items[ISOCAST_SUITE_MAX];
    double N[ISOCAST_SUITE_MAX];
    isocast_deliveries deliveries[ISOCAST_OFFERS_MAX];
    isocast_currency currency;
} suite_loaded;

static const cli_usage *usage_of(const suite_loaded *s) {
    return s->question->call->usage;
}

static int load_file(suite_loaded *s) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_offers_file_load(s->path, &diagnostics, &s->file);
    return cli_exit_with(&diagnostics, s->question->call->common.quiet, status);
}

/* Parts the sizes of an application: the first one of the algorithm is N, all others are set. */
static int take_sizes(const suite_loaded *s, const isocast_suite_application *a,
                      const isocast_size *first, cli_list *set, double *N) {
    size_t length = strlen(first->name);
    *N = NAN;
    for (size_t i = 0; i < a->size_count; i++) {
        bool is_first =
            strncmp(a->sizes[i], first->name, length) == 0 && a->sizes[i][length] == '=';
        if (!is_first) {
            set->items[set->count++] = a->sizes[i];
        } else if (!cli_number_parse(a->sizes[i] + length + 1, N)) {
            return cli_usage_error(usage_of(s), "application '%s': %s is no number", a->name,
                                   a->sizes[i]);
        }
    }
    if (!(*N >= first->min && *N <= first->max)) {
        return cli_usage_error(usage_of(s),
                               "application '%s' needs the size %s, from %.10g to %.10g: at: {%s: "
                               "%.10g}",
                               a->name, first->name, first->min, first->max, first->name,
                               fmax(first->min, 1000));
    }
    return CLI_EXIT_OK;
}

/* With the settings of the command line and room for those of the application. */
static int load_with(suite_loaded *s, size_t index, const char *algorithm, cli_settings *settings) {
    cli_loaded alone = {0};
    int status = cli_load_algorithm(algorithm, true, &alone);
    CLI_THEN(status, take_sizes(s, &s->file->suite.applications[index], &alone.algorithm->sizes[0],
                                &settings->set, &s->N[index]));
    cli_loaded_free(&alone);
    if (status == CLI_EXIT_OK) {
        bool quiet = s->question->call->common.quiet || index > 0;
        status = cli_offers_load(usage_of(s), algorithm, &s->path, 1, settings, quiet,
                                 &s->offers[index]);
        s->items[index] = s->offers[index].items;
    }
    return status;
}

static int load_application(suite_loaded *s, size_t index) {
    const isocast_suite_application *a = &s->file->suite.applications[index];
    cli_settings settings = *s->question->settings;
    char *algorithm = NULL;
    const isocast_tree_node *named = isocast_offers_file_algorithm(s->file, index);
    int status = cli_locate_named(CLI_SPEC_ALGORITHM, isocast_offers_file_source(s->file),
                                  named->span, named->text, &algorithm);
    settings.set.items = calloc(settings.set.count + a->size_count + 1, sizeof(const char *));
    if (status == CLI_EXIT_OK && settings.set.items == NULL) {
        status = cli_exit_of(ISOCAST_NO_MEMORY);
    } else if (status == CLI_EXIT_OK) {
        for (size_t i = 0; i < settings.set.count; i++) {
            settings.set.items[i] = s->question->settings->set.items[i];
        }
        status = load_with(s, index, algorithm, &settings);
    }
    free(settings.set.items);
    free(algorithm);
    return status;
}

/* Phases are parts of a lifetime. */
static int check_phases(suite_loaded *s) {
    const cli_offers *offers = &s->offers[0];
    for (size_t i = 0; i < offers->count; i++) {
        isocast_status status = isocast_offers_file_deliveries(s->file, i, &s->deliveries[i]);
        if (status != ISOCAST_OK) {
            return cli_exit_of(status);
        }
        size_t count = s->deliveries[i].count;
        double lifetime = offers->items[i].priced->purchase.lifetime;
        if (count > 0 && !(s->deliveries[i].items[count - 1].after < lifetime)) {
            return cli_usage_error(usage_of(s),
                                   isnan(lifetime)
                                       ? "offer '%s' has phases, and needs a lifetime: lifetime: "
                                         "5 year"
                                       : "the last phase of offer '%s' begins when its lifetime "
                                         "is over",
                                   offers->names[i]);
        }
    }
    return CLI_EXIT_OK;
}

static int check(suite_loaded *s) {
    const cli_offers *offers = &s->offers[0];
    const isocast_offers_request priced = {.goal = ISOCAST_OFFER_TIME,
                                           .N = s->N[0],
                                           .efficiency = NAN,
                                           .deadline = NAN,
                                           .budget = s->question->budget,
                                           .whole_life = s->question->whole_life};
    isocast_diagnostics diagnostics = {0};
    isocast_status status =
        isocast_offers_check(&priced, offers->items, offers->count, &s->currency, &diagnostics);
    int exit = cli_exit_with(&diagnostics, false, status);
    return exit == CLI_EXIT_OK ? check_phases(s) : exit;
}

/* What few nodes of a job of an application must show, on each offer that serves. */
static isocast_status accept_suite(const suite_loaded *s, const isocast_suite_verdict *verdict,
                                   isocast_acceptances *out) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < verdict->request.count; i++) {
        const isocast_suite_offer *offer = &verdict->offers[i];
        for (size_t k = 0; offer->merit > 0 && k < verdict->request.suite->count; k++) {
            const isocast_suite_run *job = &offer->runs[k];
            double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
            nodes[offer->class_index] = job->nodes;
            isocast_acceptance_question question = {
                .offer = &s->items[k][i],
                .application = verdict->request.suite->applications[k].name,
                .nodes = nodes,
                .N = job->N,
                .promised = NAN};
            for (size_t few = 0; few < s->question->accept->count && status == ISOCAST_OK; few++) {
                question.few = s->question->accept->nodes[few];
                status = isocast_acceptances_add(out, &question);
            }
        }
    }
    return status;
}

static int judge(const suite_loaded *s) {
    const isocast_suite_request request = {.suite = &s->file->suite,
                                           .offers = s->items,
                                           .N = s->N,
                                           .deliveries = s->deliveries,
                                           .count = s->offers[0].count,
                                           .budget = s->question->budget,
                                           .whole_life = s->question->whole_life};
    isocast_suite_verdict verdict = {0};
    isocast_acceptances acceptances = {0};
    isocast_status status = isocast_suite_judge(&request, &verdict);
    CLI_THEN(status, accept_suite(s, &verdict, &acceptances));
    int exit = cli_exit_of(status);
    if (exit == CLI_EXIT_OK) {
        cli_suite_view view = {.subject =
                                   cli_subject_of(s->question->call, &s->offers[0].loaded[0]),
                               .path = s->path,
                               .verdict = &verdict,
                               .acceptances = &acceptances,
                               .currency = s->currency};
        view.subject.provenance.offers = s->offers;
        view.subject.provenance.offers_count = request.suite->count;
        exit = cli_suite_write(&view, &s->question->call->common);
    }
    if (exit == CLI_EXIT_OK && verdict.best == request.count) {
        exit = CLI_EXIT_NO_SOLUTION;
    }
    isocast_acceptances_free(&acceptances);
    isocast_suite_verdict_free(&verdict);
    return exit;
}

int cli_suite_answer(const cli_suite_question *question) {
    suite_loaded s = {.question = question,
                      .path = question->call->positional[0],
                      .currency = question->currency};
    int status = load_file(&s);
    size_t count = status == CLI_EXIT_OK ? s.file->suite.count : 0;
    cli_offers *offers = calloc(count + 1, sizeof *offers);
    s.offers = offers;
    if (offers == NULL) {
        isocast_offers_file_free(s.file);
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t i = 0; i < count && status == CLI_EXIT_OK; i++) {
        status = load_application(&s, i);
    }
    CLI_THEN(status, check(&s));
    CLI_THEN(status, judge(&s));
    for (size_t i = 0; i < count; i++) {
        cli_offers_free(&offers[i]);
    }
    free(offers);
    isocast_offers_file_free(s.file);
    return status;
}
