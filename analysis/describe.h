/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences that stand under every table for people, whatever its format. */
#ifndef ZWB_DESCRIBE_H
#define ZWB_DESCRIBE_H

#include "compare.h"

/*
 * All return text that the caller frees, NULL without memory. Names in it come from outside and are
 * not escaped.
 */

/** zwb_describe_spread() - what n counts, how many seeds there are, what +- is. */
char *zwb_describe_spread(const struct zwb_comparison *cmp);

/** zwb_describe_verdict() - what may be said of one difference, as a clause without a full stop. */
char *zwb_describe_verdict(const struct zwb_cmp_cell *cell);

/** zwb_describe_verdict_short() - the same in at most ZWB_VERDICT_SHORT characters. */
#define ZWB_VERDICT_SHORT 22
void zwb_describe_verdict_short(char *buf, const struct zwb_cmp_cell *cell);

/** zwb_describe_p() - a probability in at most ZWB_P_WIDTH characters; "" for NAN. */
#define ZWB_P_WIDTH 5
void zwb_describe_p(char *buf, double p);

/** zwb_describe_method() - where intervals, p and verdicts come from; "" if there are none. */
char *zwb_describe_method(const struct zwb_comparison *cmp);

/** zwb_describe_published() - which number of runs could have shown a published change; or "". */
void zwb_describe_published(char *buf, const struct zwb_cmp_cell *cell);

/** zwb_describe_drift() - what the baseline alone does; "" if that is not known. */
char *zwb_describe_drift(const struct zwb_comparison *cmp);

/** zwb_describe_oddity() - outliers and groups of recordings in one cell; "" if there are none. */
char *zwb_describe_oddity(const struct zwb_cmp_cell *cell);

/** zwb_describe_classes() - what the class letters in the table mean; "" if there are none. */
char *zwb_describe_classes(const struct zwb_comparison *cmp);

/** zwb_describe_recording() - name, kernel, policy, scheduler, length and digest. */
char *zwb_describe_recording(const struct zwb_run_trace *trace);

/** zwb_describe_losses() - events that are missing: "overrun at least 12 on 2 CPUs"; "nothing". */
char *zwb_describe_losses(const struct zwb_run_trace *trace);

/** zwb_describe_oddities() - what is odd about events that are there: "unpaired_end 3 on 1 CPU". */
char *zwb_describe_oddities(const struct zwb_run_trace *trace);

/** zwb_describe_unknowns() - what the recording does not tell, and of how many events; or "". */
char *zwb_describe_unknowns(const struct zwb_run_trace *trace);

#endif
