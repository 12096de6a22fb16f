/* Pieces of a range of N that a search has yet to look at, the nearest first: each is proved, or
 * cut in two. Knows nothing of what is searched for. */
#ifndef ISOCAST_PIECES_H
#define ISOCAST_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "isocast/status.h"

/* A search comes to `from` first; it may go either way. */
typedef struct isocast_piece {
    double from, to;
    bool is_switch; /* two neighbouring numbers between which a formula switches */
} isocast_piece;

/* Start from {0}. */
typedef struct isocast_pieces {
    isocast_piece *waiting; /* [count], the nearest last */
    size_t count;
} isocast_pieces;

/* Makes room, once. Errors: NO_MEMORY. */
isocast_status isocast_pieces_create(isocast_pieces *pieces);
void isocast_pieces_free(isocast_pieces *pieces);

void isocast_pieces_add(isocast_pieces *pieces, isocast_piece piece);
/* Takes the nearest piece, of which there must be one. */
isocast_piece isocast_pieces_take(isocast_pieces *pieces);
/* Whether another piece could be cut: thousands may wait. */
bool isocast_pieces_have_room(const isocast_pieces *pieces);

/* Puts a piece back as two halves, or as three pieces where a formula is known to switch in it:
 * between the neighbouring numbers `switch_at`, the smaller first; NULL where none is known. */
void isocast_pieces_cut(isocast_pieces *pieces, double from, double to, const double *switch_at);

/* A number between two positive ones: in the middle of their digits where they are near to each
 * other, of their logarithms where they are not; one of them where they are neighbours. */
double isocast_middle(double a, double b);

#endif
