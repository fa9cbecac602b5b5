#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Regression only: the comparison of every sample is what it was. UPDATE=1 replaces what is expected.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${ZWB_SOURCE_DIR:?}/traces/samples"
status=0
for sample in *.h5; do
	expected=$here/${sample%.h5}.csv
	actual=$(mktemp)
	run=$(mktemp -d)
	"${ZWB:?}" replay "$sample" -p unbatched -p batched -p plugged -p sorted -o "$run/run.h5" -q
	"$ZWB" report "$run/run.h5" --format csv >"$actual"
	if [ -n "${UPDATE:-}" ]; then
		cp "$actual" "$expected"
	elif ! diff -u "$expected" "$actual"; then
		echo "FAILED: $sample gives another comparison" >&2
		status=1
	fi
	rm -rf "$actual" "$run"
done
exit $status
