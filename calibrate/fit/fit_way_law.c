#include "fit_basis.h"
#include "fit_law.h"

static double latency(const fit_point *at) {
    return at->latency;
}

static double transfer(const fit_point *at) {
    return at->transfer;
}

static const fit_term way_terms[FIT_WAY_TERMS] = {
    [FIT_WAY_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_WAY_LATENCY] = {"latency", latency, 0},
    [FIT_WAY_TRANSFER] = {"transfer", transfer, 0},
};

const fit_law fit_way_law = {"", way_terms, FIT_WAY_TERMS,
                             1U << FIT_WAY_CONSTANT | 1U << FIT_WAY_LATENCY};
