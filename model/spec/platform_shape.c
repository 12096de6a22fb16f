#include "platform_shape.h"

#include <ctype.h>

const double isocast_shape_number_most = 1e6;

/* A number at *at, which goes on behind it; 0 where there is none, or it is not to be served. */
static double read_number(const char **at) {
    double number = 0;
    for (; isdigit((unsigned char)**at); (*at)++) {
        number = number * 10 + (**at - '0');
    }
    return number <= isocast_shape_number_most ? number : 0;
}

bool isocast_shape_parse(const char *text, isocast_shape *out) {
    *out = (isocast_shape){.lists = 1};
    for (const char *at = text;; at++) {
        size_t list = out->lists - 1;
        double number = read_number(&at);
        if (number < 1 || out->lengths[list] == ISOCAST_SHAPE_LENGTH) {
            return false;
        }
        out->numbers[list][out->lengths[list]++] = number;
        if (*at == '\0') {
            return true;
        }
        if ((*at != ',' && *at != ';') || (*at == ';' && out->lists == ISOCAST_SHAPE_LISTS)) {
            return false;
        }
        out->lists += *at == ';';
    }
}
