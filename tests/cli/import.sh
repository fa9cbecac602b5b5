# SPDX-License-Identifier: GPL-3.0-or-later
# zwb import: what goes in, what comes out, and with which exit code.
. "$(dirname "$0")/lib.sh"

"$ZWB" synth zipf --events 200000 -q -o in.dat
"$ZWB" synth zipf --events 200000 -q -o in.h5

# a recording and its store hold the same events
expect 0 "$ZWB" import in.dat -o in-store.h5
stdout_has "200000 events"
cp out in-summary
expect 0 "$ZWB" import in-store.h5 -o in-again.h5
cmp -s in-summary out || fail "the summary of the store is another than that of the recording"
h5diff -q in-store.h5 in-again.h5 /events || fail "a store of a store has other events"

# the same input gives the same bytes
expect 0 "$ZWB" import -q in.dat -o in-twice.h5
is_silent out
is_silent err
cmp -s in-store.h5 in-twice.h5 || fail "two imports differ"

# cut: the parts make the whole
end=$("$ZWB" info --format json in.h5 | jq -r .last_ns)
middle=0.$(printf %09d $((end / 2)))
expect 0 "$ZWB" import in.h5 -o in-a.h5 --to "$middle"
expect 0 "$ZWB" import in.h5 -o in-b.h5 --from "$middle"
count() {
	("$ZWB" info --format json "$1" 2>/dev/null || true) | jq "$2"
}
[ $(($(count in-a.h5 .nr_events) + $(count in-b.h5 .nr_events))) -eq 200000 ] ||
	fail "the parts are not the whole"
expect 0 "$ZWB" import in-b.h5 in-a.h5 -o in-merged.h5
[ "$(count in-merged.h5 .events)" = "$(count in.h5 .events)" ] || fail "merged parts differ"
[ "$(count in-merged.h5 .start_ns)" = "$(count in.h5 .start_ns)" ] || fail "another start"

# of one cgroup
cgroup=$("$ZWB" info --format json in.h5 | jq -r '.cgroups[].path | select(. != "/")' | head -1)
expect 0 "$ZWB" import in.h5 -o in-one.h5 --cgroup "$cgroup"
[ "$(count in-one.h5 .nr_events)" -lt 200000 ] || fail "nothing was left out"
[ "$(count in-one.h5 .events.rq_issue)" = "$(count in.h5 .events.rq_issue)" ] ||
	fail "block IO was left out"

# what makes no sense
expect_error 2 "no cgroup /nowhere" "$ZWB" import in.h5 -o x.h5 --cgroup /nowhere
expect_error 2 "--to is not after --from" "$ZWB" import in.h5 -o x.h5 --from 2 --to 2
expect_error 2 "no event is in this span" "$ZWB" import in.h5 -o x.h5 --from 100000
expect_error 2 "no output" "$ZWB" import in.h5
expect_error 2 "nothing to work on" "$ZWB" import -o x.h5
expect_error 2 "exists" "$ZWB" import in.dat -o in-store.h5
expect_error 4 "cannot open" "$ZWB" import in-nowhere.dat -o x.h5
expect_error 4 "cannot open" "$ZWB" import in.dat -o x.h5 --facts in-nowhere
expect_error 2 "directory" "$ZWB" import . -o x.h5
: >in-empty
expect_error 2 "neither a trace.dat" "$ZWB" import in-empty -o x.h5
expect_error 4 "No space left" "$ZWB" import in.dat -o /dev/full
left_nothing

# damage: what can be read is written, marked, and exit 3
head -c $(($(stat -c %s in.dat) * 2 / 3)) in.dat >in-cut.dat
expect 3 "$ZWB" import in-cut.dat -o in-cut.h5
stderr_has "lost or damaged"
[ "$(count in-cut.h5 .lost_events)" -gt 0 ] || fail "the store is not marked"
[ "$(count in-cut.h5 .nr_events)" -gt 1000 ] || fail "what can be read was not written"
expect 0 "$ZWB" import in-cut.dat -o in-cut.h5 --force --allow-loss 1000000000
left_nothing
