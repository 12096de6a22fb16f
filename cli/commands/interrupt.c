#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "calibrate/campaign/launcher.h"

static volatile sig_atomic_t came;

static void note(int number) {
    came = number;
}

void cli_interrupts_catch(void) {
    for (size_t i = 0; i < launcher_signal_count; i++) {
        struct sigaction before;
        const struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
        /* A program run with `nohup` or in the background ignores them, and goes on doing so. */
        if (sigaction(launcher_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(launcher_signals[i], &action, NULL);
        }
    }
}

bool cli_interrupts_came(void) {
    return came != 0;
}
