/* The measuring of a calibration: launches of the probe that together end with the budget. Fits
 * nothing for the machine file, and writes none. */
#ifndef CAMPAIGN_CALIBRATION_H
#define CAMPAIGN_CALIBRATION_H

#include "probe_launch.h"
#include "weighting.h"

/* What is to be measured, where and in which time. */
typedef struct campaign_request {
    campaign_site site;
    const double *processes; /* [process_count], counts of processes */
    size_t process_count;
    long launches;        /* of each count of processes; 0: as many as the budget has time for */
    long seed;            /* of the order of measuring */
    double budget;        /* s, of the whole command */
    double started;       /* s of campaign_clock() when the command was started */
    const char *sizes;    /* of messages, as the probe's option; NULL: the usual ones and those that
                             refine them */
    const char *problems; /* of kernels, likewise; NULL: the usual ones */
    const char *plans; /* file for what a launch finds out of transforms, for the next; NULL: none
                        */
    const campaign_selection *selection; /* NULL: the usual */
    const campaign_weighting *weighting; /* what the weights are computed with after each round of
                                            launches; NULL: they stay */
} campaign_request;

/* Runs the launches that the recorder's samples do not have yet. *others gets the share of the
 * processors that other programs used, NAN where it is not known. Errors as in
 * campaign_probe_run(). */
isocast_status campaign_calibrate(const campaign_request *request, campaign_recorder *recorder,
                                  double *others);

#endif
