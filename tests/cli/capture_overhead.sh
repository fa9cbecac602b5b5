# SPDX-License-Identifier: GPL-3.0-or-later
# zwb capture --measure-overhead: what is refused before anything runs. What it measures, the live
# tests see.
. "$(dirname "$0")/lib.sh"

refuse() {
	local text=$1
	shift
	expect_error 2 "$text" "$ZWB" capture "$@"
	left_nothing
}
refuse "--runs needs --measure-overhead" --runs 3 -- touch in-ran
refuse "--clean" --measure-overhead --clean
refuse "--flight-recorder" --measure-overhead --flight-recorder 1M
refuse "--pid" --measure-overhead --pid 1
refuse "--duration" --measure-overhead -d 1 -- touch in-ran
refuse "--runs" --measure-overhead --runs 1 -- touch in-ran
echo mine >in-file
refuse "in-file exists" --measure-overhead -o in-file -- touch in-ran
grep -qx mine in-file || fail "the file was changed"
[ ! -e in-ran ] || fail "the command was run"

# The first run is one without capture, and tells that no other is worth it.
expect_error 4 "ended with status 3" "$ZWB" capture --measure-overhead -- sh -c 'exit 3'
left_nothing
expect_error 4 "killed by signal 9" "$ZWB" capture --measure-overhead -- sh -c 'kill -9 $$'
left_nothing
expect_error 4 "cannot execute" "$ZWB" capture --measure-overhead -- ./no-such-program
left_nothing
