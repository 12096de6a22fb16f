#include "windows_text.h"

#include <string.h>

#include "call_text.h"
#include "derived_words.h"

static bool is_lock(const isocast_derived_site *site) {
    return site->key.operation == ISOCAST_RECORD_OPERATION_Win_lock;
}

bool isocast_derived_has_locks(const isocast_derived *derived) {
    bool has = false;
    for (size_t s = 0; s < derived->site_count; s++) {
        has = has || is_lock(&derived->sites[s]);
    }
    return has;
}

static const char *comment_of(const isocast_derived_site *site) {
    return is_lock(site) ? "All other processes may have the lock before"
                         : "Processes wait here for messages of 0 B";
}

/* How many messages of 0 B a call waits for. */
static const char *messages_of(const isocast_derived_site *site) {
    bool one = site->key.operation < ISOCAST_RECORD_OPERATION_Win_lock;
    return is_lock(site) ? "2*(p - 1)*" : one ? "" : "2*";
}

const char *isocast_put_uncertain_windows(const isocast_derived *derived, const char *head,
                                          const char *const *names, isocast_buffer *out) {
    for (size_t s = 0; s < derived->site_count; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        if (!isocast_derived_site_synchronizes(site) || !site->calls.known ||
            site->calls.term_count == 0) {
            continue;
        }
        isocast_buffer_printf(out, "%s  # %s, ", head, isocast_call_name(site));
        head = "";
        isocast_put_place(site->key.site, out);
        isocast_buffer_printf(out, ": %s.\n  ", comment_of(site));
        isocast_put_name(isocast_call_name(site) + strlen("MPI_"), out);
        isocast_buffer_printf(out, "-%zu-%zu: if(p > 1, ", site->key.site->line, s + 1);
        isocast_put_times(&site->calls, names, out);
        isocast_buffer_printf(out, "%s(T_send(0 B) + T_recv(0 B)), 0 s)\n", messages_of(site));
    }
    return head;
}
