/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting events with libtracecmd, in a child process. */
#include "secondread.h"

#include "grow.h"

#include <trace-cmd.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND_CPU_SECONDS 300u
#define SECOND_MAX_ID	   65536u

/* In the child. */

static void child_count(struct tracecmd_input *input, uint64_t *counts)
{
	int nr_cpus = tep_get_cpus(tracecmd_get_tep(input));

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		struct tep_record *record;

		while ((record = tracecmd_read_data(input, cpu))) {
			int id = tep_data_type(tracecmd_get_tep(input), record);

			if (id >= 0 && (unsigned int)id < SECOND_MAX_ID)
				counts[id]++;
			tracecmd_free_record(record);
		}
	}
}

static void child_write(struct tracecmd_input *input, const uint64_t *counts, FILE *out)
{
	for (int id = 0; id < (int)SECOND_MAX_ID; id++) {
		struct tep_event *event;

		if (!counts[id])
			continue;
		event = tep_find_event(tracecmd_get_tep(input), id);
		if (event)
			fprintf(out, "%" PRIu64 " %s/%s\n", counts[id], event->system, event->name);
		else
			fprintf(out, "%" PRIu64 " id/%d\n", counts[id], id);
	}
}

/* Never returns; what the library prints goes nowhere. */
static void child_run(const char *path, int fd)
{
	const struct rlimit cpu = { SECOND_CPU_SECONDS, SECOND_CPU_SECONDS };
	uint64_t *counts = calloc(SECOND_MAX_ID, sizeof(*counts));
	FILE *out = fdopen(fd, "w");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct tracecmd_input *input;

	if (!counts || !out || null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
		dup2(null, STDERR_FILENO) < 0)
		_exit(2);
	setrlimit(RLIMIT_CPU, &cpu);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input = tracecmd_open_head(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!input || tracecmd_init_data(input) < 0)
		_exit(1);
	child_count(input, counts);
	for (int i = 0; i < tracecmd_buffer_instances(input); i++) {
		struct tracecmd_input *buffer = tracecmd_buffer_instance_handle(input, i);

		if (buffer)
			child_count(buffer, counts);
	}
	child_write(input, counts, out);
	_exit(fclose(out) ? 2 : 0);
}

/* In the parent. */

static uint64_t second_ours(const struct zwb_meta *meta, const char *name)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < meta->nr_tallies; i++) {
		if (strcmp(meta->tallies[i].name, name) == 0)
			nr += meta->tallies[i].nr;
	}
	return nr;
}

static int second_row(struct zwb_second *second, const char *name, uint64_t nr_ours,
	uint64_t nr_theirs, struct zwb_err *err)
{
	struct zwb_second_row row = { .nr_ours = nr_ours, .nr_theirs = nr_theirs };

	second->nr_names++;
	if (nr_ours == nr_theirs)
		return ZWB_OK;
	snprintf(row.name, sizeof(row.name), "%s", name);
	if (!ZWB_GROW(second->rows, second->nr_rows))
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to compare with libtracecmd");
	second->rows[second->nr_rows++] = row;
	return ZWB_OK;
}

/* Events that only we have: every tally that no line named. */
static int second_rest(struct zwb_second *second, const struct zwb_meta *meta, const char *seen,
	struct zwb_err *err)
{
	int ret = ZWB_OK;

	for (size_t i = 0; !ret && i < meta->nr_tallies; i++) {
		if (!seen[i] && meta->tallies[i].nr)
			ret = second_row(
				second, meta->tallies[i].name, meta->tallies[i].nr, 0, err);
	}
	return ret;
}

static int second_compare(
	FILE *in, const struct zwb_meta *meta, struct zwb_second *second, struct zwb_err *err)
{
	char *seen = calloc(meta->nr_tallies + 1, 1);
	char *line = NULL, *name;
	size_t size = 0;
	int ret = ZWB_OK;

	if (!seen)
		return zwb_err_set(err, ZWB_ENOMEM, 0, "no memory to compare with libtracecmd");
	while (!ret && getline(&line, &size, in) >= 0) {
		uint64_t nr = strtoull(line, &name, 10);

		name += *name == ' ';
		name[strcspn(name, "\n")] = '\0';
		second->nr_events += nr;
		for (size_t i = 0; i < meta->nr_tallies; i++) {
			if (strcmp(meta->tallies[i].name, name) == 0)
				seen[i] = 1;
		}
		ret = second_row(second, name, second_ours(meta, name), nr, err);
	}
	if (!ret)
		ret = second_rest(second, meta, seen, err);
	free(line);
	free(seen);
	return ret;
}

static int second_wait(pid_t pid, const char *path, struct zwb_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return zwb_err_set(err, ZWB_EENV, errno, "cannot wait for a process");
	}
	if (WIFSIGNALED(status))
		return zwb_err_set(err, ZWB_EDATA, 0,
			"%s: libtracecmd died of signal %d on it; the file may be damaged", path,
			WTERMSIG(status));
	if (WEXITSTATUS(status))
		return zwb_err_set(err, ZWB_EDATA, 0, "%s: libtracecmd cannot read it", path);
	return ZWB_OK;
}

int zwb_second_read(const char *path, const struct zwb_meta *meta, struct zwb_second *second,
	struct zwb_err *err)
{
	int fds[2], ret, waited;
	pid_t pid;
	FILE *in;

	*second = (struct zwb_second){ 0 };
	if (pipe2(fds, O_CLOEXEC))
		return zwb_err_set(err, ZWB_EENV, errno, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		child_run(path, fds[1]);
	}
	close(fds[1]);
	in = pid > 0 ? fdopen(fds[0], "r") : NULL;
	if (!in) {
		ret = zwb_err_set(err, ZWB_EENV, errno, "cannot start a process");
		close(fds[0]);
	} else {
		ret = second_compare(in, meta, second, err);
		fclose(in);
	}
	if (pid > 0) {
		waited = second_wait(pid, path, ret ? NULL : err);
		ret = ret ? ret : waited;
	}
	if (ret)
		zwb_second_release(second);
	return ret;
}

void zwb_second_release(struct zwb_second *second)
{
	free(second->rows);
	*second = (struct zwb_second){ 0 };
}
