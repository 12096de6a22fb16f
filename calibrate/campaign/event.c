#include "event.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void report(const campaign_listener *listener, campaign_event event, const char *format,
                   va_list arguments) {
    if (listener->report == NULL) {
        return;
    }
    va_list again;
    va_copy(again, arguments);
    char shortened[CAMPAIGN_TEXT_SHORT];
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
        (void)vsnprintf(shortened, sizeof shortened, format, again);
    }
    va_end(again);
    event.text = text != NULL ? text : shortened;
    listener->report(&event, listener->context);
    free(text);
}

void campaign_report(const campaign_listener *listener, campaign_event_kind kind,
                     const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(listener, (campaign_event){.kind = kind}, format, arguments);
    va_end(arguments);
}

void campaign_report_progress(const campaign_listener *listener, size_t number, size_t count,
                              const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(listener, (campaign_event){.kind = CAMPAIGN_PROGRESS, .number = number, .count = count},
           format, arguments);
    va_end(arguments);
}

isocast_status campaign_fail(const campaign_listener *listener, isocast_status status,
                             const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report(listener, (campaign_event){.kind = CAMPAIGN_PROBLEM}, format, arguments);
    va_end(arguments);
    return status;
}

bool campaign_must_stop(const campaign_listener *listener) {
    return listener->stop != NULL && listener->stop(listener->context);
}

double campaign_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
