/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure NAME EVENTS RUNS COMMAND...: runs the command and prints one row: median and least user
 * CPU, median wall time, peak memory, and events per second of user CPU and of wall time by the
 * medians. The figures are the system's own (wait4()). What the command prints is thrown away.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS 100

struct run {
	double user_s, wall_s;
	long peak_kib;
};

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void run_child(char **command)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		_exit(127);
	execvp(command[0], command);
	fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static int run_once(char **command, struct run *run)
{
	double begin_s = seconds();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0)
		run_child(command);
	if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) || WEXITSTATUS(status))
		return -1;
	run->wall_s = seconds() - begin_s;
	run->user_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
	run->peak_kib = usage.ru_maxrss;
	return 0;
}

static int compare_user(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return (x->user_s > y->user_s) - (x->user_s < y->user_s);
}

static int compare_wall(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	return (x->wall_s > y->wall_s) - (x->wall_s < y->wall_s);
}

int main(int argc, char **argv)
{
	struct run runs[MAX_RUNS];
	double nr_events, user_s, least_s;
	long nr_runs, peak_kib = 0;

	if (argc < 5) {
		fprintf(stderr, "usage: measure NAME EVENTS RUNS COMMAND...\n");
		return 2;
	}
	nr_events = strtod(argv[2], NULL);
	nr_runs = strtol(argv[3], NULL, 10);
	if (nr_runs < 1 || nr_runs > MAX_RUNS)
		return 2;
	for (long i = 0; i < nr_runs; i++) {
		if (run_once(argv + 4, &runs[i])) {
			fprintf(stderr, "measure: %s failed\n", argv[4]);
			return 1;
		}
		if (runs[i].peak_kib > peak_kib)
			peak_kib = runs[i].peak_kib;
	}
	qsort(runs, (size_t)nr_runs, sizeof(runs[0]), compare_user);
	user_s = runs[nr_runs / 2].user_s;
	least_s = runs[0].user_s;
	qsort(runs, (size_t)nr_runs, sizeof(runs[0]), compare_wall);
	printf("%-34s %8.2f %8.2f %8.2f %8.1f %10.2f %10.2f\n", argv[1], user_s, least_s,
		runs[nr_runs / 2].wall_s, (double)peak_kib / 1024, nr_events / user_s / 1e6,
		nr_events / runs[nr_runs / 2].wall_s / 1e6);
	return 0;
}
