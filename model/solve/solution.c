#include "solution.h"

const char *isocast_row_status_word(isocast_row_status status) {
    switch (status) {
#define ISOCAST_ROW_CASE(name, word)                                                               \
    case ISOCAST_ROW_##name:                                                                       \
        return word;
        ISOCAST_ROW_LIST(ISOCAST_ROW_CASE)
#undef ISOCAST_ROW_CASE
    }
    return "unknown";
}
