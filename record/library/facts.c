/* What the wrappers say of a call: sizes in B, and partners. */
#include "call.h"
#include "quick.h"
#include "state.h"

/* NOLINTNEXTLINE(performance-no-int-to-ptr): the MPI library's own definition */
static const void *const in_place_mark = MPI_IN_PLACE;

/* Sizes of types that were asked for, until they are freed. */
enum { TYPES = 64 };
static struct {
    MPI_Datatype type;
    uint64_t size; /* B; 0: the place is empty */
} known[TYPES];

static size_t place_of(MPI_Datatype type) {
    uint32_t number = (uint32_t)type;
    return (number ^ (number >> 8)) % TYPES;
}

/* Size of an element. */
static uint64_t size_of_one(MPI_Datatype type) {
    size_t place = place_of(type);
    if (known[place].size != 0 && known[place].type == type) {
        return known[place].size;
    }
    MPI_Count size = 0;
    if (type == MPI_DATATYPE_NULL || record_real.Type_size_x(type, &size) != 0 || size <= 0) {
        return 0;
    }
    known[place].type = type;
    known[place].size = (uint64_t)size;
    return (uint64_t)size;
}

/* A type that is freed: another one may get its handle. */
static void forget_type(const MPI_Datatype *type) {
    record_lock();
    size_t place = place_of(*type);
    if (known[place].type == *type) {
        known[place].size = 0;
    }
    record_quick_forget(RECORD_PART_NONE);
    record_unlock();
}

int MPI_Type_free(MPI_Datatype *type) {
    forget_type(type);
    return record_real.Type_free(type);
}

int PMPI_Type_free(MPI_Datatype *type) {
    forget_type(type);
    return record_real.Type_free(type);
}

/* Size of `count` elements. */
static uint64_t size_of(int count, MPI_Datatype type) {
    return count > 0 ? (uint64_t)count * size_of_one(type) : 0;
}

int32_t record_partner(int rank) {
    if (rank >= 0) {
        return rank;
    }
    return rank == MPI_ANY_SOURCE ? -2 : rank == MPI_PROC_NULL ? -3 : -4;
}

void record_fact_comm(record_call *call, MPI_Comm comm) {
    call->comm = comm;
}

void record_fact_rooted(record_call *call, MPI_Comm comm, int root) {
    call->comm = comm;
    call->key.partner = record_partner(root);
}

void record_fact_message(record_call *call, MPI_Comm comm, int partner, int count,
                         MPI_Datatype type) {
    call->comm = comm;
    call->key.partner = record_partner(partner);
    call->key.bytes = partner == MPI_PROC_NULL ? 0 : size_of(count, type);
}

void record_fact_received(record_call *call, MPI_Comm comm, int source, int result,
                          const MPI_Status *status) {
    call->comm = comm;
    call->key.partner = record_partner(source);
    if (result == MPI_SUCCESS && source != MPI_PROC_NULL) {
        /* Without a communicator, a rank says nothing. */
        call->key.partner = comm != MPI_COMM_NULL ? record_partner(status->MPI_SOURCE) : -2;
        call->key.bytes = record_received_size(status);
    }
}

void record_fact_source(record_call *call, int source, int result, const MPI_Status *status) {
    call->key.source = record_partner(source);
    call->key.received = 0;
    if (result == MPI_SUCCESS && source != MPI_PROC_NULL) {
        call->key.source = record_partner(status->MPI_SOURCE);
        call->key.received = record_received_size(status);
    }
}

void record_fact_size(record_call *call, int count, MPI_Datatype type) {
    call->key.bytes = size_of(count, type);
}

void record_fact_block(record_call *call, const void *given, int count, MPI_Datatype type,
                       int received_count, MPI_Datatype received_type) {
    call->key.bytes =
        given == in_place_mark ? size_of(received_count, received_type) : size_of(count, type);
}

void record_fact_scattered(record_call *call, int root, const void *received, int count,
                           MPI_Datatype type, int received_count, MPI_Datatype received_type) {
    bool gives = received == in_place_mark || root == MPI_ROOT;
    call->key.bytes = gives ? size_of(count, type) : size_of(received_count, received_type);
}

uint64_t record_own(MPI_Comm comm, const int *counts, MPI_Datatype type) {
    int rank = 0;
    record_real.Comm_rank(comm, &rank);
    return size_of(counts[rank], type);
}

