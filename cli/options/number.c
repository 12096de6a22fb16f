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

void cli_number_format(double value, isocast_buffer *out) {
    char text[40];
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    isocast_buffer_puts(out, text);
}
