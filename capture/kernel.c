/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel is and what it can record. */
#include "kernel.h"

#include "btf.h"
#include "readfile.h"
#include "symbols.h"

#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define KERNEL_MOUNT_BYTES 4096

/* Functions of which a kernel that has zswap has one. */
static const char *const zswap_functions[] = { "zswap_store", "zswap_frontswap_store" };

/* Where the files are: of the running system, or below a directory. */
struct kernel_paths {
	struct zwb_buf release, btf, kallsyms, functions, events, readme;
};

static void path_set(struct zwb_buf *path, const char *dir, const char *name)
{
	zwb_buf_addf(path, "%s/%s", dir, name);
	zwb_buf_add(path, "", 1);
}

static const char *path_of(const struct zwb_buf *path)
{
	return path->data ? (const char *)path->data : "";
}

/* @dir: a stored kernel, or NULL; @tracing: tracefs of the running one, or NULL. */
static int paths_init(
	struct kernel_paths *p, const char *dir, const char *tracing, struct zwb_err *err)
{
	const char *trace_files = dir ? dir : tracing;
	struct zwb_buf *all[] = { &p->release, &p->btf, &p->kallsyms, &p->functions, &p->events,
		&p->readme };

	if (dir)
		path_set(&p->release, dir, "release");
	path_set(&p->btf, dir ? dir : "/sys/kernel", "btf");
	path_set(&p->kallsyms, dir ? dir : "/proc", "kallsyms");
	if (trace_files) {
		path_set(&p->functions, trace_files, "available_filter_functions");
		path_set(&p->events, trace_files, "available_events");
		path_set(&p->readme, trace_files, "README");
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (zwb_buf_check(all[i], err))
			return ZWB_ENOMEM;
	}
	return ZWB_OK;
}

static void paths_release(struct kernel_paths *p)
{
	zwb_buf_release(&p->release);
	zwb_buf_release(&p->btf);
	zwb_buf_release(&p->kallsyms);
	zwb_buf_release(&p->functions);
	zwb_buf_release(&p->events);
	zwb_buf_release(&p->readme);
}

static int kernel_abilities(struct zwb_kernel *k, const char *path, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };
	int ret = zwb_read_file(path, &text, err);
	const char *readme = (const char *)text.data;

	if (!ret) {
		k->is_known = true;
		k->can.kprobe = strstr(readme, "kprobe_events") != NULL;
		k->can.fprobe = strstr(readme, "f[:[<group>/]") != NULL;
		k->can.btf_args = strstr(readme, "<argname>[->field") != NULL;
		k->can.typecast = strstr(readme, "[(structname[,field])]<argname>") != NULL;
		k->can.current_task = strstr(readme, "$current") != NULL;
		k->can.entry_args_at_return =
			strstr(readme, "kernel return probes support: $retval, "
				       "$arg<N>") != NULL;
	}
	zwb_buf_release(&text);
	return ret == ZWB_EENV ? ZWB_OK : ret;
}

static int kernel_release(struct zwb_kernel *k, const char *path, struct zwb_err *err)
{
	struct zwb_buf text = { 0 };
	struct utsname names;
	int ret = ZWB_OK;

	if (k->is_stored) {
		ret = zwb_read_file(path, &text, err);
		if (!ret)
			text.data[strcspn((const char *)text.data, "\n")] = '\0';
	} else if (uname(&names) == 0) {
		zwb_buf_add(&text, names.release, strlen(names.release) + 1);
	}
	if (ret != ZWB_ENOMEM)
		k->release = strdup(text.data && !ret ? (const char *)text.data : "");
	zwb_buf_release(&text);
	return k->release ? ZWB_OK : zwb_err_set(err, ZWB_ENOMEM, 0, "no memory");
}

static int kernel_types(struct zwb_kernel *k, const char *dir, struct zwb_err *err)
{
	int ret = zwb_btf_load(dir, &k->btf, err);

	return ret == ZWB_EENV ? ZWB_OK : ret;
}

static int kernel_fill(struct zwb_kernel *k, const struct kernel_paths *p, struct zwb_err *err)
{
	const struct zwb_symbol_files files = { path_of(&p->kallsyms), path_of(&p->functions),
		path_of(&p->events) };
	int ret = kernel_release(k, path_of(&p->release), err);

	if (!ret)
		ret = kernel_abilities(k, path_of(&p->readme), err);
	if (!ret)
		ret = zwb_symbols_load(&files, &k->symbols, err);
	if (!ret)
		ret = kernel_types(k, path_of(&p->btf), err);
	/* Before 6.14 fprobes catch returns by rethook, which has a fixed number of slots. */
	if (!ret)
		k->can.fprobe_max_active = zwb_symbols_is_known(k->symbols, "fprobe_exit_handler");
	for (size_t i = 0; !ret && i < sizeof(zswap_functions) / sizeof(zswap_functions[0]); i++)
		k->has_zswap |= zwb_symbols_is_known(k->symbols, zswap_functions[i]);
	return ret;
}

