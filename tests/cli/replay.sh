# SPDX-License-Identifier: GPL-3.0-or-later
# zwb replay: what it refuses, and how it says so; the same bytes on one thread and on two.
. "$(dirname "$0")/lib.sh"

expect_error 2 "nothing to work on" "$ZWB" replay
expect 0 "$ZWB" synth zipf -o in.h5 --events 60000 --quiet
expect_error 2 "no policy \"nosuch\"" "$ZWB" replay in.h5 -p nosuch
expect_error 2 "max_pages" "$ZWB" replay in.h5 -p sorted,max_pages=-1
expect_error 2 "no parameter \"color\"" "$ZWB" replay in.h5 -p plugged,color=red
expect_error 2 "given twice" "$ZWB" replay in.h5 -p plugged -p plugged
expect_error 2 "no device \"nosuch\"" "$ZWB" replay in.h5 -d nosuch
expect_error 2 "depth" "$ZWB" replay in.h5 -d linear,depth=0
expect_error 2 "--seeds" "$ZWB" replay in.h5 --seeds 0
expect_error 2 "--threads" "$ZWB" replay in.h5 --threads none
expect_error 2 "--trigger" "$ZWB" replay in.h5 --trigger modelled
expect_error 2 "no policy \"nosuch\"" "$ZWB" replay in.h5 --captured-policy nosuch
expect_error 4 "no-such.so" "$ZWB" replay in.h5 -p ./no-such.so
expect_error 4 "missing.dat" "$ZWB" replay missing.dat
echo "no recording" >in.txt
expect_error 2 "in.txt" "$ZWB" replay in.txt
echo "old" >in-old.h5
expect_error 2 "--force" "$ZWB" replay in.h5 -o in-old.h5
grep -qx old in-old.h5 || fail "an existing output was touched"
left_nothing

expect 0 "$ZWB" replay in.h5 --threads 1 --seeds 2 -p unbatched -p batched -p sorted -o one.h5 -q
is_silent out
is_silent err
expect 0 "$ZWB" replay in.h5 --threads 2 --seeds 2 -p unbatched -p batched -p sorted -o two.h5 -q
cmp one.h5 two.h5 || fail "two threads give another run file than one"
expect 0 "$ZWB" replay in.h5 --threads 2 --seeds 2 -p unbatched -p batched -p sorted -o two.h5 -q -f
cmp one.h5 two.h5 || fail "the same replay gives another run file"

# Printed at once or by way of a run file: the same comparison.
expect 0 "$ZWB" report one.h5
cp out reported
expect 0 "$ZWB" replay in.h5 --seeds 2 -p unbatched -p batched -p sorted -q
cmp reported out || fail "replay prints another table than report"
stdout_has "write bios"
stdout_has "write requests"

# Another seed changes latencies and no count.
expect 0 "$ZWB" replay in.h5 -p unbatched -p batched -q --seed 1 -o a.h5
expect 0 "$ZWB" replay in.h5 -p unbatched -p batched -q --seed 2 -o b.h5
counts="write bios,write requests,zswpwb"
expect 0 "$ZWB" report a.h5 --format csv --metric "$counts"
cp out a.csv
expect 0 "$ZWB" report b.h5 --format csv --metric "$counts"
cmp a.csv out || fail "the seed of the device changes counts"
if cmp -s a.h5 b.h5; then fail "the seed of the device changes nothing"; fi
