# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report --plot: one picture by gnuplot, and what happens without it.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf -o in.h5 --events 100000 --quiet
expect 0 "$ZWB" replay in.h5 -p unbatched -p sorted -p "batched,plug=walk" -q -o in-run.h5
report=("$ZWB" report in-run.h5)

expect_error 2 "ends in .svg or .png" "${report[@]}" --plot picture.pdf
expect_error 2 "ends in .svg or .png" "${report[@]}" --plot .svg
expect_error 2 'no picture "nonsense"; there is changes, ' \
	"${report[@]}" --plot picture.svg --picture nonsense
expect_error 2 "exclude each other" "${report[@]}" --plot picture.svg --output in-report.txt
expect_error 4 "gnuplot-nox" env PATH=/nowhere "${report[@]}" --plot picture.svg
left_nothing

# A gnuplot that fails, and one that says nothing.
mkdir in-bin
printf '#!/bin/sh\necho half; exit 3\n' >in-bin/gnuplot
chmod +x in-bin/gnuplot
expect_error 4 "gnuplot failed" env PATH="$PWD/in-bin:$PATH" "${report[@]}" --plot picture.svg
printf '#!/bin/sh\nexit 0\n' >in-bin/gnuplot
expect_error 4 "wrote nothing" env PATH="$PWD/in-bin:$PATH" "${report[@]}" --plot picture.svg
rm -r in-bin
left_nothing

command -v gnuplot >/dev/null || skip "no gnuplot"
expect 0 "${report[@]}" --plot in-changes.svg
is_silent out
is_silent err
head -c 5 in-changes.svg | grep -q '<?xml' || fail "no SVG"
grep -q 'write requests' in-changes.svg || fail "no metric in the picture"
grep -q 'batched,plug=walk' in-changes.svg || fail "no policy in the picture"
expect 0 "${report[@]}" --plot in-writeback.png --picture writeback-latency
is_silent err
[ "$(head -c 4 in-writeback.png | tail -c 3)" = PNG ] || fail "no PNG"
expect 0 "${report[@]}" --plot in-again.svg
cmp in-again.svg in-changes.svg || fail "another picture of the same"
expect_error 2 "in-changes.svg exists" "${report[@]}" --plot in-changes.svg
expect 0 "${report[@]}" --plot in-changes.svg --force
cp in-run.h5 in-run.svg
expect_error 2 "in-run.svg" "$ZWB" report in-run.svg --plot in-run.svg --force
left_nothing