/* The mode of tracefs' files binds everybody but root, and those with a capability. */
static int kernel_may_trace(struct zwb_kernel *k, struct zwb_err *err)
{
	char *path;

	k->may_trace = geteuid() == 0;
	if (k->may_trace || !k->tracing)
		return ZWB_OK;
	if (asprintf(&path, "%s/dynamic_events", k->tracing) < 0)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory");
	k->may_trace = faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0;
	free(path);
	return ZWB_OK;
}

/* Where tracefs is mounted, at its usual place if there; not mounted: left alone. */
static int kernel_find_tracing(struct zwb_kernel *k, struct zwb_err *err)
{
	char buf[KERNEL_MOUNT_BYTES];
	struct mntent mount;
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	bool is_usual = false;
	int ret = ZWB_OK;

	while (mounts && !ret && !is_usual && getmntent_r(mounts, &mount, buf, sizeof(buf))) {
		if (strcmp(mount.mnt_type, "tracefs") != 0)
			continue;
		is_usual = strcmp(mount.mnt_dir, "/sys/kernel/tracing") == 0;
		if (k->tracing && !is_usual)
			continue;
		free(k->tracing);
		k->tracing = strdup(mount.mnt_dir);
		if (!k->tracing)
			ret = zwb_err_set(err, ZWB_ENOMEM, 0, "no memory");
	}
	if (mounts)
		endmntent(mounts);
	if (!ret)
		ret = kernel_may_trace(k, err);
	return ret;
}

int zwb_kernel_load(const char *dir, struct zwb_kernel **out, struct zwb_err *err)
{
	struct zwb_kernel *k = calloc(1, sizeof(*k));
	struct kernel_paths paths = { 0 };
	struct stat st;
	int ret = ZWB_OK;

	if (!k)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to look at the kernel");
	k->is_stored = dir != NULL;
	if (dir && (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)))
		ret = zwb_err_set(err, ZWB_EENV, 0, "%s: not a directory", dir);
	if (!ret && !dir)
		ret = kernel_find_tracing(k, err);
	if (!ret)
		ret = paths_init(&paths, dir, k->tracing, err);
	if (!ret)
		ret = kernel_fill(k, &paths, err);
	paths_release(&paths);
	if (ret)
		zwb_kernel_free(k);
	else
		*out = k;
	return ret;
}

void zwb_kernel_free(struct zwb_kernel *kernel)
{
	if (!kernel)
		return;
	zwb_btf_free(kernel->btf);
	zwb_symbols_free(kernel->symbols);
	free(kernel->release);
	free(kernel->tracing);
	free(kernel);
}

int zwb_kernel_check(const struct zwb_kernel *k, struct zwb_err *err)
{
	if (!k->is_stored && !k->may_trace)
		return zwb_err_set(err, ZWB_EENV, 0,
			"tracing needs root, or CAP_DAC_OVERRIDE: run this with sudo");
	if (!k->is_stored && !k->tracing)
		return zwb_err_set(err, ZWB_EENV, 0,
			"tracefs is not mounted: mount -t tracefs nodev /sys/kernel/tracing");
	if (!k->can.kprobe && !k->can.fprobe)
		return zwb_err_set(err, ZWB_EENV, 0,
			"kernel %s has no dynamic probes (its tracefs offers neither kprobe nor "
			"fprobe events): zswap has no tracepoints, so a kernel with "
			"CONFIG_KPROBE_EVENTS or CONFIG_FPROBE_EVENTS is needed",
			k->release);
	if (!k->btf)
		return zwb_err_set(err, ZWB_EENV, 0,
			"kernel %s has no type information (/sys/kernel/btf/vmlinux): one built "
			"with CONFIG_DEBUG_INFO_BTF is needed to find out where structures keep "
			"what is to be recorded",
			k->release);
	if (!k->has_zswap)
		return zwb_err_set(err, ZWB_EENV, 0,
			"kernel %s has no zswap (CONFIG_ZSWAP): there is nothing to record. On "
			"Debian 6.x the cloud kernels lack it; the plain ones have it",
			k->release);
	return ZWB_OK;
}

enum zwb_reach zwb_kernel_reach(const struct zwb_kernel *k, const char *function)
{
	unsigned int nr = zwb_symbols_probeable(k->symbols, function);

	if (nr == 1)
		return ZWB_REACH_OK;
	if (nr > 1)
		return ZWB_REACH_AMBIGUOUS;
	if (zwb_symbols_is_known(k->symbols, function))
		return zwb_symbols_has_functions(k->symbols) ? ZWB_REACH_BLOCKED : ZWB_REACH_OK;
	return zwb_symbols_is_renamed(k->symbols, function) ? ZWB_REACH_RENAMED : ZWB_REACH_NO_SUCH;
}

bool zwb_kernel_has_event(const struct zwb_kernel *k, const char *system, const char *event)
{
	return zwb_symbols_has_event(k->symbols, system, event);
}
