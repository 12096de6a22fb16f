#include "option_value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest number that is looked at; no double needs as many digits. */
enum { NUMBER_LENGTH = 400 };

/* Digits alone, `length` of them at the start of a text. */
static bool read_whole(const char *text, size_t length, unsigned long long *out) {
    char digits[NUMBER_LENGTH];
    if (length == 0 || length >= sizeof digits || strspn(text, "0123456789") < length) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    errno = 0;
    *out = strtoull(digits, NULL, 10);
    return errno == 0;
}

bool option_whole(const option_value *value, long least, long most, long *out) {
    unsigned long long number = 0;
    bool fits = read_whole(value->text, strlen(value->text), &number) &&
                number >= (unsigned long long)least && number <= (unsigned long long)most;
    if (fits) {
        *out = (long)number;
    } else if (value->loud) {
        fprintf(stderr, "%s: %s takes a whole number from %ld to %ld, not '%s'\n", value->program,
                value->option, least, most, value->text);
    }
    return fits;
}

bool option_number(const option_value *value, bool zero, double most, double *out) {
    /* strtod() takes more: leading blanks, hexadecimal numbers, infinity and NaN. */
    bool plain =
        value->text[0] != '\0' && strspn(value->text, "+-.0123456789eE") == strlen(value->text);
    char *end = NULL;
    double number = plain ? strtod(value->text, &end) : NAN;
    bool fits = plain && *end == '\0' && (zero ? number >= 0 : number > 0) && number <= most;
    if (fits) {
        *out = number;
    } else if (value->loud) {
        fprintf(stderr, "%s: %s takes a number %s to %g, not '%s'\n", value->program, value->option,
                zero ? "from 0" : "above 0 and up", most, value->text);
    }
    return fits;
}

static bool refuse_item(const option_value *value, size_t least, size_t most, const char *item,
                        size_t length) {
    if (value->loud) {
        fprintf(stderr,
                "%s: %s takes whole numbers from %zu to %zu, separated by commas, not '%.*s' as in "
                "'%s'\n",
                value->program, value->option, least, most, (int)length, item, value->text);
    }
    return false;
}

bool option_list(const option_value *value, size_t least, size_t most, size_t *numbers, size_t room,
                 size_t *count) {
    size_t read = 0;
    for (const char *item = value->text; item[0] != '\0' || read > 0;) {
        size_t length = strcspn(item, ",");
        unsigned long long number = 0;
        if (!read_whole(item, length, &number) || number < least || number > most) {
            return refuse_item(value, least, most, item, length);
        }
        if (read == room) {
            if (value->loud) {
                fprintf(stderr, "%s: %s takes at most %zu numbers, there are more in '%s'\n",
                        value->program, value->option, room, value->text);
            }
            return false;
        }
        numbers[read++] = (size_t)number;
        if (item[length] == '\0') {
            break;
        }
        item += length + 1;
    }
    *count = read;
    return true;
}
