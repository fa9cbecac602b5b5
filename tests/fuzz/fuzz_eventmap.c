/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input is an event map. It is compiled for every event that we write, and decodes one. */
#include "fuzz_util.h"

#include "datwriter_kinds.h"
#include "eventmap.h"

#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_BYTES 256

static int has_event(const char *system, const char *name, void *arg)
{
	(void)system;
	(void)arg;
	return name[0] == 'z';
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct tep_event *formats[ZWB_DAT_NR_SCHEMAS]; /* of all events; NULL where there is none */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct tep_handle *tep = tep_alloc();

	(void)argc;
	(void)argv;
	if (!tep)
		abort();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, sizeof(long));
	for (unsigned int i = 0; i < ZWB_DAT_NR_SCHEMAS; i++) {
		const struct zwb_dat_schema *schema = &zwb_dat_schemas[i];
		struct zwb_buf text = { 0 };

		if (!schema->name)
			continue;
		zwb_dat_format(schema, ZWB_DAT_FIRST_ID + i, &text);
		if (tep_parse_format(
			    tep, &formats[i], (const char *)text.data, text.len, schema->system))
			abort();
		zwb_buf_release(&text);
	}
	return 0;
}

static uint64_t decode_all(const struct zwb_eventmap *map)
{
	const struct zwb_recorded recorded = { .has_event = has_event };
	struct zwb_meta *meta = zwb_meta_create();
	uint64_t hash = FUZZ_HASH_START;
	struct zwb_decode_tables tables;
	unsigned char bytes[EVENT_BYTES];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 37);
	if (!meta || zwb_decode_tables_init(&tables, meta, NULL))
		abort();
	for (size_t i = 0; i < ZWB_DAT_NR_SCHEMAS; i++) {
		struct zwb_decoder decoder;
		struct zwb_event ev = { 0 };

		if (!formats[i] || !zwb_eventmap_compile(map, formats[i], &recorded, &decoder) ||
			decoder.min_bytes > sizeof(bytes))
			continue;
		zwb_decode(&decoder, &tables, bytes, &ev);
		hash = fuzz_hash(hash, &ev, sizeof(ev));
	}
	zwb_decode_tables_release(&tables);
	zwb_meta_free(meta);
	return hash;
}

static uint64_t parse_once(const uint8_t *data, size_t size)
{
	struct zwb_eventmap *map;
	uint64_t hash;
	int ret = zwb_eventmap_parse((const char *)data, size, "input", &map, NULL);

	if (ret)
		return fuzz_hash(FUZZ_HASH_START, &ret, sizeof(ret));
	hash = decode_all(map);
	zwb_eventmap_free(map);
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_same(parse_once(data, size), parse_once(data, size));
	return 0;
}
