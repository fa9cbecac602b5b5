# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the checks of what a guest brought back. Each starts in the folder that the scenario
# of the same name left, after making sure that all went well in the guest.
. "$(dirname "$0")/../lib.sh"
need jq
scenario=$(basename "$0" .sh)
[ -e "$results/complete" ] || skip "no guest with a kernel $kernel"
cd "$results/$scenario"
code=$(cat code)
[ "$code" -eq 0 ] || fail "exit code $code in the guest: $(tail -n 30 log)"

# expect CODE COMMAND...: runs it, stdout to ./out and stderr to ./err, and checks the exit code.
expect() {
	local want=$1 got=0
	shift
	"$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] || fail "exit code $got instead of $want: $*: $(tail -n 30 out err)"
}

# grown KIND NAME: how far a counter of vmstat or diskstats (its column) rose between two calls of
# counters in the guest; 0 where the kernel does not have it.
grown() {
	case $1 in
	vmstat) awk -v name="$2" '$1 == name { n = $2 - n } END { print n + 0 }' {before,after}.vmstat ;;
	disk) awk -v i="$2" '$3 == "vda" { n = $i - n } END { print n + 0 }' {before,after}.diskstats ;;
	esac
}

# at_least N WHAT COUNT: the scenario did enough for its counts to mean something.
at_least() {
	[ "$3" -ge "$1" ] || fail "$3 $2, wanted at least $1"
}

# close_to WHAT RECORDED HOST: within half a percent.
close_to() {
	echo "$1: $2 recorded, $3 by the host's counters"
	local difference=$(($2 > $3 ? $2 - $3 : $3 - $2))
	[ $((difference * 200)) -le "$3" ] || fail "$1: $2 recorded, but $3 by the host's counters"
}

# is_whole STORE [EVENTS]: a store of what was recorded in the guest holds at least so many events
# (1000), and lost none; info.json describes it.
is_whole() {
	expect 0 "$ZWB" info --format=json "$1"
	mv out info.json
	[ "$(jq .lost_events info.json)" -eq 0 ] || fail "$1: $(jq .lost_events info.json) events lost"
	at_least "${2:-1000}" "events in $1" "$(jq .nr_events info.json)"
}

# imports FILE STORE [EVENTS]: makes a store of a recording made in the guest, and looks at it.
imports() {
	rm -f "$2"
	expect 0 "$ZWB" import --quiet "$1" -o "$2"
	is_whole "$2" "${3:-1000}"
}

# tally EVENT: how many of "zwb/zstore" info.json counts.
tally() {
	jq --arg name "$1" '[.tallies[] | select(.name == $name).nr] | add // 0' info.json
}
