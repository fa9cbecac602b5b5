/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A made-up host: files that look like those under /proc and /sys. */
#ifndef HOST_TREE_H
#define HOST_TREE_H

#include "zwb_test.h"

#include <stdint.h>

struct host_tree {
	char root[32]; /* "/tmp/zwb-host-XXXXXX" */
};

/** host_tree_make() - the whole host, as host_tree.c describes it; for cmocka. */
int host_tree_make(void **state);
int host_tree_remove(void **state);

/** host_tree_put() - (over)write a file of the tree, with the folders above it. */
void host_tree_put(const struct host_tree *t, const char *path, const char *text);

/** host_tree_cut() - remove a file or an empty folder. */
void host_tree_cut(const struct host_tree *t, const char *path);

/** host_tree_inode() - number of a file or folder. */
uint64_t host_tree_inode(const struct host_tree *t, const char *path);

#endif
