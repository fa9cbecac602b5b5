# SPDX-License-Identifier: GPL-3.0-or-later
# Exit 4 when the disk fills up while writing; neither a file nor a temporary one is left.
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" -eq 0 ] || skip "not root, cannot mount a small file system"
mkdir disk
mount -t tmpfs -o size=256k tmpfs disk 2>/dev/null || skip "may not mount"
trap 'umount disk; rm -rf "$scratch"' EXIT

for format in h5 dat; do
	expect_error 4 "No space left" "$ZWB" synth zipf --events 300000 --format "$format" -o disk/x
	[ -z "$(ls -A disk)" ] || fail "left on the full disk: $(ls -A disk)"
done
