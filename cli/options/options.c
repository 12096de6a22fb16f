#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "calibrate/campaign/claim.h"
#include "exit.h"
#include "model/base/buffer.h"
#include "model/base/dimension.h"
#include "model/base/nearest.h"
#include "model/base/text.h"
#include "number.h"
#include "option.h"
#include "ranks_announced.h"
#include "terminal.h"

/* The folder that a file would be made in, and its name there. copy, folder: PATH_MAX bytes. */
static bool place_of(const char *path, char *copy, char *folder, const char **name) {
    if (snprintf(copy, PATH_MAX, "%s", path) >= PATH_MAX) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    return realpath(dirname(copy), folder) != NULL;
}

/* Two that are not there yet. */
static bool same_place(const char *a, const char *b) {
    char copy[PATH_MAX];
    char folder_a[PATH_MAX];
    char folder_b[PATH_MAX];
    const char *name_a;
    const char *name_b;
    return place_of(a, copy, folder_a, &name_a) && place_of(b, copy, folder_b, &name_b) &&
           strcmp(folder_a, folder_b) == 0 && strcmp(name_a, name_b) == 0;
}

/* A regular file that is there by both names. */
static bool is_same_file(const char *a, const char *b) {
    struct stat of_a;
    struct stat of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static bool is_missing(const char *path) {
    struct stat file;
    return stat(path, &file) != 0 && errno == ENOENT;
}

/* The same for two outputs, which may also be files that are not there yet, or standard output
 * ("-") twice. */
static bool is_same_output(const char *a, const char *b) {
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) {
        return strcmp(a, b) == 0;
    }
    return is_same_file(a, b) || (is_missing(a) && is_missing(b) && same_place(a, b));
}

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

/* The option of a table (shape [count]) that may be meant by a text of `length` bytes: one that is
 * spelled alike, one that says the same as that option of another command, or one whose value has
 * this name. NULL where there is none; *failed is set where memory is short. */
