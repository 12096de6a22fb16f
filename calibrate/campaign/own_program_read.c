#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/process_grid.h"
#include "own_program.h"

enum { WORDS_MAX = 256 };

/* Takes the next word, which starts at *at or after blanks. False where a quote is not closed. */
static bool take_word(const char **at, isocast_buffer *word) {
    char quote = '\0';
    isocast_buffer_puts(word, "");
    for (; **at != '\0' && (quote != '\0' || strchr(" \t\n", **at) == NULL); (*at)++) {
        char byte = **at;
        if (quote == '\0' && (byte == '\'' || byte == '"')) {
            quote = byte;
        } else if (byte == quote) {
            quote = '\0';
        } else if (byte == '\\' && quote != '\'' && (*at)[1] != '\0') {
            (*at)++;
            isocast_buffer_append(word, *at, 1);
        } else {
            isocast_buffer_append(word, *at, 1);
        }
    }
    return quote == '\0';
}

bool campaign_own_program_is_size(const campaign_own_program *program, const char *name,
                                  size_t length) {
    return (length == 1 && *name == 'N') ||
           (program->size_name != NULL && strlen(program->size_name) == length &&
            strncmp(program->size_name, name, length) == 0);
}

bool campaign_own_program_is_side(const campaign_own_program *program, const char *name,
                                  size_t length, double p, double *value) {
    if (length != 2 || name[0] != 'p' || name[1] < 'x' || name[1] > 'z') {
        return false;
    }
    bool three = false;
    for (size_t i = 0; i < program->count; i++) {
        three = three || strstr(program->words[i], "{pz}") != NULL;
    }
    double shortest = three ? isocast_grid_layers(p) : 1;
    double middle = isocast_grid_rows(p / shortest);
    *value = name[1] == 'z' ? shortest : name[1] == 'y' ? middle : p / shortest / middle;
    return true;
}

