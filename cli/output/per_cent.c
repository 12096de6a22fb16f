#include "per_cent.h"

#include <math.h>
#include <stdio.h>

const char *cli_per_cent(double share, int decimals, bool with_sign, char text[CLI_PER_CENT_MAX]) {
    const char *sign = with_sign && share > 0 ? "+" : "";
    double value = 100 * share;
    if (isinf(value)) { /* sizes of two numbers may be too far apart for one */
        (void)snprintf(text, CLI_PER_CENT_MAX, "%s",
                       share < 0 ? "less than -1e308" : "more than 1e308");
    } else if (decimals >= 0 && fabs(value) < 1e5) {
        (void)snprintf(text, CLI_PER_CENT_MAX, "%s%.*f", sign, decimals, value);
    } else {
        (void)snprintf(text, CLI_PER_CENT_MAX, "%s%.3g", sign, value);
    }
    return text;
}
