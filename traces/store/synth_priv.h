/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The synthetic machine, as its parts and the profiles see it. */
#ifndef ZWB_SYNTH_PRIV_H
#define ZWB_SYNTH_PRIV_H

#include "synth.h"

#include <gsl/gsl_rng.h>

/*
 * Time. Every CPU has a clock; the machine always runs the CPU that is furthest behind, for one
 * step: a few events about one page or slot. A step's first event is stamped with a time that no
 * other CPU can precede any more, and its changes of state count from then on; while it lasts, the
 * slot it is about is busy, and others who want that slot wait. So what the events tell in the
 * order of time is consistent, although walks, stores and loads of several CPUs overlap.
 * Clocks are kept apart modulo the number of sources (CPUs and disk): no two events are at one
 * time, and merging the sources has one answer.
 */

#define SYNTH_NONE	   UINT32_MAX
#define SYNTH_NEVER	   UINT64_MAX
#define SYNTH_QUEUE_MAX	   512u /* more events than one step makes */
#define SYNTH_PLUG_MAX	   32u /* requests in a plug (BLK_MAX_REQUEST_COUNT) */
#define SYNTH_DISK_TAGS	   256u /* tasks wait when the disk has so many requests */
#define SYNTH_PAGE_BYTES   4096u
#define SYNTH_PAGE_SECTORS 8u
#define SYNTH_SECTOR_BYTES 512u

enum synth_page_state { SYNTH_PAGE_NEW, SYNTH_PAGE_RESIDENT, SYNTH_PAGE_SWAPPED };

struct synth_page {
	uint32_t slot; /* SYNTH_NONE: has none */
	uint32_t next; /* in the queue of resident pages */
	uint8_t state;
	uint8_t is_referenced;
	uint8_t is_queued; /* may be set for pages that left memory: skipped when they come up */
};

enum synth_slot_state {
	SYNTH_SLOT_FREE,
	SYNTH_SLOT_STORING,
	SYNTH_SLOT_ZSWAP,
	SYNTH_SLOT_ZERO, /* a page of zeros, kept nowhere */
	SYNTH_SLOT_WRITING,
	SYNTH_SLOT_DISK,
	SYNTH_SLOT_READING,
	SYNTH_SLOT_CLEAN, /* the page is in memory, and the disk has the same content */
	SYNTH_SLOT_DIRTY, /* the page is in memory, and nothing else has its content */
};

struct synth_slot {
	uint32_t page;
	uint32_t prev, next; /* in the LRU of its cgroup */
	uint16_t bytes; /* compressed */
	uint8_t state;
	uint8_t is_referenced;
};

struct synth_list {
	uint32_t head, tail;
};

/* mm/swapfile.c: which list a cluster of slots is on. */
enum synth_cluster_list { SYNTH_FREE, SYNTH_NONFULL, SYNTH_FRAG, SYNTH_NR_LISTS, SYNTH_FULL };

struct synth_cluster {
	uint32_t prev, next;
	uint16_t nr_used;
	uint8_t list;
};

struct synth_swap {
	struct synth_slot *slots;
	uint64_t *used; /* bit map of slots */
	struct synth_cluster *clusters;
	uint32_t nr_slots;
	uint32_t nr_clusters;
	struct synth_list lists[SYNTH_NR_LISTS];
};

struct synth_cgroup {
	uint32_t index; /* in the metadata */
	uint32_t nr_resident, max_resident;
	uint32_t nr_stored, max_stored;
	int has_zswap_max; /* held by zswap.max, else by the shrinker */
	struct synth_list resident; /* pages, oldest first */
	struct synth_list lru; /* slots in zswap, oldest first */
};

struct synth_request {
	uint64_t sector;
	uint64_t done_ns;
	uint32_t nr_sectors;
	uint32_t waiter; /* task that sleeps until it is done, or SYNTH_NONE */
	uint32_t cgroup;
	uint16_t cpu; /* takes the interrupt */
	uint8_t op; /* ZWB_OP_* */
};

struct synth_plug {
	uint32_t depth; /* how often it was started; 0: there is none */
	uint32_t nr;
	struct synth_request requests[SYNTH_PLUG_MAX];
};

