/* isocast offers: which of several offers to buy, and how many nodes of each class, for a goal
 * inside a budget. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/options/offers_load.h"
#include "cli/options/spec_kind.h"
#include "cli/options/word_option.h"
#include "cli/report/report_offers.h"
#include "command.h"
#include "model/offers/offers_check.h"
#include "model/yaml/schema.h"
#include "offers_suite.h"

static const cli_usage usage = {
    .command = "offers",
    .arguments = "ALGORITHM OFFER... | SUITE",
    .summary =
        "Finds which offer to buy, and how many nodes of each of its classes: for the largest "
        "problem, the least time, cost or energy of a run, or the most processes that are worth "
        "their price, inside a budget. It shows the best of each offer, the Pareto front of price "
        "and time, and what would change the answer.",
    .details =
        "An OFFER is a machine file whose node classes have a price, or a file of offers, YAML or "
        "CSV, that names machine files and gives prices for them. The count of a node class is how "
        "many can be bought. All processors of a node work. docs/how-to/offers.md shows how both "
        "are "
        "written.\n"
        "Goals: largest-problem, the largest N at which E comes to --efficiency (predict "
        "--efficiency gives the same N); largest-run, the largest N that fits the memory, within "
        "--deadline and with E of at least --efficiency; time, cost and energy, the least of a run "
        "at --at; processes, the most processes that keep --efficiency at --at, or without it "
        "those of least price times time. --efficiency is a lower limit for time, cost and "
        "energy.\n"
        "An answer is called proved where every mix inside the budget was looked at. Where there "
        "are too many, the answer says so, and how far it may be off.\n"
        "A SUITE is a file of offers with applications, each with a size and a weight. Offers are "
        "judged by all of them: by SSI where the file has times of a reference machine, else by "
        "SSP.\n"
        "With --accept the promise is --deadline, or else the upper end of the interval of T; CSV "
        "has these numbers then.\n"
        "Amounts are in EUR or USD. There is no rate between them, so all must be in one. The exit "
        "status is 4 where no offer serves.\n"
        "\n"
        "Examples:\n"
        "  isocast offers my.yaml tender.yaml --budget 500kEUR --efficiency 0.3\n"
        "  isocast offers my.yaml tender.yaml --budget 500kEUR --goal largest-run \\\n"
        "      --efficiency 0.8 --deadline 1h\n"
        "  isocast offers my.yaml a.yaml b.yaml c.yaml --budget 500kEUR --at N=20000\n"
        "  isocast offers my.yaml tender.csv --goal cost --at N=20000 --deadline 2h\n"
        "  isocast offers suite.yaml --budget 2MEUR",
    .fewest = 1,
    .most = (size_t)-1};

/* The command line, and what comes of it. */
typedef struct purchase {
    cli_call call;
    const char *budget;
    const char *budget_for;
    bool whole_life; /* it says lifetime */
    const char *goal;
    cli_list at;        /* at most one */
    const char *accept; /* "1,2,4" */
    cli_accept few;
    double efficiency;
    double deadline; /* s */
    long threads;
    cli_settings settings;
    isocast_offers_request request;
    isocast_currency currency;
    cli_offers offers;
} purchase;

