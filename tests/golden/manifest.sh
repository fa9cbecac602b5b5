#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MANIFEST tells the truth: digests of the files, and what the recordings hold.
set -euo pipefail
cd "${ZWB_SOURCE_DIR:?}/traces/samples"

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# number KEY of the only object of the JSON on stdin that has all the other words on its lines
recorded() {
	awk -v stage="\"$1\"" -v direction="\"$2\"" '
		/\{/ { s = d = 0 }
		index($0, stage) { s = 1 }
		index($0, direction) { d = 1 }
		/"recorded"/ { gsub(/[^0-9]/, ""); n = $0 }
		/\}/ && s && d { print n }' json
}

json=$(mktemp -d)
trap 'rm -rf "$json"' EXIT
ls ./*.h5 | sed 's|^\./||' | sort >"$json/files"
grep -v '^#' MANIFEST | cut -f1 | sort | cmp - "$json/files" || fail "MANIFEST does not list the files"
while IFS=$'\t' read -r file sha256 _ kernel policy scheduler events writebacks wbios wrqs rbios rrqs; do
	case $file in '#'*) continue ;; esac
	echo "$sha256  $file" | sha256sum --check --quiet || fail "$file is another file"
	[ "$(stat -c %s "$file")" -le 3145728 ] || fail "$file is larger than 3 MB"
	"${ZWB:?}" validate "$file" --blind --format json >"$json/out"
	cp "$json/out" "$json/json"
	for pair in "kernel=$kernel" "captured_policy=$policy" "scheduler=$scheduler"; do
		grep -qF "\"${pair%%=*}\": \"${pair#*=}\"" "$json/out" || fail "$file: $pair"
	done
	grep -qF "\"events\": $events," "$json/out" || fail "$file: $events events"
	cd "$json"
	[ "$(recorded page_to_bio writes)" = "$wbios" ] || fail "$file: write bios"
	[ "$(recorded bio_to_request writes)" = "$wrqs" ] || fail "$file: write requests"
	[ "$(recorded page_to_bio reads)" = "$rbios" ] || fail "$file: read bios"
	[ "$(recorded bio_to_request reads)" = "$rrqs" ] || fail "$file: read requests"
	grep -qE "\"replayed\": $writebacks(,|\$)" out || fail "$file: $writebacks writebacks"
	cd - >/dev/null
done <MANIFEST
