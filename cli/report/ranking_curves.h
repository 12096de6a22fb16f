/* The times of the contenders of a ranking as curves, for pictures. */
#ifndef CLI_RANKING_CURVES_H
#define CLI_RANKING_CURVES_H

#include "report_ranking.h"

/* Points of a curve, evenly spaced in ln N or ln p. */
enum { CLI_RANKING_CURVE_POINTS = 81 };

struct cli_ranking_curve {
    const char *system, *contender;
    double N;                                                        /* of a curve over p */
    double x[CLI_RANKING_CURVE_POINTS], T[CLI_RANKING_CURVE_POINTS]; /* [count] */
    size_t count;
    isocast_effort effort; /* that is left for the others */
    isocast_status status; /* why there is no further one */
};

/* T of a contender over N on a system, or over p at an N, the i-th by place and contender. The
 * places span the rows, the crossings and where a contender begins or ends to work. NULL where
 * there is no i-th, or `out` has a status; else it is `out`. */
const cli_ranking_curve *cli_ranking_curve_make(const cli_ranking_view *view, bool over_p, size_t i,
                                                cli_ranking_curve *out);

#endif
