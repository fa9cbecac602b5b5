# SPDX-License-Identifier: GPL-3.0-or-later
# A policy that loses pages would look like a win: it is refused.
. "$(dirname "$0")/lib.sh"
: "${CC:?}"

cat >in.c <<'C'
#include "policy_ops.h"
static void lose(struct zwb_walk *w, const struct zwb_page *p)
{
	if (p->slot % 2)
		zwb_walk_append(w, p);
}
static const struct zwb_policy_ops zwb_policy_lossy = {
	.abi = ZWB_POLICY_ABI,
	.name = "lossy",
	.summary = "writes odd slots only",
	.knobs = { .ctx = ZWB_CTX_WALK },
	.page = lose,
};
ZWB_POLICY_EXPORT(lossy);
C
expect 0 "$CC" -shared -fPIC -DZWB_POLICY_SHARED -I"$ZWB_SOURCE_DIR/replay" -o in.so in.c
expect_error 2 "every page must be appended once" \
	"$ZWB" replay "$samples/7.3.4-sort.h5" -p unbatched -p ./in.so -q
expect_error 2 "every page must be appended once" \
	"$ZWB" replay "$samples/7.3.4-sort.h5" -p unbatched -p ./in.so -o run.h5 -q
rm in.so in.c
left_nothing