void record_fact_given(record_call *call, MPI_Comm comm, const void *given, int count,
                       MPI_Datatype type, const int *counts, MPI_Datatype counts_type) {
    bool in_place = given == in_place_mark;
    call->key.bytes = in_place ? record_own(comm, counts, counts_type) : size_of(count, type);
}

void record_fact_at_root(record_call *call, MPI_Comm comm, int root, const int *counts,
                         MPI_Datatype type) {
    int rank = 0;
    record_real.Comm_rank(comm, &rank);
    int inter = 0;
    record_real.Comm_test_inter(comm, &inter);
    if (root == MPI_ROOT || (!inter && root == rank)) {
        call->key.received = record_sum(record_peers(comm), counts, type);
    }
}

void record_fact_target(record_call *call, int target, int count, MPI_Datatype type) {
    call->key.partner = record_partner(target);
    call->key.bytes = target == MPI_PROC_NULL ? 0 : size_of(count, type);
}

uint64_t record_sum(int number, const int *counts, MPI_Datatype type) {
    uint64_t sum = 0;
    for (int i = 0; counts != NULL && i < number; i++) {
        sum += counts[i] > 0 ? (uint64_t)counts[i] : 0;
    }
    return sum * size_of(1, type);
}

uint64_t record_sum_types(int number, const int *counts, const MPI_Datatype *types) {
    uint64_t sum = 0;
    for (int i = 0; counts != NULL && types != NULL && i < number; i++) {
        sum += size_of(counts[i], types[i]);
    }
    return sum;
}

int record_size(MPI_Comm comm) {
    int size = 0;
    record_real.Comm_size(comm, &size);
    return size;
}

int record_peers(MPI_Comm comm) {
    int inter = 0;
    int size = 0;
    record_real.Comm_test_inter(comm, &inter);
    if (inter) {
        record_real.Comm_remote_size(comm, &size);
        return size;
    }
    return record_size(comm);
}

/* The places that a neighbourhood call has for neighbours. */
static int degree_of(MPI_Comm comm, bool out, bool *is_grid) {
    int topology = MPI_UNDEFINED;
    int in_number = 0;
    int out_number = 0;
    int rank = 0;
    record_real.Topo_test(comm, &topology);
    *is_grid = topology == MPI_CART;
    if (topology == MPI_CART) {
        record_real.Cartdim_get(comm, &in_number);
        out_number = in_number = 2 * in_number;
    } else if (topology == MPI_GRAPH) {
        record_real.Comm_rank(comm, &rank);
        record_real.Graph_neighbors_count(comm, rank, &in_number);
        out_number = in_number;
    } else if (topology == MPI_DIST_GRAPH) {
        int weighted = 0;
        record_real.Dist_graph_neighbors_count(comm, &in_number, &out_number, &weighted);
    }
    return out ? out_number : in_number;
}

/* In a grid a process at the end of a line has no one there. The neighbours along a dimension are
 * the one before and the one behind. */
static bool is_someone(MPI_Comm comm, bool is_grid, int place) {
    int before = MPI_PROC_NULL;
    int behind = MPI_PROC_NULL;
    if (!is_grid) {
        return true;
    }
    record_real.Cart_shift(comm, place / 2, 1, &before, &behind);
    return (place % 2 == 0 ? before : behind) != MPI_PROC_NULL;
}

uint64_t record_neighbours(MPI_Comm comm) {
    bool is_grid;
    int places = degree_of(comm, true, &is_grid);
    uint64_t count = 0;
    for (int i = 0; i < places; i++) {
        count += is_someone(comm, is_grid, i);
    }
    return count;
}

uint64_t record_sum_neighbours(MPI_Comm comm, bool out, const int *counts, MPI_Datatype type) {
    bool is_grid;
    int places = degree_of(comm, out, &is_grid);
    uint64_t sum = 0;
    for (int i = 0; i < places; i++) {
        sum += is_someone(comm, is_grid, i) ? size_of(counts[i], type) : 0;
    }
    return sum;
}

uint64_t record_sum_neighbour_types(MPI_Comm comm, bool out, const int *counts,
                                    const MPI_Datatype *types) {
    bool is_grid;
    int places = degree_of(comm, out, &is_grid);
    uint64_t sum = 0;
    for (int i = 0; i < places; i++) {
        sum += is_someone(comm, is_grid, i) ? size_of(counts[i], types[i]) : 0;
    }
    return sum;
}
