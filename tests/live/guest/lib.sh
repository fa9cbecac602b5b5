# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by every scenario. A scenario runs under busybox' sh in a folder of its own, which the
# host gets as it is left; its exit code is part of the result.
set -eu
tracefs=/sys/kernel/tracing
zswap=/sys/module/zswap/parameters
cgroups=/sys/fs/cgroup

fail() {
	echo "FAILED: $*"
	exit 1
}

# expect CODE COMMAND...: runs it and checks the exit code.
expect() {
	local want=$1 got=0
	shift
	echo "+ $*"
	"$@" || got=$?
	[ "$got" -eq "$want" ] || fail "exit code $got instead of $want: $*"
}

# set_zswap NAME VALUE: where this kernel has such a parameter.
set_zswap() {
	[ ! -e "$zswap/$1" ] || echo "$2" >"$zswap/$1"
}

# in_cgroup MIB COMMAND...: runs it where it may have that much memory.
in_cgroup() {
	local mib=$1
	shift
	mkdir -p $cgroups/load
	echo "${mib}M" >$cgroups/load/memory.max
	(
		echo 0 >$cgroups/load/cgroup.procs
		exec "$@"
	)
}

# counters NAME: what the host is told about swap, apart from zwb.
counters() {
	cat /proc/vmstat >"$1.vmstat"
	cat /proc/diskstats >"$1.diskstats"
}

# trace_state NAME: everything that a capture could leave behind.
trace_state() {
	for file in dynamic_events kprobe_events uprobe_events set_event tracing_on current_tracer \
		trace_clock trace_options enabled_functions events/enable; do
		echo "== $file"
		cat $tracefs/$file 2>/dev/null || true
	done >"$1.state"
	{
		echo "== instances"
		ls $tracefs/instances
		echo "== groups"
		ls $tracefs/events
	} >>"$1.state"
}
