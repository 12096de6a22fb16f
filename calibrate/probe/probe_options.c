#include "probe_options.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_list(const char *text, size_t *values, size_t *count) {
    while (*text != '\0' && *count < PROBE_SIZES_MOST) {
        char *end = NULL;
        unsigned long long value = strtoull(text, &end, 10);
        if (end == text || value > 1u << 30) {
            return false;
        }
        values[(*count)++] = (size_t)value;
        text = *end == ',' ? end + 1 : end;
        if (*end != ',' && *end != '\0') {
            return false;
        }
    }
    return true;
}

/* "T_bcast=2" or "ge:1024=0.5". */
static bool read_weight(const char *text, size_t length, probe_weight *out) {
    char copy[96];
    if (length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    unsigned long size = 0;
    char sign = 0;
    *out = (probe_weight){0};
    if (sscanf(copy, "%31[^:=]:%lu%c%lf", out->name, &size, &sign, &out->weight) != 4) {
        size = 0;
        if (sscanf(copy, "%31[^:=]%c%lf", out->name, &sign, &out->weight) != 3) {
            return false;
        }
    }
    out->size = size;
    return sign == '=' && out->weight > 0 && isfinite(out->weight);
}

static bool read_weights(const char *text, probe_options *out) {
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (out->weight_count == PROBE_WEIGHTS_MOST ||
            !read_weight(text, length, &out->weights[out->weight_count])) {
            return false;
        }
        out->weight_count++;
        text += length + (text[length] == ',');
    }
    return true;
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
    OPTION_TOGETHER,
    OPTION_BARRIER_ONLY,
    OPTION_LIST
};
static const struct option table[] = {{"launch", required_argument, NULL, OPTION_LAUNCH},
                                      {"budget", required_argument, NULL, OPTION_BUDGET},
                                      {"seed", required_argument, NULL, OPTION_SEED},
                                      {"sizes", required_argument, NULL, OPTION_SIZES},
                                      {"problems", required_argument, NULL, OPTION_PROBLEMS},
                                      {"weights", required_argument, NULL, OPTION_WEIGHTS},
                                      {"oversubscribed", no_argument, NULL, OPTION_OVERSUBSCRIBED},
                                      {"simulated", no_argument, NULL, OPTION_SIMULATED},
                                      {"counts", required_argument, NULL, OPTION_COUNTS},
                                      {"together", required_argument, NULL, OPTION_TOGETHER},
                                      {"barrier-only", no_argument, NULL, OPTION_BARRIER_ONLY},
                                      {"plans", required_argument, NULL, OPTION_PLANS},
                                      {"planned", required_argument, NULL, OPTION_PLANNED},
                                      {"planning", required_argument, NULL, OPTION_PLANNING},
                                      {"list", no_argument, NULL, OPTION_LIST},
                                      {NULL, 0, NULL, 0}};

static bool take(int option, probe_options *out) {
    switch (option) {
    case OPTION_LAUNCH:
        out->launch = strtol(optarg, NULL, 10);
        return true;
    case OPTION_BUDGET:
        out->budget = strtod(optarg, NULL);
        return true;
    case OPTION_SEED:
        out->seed = strtoul(optarg, NULL, 10);
        return true;
    case OPTION_SIZES:
        return read_list(optarg, out->sizes, &out->size_count);
    case OPTION_PROBLEMS:
        return read_list(optarg, out->problems, &out->problem_count);
    case OPTION_WEIGHTS:
        return read_weights(optarg, out);
    case OPTION_SIMULATED:
        out->simulated = true;
        return true;
    case OPTION_COUNTS:
        return read_list(optarg, out->counts, &out->count_of_counts);
    case OPTION_TOGETHER:
        out->together = strtoul(optarg, NULL, 10);
        return true;
    case OPTION_BARRIER_ONLY:
        out->barrier_only = true;
        return true;
    case OPTION_PLANNED:
        return read_list(optarg, out->planned, &out->planned_count);
    case OPTION_PLANNING:
        out->planning = strtod(optarg, NULL);
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

bool probe_options_read(int argc, char **argv, probe_options *out) {
    *out = (probe_options){.budget = 10, .seed = 1, .planning = 10};
    bool understood = true;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        understood = take(option, out) && understood;
    }
    return understood && optind == argc && out->budget > 0;
}

void probe_options_usage(FILE *out) {
    fputs("usage: mpiexec -n P isocast-probe --launch K --budget SECONDS --seed S --sizes M,... "
          "--problems N,... [--weights NAME[:SIZE]=WEIGHT,...] [--plans FILE] [--planned N,...] "
          "[--planning SECONDS] "
          "[--oversubscribed] [--barrier-only] [--simulated [--counts P,...]] [--together NODES]\n"
          "       isocast-probe --list\n",
          out);
}
