#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages are good POD: those of the tree, and those that the build makes.
. "$(dirname "$0")/lib.sh"
mapfile -t pods < <(files '*.pod'; find "${ZWB_BINARY_DIR:?}/docs" -name '*.pod' 2>/dev/null)
[ "${#pods[@]}" -gt 0 ] || complain "no manual pages"
podchecker -warnings -warnings "${pods[@]}" 2>&1 | { grep -vE ' pod syntax OK\.$' || true; } |
	while read -r line; do echo "$line" >&2; done
podchecker "${pods[@]}" 2>/dev/null
finish
