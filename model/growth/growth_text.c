/* Orders of growth in words. */
#include <math.h>

#include "growth.h"

/* The least that the value is a fraction over; 0: it is no simple fraction. */
static int denominator_of(double value) {
    enum { DENOMINATOR_MAX = 24 };
    for (int n = 1; n <= DENOMINATOR_MAX; n++) {
        if (isocast_exponents_equal(value * n, round(value * n))) {
            return n;
        }
    }
    return 0;
}

double isocast_growth_exponent(double value) {
    int n = denominator_of(value);
    return n > 0 ? round(value * n) / n : value;
}

/* "3", "3/2" or "1.2346". */
static void put_number(double value, isocast_buffer *out) {
    int n = denominator_of(value);
    if (n > 1) {
        isocast_buffer_printf(out, "%.0f/%d", round(value * n), n);
    } else {
        isocast_buffer_printf(out, n == 1 ? "%.0f" : "%.5g", n == 1 ? round(value) : value);
    }
}

static bool is_whole(double value) {
    return isocast_exponents_equal(value, round(value)) && value >= 0;
}

/* A factor such as " log^2 p". */
static void put_power(const char *before, double exponent, const char *behind,
                      isocast_buffer *out) {
    isocast_buffer_puts(out, before);
    if (!isocast_exponents_equal(exponent, 1)) {
        isocast_buffer_puts(out, is_whole(exponent) ? "^" : "^(");
        put_number(exponent, out);
        isocast_buffer_puts(out, is_whole(exponent) ? "" : ")");
    }
    isocast_buffer_puts(out, behind);
}

/* Factors behind others, such as " log^2 p / log log p". */
static void put_logs(const isocast_growth_order *order, const char *variable, isocast_buffer *out) {
    double twice = order->log_log_p;
    if (!isocast_exponents_equal(order->log_p, 0)) {
        put_power(order->log_p < 0 ? " / log" : " log", fabs(order->log_p), " ", out);
        isocast_buffer_puts(out, variable);
    }
    if (!isocast_exponents_equal(twice, 0)) {
        bool single = isocast_exponents_equal(fabs(twice), 1);
        isocast_buffer_printf(out, single ? " %slog log %s" : " %s(log log %s",
                              twice < 0 ? "/ " : "", variable);
        put_power(single ? "" : ")", fabs(twice), "", out);
    }
}

void isocast_growth_order_put_in(const isocast_growth_order *order, const char *variable,
                                 isocast_buffer *out) {
    bool has_power = !isocast_exponents_equal(order->p, 0);
    bool has_log = !isocast_exponents_equal(order->log_p, 0);
    isocast_buffer_puts(out, "Theta(");
    if (has_power || order->log_p < 0) {
        if (has_power) {
            put_power(variable, order->p, "", out);
        } else {
            isocast_buffer_puts(out, "1");
        }
        put_logs(order, variable, out);
    } else if (has_log) {
        const isocast_growth_order behind = {.log_log_p = order->log_log_p};
        put_power("log", order->log_p, " ", out);
        isocast_buffer_puts(out, variable);
        put_logs(&behind, variable, out);
    } else {
        isocast_buffer_puts(out, "1");
    }
    isocast_buffer_puts(out, ")");
}

void isocast_growth_order_put(const isocast_growth_order *order, isocast_buffer *out) {
    isocast_growth_order_put_in(order, "p", out);
}

void isocast_growth_law_put(const isocast_growth_part *part, isocast_buffer *out) {
    /* A log log p is that of this E alone, at which terms are in balance. */
    if (!part->depends_on_E || isnan(part->law.factor) || !(part->N_of_W > 0) ||
        !isocast_exponents_equal(part->W.log_log_p, 0)) {
        return;
    }
    bool is_linear = isocast_exponents_equal(part->law.power, 1);
    isocast_buffer_puts(out, "Theta(p^(");
    if (!isocast_exponents_equal(part->p_of_W, 0)) {
        put_number(part->p_of_W, out);
        isocast_buffer_puts(out, " + ");
    }
    double outer = is_linear ? part->N_of_W * part->law.factor : part->N_of_W;
    if (!isocast_exponents_equal(outer, 1)) {
        put_number(outer, out);
        isocast_buffer_puts(out, " ");
    }
    if (is_linear) {
        isocast_buffer_puts(out, "K");
    } else {
        isocast_buffer_puts(out, "(");
        put_number(part->law.factor, out);
        isocast_buffer_puts(out, " K)^(");
        put_number(part->law.power, out);
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, ")");
    put_logs(&part->W, "p", out);
    isocast_buffer_puts(out, ")");
}
