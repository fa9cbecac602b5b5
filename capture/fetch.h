/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what is wanted of a function's arguments to what the kernel's probe parser takes. */
#ifndef ZWB_FETCH_H
#define ZWB_FETCH_H

#include "btf.h"
#include "buf.h"
#include "kernel.h"

/*
 * A field is written as the newest kernel's probe parser takes it (7.3, tracefs README), where the
 * kernel itself resolves names by BTF, and lowered to computed offsets for older ones:
 *
 *	FIELD  NAME=CHOICE|CHOICE...      the first choice that this kernel's types allow
 *	CHOICE [STRUCT.MEMBER]EXPR        only where STRUCT has MEMBER
 *	       EXPR:ENUMERATOR            the bit with that number of EXPR
 *	EXPR   ARGUMENT                   by its name in the prototype
 *	       $retval  $current
 *	       (STRUCT,MEMBER)OPERAND     the STRUCT whose MEMBER it points to
 *	       (STRUCT)OPERAND            taken for a pointer to STRUCT
 *	       (EXPR)
 *	       EXPR->MEMBER  EXPR.MEMBER  EXPR[0]
 *
 * The last two and structures passed by value are ours: no kernel takes them, they are always
 * lowered. A cast binds tighter than the -> behind it, as in the kernel (unlike C).
 */

#define ZWB_FETCH_WHY 96

/* What a field can refer to. */
struct zwb_fetch_scope {
	const struct zwb_kernel *kernel; /* borrowed */
	struct zwb_type proto; /* of the probed function */
	bool at_return;
};

struct zwb_fetch {
	struct zwb_buf by_name; /* NUL-terminated "folio->swap.val:u64"; empty: needs offsets */
	struct zwb_buf by_offset; /* NUL-terminated "+40($arg1):u64" */
	char why[ZWB_FETCH_WHY]; /* of a failure: "struct folio has no member _nr_pages" */
};

/**
 * zwb_fetch_make() - lower the choices of one field.
 * @choices: "folio->swap.val|page->private".
 * @out:     all zeros; released by the caller, also after a failure.
 * Return: ZWB_OK; ZWB_EKIND when none of them can be had here, with @out->why; ZWB_ENOMEM.
 */
int zwb_fetch_make(const struct zwb_fetch_scope *scope, const char *choices, struct zwb_fetch *out,
	struct zwb_err *err);

void zwb_fetch_release(struct zwb_fetch *fetch);

#endif
