#include "grid.h"

#include "model/base/process_grid.h"

grid grid_of(int processes) {
    int rows = (int)isocast_grid_rows(processes);
    return (grid){rows, processes / rows};
}

size_t grid_start(size_t N, int parts, int block) {
    size_t all = (size_t)parts;
    size_t before = (size_t)block;
    size_t rest = N % all;
    return before * (N / all) + (before < rest ? before : rest);
}

size_t grid_length(size_t N, int parts, int block) {
    return grid_start(N, parts, block + 1) - grid_start(N, parts, block);
}
