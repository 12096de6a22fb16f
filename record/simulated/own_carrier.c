#include "own_carrier.h"

#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/zone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG = -31021,    /* of the messages: none that a program can ask for, by a wildcard either */
    REMEMBERED = 16, /* communicators; rows and columns of a grid are two */
    NAME_LENGTH = 32
};

/* The simulator's own functions under those of MPI, as its collectives call them: these take tags
 * below 0, and time no computing. */
MPI_Request
own_isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
          MPI_Comm communicator) __asm__("_ZN7simgrid4smpi7Request5isendEPKviPNS0_8Datat"
                                         "ypeEiiPNS0_4CommE");
MPI_Request
own_irecv(void *buffer, int count, MPI_Datatype type, int from, int tag,
          MPI_Comm communicator) __asm__("_ZN7simgrid4smpi7Request5irecvEPviPNS0_8Dataty"
                                         "peEiiPNS0_4CommE");
int own_wait(MPI_Request *request,
             MPI_Status *status) __asm__("_ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status");
int own_copy(const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count,
             MPI_Datatype to_type) __asm__("_ZN7simgrid4smpi8Datatype4copyEPKviPS1_PviS4_");
void own_apply(MPI_Op op, const void *in, void *in_out, const int *count,
               MPI_Datatype type) __asm__("_ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE");

static sg_netzone_t all_hosts(void) {
    return sg_zone_get_by_name("all");
}

isocast_collectives own_library(void) {
    static isocast_collectives found;
    static bool is_found;
    if (!is_found) {
        const char *name = "isocast-collectives";
        const char *value = sg_host_get_property_value(sg_host_self(), name);
        sg_netzone_t zone = value == NULL ? all_hosts() : NULL;
        value = zone != NULL ? sg_zone_get_property_value(zone, name) : value;
        found = value != NULL ? isocast_collectives_find(value) : ISOCAST_COLLECTIVES;
        is_found = true;
    }
    return found;
}

static void end_without_memory(void) {
    fputs("isocast: no memory is left for a collective operation\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 5);
    exit(EXIT_FAILURE); /* not reached */
}

void *own_memory(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        end_without_memory();
    }
    return memory;
}

/* Where the processes of a communicator are: the simulator numbers them from 1 in the order of
 * their ranks. All live until the last is in MPI_Finalize (smpi/finalization-barrier). */
static isocast_collective_layout *find_layout(MPI_Comm communicator, int size) {
    int *ranks = own_memory(2 * (size_t)size * sizeof *ranks);
    long long *hosts = own_memory((size_t)size * sizeof *hosts);
    MPI_Group all;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(communicator, &group);
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
        ranks[size + i] = MPI_UNDEFINED;
    }
    MPI_Group_translate_ranks(group, size, ranks, all, ranks + size);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    for (int i = 0; i < size; i++) {
        sg_actor_t process = sg_actor_by_pid(ranks[size + i] + 1);
        hosts[i] = process != NULL ? (long long)(uintptr_t)sg_actor_get_host(process) : -i;
    }
    isocast_collective_layout *layout = isocast_collective_layout_create(size, hosts);
    free(ranks);
    free(hosts);
    if (layout == NULL) {
        end_without_memory();
    }
    return layout;
}

/* That of all processes, once for all of them: they share their memory, but no variables. */
static const isocast_collective_layout *layout_of_all(int size) {
    static const char name[] = "isocast-layout";
    sg_netzone_t zone = all_hosts();
    const char *value = zone != NULL ? sg_zone_get_property_value(zone, name) : NULL;
    void *layout = NULL;
    if (value == NULL || sscanf(value, "%p", &layout) != 1) {
        char text[NAME_LENGTH];
        layout = find_layout(MPI_COMM_WORLD, size);
        snprintf(text, sizeof text, "%p", layout);
        if (zone != NULL) {
            sg_zone_set_property_value(zone, name, text);
        }
    }
    return layout;
}

