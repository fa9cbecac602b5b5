# SPDX-License-Identifier: GPL-3.0-or-later
# The workload by itself: zswap writes back, and memory comes back right.
. "$(dirname "$0")/lib.sh"

counters before
heavy_load
counters after
