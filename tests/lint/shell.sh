#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Shell scripts pass shellcheck.
. "$(dirname "$0")/lib.sh"
command -v shellcheck >/dev/null || exit 77
files '*.sh' '*.bash' 'run' '.ci/run' |
	xargs shellcheck --shell=bash --external-sources --source-path=SCRIPTDIR --severity=warning
