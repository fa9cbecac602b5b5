# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 leaves probes in the kernel and a partial file. --clean removes the former, and nothing
# else; so does the next capture, which SIGTERM ends.
. "$(dirname "$0")/lib.sh"

echo 'p:other/probe do_exit' >>$tracefs/dynamic_events
mkdir $tracefs/instances/other
trace_state before

start_capture killed.dat
load 100000 &
load_pid=$!
sleep 8
cut -d ' ' -f 1 /proc/uptime >killed.at
kill -9 "$capture_pid"
wait "$capture_pid" || true
killall pressure
wait $load_pid || true
[ -d $tracefs/instances/zwb ] || fail "nothing was left behind, so that nothing is tested"
[ ! -e killed.dat ] || fail "a file that claims to be whole"
expect 0 zwb capture --clean
nothing_left
expect 0 zwb capture --clean
nothing_left
# Between the parts of the file are holes that tar would fill.
expect 0 zwb import killed.dat.partial -o killed.h5

echo 'p:zwb/zstore do_exit' >>$tracefs/dynamic_events
mkdir $tracefs/instances/zwb
echo 0 >$tracefs/instances/zwb/tracing_on
echo 1 >$tracefs/instances/zwb/events/zwb/zstore/enable
start_capture next.dat
load 0
end_capture TERM 0
nothing_left

rmdir $tracefs/instances/other
echo '-:other/probe' >>$tracefs/dynamic_events