/* The number that Fortran has of a communicator is never given again. */
static const isocast_collective_layout *layout_of(MPI_Comm communicator, int size) {
    static struct {
        bool known;
        MPI_Fint id;
        isocast_collective_layout *layout;
    } remembered[REMEMBERED];
    static const isocast_collective_layout *all;
    if (communicator == MPI_COMM_WORLD) {
        all = all != NULL ? all : layout_of_all(size);
        return all;
    }
    MPI_Fint id = MPI_Comm_c2f(communicator);
    size_t place = (size_t)(unsigned)id % REMEMBERED;
    if (!remembered[place].known || remembered[place].id != id) {
        free(remembered[place].layout);
        remembered[place].layout = find_layout(communicator, size);
        remembered[place].id = id;
        remembered[place].known = true;
    }
    return remembered[place].layout;
}

void own_layout_prepare(void) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (own_library() != ISOCAST_COLLECTIVES && isocast_collective_knows_nodes(own_library())) {
        layout_of(MPI_COMM_WORLD, size);
    }
}

bool own_is_built_in(MPI_Op op) {
    const MPI_Op known[] = {MPI_MAX, MPI_MIN,  MPI_SUM, MPI_PROD, MPI_LAND,   MPI_BAND,
                            MPI_LOR, MPI_LXOR, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (op == known[i]) {
            return true;
        }
    }
    return false;
}

int own_size(MPI_Comm communicator) {
    int size = 0;
    if (communicator != MPI_COMM_NULL) {
        MPI_Comm_size(communicator, &size);
    }
    return size;
}

bool own_is_root(MPI_Comm communicator, int root) {
    int rank = -1;
    if (communicator != MPI_COMM_NULL) {
        MPI_Comm_rank(communicator, &rank);
    }
    return rank == root;
}

own_type own_type_find(MPI_Datatype type) {
    own_type t = {.type = type};
    int size;
    MPI_Aint low;
    MPI_Aint extent;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_true_extent(type, &t.true_low, &t.true_extent);
    t.size = (size_t)size;
    t.extent = extent;
    t.is_dense = low == 0 && extent == size && t.true_low == 0 && t.true_extent == extent;
    return t;
}

static struct {
    char *memory;
    size_t bytes;
} hollow;

void own_hollow_set(void *memory, size_t bytes) {
    hollow.memory = memory;
    hollow.bytes = bytes;
}

static bool is_hollow(const void *memory) {
    uintptr_t at = (uintptr_t)memory;
    uintptr_t begin = (uintptr_t)hollow.memory;
    return begin != 0 && at >= begin && at - begin < hollow.bytes;
}

void own_copy_elements(const void *from, size_t from_count, const own_type *from_type, void *to,
                       size_t to_count, const own_type *to_type) {
    if (from != to && !is_hollow(from) && !is_hollow(to)) {
        own_copy(from, (int)from_count, from_type->type, to, (int)to_count, to_type->type);
    }
}

static size_t stride_of(const own_call *c, isocast_collective_buffer buffer) {
    return buffer == COLLECTIVE_NOTICE ? 1 : c->stride;
}

/* For elements of a type that is not dense, memory may begin before the first element. */
static size_t bytes_for(const own_call *c, size_t elements) {
    bool is_sparse = c->reduced.type != MPI_DATATYPE_NULL && !c->reduced.is_dense;
    size_t more = is_sparse ? (size_t)c->reduced.true_extent + 16 : 16;
    return elements * c->stride + more;
}

void *own_reserve(own_call *c, isocast_collective_buffer buffer, size_t first, size_t elements) {
    if (c->hollow != NULL) {
        c->base[buffer] = c->hollow;
        return c->hollow;
    }
    bool is_sparse = c->reduced.type != MPI_DATATYPE_NULL && !c->reduced.is_dense;
    c->own[buffer] = own_memory(bytes_for(c, elements));
    c->base[buffer] = c->own[buffer] - (is_sparse ? c->reduced.true_low : 0);
    c->first[buffer] = first;
    c->lent[buffer] = false;
    return c->base[buffer];
}

