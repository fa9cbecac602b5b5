# SPDX-License-Identifier: GPL-3.0-or-later
# Outputs: an existing file is kept unless --force, and nothing half is ever left.
. "$(dirname "$0")/lib.sh"

for format in h5 dat; do
	write=("$ZWB" synth zipf --events 300000 --format "$format")

	echo precious >in-existing
	expect_error 2 "in-existing" "${write[@]}" -o in-existing
	stderr_has "--force"
	[ "$(cat in-existing)" = precious ] || fail "an existing file was changed"
	expect 0 "${write[@]}" --force -o in-existing
	[ "$(head -c 8 in-existing)" != precious ] || fail "--force did not replace"

	mkdir -p in-directory
	expect_error 2 "directory" "${write[@]}" --force -o in-directory
	expect_error 4 "No such file" "${write[@]}" -o in-no-directory/x
	expect_error 4 "No space left" "${write[@]}" -o /dev/full
	left_nothing
done
[ -c /dev/full ] || fail "/dev/full was replaced"
