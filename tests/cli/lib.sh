# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by every test in this folder. A test is a list of expectations; the first that does not
# hold ends it. Each runs in an empty directory of its own, which is removed afterwards.
set -euo pipefail
shopt -s inherit_errexit
: "${ZWB:?the program}" "${ZWB_SOURCE_DIR:?the source tree}"
# shellcheck disable=SC2034 # for the tests
samples=$ZWB_SOURCE_DIR/traces/samples
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
	echo "FAILED: $*" >&2
	[ ! -s out ] || sed 's/^/  stdout: /' out >&2
	[ ! -s err ] || sed 's/^/  stderr: /' err >&2
	exit 1
}

skip() {
	echo "skipped: $*" >&2
	exit 77
}

# expect CODE COMMAND...: runs it, stdout to ./out and stderr to ./err, and checks the exit code.
# More than a minute is a hang.
expect() {
	local want=$1 got=0
	shift
	timeout 60 "$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] || fail "exit code $got instead of $want: $*"
}

# The message of the last command names what matters and ends in no stack of noise.
stderr_has() {
	grep -qF -- "$1" err || fail "no \"$1\" in the message"
}

stdout_has() {
	grep -qF -- "$1" out || fail "no \"$1\" in the output"
}

is_silent() {
	[ ! -s "$1" ] || fail "unexpected output on $1"
}

# Neither a half output under the final name nor a temporary file is left.
left_nothing() {
	local left
	left=$(find . -type f ! -name out ! -name err ! -name 'in*')
	[ -z "$left" ] || fail "left behind: $left"
}

# expect_error CODE TEXT COMMAND...: fails with CODE, says TEXT on stderr, nothing on stdout.
expect_error() {
	local code=$1 text=$2
	shift 2
	expect "$code" "$@"
	stderr_has "$text"
	is_silent out
}

# A small store and the same as trace.dat, made on the spot.
make_trace() {
	expect 0 "$ZWB" synth zipf --events 60000 --quiet --force -o "$1"
}

# each_reader CODE TEXT FILE: every command that reads recordings fails alike on FILE, names it, and
# leaves no output behind.
each_reader() {
	local code=$1 text=$2 file=$3 known
	known=$("$ZWB" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
	for command in info import replay validate; do
		grep -qx "$command" <<<"$known" || fail "there is no zwb $command"
		local line=("$ZWB" "$command" "$file")
		case $command in
		import | replay) line+=(--output x.h5) ;;
		esac
		expect_error "$code" "$text" "${line[@]}"
		stderr_has "zwb $command: $file: "
		left_nothing
	done
}
