/* Marks what rooms after its own use; the library exports what is public alone (isocast/export.h).
 */
#ifndef ISOCAST_API_H
#define ISOCAST_API_H

#define ISOCAST_API

#endif