static const char *nearest_option(const cli_option *options, size_t count, const char *text,
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

/* Appends how to write "30%" or "30 %" as a number: "; 30 % is 0.3". Nothing for other texts. */
static void slip_of_percent(const char *text, isocast_buffer *out) {
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

/* Appends what to do with an argument too many, which came after the value of an option or after
 * NULL. `output` is what -o gives, NULL where it is not there. */
static void slip_of_argument(const cli_usage *usage, const char *text, const cli_option *option,
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

/* Appends a sentence where a list of shares, such as efficiencies, has one that looks like a
 * percentage: 1 is all, and only little more than that is ever reached. */
static void slip_of_share(const char *text, isocast_buffer *out) {
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

/* Help is never wider than HELP_WIDTH, which reads well, and leaves HELP_MIN for words beside the
 * options. */
enum { HELP_WIDTH = 79, HELP_MIN = 20, HELP_MOST_INDENT = 30, COMMON_COUNT = 5 };

static const char *const formats[] = {"table", "json", "csv", "markdown", "latex", "html"};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* What reading a line may give beside exit statuses: nothing is left to do. */
enum { HELP_SHOWN = -1 };

/* The options of one call: the subcommand's own table, then the common ones. */
typedef struct parser {
    const cli_usage *usage;
    cli_option *options; /* [count] */
    size_t count;
    int argc;
    char **argv;
    int next; /* index of the argument to look at next */
    const char **positional;
    size_t positional_count;
    const cli_option *last; /* the option whose value is argv[after_value - 1] */
    int after_value;
    const cli_option *excess_option; /* right after whose value the first argument too many came */
    const char *excess_value;
    bool help;
    bool version;
} parser;

int cli_usage_error(const cli_usage *usage, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "isocast %s: ", usage->command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\ntry 'isocast %s --help'\n", usage->command);
    return CLI_EXIT_USAGE;
}

static size_t help_width(void) {
    size_t columns = cli_terminal_columns("-");
    return columns > 0 && columns < HELP_WIDTH ? columns : HELP_WIDTH;
}

/* Wraps the first `length` bytes of a text; the first line starts at the column `indent`. */
static void print_words(const char *text, size_t length, size_t indent) {
    size_t page = help_width();
    size_t column = indent;
    bool first = true;
    for (const char *end = text + length; text < end; text += strspn(text, " ")) {
        size_t rest = (size_t)(end - text);
        size_t word = strcspn(text, " ");
        word = word < rest ? word : rest;
        if (!first && column + 1 + word > page) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        first = false;
        text += word;
    }
    putchar('\n');
}

/* Paragraphs are wrapped, lines that start with a blank are kept as they are. */
static void print_details(const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (text[0] == ' ') {
            printf("%.*s\n", (int)length, text);
        } else {
            print_words(text, length, 0);
        }
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

static size_t option_width(const cli_option *option) {
    size_t width = strlen("  -x, ") + strlen(option->name);
    return width + (option->value_name != NULL ? 1 + strlen(option->value_name) : 0);
}

static void print_option(const cli_option *option, size_t indent) {
    size_t width = option_width(option);
    if (option->letter != 0) {
        printf("  -%c, %s", option->letter, option->name);
    } else {
        printf("      %s", option->name);
    }
    if (option->value_name != NULL) {
        printf(" %s", option->value_name);
    }
    if (width + 2 > indent) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", (int)(indent - width), "");
    print_words(option->help, strlen(option->help), indent);
}

static void print_help(const parser *p) {
    printf("Usage: isocast %s%s%s [OPTIONS]\n\n", p->usage->command,
           p->usage->arguments[0] != '\0' ? " " : "", p->usage->arguments);
    print_words(p->usage->summary, strlen(p->usage->summary), 0);
    size_t indent = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t width = option_width(&p->options[i]) + 2;
        if (width > indent && width <= HELP_MOST_INDENT && width + HELP_MIN <= help_width()) {
            indent = width;
        }
    }
    printf("\nOptions:\n");
    for (size_t i = 0; i < p->count; i++) {
        print_option(&p->options[i], indent);
    }
    if (p->usage->details != NULL) {
        putchar('\n');
        print_details(p->usage->details);
    }
}

static int no_memory(const cli_usage *usage) {
    fprintf(stderr, "isocast %s: out of memory\n", usage->command);
    return CLI_EXIT_SYSTEM;
}

/* The help as data: manual pages and completion are made of it (packaging/pages.py). */
static int print_table(const parser *p) {
    json_t *options = json_array();
    bool made = options != NULL;
    for (size_t i = 0; made && i < p->count; i++) {
        const cli_option *option = &p->options[i];
        const char letter[] = {option->letter, '\0'};
        bool file = option->kind == CLI_OPTION_INPUT || option->kind == CLI_OPTION_OUTPUT ||
                    option->kind == CLI_OPTION_FILES;
        json_t *row =
            json_pack("{s:s, s:s, s:b, s:s?, s:s}", "name", option->name, "letter", letter, "file",
                      file, "value", option->value_name, "help", option->help);
        made = json_array_append_new(options, row) == 0;
    }
    json_t *table = json_pack("{s:s, s:s, s:s, s:s?, s:o}", "command", p->usage->command,
                              "arguments", p->usage->arguments, "summary", p->usage->summary,
                              "details", p->usage->details, "options", options);
    made = made && table != NULL && json_dumpf(table, stdout, JSON_INDENT(2)) == 0;
    json_decref(table);
    return made && putchar('\n') != EOF ? HELP_SHOWN : no_memory(p->usage);
}

/* Whether "--machine" has the name of an argument, such as MACHINE. */
static bool is_argument(const cli_usage *usage, const char *text, size_t length) {
    const char *at = usage->arguments;
    for (size_t word = strcspn(at, " |.["); length > 2 && *at != '\0'; word = strcspn(at, " |.[")) {
        if (word == length - 2 && strncasecmp(at, text + 2, word) == 0) {
            return true;
        }
        at += word + (at[word] != '\0');
    }
    return false;
}

static int unknown_option(const parser *p, const char *text, size_t length) {
    bool failed = false;
    if (is_argument(p->usage, text, length)) {
        return cli_usage_error(p->usage, "unknown option %.*s: write isocast %s %s", (int)length,
                               text, p->usage->command, p->usage->arguments);
    }
    const char *nearest = nearest_option(p->options, p->count, text, length, &failed);
    if (failed) {
        return no_memory(p->usage);
    }
    return nearest == NULL ? cli_usage_error(p->usage, "unknown option %.*s", (int)length, text)
                           : cli_usage_error(p->usage, "unknown option %.*s (did you mean %s?)",
                                             (int)length, text, nearest);
}

static const cli_option *find_long(const parser *p, const char *text, size_t length) {
    for (size_t i = 0; i < p->count; i++) {
        if (strlen(p->options[i].name) == length &&
            strncmp(p->options[i].name, text, length) == 0) {
            return &p->options[i];
        }
    }
    return NULL;
}

static const cli_option *find_letter(const parser *p, char letter) {
    for (size_t i = 0; i < p->count; i++) {
        if (p->options[i].letter != 0 && p->options[i].letter == letter) {
            return &p->options[i];
        }
    }
    return NULL;
}

static bool list_append(cli_list *list, const char *value) {
    const char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    if (items == NULL) {
        return false;
    }
    items[list->count++] = value;
    list->items = items;
    return true;
}

/* A number and its unit, which may be missing: one of `base`, with `after` behind it. */
static bool parse_quantity(const char *text, const char *after, isocast_base base, double *out) {
    const char *unit;
    double value;
    double factor = 1;
    if (!cli_number_scan(text, &value, &unit)) {
        return false;
    }
    unit += strspn(unit, " ");
    size_t length = strlen(unit);
    size_t behind = strlen(after);
    isocast_dimension dimension;
    if (length > 0 && (length <= behind || strcmp(unit + length - behind, after) != 0 ||
                       !isocast_unit_parse(unit, length - behind, &factor, &dimension, NULL) ||
                       !isocast_dimension_equal(dimension, isocast_dimension_of(base)))) {
        return false;
    }
    *out = value * factor;
    return isfinite(*out);
}

/* "90", "60s", "2 min" as seconds. */
/* "10m" is minutes, as other commands take it; formulas have min. */
static bool parse_time(const char *text, double *seconds) {
    double value;
    char number[32] = "";
    size_t length = strlen(text);
    bool minutes = length > 1 && length < sizeof number && text[length - 1] == 'm';
    memcpy(number, text, minutes ? length - 1 : 0);
    bool read = minutes && cli_number_parse(number, &value);
    value = read ? value * 60 : 0;
    read = (read || parse_quantity(text, "", ISOCAST_BASE_TIME, &value)) && value >= 0;
    *seconds = read ? value : *seconds;
    return read;
}

bool cli_speed_parse(const char *text, double *speed) {
    return parse_quantity(text, "/s", ISOCAST_BASE_FLOP, speed);
}

static bool parse_count(const char *text, long *count) {
    double value;
    if (!cli_number_parse(text, &value) || value < 0 || value > 1e15 || value != floor(value)) {
        return false;
    }
    *count = (long)value;
    return true;
}

static int wrong_value(const parser *p, const cli_option *option, const char *value,
                       const char *due) {
    isocast_buffer percent = {0};
    if (option->kind == CLI_OPTION_NUMBER || option->kind == CLI_OPTION_SHARE) {
        slip_of_percent(value, &percent);
    }
    cli_usage_error(p->usage, "%s takes %s, not '%s'%s", option->name, due, value,
                    percent.text != NULL ? percent.text : "");
    isocast_buffer_free(&percent);
    return CLI_EXIT_USAGE;
}

static int set_option(const parser *p, const cli_option *option, const char *value) {
    switch (option->kind) {
    case CLI_OPTION_FLAG:
        *(bool *)option->target = true;
        break;
    case CLI_OPTION_OUTPUT:
        if (value[0] == '\0') {
            return wrong_value(p, option, value, "the name of a file");
        }
        *(const char **)option->target = value;
        break;
    case CLI_OPTION_TEXT:
    case CLI_OPTION_SHARES:
    case CLI_OPTION_INPUT:
        *(const char **)option->target = value;
        break;
    case CLI_OPTION_NUMBER:
    case CLI_OPTION_SHARE:
        if (!cli_number_parse(value, option->target)) {
            return wrong_value(p, option, value, "a number");
        }
        break;
    case CLI_OPTION_COUNT:
        if (!parse_count(value, option->target)) {
            return wrong_value(p, option, value, "a whole number of at least 0");
        }
        break;
    case CLI_OPTION_TIME:
        if (!parse_time(value, option->target)) {
            return wrong_value(p, option, value, "a time such as 60s, 2min or 90 (seconds)");
        }
        break;
    case CLI_OPTION_SPEED:
        if (!cli_speed_parse(value, option->target)) {
            return wrong_value(p, option, value, "a speed such as 20Mflop/s or 2e7 (flop/s)");
        }
        break;
    case CLI_OPTION_LIST:
    case CLI_OPTION_FILES:
        if (!list_append(option->target, value)) {
            return no_memory(p->usage);
        }
        break;
    }
    return CLI_EXIT_OK;
}

static bool is_known_option(const parser *p, const char *text) {
    bool is_long = strncmp(text, "--", 2) == 0 && find_long(p, text, strcspn(text, "=")) != NULL;
    return is_long || (text[0] == '-' && strlen(text) == 2 && find_letter(p, text[1]) != NULL);
}

/* Takes the argument after an option. One that is itself a known option is a slip. */
static int set_from_next(parser *p, const cli_option *option) {
    const char *value = p->next < p->argc ? p->argv[p->next] : NULL;
    bool is_option = value != NULL && is_known_option(p, value);
    if (value == NULL || is_option) {
        return cli_usage_error(p->usage, "%s needs a value: %s %s", option->name, option->name,
                               option->value_name);
    }
    p->next++;
    p->last = option;
    p->after_value = p->next;
    int parse = set_option(p, option, value);
    bool more = option->kind == CLI_OPTION_FILES && p->positional_count > 0;
    while (more && parse == CLI_EXIT_OK && p->next < p->argc && p->argv[p->next][0] != '-') {
        parse = set_option(p, option, p->argv[p->next++]);
    }
    return parse;
}

static int parse_long(parser *p, const char *text) {
    size_t length = strcspn(text, "=");
    const cli_option *option = find_long(p, text, length);
    if (option == NULL) {
        return unknown_option(p, text, length);
    }
    if (option->kind == CLI_OPTION_FLAG) {
        if (text[length] == '=') {
            return cli_usage_error(p->usage, "%s takes no value", option->name);
        }
        return set_option(p, option, NULL);
    }
    return text[length] == '=' ? set_option(p, option, text + length + 1)
                               : set_from_next(p, option);
}

/* "-q", "-oFILE", "-qo FILE". */
static int parse_letters(parser *p, const char *text) {
    for (const char *letter = text + 1; *letter != '\0'; letter++) {
        const cli_option *option = find_letter(p, *letter);
        if (option == NULL) {
            return unknown_option(p, text, strlen(text));
        }
        if (option->kind != CLI_OPTION_FLAG) {
            return letter[1] != '\0' ? set_option(p, option, letter + 1) : set_from_next(p, option);
        }
        int parse = set_option(p, option, NULL);
        if (parse != CLI_EXIT_OK) {
            return parse;
        }
    }
    return CLI_EXIT_OK;
}

static int parse_all(parser *p) {
    bool options_ended = false;
    while (p->next < p->argc) {
        const char *text = p->argv[p->next++];
        int parse = CLI_EXIT_OK;
        if (options_ended || text[0] != '-' || text[1] == '\0') {
            if (p->positional_count == p->usage->most && p->after_value == p->next - 1) {
                p->excess_option = p->last;
                p->excess_value = p->argv[p->next - 2];
            }
            p->positional[p->positional_count++] = text;
        } else if (strcmp(text, "--") == 0) {
            options_ended = true;
        } else if (text[1] == '-') {
            parse = parse_long(p, text);
        } else {
            parse = parse_letters(p, text);
        }
        if (parse != CLI_EXIT_OK) {
            return parse;
        }
    }
    return CLI_EXIT_OK;
}

static bool is_picture_format(const char *format) {
    static const char *const pictures[] = {"svg", "png", "pdf"};
    bool picture = false;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        picture = picture || strcmp(format, pictures[i]) == 0;
    }
    return picture;
}

static int check_format(const parser *p, const cli_common *common) {
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(common->format, formats[i]) == 0) {
            return CLI_EXIT_OK;
        }
    }
    bool picture = is_picture_format(common->format);
    isocast_buffer how = {0};
    const char *nearest = isocast_nearest_name(common->format, formats, FORMAT_COUNT);
    if (picture) {
        isocast_buffer_printf(&how,
                              "; 'isocast plot' draws pictures: the ending of its -o FILE.%s "
                              "says how",
                              common->format);
    } else if (nearest != NULL) {
        isocast_buffer_printf(&how, "; did you mean '%s'?", nearest);
    }
    cli_usage_error(p->usage,
                    "--format takes table, json, csv, markdown, latex or html, not '%s'%s",
                    common->format, how.text != NULL ? how.text : "");
    isocast_buffer_free(&how);
    return CLI_EXIT_USAGE;
}

static int check_positional(const parser *p, const cli_common *common) {
    if (p->positional_count < p->usage->fewest) {
        cli_usage_error(p->usage, "too few arguments; write isocast %s %s", p->usage->command,
                        p->usage->arguments);
        return CLI_EXIT_USAGE;
    }
    if (p->positional_count > p->usage->most) {
        const char *text = p->positional[p->usage->most];
        isocast_buffer how = {0};
        slip_of_argument(p->usage, text, p->excess_option, p->excess_value, common->output, &how);
        cli_usage_error(p->usage, "unexpected argument '%s'%s", text,
                        how.text != NULL ? how.text : "");
        isocast_buffer_free(&how);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static const char *file_of(const cli_option *option) {
    bool names_file = option->kind == CLI_OPTION_INPUT || option->kind == CLI_OPTION_OUTPUT;
    return names_file ? *(const char *const *)option->target : NULL;
}

/* An output that is an input as well would take its own source away; of two outputs in one file the
 * second would replace the first. */
static int check_output(const parser *p, size_t output) {
    const cli_option *option = &p->options[output];
    const char *file = file_of(option);
    for (size_t i = p->usage->words; file != NULL && i < p->positional_count; i++) {
        if (is_same_file(file, p->positional[i])) {
            cli_usage_error(p->usage, "%s %s would replace the input %s; name another file",
                            option->name, file, p->positional[i]);
            return CLI_EXIT_USAGE;
        }
    }
    for (size_t i = 0; file != NULL && i < p->count; i++) {
        const cli_option *other = &p->options[i];
        const char *other_file = file_of(other);
        bool same = false;
        if (other_file != NULL && other->kind == CLI_OPTION_INPUT) {
            same = is_same_file(file, other_file);
        } else if (other_file != NULL && i < output) {
            same = is_same_output(file, other_file);
        }
        if (same) {
            cli_usage_error(p->usage, "%s %s and %s %s are the same file; name another one",
                            other->name, other_file, option->name, file);
            return CLI_EXIT_USAGE;
        }
    }
    return CLI_EXIT_OK;
}

/* Standard output under the names that the system has for it, where a file would be replaced. */
static void name_standard_output(const parser *p) {
    static const char *const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < p->count; i++) {
        const char *file = p->options[i].kind == CLI_OPTION_OUTPUT ? file_of(&p->options[i]) : NULL;
        for (size_t k = 0; file != NULL && k < sizeof names / sizeof names[0]; k++) {
            if (strcmp(file, names[k]) == 0) {
                *(const char **)p->options[i].target = "-";
            }
        }
    }
}

void cli_beside_output(const char *output, const char *ending, isocast_buffer *out) {
    static const char yaml[] = ".yaml";
    size_t own = isocast_text_ends(output, yaml) ? sizeof yaml - 1 : 0;
    isocast_buffer_append(out, output, strlen(output) - own);
    isocast_buffer_puts(out, ending);
}

enum { OUTPUTS_MAX = 8 };

/* Where a launcher started several of this process, the one that writes claims its file then. */
static int claim_outputs(const parser *p, const cli_common *common) {
    const char *paths[OUTPUTS_MAX];
    size_t count = 0;
    isocast_buffer why = {0};
    isocast_buffer beside = {0};
    for (size_t i = 0; i < p->count && count + 1 < OUTPUTS_MAX; i++) {
        const char *file = p->options[i].kind == CLI_OPTION_OUTPUT ? file_of(&p->options[i]) : NULL;
        if (file != NULL) {
            paths[count++] = file;
        }
    }
    bool named = common->output != NULL && strcmp(common->output, "-") != 0;
    if (p->usage->beside != NULL && named && count == 1) {
        cli_beside_output(common->output, p->usage->beside, &beside);
        paths[count++] = beside.text;
    }
    bool claimed =
        cli_ranks_announced() != 1 || campaign_claim_take_all(paths, count, &why) == ISOCAST_OK;
    if (!claimed) {
        fprintf(stderr, "isocast %s: %s\n", p->usage->command,
                why.text != NULL ? why.text : "another command is writing the output");
    }
    isocast_buffer_free(&why);
    isocast_buffer_free(&beside);
    return claimed ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* The common part of every table; shape [COMMON_COUNT]. */
static void add_common(parser *p, cli_common *common) {
    const cli_option rows[COMMON_COUNT] = {
        {"--format", 0, CLI_OPTION_TEXT, "FORMAT",
         "table, json, csv, markdown, latex or html (default: table, also where the output is not "
         "a "
         "terminal)",
         &common->format},
        {"--output", 'o', CLI_OPTION_OUTPUT, "FILE",
         p->usage->output != NULL
             ? p->usage->output
             : "write to FILE, which appears whole or not at all; - is standard output (the "
               "default)",
         &common->output},
        {"--quiet", 'q', CLI_OPTION_FLAG, NULL,
         "print results and errors only: no warnings, titles, footnotes or progress",
         &common->quiet},
        {"--help", 'h', CLI_OPTION_FLAG, NULL, "print this help; with --format json as data",
         &p->help},
        {"--version", 0, CLI_OPTION_FLAG, NULL, "print the version", &p->version}};
    memcpy(&p->options[p->count], rows, sizeof rows);
    p->count += COMMON_COUNT;
}

/* A percentage is computed with as it stands: 30 asks for thirty times the marked speed. */
static void warn_of_shares(const parser *p) {
    for (size_t i = 0; i < p->count; i++) {
        const cli_option *option = &p->options[i];
        isocast_buffer doubt = {0};
        if (option->kind == CLI_OPTION_SHARES && *(const char *const *)option->target != NULL) {
            slip_of_share(*(const char *const *)option->target, &doubt);
        } else if (option->kind == CLI_OPTION_SHARE) {
            char text[40];
            snprintf(text, sizeof text, "%.15g", *(const double *)option->target);
            slip_of_share(text, &doubt);
        }
        if (doubt.length > 0) {
            fprintf(stderr, "isocast %s: warning: %s is a share of 1: %s\n", p->usage->command,
                    option->name, doubt.text);
        }
        isocast_buffer_free(&doubt);
    }
}

/* Help and version are given whatever else is missing on the line. */
static int finish(const parser *p, const cli_common *common) {
    if (p->help && strcmp(common->format, "json") == 0) {
        return print_table(p);
    }
    if (p->help) {
        print_help(p);
        return HELP_SHOWN;
    }
    if (p->version) {
        printf("isocast %s\n", ISOCAST_VERSION);
        return HELP_SHOWN;
    }
    int parse = check_format(p, common);
    CLI_THEN(parse, check_positional(p, common));
    name_standard_output(p);
    for (size_t i = 0; parse == CLI_EXIT_OK && i < p->count; i++) {
        if (p->options[i].kind == CLI_OPTION_OUTPUT) {
            parse = check_output(p, i);
        }
    }
    CLI_THEN(parse, claim_outputs(p, common));
    if (parse == CLI_EXIT_OK && !common->quiet) {
        warn_of_shares(p);
    }
    return parse;
}

static int parse_line(parser *p, cli_common *common) {
    *common = (cli_common){.format = "table"};
    if (p->options == NULL || p->positional == NULL) {
        return no_memory(p->usage);
    }
    add_common(p, common);
    int parse = parse_all(p);
    return parse == CLI_EXIT_OK ? finish(p, common) : parse;
}

/* The input files that the line names, in its order of arguments and then of options; NULL where
 * memory is short. */
static cli_input *list_inputs(const parser *p, size_t *count) {
    cli_input *inputs = calloc((size_t)p->argc + 1, sizeof *inputs);
    for (size_t i = p->usage->words; inputs != NULL && i < p->positional_count; i++) {
        inputs[(*count)++] = (cli_input){p->positional[i], ""};
    }
    for (size_t i = 0; inputs != NULL && i < p->count; i++) {
        const cli_option *option = &p->options[i];
        const cli_list *files = option->kind == CLI_OPTION_FILES ? option->target : NULL;
        for (size_t k = 0; files != NULL && k < files->count; k++) {
            inputs[(*count)++] = (cli_input){files->items[k], option->value_name};
        }
        if (option->kind == CLI_OPTION_INPUT && file_of(option) != NULL) {
            inputs[(*count)++] = (cli_input){file_of(option), option->value_name};
        }
    }
    return inputs;
}

int cli_call_run(const cli_usage *usage, const cli_option *options, int argc, char **argv,
                 cli_call *call, int (*run)(void *context), void *context) {
    parser p = {.usage = usage, .argc = argc, .argv = argv, .next = 1};
    size_t count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    p.options = calloc(count + COMMON_COUNT, sizeof *p.options);
    p.positional = calloc((size_t)argc + 1, sizeof *p.positional);
    for (; p.options != NULL && p.count < count; p.count++) {
        p.options[p.count] = options[p.count];
    }
    int parse = parse_line(&p, &call->common);
    call->usage = usage;
    call->argc = argc;
    call->argv = argv;
    call->positional = p.positional;
    call->count = p.positional_count;
    call->inputs = parse == CLI_EXIT_OK ? list_inputs(&p, &call->input_count) : NULL;
    parse = parse == CLI_EXIT_OK && call->inputs == NULL ? no_memory(usage) : parse;
    int status = parse == CLI_EXIT_OK ? run(context) : parse == HELP_SHOWN ? CLI_EXIT_OK : parse;
    free(call->inputs);
    for (size_t i = 0; i < count; i++) {
        if (options[i].kind == CLI_OPTION_LIST || options[i].kind == CLI_OPTION_FILES) {
            free(((cli_list *)options[i].target)->items);
        }
    }
    free(p.options);
    free(p.positional);
    return status;
}
