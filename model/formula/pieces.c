#include "pieces.h"

#include <math.h>
#include <stdlib.h>

enum { PIECES_MAX = 4096, PIECES_OF_A_CUT = 3 };

isocast_status isocast_pieces_create(isocast_pieces *pieces) {
    pieces->waiting = malloc(PIECES_MAX * sizeof *pieces->waiting);
    return pieces->waiting != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

void isocast_pieces_free(isocast_pieces *pieces) {
    free(pieces->waiting);
}

void isocast_pieces_add(isocast_pieces *pieces, isocast_piece piece) {
    pieces->waiting[pieces->count++] = piece;
}

isocast_piece isocast_pieces_take(isocast_pieces *pieces) {
    return pieces->waiting[--pieces->count];
}

bool isocast_pieces_have_room(const isocast_pieces *pieces) {
    return pieces->count + PIECES_OF_A_CUT <= PIECES_MAX;
}

void isocast_pieces_cut(isocast_pieces *pieces, double from, double to, const double *switch_at) {
    if (switch_at != NULL) {
        double near = from < to ? switch_at[0] : switch_at[1];
        double far = from < to ? switch_at[1] : switch_at[0];
        isocast_pieces_add(pieces, (isocast_piece){far, to, false});
        isocast_pieces_add(pieces, (isocast_piece){near, far, true});
        isocast_pieces_add(pieces, (isocast_piece){from, near, false});
        return;
    }
    double middle = isocast_middle(from, to);
    isocast_pieces_add(pieces, (isocast_piece){middle, to, false});
    isocast_pieces_add(pieces, (isocast_piece){from, middle, false});
}

double isocast_middle(double a, double b) {
    double low = fmin(a, b);
    double high = fmax(a, b);
    return high > 2 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
}
