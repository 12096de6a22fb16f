#include "fit_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit_name.h"

void fit_coefficient_name(const fit_ranges *f, const char *prefix, const fit_place *place,
                          char *out, size_t most) {
    const fit_range *range = &f->items[place->range];
    double to = place->range + 1 < f->count ? range[1].from : INFINITY;
    fit_name_range(prefix, range->from, to, out, most);
    size_t length = strlen(out);
    snprintf(out + length, most - length, "_%s", f->law->terms[place->term].name);
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

/* The factor that the corrections make up. */
static void write_corrections(isocast_buffer *out, const fit_correction *spread,
                              const fit_correction *shared) {
    isocast_buffer_puts(out, shared->counts > 0 ? ")*if(nodes < p, " : ")*");
    if (shared->counts > 0) {
        write_correction(out, shared);
        isocast_buffer_puts(out, ", ");
    }
    write_correction(out, spread);
    isocast_buffer_puts(out, shared->counts > 0 ? ")" : "");
}

/* The sum of one range's terms, times the corrections; NULL for none. */
static void write_range(const fit_ranges *f, size_t r, const char *prefix,
                        const fit_correction *corrections, isocast_buffer *out) {
    bool corrected =
        corrections != NULL && (corrections[0].counts > 0 || corrections[1].counts > 0);
    const char *before = corrected ? "(" : "";
    for (size_t t = 0; t < f->law->count; t++) {
        if ((f->items[r].terms >> t & 1U) != 0) {
            char name[160];
            fit_coefficient_name(f, prefix, &(fit_place){r, t}, name, sizeof name);
            isocast_buffer_printf(out, "%s%s%s", before, name, f->law->terms[t].factor);
            before = " + ";
        }
    }
    if (corrected) {
        write_corrections(out, &corrections[0], &corrections[1]);
    }
}

void fit_write_ranges(const fit_ranges *f, const char *prefix, bool by_blocks,
                      fit_correction corrections[FIT_RANGES_MOST][2], isocast_buffer *out) {
    for (size_t r = 0; r < f->count; r++) {
        bool last = r + 1 == f->count;
        if (!last) {
            double to = f->items[r + 1].from;
            isocast_buffer_printf(out, to == floor(to) ? "if(%s < %.0f B, " : "if(%s < %.9g B, ",
                                  by_blocks ? "m/p" : "m", to);
        }
        write_range(f, r, prefix, corrections != NULL ? corrections[r] : NULL, out);
        isocast_buffer_puts(out, last ? "" : ", ");
    }
    for (size_t r = 1; r < f->count; r++) {
        isocast_buffer_puts(out, ")");
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
