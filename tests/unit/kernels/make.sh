#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the fixture of one kernel out of files copied from a machine that runs it.
# Usage: make.sh REDUCE_BTF DUMP NAME
#   REDUCE_BTF  the program that the build makes of reduce_btf.c
#   DUMP        a folder as zwb_kernel_load() reads it: release, btf/vmlinux, btf/zsmalloc, kallsyms,
#               README, available_filter_functions, available_events
#   NAME        folder beside this script; what is in it is replaced, but for the file "accepted":
#               the definitions of "zwb doctor --definitions" that the kernel itself took, one a line
set -euo pipefail
reduce=$1 dump=$2
cd "$(dirname "$0")"
to=$3
names='zswap|swap_|frontswap|shrink_memcg|shrink_worker|zpool|zbud|zs_malloc|bio_associate|'
names+='try_to_free_mem|_plug|submit_bio|folio_rotate|fprobe|rethook'
rm -rf "$to/btf"
mkdir -p "$to/btf"
head -1 "$dump/release" >"$to/release"
"$reduce" keep.txt "$dump/btf/vmlinux" "$to/btf/vmlinux"
if [ -e "$dump/btf/zsmalloc" ]; then
	"$reduce" keep.txt "$dump/btf/zsmalloc" "$to/btf/zsmalloc" "$dump/btf/vmlinux" "$to/btf/vmlinux"
fi
# Addresses say nothing to the tests, and differ from build to build.
awk -v names="$names" '$3 ~ names { $1 = "0"; print }' "$dump/kallsyms" | sort -u >"$to/kallsyms"
grep -E "$names" "$dump/available_filter_functions" >"$to/available_filter_functions" || true
grep -E '^(block|vmscan|iocost|sched):' "$dump/available_events" >"$to/available_events" || true
sed -n '/^  dynamic_events/,/^  events\//p' "$dump/README" >"$to/README"
du -sb "$to"
