/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes the folder that a test made. */
#ifndef ZWB_TEST_REMOVE_TREE_H
#define ZWB_TEST_REMOVE_TREE_H

#include <ftw.h>
#include <stdio.h>

static inline int remove_tree_entry(
	const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

/** remove_tree() - @root and all in it. Return: 0, or not 0. */
static inline int remove_tree(const char *root)
{
	return nftw(root, remove_tree_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
