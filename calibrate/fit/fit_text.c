#include "fit_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* How a term is called in a parameter's name, written in a formula, and its unit. */
static const struct {
    const char *suffix;
    const char *factor;
    const char *unit;
} term_texts[FIT_TERMS] = {
    [FIT_TERM_CONSTANT] = {"start", "", "s"},
    [FIT_TERM_STEPS] = {"step", "*ceil(log2(p))", "s"},
    [FIT_TERM_PROCESSES] = {"process", "*(p - 1)", "s"},
    [FIT_TERM_BYTES] = {"byte", "*m", "s/B"},
    [FIT_TERM_STEP_BYTES] = {"step_byte", "*m*ceil(log2(p))", "s/B"},
    [FIT_TERM_PROCESS_BYTES] = {"process_byte", "*m*(p - 1)", "s/B"},
    [FIT_TERM_DEPTH] = {"depth", "*floor(log2(p))", "s"},
    [FIT_TERM_DEPTH_BYTES] = {"depth_byte", "*m*floor(log2(p))", "s/B"},
    [FIT_TERM_VOLUME_BYTES] = {"volume_byte", "*m*binomial_volume(p)", "s/B"},
    [FIT_TERM_SPREAD] = {"spread", "*if(nodes == p, 1, 0)", "s"},
    [FIT_TERM_SPREAD_BYTES] = {"spread_byte", "*m*if(nodes == p, 1, 0)", "s/B"},
    [FIT_TERM_NODE_DEPTH] = {"node_depth", "*floor(log2(nodes))", "s"},
    [FIT_TERM_NODE_DEPTH_BYTES] = {"node_depth_byte", "*m*floor(log2(nodes))", "s/B"},
    [FIT_TERM_NODE_VOLUME_BYTES] = {"node_volume_byte", "*m*binomial_volume(nodes)", "s/B"},
    [FIT_TERM_REMOTE] = {"remote", "*(p - p_node)", "s"},
    [FIT_TERM_REMOTE_BYTES] = {"remote_byte", "*m*(p - p_node)", "s/B"},
    [FIT_TERM_CROSSING_BYTES] = {"crossing_byte", "*m/p*p_node*(p - p_node)", "s/B"},
    [FIT_TERM_MESSAGES] = {"messages", "*(p - 1)*(T_send(m/p) + T_recv(m/p))", ""},
};

const char *fit_term_suffix(fit_term term) {
    return term_texts[term].suffix;
}

const char *fit_term_unit(fit_term term) {
    return term_texts[term].unit;
}

static void write_correction(isocast_buffer *formula, const fit_correction *correction) {
    if (correction->counts == 0) {
        isocast_buffer_puts(formula, "1");
        return;
    }
    isocast_buffer_puts(formula, "interpolate(p");
    for (size_t k = 0; k < correction->counts; k++) {
        isocast_buffer_printf(formula, ", %g, %.4f", correction->count_measured[k],
                              correction->ratio[k]);
    }
    isocast_buffer_printf(formula, ", %g, 1)",
                          2 * correction->count_measured[correction->counts - 1]);
}

void fit_write_regime(isocast_buffer *formula, const fit_regime *regime, const char *prefix) {
    const fit_correction *spread = &regime->corrections[0];
    const fit_correction *shared = &regime->corrections[1];
    bool corrected = spread->counts > 0 || shared->counts > 0;
    const char *plus = corrected ? "(" : "";
    for (int term = 0; term < FIT_TERMS; term++) {
        if (regime->used[term]) {
            isocast_buffer_printf(formula, "%s%s_%s%s", plus, prefix, term_texts[term].suffix,
                                  term_texts[term].factor);
            plus = " + ";
        }
    }
    if (corrected) {
        isocast_buffer_puts(formula, shared->counts > 0 ? ")*if(nodes < p, " : ")*");
        if (shared->counts > 0) {
            write_correction(formula, shared);
            isocast_buffer_puts(formula, ", ");
        }
        write_correction(formula, spread);
        isocast_buffer_puts(formula, shared->counts > 0 ? ")" : "");
    }
}

static bool is_word_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Writes a formula with other words for two of its names. */
static void replace_names(const char *text, const char *const names[2], const char *const by[2],
                          isocast_buffer *out) {
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        while (is_word_byte(at[length])) {
            length++;
        }
        size_t name = 0;
        while (name < 2 &&
               (length != strlen(names[name]) || memcmp(at, names[name], length) != 0)) {
            name++;
        }
        if (name < 2) {
            isocast_buffer_puts(out, by[name]);
        } else {
            length = length > 0 ? length : 1;
            isocast_buffer_append(out, at, length);
        }
        at += length;
    }
}

/* Where several nodes were counted as one, formulas count them so too. */
void fit_count_groups(fit *f, double together) {
    char groups[64];
    char in_group[64];
    snprintf(groups, sizeof groups, "ceil(nodes/%.0f)", together);
    snprintf(in_group, sizeof in_group, "min(p, %.0f*p_node)", together);
    for (size_t i = 0; i < f->operation_count; i++) {
        isocast_buffer text = {0};
        isocast_buffer *formula = &f->operations[i].formula;
        if (formula->text != NULL) {
            replace_names(formula->text, (const char *const[]){"nodes", "p_node"},
                          (const char *const[]){groups, in_group}, &text);
            isocast_buffer_free(formula);
            *formula = text;
        }
    }
}
