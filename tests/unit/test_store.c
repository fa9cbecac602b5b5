/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store: streams come back as they were, and damaged stores are refused. */
#include "h5store.h"
#include "h5table.h"
#include "zwb_test.h"

#include <dirent.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
	char dir[32];
	char path[64];
	char other[64];
};

static int setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	snprintf(fx->dir, sizeof(fx->dir), "/tmp/zwb-store-XXXXXX");
	assert_non_null(mkdtemp(fx->dir));
	snprintf(fx->path, sizeof(fx->path), "%s/t.h5", fx->dir);
	snprintf(fx->other, sizeof(fx->other), "%s/u.h5", fx->dir);
	*state = fx;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fx = *state;

	unlink(fx->path);
	unlink(fx->other);
	assert_int_equal(rmdir(fx->dir), 0); /* also: no temporary file was left */
	free(fx);
	return 0;
}

/* A metadata with every table and every awkward value. */
static struct zwb_meta *make_meta(void)
{
	struct zwb_meta *m = zwb_meta_create();
	const struct zwb_loss loss = { .cpu = 3,
		.kind = ZWB_LOSS_OVERRUN,
		.nr = 17,
		.nr_is_known = 1,
		.first_ns = 5,
		.last_ns = 9 };
	const struct zwb_swap swap = { .swap_type = 1,
		.path = "/dev/vda1",
		.kind = "partition",
		.nr_slots = 1000,
		.dev = 1,
		.synchronous = -1,
		.geometry_known = 1 };
	const struct zwb_extent extent = { .swap_type = 1, .nr_slots = 1000, .first_sector = 2048 };

