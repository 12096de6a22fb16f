#include "rows.h"

static const size_t numbers_most = (size_t)1 << 27;

static int piece(size_t left) {
    return (int)(left < numbers_most ? left : numbers_most);
}

void rows_send(const kernel_compute *compute, double *rows, size_t count, size_t width, int to,
               int tag, MPI_Comm communicator) {
    size_t numbers = count * width;
    for (size_t done = 0; done < numbers; done += (size_t)piece(numbers - done)) {
        MPI_Send(compute_at(compute, rows, done, sizeof *rows), piece(numbers - done), MPI_DOUBLE,
                 to, tag, communicator);
    }
}

void rows_receive(const kernel_compute *compute, double *rows, size_t count, size_t width, int from,
                  int tag, MPI_Comm communicator) {
    size_t numbers = count * width;
    for (size_t done = 0; done < numbers; done += (size_t)piece(numbers - done)) {
        MPI_Recv(compute_at(compute, rows, done, sizeof *rows), piece(numbers - done), MPI_DOUBLE,
                 from, tag, communicator, MPI_STATUS_IGNORE);
    }
}
