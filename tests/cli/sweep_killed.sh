# SPDX-License-Identifier: GPL-3.0-or-later
# zwb sweep, killed in the middle: the same command goes on, and the result is as if never killed.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf -o in.h5 --events 40000 --quiet
cat >in-plan <<-'END'
	trace in.h5
	policy {unbatched,batched,plugged}
	seed {1..60}
END
sweep=("$ZWB" sweep in-plan --threads 1 --quiet)

# Begins a sweep and kills it when the first cells are on disk.
begin_and_kill() {
	"${sweep[@]}" -o in-killed.h5 &
	local pid=$! tries=0
	until compgen -G 'in-killed.h5.cells/cells-*.h5' >/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "no cell is kept"
		sleep 0.01
	done
	kill -STOP "$pid"
	# While it lives, nobody else may work on it.
	expect_error 4 "another zwb sweep is at it" "${sweep[@]}" -o in-killed.h5
	kill -9 "$pid"
	wait "$pid" 2>/dev/null || true
	[ ! -e in-killed.h5 ] || fail "the sweep was over before it was killed"
}

expect 0 "${sweep[@]}" -o in-whole.h5
begin_and_kill
kept=(in-killed.h5.cells/cells-*.h5)
echo half >in-killed.h5.cells/cells-000777.h5.tmp-1-0
cp "${kept[0]}" in-kept.h5
expect 0 "${sweep[@]}" -o in-killed.h5
is_silent err
cmp in-killed.h5 in-whole.h5 || fail "a killed and resumed sweep gives another file"
[ ! -e in-killed.h5.cells ] || fail "the kept cells are still there"

# Killed after the output was written and before the folder was cleared away.
mkdir in-killed.h5.cells
cp in-kept.h5 in-killed.h5.cells/cells-000001.h5
expect 0 "${sweep[@]}" -o in-killed.h5
[ ! -e in-killed.h5.cells ] || fail "the kept cells are still there"

# Damage on disk costs the damaged cells.
mkdir in-damaged.h5.cells
head -c 5000 in-kept.h5 >in-damaged.h5.cells/cells-000001.h5
echo "no run file" >in-damaged.h5.cells/cells-000017.h5
expect 0 "${sweep[@]}" -o in-damaged.h5
stderr_has "2 damaged files"
cmp in-damaged.h5 in-whole.h5 || fail "damaged cells change the result"

# What is kept of another plan, or with other options, is not mixed in.
echo "device linear,depth=2" >>in-plan
mkdir in-other.h5.cells
cp in-kept.h5 in-other.h5.cells/cells-000001.h5
expect_error 2 "not of this plan" "${sweep[@]}" -o in-other.h5
expect_error 2 "not of this plan" "${sweep[@]}" in-whole.h5 -o in-new.h5
[ -e in-other.h5.cells/cells-000001.h5 ] || fail "kept cells were thrown away"
expect 0 "${sweep[@]}" -o in-other.h5 --force
if cmp -s in-other.h5 in-whole.h5; then fail "another device gives the same file"; fi
rm -r in-new.h5.cells
left_nothing