	assert_non_null(m);
	zwb_meta_set(&m->source, "recording/trace.dat", NULL);
	zwb_meta_set(&m->digest, "0123456789abcdef", NULL);
	zwb_meta_set(&m->kernel, "7.3.4", NULL);
	zwb_meta_set(&m->clock, "mono", NULL);
	m->start_ns = UINT64_C(1) << 60;
	m->nr_cpus = 4;
	m->hz = 250;
	m->page_bytes = 16384;
	assert_int_equal(zwb_meta_cgroup(m, 28, "/w0", NULL), 1);
	assert_int_equal(zwb_meta_cgroup(m, UINT64_MAX, "", NULL), 2);
	assert_int_equal(zwb_meta_device(m, 254, 16, NULL, NULL), 0);
	assert_int_equal(zwb_meta_device(m, 254, 0, "vda", NULL), 1);
	assert_int_equal(zwb_meta_task(m, 447, "fifteen letters", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_loss(m, &loss, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_tally(m, "zlab/zstore", ZWB_EV_STORE_BEGIN, 12, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_tally(m, "sched/other", -1, 1, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_unknown(m, "swap_write.cgroup", 3, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_fact(m, "zswap", "compressor", "lzo", NULL), ZWB_OK);
	assert_int_equal(zwb_meta_fact(m, "notes", "empty", "", NULL), ZWB_OK);
	assert_int_equal(
		zwb_meta_counter(m, ZWB_COUNTER_BEFORE, "vmstat", "zswpwb", 0, NULL), ZWB_OK);
	assert_int_equal(
		zwb_meta_counter(m, ZWB_COUNTER_AFTER, "vmstat", "zswpwb", -7, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_swap(m, &swap, NULL), ZWB_OK);
	assert_int_equal(zwb_meta_extent(m, &extent, NULL), ZWB_OK);
	return m;
}

/* Event @i uses every bit of every field that may hold any value. */
static struct zwb_event event_of(uint64_t i)
{
	uint64_t mix = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	struct zwb_event ev = { .ts_ns = i * 1000 + i % 7,
		.addr = mix,
		.tid = (int32_t)(mix >> 33),
		.cgroup = (uint32_t)(i % 3),
		.len = (uint32_t)mix,
		.val = i % 2 ? ZWB_VAL_UNKNOWN : (int32_t)(uint32_t)mix,
		.cpu = (uint16_t)(mix >> 40),
		.dev = (uint16_t)(i % 2),
		.kind = (uint8_t)(1 + i % (ZWB_EV_NR - 1)),
		.flags = (uint8_t)(mix >> 50) };

	return ev;
}

static void append(struct zwb_store *s, uint64_t first, uint64_t nr)
{
	struct zwb_event *events = calloc(nr ? nr : 1, sizeof(*events));

	for (uint64_t i = 0; i < nr; i++)
		events[i] = event_of(first + i);
	assert_int_equal(zwb_store_append(s, events, nr, NULL), ZWB_OK);
	free(events);
}

static void write_store(const char *path, uint64_t nr, uint64_t step, int nr_threads)
{
	const struct zwb_store_opts opts = { .force = 1, .nr_threads = nr_threads };
	struct zwb_meta *m = make_meta();
	struct zwb_store *s;

	assert_int_equal(zwb_store_create(path, &opts, &s, NULL), ZWB_OK);
	for (uint64_t i = 0; i < nr; i += step)
		append(s, i, nr - i < step ? nr - i : step);
	assert_int_equal(zwb_store_commit(s, m, NULL), ZWB_OK);
	zwb_meta_free(m);
}

/* Reads all; @check: against event_of(). Returns the status of the end. */
static int read_store(const char *path, int check, uint64_t *nr_read, struct zwb_err *err)
{
	const struct zwb_event *events;
	struct zwb_stream *in;
	size_t nr = 0;
	int ret = zwb_store_open(path, &in, err);

	*nr_read = 0;
	if (ret)
		return ret;
	do {
		ret = zwb_stream_next(in, &events, &nr, err);
		for (size_t i = 0; !ret && check && i < nr; i++) {
			struct zwb_event want = event_of(*nr_read + i);

			assert_memory_equal(&events[i], &want, sizeof(want));
		}
		*nr_read += ret ? 0 : nr;
	} while (!ret && nr);
	zwb_stream_close(in);
	return ret;
}

static void store__events_come_back_at_every_chunk_border(void **state)
{
	static const uint64_t lengths[] = { 0, 1, 65535, 65536, 65537, 200000 };
	struct fixture *fx = *state;
	uint64_t nr;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(lengths); i++) {
		write_store(fx->path, lengths[i], 4093, (int)(i % 3));
		assert_int_equal(read_store(fx->path, 1, &nr, NULL), ZWB_OK);
		assert_int_equal(nr, lengths[i]);
	}
}

static void store__metadata_come_back(void **state)
{
	struct fixture *fx = *state;
	struct zwb_stream *in;
	struct zwb_meta *m;
	int64_t delta = 0;

	write_store(fx->path, 10, 10, 0);
	assert_int_equal(zwb_store_open(fx->path, &in, NULL), ZWB_OK);
	m = in->meta;
	assert_string_equal(m->source, "recording/trace.dat");
	assert_string_equal(m->digest, "0123456789abcdef");
	assert_string_equal(m->kernel, "7.3.4");
	assert_string_equal(m->clock, "mono");
	assert_string_equal(m->scheduler, "");
	assert_int_equal(m->start_ns, UINT64_C(1) << 60);
	assert_int_equal(m->end_ns, event_of(9).ts_ns);
	assert_int_equal(m->nr_events, 10);
	assert_int_equal(m->page_bytes, 16384);
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(m->hz, 250);
	assert_int_equal(m->nr_cgroups, 3);
	assert_int_equal(m->cgroups[2].id, UINT64_MAX);
	assert_string_equal(m->cgroups[1].path, "/w0");
	assert_int_equal(m->nr_devices, 2);
	assert_string_equal(m->devices[0].name, "");
	assert_string_equal(m->devices[1].name, "vda");
	assert_string_equal(m->tasks[0].comm, "fifteen letters");
	assert_int_equal(m->nr_losses, 1);
	assert_int_equal(m->losses[0].kind, ZWB_LOSS_OVERRUN);
	assert_int_equal(m->losses[0].last_ns, 9);
	assert_int_equal(m->tallies[0].kind, ZWB_EV_STORE_BEGIN);
	assert_int_equal(m->tallies[1].kind, -1);
	assert_string_equal(m->unknowns[0].what, "swap_write.cgroup");
	assert_string_equal(zwb_meta_fact_get(m, "zswap", "compressor"), "lzo");
	assert_string_equal(zwb_meta_fact_get(m, "notes", "empty"), "");
	assert_int_equal(zwb_meta_counter_delta(m, "vmstat", "zswpwb", &delta), 1);
	assert_int_equal(delta, -7);
	assert_int_equal(m->swaps[0].synchronous, -1);
	assert_string_equal(m->swaps[0].path, "/dev/vda1");
	assert_int_equal(m->extents[0].first_sector, 2048);
	zwb_stream_close(in);
}

static void assert_files_equal(const char *path_a, const char *path_b)
{
	FILE *a = fopen(path_a, "r");
	FILE *b = fopen(path_b, "r");
	char bytes_a[4096], bytes_b[4096];
	size_t nr;

	assert_non_null(a);
	assert_non_null(b);
	do {
		nr = fread(bytes_a, 1, sizeof(bytes_a), a);
		assert_int_equal(fread(bytes_b, 1, sizeof(bytes_b), b), nr);
		assert_memory_equal(bytes_a, bytes_b, nr);
	} while (nr);
	fclose(a);
	fclose(b);
}

static void store__a_copy_of_a_store_is_identical(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_event *events;
	struct zwb_stream *in;
	struct zwb_store *s;
	size_t nr;

	write_store(fx->path, 100000, 100000, 2);
	assert_int_equal(zwb_store_open(fx->path, &in, NULL), ZWB_OK);
	assert_int_equal(zwb_store_create(fx->other, NULL, &s, NULL), ZWB_OK);
	for (;;) {
		assert_int_equal(zwb_stream_next(in, &events, &nr, NULL), ZWB_OK);
		if (nr == 0)
			break;
		assert_int_equal(zwb_store_append(s, events, nr, NULL), ZWB_OK);
	}
	assert_int_equal(zwb_store_commit(s, in->meta, NULL), ZWB_OK);
	zwb_stream_close(in);
	assert_files_equal(fx->path, fx->other);
}

static void store__an_existing_file_needs_force(void **state)
{
	const struct zwb_store_opts force = { .force = 1 };
	struct fixture *fx = *state;
	struct zwb_store *s;
	uint64_t nr;

	write_store(fx->path, 5, 5, 0);
	assert_int_equal(zwb_store_create(fx->path, NULL, &s, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_store_create(fx->path, &force, &s, NULL), ZWB_OK);
	append(s, 0, 3);
	zwb_store_abort(s);
	assert_int_equal(read_store(fx->path, 1, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 5);
}

/* The name of the only file in @dir. */
static void only_file(const char *dir, char *path, size_t room)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	assert_non_null(d);
	path[0] = '\0';
	while ((entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		assert_int_equal(path[0], '\0');
		snprintf(path, room, "%s/%s", dir, entry->d_name);
	}
	closedir(d);
}

static void store__a_killed_writer_leaves_a_readable_part(void **state)
{
	enum { WRITTEN = 3 << 19, FLUSHED = 1 << 20 };
	struct fixture *fx = *state;
	struct zwb_stream *in;
	char path[512];
	uint64_t nr;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct zwb_store *s;

		if (zwb_store_create(fx->path, NULL, &s, NULL))
			_exit(1);
		for (uint64_t i = 0; i < WRITTEN; i += FLUSHED / 16)
			append(s, i, FLUSHED / 16);
		_exit(0); /* like a kill: nothing is closed */
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	only_file(fx->dir, path, sizeof(path));
	assert_non_null(strstr(path, "t.h5.tmp-"));
	assert_int_equal(zwb_store_open(path, &in, NULL), ZWB_OK);
	assert_int_equal(in->meta->losses[0].kind, ZWB_LOSS_TRUNCATED);
	assert_int_equal(in->meta->losses[0].nr_is_known, 0);
	zwb_stream_close(in);
	assert_int_equal(read_store(path, 0, &nr, NULL), ZWB_OK);
	assert_true(nr >= FLUSHED / 65536 * 65536 - 4 * 65536 && nr <= WRITTEN);
	unlink(path);
}

/* -- stores that somebody else changed -- */

static hid_t open_for_change(const char *path)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);

	assert_true(file >= 0);
	return file;
}

static void set_u64(const char *path, const char *name, uint64_t value)
{
	hid_t file = open_for_change(path);
	hid_t attr = H5Aopen(file, name, H5P_DEFAULT);

	assert_true(H5Awrite(attr, H5T_NATIVE_UINT64, &value) >= 0);
	H5Aclose(attr);
	H5Fclose(file);
}

/* Change the last value of a column of a small store. */
static void set_last(const char *path, const char *column, int64_t value)
{
	hid_t file = open_for_change(path);
	hid_t dset = H5Dopen2(file, column, H5P_DEFAULT);
	hid_t space = H5Dget_space(dset);
	int64_t values[64] = { 0 };
	hssize_t nr = H5Sget_simple_extent_npoints(space);

	assert_true(nr > 0 && nr <= 64);
	H5Dread(dset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	values[nr - 1] = value;
	assert_true(H5Dwrite(dset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
	H5Sclose(space);
	H5Dclose(dset);
	H5Fclose(file);
}

static void drop(const char *path, const char *name)
{
	hid_t file = open_for_change(path);

	assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
	H5Fclose(file);
}

struct damage {
	const char *what;
	const char *attr; /* set to value, or */
	const char *column; /* last value set to value, or */
	const char *dropped; /* object removed */
	int64_t value;
	int status;
	const char *text; /* in the error */
};

static const struct damage damages[] = {
	{ "newer schema", "schema_version", NULL, NULL, 99, ZWB_EDATA, "schema version 99" },
	{ "number of events", "nr_events", NULL, NULL, 11, ZWB_EDATA, "nr_events says 11" },
	{ "page size", "page_bytes", NULL, NULL, 1000, ZWB_EDATA, "page size" },
	{ "page size too large", "page_bytes", NULL, NULL, INT64_MAX, ZWB_EDATA, "out of range" },
	{ "time goes back", NULL, "/events/ts_ns", NULL, 1, ZWB_EDATA, "time goes backwards" },
	{ "kind without a name", NULL, "/events/kind", NULL, 200, ZWB_EDATA, "without a name" },
	{ "cgroup past the table", NULL, "/events/cgroup", NULL, 3, ZWB_EDATA, "/cgroups" },
	{ "swap on no device", NULL, "/swaps/dev", NULL, 2, ZWB_EDATA, "no device 2" },
	{ "cgroup twice", NULL, "/cgroups/id", NULL, 28, ZWB_EDATA, "appears twice" },
	{ "no events", NULL, NULL, "/events", 0, ZWB_EDATA, "/events: is missing" },
	{ "no column", NULL, NULL, "/events/val", 0, ZWB_EDATA, "/events/val: is missing" },
	{ "no table", NULL, NULL, "/losses", 0, ZWB_EDATA, "/losses: is missing" },
};

static void store__damage_is_named(void **state)
{
	struct fixture *fx = *state;
	uint64_t nr;

	for (size_t i = 0; i < ZWB_ARRAY_LEN(damages); i++) {
		const struct damage *d = &damages[i];
		struct zwb_err err = { 0 };

		write_store(fx->path, 10, 10, 0);
		if (d->attr)
			set_u64(fx->path, d->attr, (uint64_t)d->value);
		else if (d->column)
			set_last(fx->path, d->column, d->value);
		else
			drop(fx->path, d->dropped);
		if (read_store(fx->path, 0, &nr, &err) != d->status || !strstr(err.text, d->text) ||
			!strstr(err.text, fx->path))
			fail_msg("%s: %d \"%s\"", d->what, err.status, err.text);
	}
}

static void store__a_block_event_of_no_device_is_refused(void **state)
{
	struct fixture *fx = *state;
	struct zwb_err err = { 0 };
	uint64_t nr, last = 1;

	/* the last event has to be of a block kind for its device to matter */
	while (!zwb_event_kind_is_block(event_of(last - 1).kind))
		last++;
	write_store(fx->path, last, last, 0);
	set_last(fx->path, "/events/dev", 2);
	assert_int_equal(read_store(fx->path, 0, &nr, &err), ZWB_EDATA);
	assert_non_null(strstr(err.text, "/devices"));
}

static void store__other_hdf5_files_are_of_the_wrong_kind(void **state)
{
	struct fixture *fx = *state;
	struct zwb_err err = { 0 };
	struct zwb_h5file *f;
	uint64_t nr;

	assert_int_equal(zwb_h5_create(fx->path, 0, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(f, NULL), ZWB_OK);
	assert_int_equal(read_store(fx->path, 0, &nr, &err), ZWB_EKIND);
	assert_int_equal(zwb_h5_create(fx->path, 1, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_set_str(f, "/", "format", "zwb run", NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(f, NULL), ZWB_OK);
	assert_int_equal(read_store(fx->path, 0, &nr, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "\"zwb run\""));
}

/* Rename the kinds of @path: the name @from becomes @to. */
static void rename_kind(const char *path, const char *from, const char *to)
{
	struct zwb_h5file *f;
	char *names, changed[4096], *at;
	hid_t file, attr, type, dset, space;

	assert_int_equal(zwb_h5_open(path, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_get_str(f, "/events/kind", "flag_meanings", &names, NULL), ZWB_OK);
	zwb_h5_close(f);
	at = strstr(names, from);
	assert_non_null(at);
	snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - names), names, to,
		at + strlen(from));
	free(names);
	file = open_for_change(path);
	dset = H5Dopen2(file, "/events/kind", H5P_DEFAULT);
	H5Adelete(dset, "flag_meanings");
	type = H5Tcopy(H5T_C_S1);
	H5Tset_size(type, strlen(changed) + 1);
	space = H5Screate(H5S_SCALAR);
	attr = H5Acreate2(dset, "flag_meanings", type, space, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Awrite(attr, type, changed) >= 0);
	H5Aclose(attr);
	H5Sclose(space);
	H5Tclose(type);
	H5Dclose(dset);
	H5Fclose(file);
}

static void store__kinds_are_known_by_their_names(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_event *events;
	struct zwb_stream *in;
	size_t nr;

	write_store(fx->path, 3, 3, 0);
	assert_int_equal(event_of(0).kind, ZWB_EV_STORE_BEGIN);
	/* as if another version had numbered them the other way round */
	rename_kind(fx->path, "store_begin store_end", "store_end store_begin");
	assert_int_equal(zwb_store_open(fx->path, &in, NULL), ZWB_OK);
	assert_int_equal(zwb_stream_next(in, &events, &nr, NULL), ZWB_OK);
	assert_int_equal(nr, 3);
	assert_int_equal(events[0].kind, ZWB_EV_STORE_END);
	assert_int_equal(events[1].kind, ZWB_EV_STORE_BEGIN);
	zwb_stream_close(in);
}

static void store__kinds_of_a_newer_version_are_counted(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_event *events;
	struct zwb_stream *in;
	size_t nr;

	write_store(fx->path, 3, 3, 0);
	rename_kind(fx->path, "store_begin", "store_tomorrow");
	assert_int_equal(zwb_store_open(fx->path, &in, NULL), ZWB_OK);
	assert_int_equal(zwb_stream_next(in, &events, &nr, NULL), ZWB_OK);
	assert_int_equal(events[0].kind, ZWB_EV_NONE);
	assert_int_equal(events[1].kind, ZWB_EV_STORE_END);
	assert_string_equal(in->meta->unknowns[1].what, "events.kind");
	assert_int_equal(in->meta->unknowns[1].nr, 1);
	zwb_stream_close(in);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(store__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(events_come_back_at_every_chunk_border),
		T(metadata_come_back),
		T(a_copy_of_a_store_is_identical),
		T(an_existing_file_needs_force),
		T(a_killed_writer_leaves_a_readable_part),
		T(damage_is_named),
		T(a_block_event_of_no_device_is_refused),
		T(other_hdf5_files_are_of_the_wrong_kind),
		T(kinds_are_known_by_their_names),
		T(kinds_of_a_newer_version_are_counted),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
