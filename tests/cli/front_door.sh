# SPDX-License-Identifier: GPL-3.0-or-later
# What zwb does before any command runs.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" --help
stdout_has "Usage: zwb COMMAND"
is_silent err

expect 0 "$ZWB" --version
grep -qE '^zwb [0-9]+\.[0-9]+\.[0-9]+$' out || fail "not a version"
is_silent err

expect_error 2 "no command given" "$ZWB"
stderr_has 'Try "zwb --help"'
expect_error 2 'unknown command "nonsense"' "$ZWB" nonsense
expect_error 2 'unknown command "--nonsense"' "$ZWB" --nonsense
expect_error 2 'unknown command "\x1b[2J"' "$ZWB" $'\e[2J'
expect_error 2 'unknown command ""' "$ZWB" ""
