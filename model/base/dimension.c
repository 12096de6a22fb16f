#include "dimension.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "nearest.h"

const isocast_dimension isocast_dimension_count = {{0}};

static const char *const base_units[ISOCAST_BASE_COUNT] = {
#define ISOCAST_BASE_UNIT(name, unit) [ISOCAST_BASE_##name] = unit,
    ISOCAST_BASE_LIST(ISOCAST_BASE_UNIT)
#undef ISOCAST_BASE_UNIT
};

isocast_dimension isocast_dimension_of(isocast_base base) {
    isocast_dimension dimension = {{0}};
    dimension.exponent[base] = ISOCAST_EXPONENT_ONE;
    return dimension;
}

bool isocast_dimension_equal(isocast_dimension a, isocast_dimension b) {
    return memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0;
}

bool isocast_dimension_is_count(isocast_dimension a) {
    return isocast_dimension_equal(a, isocast_dimension_count);
}

/* Exponents stay far inside int16_t: a formula has at most some ten thousand factors, and a sum
 * that would leave the range is held at its end, where it equals nothing that is asked for. */
static int16_t add_exponents(int a, int b) {
    int sum = a + b;
    return (int16_t)(sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum);
}

isocast_dimension isocast_dimension_multiply(isocast_dimension a, isocast_dimension b) {
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        a.exponent[i] = add_exponents(a.exponent[i], b.exponent[i]);
    }
    return a;
}

isocast_dimension isocast_dimension_divide(isocast_dimension a, isocast_dimension b) {
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        a.exponent[i] = add_exponents(a.exponent[i], -b.exponent[i]);
    }
    return a;
}

bool isocast_dimension_power(isocast_dimension a, double exponent, isocast_dimension *out) {
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        double twelfths = a.exponent[i] * exponent;
        double whole = round(twelfths);
        /* An exponent such as 1/3 is not exact in binary. */
        if (!(fabs(twelfths - whole) <= 1e-9) || fabs(whole) > INT16_MAX) {
            return false;
        }
        a.exponent[i] = (int16_t)whole;
    }
    *out = a;
    return true;
}

/* Appends to a unit's text, which has room for the longest. */
__attribute__((format(printf, 2, 3))) static void append(isocast_unit_text *unit,
                                                         const char *format, ...) {
    size_t length = strlen(unit->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(unit->text + length, sizeof unit->text - length, format, arguments);
    va_end(arguments);
}

static void append_exponent(isocast_unit_text *unit, int twelfths) {
    if (twelfths == ISOCAST_EXPONENT_ONE) {
        return;
    }
    if (twelfths % ISOCAST_EXPONENT_ONE == 0) {
        append(unit, "^%d", twelfths / ISOCAST_EXPONENT_ONE);
        return;
    }
    int numerator = twelfths;
    int denominator = ISOCAST_EXPONENT_ONE;
    static const int primes[] = {2, 2, 3};
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++) {
        if (numerator % primes[i] == 0 && denominator % primes[i] == 0) {
            numerator /= primes[i];
            denominator /= primes[i];
        }
    }
    append(unit, "^(%d/%d)", numerator, denominator);
}

isocast_unit_text isocast_dimension_text(isocast_dimension dimension) {
    isocast_unit_text unit = {""};
    const char *separator = "";
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        if (dimension.exponent[i] > 0) {
            append(&unit, "%s%s", separator, base_units[i]);
            append_exponent(&unit, dimension.exponent[i]);
            separator = " ";
        }
    }
    if (separator[0] == '\0') {
        append(&unit, "1");
    }
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        if (dimension.exponent[i] < 0) {
            append(&unit, "/%s", base_units[i]);
            append_exponent(&unit, -dimension.exponent[i]);
        }
    }
    return unit;
}

typedef enum prefix_rule { PREFIX_NONE, PREFIX_DECIMAL, PREFIX_ANY } prefix_rule;

typedef struct unit {
    const char *name;
    double factor;
    prefix_rule prefixes;
    int16_t exponent[ISOCAST_BASE_COUNT]; /* in whole powers: time, flop, byte, power, USD, EUR */
} unit;

/* min, h, d and year take no prefix: "min" would be a thousandth of an "in", "dd" nothing that is
 * said. A year is a Julian one, 365.25 d. */
