#include "machine_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

enum { LINE_MAX = 120, VALUE_DIGITS = 9, VALUE_DIGITS_MIN = 4, TOGETHER_DIGITS = 2 };

/* Digits of errors. The end of a 90 % interval of N, ln N +- 1.645 sigma, is to stay what it is
 * within 1e-5. An error that is rounded by d, relative to its number, moves sigma by d times the
 * number's elasticity at most; a correlation that is rounded by d moves it by less than d times the
 * smaller of both relative errors, and more where they nearly cancel. */
enum { ERROR_DECIMALS = 4, ERROR_DIGITS_MIN = 3, CORRELATION_DECIMALS = 6 };

void machine_text_quote(isocast_buffer *out, const char *text, size_t length) {
    isocast_buffer clean = {0};
    isocast_text_clean(text, length, "", &clean);
    out->failed = out->failed || clean.failed;
    isocast_buffer_puts(out, "\"");
    for (size_t i = 0; i < clean.length; i++) {
        isocast_buffer_puts(out, clean.text[i] == '"' || clean.text[i] == '\\' ? "\\" : "");
        isocast_buffer_append(out, clean.text + i, 1);
    }
    isocast_buffer_puts(out, "\"");
    isocast_buffer_free(&clean);
}

static void put_name(isocast_buffer *out, const char *indent, const char *key) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    isocast_buffer_puts(out, indent);
    if (key[0] != '\0' && strspn(key, plain) == strlen(key)) {
        isocast_buffer_puts(out, key);
    } else {
        machine_text_quote(out, key, strlen(key));
    }
}

void machine_text_key(isocast_buffer *out, const char *indent, const char *key) {
    put_name(out, indent, key);
    isocast_buffer_puts(out, ": ");
}

void machine_text_head(isocast_buffer *out, const char *indent, const char *key) {
    put_name(out, indent, key);
    isocast_buffer_puts(out, ":\n");
}

void machine_text_entry(isocast_buffer *out, const char *indent, const char *key,
                        const char *text) {
    machine_text_key(out, indent, key);
    machine_text_quote(out, text, strlen(text));
    isocast_buffer_puts(out, "\n");
}

static const char *const prefixes[] = {"a", "f", "p", "n", "u", "m", "", "k", "M", "G"};
enum { UNITY = 6, PREFIXES = sizeof prefixes / sizeof prefixes[0] };

int machine_text_step(double value, const char *unit) {
    if (value == 0 || !isfinite(value) || unit[0] == '\0') {
        return 0;
    }
    double step = floor(log10(fabs(value)) / 3);
    return (int)fmin(fmax(step, -UNITY), PREFIXES - 1 - UNITY);
}

void machine_text_value(isocast_buffer *out, double value, const char *unit, int digits, int step) {
    isocast_buffer_printf(out, "%.*g", digits, value / pow(1000, step));
    if (unit[0] != '\0') {
        isocast_buffer_printf(out, " %s%s", prefixes[step + UNITY], unit);
    }
}

/* The digits that a number needs for so many decimals. */
static int digits_for(double value, int decimals) {
    double digits = value > 0 ? floor(log10(value)) + 1 + decimals : 0;
    return (int)fmin(fmax(digits, ERROR_DIGITS_MIN), DBL_DIG);
}

