/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture writes down about the host: facts once, counters at intervals. */
#include "host_priv.h"

#include "clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void host_put(struct host_out *out, const char *section)
{
	if (!out->status && (out->text.len || out->text.failed))
		out->status = zwb_markers_add(
			out->markers, out->ts_ns, out->phase, section, &out->text, out->err);
	out->text.len = 0;
}

/* What is in @hidden, which is freed; nothing when memory was out: then no name is shown. */
static void take_hidden(struct zwb_buf *hidden, char *to, size_t room)
{
	zwb_buf_add(hidden, "", 1);
	snprintf(to, room, "%s", hidden->failed ? "" : (const char *)hidden->data);
	zwb_buf_release(hidden);
}

void host_cgroup_name(const struct zwb_host *host, const char *path, char *to, size_t room)
{
	struct zwb_buf hidden = { 0 };

	if (!host->is_anonymous) {
		hostfile_escape(path, to, room);
		return;
	}
	zwb_anon_path(&host->anon, path, &hidden);
	take_hidden(&hidden, to, room);
}

void host_swap_name(const struct zwb_host *host, const char *path, char *to, size_t room)
{
	struct zwb_buf hidden = { 0 };

	if (!host->is_anonymous) {
		hostfile_escape(path, to, room);
		return;
	}
	zwb_anon_swap(&host->anon, path, &hidden);
	take_hidden(&hidden, to, room);
}

void host_line(struct host_out *out, const char *key, const char *value)
{
	if (value[0])
		zwb_buf_addf(&out->text, "%s: %s\n", key, value);
}

static void host_line_of(struct host_out *out, const char *key, const char *path)
{
	char value[HOSTFILE_LINE];

	if (hostfile_value(path, value))
		host_line(out, key, value);
}

void host_file_line(struct host_out *out, const char *key, const char *fmt, ...)
{
	char path[HOSTFILE_PATH], full[HOSTFILE_PATH];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (len >= 0 && (size_t)len < sizeof(path) &&
		hostfile_path(full, out->host->root, "%s", path))
		host_line_of(out, key, full);
}

static int is_listed(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

void host_folder_lines(struct host_out *out, const char *fmt, ...)
{
	char name[HOSTFILE_PATH], folder[HOSTFILE_PATH], path[HOSTFILE_PATH];
	struct dirent **entries;
	va_list args;
	int len, nr;

	va_start(args, fmt);
	len = vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(name) ||
		!hostfile_path(folder, out->host->root, "%s", name))
		return;
	nr = scandir(folder, &entries, is_listed, alphasort);
	for (int i = 0; i < nr; i++) {
		if (hostfile_path(path, folder, "/%s", entries[i]->d_name))
			host_line_of(out, entries[i]->d_name, path);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* ---- facts ---- */

/* The coarse clock moves once a tick. */
static void put_hz(struct host_out *out)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0 && tick.tv_nsec)
		zwb_buf_addf(
			&out->text, "hz: %ld\n", (1000000000 + tick.tv_nsec / 2) / tick.tv_nsec);
}

/* The value behind "KEY" and a colon in a file of such lines. */
static void put_value_in(
	struct host_out *out, const char *key, const char *path, const char *wanted)
{
	char full[HOSTFILE_PATH], *line = NULL, *value;
	size_t room = 0, len = strlen(wanted);
	FILE *f;

	if (!hostfile_path(full, out->host->root, "%s", path) || !(f = fopen(full, "re")))
		return;
	while (getline(&line, &room, f) > 0) {
		value = strchr(line, ':');
		if (strncmp(line, wanted, len) != 0 || !value || line + len > value)
			continue;
		value += 1 + strspn(value + 1, " \t");
		value[strcspn(value, "\n")] = '\0';
		host_line(out, key, value);
		break;
	}
	free(line);
	fclose(f);
}

