# SPDX-License-Identifier: GPL-3.0-or-later
# Exit 2: HDF5 files of other people, and files of ours in the place of others.
. "$(dirname "$0")/lib.sh"

command -v h5import >/dev/null || skip "no h5import to make an HDF5 file with"
echo "1 2 3 4" >in-numbers
h5import in-numbers -dims 4 -type TEXTIN -size 32 -o in-foreign.h5 >/dev/null
each_reader 2 "in-foreign.h5" in-foreign.h5
expect_error 2 "in-foreign.h5" "$ZWB" report in-foreign.h5

make_trace in-trace.h5
expect 0 "$ZWB" replay in-trace.h5 --quiet -o in-run.h5
for command in import replay validate; do
	line=("$ZWB" "$command" in-run.h5)
	[ "$command" = validate ] || line+=(-o x.h5)
	expect_error 2 "run" "${line[@]}"
	left_nothing
done
expect_error 2 "trace" "$ZWB" report in-trace.h5
