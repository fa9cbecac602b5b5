# SPDX-License-Identifier: GPL-3.0-or-later
# zwb import --anonymise: no name is left in the bytes of the file, and the numbers are the same.
. "$(dirname "$0")/lib.sh"

cp "$samples/7.3.4-standard.h5" in.h5
"$ZWB" synth zipf --events 200000 -q -o in-synth.h5
echo "a long phrase that nobody guesses" >in-secret

# hidden RECORDING NAME...: these are in the tables of RECORDING, and not in those of its store.
hidden() {
	local recording=$1 name
	shift
	expect 0 "$ZWB" import -q "$recording" --anonymise -o in-hidden.h5 --force
	h5dump -d /tasks/comm -d /cgroups/path "$recording" | sed 's/\\000//g' >in-plain.txt
	# events are numbers
	h5ls in-hidden.h5 | sed -n 's/^\([a-z]*\) .*Group.*/-g \1/p' | grep -v events |
		xargs -n 2 sh -c 'h5dump "$@" in-hidden.h5' sh >in-hidden.txt
	grep -q comm in-hidden.txt || fail "the tables were not dumped"
	for name in "$@"; do
		grep -qwF -- "$name" in-plain.txt || fail "$name is not in $recording either"
		! grep -qwF -- "$name" in-hidden.txt || fail "$name is still in the store"
	done
	"$ZWB" replay -q "$recording" --policy plugged -o in-run.h5 --force
	"$ZWB" replay -q in-hidden.h5 --policy plugged -o in-hidden-run.h5 --force
	"$ZWB" report --format csv in-run.h5 | cut -d, -f2- >in-report
	"$ZWB" report --format csv in-hidden-run.h5 | cut -d, -f2- >in-hidden-report
	[ "$(grep -c . in-report)" = "$(grep -c . in-hidden-report)" ] || fail "another report"
}
hidden in.h5 timeout /load
hidden in-synth.h5 synth-0 /synth/0

# with a secret twice the same, without one not
expect 0 "$ZWB" import -q in.h5 --anonymise --secret in-secret -o in-a.h5
expect 0 "$ZWB" import -q in.h5 --anonymise --secret in-secret -o in-b.h5
cmp -s in-a.h5 in-b.h5 || fail "one secret, two results"
expect 0 "$ZWB" import -q in.h5 --anonymise -o in-c.h5
! cmp -s in-a.h5 in-c.h5 || fail "the random key is the secret"

expect_error 2 "--secret goes with --anonymise" "$ZWB" import -q in.h5 --secret in-secret -o x.h5
: >in-empty
expect_error 2 "keeps no secret" "$ZWB" import -q in.h5 --anonymise --secret in-empty -o x.h5
expect_error 4 "in-none" "$ZWB" import -q in.h5 --anonymise --secret in-none -o x.h5
left_nothing
