/* isocast doctor: what commands need on this machine, whether it is there, and how to mend what is
 * not. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/node.h"
#include "calibrate/fit/machine_file.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/options.h"
#include "cli/output/render.h"
#include "cli/report/report_checkup.h"
#include "command.h"
#include "doctor_programs.h"
#include "kernels/node_memory.h"
#include "model/base/quantity.h"
#include "model/base/text.h"

static const char measuring[] = "calibrate, measure";

/* How long other programs are watched, s. */
static const double watched = 1;
/* A reading of the clock that takes longer adds to every short message, s. */
static const double slow_clock = 200e-9;

static void warn(checkup_finding *finding, const char *mend) {
    finding->verdict = CHECKUP_WARNING;
    isocast_buffer_puts(&finding->mend, mend);
}

static void check_processors(const node_description *node, checkup *out) {
    checkup_finding *finding = checkup_add(out, "processors", measuring);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    double allowed = (double)launcher_processors();
    double quota = node_processor_quota();
    if (online > 0) {
        isocast_buffer_printf(&finding->found, "%ld online, ", online);
    }
    isocast_buffer_printf(&finding->found, "%.15g may be used", allowed);
    if (isfinite(quota)) {
        isocast_buffer_printf(&finding->found, ", control group allows %.3g", quota);
    }
    isocast_buffer_printf(&finding->found, ", %ld core%s", node->processors,
                          node->processors == 1 ? "" : "s");
    if (quota < allowed) {
        isocast_buffer_printf(&finding->disturbs,
                              "a control group allows only %.3g of %.15g processors", quota,
                              allowed);
        warn(finding, "give the container or batch job as many processors as it sees");
    } else if (node->processors == 1) {
        isocast_buffer_puts(&finding->disturbs, "there is one core for all processes");
        warn(finding, "measure on a machine with several cores, or several nodes; calibrate "
                      "measures no more processes than cores, unless --oversubscribe is given");
    }
}

static void check_memory(checkup *out) {
    checkup_finding *finding = checkup_add(out, "memory", measuring);
    double pages = (double)sysconf(_SC_PHYS_PAGES);
    double whole = pages > 0 ? pages * (double)sysconf(_SC_PAGESIZE) : 0;
    double allowed = node_memory_total();
    double left = node_memory_available();
    if (allowed <= 0) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_quantity_format(whole > 0 ? whole : allowed, "B", 3, &finding->found);
    if (allowed < whole) {
        isocast_buffer_puts(&finding->found, ", control group allows ");
        isocast_quantity_format(allowed, "B", 3, &finding->found);
    }
    if (left > 0) {
        isocast_buffer_puts(&finding->found, ", ");
        isocast_quantity_format(left, "B", 3, &finding->found);
        isocast_buffer_puts(&finding->found, " are free");
    }
}

