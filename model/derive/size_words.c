#include "size_words.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula/function.h"
#include "model/spec/binding.h"
#include "site_key.h"

static const char *const usual_names[] = {"N", "M", "K", "L"};
/* Units, and what derived specifications define. */
static const char
    *const taken_names[] = {"s",      "B",           "rows",  "columns", "nodes",
                            "p_node", "p_node_max",  "depth", "height",  "width",
                            "error",  "marked_speed"}; /* the last ones are keys beside sizes */
static const char *const counts_in_words[] = {"no", "one", "two"};

bool isocast_size_name_is_free(const char *name) {
    bool good = isalpha((unsigned char)name[0]) && strlen(name) < ISOCAST_DERIVE_NAME_MAX;
    for (const char *c = name; *c != '\0'; c++) {
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    }
    for (size_t i = 0; i < sizeof taken_names / sizeof *taken_names; i++) {
        good = good && strcmp(name, taken_names[i]) != 0;
    }
    return good && !isocast_name_is_reserved(name) && isocast_function_find(name) == NULL;
}

/* ---- numbers in words ---- */

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

/* The number that a word ends with; 0 where there is none. */
static double number_at(const isocast_record *record, size_t argument) {
    double value = 0;
    (void)isocast_word_number(record->arguments[argument], &value);
    return value;
}

/* Whether it is 1 or more and divides the number of processes. */
static bool divides_processes(const isocast_record *record, size_t argument) {
    double value = number_at(record, argument);
    return value >= 1 && fmod((double)record->process_count, value) == 0;
}

