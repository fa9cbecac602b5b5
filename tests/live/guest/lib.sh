# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by every scenario. A scenario runs under busybox' sh in a folder of its own, which the
# host gets as it is left; its exit code is part of the result.
set -eu
tracefs=/sys/kernel/tracing
zswap=/sys/module/zswap/parameters
cgroups=/sys/fs/cgroup

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# expect CODE COMMAND...: runs it and checks the exit code.
expect() {
	local want=$1 got=0
	shift
	echo "+ [$(cut -d ' ' -f 1 /proc/uptime)] $*" >&2
	"$@" || got=$?
	[ "$got" -eq "$want" ] || fail "exit code $got instead of $want: $*"
}

# refuses FILE TEXT COMMAND...: it ends with exit code 4, and FILE, its stderr, says TEXT.
refuses() {
	local file=$1 text=$2
	shift 2
	expect 4 "$@" 2>"$file"
	grep -qF -- "$text" "$file" || fail "no \"$text\" in the message: $(cat "$file")"
}

# wait_for COMMAND...: until it succeeds, for a minute.
wait_for() {
	local tries=600
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "in vain: $*"
		sleep 0.1
	done
}

# set_zswap NAME VALUE: where this kernel has such a parameter.
set_zswap() {
	[ ! -e "$zswap/$1" ] || echo "$2" >"$zswap/$1"
}

# A small pool, so that every kernel has reason to write back.
zswap_on() {
	set_zswap max_pool_percent 1
	set_zswap accept_threshold_percent 100
	set_zswap shrinker_enabled Y
	set_zswap enabled Y
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

# load TOUCHES: memory pressure, until so many pages were touched after filling them.
load() {
	zswap_on
	expect 0 in_cgroup 16 pressure zipf 64 "$1" 1 1
}

# heavy_load: enough of everything to compare counts.
heavy_load() {
	zswap_on
	expect 0 in_cgroup 32 pressure zipf 72 5000 2 1
}

# start_capture FILE OPTION...: zwb capture in the background, on its way. Probes take their time under
# emulation, so only those that are needed.
start_capture() {
	local file=$1
	shift
	echo "+ [$(cut -d ' ' -f 1 /proc/uptime)] zwb capture -o $file $*" >&2
	zwb capture --events minimal -o "$file" "$@" 2>"$file.err" &
	capture_pid=$!
	wait_for is_on "$file.err"
}

is_on() {
	kill -0 "$capture_pid" 2>/dev/null || fail "zwb capture has ended: $(cat "$1")"
	[ "$(cat $tracefs/instances/zwb/tracing_on 2>/dev/null)" = 1 ]
}

# end_capture SIGNAL CODE
end_capture() {
	kill -s "$1" "$capture_pid"
	expect "$2" wait "$capture_pid"
}

# counters NAME: what the host is told about swap, apart from zwb.
counters() {
	cat /proc/vmstat >"$1.vmstat"
	cat /proc/diskstats >"$1.diskstats"
}

# trace_state NAME: everything that a capture could leave behind.
trace_state() {
	for file in dynamic_events kprobe_events uprobe_events set_event set_event_pid tracing_on \
		current_tracer trace_clock trace_options tracing_cpumask buffer_size_kb \
		enabled_functions events/enable; do
		echo "== $file"
		# 6.1 stops saying "(expanded: 1408)" once there was an instance; nothing is expanded.
		sed 's/ (expanded: .*//' $tracefs/$file 2>/dev/null || true
	done >"$1.state"
	{
		echo "== instances"
		ls $tracefs/instances
		echo "== groups of events"
		ls $tracefs/events
	} >>"$1.state"
}

# nothing_left: tracing is as it was at trace_state before.
nothing_left() {
	trace_state after
	cmp before.state after.state || fail "tracefs is not as before: $(diff before.state after.state)"
}
