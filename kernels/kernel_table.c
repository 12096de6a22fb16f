#include "kernel_table.h"

#define ROW(name, what) [KERNEL_ID_##name] = #name,
const char *const kernel_names[KERNEL_COUNT] = {KERNEL_ROWS(ROW)};