bool isocast_word_follows_processes(isocast_record *const *records, size_t count, size_t argument) {
    for (size_t r = 0; r < count; r++) {
        if (!divides_processes(records[r], argument)) {
            return false;
        }
        for (size_t k = 0; k < r; k++) {
            if (records[k]->process_count == records[r]->process_count &&
                number_at(records[k], argument) != number_at(records[r], argument)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- sides of the grid of processes ---- */

enum { WORDS_MOST = 12 /* that may be sides and differ */ };

static bool is_number(const isocast_record *record, size_t argument) {
    const char *word = record->arguments[argument];
    double unused;
    return isocast_word_number(word, &unused) < strlen(word);
}

static bool differs(isocast_record *const *records, size_t count, size_t argument) {
    bool is = false;
    for (size_t r = 1; r < count; r++) {
        is = is || number_at(records[r], argument) != number_at(records[0], argument);
    }
    return is;
}

static bool divides(isocast_record *const *records, size_t count, size_t argument) {
    bool is = is_number(records[0], argument);
    for (size_t r = 0; r < count && is; r++) {
        is = divides_processes(records[r], argument);
    }
    return is;
}

static bool make_processes(isocast_record *const *records, size_t count, const size_t *arguments,
                           size_t sides) {
    bool make = true;
    for (size_t r = 0; r < count && make; r++) {
        double product = 1;
        for (size_t i = 0; i < sides; i++) {
            product *= number_at(records[r], arguments[i]);
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
            !differs(records, count, at) && number_at(records[0], at) == 1) {
            return at;
        }
    }
    return SIZE_MAX;
}

static double sum_of(isocast_record *const *records, size_t count, size_t argument) {
    double sum = 0;
    for (size_t r = 0; r < count; r++) {
        sum += number_at(records[r], argument);
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

/* Two or three numbers that differ between records and whose product is p in each of them. A number
 * that is 1 everywhere is the third one where it stands in one row with two others. taken:
 * [argument_count], numbers that are none. */
static isocast_side_words find_side_words(isocast_record *const *records, size_t count,
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

/* Whether they are sides of as many processes as a record has. */
static bool side_words_fit(const isocast_side_words *words, isocast_record *record) {
    isocast_record *const one[] = {record};
    return words->count > 0 && make_processes(one, 1, words->arguments, words->count);
}

/* ---- what is refused ---- */

/* The span of a line that begins with a name, by how many such lines stand before it. */
static isocast_span line_of(const isocast_record *record, const char *name, size_t before) {
    const char *text = record->source->text;
    size_t length = strlen(name);
    for (const char *line = text; line != NULL && *line != '\0';) {
        const char *end = strchr(line, '\n');
        if (strncmp(line, name, length) == 0 && line[length] == ',' && before-- == 0) {
            size_t begin = (size_t)(line - text);
            size_t last = end != NULL ? (size_t)(end - text) : strlen(text);
            return (isocast_span){begin + length + 1, last > begin + length + 1 ? last : last + 1};
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return (isocast_span){0, 1};
}

static void refuse(isocast_diagnostics *d, const isocast_record *record, const char *line,
                   size_t before, const char *hint, const char *message) {
    isocast_diagnostics_add(d, ISOCAST_ERROR, record->source, line_of(record, line, before), hint,
                            "%s", message);
}

static bool same_program(const isocast_record *a, const isocast_record *b) {
    return a->hash[0] != '\0' && b->hash[0] != '\0'
               ? strcmp(a->hash, b->hash) == 0 || isocast_same_source(a, b)
               : strcmp(isocast_base_name(a->program), isocast_base_name(b->program)) == 0;
}

static void check_run(const isocast_record *record, isocast_diagnostics *d) {
    if (record->end != ISOCAST_RECORD_COMPLETE) {
        refuse(d, record, "end", 0, "record a run that goes to MPI_Finalize",
               "the run did not end, so its counts are not those of a whole run");
    }
    for (size_t i = 0; i < record->process_count; i++) {
        if (record->processes[i].lost > 0) {
            refuse(d, record, "process", i, NULL,
                   "calls of this process are lost, so its counts are not whole");
            return;
        }
    }
}

static void check_alike(const isocast_record *first, const isocast_record *record,
                        isocast_diagnostics *d) {
    check_run(record, d);
    char message[512];
    if (!same_program(first, record)) {
        snprintf(message, sizeof message, "this is a record of another program than %.300s",
                 first->source->name);
        bool by_hash = record->hash[0] != '\0' && first->hash[0] != '\0';
        refuse(d, record, by_hash ? "hash" : "program", 0,
               "record all runs with the same file of the program; where sizes are compiled into "
               "several "
               "files with -g, start each by one script that takes the size",
               message);
        return;
    }
    if (first->argument_count != record->argument_count) {
        snprintf(message, sizeof message,
                 "the program has %zu %s behind its name here, and %zu in %.300s",
                 record->argument_count, record->argument_count == 1 ? "word" : "words",
                 first->argument_count, first->source->name);
        refuse(d, record, record->argument_count > 0 ? "argument" : "program", 0,
               "all runs need the same words but for numbers", message);
        return;
    }
    for (size_t i = 0; i < record->argument_count; i++) {
        const char *a = first->arguments[i];
        const char *b = record->arguments[i];
        double unused;
        size_t begin_a = isocast_word_number(a, &unused);
        size_t begin_b = isocast_word_number(b, &unused);
        bool numbers = begin_a < strlen(a) && begin_b < strlen(b);
        bool alike =
            numbers ? begin_a == begin_b && strncmp(a, b, begin_a) == 0 : strcmp(a, b) == 0;
        if (!alike) {
            snprintf(message, sizeof message,
                     "word %zu of the program is '%.80s' here and '%.80s' in %.200s", i + 1, b, a,
                     first->source->name);
            refuse(d, record, "argument", i, "only numbers may differ between the runs", message);
        }
    }
}

/* Different values of an argument, or of p where `argument` is SIZE_MAX; up to 3. */
static size_t different(isocast_record *const *records, size_t count, size_t argument,
                        double *values) {
    size_t found = 0;
    for (size_t r = 0; r < count && found < ISOCAST_DERIVE_VALUES_LEAST; r++) {
        double value = argument == SIZE_MAX ? (double)records[r]->process_count
                                            : number_at(records[r], argument);
        bool is_new = true;
        for (size_t i = 0; i < found; i++) {
            is_new = is_new && values[i] != value;
        }
        if (is_new) {
            values[found++] = value;
        }
    }
    return found;
}

static bool is_multiple(isocast_record *const *records, size_t count, size_t a, size_t b) {
    double first_a = number_at(records[0], a);
    double first_b = number_at(records[0], b);
    for (size_t r = 1; r < count; r++) {
        if (number_at(records[r], a) * first_b != number_at(records[r], b) * first_a) {
            return false;
        }
    }
    return first_a != 0 && first_b != 0;
}

static const isocast_size_word *asked_for(const isocast_size_words *asked, size_t argument) {
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->words[i].argument == argument) {
            return &asked->words[i];
        }
    }
    return NULL;
}

static bool is_used(const isocast_size_words *words, const char *name) {
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->words[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *name_for(const isocast_size_words *asked, const isocast_size_words *out,
                            size_t argument) {
    const isocast_size_word *wanted = asked_for(asked, argument);
    if (wanted != NULL) {
        return wanted->name;
    }
    for (size_t i = 0; i < sizeof usual_names / sizeof *usual_names; i++) {
        if (!is_used(asked, usual_names[i]) && !is_used(out, usual_names[i])) {
            return usual_names[i];
        }
    }
    return usual_names[0];
}

static void need_values(isocast_record *const *records, size_t count, const char *what,
                        const char *name, size_t argument, isocast_diagnostics *d) {
    double values[ISOCAST_DERIVE_VALUES_LEAST];
    size_t found = different(records, count, argument, values);
    if (found >= ISOCAST_DERIVE_VALUES_LEAST) {
        return;
    }
    isocast_buffer seen = {0};
    for (size_t i = 0; i < found; i++) {
        isocast_buffer_printf(&seen, "%s%s = %.15g", i > 0 ? ", " : "", name, values[i]);
    }
    isocast_diagnostics_rely(d, &seen);
    isocast_diagnostics_add_file(d, ISOCAST_ERROR, records[0]->source->name,
                                 "record the program with more of them: isocast record",
                                 "three %s are needed, %s %s given: %s", what,
                                 counts_in_words[found], found == 1 ? "was" : "were",
                                 seen.text != NULL ? seen.text : "");
    isocast_buffer_free(&seen);
}

static bool is_side(const isocast_side_words *sides, size_t argument) {
    bool is = false;
    for (size_t i = 0; i < sides->count; i++) {
        is = is || sides->arguments[i] == argument;
    }
    return is;
}

/* Errors: NO_MEMORY. */
static isocast_status find_sides(isocast_record *const *records, size_t count,
                                 const isocast_size_words *asked, isocast_size_words *out) {
    bool *taken = calloc(records[0]->argument_count + 1, sizeof *taken);
    if (taken == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < records[0]->argument_count; i++) {
        taken[i] = asked_for(asked, i) != NULL;
    }
    out->sides = find_side_words(records, count, taken);
    free(taken);
    return ISOCAST_OK;
}

/* Sides of records that formulas are checked with make p together, too. */
static void check_sides(isocast_record *const *others, size_t other_count,
                        const isocast_size_words *words, isocast_diagnostics *d) {
    for (size_t r = 0; r < other_count && words->sides.count > 0; r++) {
        if (!side_words_fit(&words->sides, others[r])) {
            refuse(d, others[r], "argument", words->sides.arguments[0],
                   "record with sides whose product is the number of processes",
                   "the sides of the grid of processes do not make p here, as they do in the "
                   "records that the formulas are made from");
        }
    }
}

static void find_words(isocast_record *const *records, size_t count,
                       const isocast_size_words *asked, isocast_diagnostics *d,
                       isocast_size_words *out) {
    for (size_t i = 0; i < records[0]->argument_count; i++) {
        double values[ISOCAST_DERIVE_VALUES_LEAST];
        double unused;
        const char *word = records[0]->arguments[i];
        bool number = isocast_word_number(word, &unused) < strlen(word);
        bool follows = number && isocast_word_follows_processes(records, count, i);
        for (size_t k = 0; number && k < out->count; k++) {
            follows = follows || is_multiple(records, count, out->words[k].argument, i);
        }
        bool wanted = asked_for(asked, i) != NULL;
        follows = follows || is_side(&out->sides, i);
        if (!number || (!wanted && (follows || different(records, count, i, values) < 2))) {
            continue;
        }
        if (out->count == ISOCAST_DERIVE_SIZES_MAX) {
            refuse(d, records[0], "argument", i, "hold some of them at one value",
                   "more than 4 numbers of the command line differ between the runs");
            return;
        }
        isocast_size_word *size = &out->words[out->count];
        size->argument = i;
        snprintf(size->name, sizeof size->name, "%s", name_for(asked, out, i));
        out->count++;
        need_values(records, count, "sizes", size->name, i, d);
    }
    if (out->count == 0) {
        isocast_diagnostics_add_file(
            d, ISOCAST_ERROR, records[0]->source->name,
            "record the program with three sizes or more; where it reads them from a file, start "
            "it by a script that takes the size and writes that file",
            "three sizes are needed, one was given: no number of the command line differs");
    }
}

/* Those that were asked for come first, in the order in which they were: the first size is the one
 * that predictions scale. */
static void order_words(const isocast_size_words *asked, isocast_size_words *out) {
    size_t placed = 0;
    for (size_t a = 0; a < asked->count; a++) {
        for (size_t i = placed; i < out->count; i++) {
            if (out->words[i].argument == asked->words[a].argument) {
                isocast_size_word word = out->words[i];
                memmove(&out->words[placed + 1], &out->words[placed],
                        (i - placed) * sizeof out->words[0]);
                out->words[placed++] = word;
                break;
            }
        }
    }
}

/* The product of all numbers that divide p in each of the first records. */
static double product_of_divisors(isocast_record *const *records, size_t count,
                                  const isocast_record *of) {
    double product = 1;
    for (size_t i = 0; i < records[0]->argument_count; i++) {
        double unused;
        const char *word = records[0]->arguments[i];
        if (isocast_word_number(word, &unused) < strlen(word) &&
            isocast_word_follows_processes(records, count, i)) {
            product *= number_at(of, i);
        }
    }
    return product;
}

/* Whether a number may have been a side that was 1 in all of the first records, where one other
 * side was p: all numbers that divide p make it together everywhere. */
static bool may_be_flat_side(isocast_record *const *records, size_t count,
                             const isocast_record *other, size_t argument) {
    bool may = isocast_word_follows_processes(records, count, argument) &&
               product_of_divisors(records, count, other) == (double)other->process_count;
    for (size_t r = 0; r < count && may; r++) {
        may = product_of_divisors(records, count, records[r]) == (double)records[r]->process_count;
    }
    return may;
}

/* A number that the formulas take for constant has to be so in records that they are checked with,
 * too; and one that followed a size has to follow it. */
static void check_constants(isocast_record *const *records, size_t count,
                            isocast_record *const *others, size_t other_count,
                            const isocast_size_words *words, isocast_diagnostics *d) {
    for (size_t i = 0; i < records[0]->argument_count; i++) {
        double unused;
        const char *word = records[0]->arguments[i];
        bool is_size =
            isocast_word_number(word, &unused) == strlen(word) || asked_for(words, i) != NULL;
        for (size_t r = 0; r < other_count && !is_size; r++) {
            double here = number_at(others[r], i);
            double unused_values[ISOCAST_DERIVE_VALUES_LEAST];
            bool follows = different(records, count, i, unused_values) > 1 &&
                           isocast_word_follows_processes(records, count, i) &&
                           divides_processes(others[r], i);
            follows = follows || is_side(&words->sides, i) ||
                      may_be_flat_side(records, count, others[r], i);
            for (size_t k = 0; k < words->count; k++) {
                size_t size = words->words[k].argument;
                isocast_record *const pair[] = {records[0], others[r]};
                follows = follows || is_multiple(pair, 2, size, i);
            }
            if (here != number_at(records[0], i) && !follows) {
                char message[256];
                snprintf(message, sizeof message,
                         "word %zu of the program is %.15g here, and %.15g in the records that the "
                         "formulas are made from",
                         i + 1, here, number_at(records[0], i));
                refuse(d, others[r], "argument", i,
                       "record with the same number, or with three of them for a size", message);
            }
        }
    }
}

static void check_asked(isocast_record *const *records, const isocast_size_words *asked,
                        isocast_diagnostics *d) {
    for (size_t i = 0; i < asked->count; i++) {
        size_t argument = asked->words[i].argument;
        double unused;
        bool there = argument < records[0]->argument_count;
        const char *word = there ? records[0]->arguments[argument] : "";
        if (!there || isocast_word_number(word, &unused) == strlen(word)) {
            isocast_diagnostics_add_file(
                d, ISOCAST_ERROR, records[0]->source->name,
                "--size NAME=POSITION counts the words behind the program from 1",
                "%s is no size: word %zu of the program is %s", asked->words[i].name, argument + 1,
                there ? "no number" : "not there");
        }
    }
}

/* Sites of a record that differ by more than what called their function. */
static size_t count_places(const isocast_record *record) {
    size_t places = 0;
    for (size_t i = 0; i < record->site_count; i++) {
        size_t before = 0;
        while (before < i && isocast_site_order(&record->sites[before], &record->sites[i]) != 0) {
            before++;
        }
        places += before == i;
    }
    return places;
}

static void check_sites(const isocast_record *record, isocast_diagnostics *d) {
    char message[128];
    size_t places = record->site_count > ISOCAST_DERIVE_CALL_SITES_MAX ? count_places(record) : 0;
    if (places > ISOCAST_DERIVE_CALL_SITES_MAX) {
        snprintf(message, sizeof message, "the record has %zu call sites; at most %d are taken",
                 places, ISOCAST_DERIVE_CALL_SITES_MAX);
        refuse(d, record, "site", ISOCAST_DERIVE_CALL_SITES_MAX,
               "record a part of the program, or call MPI from fewer places", message);
    }
}

isocast_status isocast_size_words_find(isocast_record *const *records, size_t count,
                                       isocast_record *const *others, size_t other_count,
                                       const isocast_size_words *asked,
                                       isocast_diagnostics *diagnostics, isocast_size_words *out) {
    isocast_size_words words = {0};
    size_t errors = diagnostics->errors;
    for (size_t i = 0; i < count + other_count; i++) {
        check_sites(i < count ? records[i] : others[i - count], diagnostics);
    }
    if (diagnostics->errors > errors || diagnostics->failed) {
        return diagnostics->failed ? ISOCAST_NO_MEMORY : ISOCAST_INVALID;
    }
    check_run(records[0], diagnostics);
    for (size_t i = 1; i < count; i++) {
        check_alike(records[0], records[i], diagnostics);
    }
    for (size_t i = 0; i < other_count; i++) {
        check_alike(records[0], others[i], diagnostics);
    }
    check_asked(records, asked, diagnostics);
    if (diagnostics->errors == errors) {
        isocast_status status = find_sides(records, count, asked, &words);
        if (status != ISOCAST_OK) {
            return status;
        }
        check_sides(others, other_count, &words, diagnostics);
        find_words(records, count, asked, diagnostics, &words);
        order_words(asked, &words);
        need_values(records, count, "numbers of processes", "p", SIZE_MAX, diagnostics);
        check_constants(records, count, others, other_count, &words, diagnostics);
    }
    if (diagnostics->failed) {
        return ISOCAST_NO_MEMORY;
    }
    if (diagnostics->errors > errors) {
        return ISOCAST_INVALID;
    }
    *out = words;
    return ISOCAST_OK;
}

void isocast_size_words_point(const isocast_size_words *words, const isocast_record *record,
                              isocast_law_point *out) {
    *out = (isocast_law_point){.p = (double)record->process_count};
    for (size_t i = 0; i < words->count; i++) {
        out->sizes[i] = number_at(record, words->words[i].argument);
    }
    const isocast_side_words *sides = &words->sides;
    if (sides->count == ISOCAST_SIDES_MOST) {
        out->depth = number_at(record, sides->arguments[0]);
        out->height = number_at(record, sides->arguments[1]);
        return;
    }
    out->rows = sides->count > 0 ? number_at(record, sides->arguments[0])
                : words->shape.rule != ISOCAST_SHAPE_UNREPORTED
                    ? isocast_shape_rows(&words->shape, out)
                    : 0;
    out->depth = out->rows > 0 ? 1 : 0;
    out->height = out->rows;
}
