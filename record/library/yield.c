/* Waiting without the processor. MPICH waits by asking for messages all the time. Where more
 * processes run than there are processors, each asks for whole time slices of the scheduler, while
 * the one that it waits for has no processor: 8 processes on 2 processors took 600 times as long as
 * with this. MPICH (ch4:ucx) asks by a function of the library UCX, which this one stands before: a
 * process that asked in vain for a while lets others run. Nothing else of its calls changes. Where
 * the time alone is asked for, waiting stays as it is without this library. */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "state.h"

/* So often a process asks in vain before it yields: some us, in which a message comes that is under
 * way where all have a processor. */
enum { ASKED_MOST = 100 };

/* UCX has these types; its headers are not needed here. */
__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker);

typedef unsigned progress_function(void *worker);

static progress_function *find_progress(void) {
    static const char name[] = "ucp_worker_progress";
    void *module = record_module_of(name);
    if (module == NULL) {
        fprintf(stderr, "isocast: the library UCX of this program is not found\n");
        _exit(127);
    }
    return (progress_function *)dlsym(module, name);
}

unsigned ucp_worker_progress(void *worker) {
    static progress_function *progress;
    static __thread unsigned asked __attribute__((tls_model("initial-exec")));
    progress = progress != NULL ? progress : find_progress();
    unsigned events = progress(worker);
    asked = events > 0 ? 0 : asked + 1;
    if (asked > ASKED_MOST && record_now.records) {
        asked = ASKED_MOST;
        sched_yield();
    }
    return events;
}
