#include "fit_law.h"

#include <math.h>

#include "fit_basis.h"
#include "model/base/binomial.h"
#include "model/spec/terms.h"

/* Functions of p and m. Rounding must not make 3.0000000001 of log2(8). */
static double depth(const fit_point *at) {
    return floor(log2(at->p) + 1e-9);
}

static double node_depth(const fit_point *at) {
    return floor(log2(at->nodes) + 1e-9);
}

static double spread(const fit_point *at) {
    return at->nodes == at->p;
}

static double depth_bytes(const fit_point *at) {
    return at->m * depth(at);
}

static double volume_bytes(const fit_point *at) {
    return at->m * isocast_binomial_volume(at->p);
}

static double spread_bytes(const fit_point *at) {
    return at->m * spread(at);
}

static double node_depth_bytes(const fit_point *at) {
    return at->m * node_depth(at);
}

static double node_volume_bytes(const fit_point *at) {
    return at->m * isocast_binomial_volume(at->nodes);
}

static double crossing_bytes(const fit_point *at) {
    return at->m * at->p_node * (at->p - at->p_node);
}

static double node_steps(const fit_point *at) {
    return ceil(log2(at->nodes) - 1e-9);
}

static double node_step_bytes(const fit_point *at) {
    return at->m * node_steps(at);
}

/* Roots that are on another node than process 0, of all. */
static double handover(const fit_point *at) {
    return (at->p - at->p_node) / at->p;
}

static double handover_bytes(const fit_point *at) {
    return at->m * handover(at);
}

static double inside(const fit_point *at) {
    return ceil(log2(at->p / at->nodes) - 1e-9);
}

static double inside_bytes(const fit_point *at) {
    return at->m * inside(at);
}

static const fit_term operation_terms[FIT_OPERATION_TERMS] = {
    [FIT_TERM_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_TERM_STEPS] = {"step", fit_basis_tree_steps, 0},
    [FIT_TERM_PROCESSES] = {"process", fit_basis_others, 0},
    [FIT_TERM_BYTES] = {"byte", fit_basis_bytes, 0},
    [FIT_TERM_STEP_BYTES] = {"step_byte", fit_basis_tree_bytes, 0},
    [FIT_TERM_PROCESS_BYTES] = {"process_byte", fit_basis_others_bytes, 0},
    [FIT_TERM_DEPTH] = {"depth", depth, 0},
    [FIT_TERM_DEPTH_BYTES] = {"depth_byte", depth_bytes, 0},
    [FIT_TERM_VOLUME_BYTES] = {"volume_byte", volume_bytes, 0},
    [FIT_TERM_SPREAD] = {"spread", spread, 0},
    [FIT_TERM_SPREAD_BYTES] = {"spread_byte", spread_bytes, 0},
    [FIT_TERM_NODE_DEPTH] = {"node_depth", node_depth, 0},
    [FIT_TERM_NODE_DEPTH_BYTES] = {"node_depth_byte", node_depth_bytes, 0},
    [FIT_TERM_NODE_VOLUME_BYTES] = {"node_volume_byte", node_volume_bytes, 0},
    [FIT_TERM_CROSSING_BYTES] = {"crossing_byte", crossing_bytes, 0},
};

const fit_law fit_operation_law = {"", operation_terms, FIT_OPERATION_TERMS, 0};

static const fit_term relay_terms[FIT_RELAY_TERMS] = {
    [FIT_RELAY_NODE_STEPS] = {"node_step", node_steps, 0},
    [FIT_RELAY_NODE_VOLUME_BYTES] = {"node_volume_byte", node_volume_bytes, 0},
    [FIT_RELAY_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_RELAY_STEPS] = {"step", fit_basis_tree_steps, 0},
    [FIT_RELAY_HANDOVER] = {"handover", handover, 0},
    [FIT_RELAY_HANDOVER_BYTES] = {"handover_byte", handover_bytes, 0},
    [FIT_RELAY_NODE_STEP_BYTES] = {"node_step_byte", node_step_bytes, 0},
    [FIT_RELAY_NODE_DEPTH] = {"node_depth", node_depth, 0},
    [FIT_RELAY_NODE_DEPTH_BYTES] = {"node_depth_byte", node_depth_bytes, 0},
    [FIT_RELAY_INSIDE] = {"inside", inside, 0},
    [FIT_RELAY_INSIDE_BYTES] = {"inside_byte", inside_bytes, 0},
};

const fit_law fit_relay_law = {"", relay_terms, FIT_RELAY_TERMS, 0};

static const isocast_term *text_of(const fit_law *law, size_t term) {
    return isocast_term_find(isocast_terms_of(law->shape), law->terms[term].key);
}

const char *fit_law_unit(const fit_law *law, size_t term) {
    return text_of(law, term)->unit;
}

const char *fit_law_factor(const fit_law *law, size_t term) {
    return text_of(law, term)->factor;
}
