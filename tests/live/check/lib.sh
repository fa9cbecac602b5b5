# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the checks of what a guest brought back. Each starts in the folder that the scenario
# of the same name left, after making sure that all went well in the guest.
. "$(dirname "$0")/../lib.sh"
scenario=$(basename "$0" .sh)
[ -e "$results/complete" ] || skip "no guest with a kernel $kernel"
cd "$results/$scenario"
code=$(cat code)
[ "$code" -eq 0 ] || fail "exit code $code in the guest: $(cat log)"

# grown FILE NAME: how far a counter of vmstat rose between before.FILE and after.FILE; 0 where the
# kernel does not have it.
grown() {
	awk -v name="$2" '$1 == name { n = $2 - n } END { print n + 0 }' "before.$1" "after.$1"
}

# disk_grown FIELD: likewise a field of vda's line in diskstats, counted from 1.
disk_grown() {
	awk -v field="$1" '$3 == "vda" { n = $field - n } END { print n + 0 }' \
		before.diskstats after.diskstats
}

# at_least N WHAT COUNT: the scenario did enough for its counts to mean something.
at_least() {
	[ "$3" -ge "$1" ] || fail "$3 $2, wanted at least $1"
}