static int read_budget(purchase *p) {
    p->request.budget = INFINITY;
    if (p->budget == NULL) {
        return CLI_EXIT_OK;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status =
        isocast_source_create("--budget", p->budget, strlen(p->budget), &source);
    if (status == ISOCAST_OK) {
        isocast_reader reader = {source, &diagnostics, ISOCAST_OK};
        const isocast_tree_node node = {.kind = ISOCAST_TREE_SCALAR,
                                        .span = {0, source->length},
                                        .verbatim = true,
                                        .text = source->text};
        p->request.budget = isocast_reader_amount(&reader, &node, "the budget",
                                                  isocast_dimension_count, &p->currency);
        status = reader.status;
    }
    isocast_source_free(source);
    if (status == ISOCAST_OK && !(p->request.budget > 0)) {
        return cli_usage_error(&usage, "--budget must be above 0, not %s", p->budget);
    }
    return cli_exit_with_text(&diagnostics, status);
}

static int read_goal(purchase *p) {
    p->request.goal = p->at.count == 0 ? ISOCAST_OFFER_PROBLEM : ISOCAST_OFFER_TIME;
    if (p->goal != NULL) {
        int i = ISOCAST_OFFER_PROBLEM;
        while (i <= ISOCAST_OFFER_PROCESSES && strcmp(p->goal, cli_offers_goals[i]) != 0) {
            i++;
        }
        if (i > ISOCAST_OFFER_PROCESSES) {
            return cli_word_refuse(&usage, "--goal", p->goal, cli_offers_goals, (size_t)i);
        }
        p->request.goal = (isocast_offer_goal)i;
    }
    if (p->at.count > 1) {
        return cli_usage_error(&usage,
                               "the answer is for one size of a run, and --at is given %zu times; "
                               "ask again for each size",
                               p->at.count);
    }
    bool problem = p->request.goal == ISOCAST_OFFER_PROBLEM;
    bool of_size = isocast_offer_goal_is_size(p->request.goal);
    if (of_size && p->at.count > 0) {
        return cli_usage_error(&usage,
                               "the goal %s looks for N, so --at is not taken; other goals "
                               "take it",
                               cli_offers_goals[p->request.goal]);
    }
    if (problem && isnan(p->efficiency)) {
        return cli_usage_error(&usage, "the goal largest-problem needs the speed-efficiency to "
                                       "hold: --efficiency 0.3; other goals need --goal and --at");
    }
    if (!of_size && p->at.count == 0) {
        return cli_usage_error(&usage, "the goal %s needs a size: --at N=1000",
                               cli_offers_goals[p->request.goal]);
    }
    if (!isnan(p->efficiency) && !(p->efficiency > 0)) {
        return cli_usage_error(&usage, "--efficiency must be above 0, not %.10g", p->efficiency);
    }
    if (!isnan(p->deadline) && !(p->deadline > 0)) {
        return cli_usage_error(&usage, "--deadline must be above 0 s, not %.10g s", p->deadline);
    }
    p->request.whole_life = p->whole_life;
    p->request.efficiency = p->efficiency;
    p->request.deadline = p->deadline;
    p->request.threads = (size_t)p->threads;
    return CLI_EXIT_OK;
}

/* "N=1000"; the name is that of the algorithm's first size. */
static int read_size(purchase *p) {
    p->request.N = NAN;
    if (p->at.count == 0) {
        return CLI_EXIT_OK;
    }
    const char *at = p->at.items[0];
    const isocast_algorithm *algorithm = p->offers.loaded[0].algorithm;
    const isocast_size *size = &algorithm->sizes[0];
    const char *equals = strchr(at, '=');
    bool named = equals != NULL && strlen(size->name) == (size_t)(equals - at) &&
                 strncmp(at, size->name, (size_t)(equals - at)) == 0;
    if (!named || !cli_number_parse(equals + 1, &p->request.N)) {
        return cli_usage_error(&usage,
                               "--at takes the size and one value, such as %s=1000, not '%s'; "
                               "--set sets further sizes",
                               size->name, at);
    }
    if (!(p->request.N >= size->min && p->request.N <= size->max)) {
        return cli_usage_error(&usage, "%s = %.10g is not from %.10g to %.10g, as %s needs",
                               size->name, p->request.N, size->min, size->max, algorithm->name);
    }
    return CLI_EXIT_OK;
}

static int check(purchase *p) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_offers_check(&p->request, p->offers.items, p->offers.count,
                                                 &p->currency, &diagnostics);
    return cli_exit_with(&diagnostics, false, status);
}

/* What few nodes of the best mix of each offer must show. */
static isocast_status accept_offers(const purchase *p, const isocast_offers *offers,
                                    isocast_acceptances *out) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < offers->count; i++) {
        const isocast_mix *mix = isocast_offers_best(offers, i);
        for (size_t k = 0; mix != NULL && k < p->few.count && status == ISOCAST_OK; k++) {
            const isocast_acceptance_question question = {
                .offer = &offers->offers[i],
                .nodes = isocast_mixes_nodes(&offers->searches[i].mixes, offers->searches[i].best),
                .N = mix->N,
                .promised = offers->request.deadline,
                .few = p->few.nodes[k]};
            status = isocast_acceptances_add(out, &question);
        }
    }
    return status;
}

static int write_result(const purchase *p, const isocast_offers *offers,
                        const isocast_decision *decision, const isocast_acceptances *acceptances) {
    cli_offers_view view = {.subject = cli_subject_of(&p->call, &p->offers.loaded[0]),
                            .given = &p->offers,
                            .offers = offers,
                            .decision = decision,
                            .acceptances = acceptances,
                            .currency = p->currency};
    view.subject.provenance.offers = &p->offers;
    view.subject.provenance.offers_count = 1;
    return cli_offers_write(&view, &p->call.common);
}

static int choose_and_write(const purchase *p) {
    isocast_offers offers = {0};
    isocast_decision decision = {0};
    isocast_acceptances acceptances = {0};
    isocast_status status =
        isocast_offers_choose(&p->request, p->offers.items, p->offers.count, &offers);
    CLI_THEN(status, isocast_decision_find(&offers, &decision));
    CLI_THEN(status, accept_offers(p, &offers, &acceptances));
    int exit = cli_exit_of(status);
    CLI_THEN(exit, write_result(p, &offers, &decision, &acceptances));
    if (exit == CLI_EXIT_OK && offers.best == offers.count) {
        exit = CLI_EXIT_NO_SOLUTION;
    }
    isocast_acceptances_free(&acceptances);
    isocast_decision_free(&decision);
    isocast_offers_free(&offers);
    return exit;
}

