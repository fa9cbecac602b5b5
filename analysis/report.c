/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to a printed report. */
#include "report.h"

#include <string.h>

#define DEFAULT_FORMAT "lkml"

int zwb_report_default_format(void)
{
	int i = 0;

	while (strcmp(zwb_format_table[i]->name, DEFAULT_FORMAT) != 0)
		i++;
	return i;
}

int zwb_report_write(FILE *out, const struct zwb_run *const *runs, size_t nr_runs,
	const struct zwb_compare_options *options, const struct zwb_format_ops *format,
	struct zwb_err *err)
{
	struct zwb_comparison *cmp;
	int ret = zwb_compare(runs, nr_runs, options, &cmp, err);

	if (ret)
		return ret;
	if (!format)
		format = zwb_format_table[zwb_report_default_format()];
	ret = format->write(out, cmp, err);
	zwb_comparison_free(cmp);
	return ret;
}
