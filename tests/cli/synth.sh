# SPDX-License-Identifier: GPL-3.0-or-later
# zwb synth: what it makes, and its usage errors.
. "$(dirname "$0")/lib.sh"

synth=("$ZWB" synth zipf --events 50000)

expect 0 "${synth[@]}" -o a.h5
is_silent out
is_silent err
expect 0 "${synth[@]}" -o b.h5
cmp a.h5 b.h5 || fail "the same options make different stores"
expect 0 "${synth[@]}" --seed 2 -o c.h5
! cmp -s a.h5 c.h5 || fail "another seed makes the same store"
expect 0 "${synth[@]}" -o a.dat
expect 0 "${synth[@]}" --format dat -o b
cmp a.dat b || fail "the same options make different recordings"
head -c 10 a.dat | cmp -s - <(printf '\x17\x08\x44tracing') || fail "a.dat is no trace.dat"

expect_error 2 "nothing to work on" "$ZWB" synth -o x.h5
expect_error 2 "no output" "$ZWB" synth zipf
expect_error 2 "nonsense" "$ZWB" synth nonsense -o x.h5
expect_error 2 "--skew: 151 is out of range" "${synth[@]}" --skew 151 -o x.h5
expect_error 2 "--events" "${synth[@]}" --events 0 -o x.h5
expect_error 2 "slots" "${synth[@]}" --pages 65536 --slots 65536 -o x.h5
[ ! -e x.h5 ] || fail "a half output under the final name"
