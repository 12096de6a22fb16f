#include "slips.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/base/nearest.h"
#include "number.h"

/* Options of different commands that say the same. */
static const char *const cousins[][2] = {{"--to", "--systems"},       {"--to", "--system"},
                                         {"--at", "--sizes"},         {"--systems", "--system"},
                                         {"--machine", "--platform"}, {"--for", "--algorithm"},
                                         {"--work", "--algorithm"},   {"--find", "--efficiency"}};

static bool is_text(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static const char *find_cousin(const cli_option *options, size_t count, const char *text,
                               size_t length) {
    for (size_t i = 0; i < sizeof cousins / sizeof cousins[0]; i++) {
        for (size_t side = 0; side < 2; side++) {
            for (size_t k = 0; k < count && is_text(cousins[i][side], text, length); k++) {
                if (strcmp(options[k].name, cousins[i][1 - side]) == 0) {
                    return options[k].name;
                }
            }
        }
    }
    return NULL;
}

/* "--systems" where --to takes SYSTEMS. */
static const char *find_value_name(const cli_option *options, size_t count, const char *text,
                                   size_t length) {
    for (size_t i = 0; i < count && length > 2; i++) {
        const char *name = options[i].value_name;
        if (name != NULL && strlen(name) == length - 2 &&
            strncasecmp(name, text + 2, length - 2) == 0) {
            return options[i].name;
        }
    }
    return NULL;
}

const char *cli_slips_option(const cli_option *options, size_t count, const char *text,
                             size_t length, bool *failed) {
    const char *found = find_cousin(options, count, text, length);
    found = found != NULL ? found : find_value_name(options, count, text, length);
    const char **names = calloc(count + 1, sizeof *names);
    char *name = strndup(text, length);
    *failed = names == NULL || name == NULL;
    for (size_t i = 0; i < count && !*failed; i++) {
        names[i] = options[i].name;
    }
    /* "--" and two letters more begin too many names. */
    if (found == NULL && !*failed) {
        found = isocast_nearest_name(name, names, count);
    }
    free(name);
    free(names);
    return found;
}

void cli_slips_percent(const char *text, isocast_buffer *out) {
    double value;
    const char *end;
    if (cli_number_scan(text, &value, &end) && strcmp(end + strspn(end, " "), "%") == 0) {
        isocast_buffer_printf(out, "; %.10g %% is %.10g", value, value / 100);
    }
}

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text);
    size_t end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_file_to_write(const char *text) {
    static const char *const endings[] = {".svg",  ".png",  ".pdf", ".txt",  ".csv",
                                          ".json", ".yaml", ".xml", ".jsonl"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ends_in(text, endings[i])) {
            return true;
        }
    }
    return false;
}

void cli_slips_argument(const cli_usage *usage, const char *text, const cli_option *option,
                        const char *value, const char *output, isocast_buffer *out) {
    double number;
    bool numbers = option != NULL && isdigit((unsigned char)value[0]) != 0;
    bool alike = option != NULL && (isdigit((unsigned char)text[0]) != 0) == numbers;
    if (alike && strchr(value, ' ') == NULL && !is_file_to_write(text)) {
        isocast_buffer_printf(out, "; commas part several values: %s %s,%s", option->name, value,
                              text);
    } else if (option != NULL && cli_number_parse(value, &number) &&
               isalpha((unsigned char)text[0])) {
        isocast_buffer_printf(out, "; a value with a blank needs quotes: %s '%s %s'", option->name,
                              value, text);
    } else if (output == NULL && is_file_to_write(text)) {
        isocast_buffer_printf(out, "; the file to write stands behind -o: -o %s", text);
    } else {
        isocast_buffer_printf(out, "; write isocast %s%s%s", usage->command,
                              usage->arguments[0] != '\0' ? " " : "", usage->arguments);
    }
}

void cli_slips_share(const char *text, isocast_buffer *out) {
    enum { LEAST = 2 };
    const char *equals = strchr(text, '=');
    if (equals != NULL && tolower((unsigned char)text[0]) != 'e') {
        return; /* a speed */
    }
    text = equals != NULL ? equals + 1 : text;
    for (;;) {
        double value;
        const char *end;
        bool number = cli_number_scan(text, &value, &end) && strchr(",.", *end) != NULL;
        if (number && value <= 0) {
            return; /* refused later: a decimal comma */
        }
        if (number && value >= LEAST) {
            isocast_buffer_printf(out, "%.10g is %.10g %%; write %.10g for %.10g %%", value,
                                  100 * value, value / 100, value);
            return;
        }
        text += strcspn(text, ",");
        if (*text == '\0') {
            return;
        }
        text++;
    }
}
