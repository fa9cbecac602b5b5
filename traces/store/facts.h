/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about the host of a recording: facts, counters, swap geometry. */
#ifndef ZWB_FACTS_H
#define ZWB_FACTS_H

#include "meta.h"
#include "stream.h"

/*
 * A recording by "zwb capture" has them inside, as markers: traces/FORMAT.md. Other recorders leave
 * text beside a recording, in one of two layouts:
 *
 *	a folder   notes.txt, counters-before.txt, counters-after.txt, series.txt (each optional)
 *	one file   NAME.counters.txt beside NAME.dat: sections "## vmstat 0" before,
 *	           "## vmstat 1" after the run, and others without a number
 *
 * They become rows of the metadata with names that do not depend on the layout:
 *
 *	facts      zswap max_pool_percent, queue max_sectors_kb, queue scheduler, vm page-cluster,
 *	           config CONFIG_HZ, iocost enabled, iocost qos, iocost model,
 *	           cgroup /w0 memory.max, partition vda1, host KEY for other "KEY: VALUE" lines,
 *	           notes "line N" for the rest
 *	counters   "vmstat" zswpwb; "disk vda" writes_completed; "zswap" stored_pages; "cgroup /w0
 *	           memory.stat" pgscan; "cgroup /w0 io.stat" "254:0 wios"; "pressure io" "some
 *	           total"; a file with a single number: key "value"
 *
 * Numbers with two decimals are counted in hundredths and their key ends in "_x100"; averages of
 * pressure files are left out. Where the layout does not say which cgroup or disk a section is
 * about, they are called "cgroup workload" and "disk swap".
 *
 * Damaged text is no error: lines that mean nothing are kept as facts, and what is too long or too
 * much is counted as the unknown "facts.lines".
 */

#define ZWB_FACTS_MAX_FACTS    16384u
#define ZWB_FACTS_MAX_COUNTERS 1000000u
#define ZWB_FACTS_MAX_SAMPLES  750000u /* of them; those after the run come last */

/** Slots that a guessed extent reaches: 256 GiB of 4 KiB pages. */
#define ZWB_FACTS_GUESSED_SLOTS (UINT64_C(1) << 26)

/**
 * zwb_facts_load() - find the texts and add what they say to @m.
 * @m: of the recording; clock and start_ns are set, for samples taken while it ran.
 * @trace_path: the recording; texts beside it are found by themselves.
 * @facts_path: folder or file to use instead, or NULL.
 * Return: ZWB_OK, also when there is nothing beside the recording (unknown "facts"); ZWB_EENV or
 * ZWB_EUSAGE when @facts_path cannot be read or holds nothing; ZWB_ENOMEM.
 *
 * Afterwards there is a swap area. When the texts do not say where it lies, its only extent is the
 * guess that it fills the disk from sector 0 (geometry_known 0, unknown "swap.geometry").
 */
int zwb_facts_load(
	struct zwb_meta *m, const char *trace_path, const char *facts_path, struct zwb_err *err);

/**
 * zwb_facts_load_markers() - add what the recording itself says, see zwb_tracedat_markers().
 * @recording: opened by zwb_tracedat_open().
 * Return: ZWB_OK; ZWB_EENV; ZWB_ENOMEM. Otherwise as zwb_facts_load().
 */
int zwb_facts_load_markers(struct zwb_stream *recording, struct zwb_err *err);

/*
 * A guessed geometry is replaced by what the recording itself shows. The rule: a write bio begins
 * and ends with one of the slots that its task gave to the swap device last. When four of five bios
 * agree on one distance between slot and sector, the swap area is one run that begins there. Fact
 * "geometry" "source" says how many agreed. Too few or no agreement: the guess stays. The run ends
 * at the highest slot that the recording names.
 */
struct zwb_learner;

/** zwb_learner_create() - *@out is NULL when nothing is to be learned; the others take that. */
int zwb_learner_create(const struct zwb_meta *m, struct zwb_learner **out, struct zwb_err *err);
/** zwb_learner_add() - all events of the recording, block by block. */
void zwb_learner_add(struct zwb_learner *l, const struct zwb_event *events, size_t nr_events);
/**
 * zwb_learner_apply() - change the swap area of @m, and free @l.
 * @devices: that the events named.
 */
int zwb_learner_apply(struct zwb_learner *l, struct zwb_meta *m, const struct zwb_device *devices,
	size_t nr_devices, struct zwb_err *err);

/**
 * zwb_facts_learn() - all of that from another stream over the same recording.
 * @probe: at its begin; read to its end.
 */
int zwb_facts_learn(struct zwb_meta *m, struct zwb_stream *probe, struct zwb_err *err);

#endif
