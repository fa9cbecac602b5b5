# SPDX-License-Identifier: GPL-3.0-or-later
# Every save of the flight recorder is a recording that says what it was saved for. The first is
# that of a stall that has just begun, the last that of the signal.
. "$(dirname "$0")/lib.sh"

saves=(flight.*.dat)
at_least 2 "saves" "${#saves[@]}"
for ((i = 1; i <= ${#saves[@]}; i++)); do
	imports flight.$i.dat flight.$i.h5 1
	jq -r '.. | objects | .trigger // empty' info.json >trigger
	case $i in
	1) grep -q '^memory.some' trigger || fail "the first save is for: $(cat trigger)" ;;
	"${#saves[@]}") grep -qx SIGUSR1 trigger || fail "the last save is for: $(cat trigger)" ;;
	esac
done
is_whole flight.$((i - 1)).h5
