/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a list of changes to the datasets and attributes of a whole store, made through
 * HDF5: what our reader makes of content that no writer of ours would write. How HDF5 itself takes
 * damaged files is not tried; it does not take them well.
 */
#include "fuzz_util.h"

#include "h5store.h"
#include "synth.h"

#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_OBJECTS 256
#define NR_EVENTS   1500

/* One change: which object, where in it, and the bytes that go there. */
struct change {
	uint8_t object;
	uint8_t nr_bytes; /* 1 to 8 */
	uint16_t place;
	uint8_t bytes[8];
};

int LLVMFuzzerInitialize(int *argc, char ***argv);

static unsigned char *whole; /* bytes of an undamaged store */
static size_t whole_size;

struct objects {
	hid_t file;
	hid_t ids[MAX_OBJECTS]; /* datasets, then attributes of the root */
	int nr_datasets, nr;
};

static herr_t visit_object(hid_t root, const char *name, const H5O_info_t *info, void *arg)
{
	struct objects *o = arg;

	if (info->type == H5O_TYPE_DATASET && o->nr < MAX_OBJECTS)
		o->ids[o->nr++] = H5Dopen2(root, name, H5P_DEFAULT);
	return 0;
}

static herr_t visit_attribute(hid_t root, const char *name, const H5A_info_t *info, void *arg)
{
	struct objects *o = arg;

	(void)info;
	if (o->nr < MAX_OBJECTS)
		o->ids[o->nr++] = H5Aopen(root, name, H5P_DEFAULT);
	return 0;
}

static void objects_open(struct objects *o, const char *path)
{
	*o = (struct objects){ .file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT) };
	if (o->file < 0)
		abort();
	H5Ovisit2(o->file, H5_INDEX_NAME, H5_ITER_INC, visit_object, o, H5O_INFO_BASIC);
	o->nr_datasets = o->nr;
	H5Aiterate2(o->file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, o);
}

static void objects_close(struct objects *o)
{
	for (int i = 0; i < o->nr; i++) {
		if (i < o->nr_datasets)
			H5Dclose(o->ids[i]);
		else
			H5Aclose(o->ids[i]);
	}
	if (H5Fclose(o->file) < 0)
		abort();
}

static void apply(const struct objects *o, const struct change *change)
{
	int index = change->object % o->nr;
	int is_dataset = index < o->nr_datasets;
	hid_t id = o->ids[index];
	hid_t type = is_dataset ? H5Dget_type(id) : H5Aget_type(id);
	hid_t space = is_dataset ? H5Dget_space(id) : H5Aget_space(id);
	size_t size = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
	size_t nr = change->nr_bytes % 8 + 1u;
	unsigned char *content = malloc(size + nr);

	if (!content)
		abort();
	if (size > 0) {
		size_t place = change->place % size;

		if (is_dataset)
			H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
		else
			H5Aread(id, type, content);
		memcpy(content + place, change->bytes, nr);
		if (is_dataset)
			H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
		else
			H5Awrite(id, type, content);
	}
	free(content);
	H5Sclose(space);
	H5Tclose(type);
}

static void make_whole(const char *path)
{
	struct zwb_synth_params params;
	const struct zwb_event *events;
	struct zwb_stream *stream;
	struct zwb_store *store;
	size_t nr;

	zwb_synth_defaults(&params);
	params.nr_events = NR_EVENTS;
	params.nr_pages = 4096;
	params.nr_slots = 5000;
	if (zwb_synth_open(&params, &stream, NULL) || zwb_store_create(path, NULL, &store, NULL))
		abort();
	while (zwb_stream_next(stream, &events, &nr, NULL) == ZWB_OK && nr > 0) {
		if (zwb_store_append(store, events, nr, NULL))
			abort();
	}
	if (zwb_store_commit(store, stream->meta, NULL))
		abort();
	zwb_stream_close(stream);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char dir[] = "/tmp/zwb-fuzz-XXXXXX";
	char path[sizeof(dir) + 8];
	struct stat st;
	int fd;

	(void)argc;
	(void)argv;
	if (!mkdtemp(dir))
		abort();
	snprintf(path, sizeof(path), "%s/a.h5", dir);
	make_whole(path);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		abort();
	whole_size = (size_t)st.st_size;
	whole = malloc(whole_size);
	if (!whole || read(fd, whole, whole_size) != (ssize_t)whole_size)
		abort();
	close(fd);
	unlink(path);
	rmdir(dir);
	return 0;
}

/* Once only: HDF5 takes its time. */
static void read_all(const char *path)
{
	struct zwb_stream *stream;

	if (zwb_store_open(path, &stream, NULL) == ZWB_OK)
		fuzz_drain(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_file file;
	struct objects objects;
	struct change change;

	fuzz_file_write(&file, whole, whole_size);
	objects_open(&objects, file.path);
	for (; size >= sizeof(change); data += sizeof(change), size -= sizeof(change)) {
		memcpy(&change, data, sizeof(change));
		apply(&objects, &change);
	}
	objects_close(&objects);
	read_all(file.path);
	fuzz_file_close(&file);
	return 0;
}
