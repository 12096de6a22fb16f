#include "nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Of more names than NAMES_REPORTED only the first are listed. */
enum { NAME_LENGTH_MAX = 64, BEGINNING_LEAST = 3, NAMES_REPORTED = 40, NAMES_FIRST = 12 };

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Slips between two names of at most NAME_LENGTH_MAX bytes: the optimal string alignment. */
static size_t count_slips(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][NAME_LENGTH_MAX + 1];
    size_t *two_above = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *free_row = two_above;
        two_above = above;
        above = row;
        row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            bool same = same_letter(a[i - 1], b[j - 1]);
            row[j] = lesser(lesser(above[j], row[j - 1]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1])) {
                row[j] = lesser(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return row[b_length];
}

/* Whether two names of one length have the same letters, in any order. */
static bool same_letters(const char *a, const char *b) {
    int difference[256] = {0};
    bool same = true;
    for (; *a != '\0'; a++, b++) {
        difference[tolower((unsigned char)*a)]++;
        difference[tolower((unsigned char)*b)]--;
    }
    for (size_t i = 0; i < sizeof difference / sizeof difference[0]; i++) {
        same = same && difference[i] == 0;
    }
    return same;
}

static const char *fewest_slips(const char *name, const char *const *names, size_t count) {
    size_t length = strlen(name);
    const char *nearest = NULL;
    size_t least = NAME_LENGTH_MAX;
    for (size_t i = 0; length <= NAME_LENGTH_MAX && i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > NAME_LENGTH_MAX) {
            continue;
        }
        size_t slips = count_slips(name, length, names[i], other);
        size_t longer = length > other ? length : other;
        /* A name of two letters is not a slip of another one, nor t_s one of t_c. */
        bool other_letter = length == other && longer <= 3 && !same_letters(name, names[i]);
        if (slips <= longer / 3 && slips < least && !other_letter) {
            least = slips;
            nearest = names[i];
        }
    }
    return nearest;
}

static const char *shortest_beginning(const char *name, const char *const *names, size_t count) {
    size_t length = strlen(name);
    const char *shortest = NULL;
    for (size_t i = 0; length >= BEGINNING_LEAST && i < count; i++) {
        bool begins = strncasecmp(name, names[i], length) == 0;
        if (begins && (shortest == NULL || strlen(names[i]) < strlen(shortest))) {
            shortest = names[i];
        }
    }
    return shortest;
}

/* "marked_speed" ends in the word "speed". */
static bool ends_in_word(const char *text, const char *word) {
    size_t length = strlen(text);
    size_t word_length = strlen(word);
    return word_length > 1 && length > word_length &&
           strchr("_-.", text[length - word_length - 1]) != NULL &&
           strcmp(text + length - word_length, word) == 0;
}

/* Whether `name` is written out what `shorter` is short for: "broadcast", "bcast". */
static bool is_short_for(const char *shorter, const char *name) {
    size_t length = strlen(shorter);
    size_t whole = strlen(name);
    const char *at = name;
    for (const char *letter = shorter; *letter != '\0'; letter++) {
        while (*at != '\0' && !same_letter(*at, *letter)) {
            at++;
        }
        if (*at++ == '\0') {
            return false;
        }
    }
    return length > BEGINNING_LEAST && 2 * length > whole && same_letter(*shorter, *name) &&
           same_letter(shorter[length - 1], name[whole - 1]);
}

const char *isocast_nearest_name(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(name, names[i]) == 0) {
            return names[i];
        }
    }
    const char *nearest = fewest_slips(name, names, count);
    for (size_t i = 0; nearest == NULL && i < count; i++) {
        if (ends_in_word(name, names[i]) || ends_in_word(names[i], name)) {
            nearest = names[i];
        }
    }
    for (size_t i = 0; nearest == NULL && i < count; i++) {
        nearest = is_short_for(names[i], name) ? names[i] : NULL;
    }
    return nearest != NULL ? nearest : shortest_beginning(name, names, count);
}

bool isocast_nearest_append(isocast_buffer *out, const char *name, const char *const *names,
                            size_t count) {
    const char *nearest = isocast_nearest_name(name, names, count);
    if (nearest != NULL) {
        isocast_buffer_printf(out, "did you mean '%s'?", nearest);
    }
    return nearest != NULL;
}

void isocast_nearest_hint(isocast_buffer *out, const char *name, const char *const *names,
                          size_t count, const char *known) {
    if (isocast_nearest_append(out, name, names, count)) {
        return;
    }
    size_t reported = count > NAMES_REPORTED ? NAMES_FIRST : count;
    for (size_t i = 0; i < reported; i++) {
        isocast_buffer_printf(out, "%s%s %s", i == 0 ? known : "", i == 0 ? ":" : ",", names[i]);
    }
    if (reported < count) {
        isocast_buffer_printf(out, " and %zu others", count - reported);
    }
}
