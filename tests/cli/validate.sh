# SPDX-License-Identifier: GPL-3.0-or-later
# zwb validate: its exit codes, and that its bars can fail.
. "$(dirname "$0")/lib.sh"

expect_error 2 "nothing to work on" "$ZWB" validate
expect_error 4 "missing.dat" "$ZWB" validate missing.dat
expect_error 2 "--format" "$ZWB" validate missing.dat --format fancy

for sample in "$samples"/*.h5; do
	expect 0 "$ZWB" validate "$sample"
	stdout_has "verdict: pass"
	is_silent err
	expect 0 "$ZWB" validate "$sample" --infer-plugs
	expect 0 "$ZWB" validate "$sample" --by-cgroup --misses
	expect 0 "$ZWB" validate "$sample" --format json
	stdout_has '"schema_version": 1'
done

# A full plug that takes its new request along, and a policy that the kernel did not run.
expect 1 "$ZWB" validate "$samples/7.3.4-plugged-zp.h5" --wrong-rule full-plug
stdout_has "verdict: FAIL"
expect 1 "$ZWB" validate "$samples/7.3.4-plugged-zp.h5" --captured-policy unbatched
stdout_has "verdict: FAIL"