/* What is read again of a value. */
static double as_written(double value, int digits) {
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* So many digits that rounding changes the value by at most a hundredth of its error; where that of
 * others goes with it, by less, as both may nearly cancel. */
static int value_digits(const machine_number *number) {
    double ratio = fabs(number->error / number->value);
    if (!(ratio > 0) || !isfinite(ratio)) {
        return VALUE_DIGITS;
    }
    int least = number->alone ? VALUE_DIGITS_MIN : VALUE_DIGITS_MIN + TOGETHER_DIGITS;
    return (int)fmin(fmax(ceil(least - 1.3 - log10(ratio)), least), VALUE_DIGITS);
}

void machine_text_number(isocast_buffer *out, const machine_number *number, int step) {
    int digits = value_digits(number);
    machine_text_value(out, number->value, number->unit, digits, step);
    if (isnan(number->error)) {
        return;
    }
    isocast_buffer_puts(out, " \xC2\xB1 ");
    if (number->value != 0) {
        double percent = 100 * number->error / fabs(as_written(number->value, digits));
        isocast_buffer_printf(
            out, "%.*g %%", number->alone ? ERROR_DIGITS_MIN : digits_for(percent, ERROR_DECIMALS),
            percent);
    } else {
        machine_text_value(out, number->error, number->unit, VALUE_DIGITS,
                           machine_text_step(number->error, number->unit));
    }
}

void machine_text_size(isocast_buffer *out, double m) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    enum { UNITS = sizeof units / sizeof units[0] };
    size_t unit = 0;
    double size = m;
    for (size_t i = 1; i < UNITS && fmod(m, pow(1024, (double)i)) == 0 && m > 0; i++) {
        unit = i;
        size = m / pow(1024, (double)i);
    }
    /* 8396800 B are 8200 KiB: no easier to read. */
    if (unit > 0 && size >= 1024) {
        unit = 0;
        size = m;
    }
    isocast_buffer_printf(out, "%.17g %s", size, units[unit]);
}

void machine_text_measured(isocast_buffer *out, const double p[2], const double m[2]) {
    isocast_buffer_printf(out, "    measured: {p: [%.0f, %.0f], m: [", p[0], p[1]);
    machine_text_size(out, nearbyint(m[0]));
    isocast_buffer_puts(out, ", ");
    machine_text_size(out, nearbyint(m[1]));
    isocast_buffer_puts(out, "]}\n");
}

machine_flow machine_flow_begin(isocast_buffer *out, char open, size_t indent) {
    machine_flow flow = {.out = out, .indent = indent, .close = open == '{' ? '}' : ']'};
    size_t begin = out->length;
    while (begin > 0 && out->text[begin - 1] != '\n') {
        begin--;
    }
    flow.line_begin = begin;
    isocast_buffer_append(out, &open, 1);
    return flow;
}

void machine_flow_next(machine_flow *flow) {
    isocast_buffer *out = flow->out;
    out->failed = out->failed || flow->item.failed;
    const char *item = flow->item.text != NULL ? flow->item.text : "";
    bool full = out->length - flow->line_begin + flow->item.length + 3 > LINE_MAX;
    if (flow->begun && full) {
        isocast_buffer_puts(out, ",\n");
        flow->line_begin = out->length;
        isocast_buffer_printf(out, "%*s", (int)flow->indent, "");
    } else if (flow->begun) {
        isocast_buffer_puts(out, ", ");
    }
    isocast_buffer_puts(out, item);
    flow->begun = true;
    isocast_buffer_free(&flow->item);
}

void machine_flow_end(machine_flow *flow) {
    isocast_buffer_append(flow->out, &flow->close, 1);
    isocast_buffer_free(&flow->item);
}

void machine_text_correlation(isocast_buffer *out, const machine_errors *errors, size_t indent) {
    machine_flow flow = machine_flow_begin(out, '[', indent);
    for (size_t row = 1; row < errors->count; row++) {
        for (size_t column = 0; column < row; column++) {
            double a = sqrt(errors->covariance[row * errors->stride + row]);
            double b = sqrt(errors->covariance[column * errors->stride + column]);
            double both = errors->covariance[row * errors->stride + column];
            double value = a > 0 && b > 0 ? fmax(fmin(both / (a * b), 1), -1) : 0;
            double least = fmin(a / fabs(errors->values[row]), b / fabs(errors->values[column]));
            int decimals = CORRELATION_DECIMALS;
            if (least > 0 && least < 1) {
                decimals = (int)fmax(ceil(decimals + log10(least)), ERROR_DIGITS_MIN);
            }
            isocast_buffer_printf(&flow.item, "%.*g", digits_for(fabs(value), decimals), value);
            machine_flow_next(&flow);
        }
    }
    machine_flow_end(&flow);
}
