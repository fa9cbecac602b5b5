# SPDX-License-Identifier: GPL-3.0-or-later
# What zwb writes as a trace.dat is read by trace-cmd without a word of complaint.
. "$(dirname "$0")/lib.sh"

command -v trace-cmd >/dev/null || skip "no trace-cmd"

expect 0 "$ZWB" synth zipf -o in.dat -n 50000 --cpus 3 --pages 4096 --slots 5000
expect 0 trace-cmd report -i in.dat
is_silent err
[ "$(head -n 1 out)" = cpus=3 ] || fail "not three CPUs"
[ "$(wc -l <out)" -eq 50001 ] || fail "$(($(wc -l <out) - 1)) events instead of 50000"
! grep -E 'FAILED|EVENTS DROPPED|UNKNOWN|\[.*ERROR' out || fail "trace-cmd complains"

# every line has a task, a CPU, a time that does not go back, and an event
tail -n +2 out | awk '
	!/^ *(<idle>|synth-[0-9]+)-[0-9]+ +\[00[0-2]\] +[0-9]+\.[0-9]+: [a-z_]+:/ { bad = $0 }
	{ match($0, /[0-9]+\.[0-9]+:/); now = substr($0, RSTART, RLENGTH - 1) + 0 }
	now < before { bad = $0 }
	{ before = now }
	END { if (bad) { print bad; exit 1 } }' >bad || fail "line: $(cat bad)"

# a block event as the kernel prints it
grep -qE 'block_rq_issue: +254,0 W 4096 \(\) [0-9]+ \+ 8 \[synth-[0-9]\]$' out ||
	fail "no block_rq_issue of one page"
grep -qE 'zcb: +\(0\) slot=[0-9]+ len=[0-9]+ ref=[01]$' out || fail "no visit"
