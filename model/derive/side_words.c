#include "side_words.h"

#include <stdint.h>
#include <string.h>

#include "word_numbers.h"

enum { WORDS_MOST = 12 /* that may be sides and differ */ };

static bool is_number(const isocast_record *record, size_t argument) {
    const char *word = record->arguments[argument];
    double unused;
    return isocast_word_number(word, &unused) < strlen(word);
}

static bool differs(isocast_record *const *records, size_t count, size_t argument) {
    bool is = false;
    for (size_t r = 1; r < count; r++) {
        is = is || isocast_word_number_at(records[r], argument) !=
                       isocast_word_number_at(records[0], argument);
    }
    return is;
}

static bool divides(isocast_record *const *records, size_t count, size_t argument) {
    bool is = is_number(records[0], argument);
    for (size_t r = 0; r < count && is; r++) {
        is = isocast_word_divides_processes(records[r], argument);
    }
    return is;
}

static bool make_processes(isocast_record *const *records, size_t count, const size_t *arguments,
                           size_t sides) {
    bool make = true;
    for (size_t r = 0; r < count && make; r++) {
        double product = 1;
        for (size_t i = 0; i < sides; i++) {
            product *= isocast_word_number_at(records[r], arguments[i]);
        }
        make = product == (double)records[r]->process_count;
    }
    return make;
}

/* A number that is 1 in all records, so far from two sides as these from each other, or between
 * them; SIZE_MAX: none. */
static size_t find_flat_side(isocast_record *const *records, size_t count, const bool *taken,
                             size_t a, size_t b) {
    size_t apart = b - a;
    const size_t places[] = {apart % 2 == 0 ? a + apart / 2 : SIZE_MAX, b + apart,
                             a >= apart ? a - apart : SIZE_MAX};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t at = places[i];
        if (at < records[0]->argument_count && !taken[at] && divides(records, count, at) &&
            !differs(records, count, at) && isocast_word_number_at(records[0], at) == 1) {
            return at;
        }
    }
    return SIZE_MAX;
}

static double sum_of(isocast_record *const *records, size_t count, size_t argument) {
    double sum = 0;
    for (size_t r = 0; r < count; r++) {
        sum += isocast_word_number_at(records[r], argument);
    }
    return sum;
}

/* The longest last; of those that are as long, the first word. */
static void order(isocast_record *const *records, size_t count, isocast_side_words *words) {
    for (size_t i = 1; i < words->count; i++) {
        size_t moved = words->arguments[i];
        size_t k = i;
        while (k > 0 &&
               sum_of(records, count, words->arguments[k - 1]) >= sum_of(records, count, moved)) {
            words->arguments[k] = words->arguments[k - 1];
            k--;
        }
        words->arguments[k] = moved;
    }
}

isocast_side_words isocast_side_words_find(isocast_record *const *records, size_t count,
                                           const bool *taken) {
    size_t likely[WORDS_MOST];
    size_t all = 0;
    for (size_t i = 0; i < records[0]->argument_count && all < WORDS_MOST; i++) {
        if (!taken[i] && divides(records, count, i) && differs(records, count, i)) {
            likely[all++] = i;
        }
    }
    isocast_side_words words = {0};
    for (size_t a = 0; a < all && words.count == 0; a++) {
        for (size_t b = a + 1; b < all && words.count == 0; b++) {
            size_t sides[ISOCAST_SIDES_MOST] = {likely[a], likely[b]};
            size_t found = make_processes(records, count, sides, 2) ? 2 : 0;
            for (size_t c = b + 1; c < all && found == 0; c++) {
                sides[2] = likely[c];
                found = make_processes(records, count, sides, 3) ? 3 : 0;
            }
            if (found == 2) {
                sides[2] = find_flat_side(records, count, taken, likely[a], likely[b]);
                found = sides[2] != SIZE_MAX ? 3 : 2;
            }
            words.count = found;
            memcpy(words.arguments, sides, sizeof sides);
        }
    }
    order(records, count, &words);
    return words;
}

bool isocast_side_words_fit(const isocast_side_words *words, isocast_record *record) {
    isocast_record *const one[] = {record};
    return words->count > 0 && make_processes(one, 1, words->arguments, words->count);
}
