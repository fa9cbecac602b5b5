/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping, wrapping and the numbers of reports. */
#include "zwb_test.h"

#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text__ascii_shows_every_other_byte_as_hex(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "" },
		{ "/w0 ~!", "/w0 ~!" },
		{ "a\nb\x1b[2J\x7f", "a\\x0ab\\x1b[2J\\x7f" },
		{ "caf\xc3\xa9", "caf\\xc3\\xa9" },
		{ "\xff", "\\xff" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		char *safe = zwb_text_ascii(rows[i].in);

		assert_string_equal(safe, rows[i].out);
		free(safe);
	}
}

/* The ends of the ranges in RFC 3629, and just outside of them. */
static void text__utf8_keeps_what_is_valid_and_harmless(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "plain, \"quoted\"", "plain, \"quoted\"" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80" }, /* around surrogates */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* a surrogate */
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" }, /* U+10FFFF */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, /* beyond */
		{ "\xc0\xaf", "\\xc0\\xaf" }, /* overlong "/" */
		{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
		{ "\xc3", "\\xc3" }, /* ends too early */
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\x80", "\\x80" },
		{ "a\tb\x01", "a\\x09b\\x01" },
		{ "\xc2\x9b", "\\xc2\\x9b" }, /* C1: CSI */
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" }, /* U+202E, right to left */
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" }, /* U+2028, line separator */
		{ "\xef\xbf\xbd", "\xef\xbf\xbd" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		char *safe = zwb_text_utf8(rows[i].in);

		assert_string_equal(safe, rows[i].out);
		free(safe);
	}
}

static void text__wrap_never_passes_the_width(void **state)
{
	static const struct {
		const char *first;
		int indent, width;
		const char *text, *out;
	} rows[] = {
		{ "", 2, 10, "aaa bbb ccc", "aaa bbb\n  ccc\n" },
		{ "- ", 2, 10, "aaa bbb", "- aaa bbb\n" },
		{ "- ", 2, 10, "aaa bbbb c", "- aaa bbbb\n  c\n" },
		{ "", 2, 10, "aaaaaaaaaaaaa b", "aaaaaaaaaa\n  aaa b\n" }, /* cut at 10 */
		{ "", 2, 10, "linear,a=1,b=2", "linear,\n  a=1,b=2\n" },
		{ "ab ", 4, 10, "cccccccccccc", "ab ccccccc\n    ccccc\n" },
		{ "x", 0, 10, "", "x\n" },
	};

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		char *got = NULL;
		size_t len;
		FILE *out = open_memstream(&got, &len);

		assert_non_null(out);
		zwb_text_wrap(out, rows[i].width, rows[i].first, rows[i].indent, rows[i].text);
		fclose(out);
		assert_string_equal(got, rows[i].out);
		free(got);
	}
}

static void text__value_and_spread_share_their_decimals(void **state)
{
	/* Two digits of the spread decide; without one, whole numbers in full, else four digits. */
	static const struct {
		double value, sd;
		const char *shown, *spread;
	} rows[] = {
		{ 748, 47, "748", "47" }, /* the batch patch's table */
		{ 1.07, 0.01, "1.070", "0.010" },
		{ 15.0, 2.7, "15.0", "2.7" },
		{ 15.04, 0.027, "15.040", "0.027" },
		{ 441028, NAN, "441028", "" },
		{ 0, NAN, "0", "" },
		{ 0, 0, "0", "0" },
		{ 0, 1.5, "0.0", "1.5" },
		{ 1.25, NAN, "1.250", "" },
		{ 1.25, 0, "1.250", "0" },
		{ -3.5, NAN, "-3.500", "" },
		{ 12345.678, NAN, "12346", "" },
		{ 9999999999.0, NAN, "9999999999", "" },
		{ 10000000000.0, NAN, "1.0000e+10", "" },
		{ 0.0000123, NAN, "1.2300e-05", "" },
		{ 1e300, NAN, "1.000e+300", "" },
		{ 123456789.0, 0.001, "123456789", "1.0e-03" }, /* not rounded away */
		{ 5, 3e7, "5", "3.0e+07" },
		{ NAN, NAN, "n/a", "" },
		{ INFINITY, NAN, "n/a", "" },
	};
	char buf[ZWB_TEXT_NUM_SIZE];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		zwb_text_value(buf, rows[i].value, rows[i].sd);
		assert_string_equal(buf, rows[i].shown);
		zwb_text_spread(buf, rows[i].value, rows[i].sd);
		assert_string_equal(buf, rows[i].spread);
	}
}

/* What the layout of tables relies on, over 600 magnitudes. */
static void text__numbers_are_never_longer_than_promised(void **state)
{
	char buf[ZWB_TEXT_NUM_SIZE];

	(void)state;
	for (int i = -300; i <= 300; i++) {
		double value = -9.87654321 * pow(10, i);

		for (int k = -300; k <= 300; k += 7) {
			double sd = 9.9501 * pow(10, k);

			zwb_text_value(buf, value, sd);
			assert_true(strlen(buf) <= ZWB_TEXT_VALUE);
			zwb_text_spread(buf, value, sd);
			assert_true(strlen(buf) <= ZWB_TEXT_SPREAD);
			assert_true(strtod(buf, NULL) > 0);
		}
		zwb_text_percent(buf, value);
		assert_true(strlen(buf) <= ZWB_TEXT_PERCENT);
	}
}

static void text__percent_keeps_sign_and_smallness(void **state)
{
	static const struct {
		double percent;
		const char *shown;
	} rows[] = {
		{ 0, "0.0%" },
		{ -20.4, "-20.4%" },
		{ 21.25, "+21.2%" },
		{ 0.05, "+0.1%" },
		{ 0.04, "+0.04%" },
		{ -0.0004, "-0.0004%" },
		{ 1e-7, "+1e-07%" },
		{ 99999.9, "+99999.9%" },
		{ 123456, "+1.2e+05%" },
		{ NAN, "n/a" },
		{ INFINITY, "n/a" },
	};
	char buf[ZWB_TEXT_NUM_SIZE];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		zwb_text_percent(buf, rows[i].percent);
		assert_string_equal(buf, rows[i].shown);
	}
}

static void text__exact_reads_back_the_same(void **state)
{
	static const struct {
		double value;
		const char *shown;
	} rows[] = {
		{ 0.1, "0.1" },
		{ 22600, "22600" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 1e23, "1e+23" },
	};
	char buf[ZWB_TEXT_NUM_SIZE];

	(void)state;
	for (size_t i = 0; i < ZWB_ARRAY_LEN(rows); i++) {
		zwb_text_exact(buf, rows[i].value);
		assert_string_equal(buf, rows[i].shown);
	}
	zwb_text_exact(buf, 5e-324);
	assert_true(strtod(buf, NULL) == 5e-324);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text__ascii_shows_every_other_byte_as_hex),
		cmocka_unit_test(text__utf8_keeps_what_is_valid_and_harmless),
		cmocka_unit_test(text__wrap_never_passes_the_width),
		cmocka_unit_test(text__value_and_spread_share_their_decimals),
		cmocka_unit_test(text__numbers_are_never_longer_than_promised),
		cmocka_unit_test(text__percent_keeps_sign_and_smallness),
		cmocka_unit_test(text__exact_reads_back_the_same),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
