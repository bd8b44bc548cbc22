/* Where a row was measured: every CSV row of bench/ starts with these two columns. */
#ifndef SFGP_BENCH_PROVENANCE_H
#define SFGP_BENCH_PROVENANCE_H

const char *
bench_commit(void); /* short hash of HEAD, with + when the tree differs from it; "unknown" outside git */
const char *bench_machine(void); /* model of the first processor, commas replaced */

#endif
