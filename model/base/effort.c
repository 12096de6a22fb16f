#include "effort.h"

isocast_effort isocast_effort_of(size_t rows) {
    return (isocast_effort){(double)ISOCAST_EFFORT_MAX +
                            (double)ISOCAST_EFFORT_A_ROW * (double)rows};
}

isocast_effort isocast_effort_lend(isocast_effort *from, double share) {
    isocast_effort lent = {from->left > 0 ? from->left * share : from->left};
    from->left -= lent.left;
    return lent;
}

void isocast_effort_return(isocast_effort *to, const isocast_effort *rest) {
    to->left += rest->left;
}

bool isocast_effort_is_spent(const isocast_effort *effort) {
    return effort->left < 0;
}
