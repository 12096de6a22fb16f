/* Binomial trees, along which short messages are broadcast. */
#ifndef ISOCAST_BINOMIAL_H
#define ISOCAST_BINOMIAL_H

/* Messages that the last of p processes waits for, where those that a process sends at once share
 * its link: a process with c children has them all served after c messages, and the slowest way
 * down the tree is what counts. D (D + 1)/2 for p = 2^D; 0 for p <= 1. The tree is MPICH's: process
 * r, counted from the root, has the children r + 2^k below the lowest bit of r (R. Thakur, R.
 * Rabenseifner, W. Gropp, IJHPCA 19(1) 2005, section 4.2). */
double isocast_binomial_volume(double p);

#endif
