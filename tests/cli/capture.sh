# SPDX-License-Identifier: GPL-3.0-or-later
# zwb capture: what is wrong with a command line is said before the kernel is touched or even looked
# at. What it does when nothing is wrong is a matter of the live tests.
. "$(dirname "$0")/lib.sh"

expect_error 2 "no command, please" "$ZWB" capture --clean -- true
expect_error 2 "needs --flight-recorder" "$ZWB" capture --trigger 'memory.full>10% for 2s'
expect_error 2 "needs --flight-recorder" "$ZWB" capture --max-saves 1
expect_error 2 "SIZE given to it" "$ZWB" capture --flight-recorder 1M --buffer 1M
expect_error 2 "goes with --anonymise" "$ZWB" capture --secret x
expect_error 2 "not of the form" "$ZWB" capture --flight-recorder 1M --trigger nonsense
expect_error 2 "from 500ms to 10s" "$ZWB" capture --flight-recorder 1M \
	--trigger 'memory.full>10% for 1ms'
expect_error 2 "out of range" "$ZWB" capture --buffer 1K

echo kept >there.dat
expect_error 2 "there.dat exists; --force" "$ZWB" capture -o there.dat -- true
[ "$(cat there.dat)" = kept ] || fail "the file that was there is gone"
expect_error 4 "cannot create" "$ZWB" capture -o no/such/folder.dat -- true

# No tracefs, no root or no probes: 4, and nothing is left. Elsewhere this records for a moment.
got=0
"$ZWB" capture -o new.dat -d 0.001 >out 2>err || got=$?
if [ "$got" -eq 0 ]; then
	rm new.dat
else
	[ "$got" -eq 4 ] || fail "exit code $got of a capture that is not possible here"
	stderr_has "zwb capture: "
fi
rm there.dat
left_nothing