void own_lend(own_call *c, isocast_collective_buffer buffer, size_t first, size_t elements,
              const void *memory) {
    c->base[buffer] = (char *)memory;
    c->first[buffer] = first;
    c->lent[buffer] = true;
    c->lent_elements = elements;
}

static char *address(own_call *c, isocast_collective_block block) {
    static char notice[COLLECTIVE_NOTICE_BYTES];
    if (block.buffer == COLLECTIVE_NOTICE) {
        return notice;
    }
    if (c->hollow != NULL) {
        return c->hollow;
    }
    if (c->base[block.buffer] == NULL) {
        own_reserve(c, block.buffer, 0, c->longest);
    }
    return c->base[block.buffer] + (block.at - c->first[block.buffer]) * c->stride;
}

/* The caller's memory is not written to: what was lent is copied before, into as much as all. */
static char *writable(own_call *c, isocast_collective_block block) {
    isocast_collective_buffer b = block.buffer;
    if (b != COLLECTIVE_NOTICE && c->lent[b] && c->hollow == NULL) {
        const char *memory = c->base[b];
        size_t first = c->first[b];
        char *made = own_reserve(c, b, 0, c->longest);
        bool is_reduced = c->reduced.type != MPI_DATATYPE_NULL;
        if (is_reduced) {
            own_copy_elements(memory, c->lent_elements, &c->reduced, made + first * c->stride,
                              c->lent_elements, &c->reduced);
        } else {
            memcpy(made + first * c->stride, memory, c->lent_elements * c->stride);
        }
    }
    return address(c, block);
}

/* s for a copy within the memory of a process, and B/s; s of 0: none takes time. */
static void find_copying(double *seconds, double *rate) {
    static double found[2] = {-1, 1};
    if (found[0] < 0) {
        sg_netzone_t zone = all_hosts();
        const char *value =
            zone != NULL ? sg_zone_get_property_value(zone, "isocast-copies") : NULL;
        if (value == NULL || sscanf(value, "%lf %lf", &found[0], &found[1]) != 2) {
            found[0] = 0;
        }
    }
    *seconds = found[0];
    *rate = found[1];
}

/* Copies take their time together, before the process goes on with messages or leaves. */
static void let_copies_end(own_call *c) {
    double seconds;
    double rate;
    find_copying(&seconds, &rate);
    if (c->copies > 0 && seconds > 0) {
        sg_actor_sleep_for(seconds * c->copies + c->copied / rate);
    }
    c->copies = c->copied = 0;
}

static int start(void *self, bool sends, int process, isocast_collective_block block) {
    own_call *c = self;
    let_copies_end(c);
    size_t stride = stride_of(c, block.buffer);
    bool by_type = c->reduced.type != MPI_DATATYPE_NULL && !c->reduced.is_dense &&
                   block.buffer != COLLECTIVE_NOTICE;
    MPI_Datatype type = by_type ? c->reduced.type : MPI_BYTE;
    int count = (int)(by_type ? block.count : block.count * stride);
    if (c->started == c->capacity) {
        c->capacity = 2 * c->capacity + 16;
        c->requests = realloc(c->requests, (size_t)c->capacity * sizeof *c->requests);
        if (c->requests == NULL) {
            end_without_memory();
        }
    }
    int source = process == COLLECTIVE_ANY ? MPI_ANY_SOURCE : process;
    char *memory = block.count == 0 ? (char *)&c->started
                   : sends          ? address(c, block)
                                    : writable(c, block);
    c->requests[c->started] = sends ? own_isend(memory, count, type, process, TAG, c->communicator)
                                    : own_irecv(memory, count, type, source, TAG, c->communicator);
    return c->started++;
}

