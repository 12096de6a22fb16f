#include "probe_options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "kernels/option_value.h"

/* What samples can speak of: see samples.c. */
enum { LAUNCH_MAX = 1000000 };
static const size_t message_most = (size_t)1 << 30;
static const size_t problem_most = (size_t)1 << 30;
static const double seconds_most = 1e9;
static const double weight_most = 1e9;
static const double ratio_most = 1e12;

static bool refuse_weight(const option_value *value, const char *text, size_t length) {
    if (value->loud) {
        fprintf(stderr,
                "%s: %s takes NAME=WEIGHT or NAME:SIZE=WEIGHT, separated by commas, with names of "
                "at most %d letters and weights above 0 and up to %g, not '%.*s'\n",
                value->program, value->option, PROBE_NAME_MAX - 1, weight_most, (int)length, text);
    }
    return false;
}

/* "T_bcast=2" or "ge:1024=0.5". */
static bool read_weight(const option_value *value, const char *text, size_t length,
                        probe_weight *out) {
    char copy[96];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 0), text);
    size_t name = strcspn(copy, ":=");
    char *sign = strchr(copy, '=');
    if (name == 0 || name >= PROBE_NAME_MAX || sign == NULL) {
        return refuse_weight(value, text, length);
    }
    *out = (probe_weight){0};
    memcpy(out->name, copy, name);
    *sign = '\0';
    option_value weight = {value->program, value->option, sign + 1, false};
    option_value size = {value->program, value->option, copy + name + 1, false};
    long number = 0;
    bool read = option_number(&weight, false, weight_most, &out->weight) &&
                (copy + name == sign || option_whole(&size, 0, (long)problem_most, &number));
    out->size = (size_t)number;
    return read || refuse_weight(value, text, length);
}

static bool read_weights(const option_value *value, probe_options *out) {
    for (const char *text = value->text; *text != '\0';) {
        size_t length = strcspn(text, ",");
        if (out->weight_count == PROBE_WEIGHTS_MAX) {
            if (value->loud) {
                fprintf(stderr, "%s: %s takes at most %d weights, there are more\n", value->program,
                        value->option, PROBE_WEIGHTS_MAX);
            }
            return false;
        }
        if (!read_weight(value, text, length, &out->weights[out->weight_count])) {
            return false;
        }
        out->weight_count++;
        text += length + (text[length] == ',');
    }
    return true;
}

/* "mm,ge". */
static bool read_suite(const option_value *value, probe_options *out) {
    for (const char *text = value->text; *text != '\0';) {
        size_t length = strcspn(text, ",");
        if (length == 0 || length >= PROBE_NAME_MAX || out->suite_count == PROBE_SUITE_MAX) {
            if (value->loud) {
                fprintf(stderr, "%s: %s takes at most %d names of the suite, not '%s'\n",
                        value->program, value->option, PROBE_SUITE_MAX, value->text);
            }
            return false;
        }
        memcpy(out->suite[out->suite_count], text, length);
        out->suite[out->suite_count++][length] = '\0';
        text += length + (text[length] == ',');
    }
    return true;
}

static bool refuse_span(const option_value *value, const char *text, size_t length) {
    if (value->loud) {
        fprintf(stderr,
                "%s: %s takes up to %d of NAME:FROM-TO, separated by commas, with names of at most "
                "%d letters and sizes in bytes that do not fall, not '%.*s'\n",
                value->program, value->option, PROBE_SPANS_MAX, PROBE_NAME_MAX - 1, (int)length,
                text);
    }
    return false;
}

/* "T_bcast:8-1024". */
static bool read_span(const option_value *value, const char *text, size_t length, probe_span *out) {
    char copy[96];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : 0), text);
    char *from = strchr(copy, ':');
    char *to = from != NULL ? strchr(from, '-') : NULL;
    if (to == NULL || from == copy || from - copy >= PROBE_NAME_MAX) {
        return refuse_span(value, text, length);
    }
    *from++ = '\0';
    *to++ = '\0';
    option_value first = {value->program, value->option, from, false};
    option_value last = {value->program, value->option, to, false};
    long sizes[2];
    if (!option_whole(&first, 0, (long)message_most, &sizes[0]) ||
        !option_whole(&last, sizes[0], (long)message_most, &sizes[1])) {
        return refuse_span(value, text, length);
    }
    *out = (probe_span){.from = (size_t)sizes[0], .to = (size_t)sizes[1]};
    memcpy(out->name, copy, strlen(copy) + 1);
    return true;
}

