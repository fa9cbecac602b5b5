# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report: inputs that are no run files, and usage errors.
. "$(dirname "$0")/lib.sh"

expect_error 4 "in-missing: cannot open: No such file" "$ZWB" report in-missing
: >in-empty
expect_error 2 "in-empty" "$ZWB" report in-empty
mkdir in-directory
expect_error 2 "in-directory" "$ZWB" report in-directory
echo text >in-text
expect_error 2 "in-text" "$ZWB" report in-text
expect 0 "$ZWB" synth zipf --events 20000 -o in-trace.h5
expect_error 2 "in-trace.h5" "$ZWB" report in-trace.h5
stderr_has "zwb replay"
head -c 3000 in-trace.h5 >in-cut.h5
expect_error 3 "in-cut.h5" "$ZWB" report in-cut.h5
expect_error 2 "nothing to work on" "$ZWB" report
expect_error 2 '"nonsense" is not one of' "$ZWB" report in-trace.h5 --format nonsense
left_nothing
