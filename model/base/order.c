#include "order.h"

int isocast_order(double a, double b) {
    return (a > b) - (a < b);
}
