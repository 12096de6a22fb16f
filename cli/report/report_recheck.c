#include "report_recheck.h"

static void add_columns(cli_report *report) {
    static const cli_column columns[] = {
        {.name = "operation", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "m", .unit = "B", .kind = CLI_COLUMN_COUNT},
        {.name = "predicted", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "measured", .unit = "s", .kind = CLI_COLUMN_NUMBER, .compared = 1},
        {.name = "ratio", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_low", .heading = "from", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "ratio_high", .heading = "to", .kind = CLI_COLUMN_NUMBER, .digits = 3},
        {.name = "status", .kind = CLI_COLUMN_TEXT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

static const char *word_of(campaign_recheck_place place) {
    static const char *const words[] = {[CAMPAIGN_RECHECK_INSIDE] = "ok",
                                        [CAMPAIGN_RECHECK_OUTSIDE] = "outside",
                                        [CAMPAIGN_RECHECK_WIDE] = "wide"};
    return words[place];
}

cli_report *cli_report_recheck(const campaign_recheck *r, const isocast_machine *machine) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s, as its file says and as it is now", machine->name);
    add_columns(report);
    for (size_t i = 0; i < r->count; i++) {
        const campaign_recheck_point *point = &r->points[i];
        cli_report_text(report, point->name);
        const double numbers[] = {point->p,
                                  point->m,
                                  point->predicted,
                                  point->measured,
                                  point->measured / point->predicted,
                                  campaign_recheck_low(point),
                                  campaign_recheck_high(point)};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            cli_report_number(report, numbers[k]);
        }
        cli_report_text(report, word_of(campaign_recheck_place_of(point)));
    }
    cli_report_footnote(report, "Kernels: seconds of a flop at the working set m. The band from-to "
                                "holds 99 %% of what errors and launches let expect of the ratio.");
    if (r->telling < r->count) {
        cli_report_footnote(report,
                            "wide: the band is so wide that a point inside it shows nothing.");
    }
    cli_report_footnote(
        report, "%zu of %zu points are outside: the file %s this machine.", r->outside, r->telling,
        r->verdict == CAMPAIGN_RECHECK_HOLDS ? "still describes" : "no longer describes");
    return report;
}
