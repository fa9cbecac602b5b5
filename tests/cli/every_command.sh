# SPDX-License-Identifier: GPL-3.0-or-later
# What every command has in common: help, version, unknown options, output that cannot be written.
. "$(dirname "$0")/lib.sh"

mapfile -t commands < <("$ZWB" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
[ "${#commands[@]}" -gt 0 ] || fail "no commands"

for command in "${commands[@]}"; do
	expect 0 "$ZWB" "$command" --help
	stdout_has "Usage: zwb $command"
	stdout_has "--help"
	is_silent err
	awk 'length($0) > 80 { exit 1 }' out || fail "$command: help is wider than 80 columns"

	expect 0 "$ZWB" "$command" --version
	stdout_has "zwb "
	is_silent err

	expect_error 2 'unknown option "--nonsense"' "$ZWB" "$command" --nonsense
	stderr_has "zwb $command: "
	stderr_has "Try \"zwb $command --help\""
	expect_error 2 'unknown option "--hel"' "$ZWB" "$command" --hel

	code=0
	"$ZWB" "$command" --help 2>err >/dev/full || code=$?
	[ "$code" -eq 4 ] || fail "$command --help to a full disk: exit code $code instead of 4"
	stderr_has "standard output"
done
left_nothing
