# SPDX-License-Identifier: GPL-3.0-or-later
# zwb info: of a recording, a store and a run file, for people and for programs.
. "$(dirname "$0")/lib.sh"

"$ZWB" synth zipf --events 100000 -q -o in.dat
"$ZWB" import -q in.dat -o in.h5

expect 0 "$ZWB" info in.dat
stdout_has "trace.dat"
stdout_has "events by kind"
expect 0 "$ZWB" info in.h5
stdout_has "store"
stdout_has "store_begin"
stdout_has "swap areas"

expect 0 "$ZWB" info --format json in.dat
cp out in-dat.json
expect 0 "$ZWB" info --format json in.h5
cp out in-h5.json
for key in schema_version kernel start_ns nr_events events walks cgroups swaps sha256 counters; do
	[ "$(jq ".$key" in-dat.json)" != null ] || fail "no $key"
	[ "$(jq ".$key" in-dat.json)" = "$(jq ".$key" in-h5.json)" ] ||
		fail "recording and store differ in $key"
done
[ "$(jq .nr_events in-h5.json)" -eq 100000 ] || fail "not all events"

# lost events: said, and exit 3
head -c $(($(stat -c %s in.dat) / 2)) in.dat >in-cut.dat
expect 3 "$ZWB" info in-cut.dat
stdout_has "losses"
expect 3 "$ZWB" info --format json in-cut.dat
[ "$(jq .lost_events out)" -gt 0 ] || fail "no losses in JSON"

echo "no recording" >in-text
expect_error 2 "neither a trace.dat" "$ZWB" info in-text
expect_error 4 "cannot open" "$ZWB" info in-nowhere
left_nothing
