/* Whether a machine file still describes a machine: points measured now beside what the file says
 * of them. Measures nothing, renders nothing. */
#ifndef CLI_RECHECK_H
#define CLI_RECHECK_H

#include "calibrate/samples/samples.h"
#include "cli/output/render.h"
#include "model/spec/machine.h"

/* One operation at a message size, or kernel at a working set, on p processes. */
typedef struct cli_recheck_point {
    const char *name; /* of the samples */
    bool is_kernel;   /* seconds are those of a flop */
    double p;
    double m;         /* B */
    double predicted; /* s, by the file; NAN where it says nothing */
    double measured;  /* s, interquartile mean of the launches' medians */
    double sigma;     /* sd of ln measured that launches of now and of the file, the coefficients'
                         errors and the fit let expect */
    double sigma_now; /* sd of ln median between the launches of now; NAN for one */
    size_t launches;
} cli_recheck_point;

typedef struct cli_recheck {
    cli_recheck_point *points; /* [count], by name, p, m */
    size_t count;
    size_t telling; /* points whose band is narrow enough to tell, or that are outside */
    size_t outside; /* points whose ratio is outside their band */
    bool agrees;    /* whether few enough are */
} cli_recheck;

/* Makes points of the samples and holds those that the machine file has, within the sizes and
 * counts of processes it was measured at, against it. Gives an exit status; tells what is wrong on
 * stderr. Free in either case. */
int cli_recheck_make(const isocast_machine *machine, const samples *s, cli_recheck *out);
void cli_recheck_free(cli_recheck *r);

/* Fills in `predicted`, and the sd that the coefficients' errors give in `sigma`, NAN where the
 * file has no such operation. False where memory is short. */
bool cli_recheck_predict(const isocast_machine *machine, cli_recheck_point *points, size_t count);

/* The bounds of measured/predicted within which the file holds. */
double cli_recheck_low(const cli_recheck_point *point);
double cli_recheck_high(const cli_recheck_point *point);

/* A row for each point, and the verdict below. NULL where memory is short. */
cli_report *cli_report_recheck(const cli_recheck *r, const isocast_machine *machine);

#endif
