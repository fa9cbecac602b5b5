/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening recordings: told by their content, with the facts beside them. */
#include "h5store.h"
#include "h5table.h"
#include "sha256.h"
#include "tracefile.h"
#include "zwb_test.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	char dir[32];
	char path[64];
	char facts[64];
};

static int setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	snprintf(fx->dir, sizeof(fx->dir), "/tmp/zwb-open-XXXXXX");
	assert_non_null(mkdtemp(fx->dir));
	snprintf(fx->path, sizeof(fx->path), "%s/recording", fx->dir);
	snprintf(fx->facts, sizeof(fx->facts), "%s/facts.txt", fx->dir);
	*state = fx;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fx = *state;

	unlink(fx->path);
	unlink(fx->facts);
	assert_int_equal(rmdir(fx->dir), 0);
	free(fx);
	return 0;
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void put_store(const char *path)
{
	const struct zwb_event events[] = { { .ts_ns = 5, .kind = ZWB_EV_KSWAPD_WAKE },
		{ .ts_ns = 1000000005, .kind = ZWB_EV_KSWAPD_SLEEP } };
	struct zwb_meta *m = zwb_meta_create();
	struct zwb_store *s;

	zwb_meta_set(&m->digest, "abc", NULL);
	zwb_meta_fact(m, "zswap", "compressor", "zstd", NULL);
	assert_int_equal(zwb_store_create(path, NULL, &s, NULL), ZWB_OK);
	assert_int_equal(zwb_store_append(s, events, 2, NULL), ZWB_OK);
	assert_int_equal(zwb_store_commit(s, m, NULL), ZWB_OK);
	zwb_meta_free(m);
}

static uint64_t count_events(struct zwb_stream *s)
{
	const struct zwb_event *events;
	uint64_t sum = 0;
	size_t nr;

	do {
		assert_int_equal(zwb_stream_next(s, &events, &nr, NULL), ZWB_OK);
		sum += nr;
	} while (nr);
	return sum;
}

static void tracefile__a_store_is_told_by_its_content(void **state)
{
	struct fixture *fx = *state;
	struct zwb_stream *s;

	put_store(fx->path);
	assert_int_equal(zwb_trace_open(fx->path, NULL, &s, NULL), ZWB_OK);
	assert_string_equal(s->meta->digest, "abc");
	assert_string_equal(zwb_meta_fact_get(s->meta, "zswap", "compressor"), "zstd");
	assert_int_equal(count_events(s), 2);
	zwb_stream_close(s);
}

static void tracefile__given_facts_take_the_place_of_those_in_the_store(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_trace_opts opts = { .facts_path = fx->facts };
	struct zwb_stream *s;

	put_store(fx->path);
	put(fx->facts, "## zparams\ncompressor lzo\n");
	assert_int_equal(zwb_trace_open(fx->path, &opts, &s, NULL), ZWB_OK);
	assert_string_equal(zwb_meta_fact_get(s->meta, "zswap", "compressor"), "lzo");
	assert_int_equal(s->meta->nr_swaps, 1);
	zwb_stream_close(s);
}

static void tracefile__a_span_of_a_store_is_cut(void **state)
{
	struct fixture *fx = *state;
	struct zwb_trace_opts opts = { .from_ns = 6 };
	struct zwb_stream *s;

	put_store(fx->path);
	assert_int_equal(zwb_trace_open(fx->path, &opts, &s, NULL), ZWB_OK);
	assert_int_equal(count_events(s), 1);
	zwb_stream_close(s);
	opts = (struct zwb_trace_opts){ .to_ns = 1000000005 };
	assert_int_equal(zwb_trace_open(fx->path, &opts, &s, NULL), ZWB_OK);
	assert_int_equal(count_events(s), 1);
	zwb_stream_close(s);
}

static void tracefile__two_recordings_become_one(void **state)
{
	struct fixture *fx = *state;
	const char *const paths[] = { fx->path, fx->path };
	char want[ZWB_SHA256_HEX];
	struct zwb_stream *s;

	put_store(fx->path);
	zwb_sha256("abc\nabc", 7, want);
	assert_int_equal(zwb_trace_open_all(paths, 2, NULL, &s, NULL), ZWB_OK);
	assert_string_equal(s->meta->digest, want);
	assert_int_equal(count_events(s), 4);
	zwb_stream_close(s);
}

static void tracefile__event_maps_are_not_for_stores(void **state)
{
	struct fixture *fx = *state;
	const struct zwb_trace_opts opts = { .event_map_path = "x.map" };
	struct zwb_stream *s;

	put_store(fx->path);
	assert_int_equal(zwb_trace_open(fx->path, &opts, &s, NULL), ZWB_EUSAGE);
}

static void tracefile__what_is_no_recording_says_so(void **state)
{
	struct fixture *fx = *state;
	struct zwb_err err = { 0 };
	struct zwb_h5file *f;
	struct zwb_stream *s;

	assert_int_equal(zwb_trace_open(fx->path, NULL, &s, &err), ZWB_EENV);
	assert_non_null(strstr(err.text, fx->path));
	assert_int_equal(zwb_trace_open(fx->dir, NULL, &s, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "directory"));
	put(fx->path, "");
	assert_int_equal(zwb_trace_open(fx->path, NULL, &s, &err), ZWB_EKIND);
	put(fx->path, "some text that is no recording");
	assert_int_equal(zwb_trace_open(fx->path, NULL, &s, &err), ZWB_EKIND);
	assert_int_equal(zwb_h5_create(fx->path, 1, &f, NULL), ZWB_OK);
	assert_int_equal(zwb_h5_commit(f, NULL), ZWB_OK);
	assert_int_equal(zwb_trace_open(fx->path, NULL, &s, &err), ZWB_EKIND);
	assert_non_null(strstr(err.text, "not a zwb trace"));
	assert_int_equal(zwb_trace_open("/dev/null", NULL, &s, &err), ZWB_EKIND);
}

/* FIPS 180-2, appendix B.1 and B.2 */
static void tracefile__digests_are_sha256(void **state)
{
	static const char abc[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	static const char longer[] =
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
	struct fixture *fx = *state;
	char hex[ZWB_SHA256_HEX];

	zwb_sha256("abc", 3, hex);
	assert_string_equal(hex, abc);
	put(fx->path, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
	assert_int_equal(zwb_sha256_file(fx->path, hex, NULL), ZWB_OK);
	assert_string_equal(hex, longer);
	assert_int_equal(zwb_sha256_file(fx->facts, hex, NULL), ZWB_EENV);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(tracefile__##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_store_is_told_by_its_content),
		T(given_facts_take_the_place_of_those_in_the_store),
		T(a_span_of_a_store_is_cut),
		T(two_recordings_become_one),
		T(event_maps_are_not_for_stores),
		T(what_is_no_recording_says_so),
		T(digests_are_sha256),
	};
#undef T

	return cmocka_run_group_tests(tests, NULL, NULL);
}
