# SPDX-License-Identifier: GPL-3.0-or-later
# The flight recorder saves what it has on a signal and on pressure, and records on.
. "$(dirname "$0")/lib.sh"

trace_state before
start_capture flight.dat --flight-recorder 1M --trigger 'memory.some>1% for 1s'
load 2000
wait_for [ -e flight.1.dat ]
load 0
# Whatever pressure has saved is there by now; more of it would come after half a minute.
nr_saves=$(ls flight.*.dat | wc -l)
kill -s USR1 "$capture_pid"
wait_for [ -e "flight.$((nr_saves + 1)).dat" ]
end_capture TERM 0
[ ! -e flight.dat ] || fail "saved without a reason"
nothing_left
