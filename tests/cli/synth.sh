# SPDX-License-Identifier: GPL-3.0-or-later
# zwb synth: what it writes, and what it refuses.
. "$(dirname "$0")/lib.sh"

small=(-n 20000 --pages 4096 --slots 5000)

# the name chooses the format, the option overrules it
expect 0 "$ZWB" synth zipf -o in.h5 "${small[@]}"
is_silent out
is_silent err
[ "$(head -c 4 in.h5 | tail -c 3)" = HDF ] || fail "in.h5 is not HDF5"
expect 0 "$ZWB" synth zipf -o in.dat "${small[@]}"
[ "$(head -c 10 in.dat | tail -c 7)" = tracing ] || fail "in.dat is not a trace.dat"
expect 0 "$ZWB" synth zipf -o in2.dat --format h5 "${small[@]}"
cmp in.h5 in2.dat || fail "--format h5 writes something else"

# deterministic, except for the seed
for name in in.h5 in.dat; do
	expect 0 "$ZWB" synth zipf -o "in3.${name##*.}" "${small[@]}"
	cmp "$name" "in3.${name##*.}" || fail "two runs differ"
	expect 0 "$ZWB" synth zipf -o "in3.${name##*.}" "${small[@]}" --force --seed 2
	! cmp -s "$name" "in3.${name##*.}" || fail "the seed changes nothing"
done

cp in.h5 in-before.h5
expect_error 2 "in.h5 exists" "$ZWB" synth zipf -o in.h5 "${small[@]}"
cmp in.h5 in-before.h5 || fail "the existing file was touched"

expect_error 2 "no output" "$ZWB" synth zipf
expect_error 2 '"nonsense"' "$ZWB" synth nonsense -o a.h5
expect_error 2 "--cpus" "$ZWB" synth zipf -o a.h5 --cpus 0
expect_error 2 "--cpus" "$ZWB" synth zipf -o a.h5 --cpus 65
expect_error 2 "--format" "$ZWB" synth zipf -o a.h5 --format csv
expect_error 2 "--events" "$ZWB" synth zipf -o a.h5 --events 0
expect_error 2 "--seed" "$ZWB" synth zipf -o a.h5 --seed x
expect_error 2 "5000 pages" "$ZWB" synth zipf -o a.h5 --pages 5000 --slots 5000
expect_error 2 "3 tasks in 4 cgroups" "$ZWB" synth zipf -o a.h5 --tasks 3 --cgroups 4
expect_error 2 "directory" "$ZWB" synth zipf -o .
mkdir a.dat
expect_error 2 "directory" "$ZWB" synth zipf -o a.dat --force
rmdir a.dat
expect_error 4 "nowhere/a.dat" "$ZWB" synth zipf -o nowhere/a.dat
expect_error 4 "No space left" "$ZWB" synth zipf -o /dev/full --format dat "${small[@]}"
expect 4 "$ZWB" synth zipf -o /dev/full --format h5 "${small[@]}"
stderr_has "/dev/full"
left_nothing
