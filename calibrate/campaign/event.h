/* How a campaign talks with whoever started it: what happens, as events, and whether to go on. The
 * sentences are the campaign's; where they are shown, and whether at all, is the listener's. */
#ifndef CAMPAIGN_EVENT_H
#define CAMPAIGN_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/status.h"

typedef enum campaign_event_kind {
    CAMPAIGN_PROGRESS, /* how far the campaign has got; the next progress replaces it */
    CAMPAIGN_NOTE,     /* what came out */
    CAMPAIGN_WARNING,  /* what the user must know, although the campaign goes on */
    CAMPAIGN_PROBLEM   /* why a function fails; the function then gives its status */
} campaign_event_kind;

/* It lives only while the listener is called. */
typedef struct campaign_event {
    campaign_event_kind kind;
    const char *text; /* a sentence, without its full stop. Lines may follow it, such as what a
                         program said that failed; then it may end with a line end. */
    size_t number;    /* PROGRESS: the launch, run or system that is measured, from 1 on */
    size_t count;     /* PROGRESS: how many there are; 0: not known */
} campaign_event;

/* All members may be NULL: then nobody listens, and nothing asks to stop. */
typedef struct campaign_listener {
    void (*report)(const campaign_event *event, void *context);
    bool (*stop)(void *context); /* asked before each program is started: whether to end instead */
    void *context;
} campaign_listener;

/* Reports an event of this kind. The sentence is formatted as by printf. Where memory is short,
 * only its first CAMPAIGN_TEXT_SHORT bytes are reported. */
enum { CAMPAIGN_TEXT_SHORT = 512 };
void campaign_report(const campaign_listener *listener, campaign_event_kind kind,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reports progress: `number` of `count`. */
void campaign_report_progress(const campaign_listener *listener, size_t number, size_t count,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports a problem, as above, and gives `status`, for the function that fails to return. */
isocast_status campaign_fail(const campaign_listener *listener, isocast_status status,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether the listener asks to stop. */
bool campaign_must_stop(const campaign_listener *listener);

/* Seconds of a clock that nobody sets. */
double campaign_clock(void);

#endif