/* A suite asks for nothing but a budget. */
static int judge_suite(const purchase *p) {
    static const char *const key[] = {"applications"};
    bool is_suite = false;
    isocast_status status = cli_spec_keys(p->call.positional[0], key, 1, &is_suite);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    if (!is_suite) {
        return cli_usage_error(&usage,
                               "too few arguments; write isocast offers ALGORITHM OFFER..., "
                               "or isocast offers SUITE with a file of offers that has "
                               "applications");
    }
    if (p->goal != NULL || p->at.count > 0 || !isnan(p->efficiency) || !isnan(p->deadline)) {
        return cli_usage_error(&usage, "a suite of applications states its sizes itself, and is "
                                       "judged by SSI or SSP: --goal, --at, --efficiency and "
                                       "--deadline are not taken");
    }
    const cli_suite_question question = {.call = &p->call,
                                         .settings = &p->settings,
                                         .accept = &p->few,
                                         .budget = p->request.budget,
                                         .currency = p->currency,
                                         .whole_life = p->whole_life};
    return cli_suite_answer(&question);
}

static int read_budget_for(purchase *p) {
    p->whole_life = p->budget_for != NULL && strcmp(p->budget_for, "lifetime") == 0;
    if (p->budget_for != NULL && !p->whole_life && strcmp(p->budget_for, "price") != 0) {
        return cli_usage_error(&usage, "--budget-for takes price or lifetime, not '%s'",
                               p->budget_for);
    }
    return CLI_EXIT_OK;
}

/* "1,2,4": nodes on which something is shown. */
static int read_accept(purchase *p) {
    double *nodes = NULL;
    isocast_diagnostics ignored = {0}; /* one sentence says what is meant */
    isocast_status status =
        p->accept != NULL
            ? isocast_numbers_parse("--accept", p->accept, &ignored, &nodes, &p->few.count)
            : ISOCAST_OK;
    bool good = status == ISOCAST_OK && p->few.count <= CLI_ACCEPT_MAX;
    for (size_t i = 0; nodes != NULL && i < p->few.count && good; i++) {
        p->few.nodes[i] = nodes[i];
        good = nodes[i] >= 1 && nodes[i] == floor(nodes[i]);
    }
    free(nodes);
    isocast_diagnostics_clear(&ignored);
    if (status == ISOCAST_NO_MEMORY) {
        return cli_exit_of(status);
    }
    return good ? CLI_EXIT_OK
                : cli_usage_error(&usage,
                                  "--accept takes at most %d numbers of nodes, such as 1,2,4, not "
                                  "'%s'",
                                  CLI_ACCEPT_MAX, p->accept);
}

static int find(purchase *p) {
    const char *const *names = p->call.positional;
    int status = read_budget(p);
    CLI_THEN(status, read_budget_for(p));
    CLI_THEN(status, read_accept(p));
    if (status == CLI_EXIT_OK && p->call.count == 1) {
        return judge_suite(p);
    }
    CLI_THEN(status, read_goal(p));
    CLI_THEN(status, cli_offers_load(&usage, names[0], names + 1, p->call.count - 1, &p->settings,
                                     p->call.common.quiet, &p->offers));
    CLI_THEN(status, read_size(p));
    CLI_THEN(status, check(p));
    return status == CLI_EXIT_OK ? choose_and_write(p) : status;
}

static int run(void *context) {
    purchase *p = context;
    int status = find(p);
    cli_offers_free(&p->offers);
    return status;
}

int cmd_offers(int argc, char **argv) {
    purchase p = {.efficiency = NAN, .deadline = NAN, .threads = 1};
    const cli_option options[] = {
        {"--budget", 0, CLI_OPTION_TEXT, "AMOUNT",
         "what may be spent, such as 500kEUR or 1.2MUSD (default: no limit)", &p.budget},
        {"--budget-for", 0, CLI_OPTION_TEXT, "WHAT",
         "what the budget is for: price, the price of the nodes and what they need; or lifetime, "
         "running cost and energy of the whole lifetime as well (default: price)",
         &p.budget_for},
        {"--goal", 0, CLI_OPTION_TEXT, "GOAL",
         "largest-problem, largest-run, time, cost, energy or processes (default: time with --at, "
         "else largest-problem)",
         &p.goal},
        {"--at", 0, CLI_OPTION_LIST, "SIZE=NUMBER", "the size of a run, such as N=20000", &p.at},
        {"--efficiency", 0, CLI_OPTION_SHARE, "E",
         "the speed-efficiency E = W/(T C) that is held, or kept at least", &p.efficiency},
        {"--deadline", 0, CLI_OPTION_TIME, "TIME",
         "the longest time that a run may take, such as 2h", &p.deadline},
        {"--accept", 0, CLI_OPTION_TEXT, "NODES",
         "acceptance numbers: the N, T and E that so many nodes, such as 1,2,4, must show so that "
         "T "
         "on all of them is at most the promised one with a probability of 90 %",
         &p.accept},
        CLI_SET_OPTION(&p.settings),
        CLI_MARKED_SPEED_OPTION(&p.settings.marked_speed),
        {"--threads", 0, CLI_OPTION_COUNT, "N",
         "threads that share the work; the result is the same (default: 1)", &p.threads},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &p.call, run, &p);
}