/* A swap IO context: consecutive slots that become one bio. */
struct synth_io {
	uint32_t first_slot;
	uint32_t nr;
};

enum synth_phase {
	SYNTH_RUN,
	SYNTH_READ,
	SYNTH_READ_SUBMIT,
	SYNTH_READ_DONE,
	SYNTH_WRITE,
	SYNTH_DISCARD,
	SYNTH_RECLAIM,
	SYNTH_EVICT,
	SYNTH_STORE_END,
	SYNTH_EVICT_END,
	SYNTH_SHRINK_SLAB,
	SYNTH_SHRINK_SLAB_END,
	SYNTH_RECLAIM_END,
	SYNTH_VISIT,
	SYNTH_WALK_END,
	SYNTH_NR_PHASES
};

struct synth_task {
	int32_t tid;
	uint32_t index;
	uint32_t cpu;
	struct synth_cgroup *cgroup;
	uint32_t first_page;
	uint8_t phase;
	uint8_t is_asleep;
	uint8_t is_throttled; /* asleep because the disk had too much to do */
	uint8_t has_reclaimed; /* the next page is charged whatever the limit says */
	struct synth_plug plug;

	uint32_t fault_page;
	uint32_t window_at, window_begin, window_end; /* pages read ahead, or being discarded */
	struct synth_io read, write;

	uint8_t reclaim_back; /* phases to go on with afterwards */
	uint8_t walk_back;
	uint32_t nr_to_evict, nr_evicted;
	uint32_t store_slot;
	uint8_t store_walked;
	uint8_t walk_kind; /* enum zwb_walk_kind */
	uint32_t walk_left, walk_visited, walk_written;
};

struct synth_cpu {
	uint64_t clock_ns;
	uint64_t slice_end_ns;
	uint32_t busy_slot;
	uint32_t cursor; /* next slot to try, 0: none */
	uint32_t running; /* task, SYNTH_NONE: idle */
	uint32_t nr_tasks;
	uint32_t nr_asleep;
};

/* Events of one source, in order of time, that are not yet in the stream. */
struct synth_queue {
	uint32_t at, nr;
	struct zwb_event events[SYNTH_QUEUE_MAX];
};

struct synth_disk {
	uint64_t free_ns; /* when it has done all it was given */
	uint32_t first, nr, room;
	struct synth_request *requests; /* a ring */
};

struct synth_machine {
	gsl_rng *rng;
	uint64_t bits; /* random, not yet used */
	uint32_t nr_bits;
	uint32_t nr_cpus, nr_tasks, nr_cgroups;
	uint32_t nr_sources; /* CPUs and disk */
	uint32_t nr_task_pages;
	struct synth_cpu cpus[ZWB_SYNTH_MAX_CPUS];
	uint64_t heads_ns[ZWB_SYNTH_MAX_CPUS + 1]; /* time of each source's first event */
	int32_t shown_tid[ZWB_SYNTH_MAX_CPUS]; /* who runs, as far as the stream has got */
	struct synth_queue *queues; /* one a source, the disk's last */
	struct synth_cgroup *cgroups;
	struct synth_task *tasks;
	struct synth_page *pages;
	struct synth_swap swap;
	struct synth_disk disk;
	const struct synth_profile *profile;
	void *profile_state;
};

/* What the tasks do: one file a profile. */
struct synth_profile {
	const char *name;
	const char *summary;
	/* init: make the state that act gets; release: free it, NULL included. */
	int (*init)(struct synth_machine *m, const struct zwb_synth_params *params, void **state,
		struct zwb_err *err);
	void (*release)(void *state);
	/*
	 * act: let @task, which runs in user space, touch pages until one of them takes it into the
	 * kernel or it has done a few, or let it discard some.
	 */
	void (*act)(void *state, struct synth_machine *m, struct synth_task *task);
};

extern const struct synth_profile synth_profile_zipf;

/* ---- machine (synth_machine.c) ---- */

int synth_machine_init(
	struct synth_machine *m, const struct zwb_synth_params *params, struct zwb_err *err);
void synth_machine_release(struct synth_machine *m);

