# SPDX-License-Identifier: GPL-3.0-or-later
# The same with iocost in charge of the disk, generous enough for emulation.
. "$(dirname "$0")/lib.sh"

disk=$(cat /sys/block/vda/dev)
echo Y >/sys/module/blk_cgroup/parameters/blkcg_debug_stats
echo "$disk enable=1 ctrl=user rpct=0 rlat=0 wpct=0 wlat=0 min=100.00 max=100.00" >$cgroups/io.cost.qos
echo "$disk ctrl=user model=linear rbps=209715200 rseqiops=16000 rrandiops=8000 wbps=104857600" \
	"wseqiops=12000 wrandiops=5000" >$cgroups/io.cost.model
trace_state before
counters before
expect 0 zwb capture -o capture.dat -- /bin/sh -c '. /guest/lib.sh; heavy_load' 2>capture.err
counters after
nothing_left
echo "$disk enable=0" >$cgroups/io.cost.qos