static bool read_spans(const option_value *value, probe_options *out) {
    for (const char *text = value->text; *text != '\0';) {
        size_t length = strcspn(text, ",");
        if (out->span_count == PROBE_SPANS_MAX ||
            !read_span(value, text, length, &out->spans[out->span_count])) {
            return out->span_count == PROBE_SPANS_MAX ? refuse_span(value, text, length) : false;
        }
        out->span_count++;
        text += length + (text[length] == ',');
    }
    return true;
}

/* "8:2". */
static bool read_part(const option_value *value, probe_options *out) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s", value->text);
    char *stride = strchr(copy, ':');
    if (stride == NULL) {
        if (value->loud) {
            fprintf(stderr, "%s: %s takes PROCESSES:STRIDE, not '%s'\n", value->program,
                    value->option, value->text);
        }
        return false;
    }
    *stride++ = '\0';
    option_value processes = {value->program, value->option, copy, value->loud};
    option_value apart = {value->program, value->option, stride, value->loud};
    return option_whole(&processes, 2, INT_MAX, &out->part) &&
           option_whole(&apart, 1, INT_MAX, &out->part_stride);
}

enum {
    OPTION_LAUNCH = 256,
    OPTION_BUDGET,
    OPTION_SEED,
    OPTION_SIZES,
    OPTION_PROBLEMS,
    OPTION_WEIGHTS,
    OPTION_OVERSUBSCRIBED,
    OPTION_PLANS,
    OPTION_PLANNING,
    OPTION_PLANNED,
    OPTION_SIMULATED,
    OPTION_COUNTS,
    OPTION_SPANS,
    OPTION_PART,
    OPTION_ROOTS,
    OPTION_ROOTS_APART,
    OPTION_BARRIER_ONLY,
    OPTION_SUITE,
    OPTION_SUITE_SECONDS,
    OPTION_SUITE_FIRST,
    OPTION_REFERENCE,
    OPTION_LIST
};
static const struct option table[] = {
    {"launch", required_argument, NULL, OPTION_LAUNCH},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"sizes", required_argument, NULL, OPTION_SIZES},
    {"problems", required_argument, NULL, OPTION_PROBLEMS},
    {"weights", required_argument, NULL, OPTION_WEIGHTS},
    {"oversubscribed", no_argument, NULL, OPTION_OVERSUBSCRIBED},
    {"simulated", no_argument, NULL, OPTION_SIMULATED},
    {"counts", required_argument, NULL, OPTION_COUNTS},
    {"spans", required_argument, NULL, OPTION_SPANS},
    {"part", required_argument, NULL, OPTION_PART},
    {"roots-apart", no_argument, NULL, OPTION_ROOTS_APART},
    {"roots", required_argument, NULL, OPTION_ROOTS},
    {"barrier-only", no_argument, NULL, OPTION_BARRIER_ONLY},
    {"reference", required_argument, NULL, OPTION_REFERENCE},
    {"plans", required_argument, NULL, OPTION_PLANS},
    {"planned", required_argument, NULL, OPTION_PLANNED},
    {"planning", required_argument, NULL, OPTION_PLANNING},
    {"suite", required_argument, NULL, OPTION_SUITE},
    {"suite-seconds", required_argument, NULL, OPTION_SUITE_SECONDS},
    {"suite-first", required_argument, NULL, OPTION_SUITE_FIRST},
    {"list", no_argument, NULL, OPTION_LIST},
    {NULL, 0, NULL, 0}};

static bool take_sizes(const option_value *value, size_t least, size_t most, size_t *numbers,
                       size_t *count) {
    return option_list(value, least, most, numbers, PROBE_SIZES_MAX, count);
}

