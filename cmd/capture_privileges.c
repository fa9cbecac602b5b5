/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a capture may still do while it records. */
#include "capture_priv.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the files that are still to be opened, some belong to others: the output, tracefs. */
#define KEPT (1u << CAP_DAC_OVERRIDE)

int capture_drop_privileges(struct zwb_err *err)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, data) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "cannot read own capabilities");
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		unsigned int kept = i == 0 ? KEPT : 0;

		data[i].effective &= kept;
		data[i].permitted &= kept;
		data[i].inheritable = 0;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_capset, &header, data) != 0)
		return zwb_err_set(err, ZWB_EENV, errno, "cannot drop capabilities");
	return ZWB_OK;
}
