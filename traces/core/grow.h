/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that grow by one element at a time. */
#ifndef ZWB_GROW_H
#define ZWB_GROW_H

#include <stddef.h>

/**
 * ZWB_GROW() - make room for one more element; the room doubles at powers of two.
 * @array: pointer to the elements, NULL when @nr is 0; set to where they are now.
 * @nr:    elements in it. An array that only ever grew by this macro has room as it assumes.
 * Return: true, or false when there is no memory and nothing changed.
 */
#define ZWB_GROW(array, nr)                                                                        \
	({                                                                                         \
		__typeof__(array) bigger_ = zwb_grow((array), (nr), sizeof(*(array)));             \
		if (bigger_)                                                                       \
			(array) = bigger_;                                                         \
		bigger_ != NULL;                                                                   \
	})

/** zwb_grow() - what ZWB_GROW() does it with: the array, moved or not; NULL without memory. */
void *zwb_grow(void *array, size_t nr, size_t item_bytes);

#endif
