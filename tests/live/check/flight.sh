# SPDX-License-Identifier: GPL-3.0-or-later
# Every save of the flight recorder says what it was saved for. The first is that of a stall that
# has just begun, and may hold nothing yet; the last, that of the signal, is a whole recording.
. "$(dirname "$0")/lib.sh"

saves=(flight.*.dat)
at_least 2 "saves" "${#saves[@]}"
for ((i = 1; i <= ${#saves[@]}; i++)); do
	expect 0 "$ZWB" info --format json flight.$i.dat
	mv out info.json
	jq -r '.. | objects | .trigger // empty' info.json >trigger
	case $i in
	1) grep -q '^memory.some' trigger || fail "the first save is for: $(cat trigger)" ;;
	"${#saves[@]}") grep -qx SIGUSR1 trigger || fail "the last save is for: $(cat trigger)" ;;
	esac
done
imports flight.${#saves[@]}.dat flight.h5
is_whole flight.h5
