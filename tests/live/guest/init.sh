#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first process of a guest: sets up swap, zswap and a cgroup, runs the scenarios that the kernel
# command line names (zwb.run=a,b,c), and saves /out as a tar on the second disk.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmpfs /tmp
mount -t tmpfs -o size=80% tmpfs /out

say() {
	echo "guest $(cut -d ' ' -f 1 /proc/uptime): $*"
}

# option NAME: the value of zwb.NAME on the kernel command line.
option() {
	sed "s/.*zwb\.$1=\([^ ]*\).*/\1/" /proc/cmdline
}

# swap_on disk|partition|file: prints what to swap on. The file has several extents.
swap_on() {
	case $1 in
	disk) echo /dev/vda ;;
	partition)
		printf 'o\nn\np\n1\n2048\n+700M\nw\n' | fdisk -u /dev/vda >&2
		echo /dev/vda1
		;;
	file)
		mke2fs /dev/vda >&2
		mkdir /files
		mount -t ext4 /dev/vda /files
		for i in 0 1 2 3 4 5; do
			dd if=/dev/zero of=/files/swap bs=1M seek=$((i * 32)) count=32 conv=notrunc
			dd if=/dev/zero of=/files/between$i bs=1M count=3
			sync
		done 2>/dev/null
		chmod 600 /files/swap
		echo /files/swap
		;;
	esac
}

while read -r module; do
	insmod "/modules/$module"
done </modules/modules.list
while [ ! -b /dev/vdb ]; do sleep 0.1; done

set_up() {
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo "+memory +io +cpu" >/sys/fs/cgroup/cgroup.subtree_control
	# virtio disks claim to rotate, which changes how swap slots are dealt out.
	echo 0 >/sys/block/vda/queue/rotational
	echo none >/sys/block/vda/queue/scheduler
	swap=$(swap_on "$(option swap)")
	mkswap "$swap" && swapon "$swap" || return
	echo 100 >/proc/sys/vm/swappiness
	echo never >/sys/kernel/mm/transparent_hugepage/enabled
}

set_up >/out/setup.log 2>&1 || say "set-up failed"
say "up, Linux $(uname -r)"

for scenario in $(option run | tr , ' '); do
	mkdir -p "/out/$scenario"
	cd "/out/$scenario" || exit 1
	timeout 180 sh "/guest/$scenario.sh" >log 2>&1
	code=$?
	echo "$code" >code
	# They have holes, which tar would fill.
	rm -f ./*.partial
	say "$scenario: exit code $code"
done

dmesg >/out/dmesg
cd /out || exit 1
: >complete
tar cf /dev/vdb . && sync && say "saved"
poweroff -f
