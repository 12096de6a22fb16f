/* What a machine costs to buy and to run, beyond its nodes: the section `purchase` of machine files
 * and of offers. Reads amounts, all of one currency; adds nothing up (bill.h). */
#ifndef ISOCAST_PURCHASE_H
#define ISOCAST_PURCHASE_H

#include "model/base/currency.h"
#include "model/yaml/schema.h"

enum { ISOCAST_STEPS_MAX = 16 };

/* Something that is needed once for every so many nodes, begun ones too: a switch, a chassis, a
 * port (of one node). */
typedef struct isocast_purchase_step {
    char *name;   /* NULL where the file does not say */
    double nodes; /* that one serves; at least 1, whole */
    double price; /* of one, in the currency */
    double power; /* W of one */
} isocast_purchase_step;

/* Start from isocast_purchase_none(). NAN marks what the file does not say. */
typedef struct isocast_purchase {
    isocast_currency currency; /* of every amount of the file; NONE where there is none but 0 */
    double base_price;         /* that comes once; 0 where the file does not say, like the power */
    double base_power;         /* W */
    isocast_purchase_step steps[ISOCAST_STEPS_MAX];
    size_t step_count;
    double running_cost; /* currency/s, of the whole; NAN */
    double energy_price; /* currency/(W s); NAN */
    double lifetime;     /* s; NAN */
    double use;          /* part of the lifetime in which it computes, above 0, at most 1 */
} isocast_purchase;

isocast_purchase isocast_purchase_none(void);
void isocast_purchase_clear(isocast_purchase *purchase);

/* Reads an amount for each unit of `per` (a count for an amount as such), at least 0. Notes its
 * currency in *currency, and refuses another one than is there already. A number without a currency
 * is refused, but for 0. NAN with a diagnostic where it is none. */
double isocast_reader_amount(isocast_reader *reader, const isocast_tree_node *node,
                             const char *what, isocast_dimension per, isocast_currency *currency);
/* The same of what stands under a key; left as it is where there is none. */
void isocast_reader_amount_at(isocast_reader *reader, const isocast_tree_node *mapping,
                              const char *key, isocast_dimension per, isocast_currency *currency,
                              double *amount);

/* Reads the keys of a purchase in a mapping over what is in *purchase already; other keys of the
 * mapping are the caller's. */
void isocast_purchase_read(isocast_reader *reader, const isocast_tree_node *mapping,
                           isocast_purchase *purchase);

/* Reads one of the keys, but for `steps`, from a text at a span: *known is whether the name is one.
 * Gives the value, SI; NAN with a diagnostic. */
double isocast_purchase_set(isocast_reader *reader, const char *name, const isocast_tree_node *text,
                            isocast_purchase *purchase, bool *known);

/* The keys that it reads. */
#define ISOCAST_PURCHASE_KEYS                                                                      \
    "base_price", "base_power", "steps", "running_cost", "energy_price", "lifetime", "use"

#endif