static const unit units[] = {
    {"s", 1, PREFIX_DECIMAL, {1}},
    {"min", 60, PREFIX_NONE, {1}},
    {"h", 3600, PREFIX_NONE, {1}},
    {"d", 86400, PREFIX_NONE, {1}},
    {"year", 31557600, PREFIX_NONE, {1}},
    {"Hz", 1, PREFIX_DECIMAL, {-1}},
    {"flop", 1, PREFIX_DECIMAL, {0, 1}},
    {"B", 1, PREFIX_ANY, {0, 0, 1}},
    {"bit", 0.125, PREFIX_ANY, {0, 0, 1}},
    {"W", 1, PREFIX_DECIMAL, {0, 0, 0, 1}},
    {"J", 1, PREFIX_DECIMAL, {1, 0, 0, 1}},
    {"Wh", 3600, PREFIX_DECIMAL, {1, 0, 0, 1}},
    {"USD", 1, PREFIX_DECIMAL, {0, 0, 0, 0, 1}},
    {"EUR", 1, PREFIX_DECIMAL, {0, 0, 0, 0, 0, 1}},
};

typedef struct prefix {
    const char *name;
    double factor;
    bool binary;
} prefix;

/* Longer names before those that they start with. */
static const prefix prefixes[] = {
    {"Ki", 0x1p10, true}, {"Mi", 0x1p20, true}, {"Gi", 0x1p30, true},    {"Ti", 0x1p40, true},
    {"Pi", 0x1p50, true}, {"Ei", 0x1p60, true}, {"Zi", 0x1p70, true},    {"Yi", 0x1p80, true},
    {"da", 1e1, false},   {"q", 1e-30, false},  {"r", 1e-27, false},     {"y", 1e-24, false},
    {"z", 1e-21, false},  {"a", 1e-18, false},  {"f", 1e-15, false},     {"p", 1e-12, false},
    {"n", 1e-9, false},   {"u", 1e-6, false},   {"\u00b5", 1e-6, false}, {"\u03bc", 1e-6, false},
    {"m", 1e-3, false},   {"c", 1e-2, false},   {"d", 1e-1, false},      {"h", 1e2, false},
    {"k", 1e3, false},    {"M", 1e6, false},    {"G", 1e9, false},       {"T", 1e12, false},
    {"P", 1e15, false},   {"E", 1e18, false},   {"Z", 1e21, false},      {"Y", 1e24, false},
    {"R", 1e27, false},   {"Q", 1e30, false},
};

static bool equals(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* Whether a text is a name, alone or behind a prefix, in whatever letters. */
static bool is_prefixed(const char *text, size_t length, const char *name) {
    static const char *const words[] = {"nano", "micro", "milli", "kilo", "mega", "giga", "tera"};
    size_t name_length = strlen(name);
    if (length < name_length || strncasecmp(text + length - name_length, name, name_length) != 0) {
        return false;
    }
    size_t head = length - name_length;
    bool prefixed = head == 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && !prefixed; i++) {
        prefixed =
            strlen(prefixes[i].name) == head && strncasecmp(text, prefixes[i].name, head) == 0;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0] && !prefixed; i++) {
        prefixed = strlen(words[i]) == head && strncasecmp(text, words[i], head) == 0;
    }
    return prefixed;
}

static const unit *find_unit(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (equals(text, length, units[i].name)) {
            return &units[i];
        }
    }
    return NULL;
}

static bool accept(const unit *found, double factor, double *out_factor,
                   isocast_dimension *dimension) {
    for (int i = 0; i < ISOCAST_BASE_COUNT; i++) {
        dimension->exponent[i] = (int16_t)(found->exponent[i] * ISOCAST_EXPONENT_ONE);
    }
    *out_factor = found->factor * factor;
    return true;
}

static const char of_flop[] = "write flop in small letters, with a prefix such as Gflop";
static const char of_speed[] = "write a speed as flop/s, with a prefix such as Gflop/s";
static const char of_bytes[] = "write B, with a prefix such as MB or MiB";
static const char of_kilobytes[] = "kB is 1000 B, KiB is 1024 B";
static const char of_bits[] = "write bit, with a prefix such as Mbit";
static const char of_seconds[] = "write s for seconds, with a prefix such as ms";
static const char of_minutes[] = "write min for minutes";
static const char of_hours[] = "write h for hours";
static const char of_days[] = "write d for days";
static const char of_years[] = "write year for years";
static const char of_euros[] = "write EUR, with a prefix such as kEUR";
static const char of_dollars[] = "write USD, with a prefix such as kUSD";
static const char of_other_money[] = "amounts are in EUR or USD";
static const char of_watts[] = "write W for watts, with a prefix such as kW";
static const char of_joules[] = "write J for joules, with a prefix such as MJ";
static const char of_hertz[] = "write Hz, with a prefix such as GHz";

