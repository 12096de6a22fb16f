#include "speed_suite.h"

#include <string.h>

#define MEMBER(name, what) {#name, what, true},
static const speed_suite_member in_mean[] = {SPEED_SUITE_ROWS(MEMBER)};
enum { IN_MEAN = sizeof in_mean / sizeof in_mean[0] };

/* What only says something of the machine is a member where a row above has it. */
#define MEMBER_PROGRAM(name) {#name, "local work of the kernel " #name, false},
#define MEMBER_WORK(name)
#define MEMBER_KERNEL(name, what) MEMBER_##what(name)
static const speed_suite_member programs[] = {KERNEL_ROWS(MEMBER_KERNEL)};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static bool is_listed(const speed_suite_member *members, size_t count, const char *name) {
    bool listed = false;
    for (size_t i = 0; i < count && !listed; i++) {
        listed = strcmp(members[i].name, name) == 0;
    }
    return listed;
}

size_t speed_suite_list(speed_suite_member *members) {
    memcpy(members, in_mean, sizeof in_mean);
    size_t count = IN_MEAN;
    for (size_t i = 0; i < PROGRAMS; i++) {
        if (!is_listed(members, count, programs[i].name)) {
            members[count++] = programs[i];
        }
    }
    return count;
}
