# SPDX-License-Identifier: GPL-3.0-or-later
# zwb doctor: a verdict with its exit code for each kernel, the running one among them.
. "$(dirname "$0")/lib.sh"
kernels=$ZWB_SOURCE_DIR/tests/unit/kernels

for kernel in 6.1.176 6.12.117 7.2.12 7.3.4; do
	for level in minimal standard full; do
		expect 0 "$ZWB" doctor --kernel "$kernels/$kernel" --events "$level"
		stdout_has "verdict: a capture is possible"
		is_silent err
		! grep -q MISSING out || fail "$kernel, $level: something is missing"
	done
done
expect 4 "$ZWB" doctor --kernel "$kernels/6.18.15"
stdout_has "verdict: a capture is impossible"
stderr_has "has no zswap"

# What every replay needs is not there: say so, and what it costs.
cp -r "$kernels/7.3.4" in-kernel
sed -i '/shrink_memcg_cb/d' in-kernel/available_filter_functions
expect 1 "$ZWB" doctor --kernel in-kernel
stdout_has "tried shrink_memcg_cb(): the kernel does not let it be probed"
stdout_has "cost: writebacks cannot be told"
stdout_has "verdict: a capture is incomplete"
rm in-kernel/README
expect 4 "$ZWB" doctor --kernel in-kernel
stderr_has "dynamic probes"
expect 4 "$ZWB" doctor --kernel no-such-folder
stderr_has "no-such-folder: not a directory"

# The same as JSON, with the lines that tracefs takes.
expect 0 "$ZWB" doctor --kernel "$kernels/6.12.117" --format json
is_silent err
python3 - <<'P' || fail "the JSON says something else"
import json
report = json.load(open("out"))
assert report["schema_version"] == 1
assert report["verdict"] == "possible" and report["obstacle"] is None
assert report["machine"] == []
visits = [f for f in report["findings"] if f["name"] == "visits"][0]
assert visits["is_needed"] and visits["function"] == "shrink_memcg_cb"
assert visits["probes"][0]["definitions"][0].startswith("f:zwb/zcb shrink_memcg_cb slot=-40(")
assert visits["probes"][1]["event"] == "zcb_ret"
P
expect 0 "$ZWB" doctor --kernel "$kernels/6.12.117" --definitions
stdout_has "f512:zwb/zcb_ret shrink_memcg_cb%return ret=\$retval:s32"

# The running kernel, whatever it is: one of the three answers, about the machine too. Without root
# it is always the same one.
code=0
"$ZWB" doctor --format json >out 2>err </dev/null || code=$?
case $code in
0 | 1) is_silent err ;;
4) [ "$(wc -l <err)" -eq 1 ] || fail "the reason is not one line" ;;
*) fail "exit code $code" ;;
esac
grep -q '"name": "zswap"' out || fail "nothing about the machine"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	cp "$ZWB" in-zwb
	chmod 755 . in-zwb
	expect 4 setpriv --reuid=65534 --regid=65534 --clear-groups ./in-zwb doctor
	stderr_has "needs root"
	stdout_has "verdict: a capture is impossible"
fi
left=$(find . -type f ! -name out ! -name err ! -path './in*')
[ -z "$left" ] || fail "left behind: $left"