static bool take_number(int option, const option_value *value, probe_options *out) {
    long number = 0;
    bool read = false;
    switch (option) {
    case OPTION_LAUNCH:
        return option_whole(value, 0, LAUNCH_MAX, &out->launch);
    case OPTION_SEED:
        read = option_whole(value, 0, LONG_MAX, &number);
        out->seed = (unsigned long)number;
        return read;
    case OPTION_ROOTS:
        return option_whole(value, 1, INT_MAX, &out->roots);
    case OPTION_BUDGET:
        return option_number(value, false, seconds_most, &out->budget);
    case OPTION_SUITE_SECONDS:
        return option_number(value, true, seconds_most, &out->suite_seconds);
    case OPTION_SUITE_FIRST:
        return option_number(value, true, seconds_most, &out->suite_first);
    case OPTION_REFERENCE:
        return option_number(value, false, ratio_most, &out->reference);
    default:
        return option_number(value, true, seconds_most, &out->planning);
    }
}

static bool take(int option, const option_value *value, probe_options *out) {
    switch (option) {
    case OPTION_LAUNCH:
    case OPTION_SEED:
    case OPTION_ROOTS:
    case OPTION_BUDGET:
    case OPTION_PLANNING:
    case OPTION_SUITE_SECONDS:
    case OPTION_SUITE_FIRST:
    case OPTION_REFERENCE:
        return take_number(option, value, out);
    case OPTION_SIZES:
        return take_sizes(value, 0, message_most, out->sizes, &out->size_count);
    case OPTION_PROBLEMS:
        return take_sizes(value, 1, problem_most, out->problems, &out->problem_count);
    case OPTION_PLANNED:
        return take_sizes(value, 1, problem_most, out->planned, &out->planned_count);
    case OPTION_COUNTS:
        return take_sizes(value, 1, INT_MAX, out->counts, &out->count_of_counts);
    case OPTION_WEIGHTS:
        return read_weights(value, out);
    case OPTION_SPANS:
        return read_spans(value, out);
    case OPTION_PART:
        return read_part(value, out);
    case OPTION_SUITE:
        return read_suite(value, out);
    case OPTION_ROOTS_APART:
        out->roots_apart = true;
        return true;
    case OPTION_SIMULATED:
        out->simulated = true;
        return true;
    case OPTION_BARRIER_ONLY:
        out->barrier_only = true;
        return true;
    case OPTION_PLANS:
        out->plans = optarg;
        return true;
    case OPTION_OVERSUBSCRIBED:
        out->oversubscribed = 1;
        return true;
    case OPTION_LIST:
        out->list = true;
        return true;
    default:
        return false;
    }
}

bool probe_options_read(int argc, char **argv, bool loud, probe_options *out) {
    *out = (probe_options){.budget = 10, .seed = 1, .planning = 10};
    opterr = loud;
    optind = 0; /* from the start, also where this was called before */
    bool understood = true;
    int index = 0;
    for (int option; (option = getopt_long(argc, argv, "", table, &index)) != -1;) {
        char name[32] = "";
        if (option >= OPTION_LAUNCH) {
            snprintf(name, sizeof name, "--%s", table[index].name);
        }
        option_value value = {"isocast-probe", name, optarg, loud};
        understood = take(option, &value, out) && understood;
    }
    if (understood && optind < argc && loud) {
        fprintf(stderr, "isocast-probe: '%s' is no option\n", argv[optind]);
    }
    return understood && optind == argc;
}

void probe_options_usage(FILE *out) {
    fputs("usage: mpiexec -n P isocast-probe --launch K --budget SECONDS --seed S --sizes M,... "
          "--problems N,... [--weights NAME[:SIZE]=WEIGHT,...] [--plans FILE] [--planned N,...] "
          "[--planning SECONDS] [--suite NAME,... --suite-seconds SECONDS [--suite-first SECONDS]] "
          "[--oversubscribed] [--barrier-only] [--simulated [--counts P,... | --spans "
          "NAME:FROM-TO,... [--part PROCESSES:STRIDE] [--roots R [--roots-apart]]]]\n"
          "       mpiexec -n P isocast-probe --reference FLOP_PER_BYTE [--simulated]\n"
          "       isocast-probe --list\n",
          out);
}