static bool is_setting(const campaign_own_program *program, const char *name, size_t length) {
    if (length == 1 && *name == 'p') {
        return true;
    }
    for (size_t i = 0; i < program->setting_count; i++) {
        const char *known = program->settings[i].name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether each "{name}" has a value; *has_size is set where one is the size. */
static bool check_placeholders(const campaign_own_program *program, const char *word,
                               bool *has_size, isocast_buffer *why) {
    const char *size = program->size_name != NULL ? program->size_name : "N";
    double unused;
    for (const char *open = strchr(word, '{'); open != NULL; open = strchr(open + 1, '{')) {
        const char *name = open + 1;
        size_t length = strcspn(name, "{}");
        if (name[length] != '}' || !isalpha((unsigned char)*name)) {
            continue;
        }
        if (campaign_own_program_is_size(program, name, length)) {
            *has_size = true;
        } else if (!is_setting(program, name, length) &&
                   !campaign_own_program_is_side(program, name, length, 1, &unused)) {
            isocast_buffer_printf(why,
                                  "{%.*s} has no value: --set %.*s=VALUE gives it one; {%s}, "
                                  "{p}, {px}, {py} and {pz} have theirs",
                                  (int)length, name, (int)length, name, size);
            return false;
        }
    }
    return true;
}

bool campaign_own_program_check(const campaign_own_program *program, isocast_buffer *why) {
    bool has_size = false;
    for (size_t i = 0; i < program->count; i++) {
        if (!check_placeholders(program, program->words[i], &has_size, why)) {
            return false;
        }
    }
    if (!has_size) {
        isocast_buffer_printf(why, "it has no {%s}, so all sizes would be one",
                              program->size_name != NULL ? program->size_name : "N");
    }
    return has_size;
}

/* Whether a word comes to a simulated program as it stands. smpirun, a shell script, parts words at
 * blanks, expands patterns and drops empty words; SimGrid takes its own options out. */
static bool bears_smpirun(const char *word) {
    static const char *const own[] = {"--cfg=", "--log=", "--help-"};
    bool taken =
        strcmp(word, "--") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        taken = taken || strncmp(word, own[i], strlen(own[i])) == 0;
    }
    return !taken && word[0] != '\0' && strpbrk(word, " \t\n*?[") == NULL;
}

bool campaign_own_program_check_simulated(const campaign_own_program *program,
                                          isocast_buffer *why) {
    for (size_t i = 1; i < program->count; i++) {
        if (!bears_smpirun(program->words[i])) {
            isocast_buffer_printf(why,
                                  "'%s' would not come to the program as it stands: smpirun, which "
                                  "starts simulated runs, drops or parts words that are empty or "
                                  "have blanks, expands * ? [, and takes --cfg=, --log=, --help, "
                                  "--version and -- as its own. Let the program have that in "
                                  "another way, such as a file",
                                  program->words[i]);
            return false;
        }
    }
    return true;
}

static bool add_word(campaign_own_program *program, isocast_buffer *word) {
    char **words = realloc(program->words, (program->count + 1) * sizeof *words);
    program->words = words != NULL ? words : program->words;
    char *text = isocast_buffer_take(word);
    if (words == NULL || text == NULL) {
        free(text);
        return false;
    }
    program->words[program->count++] = text;
    return true;
}

bool campaign_own_program_split(const char *text, campaign_own_program *program,
                                isocast_buffer *why) {
    const char *at = text + strspn(text, " \t\n");
    while (*at != '\0') {
        isocast_buffer word = {0};
        if (!take_word(&at, &word)) {
            isocast_buffer_free(&word);
            isocast_buffer_puts(why, "a quote is not closed");
            return false;
        }
        if (program->count == WORDS_MAX) {
            isocast_buffer_free(&word);
            isocast_buffer_printf(why, "it has more than %d words", WORDS_MAX);
            return false;
        }
        if (!add_word(program, &word)) {
            isocast_buffer_puts(why, "out of memory");
            return false;
        }
        at += strspn(at, " \t\n");
    }
    if (program->count == 0 || program->words[0][0] == '\0') {
        isocast_buffer_puts(why, "it names no program");
        return false;
    }
    return true;
}

/* The pattern, in which brackets around letters, digits and blanks get a backslash, unless an
 * operator that repeats them follows. */
static char *with_plain_brackets(const char *text) {
    isocast_buffer out = {0};
    isocast_buffer_puts(&out, "");
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            isocast_buffer_append(&out, at++, 2);
            continue;
        }
        size_t inside = 0;
        while (*at == '(' && (isalnum((unsigned char)at[1 + inside]) || at[1 + inside] == ' ')) {
            inside++;
        }
        bool plain = inside > 0 && at[1 + inside] == ')' &&
                     (at[2 + inside] == '\0' || strchr("*+?{", at[2 + inside]) == NULL);
        if (plain) {
            isocast_buffer_printf(&out, "\\(%.*s\\)", (int)inside, at + 1);
            at += inside + 1;
        } else {
            isocast_buffer_append(&out, at, 1);
        }
    }
    return isocast_buffer_take(&out);
}

bool campaign_own_program_time(const char *text, campaign_own_program *program,
                               isocast_buffer *why) {
    if (strcmp(text, "run") == 0 || strcmp(text, "region") == 0) {
        program->source = text[1] == 'u' ? CAMPAIGN_TIME_RUN : CAMPAIGN_TIME_REGION;
        return true;
    }
    char *pattern = with_plain_brackets(text);
    if (pattern == NULL) {
        isocast_buffer_puts(why, "out of memory");
        return false;
    }
    int failed = regcomp(&program->pattern, pattern, REG_EXTENDED);
    free(pattern);
    if (failed != 0) {
        char reason[128];
        regerror(failed, &program->pattern, reason, sizeof reason);
        isocast_buffer_printf(why, "the pattern is no regular expression: %s", reason);
        return false;
    }
    program->has_pattern = true;
    program->source = CAMPAIGN_TIME_OUTPUT;
    if (program->pattern.re_nsub == 0) {
        isocast_buffer_puts(why, "the pattern needs a group for the time, such as "
                                 "'time: ([0-9.eE+-]+)'; run and region need none");
        return false;
    }
    return true;
}

void campaign_own_program_free(campaign_own_program *program) {
    for (size_t i = 0; i < program->count; i++) {
        free(program->words[i]);
    }
    free(program->words);
    if (program->has_pattern) {
        regfree(&program->pattern);
    }
    *program = (campaign_own_program){0};
}
