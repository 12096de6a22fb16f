#include "platform_number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/base/nearest.h"

typedef enum unit { UNIT_TIME, UNIT_BYTES, UNIT_RATE } unit;

static const struct {
    const char *name;
    unit unit;
    size_t offset;      /* of the double in isocast_network */
    bool switched_only; /* a network with a shape has none */
} numbers[] = {
    {"link_latency", UNIT_TIME, offsetof(isocast_network, link_latency), false},
    {"link_bandwidth", UNIT_RATE, offsetof(isocast_network, link_bandwidth), false},
    {"node_latency", UNIT_TIME, offsetof(isocast_network, node_latency), false},
    {"node_bandwidth", UNIT_RATE, offsetof(isocast_network, node_bandwidth), false},
    {"eager_limit", UNIT_BYTES, offsetof(isocast_network, eager_limit), false},
    {"node_capacity", UNIT_RATE, offsetof(isocast_network, node_capacity), false},
    {"message_gap", UNIT_TIME, offsetof(isocast_network, message_gap), false},
    {"message_overhead", UNIT_TIME, offsetof(isocast_network, message_overhead), false},
    {"copy_overhead", UNIT_TIME, offsetof(isocast_network, copy_overhead), false},
    {"backplane_bandwidth", UNIT_RATE, offsetof(isocast_network, backplane_bandwidth), true}};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static const char of_network[] = "network.";
static const char speed[] = ".speed";

static isocast_dimension dimension_of(unit of) {
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    return of == UNIT_TIME    ? time
           : of == UNIT_BYTES ? bytes
                              : isocast_dimension_divide(bytes, time);
}

static bool can_have(const isocast_platform *platform, size_t number) {
    return !numbers[number].switched_only ||
           platform->network.topology == ISOCAST_TOPOLOGY_SWITCHED;
}

bool isocast_platform_number_find(const isocast_platform *platform, const char *name,
                                  isocast_platform_number *out) {
    bool is_network = strncmp(name, of_network, sizeof of_network - 1) == 0;
    for (size_t i = 0; is_network && i < NUMBERS; i++) {
        if (strcmp(name + sizeof of_network - 1, numbers[i].name) == 0 && can_have(platform, i)) {
            *out = (isocast_platform_number){false, i, dimension_of(numbers[i].unit)};
            return true;
        }
    }
    const isocast_machine *hardware = platform->hardware;
    for (size_t i = 0; i < hardware->class_count; i++) {
        size_t length = strlen(hardware->classes[i].name);
        if (strncmp(name, hardware->classes[i].name, length) == 0 &&
            strcmp(name + length, speed) == 0) {
            isocast_dimension flop = isocast_dimension_of(ISOCAST_BASE_FLOP);
            isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
            *out = (isocast_platform_number){true, i, isocast_dimension_divide(flop, time)};
            return true;
        }
    }
    return false;
}

void isocast_platform_number_put(isocast_platform *platform, const isocast_platform_number *number,
                                 double value) {
    if (number->of_class) {
        platform->hardware->classes[number->index].marked_speed = value;
    } else {
        memcpy((char *)&platform->network + numbers[number->index].offset, &value, sizeof value);
    }
}

void isocast_platform_number_refuse(isocast_reader *reader, isocast_span span, const char *name,
                                    const isocast_platform *platform) {
    enum { LONGEST = 64 };
    char texts[NUMBERS + 1][LONGEST];
    const char *names[NUMBERS + 1];
    size_t count = 0;
    for (size_t i = 0; i < NUMBERS; i++) {
        if (can_have(platform, i)) {
            snprintf(texts[count], LONGEST, "%s%s", of_network, numbers[i].name);
            names[count] = texts[count];
            count++;
        }
    }
    snprintf(texts[count], LONGEST, "%s%s", platform->hardware->classes[0].name, speed);
    names[count] = texts[count];
    isocast_buffer hint = {0};
    isocast_nearest_hint(&hint, name, names, count + 1, "of a platform these can vary");
    isocast_diagnostics_rely(reader->diagnostics, &hint);
    isocast_reader_refuse(reader, span, hint.text, "the platform has no number '%s' that can vary",
                          name);
    isocast_buffer_free(&hint);
}
