/* Marks what libisocast exports; everything else is built with hidden visibility. */
#ifndef ISOCAST_API_H
#define ISOCAST_API_H

#define ISOCAST_API __attribute__((visibility("default")))

#endif