static void check_clock(const node_settings *settings, checkup *out) {
    checkup_finding *finding = checkup_add(out, "clock", measuring);
    double resolution;
    double cost;
    node_clock_read(&resolution, &cost);
    if (isnan(resolution) || isnan(cost)) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_buffer_puts(&finding->found, "steps of ");
    isocast_quantity_format(resolution, "s", 3, &finding->found);
    isocast_buffer_puts(&finding->found, ", read in ");
    isocast_quantity_format(cost, "s", 3, &finding->found);
    if (settings->clock_source[0] != '\0') {
        isocast_buffer_puts(&finding->found, ", by ");
        isocast_text_clean(settings->clock_source, strlen(settings->clock_source), "",
                           &finding->found);
    }
    if (fmax(resolution, cost) > slow_clock) {
        isocast_buffer_puts(&finding->disturbs, "reading the clock takes ");
        isocast_quantity_format(fmax(resolution, cost), "s", 3, &finding->disturbs);
        warn(finding, "let the kernel use the clock source tsc, where it is in "
                      "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    }
}

static void check_governor(const node_settings *settings, checkup *out) {
    checkup_finding *finding = checkup_add(out, "frequency governor", measuring);
    const char *governors = settings->governors;
    if (governors[0] == '\0') {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_text_clean(governors, strlen(governors), "", &finding->found);
    if (strcmp(governors, "performance") != 0) {
        isocast_buffer_puts(&finding->disturbs, "the frequency governor is ");
        isocast_text_clean(governors, strlen(governors), "", &finding->disturbs);
        warn(finding, "sudo cpupower frequency-set --governor performance (package "
                      "linux-cpupower)");
    }
}

static const char *word_of(node_switch value) {
    return value == NODE_ON ? "on" : value == NODE_OFF ? "off" : "";
}

static checkup_finding *add_switch(const char *what, node_switch value, checkup *out) {
    checkup_finding *finding = checkup_add(out, what, measuring);
    isocast_buffer_puts(&finding->found, word_of(value));
    finding->verdict = value == NODE_UNKNOWN ? CHECKUP_UNKNOWN : CHECKUP_OK;
    return finding;
}

static void check_switches(const node_settings *settings, checkup *out) {
    checkup_finding *turbo = add_switch("turbo", settings->turbo, out);
    if (settings->turbo == NODE_ON) {
        isocast_buffer_puts(&turbo->disturbs, "turbo makes a processor faster while others rest");
        warn(turbo, "write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to "
                    "/sys/devices/system/cpu/cpufreq/boost");
    }
    checkup_finding *threads = add_switch("threads on a core", settings->threads, out);
    if (settings->threads == NODE_ON) {
        isocast_buffer_puts(&threads->found, "; calibrate counts cores alone");
    }
}

static void check_load(const node_load *load, checkup *out) {
    checkup_finding *finding = checkup_add(out, "other programs", measuring);
    if (isnan(load->others)) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    double share = 100 * fmin(fmax(load->others, 0), 1);
    isocast_buffer_printf(&finding->found, "use %.0f %% of the processors, in %g s", share,
                          watched);
    if (load->others > MACHINE_FILE_QUIET) {
        isocast_buffer_printf(&finding->disturbs, "other programs used %.0f %% of the processors",
                              share);
        warn(finding, "wait until the machine is quiet, or end what runs; top shows it");
    }
}

static void check_virtual(const node_settings *settings, const node_load *load, checkup *out) {
    checkup_finding *finding = checkup_add(out, "virtual machine", measuring);
    if (settings->virtual == NODE_UNKNOWN) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_buffer_puts(&finding->found, settings->virtual == NODE_ON ? "yes" : "no");
    if (settings->virtual == NODE_ON && !isnan(load->stolen)) {
        double share = 100 * fmin(fmax(load->stolen, 0), 1);
        isocast_buffer_printf(&finding->found, "; its host took %.0f %% of the time", share);
        if (load->stolen > MACHINE_FILE_QUIET) {
            isocast_buffer_printf(&finding->disturbs,
                                  "the host of this virtual machine took %.0f %% of the time",
                                  share);
            warn(finding, "measure on hardware of your own, or on a host with fewer guests");
        }
    }
}

/* Watches the other programs for a second, so nothing else is to be started meanwhile. */
static void look_at_node(checkup *out) {
    node_load load;
    node_settings settings;
    node_description node;
    node_load_watch(watched, &load);
    node_settings_read("", &settings);
    node_describe(&node);
    check_processors(&node, out);
    check_memory(out);
    check_clock(&settings, out);
    check_governor(&settings, out);
    check_switches(&settings, out);
    check_load(&load, out);
    check_virtual(&settings, &load, out);
}

static const cli_usage usage = {
    .command = "doctor",
    .arguments = "",
    .summary = "Shows what commands need on this machine, whether it is there, and how to mend "
               "what is missing. It also shows what may disturb measurements: other programs, "
               "limits, changing frequencies.",
    .details =
        "It takes two to three seconds, one of which watches the other programs. It starts each "
        "program that is needed, and ends one that does not answer within 5 s (two MPI "
        "processes: 10 s).\n"
        "States: ok; missing, a command cannot do its work; warning, measurements may be "
        "disturbed; - is not known. The exit status is 1 where something is missing, else 0.\n"
        "\n"
        "Examples:\n"
        "  isocast doctor\n"
        "  isocast doctor --launcher slurm\n"
        "  isocast doctor --format json -o doctor.json",
    .fewest = 0,
    .most = 0};

static int tell_failure(isocast_status status, int cause) {
    if (status == ISOCAST_INTERRUPTED) {
        fputs("isocast doctor: interrupted\n", stderr);
    } else if (status == ISOCAST_IO) {
        fprintf(stderr, "isocast doctor: cannot start a program: %s\n", strerror(cause));
    } else {
        return cli_exit_of(status);
    }
    return CLI_EXIT_SYSTEM;
}

static int examine(const char *launcher, const cli_common *common) {
    checkup list = {.count = 0};
    /* First, while nothing of this command runs. */
    checkup node = {.count = 0};
    look_at_node(&node);
    isocast_status done = doctor_programs(launcher, &list);
    int cause = errno;
    int status = done == ISOCAST_OK ? CLI_EXIT_OK : tell_failure(done, cause);
    if (status == CLI_EXIT_OK) {
        checkup_append(&list, &node);
        cli_report *report = checkup_report(&list);
        bool missing = checkup_misses_something(&list);
        status = cli_reports_write(&report, 1, common);
        status = status == CLI_EXIT_OK && missing ? CLI_EXIT_CHECK_FAILED : status;
    }
    checkup_free(&list);
    checkup_free(&node);
    return status;
}

int cmd_doctor(int argc, char **argv) {
    cli_common common = {0};
    const char *text = NULL;
    cli_launcher launcher = {0};
    const cli_option options[] = {
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &text}, {0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = cli_launcher_find(&usage, text, &launcher);
        status = status == CLI_EXIT_OK ? examine(launcher.command, &common) : status;
    }
    cli_launcher_free(&launcher);
    free(positional);
    return status;
}
