#include "driver_options.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "option_value.h"

void driver_print_usage(FILE *file) {
    fputs(driver_this.usage, file);
    fputs("  -n N                     problem size\n"
          "  --repetitions R          runs on the same input (1)\n"
          "  --first-repetition K     number of the first one (0)\n"
          "  --warm-up W              runs before them that are not counted (1)\n"
          "  --warm-up-time MS        go on with these for so many milliseconds (0)\n"
          "  --speeds S0,S1,...       marked speeds of the processes, in any unit (all alike)\n"
          "  --seed K                 of the input (1)\n"
          "  --system NAME, --machine NAME   written into the rows\n"
          "  --header                 write the column names first\n"
          "  --no-verify              do not check the result\n"
          "  --compute real|modelled  in a simulation: do the arithmetic, or take its time only\n"
          "                           (modelled)\n"
          "  --stretch F              in a simulation: arithmetic takes F times the time of its\n"
          "                           flops, as it waits for memory (1)\n",
          file);
    fputs(driver_this.options, file);
}

enum {
    OPTION_REPETITIONS = 256,
    OPTION_FIRST,
    OPTION_SPEEDS,
    OPTION_SEED,
    OPTION_SYSTEM,
    OPTION_MACHINE,
    OPTION_WARM_UP,
    OPTION_WARM_UP_TIME,
    OPTION_HEADER,
    OPTION_NO_VERIFY,
    OPTION_COMPUTE,
    OPTION_STRETCH,
    OPTION_SHOW,
    OPTION_SET,
    OPTION_NODES,
    OPTION_TIME_PER_FLOP
};

static const struct option option_table[] = {
    {"repetitions", required_argument, NULL, OPTION_REPETITIONS},
    {"first-repetition", required_argument, NULL, OPTION_FIRST},
    {"speeds", required_argument, NULL, OPTION_SPEEDS},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"system", required_argument, NULL, OPTION_SYSTEM},
    {"machine", required_argument, NULL, OPTION_MACHINE},
    {"warm-up", required_argument, NULL, OPTION_WARM_UP},
    {"warm-up-time", required_argument, NULL, OPTION_WARM_UP_TIME},
    {"header", no_argument, NULL, OPTION_HEADER},
    {"no-verify", no_argument, NULL, OPTION_NO_VERIFY},
    {"compute", required_argument, NULL, OPTION_COMPUTE},
    {"stretch", required_argument, NULL, OPTION_STRETCH},
    {"show-distribution", no_argument, NULL, OPTION_SHOW},
    {"set", required_argument, NULL, OPTION_SET},
    {"nodes", required_argument, NULL, OPTION_NODES},
    {"time-per-flop", required_argument, NULL, OPTION_TIME_PER_FLOP},
    {NULL, 0, NULL, 0}};

/* What repetitions and their time go up to: their sums are numbers, too. */
enum { COUNT_MAX = 1000000000 };

/* Where the value of an option belongs that is a whole number, and its most; NULL for others. */
static long *count_of(driver_options *o, int option, long *most) {
    *most = COUNT_MAX;
    switch (option) {
    case 'n':
        *most = LONG_MAX;
        return &o->N;
    case OPTION_REPETITIONS:
        return &o->repetitions;
    case OPTION_FIRST:
        return &o->first_repetition;
    case OPTION_SEED:
        *most = LONG_MAX;
        return &o->seed;
    case OPTION_WARM_UP:
        return &o->warm_up;
    case OPTION_WARM_UP_TIME:
        return &o->warm_up_time;
    default:
        return NULL;
    }
}

/* As it is written on the command line. */
static void name_option(int option, char *name, size_t size) {
    snprintf(name, size, "-%c", option);
    for (size_t i = 0; option_table[i].name != NULL; i++) {
        if (option_table[i].val == option) {
            snprintf(name, size, "--%s", option_table[i].name);
        }
    }
}