static void wait_for(void *self, int started) {
    own_call *c = self;
    int result = own_wait(&c->requests[started], MPI_STATUS_IGNORE);
    c->result = c->result == MPI_SUCCESS ? result : c->result;
}

static void copy(void *self, isocast_collective_block to, isocast_collective_block from) {
    own_call *c = self;
    if (to.count == 0) {
        return;
    }
    char *target = writable(c, to);
    const char *source = address(c, from);
    bool is_elsewhere = to.buffer != from.buffer || to.at != from.at;
    if (target != source || (c->hollow != NULL && is_elsewhere)) {
        c->copies++;
        c->copied += (double)(to.count * stride_of(c, to.buffer));
    }
    if (c->hollow != NULL) {
        return;
    }
    if (c->reduced.type != MPI_DATATYPE_NULL) {
        own_copy_elements(source, from.count, &c->reduced, target, to.count, &c->reduced);
    } else {
        memmove(target, source, to.count * c->stride);
    }
}

static void reduce(void *self, isocast_collective_block into, isocast_collective_block other,
                   bool other_first) {
    own_call *c = self;
    int count = (int)into.count;
    if (count == 0) {
        return;
    }
    char *sum = writable(c, into);
    char *more = writable(c, other);
    c->copies++;
    c->copied += (double)into.count * (double)c->reduced.size;
    if (c->hollow != NULL) {
        return;
    }
    if (other_first) {
        own_apply(c->op, more, sum, &count, c->reduced.type);
    } else {
        own_apply(c->op, sum, more, &count, c->reduced.type);
        own_copy_elements(more, into.count, &c->reduced, sum, into.count, &c->reduced);
    }
}

bool own_call_begin(own_call *c, MPI_Comm communicator, int root, const void *memory) {
    int is_between;
    *c = (own_call){.communicator = communicator,
                    .reduced.type = MPI_DATATYPE_NULL,
                    .stride = 1,
                    .hollow = is_hollow(memory) ? hollow.memory : NULL};
    if (own_library() == ISOCAST_COLLECTIVES || communicator == MPI_COMM_NULL) {
        return false;
    }
    MPI_Comm_test_inter(communicator, &is_between);
    if (is_between) {
        return false;
    }
    static const isocast_collective_carrier carrier = {start, wait_for, copy, reduce};
    c->part = (isocast_collective_part){.carrier = &carrier,
                                        .root = root,
                                        .unit = 1,
                                        .commutes = true,
                                        .built_in = true,
                                        .library = own_library()};
    MPI_Comm_size(communicator, &c->part.size);
    MPI_Comm_rank(communicator, &c->part.rank);
    if (root < 0 || root >= c->part.size) {
        return false;
    }
    smpi_bench_end();
    return true;
}

/* B that the caller gave to the call, as far as they are known: vectors that are reduced have been
 * copied already. */
static double bytes_given(const own_call *c) {
    double elements = 0;
    for (size_t i = 0; i < COLLECTIVE_BUFFERS; i++) {
        size_t here = c->lent[i] ? c->lent_elements : c->longest;
        elements += c->base[i] != NULL ? (double)here : 0;
    }
    bool is_reduced = c->reduced.type != MPI_DATATYPE_NULL;
    return elements * (double)c->stride * (is_reduced ? 2 : 1);
}

void own_call_do(own_call *c, isocast_collective_operation operation) {
    own_take_in_hand(bytes_given(c), false);
    c->part.self = c;
    if (isocast_collective_knows_nodes(c->part.library)) {
        c->part.layout = layout_of(c->communicator, c->part.size);
    }
    isocast_collective_do(&c->part, operation);
}

int own_call_end(own_call *c) {
    let_copies_end(c);
    for (size_t i = 0; i < COLLECTIVE_BUFFERS; i++) {
        free(c->own[i]);
    }
    free(c->requests);
    smpi_bench_begin();
    return c->result;
}