static void put_machine(struct host_out *out)
{
	static const struct {
		const char *key, *path;
		bool is_telling; /* who uses or built it */
	} files[] = {
		{ "kernel", "/proc/sys/kernel/osrelease", false },
		{ "version", "/proc/version", true },
		{ "cmdline", "/proc/cmdline", true },
		{ "cpus", "/sys/devices/system/cpu/online", false },
		{ "cpus_possible", "/sys/devices/system/cpu/possible", false },
		{ "nodes", "/sys/devices/system/node/online", false },
		{ "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
			false },
		{ "preempt", "/sys/kernel/debug/sched/preempt", false },
		{ "lru_gen", "/sys/kernel/mm/lru_gen/enabled", false },
		{ "lru_gen_min_ttl_ms", "/sys/kernel/mm/lru_gen/min_ttl_ms", false },
		{ "thp", "/sys/kernel/mm/transparent_hugepage/enabled", false },
		{ "thp_shmem", "/sys/kernel/mm/transparent_hugepage/shmem_enabled", false },
	};
	char path[HOSTFILE_PATH];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!out->host->is_anonymous || !files[i].is_telling)
			host_file_line(out, files[i].key, "%s", files[i].path);
	}
	put_value_in(out, "cpu_model", "/proc/cpuinfo", "model name");
	put_value_in(out, "MemTotal", "/proc/meminfo", "MemTotal");
	put_value_in(out, "SwapTotal", "/proc/meminfo", "SwapTotal");
	zwb_buf_addf(&out->text, "page_bytes: %ld\n", sysconf(_SC_PAGESIZE));
	put_hz(out);
	if (hostfile_path(path, out->host->root, "/proc/pressure/memory"))
		host_line(out, "psi", access(path, R_OK) == 0 ? "yes" : "no");
	host_line(out, "cgroup_hierarchy",
		out->host->cgroup_root ? "unified" : "none that is unified");
	host_put(out, "facts host");
}

/* "CONFIG_HZ=250" and "# CONFIG_PREEMPT is not set", of a file that distributions install. */
static void put_config(struct host_out *out)
{
	static const char *const names[] = { "HZ", "PREEMPT", "PREEMPT_DYNAMIC", "PREEMPT_RT",
		"PREEMPT_VOLUNTARY", "PREEMPT_LAZY", "PSI", "PSI_DEFAULT_DISABLED", "MEMCG",
		"ZSWAP", "ZSWAP_SHRINKER_DEFAULT_ON", "ZSMALLOC", "LRU_GEN", "LRU_GEN_ENABLED",
		"TRANSPARENT_HUGEPAGE", "BLK_WBT", "BLK_WBT_MQ", "BLK_CGROUP_IOCOST",
		"BLK_CGROUP_IOLATENCY", "BLK_DEV_THROTTLING", "IOSCHED_BFQ", "NUMA", "KPROBES",
		"FPROBE", "FPROBE_EVENTS", "DEBUG_INFO_BTF", NULL };
	char path[HOSTFILE_PATH], release[HOSTFILE_LINE], *line = NULL;
	size_t room = 0, len;
	FILE *f = NULL;

	if (!hostfile_path(path, out->host->root, "/proc/sys/kernel/osrelease") ||
		!hostfile_value(path, release))
		return;
	if (hostfile_path(path, out->host->root, "/boot/config-%s", release))
		f = fopen(path, "re");
	if (!f && hostfile_path(path, out->host->root, "/lib/modules/%s/config", release))
		f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0) {
		if (strncmp(line, "CONFIG_", 7) != 0)
			continue;
		len = strcspn(line, "=");
		for (size_t i = 0; names[i]; i++) {
			if (strlen(names[i]) == len - 7 &&
				memcmp(line + 7, names[i], len - 7) == 0 && line[len] == '=')
				zwb_buf_addf(
					&out->text, "%.*s: %s", (int)len, line, line + len + 1);
		}
	}
	free(line);
	if (f)
		fclose(f);
	host_put(out, "facts config");
}

static void put_parameters(struct host_out *out)
{
	static const char *const vm[] = { "swappiness", "page-cluster", "watermark_scale_factor",
		"watermark_boost_factor", "min_free_kbytes", "overcommit_memory",
		"zone_reclaim_mode", "vfs_cache_pressure", "dirty_ratio",
		"dirty_background_ratio" };

	host_folder_lines(out, "/sys/module/zswap/parameters");
	host_put(out, "facts zswap");
	for (size_t i = 0; i < sizeof(vm) / sizeof(vm[0]); i++)
		host_file_line(out, vm[i], "/proc/sys/vm/%s", vm[i]);
	host_put(out, "facts vm");
}

/* What the samples have cost. */
static void put_cost(struct host_out *out)
{
	const struct zwb_host_cost *cost = &out->host->cost;

	zwb_buf_addf(&out->text, "samples: %" PRIu64 "\n", cost->nr_samples);
	if (cost->nr_samples)
		zwb_buf_addf(&out->text,
			"sample_mean_us: %" PRIu64 "\nsample_max_us: %" PRIu64 "\n",
			cost->total_ns / cost->nr_samples / 1000, cost->max_ns / 1000);
	host_put(out, "facts capture");
}

static struct host_out host_out_of(struct zwb_host *host, enum zwb_phase phase,
	struct zwb_markers *markers, struct zwb_err *err)
{
	const uint64_t now_ns = zwb_clock_ns(CLOCK_MONOTONIC);

