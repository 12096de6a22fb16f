/* What `isocast doctor` found as a report: a sentence, a table, and how to mend what is missing.
 * Looks at nothing itself. */
#ifndef CLI_REPORT_CHECKUP_H
#define CLI_REPORT_CHECKUP_H

#include "cli/output/report.h"
#include "model/base/buffer.h"

enum { CHECKUP_MAX = 40 };

typedef enum checkup_verdict {
    CHECKUP_UNKNOWN, /* the system does not tell */
    CHECKUP_OK,
    CHECKUP_WARNING, /* measurements may be disturbed */
    CHECKUP_MISSING  /* a command cannot do its work */
} checkup_verdict;

typedef struct checkup_finding {
    const char *what;
    const char *needed_by; /* commands, parted by ", " */
    checkup_verdict verdict;
    isocast_buffer found;    /* empty: not known */
    isocast_buffer path;     /* of a program that is found; empty for others */
    isocast_buffer mend;     /* how; empty where there is nothing to do */
    isocast_buffer disturbs; /* of a WARNING: what disturbs measurements, as a clause */
} checkup_finding;

/* Start from {0}. */
typedef struct checkup {
    checkup_finding items[CHECKUP_MAX]; /* [count] */
    size_t count;
} checkup;

/* The next finding, as yet OK. There is room for CHECKUP_MAX. The texts are constants. */
checkup_finding *checkup_add(checkup *list, const char *what, const char *needed_by);

/* Moves all findings of another list to the end of this one. */
void checkup_append(checkup *list, checkup *other);

bool checkup_misses_something(const checkup *list);

/* NULL, or one that has failed, where memory is short. */
cli_report *checkup_report(const checkup *list);

void checkup_free(checkup *list);

#endif
