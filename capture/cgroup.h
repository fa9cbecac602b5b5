/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cgroups that a person names. */
#ifndef ZWB_CGROUP_H
#define ZWB_CGROUP_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

struct zwb_cgroup {
	char *dir; /* "/sys/fs/cgroup/w0" */
	const char *path; /* "/w0": part of dir */
};

/**
 * zwb_cgroup_find() - the directory of a cgroup.
 * @root: in front of every path: "" is the host itself.
 * @name: "/w0", "w0" or "/sys/fs/cgroup/w0".
 * Return: ZWB_OK; ZWB_EUSAGE when there is no such cgroup; ZWB_EENV without a unified hierarchy;
 * ZWB_ENOMEM.
 */
int zwb_cgroup_find(
	const char *root, const char *name, struct zwb_cgroup *cgroup, struct zwb_err *err);

void zwb_cgroup_release(struct zwb_cgroup *cgroup);

/**
 * zwb_cgroup_ids() - the numbers by which events name a cgroup and those below it.
 * @ids: set; freed by the caller.
 * Return: ZWB_OK; ZWB_EUSAGE when there are more than ZWB_CGROUP_IDS_MAX; ZWB_EENV; ZWB_ENOMEM.
 */
int zwb_cgroup_ids(
	const struct zwb_cgroup *cgroup, uint64_t **ids, size_t *nr, struct zwb_err *err);

/* The text of a filter must stay shorter than a page. */
#define ZWB_CGROUP_IDS_MAX 128u

#endif
