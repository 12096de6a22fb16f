/* What the tests of the public interface begin with: an algorithm and a machine, bound. */
#ifndef API_FIXTURE_H
#define API_FIXTURE_H

#include <isocast/isocast.h>

typedef struct bound {
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    isocast_model *model;
} bound;

/* The text of the algorithm "adding": N numbers, 2 log2(p) (T_send(8 B) + T_recv(8 B)). */
extern const char adding[];

/* "adding" on the machine "plain": 64 nodes of 1.5 Gflop/s; T_send = T_recv = 2.5 us + 1 ns/B m. */
bound bind_adding(void);
void unbind(bound b);

/* An empty list of diagnostics. */
isocast_diagnostics *list(void);

/* Equal to 1e-9. */
void assert_near(double is, double due);

#endif
