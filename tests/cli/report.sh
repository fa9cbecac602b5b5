# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report: what it refuses, and how it says so.
. "$(dirname "$0")/lib.sh"

expect_error 2 "nothing to work on" "$ZWB" report
expect_error 2 "--format" "$ZWB" report run.h5 --format fancy
expect_error 2 "--group-by" "$ZWB" report run.h5 --group-by task
expect_error 2 "--metric" "$ZWB" report run.h5 --metric ""
expect_error 4 "missing.h5" "$ZWB" report missing.h5

echo "not HDF5" >in.h5
expect_error 2 "in.h5" "$ZWB" report in.h5
: >in-empty.h5
expect_error 2 "in-empty.h5" "$ZWB" report in-empty.h5
mkdir in-dir
expect_error 2 "in-dir" "$ZWB" report in-dir
expect_error 2 "in.h5" "$ZWB" report in.h5 -o report.txt
left_nothing

expect 0 "$ZWB" report --help
for format in lkml csv json; do stdout_has "$format"; done
