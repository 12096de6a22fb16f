#include "model/base/any.h"
#include "results.h"

ISOCAST_GIVES(const isocast_acceptances *, whole_of, at->result)

static const char *const status_words[] = {
#define WORD(name, word) word,
    ISOCAST_ACCEPTANCE_LIST(WORD)
#undef WORD
        NULL};
ISOCAST_GIVES(bool, has_applications,
              whole_of(at)->count > 0 && whole_of(at)->items[0].application != NULL)

#define SHOWS(name, kind, member, unit, ...)                                                       \
    ISOCAST_FIELD(name, kind, isocast_acceptance, member, unit, __VA_ARGS__)
static const isocast_field fields[] = {
    SHOWS("offer", TEXT, offer, NULL, "its name", .known = true),
    SHOWS("application", TEXT, application, NULL, "of a suite; null where there is none",
          .tabled = has_applications),
    SHOWS("nodes", COUNT, nodes, NULL, "that show it", .known = true),
    SHOWS("p", COUNT, p, NULL, "processes on them"),
    SHOWS("N", COUNT, N, NULL,
          "first size parameter: where it can, it gives these nodes the E of all of them"),
    SHOWS("T_predicted", NUMBER, T, "s", "time of a run there, as predicted",
          .heading = "T predicted", .compared = 1),
    SHOWS("T_most", NUMBER, T_most, "s", "the longest T that these nodes may show",
          .heading = "T at most", .compared = 1),
    SHOWS("E_least", NUMBER, E_least, NULL, "the least E, which is that T",
          .heading = "E at least"),
    SHOWS("E_predicted", NUMBER, E, NULL, "E of that run, as predicted", ISOCAST_JSON),
    SHOWS("passes", NUMBER, passes, NULL, "probability that nodes which are as predicted show it",
          .digits = 2),
    SHOWS("all_nodes", COUNT, all_nodes, NULL, "that the promise is for", .heading = "all nodes",
          .known = true),
    SHOWS("all_N", COUNT, all_N, NULL, "size that the promise is for", .heading = "N there"),
    SHOWS("T_promised", NUMBER, promised, "s",
          "on all nodes: the deadline, or the upper end of the interval of T",
          .heading = "T promised", .compared = 1),
    SHOWS("correlation", NUMBER, correlation, NULL, "of ln T on these and on all nodes",
          ISOCAST_JSON),
    SHOWS("status", TEXT, status, NULL,
          "ok; no-prediction: there is no T on these nodes, or on all; no-errors: the machine file "
          "states none; apart: T on these nodes says hardly anything of T on all",
          .words = status_words, .known = true)};
const isocast_table cli_acceptance_table = {"acceptance", "what a few nodes of an offer must show",
                                            ISOCAST_TABLE(fields)};
ISOCAST_OWN_ITEMS(item, whole_of(in)->count, &whole_of(in)->items[i])

ISOCAST_ANY(has_apart, (const isocast_acceptances *a), a->count,
            a->items[i].status == ISOCAST_ACCEPTANCE_APART)

cli_report *cli_acceptance_report(const isocast_acceptances *acceptances) {
    cli_report *report =
        cli_fields_report(&cli_acceptance_table, acceptances, item,
                          "What a few nodes must show, so that T on all of them is at most the "
                          "promised one with a probability of %.0f %%",
                          100 * ISOCAST_ACCEPTANCE_LEVEL);
    cli_note(report, "Assumption: the logarithms of both times are normal; errors of the machine "
                     "file's numbers are common to them, and the spread of runs is not.");
    cli_note(report, "passes: the probability that nodes which are as predicted show it.");
    CLI_NOTE_IF(has_apart(acceptances), report,
                "apart: T on these nodes says hardly anything of T on all of them, as other "
                "numbers with errors count there.");
    return report;
}
