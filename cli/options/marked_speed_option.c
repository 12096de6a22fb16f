#include "marked_speed_option.h"

#include <string.h>

#include "exit.h"
#include "model/spec/kernel_time.h"
#include "model/spec/marked_speed_choice.h"

static const char option[] = "--marked-speed";

static int tell(isocast_diagnostics *diagnostics) {
    isocast_status status = cli_diagnostics_tell(diagnostics, false, ISOCAST_INVALID);
    return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
}

bool cli_is_marked_speed(const char *name) {
    static const char ending[] = ".marked_speed";
    enum { ENDING = sizeof ending - 1 };
    size_t length = strcspn(name, "=");
    return length > ENDING && strncmp(name + length - ENDING, ending, ENDING) == 0;
}

/* The first text of --set that gives a marked speed; NULL where none does. */
static const char *marked_speed_among(const cli_list *set) {
    for (size_t i = 0; i < set->count; i++) {
        if (cli_is_marked_speed(set->items[i])) {
            return set->items[i];
        }
    }
    return NULL;
}

static int refuse_peak(const cli_marked_speed_subject *s, const char *why) {
    isocast_diagnostics diagnostics = {0};
    isocast_buffer hint = {0};
    if (s->kernel != NULL && s->algorithm != NULL) {
        isocast_buffer_printf(&hint,
                              "'isocast calibrate --for %s' measures it; or give a speed, such as "
                              "--marked-speed 20Gflop/s",
                              s->algorithm->name);
    } else {
        isocast_buffer_puts(&hint, "give a speed, such as --marked-speed 20Gflop/s");
    }
    isocast_diagnostics_rely(&diagnostics, &hint);
    if (s->kernel == NULL) {
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, option, hint.text,
                                     "peak is the best rate of a kernel, and %s%s%s names none",
                                     s->algorithm != NULL ? "algorithm '" : "the program",
                                     s->algorithm != NULL ? s->algorithm->name : "",
                                     s->algorithm != NULL ? "'" : "");
    } else {
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, option, hint.text,
                                     "the best rate of kernel '%s' is not known: machine '%s' %s",
                                     s->kernel, s->machine->name, why);
    }
    isocast_buffer_free(&hint);
    return tell(&diagnostics);
}

static int take_peak(const cli_marked_speed_subject *s) {
    const isocast_operation *entry = isocast_kernel_time_entry(s->machine, s->kernel);
    if (entry == NULL) {
        return refuse_peak(s, "has no time per flop for it in the section compute");
    }
    isocast_status status = isocast_marked_speed_take_peak(s->machine, entry);
    return status == ISOCAST_DOMAIN
               ? refuse_peak(s, "does not say for which working sets its time per flop was "
                                "measured")
               : cli_exit_of(status);
}

static int refuse(const char *hint, const char *message) {
    isocast_diagnostics diagnostics = {0};
    isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, option, hint, "%s", message);
    return tell(&diagnostics);
}

static int take(const char *which, const cli_marked_speed_subject *s) {
    double speed = 0;
    bool peak = strcmp(which, "peak") == 0;
    if (strcmp(which, "sustained") == 0) {
        return CLI_EXIT_OK;
    }
    if (!peak && (!cli_speed_parse(which, &speed) || speed <= 0)) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, option,
                                     "write sustained, peak or a speed above 0, such as 12Gflop/s",
                                     "'%s' is no marked speed", which);
        return tell(&diagnostics);
    }
    if (s->of_platform) {
        return refuse("--set CLASS.marked_speed=SPEED gives the processors of a class another one",
                      "the marked speed on a platform is the speed of its processors");
    }
    if (s->machine == NULL) {
        return refuse("name a machine file with --machine",
                      "there is no machine whose marked speeds could change");
    }
    if (peak) {
        return take_peak(s);
    }
    isocast_marked_speed_give(s->machine, speed);
    return CLI_EXIT_OK;
}

int cli_marked_speed_apply(const char *which, const cli_list *set,
                           const cli_marked_speed_subject *subject) {
    if (which == NULL) {
        return CLI_EXIT_OK;
    }
    const char *other = marked_speed_among(set);
    if (other != NULL) {
        isocast_diagnostics diagnostics = {0};
        isocast_diagnostics_add_file(&diagnostics, ISOCAST_ERROR, option, "leave one of them out",
                                     "'%s' gives a marked speed, too", other);
        return tell(&diagnostics);
    }
    return take(which, subject);
}
