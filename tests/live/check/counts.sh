# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: capture.dat holds what the host counted, reads back the same by libtracecmd, and validates.
imports capture.dat capture.h5
expect 0 "$ZWB" info --second-opinion capture.dat

# trace-cmd sees each event as often as zwb does, and no others.
expect 0 trace-cmd report -i capture.dat
! grep -m 1 -E 'EVENTS DROPPED|\[.*ERROR' out || fail "trace-cmd complains"
awk 'match($0, /\[[0-9]+\] +[0-9]+\.[0-9]+: +[A-Za-z0-9_]+:/) {
	n = split(substr($0, RSTART, RLENGTH - 1), part, " ")
	count[part[n]]++
	split(substr($0, RSTART + RLENGTH), field, " ")
	if (part[n] == "block_rq_issue" && field[1] == "254,0")
		issued[substr(field[2], 1, 1)]++
} END {
	for (event in count)
		print event, count[event] >"report.counts"
	print issued["R"] + 0, issued["W"] + 0
}' out >issued.counts
jq -r '.tallies[] | "\(.name | sub(".*/"; "")) \(.nr)"' info.json | sort >tallies.counts
sort report.counts | diff tallies.counts - || fail "trace-cmd counts otherwise"

# What the host counted, by the guest's own reading and by that in the recording.
read -r nr_reads nr_writes <issued.counts
close_to "disk reads" "$nr_reads" "$(grown disk 4)"
close_to "disk writes" "$nr_writes" "$(grown disk 8)"
close_to "pages written" "$(tally zwb/swpwrite)" "$(grown vmstat pswpout)"
if grep -q '^zswpwb ' after.vmstat; then
	# 6.12 walks one entry at a time and gives up after 16 that were used since the last visit
	# (mm/zswap.c, shrink_worker()): of a young list it writes back nothing.
	[ "${kernel:?}" != 7 ] || at_least 100 "pages written back" "$(grown vmstat zswpwb)"
	close_to "pages written back" "$(jq .walks.written_back info.json)" "$(grown vmstat zswpwb)"
fi
for name in pswpout pswpin zswpout zswpin zswpwb; do
	grep -q "^$name " after.vmstat || continue
	close_to "$name" "$(jq --arg key "$name" \
		'.counters[] | select(.source == "vmstat" and .key == $key).delta' info.json)" \
		"$(grown vmstat "$name")"
done

expect 0 "$ZWB" validate capture.h5
cat out
