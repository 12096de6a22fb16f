#include "word_numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t isocast_word_number(const char *word, double *value) {
    size_t length = strlen(word);
    for (size_t i = 0; i < length; i++) {
        bool sign = i == 0 && (word[i] == '-' || word[i] == '+');
        if (!isdigit((unsigned char)word[i + sign]) && word[i + sign] != '.') {
            continue;
        }
        char *end = NULL;
        *value = strtod(word + i, &end);
        if (*end == '\0' && end != word + i && isfinite(*value) &&
            strpbrk(word + i, "xXpP") == NULL) {
            return i;
        }
        while (isdigit((unsigned char)word[i + 1])) {
            i++;
        }
    }
    return length;
}

double isocast_word_number_at(const isocast_record *record, size_t argument) {
    double value = 0;
    (void)isocast_word_number(record->arguments[argument], &value);
    return value;
}

bool isocast_word_divides_processes(const isocast_record *record, size_t argument) {
    double value = isocast_word_number_at(record, argument);
    return value >= 1 && fmod((double)record->process_count, value) == 0;
}

bool isocast_word_follows_processes(isocast_record *const *records, size_t count, size_t argument) {
    for (size_t r = 0; r < count; r++) {
        if (!isocast_word_divides_processes(records[r], argument)) {
            return false;
        }
        for (size_t k = 0; k < r; k++) {
            if (records[k]->process_count == records[r]->process_count &&
                isocast_word_number_at(records[k], argument) !=
                    isocast_word_number_at(records[r], argument)) {
                return false;
            }
        }
    }
    return true;
}
