# SPDX-License-Identifier: GPL-3.0-or-later
# guest.sh KERNEL SCENARIO...: boots a guest under software emulation, has it run the scenarios of
# guest/, and unpacks what it saved into the results folder, where check/SCENARIO.sh finds it.
. "$(dirname "$0")/lib.sh"
shift
scenarios=$(IFS=, && echo "$*")
# What is swapped on, so that each kind is seen.
case $kernel in
6.1) swap="partition" ;;
6.12) swap="file" ;;
*) swap="disk" ;;
esac
# Emulation is slow, more so on a busy machine; a guest that takes longer hangs.
boot_seconds=420

command_line="console=ttyS0 panic=-1 loglevel=4 quiet tsc=reliable mitigations=off nokaslr apparmor=0"
command_line+=" selinux=0 audit=0 random.trust_cpu=on zwb.swap=$swap zwb.run=$scenarios"

rm -rf "$results"
need qemu-system-x86_64 busybox cpio ldd
! ldd "$(command -v busybox)" >/dev/null 2>&1 || skip "busybox is not static"
bash "$live/fetch.sh" "$kernel" || exit
mkdir -p "$results"
disks=$(mktemp -d "$ZWB_LIVE_DIR/.disks.XXXXXX")
trap 'rm -rf "$disks"' EXIT
bash "$live/rootfs.sh" "$kernel" "$disks/initramfs"

boot() {
	truncate -s 1G "$disks/swap" "$disks/out"
	# The kernel's messages are brought back in a file; on the console are those of a guest that dies.
	timeout "$boot_seconds" qemu-system-x86_64 -machine pc -accel tcg,thread=multi -cpu max \
		-smp 2 -m 1536 -nodefaults -no-user-config -display none -monitor none -no-reboot \
		-serial "file:$results/console" \
		-kernel "$kernels/$kernel/vmlinuz" -initrd "$disks/initramfs" \
		-append "$command_line" \
		-drive "file=$disks/swap,if=none,id=swap,format=raw,cache=none,aio=threads" \
		-device virtio-blk-pci,drive=swap,num-queues=2 \
		-drive "file=$disks/out,if=none,id=out,format=raw" \
		-device virtio-blk-pci,drive=out </dev/null || return
	tar -xf "$disks/out" -C "$results" && [ -e "$results/complete" ]
}

if ! boot; then
	# Emulated machines die now and then; what is wrong with zwb shows twice.
	echo "$kernel: the first guest died: $(tail -n 1 "$results/console")" | tee -a "$ZWB_LIVE_DIR/notes"
	rm -f "$disks/swap" "$disks/out"
	boot || fail "the guest died twice: $(tail -n 30 "$results/console")"
fi
grep '^guest ' "$results/console"
