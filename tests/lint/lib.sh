# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by every check in this folder: the files of the project, and how to complain.
set -euo pipefail
shopt -s inherit_errexit
cd "${ZWB_SOURCE_DIR:?}"
nr_complaints=0

# Files of the tree (new ones too, ignored ones not) whose names match one of the patterns.
files() {
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -co --exclude-standard -- "$@" |
			while read -r f; do [ ! -e "$f" ] || echo "$f"; done
	else
		local names=()
		for pattern in "$@"; do
			names+=(-o -name "$pattern")
		done
		find . -name build -prune -o -type f \( "${names[@]:1}" \) -print | sed 's,^\./,,'
	fi | sort
}

complain() {
	printf '%s\n' "$*" >&2
	nr_complaints=$((nr_complaints + 1))
}

finish() {
	if [ "$nr_complaints" -gt 0 ]; then
		echo "$nr_complaints complaints" >&2
		exit 1
	fi
}
