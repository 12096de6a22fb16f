/* Scalability measured directly [CSW 3.5]: on each system N is scaled until the run itself shows
 * the wanted speed-efficiency. Renders nothing. */
#ifndef CLI_FIND_H
#define CLI_FIND_H

#include "measurement.h"
#include "model/solve/search.h"
#include "model/spec/work.h"

typedef struct cli_find_request {
    isocast_search search;
    const isocast_work *work;
    isocast_system *const *systems; /* [system_count] */
    size_t system_count;
} cli_find_request;

/* One system. NAN marks what is not known. */
typedef struct cli_find_row {
    const isocast_system *system;
    isocast_search_state state; /* FOUND, ABOVE or BELOW */
    double N;
    double W;             /* flop */
    double T;             /* s, median of the repetitions */
    double E;             /* W/(T C) */
    double psi;           /* to this row from the row before */
    double psi_from_base; /* from the first row */
    size_t steps;         /* sizes tried, also those that the file had already */
    double nearest_N;     /* whose E came nearest to the target */
    double nearest_E;
} cli_find_row;

/* Fills rows, shape [system_count]. Steps that the runs file has are not run again. Gives an exit
 * status: OK, or that of what ended it, which is told on stderr. */
int cli_find(cli_measurement *m, const cli_find_request *request, cli_find_row *rows);

/* "ok", "above" or "below". */
const char *cli_find_status_word(isocast_search_state state);

/* What a row without an N, or with an E that is farther off than the tolerance, has to say. */
void cli_find_note(const cli_find_row *row, const isocast_search *search, isocast_buffer *out);

#endif
