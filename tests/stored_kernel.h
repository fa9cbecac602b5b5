/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels under tests/unit/kernels, as they are or with something taken away. */
#ifndef ZWB_STORED_KERNEL_H
#define ZWB_STORED_KERNEL_H

#include "kernel.h"

#include "zwb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORED_KERNELS ZWB_SOURCE_DIR "/tests/unit/kernels/"
#define STORED_PATH    512

/* All but btf/, which is linked. */
static const char *const stored_files[] = { "release", "kallsyms", "available_filter_functions",
	"available_events", "README" };

static inline struct zwb_kernel *stored_kernel(const char *name)
{
	char dir[STORED_PATH];
	struct zwb_kernel *kernel = NULL;
	struct zwb_err err = { 0 };

	snprintf(dir, sizeof(dir), STORED_KERNELS "%s", name);
	if (zwb_kernel_load(dir, &kernel, &err))
		fail_msg("%s", err.text);
	return kernel;
}

/* The lines of a file that do not have @without in them; none when it is NULL. */
static inline void stored_copy(const char *from, const char *to, const char *without)
{
	char line[STORED_PATH];
	FILE *in = fopen(from, "r");
	FILE *out = fopen(to, "w");

	assert_non_null(in);
	assert_non_null(out);
	while (fgets(line, sizeof(line), in)) {
		if (without && !strstr(line, without))
			assert_true(fputs(line, out) >= 0);
	}
	fclose(in);
	assert_int_equal(fclose(out), 0);
}

/*
 * Kernel @name whose file @file lacks the lines with @without; @without NULL: lacks the file, also
 * "btf".
 */
static inline struct zwb_kernel *stored_kernel_without(
	const char *name, const char *file, const char *without)
{
	char dir[] = "/tmp/zwb-kernel-XXXXXX";
	char from[STORED_PATH], to[STORED_PATH];
	struct zwb_kernel *kernel = NULL;

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < ZWB_ARRAY_LEN(stored_files); i++) {
		bool is_it = strcmp(file, stored_files[i]) == 0;

		snprintf(from, sizeof(from), STORED_KERNELS "%s/%s", name, stored_files[i]);
		snprintf(to, sizeof(to), "%s/%s", dir, stored_files[i]);
		if (!is_it || without)
			stored_copy(from, to, is_it ? without : "\001");
	}
	snprintf(from, sizeof(from), STORED_KERNELS "%s/btf", name);
	snprintf(to, sizeof(to), "%s/btf", dir);
	if (strcmp(file, "btf") != 0)
		assert_int_equal(symlink(from, to), 0);
	assert_int_equal(zwb_kernel_load(dir, &kernel, NULL), ZWB_OK);
	unlink(to);
	for (size_t i = 0; i < ZWB_ARRAY_LEN(stored_files); i++) {
		snprintf(to, sizeof(to), "%s/%s", dir, stored_files[i]);
		unlink(to);
	}
	rmdir(dir);
	return kernel;
}

#endif
