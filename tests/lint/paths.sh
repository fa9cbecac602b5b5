#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing in the tree names a place that only one person's machine has.
. "$(dirname "$0")/lib.sh"
pattern='/(work|home|root|Users|mnt|opt)/[A-Za-z0-9_.]|\.\./shared|/tmp/b-'
while read -r hit; do
	complain "$hit"
done < <(files '*' | grep -vE '^(LICENSE|tests/lint/paths\.sh)$' |
	xargs -d '\n' grep -InE "$pattern" || true)
finish
