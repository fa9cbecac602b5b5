/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a session needs no kernel: texts that it reads. */
#include "zwb_test.h"

#include "remove_tree.h"
#include "session.h"
#include "session_clean.h"
#include "session_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void session__knows_its_events_among_those_of_others(void **state)
{
	static const struct {
		const char *line;
		const char *name; /* NULL: not ours */
	} cases[] = {
		{ "f:zwb/zstore zswap_store slot=folio->swap.val:u64\n", "zstore" },
		{ "f:zwb/zstore_ret zswap_store%return\nf:zwb/other x\n", "zstore_ret" },
		{ "p:zwb/zcb shrink_memcg_cb", "zcb" },
		{ "r16:zwb/zcb_ret shrink_memcg_cb", "zcb_ret" },
		{ "t:zwb/psw sched_switch", "psw" },
		{ "p:zwb/a\tb", "a" },
		{ "p:zwb/a", "a" },
		{ "p:zwb/", NULL },
		{ "p:zwb/ a", NULL },
		{ "p:zwb2/zstore zswap_store", NULL },
		{ "p:zw/zstore zswap_store", NULL },
		{ "p:kprobes/zwb zswap_store", NULL },
		{ "p:mine/zstore zwb:zwb/zstore", NULL },
		{ "s:synthetic/x u64 a; char b[]:zwb/x", NULL },
		{ "zwb/zstore zswap_store", NULL },
		{ ":", NULL },
		{ "\n:zwb/a", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = 0;
		const char *name = zwb_session_owns(cases[i].line, &len);

		if (!cases[i].name) {
			assert_null(name);
			continue;
		}
		assert_non_null(name);
		assert_int_equal(len, strlen(cases[i].name));
		assert_memory_equal(name, cases[i].name, len);
	}
}

/* A name that the kernel would not have taken is none of ours. */
static void session__does_not_own_names_that_are_too_long(void **state)
{
	char line[128] = "p:zwb/";
	size_t len;

	(void)state;
	memset(line + 6, 'a', 64);
	assert_null(zwb_session_owns(line, &len));
	line[6 + 63] = '\0';
	assert_non_null(zwb_session_owns(line, &len));
	assert_int_equal(len, 63);
}

static void session__adds_up_what_a_cpu_has_lost(void **state)
{
	struct zwb_cpu_stats stats;

	(void)state;
	zwb_cpu_stats_parse("entries: 3\noverrun: 10\ncommit overrun: 200\nbytes: 5\n"
			    "oldest event ts: 1.5\nnow ts: 2.5\ndropped events: 3000\n"
			    "read events: 77\n",
		&stats);
	assert_int_equal(stats.nr_lost, 3210);
	assert_int_equal(stats.nr_read, 77);
	zwb_cpu_stats_parse("", &stats);
	assert_int_equal(stats.nr_lost, 0);
	assert_int_equal(stats.nr_read, 0);
	zwb_cpu_stats_parse(
		"entries: 3\noverrun: many\nread events: 18446744073709551615\n", &stats);
	assert_int_equal(stats.nr_lost, 0);
	assert_true(stats.nr_read == UINT64_MAX);
}

static void put_task(const char *root, const char *pid, const char *tid, const char *comm)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/task", root, pid);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/task/%s", root, pid, tid);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/task/%s/comm", root, pid, tid);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fprintf(f, "%s\n", comm) > 0);
	fclose(f);
}

static void session__names_tasks_that_live_and_those_that_are_gone(void **state)
{
	char root[] = "/tmp/zwb-session-XXXXXX";
	struct zwb_buf text = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	put_task(root, "1", "1", "init");
	put_task(root, "20", "21", "kworker/0:1-events_unbound");
	put_task(root, "20", "22", "other thread");
	put_task(root, "self", "9", "no process");
	assert_int_equal(
		zwb_session_tasks(root, "1 old name\n300 gone\nnonsense\n301 a b", &text, NULL),
		ZWB_OK);
	zwb_buf_add(&text, "", 1);
	assert_non_null(strstr((char *)text.data, "1 init\n"));
	assert_non_null(strstr((char *)text.data, "21 kworker/0:1-events_unbound\n"));
	assert_non_null(strstr((char *)text.data, "\n300 gone\n"));
	assert_non_null(strstr((char *)text.data, "\n301 a b\n"));
	assert_null(strstr((char *)text.data, "old name"));
	assert_null(strstr((char *)text.data, "no process"));
	zwb_buf_release(&text);
	assert_int_equal(zwb_session_threads(root, 20, &text, NULL), ZWB_OK);
	assert_int_equal(text.len, 5);
	assert_true(memcmp(text.data, "21 22", 5) == 0 || memcmp(text.data, "22 21", 5) == 0);
	zwb_buf_release(&text);
	assert_int_equal(zwb_session_threads(root, 2, &text, NULL), ZWB_EUSAGE);
	assert_int_equal(zwb_session_tasks("/does/not/exist", "1 x\n", &text, NULL), ZWB_OK);
	assert_int_equal(text.len, 0);
	assert_int_equal(remove_tree(root), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(session__knows_its_events_among_those_of_others),
		cmocka_unit_test(session__does_not_own_names_that_are_too_long),
		cmocka_unit_test(session__adds_up_what_a_cpu_has_lost),
		cmocka_unit_test(session__names_tasks_that_live_and_those_that_are_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
