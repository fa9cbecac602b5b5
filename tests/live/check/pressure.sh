# SPDX-License-Identifier: GPL-3.0-or-later
# The workload puts zswap and the disk to work; the other scenarios build on that.
. "$(dirname "$0")/lib.sh"

grep -qx 'wrong 0' log || fail "memory came back wrong"
at_least 2000 "pages stored" "$(grown vmstat zswpout)"
at_least 300 "pages loaded" "$(grown vmstat zswpin)"
at_least 300 "pages read from disk" "$(grown vmstat pswpin)"
at_least 100 "disk writes" "$(grown disk 8)"
