/* A listener that remembers what a campaign shows, and programs that stand for the probe and for
 * kernels: shell scripts, started by `env`, a launcher that any machine has. */
#ifndef CAMPAIGN_EVENTS_H
#define CAMPAIGN_EVENTS_H

#include "calibrate/campaign/event.h"

enum { EVENTS_TEXT_MAX = 8192, EVENTS_PATH_MAX = 64 };

typedef struct campaign_events {
    char text[EVENTS_TEXT_MAX]; /* "note: ...|warning: ...|problem: ...|", without progress */
    size_t progress;            /* events of progress */
    campaign_event last;        /* the last of them; its text is gone */
    size_t asked;               /* how often it was asked whether to stop */
    size_t stop_at;             /* when it says yes; 0: never */
    campaign_listener listener;
} campaign_events;

/* Forgets all, and makes the listener. */
void campaign_events_begin(campaign_events *events);

/* Writes an executable script of /bin/sh; `path` gets its name. Remove it with unlink(). */
void campaign_script_write(const char *text, char path[EVENTS_PATH_MAX]);

#endif