/* A real run has no other way than to compute. */
static bool take_compute(const char *text, bool loud, bool *modelled) {
    *modelled = strcmp(text, "modelled") == 0;
    bool known = *modelled || strcmp(text, "real") == 0;
    bool possible = known && (!*modelled || compute_is_simulated());
    if (!possible && loud) {
        fprintf(stderr,
                known ? "%s: only a simulation can model the arithmetic\n"
                      : "%s: --compute takes real or modelled\n",
                driver_this.name);
    }
    return possible;
}

/* The options that one of the two programs has. */
static bool take_own(driver_options *o, int option, bool loud) {
    bool of_schedules = option != OPTION_SHOW;
    if (of_schedules != driver_this.schedules) {
        if (loud) {
            char name[32];
            name_option(option, name, sizeof name);
            fprintf(stderr, "%s: %s is not an option of this program\n", driver_this.name, name);
        }
        return false;
    }
    switch (option) {
    case OPTION_SET:
        if (o->setting_count == DRIVER_SETTINGS_MAX) {
            if (loud) {
                fprintf(stderr, "%s: --set can be given %d times at most\n", driver_this.name,
                        DRIVER_SETTINGS_MAX);
            }
            return false;
        }
        o->settings[o->setting_count++] = optarg;
        return true;
    case OPTION_NODES:
        return option_number(&(option_value){driver_this.name, "--nodes", optarg, loud}, false,
                             COUNT_MAX, &o->nodes);
    case OPTION_TIME_PER_FLOP:
        return option_number(&(option_value){driver_this.name, "--time-per-flop", optarg, loud},
                             true, 1, &o->time_per_flop);
    default:
        o->show_distribution = true;
        return true;
    }
}

static bool take_option(driver_options *o, int option, bool loud) {
    long most = 0;
    long *count = count_of(o, option, &most);
    if (count != NULL) {
        char name[32];
        name_option(option, name, sizeof name);
        return option_whole(&(option_value){driver_this.name, name, optarg, loud}, 0, most, count);
    }
    switch (option) {
    case OPTION_SPEEDS:
        o->speeds = optarg;
        return true;
    case OPTION_SYSTEM:
        o->system = optarg;
        return true;
    case OPTION_MACHINE:
        o->machine = optarg;
        return true;
    case OPTION_HEADER:
        o->header = true;
        return true;
    case OPTION_NO_VERIFY:
        o->verify = false;
        return true;
    case OPTION_COMPUTE:
        return take_compute(optarg, loud, &o->modelled);
    case OPTION_STRETCH:
        return option_number(&(option_value){driver_this.name, "--stretch", optarg, loud}, false,
                             1e9, &o->stretch);
    case OPTION_SHOW:
    case OPTION_SET:
    case OPTION_NODES:
    case OPTION_TIME_PER_FLOP:
        return take_own(o, option, loud);
    default:
        return false;
    }
}

bool driver_read_options(int argc, char **argv, bool loud, driver_options *out) {
    *out = (driver_options){.N = -1,
                            .repetitions = 1,
                            .seed = 1,
                            .warm_up = 1,
                            .system = "",
                            .machine = "",
                            .verify = true,
                            .modelled = compute_is_simulated(),
                            .stretch = 1};
    opterr = loud;
    bool understood = true;
    for (int option; (option = getopt_long(argc, argv, "n:", option_table, NULL)) != -1;) {
        understood = take_option(out, option, loud) && understood;
    }
    out->name = argc - optind == 1 ? argv[optind] : NULL;
    if (argc - optind > 1 && loud) {
        fprintf(stderr, "%s: one thing is run at a time\n", driver_this.name);
    }
    understood = driver_this.choose(out, loud && argc - optind <= 1) && understood;
    if (understood && out->N < 0) {
        understood = false;
        if (loud) {
            fprintf(stderr, "%s: the problem size is missing: -n N\n", driver_this.name);
        }
    }
    if (!understood && loud) {
        driver_print_usage(stderr);
    }
    return understood;
}
