/* The links that messages pass on networks that have ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "calibrate/quick/route.h"

static quick_routes routes_of(isocast_topology topology, const char *shape) {
    char text[64];
    quick_routes routes;
    snprintf(text, sizeof text, "%d %s", (int)topology, shape);
    assert_true(quick_routes_read(text, &routes));
    return routes;
}

static size_t links(const quick_routes *routes, int from, int to) {
    quick_hop route[QUICK_ROUTE_MAX];
    return quick_route(routes, from, to, route);
}

static void routes_are_those_of_the_shape(void **state) {
    (void)state;
    quick_routes torus = routes_of(ISOCAST_TOPOLOGY_TORUS, "8,8");
    assert_int_equal(links(&torus, 5, 5), 0);
    assert_int_equal(links(&torus, 0, 1), 1);
    assert_int_equal(links(&torus, 0, 4), 4);
    assert_int_equal(links(&torus, 0, 7), 1);
    assert_int_equal(links(&torus, 7, 8), 2);
    assert_int_equal(links(&torus, 0, 63), 2);
    quick_routes tree = routes_of(ISOCAST_TOPOLOGY_FAT_TREE, "2;12,4;1,6;1,1");
    assert_int_equal(links(&tree, 0, 11), 2);
    assert_int_equal(links(&tree, 0, 12), 4);
    quick_routes dragonfly = routes_of(ISOCAST_TOPOLOGY_DRAGONFLY, "3,1;2,1;3,1;1");
    assert_int_equal(links(&dragonfly, 0, 1), 3);
    assert_int_equal(links(&dragonfly, 0, 3), 3);
    /* Over the router that leads to group 2, which is on the first chassis. */
    assert_int_equal(links(&dragonfly, 3, 12), 2 + 1 + 1 + 1);
    /* To another router of its group SimGrid goes by the first chassis. */
    assert_int_equal(links(&dragonfly, 0, 4), 4);
    assert_int_equal(links(&dragonfly, 4, 0), 3);
    assert_int_equal(links(&dragonfly, 3, 5), 4);
}

static void a_switch_has_no_ways(void **state) {
    (void)state;
    quick_routes routes;
    assert_false(quick_routes_read("0 1", &routes));
    assert_false(quick_routes_read("9 8,8", &routes));
    assert_false(quick_routes_read("2", &routes));
    assert_false(quick_routes_read("2 8,x", &routes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_those_of_the_shape),
        cmocka_unit_test(a_switch_has_no_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
