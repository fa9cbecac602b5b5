/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that "zwb capture -- COMMAND" records. */
#include "capture_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void child_run(
	const struct zwb_child_job *job, const sigset_t *signals, int go_fd, int exec_fd)
{
	char go;
	int failed;

	/* End of file: the recording failed. */
	if (read(go_fd, &go, 1) != 1)
		_exit(ZWB_EXIT_ENV);
	signal(SIGXFSZ, SIG_DFL); /* ignored by main() */
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (job->work) {
		close(exec_fd);
		_exit(job->work(job->arg));
	}
	execvp(job->argv[0], job->argv);
	failed = errno;
	(void)!write(exec_fd, &failed, sizeof(failed));
	_exit(ZWB_EXIT_ENV);
}

int zwb_child_fork(struct zwb_child *child, const struct zwb_child_job *job,
	const sigset_t *signals, struct zwb_err *err)
{
	int go[2], exec[2];

	*child = (struct zwb_child){
		.go_fd = -1, .exec_fd = -1, .name = job->work ? "the load" : job->argv[0]
	};
	if (pipe2(go, O_CLOEXEC) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "cannot make a pipe");
	if (pipe2(exec, O_CLOEXEC) != 0) {
		close(go[0]);
		close(go[1]);
		return zwb_err_set(err, ZWB_EENV, errno, "cannot make a pipe");
	}
	child->pid = fork();
	if (child->pid == 0) {
		close(go[1]);
		child_run(job, signals, go[0], exec[1]);
	}
	close(go[0]);
	close(exec[1]);
	child->go_fd = go[1];
	child->exec_fd = exec[0];
	if (child->pid < 0) {
		child->pid = 0;
		zwb_child_release(child);
		return zwb_err_set(err, ZWB_EENV, errno, "cannot fork");
	}
	return ZWB_OK;
}

int zwb_child_go(struct zwb_child *child, struct zwb_err *err)
{
	int failed = 0;
	ssize_t got;

	if (write(child->go_fd, "", 1) != 1)
		return zwb_err_set(err, ZWB_EENV, errno, "%s: cannot start", child->name);
	do {
		got = read(child->exec_fd, &failed, sizeof(failed)); /* closed by a good exec */
	} while (got < 0 && errno == EINTR);
	if (got == (ssize_t)sizeof(failed))
		return zwb_err_set(err, ZWB_EENV, failed, "%s: cannot execute", child->name);
	return ZWB_OK;
}

static uint64_t ns_of(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * 1000000000u + (uint64_t)tv->tv_usec * 1000u;
}

int zwb_child_check(struct zwb_child *child)
{
	struct rusage used;

	if (child->pid && !child->has_ended &&
		wait4(child->pid, &child->status, WNOHANG, &used) == child->pid) {
		child->has_ended = 1;
		child->cpu_ns = ns_of(&used.ru_utime) + ns_of(&used.ru_stime);
	}
	return child->has_ended;
}

void zwb_child_release(struct zwb_child *child)
{
	if (child->go_fd >= 0)
		close(child->go_fd);
	if (child->exec_fd >= 0)
		close(child->exec_fd);
	child->go_fd = -1;
	child->exec_fd = -1;
}
