/* What the public headers of isocast share: the mark of a function that the library exports, and C
 * linkage for C++. */
#ifndef ISOCAST_EXPORT_H
#define ISOCAST_EXPORT_H

/* Stands before each public function. The library is built with hidden visibility, so that a shared
 * libisocast exports these functions and no others. */
#define ISOCAST_PUBLIC __attribute__((visibility("default")))

#ifdef __cplusplus
#define ISOCAST_BEGIN_C extern "C" {
#define ISOCAST_END_C }
#else
#define ISOCAST_BEGIN_C
#define ISOCAST_END_C
#endif

#endif
