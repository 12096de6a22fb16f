#include "uncertain.h"

#include <math.h>
#include <string.h>

/* The sign between a number and its error, and its length. */
static const char *find_sign(const char *text, size_t *length) {
    static const char *const signs[] = {"\xC2\xB1", "+/-"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *at = strstr(text, signs[i]);
        if (at != NULL) {
            *length = strlen(signs[i]);
            return at;
        }
    }
    return NULL;
}

bool isocast_is_uncertain(const isocast_tree_node *node) {
    size_t length;
    return node->kind == ISOCAST_TREE_SCALAR && find_sign(node->text, &length) != NULL;
}

/* Bytes of a scalar's text from `begin` to `end`, without blanks around them, as a node of their
 * own. Its text goes on beyond its span: who reads numbers reads the span. */
static isocast_tree_node part_of(const isocast_tree_node *node, size_t begin, size_t end) {
    while (begin < end && strchr(" \n", node->text[begin]) != NULL) {
        begin++;
    }
    while (end > begin && strchr(" \n", node->text[end - 1]) != NULL) {
        end--;
    }
    isocast_tree_node part = *node;
    part.text = begin < end ? node->text + begin : node->text + strlen(node->text);
    part.span = (isocast_span){node->span.begin + begin, node->span.begin + end};
    return part;
}

static double read_error(isocast_reader *reader, const isocast_tree_node *node,
                         const isocast_uncertain *number) {
    size_t length = node->span.end - node->span.begin;
    bool relative = length > 0 && node->text[length - 1] == '%';
    isocast_tree_node part = relative ? part_of(node, 0, length - 1) : *node;
    isocast_formula_place place = {.what = "a standard error",
                                   .dimension =
                                       relative ? isocast_dimension_count : number->dimension};
    if (part.text[0] == '\0') {
        isocast_reader_refuse(reader, part.span,
                              "write it as 1.2 us \xC2\xB1 3 %, or 1.2 us "
                              "\xC2\xB1 40 ns",
                              "the standard error is missing");
        return NAN;
    }
    double error = isocast_reader_bounded(reader, &part, &place, (isocast_bounds){0});
    bool is_bare = !relative && part.text[strspn(part.text, "0123456789.eE+- ")] == '\0';
    if (is_bare && !isocast_dimension_is_count(number->dimension) && error > fabs(number->value)) {
        isocast_reader_refuse(reader, part.span,
                              "write its unit, as in 1.2 us \xC2\xB1 40 ns, or % behind it",
                              "this standard error is larger than its number");
        return NAN;
    }
    return relative ? error / 100 * fabs(number->value) : error;
}

bool isocast_reader_uncertain(isocast_reader *reader, const isocast_tree_node *node,
                              const isocast_formula_place *place, isocast_uncertain *out) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_SCALAR, place->what)) {
        return false;
    }
    isocast_uncertain number = {.error = NAN, .dimension = place->dimension};
    size_t sign_length = 0;
    const char *sign = node->verbatim ? find_sign(node->text, &sign_length) : NULL;
    size_t value_length = sign != NULL ? (size_t)(sign - node->text) : strlen(node->text);
    isocast_tree_node value = sign != NULL ? part_of(node, 0, value_length) : *node;
    number.value = isocast_reader_number(reader, &value, place, &number.dimension);
    if (isnan(number.value)) {
        return false;
    }
    if (sign != NULL) {
        isocast_tree_node error = part_of(node, value_length + sign_length, strlen(node->text));
        number.error = read_error(reader, &error, &number);
        if (isnan(number.error)) {
            return false;
        }
    }
    *out = number;
    return true;
}
