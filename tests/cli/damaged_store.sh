# SPDX-License-Identifier: GPL-3.0-or-later
# A store with one damaged byte: what can be read is written, and how much is gone is said.
. "$(dirname "$0")/lib.sh"

cp "$samples/7.3.4-sort.h5" in.h5
printf '\377' | dd of=in.h5 bs=1 seek=315510 conv=notrunc status=none
expect 3 "$ZWB" import in.h5 -o out.h5
# The second of two chunks does not unpack: 65536 of 100601 events are left.
stdout_has "35065 lost"
expect 3 "$ZWB" import in.h5 -o out.h5 -f --allow-loss 35064
expect 0 "$ZWB" info "$samples/7.3.4-sort.h5"
expect 3 "$ZWB" replay out.h5
stderr_has "35065 events"
expect 0 "$ZWB" replay out.h5 --allow-loss 35065 -p unbatched -q
grep -qE '^write bios +M ' out || fail "counts of a lossy recording are called exact"
