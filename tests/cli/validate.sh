# SPDX-License-Identifier: GPL-3.0-or-later
# zwb validate: its exit codes, and that its bars can fail.
. "$(dirname "$0")/lib.sh"

expect_error 2 "nothing to work on" "$ZWB" validate
expect_error 4 "missing.dat" "$ZWB" validate missing.dat
expect_error 2 "--format" "$ZWB" validate missing.dat --format fancy

for sample in "$samples"/*.h5; do
	expect 0 "$ZWB" validate "$sample"
	# 6.1 writes back too little to be judged by.
	case $sample in
	*/6.1.*) stdout_has "verdict: no bar applies" ;;
	*) stdout_has "verdict: pass" ;;
	esac
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

# Predictions beside measured runs: the recording holds no bar for them.
cat >in.csv <<'CSV'
kernel,workload,bad,trace,pswpout,nrswpout,w_ios
K0,churn,0,0,1000,1000,905
K0,churn,0,0,1000,1000,911
K1,churn,0,0,1000,540,538
K1,churn,0,0,1000,520,519
CSV
churn=$samples/7.3.4-churn.h5
expect 0 "$ZWB" validate "$churn" --against in.csv --arm K0=unbatched --arm K1=batched
stdout_has "workload churn"
grep -qE '^ +K0 +unbatched +bios +1000\.0 +1000\.0 +2 +\+0\.0' out || fail "no row of K0"
grep -qE '^ +K1 +batched +requests +[0-9.]+ +528\.5 \+- 13\.4 +2 ' out || fail "no row of K1"
expect 2 "$ZWB" validate "$churn" --against in.csv
stderr_has "--arm"
expect 2 "$ZWB" validate "$churn" --against in.csv --arm K7=batched
stderr_has "K7"
expect 2 "$ZWB" validate "$churn" --against in.csv --arm K0=unbatched --workload idle
stderr_has "churn"
expect 4 "$ZWB" validate "$churn" --against missing.csv --arm K0=unbatched
