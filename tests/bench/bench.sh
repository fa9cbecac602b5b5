#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed and memory, printed and never judged: cmake --build build/release --target bench, or with
# recordings of your own: ZWB=... MEASURE=... DRAIN=... MANYRUNS=... bash tests/bench/bench.sh TRACE.dat...
# EVENTS (20000000) is the length of the synthetic recording, RUNS (3) how often each row is run.
set -euo pipefail
: "${ZWB:?the program}" "${MEASURE:?tests/bench/measure}" "${DRAIN:?tests/bench/drain}"
: "${MANYRUNS:?tests/bench/manyruns}"
events=${EVENTS:-20000000} runs=${RUNS:-3}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/zwb-bench-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

heading() {
	printf '\n%s\n%-34s %8s %8s %8s %8s %10s %10s\n' "$1" "" "user s" "least" "wall s" \
		"peak MiB" "M ev/s cpu" "M ev/s wall"
}

# one FILE.dat: import beside what a user would do instead, and replay of the result.
one() {
	local dat=$1 store=$scratch/store.h5 facts nr stored
	"$ZWB" import "$dat" -o "$store" -f -q >/dev/null
	facts=$("$ZWB" info "$store" --format json)
	stored=$(jq '.nr_events' <<<"$facts")
	nr=$(jq '[.tallies[].nr] | add' <<<"$facts")
	heading "$(basename "$dat"): $nr events, $stored of them mapped, $(stat -c %s "$dat") bytes"
	"$MEASURE" "trace-cmd report" "$nr" 1 trace-cmd report -i "$dat" | tee "$scratch/theirs"
	"$MEASURE" "zwb import" "$nr" "$runs" "$ZWB" import "$dat" -o "$store" -f -q |
		tee "$scratch/ours"
	awk 'NR == FNR { theirs = $3; next }
		$3 > 0 { printf "%-34s %8.1f\n", "user CPU, trace-cmd / import", theirs / $3 }' \
		"$scratch/theirs" "$scratch/ours"
	"$MEASURE" "read the recording" "$nr" "$runs" "$DRAIN" "$dat"
	"$MEASURE" "read the store" "$stored" "$runs" "$DRAIN" "$store"
	replays "$store" "$stored"
}

replays() {
	for policy in $("$ZWB" policies | grep -E '^[a-z]+$'); do
		"$MEASURE" "zwb replay, $policy, 1 thread" "$2" "$runs" \
			"$ZWB" replay "$1" -p "$policy" --threads 1 -q
	done
	"$MEASURE" "zwb replay, 2 policies, 1 thread" "$2" "$runs" \
		"$ZWB" replay "$1" -p unbatched -p plugged --threads 1 -q
	"$MEASURE" "zwb replay, 4 policies, 2 threads" "$2" "$runs" \
		"$ZWB" replay "$1" -p unbatched -p batched -p plugged -p sorted --threads 2 -q
}

# sweep STORE: 100 cells on all processors, and how busy those were.
sweep() {
	local plan=$scratch/plan
	printf '%s\n' "trace $1" "policy {unbatched,batched,plugged,sorted}" \
		"device linear,depth={1,2,4,8,16}" "seed {1..5}" >"$plan"
	TIMEFORMAT='%R %U %S'
	{ time "$ZWB" sweep "$plan" -o "$scratch/sweep.h5" -f -q; } 2>&1 |
		awk -v cpus="$(nproc)" '{
			printf "%-34s %8.2f s, %d CPUs busy for %.1f %% of it\n",
				"zwb sweep, 100 cells", $1, cpus, 100 * ($2 + $3) / ($1 * cpus)
		}'
}

# Reports over 100 recordings under two policies, 200 replays, with every metric there is.
reports() {
	mkdir "$scratch/runs"
	"$MANYRUNS" "$scratch/runs" 100
	heading "200 replays, $("$ZWB" report "$scratch"/runs/*.h5 --format csv | grep -c plugged) rows"
	for format in lkml json; do
		"$MEASURE" "zwb report, $format" 1 "$runs" \
			"$ZWB" report "$scratch"/runs/*.h5 --format "$format" -o "$scratch/report" -f
	done
	rm -r "$scratch/runs" "$scratch/report"
}

grep -m1 'model name' /proc/cpuinfo || true
echo "$(nproc) CPUs, load $(cut -d' ' -f1-3 /proc/loadavg), $("$ZWB" --version)"
reports
for dat in "$@"; do
	one "$dat"
done
for nr in $((events / 10)) "$events"; do
	heading "synthetic, $nr events"
	"$MEASURE" "synthetic machine alone" "$nr" "$runs" "$DRAIN" "synth:$nr"
	"$MEASURE" "zwb synth to .h5" "$nr" 1 \
		"$ZWB" synth zipf -o "$scratch/synth.h5" --events "$nr" -f -q
	"$MEASURE" "zwb synth to .dat" "$nr" 1 \
		"$ZWB" synth zipf -o "$scratch/synth.dat" --events "$nr" -f -q
	one "$scratch/synth.dat"
	sweep "$scratch/store.h5"
	rm "$scratch/synth.dat" "$scratch/synth.h5"
done