/** synth_machine_run() - fill @out with the next events. Return: how many; always @room. */
size_t synth_machine_run(struct synth_machine *m, struct zwb_event *out, size_t room);

/** synth_random() - a number less than @below, which is not more than 2^16. */
uint32_t synth_random(struct synth_machine *m, uint32_t below);

/** synth_spend() - let about @ns pass on the task's CPU. */
void synth_spend(struct synth_machine *m, const struct synth_task *t, uint32_t ns);

/** synth_emit() - an event of the running task, now; the caller fills in what the kind says. */
struct zwb_event *synth_emit(
	struct synth_machine *m, const struct synth_task *t, enum zwb_event_kind kind);

/** synth_take_slot() - wait until no other CPU is busy with @slot, and be busy with it. */
void synth_take_slot(struct synth_machine *m, const struct synth_task *t, uint32_t slot);

void synth_sleep(struct synth_machine *m, struct synth_task *t);
/** synth_wake() - the task can run from @now_ns on. */
void synth_wake(struct synth_machine *m, struct synth_task *t, uint64_t now_ns);

/* ---- swap area and lists (synth_swap.c) ---- */

int synth_swap_init(struct synth_swap *swap, uint32_t nr_slots, struct zwb_err *err);
void synth_swap_release(struct synth_swap *swap);
/** synth_swap_alloc() - a free slot for a CPU; there always is one. @cursor: the CPU's. */
uint32_t synth_swap_alloc(struct synth_swap *swap, uint32_t *cursor);
void synth_swap_free(struct synth_swap *swap, uint32_t slot);
void synth_lru_append(struct synth_machine *m, struct synth_cgroup *cg, uint32_t slot);
void synth_lru_remove(struct synth_machine *m, struct synth_cgroup *cg, uint32_t slot);
void synth_resident_append(struct synth_machine *m, struct synth_cgroup *cg, uint32_t page);
/** synth_resident_pop() - the oldest page that was not touched lately, or SYNTH_NONE. */
uint32_t synth_resident_pop(struct synth_machine *m, struct synth_cgroup *cg);

/* ---- block layer (synth_block.c) ---- */

void synth_plug_start(struct synth_machine *m, struct synth_task *t);
void synth_plug_finish(struct synth_machine *m, struct synth_task *t);
/** synth_io_add() - add @slot to a context that is submitted first when it does not continue it. */
void synth_io_add(
	struct synth_machine *m, struct synth_task *t, struct synth_io *io, uint32_t slot);
/** synth_io_submit() - make the context a bio, unless it is empty. @waits: the task will sleep. */
void synth_io_submit(struct synth_machine *m, struct synth_task *t, struct synth_io *io, int waits);
int synth_disk_init(struct synth_machine *m, struct zwb_err *err);
/** synth_disk_throttle() - put the task to sleep when the disk has too much to do. */
int synth_disk_throttle(struct synth_machine *m, struct synth_task *t);
uint64_t synth_disk_next_ns(const struct synth_machine *m);
/** synth_disk_complete() - the oldest request is done. */
void synth_disk_complete(struct synth_machine *m);

/* ---- what tasks do in the kernel ---- */

/** synth_touch() - Return: true when the task goes on in user space. (synth_fault.c) */
int synth_touch(struct synth_machine *m, struct synth_task *t, uint32_t page);
/** synth_discard() - give back the pages [@begin, @end) of the task. (synth_fault.c) */
void synth_discard(struct synth_machine *m, struct synth_task *t, uint32_t begin, uint32_t end);
/** synth_must_reclaim() - start reclaim, to return to phase @back, unless there is room. */
int synth_must_reclaim(struct synth_machine *m, struct synth_task *t, enum synth_phase back);

typedef void synth_step_fn(struct synth_machine *m, struct synth_task *t);
synth_step_fn synth_step_read, synth_step_read_submit, synth_step_read_done, synth_step_write;
synth_step_fn synth_step_discard;
synth_step_fn synth_step_reclaim, synth_step_evict, synth_step_store_end, synth_step_evict_end;
synth_step_fn synth_step_shrink_slab, synth_step_shrink_slab_end, synth_step_reclaim_end;
synth_step_fn synth_step_visit, synth_step_walk_end;

#endif
