#include "number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_number_scan(const char *text, double *value, const char **end) {
    size_t length = strspn(text, "+-.0123456789");
    if (length > 0 && (text[length] == 'e' || text[length] == 'E')) {
        size_t exponent = strspn(text + length + 1, "+-0123456789");
        length += exponent > 0 ? 1 + exponent : 0;
    }
    /* What strtod() would take besides, such as hexadecimal numbers, ends elsewhere. */
    char *stop;
    double number = strtod(text, &stop);
    bool read = length > 0 && stop == text + length && isfinite(number);
    if (read) {
        *value = number;
        *end = text + length;
    }
    return read;
}

bool cli_number_parse(const char *text, double *value) {
    double number;
    const char *end;
    if (!cli_number_scan(text, &number, &end) || *end != '\0') {
        return false;
    }
    *value = number;
    return true;
}

/* Powers of ten that a long double holds exactly where it has 64 bits: 5^27 < 2^63. */
enum { POWERS = 28, DIGITS_MOST = DBL_DECIMAL_DIG, FIXED_LEAST = -4 };
static const long double powers[POWERS] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                           1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                           1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                           1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

/* Digits of a number, without leading zeros: 0.d1d2d3... times 10^(exponent + 1). */
typedef struct decimal {
    char digits[DIGITS_MOST + 1];
    int count;    /* as many were asked for, with zeros at the end */
    int exponent; /* of the first digit */
} decimal;

/* How surely `x` is on one side of a limit: what the product below rounds off is under 2^-7. */
static const long double margin = 0.03L;

/* Rounds x, a number of DIGITS_MOST digits, to `count` of them, and says whether a double that is
 * `half` from its neighbours' middles reads back as itself. False where that is not sure. */
static bool round_to(long double x, long double half, int count, unsigned long long *out,
                     bool *same) {
    long double unit = powers[DIGITS_MOST - count];
    unsigned long long down = (unsigned long long)(x / unit);
    long double rest = x - (long double)down * unit;
    if (fabsl(rest - unit / 2) < margin) {
        return false;
    }
    bool up = rest > unit / 2;
    long double off = up ? unit - rest : rest;
    *out = down + up;
    *same = off < half;
    return fabsl(off - half) > margin;
}

/* The fewest digits from DBL_DIG on that read back as a number above 0, by arithmetic in long
 * double. False where it does not decide: the number is too large or small, a power of two, or near
 * a tie. */
static bool find_digits(double value, decimal *out) {
    int binary;
    double fraction = frexp(value, &binary);
    int exponent = (int)floor(log10(value));
    int shift = DIGITS_MOST - 1 - exponent;
    if (LDBL_MANT_DIG < 64 || fraction == 0.5 || shift <= -POWERS || shift >= POWERS) {
        return false;
    }
    long double half = ldexpl(0.5L, binary - DBL_MANT_DIG);
    long double x = shift < 0 ? value / powers[-shift] : value * powers[shift];
    half = shift < 0 ? half / powers[-shift] : half * powers[shift];
    if (x < powers[DIGITS_MOST - 1] || x >= powers[DIGITS_MOST] - 1) {
        return false;
    }
    unsigned long long digits = 0;
    bool same = false;
    int count = DBL_DIG - 1;
    while (!same) {
        count++;
        if (count > DIGITS_MOST || !round_to(x, half, count, &digits, &same)) {
            return false;
        }
    }
    if ((long double)digits >= powers[count]) {
        return false;
    }
    out->count = count;
    out->exponent = exponent;
    for (int i = count - 1; i >= 0; i--) {
        out->digits[i] = (char)('0' + digits % 10);
        digits /= 10;
    }
    return true;
}

/* As "%.*g" writes them. */
static void put_digits(const decimal *d, bool negative, isocast_buffer *out) {
    char text[40];
    size_t length = 0;
    int count = d->count;
    while (count > 1 && d->digits[count - 1] == '0') {
        count--;
    }
    bool fixed = d->exponent >= FIXED_LEAST && d->exponent < d->count;
    int before = fixed ? d->exponent + 1 : 1; /* digits before the point */
    if (negative) {
        text[length++] = '-';
    }
    if (before <= 0) {
        text[length++] = '0';
        text[length++] = '.';
    }
    for (int i = before; i < 0; i++) {
        text[length++] = '0';
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && before > 0) {
            text[length++] = '.';
        }
        text[length++] = i < count ? d->digits[i] : (char)'0';
    }
    if (!fixed) {
        length += (size_t)snprintf(text + length, sizeof text - length, "e%+03d", d->exponent);
    }
    isocast_buffer_append(out, text, length);
}

/* By the C library: exact, and several times as slow. */
static void format_slowly(double value, isocast_buffer *out) {
    char text[40];
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    isocast_buffer_puts(out, text);
}

void cli_number_format(double value, isocast_buffer *out) {
    decimal digits;
    if (value != 0 && isfinite(value) && find_digits(fabs(value), &digits)) {
        put_digits(&digits, value < 0, out);
    } else {
        format_slowly(value, out);
    }
}
