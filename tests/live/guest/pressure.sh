# SPDX-License-Identifier: GPL-3.0-or-later
# The workload by itself: zswap writes back, and memory comes back right.
. /guest/lib.sh

set_zswap max_pool_percent 1
set_zswap accept_threshold_percent 100
set_zswap shrinker_enabled Y
set_zswap enabled Y
counters before
expect 0 in_cgroup 48 pressure zipf 96 10 2 1
counters after
