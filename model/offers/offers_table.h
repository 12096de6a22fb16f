/* A table of offers (CSV) as the tree that a file of offers in YAML would be. */
#ifndef ISOCAST_OFFERS_TABLE_H
#define ISOCAST_OFFERS_TABLE_H

#include "model/base/csv.h"
#include "model/yaml/schema.h"

/* Columns: offer, machine; class with count, price, power and running_cost, a row a class; step
 * with step_nodes, step_price and step_power; and the other keys of a purchase. What is empty is
 * not said. The tree's texts are the table's. What is wrong goes to the reader. */
void isocast_offers_table_read(isocast_reader *reader, const isocast_csv *csv,
                               isocast_tree_node *list);
void isocast_offers_table_free(isocast_tree_node *list);

#endif