/* Spellings that people use for a unit, alone or behind a prefix, in whatever letters. */
static const struct {
    const char *name;
    const char *hint;
} slips[] = {
    {"flop", of_flop},
    {"flops", of_speed},
    {"kb", of_kilobytes},
    {"ib", of_kilobytes},
    {"byte", of_bytes},
    {"bytes", of_bytes},
    {"b", of_bytes},
    {"bit", of_bits},
    {"bits", of_bits},
    {"s", of_seconds},
    {"sec", of_seconds},
    {"secs", of_seconds},
    {"second", of_seconds},
    {"seconds", of_seconds},
    {"mins", of_minutes},
    {"minute", of_minutes},
    {"minutes", of_minutes},
    {"hour", of_hours},
    {"hours", of_hours},
    {"hr", of_hours},
    {"hrs", of_hours},
    {"day", of_days},
    {"days", of_days},
    {"years", of_years},
    {"yr", of_years},
    {"yrs", of_years},
    {"eur", of_euros},
    {"euro", of_euros},
    {"euros", of_euros},
    {"\u20ac", of_euros},
    {"usd", of_dollars},
    {"dollar", of_dollars},
    {"dollars", of_dollars},

    {"gbp", of_other_money},
    {"chf", of_other_money},
    {"jpy", of_other_money},
    {"cny", of_other_money},
    {"w", of_watts},
    {"watt", of_watts},
    {"watts", of_watts},
    {"wh", "write Wh, with a prefix such as kWh"},
    {"joule", of_joules},
    {"joules", of_joules},
    {"hz", of_hertz},
    {"hertz", of_hertz},
    {"bps", "write bit/s, with a prefix such as Mbit/s"},
};

static const char *hint_for(const char *text, size_t length) {
    static const char *const bits[] = {"b", "kb", "Mb", "Gb", "Tb", "Kb"};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        if (equals(text, length, bits[i])) {
            return "b could be bits or bytes: write bit (Mbit) or B (MB)";
        }
    }
    static const char *const bare[] = {"k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"};
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++) {
        if (equals(text, length, bare[i])) {
            return "a prefix stands before a unit, as in kB or kEUR; a plain number is written "
                   "out, "
                   "as 1000";
        }
    }
    if (equals(text, length, "K")) {
        return of_kilobytes;
    }
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        /* A small letter alone is a name rather than a unit. */
        bool name = length == 1 && islower((unsigned char)text[0]);
        if (!name && is_prefixed(text, length, slips[i].name)) {
            return slips[i].hint;
        }
    }
    return NULL;
}

bool isocast_unit_parse(const char *text, size_t length, double *factor,
                        isocast_dimension *dimension, const char **hint) {
    const unit *plain = find_unit(text, length);
    if (plain != NULL) {
        return accept(plain, 1, factor, dimension);
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t prefix_length = strlen(prefixes[i].name);
        if (length <= prefix_length || memcmp(text, prefixes[i].name, prefix_length) != 0) {
            continue;
        }
        const unit *found = find_unit(text + prefix_length, length - prefix_length);
        if (found != NULL &&
            found->prefixes >= (prefixes[i].binary ? PREFIX_ANY : PREFIX_DECIMAL)) {
            return accept(found, prefixes[i].factor, factor, dimension);
        }
    }
    if (hint != NULL) {
        *hint = hint_for(text, length);
    }
    return false;
}

bool isocast_unit_nearest(const char *text, size_t length, isocast_unit_text *out) {
    enum {
        UNITS = sizeof units / sizeof units[0],
        PREFIXES = sizeof prefixes / sizeof prefixes[0],
        LONGEST = 16
    };
    char names[UNITS * (PREFIXES + 1)][LONGEST];
    const char *known[UNITS * (PREFIXES + 1)];
    size_t count = 0;
    for (size_t i = 0; i < UNITS; i++) {
        for (size_t k = 0; k <= PREFIXES; k++) {
            bool plain = k == PREFIXES;
            bool taken =
                plain || units[i].prefixes >= (prefixes[k].binary ? PREFIX_ANY : PREFIX_DECIMAL);
            if (taken && strlen(units[i].name) > 1) {
                snprintf(names[count], LONGEST, "%s%s", plain ? "" : prefixes[k].name,
                         units[i].name);
                known[count] = names[count];
                count++;
            }
        }
    }
    isocast_unit_text own;
    if (length < 3 || length >= sizeof own.text) {
        return false;
    }
    memcpy(own.text, text, length);
    own.text[length] = '\0';
    const char *nearest = isocast_nearest_name(own.text, known, count);
    if (nearest != NULL) {
        *out = (isocast_unit_text){""};
        append(out, "%s", nearest);
    }
    return nearest != NULL;
}

bool isocast_unit_dimension(const char *text, isocast_dimension *out) {
    isocast_dimension total = isocast_dimension_count;
    bool below = false;
    for (;;) {
        size_t length = strcspn(text, "/");
        isocast_dimension one = isocast_dimension_count;
        double factor;
        bool unity = !below && equals(text, length, "1");
        if (!unity && !isocast_unit_parse(text, length, &factor, &one, NULL)) {
            return false;
        }
        total = below ? isocast_dimension_divide(total, one) : one;
        below = true;
        if (text[length] == '\0') {
            *out = total;
            return true;
        }
        text += length + 1;
    }
}
