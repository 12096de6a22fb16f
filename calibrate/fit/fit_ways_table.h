/* What an operation takes on a network at numbers of processes, as machine files list it. */
#ifndef FIT_WAYS_TABLE_H
#define FIT_WAYS_TABLE_H

#include "fit_ways_place.h"
#include "model/base/buffer.h"

/* What is listed at numbers of processes: lengths by the sizes of messages, and savings. */
enum {
    FIT_WAYS_COLUMN_LINKS,
    FIT_WAYS_COLUMN_LOADS = FIT_WAYS_COLUMN_LINKS + FIT_SIZES_MAX,
    FIT_WAYS_COLUMN_SAVINGS = FIT_WAYS_COLUMN_LOADS + FIT_SIZES_MAX,
    FIT_WAYS_COLUMNS = FIT_WAYS_COLUMN_SAVINGS + FIT_SAVINGS
};

enum { FIT_WAYS_ROWS_MOST = 258 };

/* Rows by rising numbers of processes. Start from {0}. */
typedef struct fit_ways_table {
    double p[FIT_WAYS_ROWS_MOST];
    double values[FIT_WAYS_COLUMNS][FIT_WAYS_ROWS_MOST]; /* [FIT_WAYS_COLUMNS][count] */
    size_t count;
    bool saves; /* by latencies and bytes together, worth telling */
} fit_ways_table;

/* With so many processes on a node, for a regime (fit_regimes.h). `before`: that of the regime
 * before, whose rows are taken where messages are the same; NULL: there is none. No row: memory was
 * short. */
void fit_ways_table_find(fit_ways *ways, int each, int regime, const fit_ways_table *before,
                         fit_ways_table *out);

/* Whether two columns of what is taken off tell the same. */
bool fit_ways_table_is_alike(const fit_ways_table *t, int column, int other);

/* "interpolate(p, 2, 2, 4, 4)", or one value alone: a column over `key`, without the rows that lie
 * between others. What is taken off is told as exactly as the length that it is taken off needs. */
void fit_ways_table_put(const fit_ways_table *t, int column, const char *key, isocast_buffer *out);

#endif
