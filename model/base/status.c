#include "status.h"

const char *isocast_status_message(isocast_status status) {
    switch (status) {
#define ISOCAST_STATUS_CASE(name, message)                                                         \
    case ISOCAST_##name:                                                                           \
        return message;
        ISOCAST_STATUS_LIST(ISOCAST_STATUS_CASE)
#undef ISOCAST_STATUS_CASE
    }
    return "unknown status";
}

bool isocast_status_is_of_system(isocast_status status) {
    return status == ISOCAST_NO_MEMORY || status == ISOCAST_IO;
}
