#include <isocast/isocast.h>

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *isocast_version(void) {
    return VERSION_TEXT(ISOCAST_VERSION_MAJOR, ISOCAST_VERSION_MINOR, ISOCAST_VERSION_PATCH);
}

int isocast_version_number(void) {
    return ISOCAST_VERSION_NUMBER;
}
