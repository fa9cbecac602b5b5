# SPDX-License-Identifier: GPL-3.0-or-later
# rootfs.sh KERNEL OUT: the initramfs of a guest, a cpio archive: busybox, zwb with its libraries, the
# workload, the kernel's modules and the scripts of guest/.
. "$(dirname "$0")/lib.sh"
out=${2:?the archive to write}
: "${ZWB_PRESSURE:?the workload}"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
mkdir -p "$tree"/{bin,dev,etc,out,proc,sys,tmp}
cp "$(command -v busybox)" "$tree/bin/busybox"
cp "$ZWB" "$tree/bin/zwb"
cp "$ZWB_PRESSURE" "$tree/bin/pressure"
cp -r "$kernels/$kernel/modules" "$tree/modules"
cp -r "$live/guest" "$tree/guest"
install -m 755 "$live/guest/init.sh" "$tree/init"
ln -s busybox "$tree/bin/sh"

# "libm.so.6 => /lib/libm.so.6 (0x...)", and the loader as "/lib64/ld-linux-x86-64.so.2 (0x...)"
ldd "$ZWB" | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "$tree$(dirname "$library")"
	cp -L "$library" "$tree$library"
done
(cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$out"
