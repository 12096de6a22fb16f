#include "fit_law.h"

#include <math.h>

#include "fit_basis.h"
#include "model/base/binomial.h"
#include "model/base/process_grid.h"
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

static double packed(const fit_point *at) {
    return at->nodes < at->p;
}

static double over_2_nodes(const fit_point *at) {
    return at->nodes > 2;
}

static double over_4_nodes(const fit_point *at) {
    return at->nodes > 4;
}

static double over_8_nodes(const fit_point *at) {
    return at->nodes > 8;
}

static double remote(const fit_point *at) {
    return at->p - at->p_node;
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

static double remote_bytes(const fit_point *at) {
    return at->m * remote(at);
}

static double crossing_bytes(const fit_point *at) {
    return at->m / at->p * at->p_node * remote(at);
}

static double messages(const fit_point *at) {
    return (at->p - 1) * at->message;
}

static double crossings(const fit_point *at) {
    return at->nodes - 1;
}

static double crossings_bytes(const fit_point *at) {
    return at->m * crossings(at);
}

static double node_steps(const fit_point *at) {
    return ceil(log2(at->nodes) - 1e-9);
}

static double shared_bytes(const fit_point *at) {
    return at->m * at->p_node;
}

static double shared_step_bytes(const fit_point *at) {
    return shared_bytes(at) * node_steps(at);
}

static double shared_depth_bytes(const fit_point *at) {
    return shared_bytes(at) * node_depth(at);
}

static double shared_volume_bytes(const fit_point *at) {
    return shared_bytes(at) * isocast_binomial_volume(at->nodes);
}

/* Of an exchange with so many. */
static double rounds_of(double members) {
    return ceil(members / ISOCAST_EXCHANGED_AT_ONCE - 1e-9);
}

static double near(const fit_point *at) {
    return fit_basis_tree_steps(at) - node_depth(at);
}

static double near_bytes(const fit_point *at) {
    return at->m * near(at);
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

/* Processes of a row, and of a column, of a grid. */
static double row_of(const fit_point *at) {
    return exp2(ceil(log2(at->p) / 2 - 1e-9));
}

static double column_of(const fit_point *at) {
    return exp2(floor(log2(at->p) / 2 + 1e-9));
}

static double row_remote(const fit_point *at) {
    return fmax(row_of(at) - at->p_node, 0);
}

static double row_near(const fit_point *at) {
    return row_remote(at) > 0 ? 0 : 1;
}

static double row_rounds(const fit_point *at) {
    return rounds_of(row_of(at));
}

static double row_near_rounds(const fit_point *at) {
    return row_near(at) * row_rounds(at);
}

static double row_near_round_bytes(const fit_point *at) {
    return at->m * row_near_rounds(at);
}

static double row_near_bytes(const fit_point *at) {
    return at->m * row_near(at) * (row_of(at) - 1);
}

static double row_far_rounds(const fit_point *at) {
    return (1 - row_near(at)) * row_rounds(at);
}

static double row_far_bytes(const fit_point *at) {
    return at->m * (1 - row_near(at)) * (row_of(at) - 1);
}

static double row_crossing_bytes(const fit_point *at) {
    return at->m * at->p_node * row_remote(at);
}

/* A node has parts of several rows, or of fit_basis_one, and then fit_basis_one process of a
 * column. */
static double column_remote(const fit_point *at) {
    return column_of(at) - fmax(at->p_node / row_of(at), 1);
}

static double column_near(const fit_point *at) {
    return column_remote(at) > 0 ? 0 : 1;
}

static double column_rounds(const fit_point *at) {
    return rounds_of(column_of(at));
}

static double column_near_rounds(const fit_point *at) {
    return column_near(at) * column_rounds(at);
}

static double column_near_round_bytes(const fit_point *at) {
    return at->m * column_near_rounds(at);
}

static double column_near_bytes(const fit_point *at) {
    return at->m * column_near(at) * (column_of(at) - 1);
}

static double column_far_rounds(const fit_point *at) {
    return (1 - column_near(at)) * column_rounds(at);
}

static double column_far_bytes(const fit_point *at) {
    return at->m * (1 - column_near(at)) * (column_of(at) - 1);
}

static double column_crossing_bytes(const fit_point *at) {
    return at->m * at->p_node * column_remote(at);
}

static double rounds(const fit_point *at) {
    return rounds_of(at->p);
}

static double round_bytes(const fit_point *at) {
    return at->m / at->p * rounds(at);
}

/* Of a grid whose rows follow each other. */
static double grid_columns(const fit_point *at) {
    return at->p / (double)isocast_grid_rows((long)at->p);
}

/* Nodes from a process to the fit_basis_one below. */
static double halo_distance(const fit_point *at) {
    return grid_columns(at) / at->p_node;
}

static double halo_next(const fit_point *at) {
    return halo_distance(at) > 1 && halo_distance(at) <= 2 ? 1 : 0;
}

static double halo_next_bytes(const fit_point *at) {
    return at->m * halo_next(at);
}

static double halo_far(const fit_point *at) {
    return halo_distance(at) > 2 ? 1 : 0;
}

static double halo_far_bytes(const fit_point *at) {
    return at->m * halo_far(at);
}

static double halo_apart_bytes(const fit_point *at) {
    return at->m * (halo_distance(at) > 1 ? 1 : 0);
}

static double halo_shared_bytes(const fit_point *at) {
    return at->m * (halo_distance(at) > 1 ? 0 : grid_columns(at));
}

static double halo_staggered_bytes(const fit_point *at) {
    return at->m * (halo_distance(at) > 1 ? at->p_node : 0);
}

static double grid_rows(const fit_point *at) {
    return (double)isocast_grid_rows((long)at->p);
}

static double grid_depth(const fit_point *at) {
    return log2(grid_rows(at));
}

static double grid_far(const fit_point *at) {
    return log2(fmin(grid_rows(at), at->nodes));
}

static double grid_near_bytes(const fit_point *at) {
    return at->m * (grid_depth(at) - grid_far(at));
}

/* Messages of the columns of a group that are on fit_basis_one of its links up at once. */
static double columns_on_uplink(const fit_point *at) {
    double columns = fmin(at->p_node, grid_columns(at));
    return at->uplinks > 0 ? ceil(columns / at->uplinks - 1e-9) : 1;
}

static double grid_far_bytes(const fit_point *at) {
    return at->m * grid_far(at) * columns_on_uplink(at);
}

static double halo_uplink_bytes(const fit_point *at) {
    return at->m * (columns_on_uplink(at) - 1);
}

/* How often what a process sends passes the busiest link up of its group of nodes, where it passes
 * its own link once; from fit_basis_others of `members` to `away` on other groups. */
static double on_uplink(const fit_point *at, double away, double members) {
    return at->uplinks > 0 ? fmax(1, at->p_node * away / (at->uplinks * fmax(members - 1, 1))) : 1;
}

static double uplink_bytes(const fit_point *at) {
    return at->m * on_uplink(at, remote(at), at->p);
}

static double uplink_round_bytes(const fit_point *at) {
    return round_bytes(at) * on_uplink(at, remote(at), at->p);
}

static double uplink_far_bytes(const fit_point *at) {
    return node_depth_bytes(at) * (at->uplinks > 0 ? ceil(at->p_node / at->uplinks - 1e-9) : 1);
}

static double uplink_step_bytes(const fit_point *at) {
    return near_bytes(at) + uplink_far_bytes(at);
}

static double row_uplink_bytes(const fit_point *at) {
    return row_far_bytes(at) * on_uplink(at, row_remote(at), row_of(at));
}

static double column_uplink_bytes(const fit_point *at) {
    return column_far_bytes(at) * on_uplink(at, column_remote(at), column_of(at));
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
    [FIT_TERM_PACKED] = {"packed", packed, 0},
    [FIT_TERM_OVER_2_NODES] = {"over_2_nodes", over_2_nodes, 0},
    [FIT_TERM_OVER_4_NODES] = {"over_4_nodes", over_4_nodes, 0},
    [FIT_TERM_OVER_8_NODES] = {"over_8_nodes", over_8_nodes, 0},
    [FIT_TERM_NODE_DEPTH] = {"node_depth", node_depth, 0},
    [FIT_TERM_NODE_DEPTH_BYTES] = {"node_depth_byte", node_depth_bytes, 0},
    [FIT_TERM_NODE_VOLUME_BYTES] = {"node_volume_byte", node_volume_bytes, 0},
    [FIT_TERM_REMOTE] = {"remote", remote, 0},
    [FIT_TERM_REMOTE_BYTES] = {"remote_byte", remote_bytes, 0},
    [FIT_TERM_CROSSING_BYTES] = {"crossing_byte", crossing_bytes, 0},
    [FIT_TERM_MESSAGES] = {"messages", messages, 0},
    [FIT_TERM_CROSSINGS] = {"next_node", crossings, 0},
    [FIT_TERM_CROSSINGS_BYTES] = {"next_node_byte", crossings_bytes, 0},
    [FIT_TERM_NODE_STEPS] = {"node_step", node_steps, 0},
    [FIT_TERM_SHARED_BYTES] = {"shared_byte", shared_bytes, 0},
    [FIT_TERM_SHARED_STEP_BYTES] = {"shared_step_byte", shared_step_bytes, 0},
    [FIT_TERM_SHARED_DEPTH_BYTES] = {"shared_depth_byte", shared_depth_bytes, 0},
    [FIT_TERM_SHARED_VOLUME_BYTES] = {"shared_volume_byte", shared_volume_bytes, 0},
    [FIT_TERM_ROUNDS] = {"round", rounds, 0},
    [FIT_TERM_ROUND_BYTES] = {"round_byte", round_bytes, 0},
};

const fit_law fit_operation_law = {"", operation_terms, FIT_OPERATION_TERMS, 0};

static const fit_term butterfly_terms[FIT_BUTTERFLY_TERMS] = {
    [FIT_BUTTERFLY_STEPS] = {"step", fit_basis_tree_steps, 0},
    [FIT_BUTTERFLY_STEP_BYTES] = {"step_byte", fit_basis_tree_bytes, 0},
    [FIT_BUTTERFLY_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_BUTTERFLY_NEAR] = {"near", near, 0},
    [FIT_BUTTERFLY_NEAR_BYTES] = {"near_byte", near_bytes, 0},
    [FIT_BUTTERFLY_FAR] = {"node_depth", node_depth, 0},
    [FIT_BUTTERFLY_FAR_BYTES] = {"node_depth_byte", node_depth_bytes, 0},
    [FIT_BUTTERFLY_SHARED_BYTES] = {"shared_depth_byte", shared_depth_bytes, 0},
};

const fit_law fit_butterfly_law = {"", butterfly_terms, FIT_BUTTERFLY_TERMS, 0};

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

static const fit_term row_terms[FIT_GROUP_TERMS] = {
    [FIT_GROUP_NEAR_ROUNDS] = {"row_near_round", row_near_rounds, 0},
    [FIT_GROUP_NEAR_BYTES] = {"row_near_byte", row_near_bytes, 0},
    [FIT_GROUP_FAR_ROUNDS] = {"row_far_round", row_far_rounds, 0},
    [FIT_GROUP_CROSSING_BYTES] = {"row_crossing_byte", row_crossing_bytes, 0},
    [FIT_GROUP_NEAR_ROUND_BYTES] = {"row_near_round_byte", row_near_round_bytes, 0},
    [FIT_GROUP_FAR_BYTES] = {"row_far_byte", row_far_bytes, 0},
    [FIT_GROUP_REMOTE] = {"row_remote", row_remote, 0},
};

const fit_law fit_row_law = {"", row_terms, FIT_GROUP_TERMS, 0};

static const fit_term column_terms[FIT_GROUP_TERMS] = {
    [FIT_GROUP_NEAR_ROUNDS] = {"column_near_round", column_near_rounds, 0},
    [FIT_GROUP_NEAR_BYTES] = {"column_near_byte", column_near_bytes, 0},
    [FIT_GROUP_FAR_ROUNDS] = {"column_far_round", column_far_rounds, 0},
    [FIT_GROUP_CROSSING_BYTES] = {"column_crossing_byte", column_crossing_bytes, 0},
    [FIT_GROUP_NEAR_ROUND_BYTES] = {"column_near_round_byte", column_near_round_bytes, 0},
    [FIT_GROUP_FAR_BYTES] = {"column_far_byte", column_far_bytes, 0},
    [FIT_GROUP_REMOTE] = {"column_remote", column_remote, 0},
};

const fit_law fit_column_law = {"", column_terms, FIT_GROUP_TERMS, 0};

static const fit_term halo_terms[FIT_HALO_TERMS] = {
    [FIT_HALO_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_HALO_BYTES] = {"byte", fit_basis_bytes, 0},
    [FIT_HALO_SHARED_BYTES] = {"halo_shared_byte", halo_shared_bytes, 0},
    [FIT_HALO_STAGGERED_BYTES] = {"halo_staggered_byte", halo_staggered_bytes, 0},
    [FIT_HALO_NEXT] = {"halo_next", halo_next, 0},
    [FIT_HALO_NEXT_BYTES] = {"halo_next_byte", halo_next_bytes, 0},
    [FIT_HALO_FAR] = {"halo_far", halo_far, 0},
    [FIT_HALO_FAR_BYTES] = {"halo_far_byte", halo_far_bytes, 0},
    [FIT_HALO_APART_BYTES] = {"halo_apart_byte", halo_apart_bytes, 0},
    [FIT_HALO_UPLINK_BYTES] = {"halo_uplink_byte", halo_uplink_bytes, 0},
};

const fit_law fit_halo_law = {"", halo_terms, FIT_HALO_TERMS, 0};

static const fit_term grid_tree_terms[FIT_GRID_TREE_TERMS] = {
    [FIT_GRID_TREE_DEPTH] = {"grid_depth", grid_depth, 0},
    [FIT_GRID_TREE_NEAR_BYTES] = {"grid_near_byte", grid_near_bytes, 0},
    [FIT_GRID_TREE_FAR_BYTES] = {"grid_far_byte", grid_far_bytes, 0},
    [FIT_GRID_TREE_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_GRID_TREE_BYTES] = {"byte", fit_basis_bytes, 0},
    [FIT_GRID_TREE_NEXT] = {"halo_next", halo_next, 0},
    [FIT_GRID_TREE_NEXT_BYTES] = {"halo_next_byte", halo_next_bytes, 0},
    [FIT_GRID_TREE_FAR] = {"halo_far", halo_far, 0},
    [FIT_GRID_TREE_BEYOND_BYTES] = {"halo_far_byte", halo_far_bytes, 0},
};

const fit_law fit_grid_tree_law = {"", grid_tree_terms, FIT_GRID_TREE_TERMS, 0};

static const fit_term uplink_exchange_terms[FIT_UPLINK_EXCHANGE_TERMS] = {
    [FIT_UPLINK_EXCHANGE_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_UPLINK_EXCHANGE_PROCESSES] = {"process", fit_basis_others, 0},
    [FIT_UPLINK_EXCHANGE_BYTES] = {"uplink_byte", uplink_bytes, 0},
    [FIT_UPLINK_EXCHANGE_ROUNDS] = {"round", rounds, 0},
    [FIT_UPLINK_EXCHANGE_ROUND_BYTES] = {"uplink_round_byte", uplink_round_bytes, 0},
    [FIT_UPLINK_EXCHANGE_REMOTE] = {"remote", remote, 0},
};

const fit_law fit_uplink_exchange_law = {"", uplink_exchange_terms, FIT_UPLINK_EXCHANGE_TERMS, 0};

static const fit_term uplink_butterfly_terms[FIT_UPLINK_BUTTERFLY_TERMS] = {
    [FIT_UPLINK_BUTTERFLY_STEPS] = {"step", fit_basis_tree_steps, 0},
    [FIT_UPLINK_BUTTERFLY_STEP_BYTES] = {"uplink_step_byte", uplink_step_bytes, 0},
    [FIT_UPLINK_BUTTERFLY_CONSTANT] = {"start", fit_basis_one, 0},
    [FIT_UPLINK_BUTTERFLY_NEAR] = {"near", near, 0},
    [FIT_UPLINK_BUTTERFLY_NEAR_BYTES] = {"near_byte", near_bytes, 0},
    [FIT_UPLINK_BUTTERFLY_FAR] = {"node_depth", node_depth, 0},
    [FIT_UPLINK_BUTTERFLY_FAR_BYTES] = {"uplink_far_byte", uplink_far_bytes, 0},
};

const fit_law fit_uplink_butterfly_law = {"", uplink_butterfly_terms, FIT_UPLINK_BUTTERFLY_TERMS,
                                          0};

static const fit_term uplink_row_terms[FIT_UPLINK_GROUP_TERMS] = {
    [FIT_UPLINK_GROUP_NEAR_ROUNDS] = {"row_near_round", row_near_rounds, 0},
    [FIT_UPLINK_GROUP_NEAR_BYTES] = {"row_near_byte", row_near_bytes, 0},
    [FIT_UPLINK_GROUP_FAR_ROUNDS] = {"row_far_round", row_far_rounds, 0},
    [FIT_UPLINK_GROUP_FAR_BYTES] = {"row_uplink_byte", row_uplink_bytes, 0},
    [FIT_UPLINK_GROUP_NEAR_ROUND_BYTES] = {"row_near_round_byte", row_near_round_bytes, 0},
    [FIT_UPLINK_GROUP_REMOTE] = {"row_remote", row_remote, 0},
};

const fit_law fit_uplink_row_law = {"", uplink_row_terms, FIT_UPLINK_GROUP_TERMS, 0};

static const fit_term uplink_column_terms[FIT_UPLINK_GROUP_TERMS] = {
    [FIT_UPLINK_GROUP_NEAR_ROUNDS] = {"column_near_round", column_near_rounds, 0},
    [FIT_UPLINK_GROUP_NEAR_BYTES] = {"column_near_byte", column_near_bytes, 0},
    [FIT_UPLINK_GROUP_FAR_ROUNDS] = {"column_far_round", column_far_rounds, 0},
    [FIT_UPLINK_GROUP_FAR_BYTES] = {"column_uplink_byte", column_uplink_bytes, 0},
    [FIT_UPLINK_GROUP_NEAR_ROUND_BYTES] = {"column_near_round_byte", column_near_round_bytes, 0},
    [FIT_UPLINK_GROUP_REMOTE] = {"column_remote", column_remote, 0},
};

const fit_law fit_uplink_column_law = {"", uplink_column_terms, FIT_UPLINK_GROUP_TERMS, 0};

static const isocast_term *text_of(const fit_law *law, size_t term) {
    return isocast_term_find(isocast_terms_of(law->shape), law->terms[term].key);
}

const char *fit_law_unit(const fit_law *law, size_t term) {
    return text_of(law, term)->unit;
}

const char *fit_law_factor(const fit_law *law, size_t term) {
    return text_of(law, term)->factor;
}
