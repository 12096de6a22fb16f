#include "memory.h"

#include <malloc.h>

#include "store.h"

static uint64_t in_use(void) {
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

void record_memory_begin(void) {
    record_store->head.memory_begin = in_use();
}

void record_memory_look(void) {
    uint64_t now = in_use();
    record_part_head *head = &record_store->head;
    head->memory_most = now > head->memory_most ? now : head->memory_most;
}
