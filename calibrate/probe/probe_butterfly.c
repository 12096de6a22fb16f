/* What a transform by binary exchange does, as the kernel fft_binary: each process exchanges its
 * points with the process half of all away and works on them, then with that a quarter away, and so
 * on; then it transforms what it has. Those that have less to do, or are faster, exchange while
 * others work, and a process that ends its exchanges late may be fast afterwards. So in a
 * simulation the work is done, too, and what it takes alone is taken off. */
#include <math.h>

#include "kernels/fft_local.h"
#include "probe_clock.h"
#include "probe_functions.h"
#include "probe_room.h"
#include "probe_work.h"

enum { TAG_STEP = 15, POINT_BYTES = 16 };

/* m bytes of each process, which are complex numbers. The work alone is that of the slowest
 * process, and as much as one does that has the upper half in each step. */
double probe_time_butterfly_steps(const probe_context *context, size_t m, size_t repeats) {
    double points = fmax(1, round((double)m / POINT_BYTES));
    probe_room room = probe_room_make(context, POINT_BYTES * (size_t)points);
    double own_flops = fft_work((size_t)points);
    double step_alone = probe_work_measure(context, FFT_UPPER_FLOPS * points).slowest;
    double own_alone = probe_work_measure(context, own_flops).slowest;
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        double alone = own_alone;
        probe_synchronise(context);
        double start = MPI_Wtime();
        for (int distance = context->processes / 2; distance > 0; distance /= 2) {
            int partner = context->rank ^ distance;
            MPI_Sendrecv(room.send, (int)points, MPI_C_DOUBLE_COMPLEX, partner, TAG_STEP,
                         room.receive, (int)points, MPI_C_DOUBLE_COMPLEX, partner, TAG_STEP,
                         context->communicator, MPI_STATUS_IGNORE);
            bool upper = (context->rank & distance) != 0;
            probe_work(context, (upper ? FFT_UPPER_FLOPS : FFT_LOWER_FLOPS) * points);
            alone += step_alone;
        }
        probe_work(context, own_flops);
        double own = MPI_Wtime() - start;
        double last;
        probe_let_others_end(context);
        MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
        seconds += fmax(last - alone, 0);
    }
    probe_room_free(context, &room);
    return seconds / (double)repeats;
}
