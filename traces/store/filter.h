/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams made of other streams: cut by time, merged, of one cgroup, without names. */
#ifndef ZWB_FILTER_H
#define ZWB_FILTER_H

#include "anon.h"
#include "stream.h"

/**
 * zwb_stream_merge() - several streams as one, cut to a span of time.
 * @inputs: pass to the merged stream; on failure they are closed. They have the same clock, kernel
 *          and page size, as pieces or buffers of one recording have.
 * @from_ns, @to_ns: what is kept, half-open, from the start of the earliest input; UINT64_MAX as
 *                   @to_ns: to the end.
 * Return: ZWB_OK; ZWB_EUSAGE if they do not fit together; ZWB_ENOMEM.
 *
 * Events are ordered by absolute time, CPU, and order of @inputs. Time starts anew: ts_ns 0 is
 * @from_ns, start_ns says where that is. Losses and samples of counters are cut like the events.
 * Counters from before and after the run are those of the first and last input; a cut leaves them
 * out (unknown "counters"), for they would count what is not there. Facts and swap areas are those
 * of the first input that has them. Tallies and unknowns stay those of the inputs, as far as they
 * were read: from their start, not from @from_ns.
 */
int zwb_stream_merge(struct zwb_stream **inputs, size_t nr_inputs, uint64_t from_ns, uint64_t to_ns,
	struct zwb_stream **out, struct zwb_err *err);

/**
 * zwb_stream_of_cgroup() - what concerns one cgroup, and what it shares with the others.
 * @input: passes to the new stream; on failure it is closed.
 * @cgroup: a path ("/w0", with all below it) or a number (its id).
 * Return: ZWB_OK; ZWB_EUSAGE if no cgroup has that path; ZWB_ENOMEM.
 *
 * Operations are kept or left out whole, so that what is kept can be replayed. An operation goes
 * from a *_BEGIN to its *_END on a task. It is kept if its own cgroup is selected or unknown; if it
 * names none, the operation around it decides; if there is none around it, its slot does: it is
 * left out if the last store to that slot was. Other events count as part of the operation they are
 * in. Block IO, plugs and scheduling are always kept: the IO of other cgroups shares the queue.
 */
int zwb_stream_of_cgroup(
	struct zwb_stream *input, const char *cgroup, struct zwb_stream **out, struct zwb_err *err);

/**
 * zwb_stream_anonymise() - a recording that can be handed on.
 * @input: passes to the new stream; on failure it is closed.
 * @anon: copied.
 * Return: ZWB_OK; ZWB_ENOMEM.
 *
 * Commands, cgroup paths and paths of swap files become names of zwb_anon_*(), user addresses 0,
 * ids that are kernel addresses their hash. Facts whose section is not known to be about the
 * kernel and its devices alone are dropped (command lines, host names, notes); the fact "anonymise"
 * "dropped" says how many. Tables are changed at the end of the stream, when they are whole: until
 * then the metadata still has the names.
 */
int zwb_stream_anonymise(struct zwb_stream *input, const struct zwb_anon *anon,
	struct zwb_stream **out, struct zwb_err *err);

#endif
