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

while read -r module; do
	insmod "/modules/$module"
done </modules/modules.list
while [ ! -b /dev/vdb ]; do sleep 0.1; done

{
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t debugfs debugfs /sys/kernel/debug
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo "+memory +io +cpu" >/sys/fs/cgroup/cgroup.subtree_control
	# virtio disks claim to rotate, which changes how swap slots are dealt out.
	echo 0 >/sys/block/vda/queue/rotational
	echo none >/sys/block/vda/queue/scheduler
	mkswap /dev/vda
	swapon /dev/vda
	echo 100 >/proc/sys/vm/swappiness
	echo never >/sys/kernel/mm/transparent_hugepage/enabled
} >/out/setup.log 2>&1 || say "set-up failed"
say "up, Linux $(uname -r)"

for scenario in $(sed 's/.*zwb\.run=\([^ ]*\).*/\1/; s/,/ /g' /proc/cmdline); do
	mkdir -p "/out/$scenario"
	cd "/out/$scenario" || exit 1
	timeout 120 sh "/guest/$scenario.sh" >log 2>&1
	code=$?
	echo "$code" >code
	say "$scenario: exit code $code"
done

dmesg >/out/dmesg
cd /out || exit 1
: >complete
tar cf /dev/vdb . && sync && say "saved"
poweroff -f
