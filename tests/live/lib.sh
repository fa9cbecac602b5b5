# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the scripts in this folder. A test here is called with the name of a kernel: it boots
# that kernel (guest.sh), or looks at what the guest brought back (check/NAME.sh).
set -euo pipefail
shopt -s inherit_errexit
: "${ZWB:?the program}" "${ZWB_SOURCE_DIR:?the source tree}" "${ZWB_LIVE_DIR:?where guests put things}"
kernel=${1:?a kernel: 6.1, 6.12 or 7}
# shellcheck disable=SC2034 # all of them for the scripts
{
	live=$ZWB_SOURCE_DIR/tests/live
	# Kernels are kept from run to run, and shared by all builds.
	kernels=$ZWB_SOURCE_DIR/build/live/kernels
	results=$ZWB_LIVE_DIR/$kernel
}

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

skip() {
	echo "skipped: $*" >&2
	exit 77
}

# need PROGRAM...: skips the test when one is missing.
need() {
	for program in "$@"; do
		command -v "$program" >/dev/null || skip "no $program"
	done
}