	return (struct host_out){
		.host = host, .markers = markers, .phase = phase, .ts_ns = now_ns, .err = err
	};
}

/* Cgroups and swap areas that came into being. */
static int look_again(struct zwb_host *host, struct zwb_err *err)
{
	int ret = host_find_swaps(host, err);

	if (!ret)
		ret = host_find_cgroups(host, err);
	return ret ? ret : host_open_counters(host, err);
}

/* The first facts of a file have all there is, and a flight recorder writes many files. */
static void forget_told(struct zwb_host *host)
{
	for (size_t i = 0; i < host->nr_swaps; i++)
		host->swaps[i].is_new = true;
	for (size_t i = 0; i < host->nr_cgroups; i++)
		host->cgroups[i].is_new = true;
}

int zwb_host_facts(struct zwb_host *host, enum zwb_phase phase, struct zwb_markers *markers,
	struct zwb_err *err)
{
	struct host_out out = host_out_of(host, phase, markers, err);

	if (phase == ZWB_PHASE_START)
		host_forget_cgroups(host);
	out.status = look_again(host, err);
	if (phase == ZWB_PHASE_START) {
		forget_told(host);
		put_machine(&out);
		put_config(&out);
	}
	put_parameters(&out);
	host_put_swaps(&out);
	host_put_queues(&out);
	host_put_cgroups(&out);
	if (phase == ZWB_PHASE_END)
		put_cost(&out);
	zwb_buf_release(&out.text);
	return out.status;
}

/* ---- counters ---- */

int zwb_host_sample(struct zwb_host *host, enum zwb_phase phase, struct zwb_markers *markers,
	struct zwb_err *err)
{
	struct host_out out = host_out_of(host, phase, markers, err);
	size_t nr_known = host->nr_files;
	uint64_t spent = zwb_clock_ns(CLOCK_THREAD_CPUTIME_ID);

	host_put_counters(&out, 0, nr_known);
	if (phase == ZWB_PHASE_END && !out.status) {
		out.status = look_again(host, err);
		host_put_counters(&out, nr_known, host->nr_files);
	}
	zwb_buf_release(&out.text);
	if (phase == ZWB_PHASE_SAMPLE) {
		spent = zwb_clock_ns(CLOCK_THREAD_CPUTIME_ID) - spent;
		host->cost.nr_samples++;
		host->cost.total_ns += spent;
		if (spent > host->cost.max_ns)
			host->cost.max_ns = spent;
	}
	return out.status;
}

void zwb_host_cost(const struct zwb_host *host, struct zwb_host_cost *cost)
{
	*cost = host->cost;
}

/* ---- life ---- */

static int host_fill(
	struct zwb_host *host, const struct zwb_host_config *config, struct zwb_err *err)
{
	char path[HOSTFILE_PATH];
	int ret;

	host->root = strdup(config->root ? config->root : "");
	host->cgroup = config->cgroup ? strdup(config->cgroup) : NULL;
	if (!host->root || (config->cgroup && !host->cgroup))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for what is known of the host");
	if (config->anon) {
		host->is_anonymous = true;
		host->anon = *config->anon;
	}
	host->nr_counted_max = config->nr_cgroups_max ? config->nr_cgroups_max : ZWB_HOST_CGROUPS;
	ret = host_find_swaps(host, err);
	if (!ret)
		ret = host_find_cgroups(host, err);
	if (ret)
		return ret;
	if (host->cgroup && (!host->cgroup_root || host->cgroup[0] != '/' ||
				    !hostfile_path(path, host->cgroup_root, "%s", host->cgroup) ||
				    access(path, F_OK) != 0))
		return zwb_err_set(err, ZWB_EUSAGE, 0,
			"there is no cgroup %s in the unified hierarchy; names begin with \"/\"",
			host->cgroup);
	return host_open_counters(host, err);
}

int zwb_host_open(
	struct zwb_host **opened, const struct zwb_host_config *config, struct zwb_err *err)
{
	struct zwb_host *host = calloc(1, sizeof(*host));
	int ret;

	if (!host)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory for what is known of the host");
	ret = host_fill(host, config, err);
	if (ret) {
		zwb_host_close(host);
		return ret;
	}
	*opened = host;
	return ZWB_OK;
}

void zwb_host_close(struct zwb_host *host)
{
	if (!host)
		return;
	host_close_counters(host);
	for (size_t i = 0; i < host->nr_cgroups; i++)
		free(host->cgroups[i].path);
	free(host->cgroups);
	free(host->swaps);
	free(host->cgroup_root);
	free(host->cgroup);
	free(host->root);
	free(host);
}
