# SPDX-License-Identifier: GPL-3.0-or-later
# What a killed capture leaves imports up to the last flush, which was not long ago.
. "$(dirname "$0")/lib.sh"

is_whole killed.h5
jq -e --argjson killed "$(cat killed.at)" \
	'(.start_ns + .last_ns) / 1e9 | . > $killed - 4 and . < $killed + 1' info.json >out ||
	fail "killed at $(cat killed.at) s, but the events end at $(jq '.start_ns + .last_ns' info.json) ns"
imports next.dat next.h5
