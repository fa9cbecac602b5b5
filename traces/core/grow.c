/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that grow by one element at a time. */
#include "grow.h"

#include <stdint.h>
#include <stdlib.h>

void *zwb_grow(void *array, size_t nr, size_t item_bytes)
{
	int is_full = (nr & (nr - 1)) == 0;

	if (array && !is_full)
		return array;
	if (nr > SIZE_MAX / 2 / item_bytes)
		return NULL;
	return realloc(array, (nr ? 2 * nr : 1) * item_bytes);
}
