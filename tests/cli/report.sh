# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report: from a recording to tables, and the questions that it cannot answer.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf --events 400000 -o in.h5
expect 0 "$ZWB" replay in.h5 --policy unbatched --policy batched,plug=walk --seeds 2 -o in-run.h5

# What replay prints without -o is the report.
expect 0 "$ZWB" replay in.h5 --policy unbatched --policy batched,plug=walk --seeds 2
mv out in-replay.txt
expect 0 "$ZWB" report in-run.h5
is_silent err
cmp -s out in-replay.txt || fail "replay and report print different tables"
grep -qE '^write requests +E +[1-9][0-9]* +[1-9][0-9]* +-[0-9.]+%$' out || fail "no requests"
stdout_has "n = 1 recording, 2 seeds each"
stdout_has "batched [2] = batched,plug=walk"
! grep -qE '^.{77}' out || fail "more than 76 columns"
! LC_ALL=C grep -q '[^ -~]' out || fail "not ASCII"

# The baseline is without a change, the other one has the opposite sign.
expect 0 "$ZWB" report in-run.h5 --baseline batched,plug=walk --metric "write requests"
grep -qE '^write requests +E +[1-9][0-9]* +[1-9][0-9]* +\+[0-9.]+%$' out || fail "wrong baseline"
expect_error 2 'no baseline "plugged"; there is "unbatched", "batched,plug=walk"' \
	"$ZWB" report in-run.h5 --baseline plugged
expect_error 2 'no metric "REQ"; there is write requests, pages per write request, write requests /1000' \
	"$ZWB" report in-run.h5 --metric "write bios,REQ"
expect_error 2 'no metric "nonsense"; there is zswpwb, pages written, ' \
	"$ZWB" report in-run.h5 --metric nonsense
grep -q ', \.\.\.$' err || fail "the list of metrics is cut in a name"
expect 0 "$ZWB" report in-run.h5 --metric bios
stdout_has "read bios"
expect_error 2 "--metric" "$ZWB" report in-run.h5 --metric ""
expect_error 2 "--group-by" "$ZWB" report in-run.h5 --group-by task

# Formats, and a recording that comes twice counts once.
expect 0 "$ZWB" report in-run.h5 in-run.h5 --format csv --metric "write bios" --group-by total
[ "$(wc -l <out)" -eq 3 ] || fail "not one row a policy"
stdout_has '2,write bios,count,lower,E,total,,"batched,plug=walk",'
expect 0 "$ZWB" report in-run.h5 --format json
stdout_has '"schema_version": 2'
expect 0 "$ZWB" report in-run.h5 --group-by cgroup
grep -q '^cgroup /' out || fail "no cgroups"

# Output files.
expect 0 "$ZWB" report in-run.h5 -o in-report.txt
is_silent out
cmp -s in-report.txt in-replay.txt || fail "-o writes something else"
expect_error 2 "in-report.txt exists" "$ZWB" report in-run.h5 -o in-report.txt
expect 0 "$ZWB" report in-run.h5 --format csv -o in-report.txt --force
head -1 in-report.txt | grep -q '^schema_version,metric,' || fail "not replaced"
expect_error 4 "No space left" "$ZWB" report in-run.h5 -o /dev/full
expect 4 bash -c '"$ZWB" report in-run.h5 >/dev/full'
stderr_has "No space left"
expect_error 2 "no baseline" "$ZWB" report in-run.h5 --baseline none -o in-new.txt
[ ! -e in-new.txt ] || fail "half an output"

# Damage.
head -c "$(($(stat -c %s in-run.h5) / 2))" in-run.h5 >in-half.h5
expect_error 3 "in-half.h5" "$ZWB" report in-half.h5
expect_error 3 "in-half.h5" "$ZWB" report in-run.h5 in-half.h5
left_nothing
