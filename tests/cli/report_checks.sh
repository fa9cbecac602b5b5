# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report for scripts: conditions, two builds, measured runs and published means.
. "$(dirname "$0")/lib.sh"

for seed in 1 2 3; do
	expect 0 "$ZWB" synth zipf --events 300000 --seed "$seed" -o "in-$seed.h5"
done
expect 0 "$ZWB" replay in-1.h5 in-2.h5 in-3.h5 -p unbatched -p batched -o in-old.h5
expect 0 "$ZWB" replay in-1.h5 in-2.h5 in-3.h5 -p batched -p unbatched -o in-other.h5

# Three recordings: intervals and verdicts, in every line at most 76 columns.
expect 0 "$ZWB" report in-old.h5
is_silent err
stdout_has "batched against unbatched, paired by recording"
grep -qE '^write bios +-[0-9.]+% +\.\. +-[0-9.]+% +0\.25 ' out || fail "no interval, or no p"
grep -qE ' lower$' out || fail "no verdict"
! grep -qE '^.{77}' out || fail "more than 76 columns"

# Conditions: met, not met, unknown, hostile.
expect 1 "$ZWB" report in-old.h5 --fail-if 'write bios<-10%'
stderr_has "batched: write bios is "
stderr_has "write bios<-10%: met 1 of 1 times"
expect 0 "$ZWB" report in-old.h5 --fail-if 'write bios>0%' --fail-if 'bios > 1e9'
is_silent err
expect 1 "$ZWB" report in-old.h5 --fail-if 'write bios>0%' --fail-if 'write bios<-10% surely'
expect 1 "$ZWB" report in-old.h5 -m "write bios" -b unbatched --fail-if 'write bios>1' -o in-report
[ -s in-report ] || fail "a condition that is met keeps the report back"
expect_error 2 "no row called" "$ZWB" report in-old.h5 --fail-if 'nonsense>5%'
expect_error 2 "no > or <" "$ZWB" report in-old.h5 --fail-if 'p99'
expect_error 2 "is not a number" "$ZWB" report in-old.h5 --fail-if 'p99>%n%s%'

# Two builds: the order of policies does not matter, a slower one is found.
expect 0 "$ZWB" report --check in-old.h5 in-other.h5
stdout_has "policy unbatched"
stdout_has "the same in every recording"
is_silent err
expect 0 "$ZWB" replay in-1.h5 in-2.h5 in-3.h5 -p batched,ctx=entry -o in-slow.h5
expect 1 "$ZWB" report --check in-old.h5 in-slow.h5
stderr_has "cannot be judged"
expect 1 "$ZWB" report --check in-old.h5 in-other.h5 --fail-if 'write bios>=0%'
expect_error 2 "--check compares two run files" "$ZWB" report --check in-old.h5
expect_error 2 "--check goes policy by policy" \
	"$ZWB" report --check in-old.h5 in-other.h5 --baseline batched

# Measured runs, alone and beside replays; a table is never an output.
cat >in-runs.csv <<-END
	kernel,workload,bad,write bios,build time (s)
	K0,a,0,10000,60
	K0,a,0,10100,61
	K0,a,0,10200,60.5
	K0,a,1,1,1
	K1,a,0,6000,59
	K1,a,0,6100,62
	K1,a,0,6050,60
END
expect 0 "$ZWB" report --table in-runs.csv
stdout_has "K1 against K0, not paired"
stdout_has "R: really measured."
stdout_has "1 runs left out"
grep -qE '^build time .* none shown \(>= [0-9.]+ %\)$' out || fail "no verdict on the build time"
expect 0 "$ZWB" report in-old.h5 --table in-runs.csv --baseline K0 --metric "write bios"
stdout_has "batched against K0, not paired"
expect 0 "$ZWB" report --table in-runs.csv --workload a
expect_error 2 "no run of workload b; there is a" "$ZWB" report --table in-runs.csv --workload b
expect_error 2 "in-runs.csv" "$ZWB" report --table in-runs.csv -o in-runs.csv --force
expect_error 4 "in-none.csv" "$ZWB" report --table in-none.csv
printf 'kernel,zswpwb\nK0\n' >in-cut.csv
expect_error 3 "line 2: 1 cells" "$ZWB" report --table in-cut.csv

# Means without n: no p, whatever else is asked for.
published=$ZWB_SOURCE_DIR/tests/data/published-tables.csv
expect 0 "$ZWB" report --table "$published"
stdout_has "n is not known"
grep -qE '^write requests +-20\.3% +-20\.4% ~ +17\.3% +10\.7% n=3 shows it$' out ||
	fail "T1 is not recomputed"
! grep -qE '^.{77}' out || fail "more than 76 columns"
expect 0 "$ZWB" report --table "$published" --assume-cv 5 --metric zswpwb --format md
stdout_has "5 % of the mean is assumed"
expect_error 2 "cannot be compared" "$ZWB" report in-old.h5 --table "$published"
expect_error 2 "--assume-cv" "$ZWB" report --table "$published" --assume-cv much

# Groups and centers.
expect 0 "$ZWB" report in-old.h5 --group-by trace --metric "write bios"
[ "$(grep -c '^trace ' out)" -eq 3 ] || fail "not every recording"
expect 0 "$ZWB" report in-old.h5 --group-by device --metric "write bios"
grep -q '^device' out || fail "no device"
expect 0 "$ZWB" report in-old.h5 --center median --metric "write bios"
expect 0 "$ZWB" report in-old.h5 --format md --metric p99
grep -q '^| swapin latency p99 (us) | M | batched | ' out || fail "no row in Markdown"
left_nothing
