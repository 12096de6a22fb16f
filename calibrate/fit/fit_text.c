#include "fit_text.h"

#include <math.h>

#include "machine_text.h"
#include "model/spec/terms.h"

/* The keys of the terms in a machine file. */
static const char *const keys[FIT_TERMS] = {
    [FIT_TERM_CONSTANT] = "start",
    [FIT_TERM_STEPS] = "step",
    [FIT_TERM_PROCESSES] = "process",
    [FIT_TERM_BYTES] = "byte",
    [FIT_TERM_STEP_BYTES] = "step_byte",
    [FIT_TERM_PROCESS_BYTES] = "process_byte",
    [FIT_TERM_DEPTH] = "depth",
    [FIT_TERM_DEPTH_BYTES] = "depth_byte",
    [FIT_TERM_VOLUME_BYTES] = "volume_byte",
    [FIT_TERM_SPREAD] = "spread",
    [FIT_TERM_SPREAD_BYTES] = "spread_byte",
    [FIT_TERM_NODE_DEPTH] = "node_depth",
    [FIT_TERM_NODE_DEPTH_BYTES] = "node_depth_byte",
    [FIT_TERM_NODE_VOLUME_BYTES] = "node_volume_byte",
    [FIT_TERM_REMOTE] = "remote",
    [FIT_TERM_REMOTE_BYTES] = "remote_byte",
    [FIT_TERM_CROSSING_BYTES] = "crossing_byte",
    [FIT_TERM_MESSAGES] = "messages",
};

const char *fit_term_key(fit_term term) {
    return keys[term];
}

const char *fit_term_unit(fit_term term) {
    return isocast_term_find(isocast_terms_of(""), keys[term])->unit;
}

/* A ratio has four decimals. */
static double rounded(double ratio) {
    return nearbyint(1e4 * ratio) / 1e4;
}

/* Whether the ratio is what the line from its neighbours gives, as all three are the same. */
static bool is_idle(const fit_correction *correction, size_t k) {
    double ratio = rounded(correction->ratio[k]);
    return k > 0 && k + 1 < correction->counts && ratio == rounded(correction->ratio[k - 1]) &&
           ratio == rounded(correction->ratio[k + 1]);
}

static void put_correction(isocast_buffer *out, const fit_correction *correction, size_t indent) {
    machine_flow flow = machine_flow_begin(out, '{', indent);
    for (size_t k = 0; k < correction->counts; k++) {
        if (!is_idle(correction, k)) {
            isocast_buffer_printf(&flow.item, "%g: %.10g", correction->count_measured[k],
                                  rounded(correction->ratio[k]));
            machine_flow_next(&flow);
        }
    }
    isocast_buffer_printf(&flow.item, "%g: 1",
                          2 * correction->count_measured[correction->counts - 1]);
    machine_flow_next(&flow);
    machine_flow_end(&flow);
}

/* The keys of a range in its list of ranges, or of an operation that has one range. */
typedef struct range_keys {
    isocast_buffer *out;
    machine_flow *flow; /* NULL: each key has a line of its own */
    size_t indent;
} range_keys;

static isocast_buffer *begin_key(const range_keys *keys_of, const char *key) {
    isocast_buffer *out = keys_of->flow != NULL ? &keys_of->flow->item : keys_of->out;
    isocast_buffer_printf(out, "%*s%s: ", keys_of->flow != NULL ? 0 : (int)keys_of->indent, "",
                          key);
    return out;
}

static void end_key(const range_keys *keys_of) {
    if (keys_of->flow != NULL) {
        machine_flow_next(keys_of->flow);
    } else {
        isocast_buffer_puts(keys_of->out, "\n");
    }
}

static void put_keys(const range_keys *own, const fit_regime *regime, double launch_variance) {
    double covariance[FIT_TERMS][FIT_TERMS];
    double values[FIT_TERMS];
    size_t used = 0;
    fit_regime_covariance(regime, launch_variance, covariance, &used);
    size_t row = 0;
    for (int term = 0; term < FIT_TERMS; term++) {
        if (regime->used[term]) {
            machine_number number = {regime->coefficient[term], sqrt(covariance[row][row]),
                                     fit_term_unit((fit_term)term)};
            machine_text_number(begin_key(own, keys[term]), &number,
                                machine_text_step(number.value, number.unit));
            end_key(own);
            values[row++] = number.value;
        }
    }
    static const char *const ratios[2] = {"ratio", "ratio_shared"};
    for (size_t k = 0; k < 2; k++) {
        if (regime->corrections[k].counts > 0) {
            put_correction(begin_key(own, ratios[k]), &regime->corrections[k], own->indent + 2);
            end_key(own);
        }
    }
    if (used > 1) {
        machine_text_correlation(begin_key(own, "correlation"),
                                 &(machine_errors){values, &covariance[0][0], used, FIT_TERMS},
                                 own->indent + 2);
        end_key(own);
    }
}

void fit_regime_covariance(const fit_regime *regime, double launch_variance,
                           double out[FIT_TERMS][FIT_TERMS], size_t *used) {
    size_t row = 0;
    for (int a = 0; a < FIT_TERMS; a++) {
        size_t column = 0;
        for (int b = 0; b < FIT_TERMS && regime->used[a]; b++) {
            if (regime->used[b]) {
                double shared = regime->coefficient[a] * regime->coefficient[b] * launch_variance;
                out[row][column++] = regime->covariance[a][b] + shared;
            }
        }
        row += regime->used[a];
    }
    *used = row;
}

void fit_put_regimes(const fit_regimes *regimes, const char *size, double launch_variance,
                     size_t indent, isocast_buffer *out) {
    if (regimes->count == 1) {
        put_keys(&(range_keys){out, NULL, indent}, &regimes->regimes[0], launch_variance);
        return;
    }
    if (size != NULL) {
        isocast_buffer_printf(out, "%*ssize: %s\n", (int)indent, "", size);
    }
    isocast_buffer_printf(out, "%*sranges:\n", (int)indent, "");
    for (size_t r = 0; r < regimes->count; r++) {
        isocast_buffer_printf(out, "%*s- ", (int)indent + 2, "");
        machine_flow flow = machine_flow_begin(out, '{', indent + 5);
        isocast_buffer_puts(&flow.item, "from: ");
        machine_text_size(&flow.item, r == 0 ? 0 : nearbyint(regimes->regimes[r].size_from));
        machine_flow_next(&flow);
        put_keys(&(range_keys){out, &flow, indent + 5}, &regimes->regimes[r], launch_variance);
        machine_flow_end(&flow);
        isocast_buffer_puts(out, "\n");
    }
}
