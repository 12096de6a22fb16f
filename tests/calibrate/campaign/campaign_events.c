#include "campaign_events.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void remember(const campaign_event *event, void *context) {
    static const char *const kinds[] = {
        [CAMPAIGN_NOTE] = "note", [CAMPAIGN_WARNING] = "warning", [CAMPAIGN_PROBLEM] = "problem"};
    campaign_events *events = context;
    assert_non_null(event->text);
    if (event->kind == CAMPAIGN_PROGRESS) {
        events->progress++;
        events->last = *event;
        events->last.text = NULL;
        return;
    }
    size_t used = strlen(events->text);
    snprintf(events->text + used, sizeof events->text - used, "%s: %s|", kinds[event->kind],
             event->text);
}

static bool stop(void *context) {
    campaign_events *events = context;
    return ++events->asked == events->stop_at;
}

void campaign_events_begin(campaign_events *events) {
    *events = (campaign_events){.listener = {remember, stop, events}};
}

void campaign_script_write(const char *text, char path[EVENTS_PATH_MAX]) {
    snprintf(path, EVENTS_PATH_MAX, "/tmp/isocast-script-XXXXXX");
    int file = mkostemp(path, O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(write(file, "#!/bin/sh\n", 10), 10);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(file, 0700), 0);
    assert_int_equal(close(file), 0);
}
