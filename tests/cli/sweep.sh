# SPDX-License-Identifier: GPL-3.0-or-later
# zwb sweep: the cells of a plan, killed and resumed, in one process or in parts: the same bytes.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf -o in-a.h5 --events 60000 --quiet
expect 0 "$ZWB" synth zipf -o in-b.h5 --events 80000 --seed 2 --quiet
cat >in-plan <<-'END'
	# two recordings, five policies, two devices, three seeds
	trace  in-{a,b}.h5
	policy {unbatched,batched}
	policy sorted,max_pages={16,64},plug=none # collected, without a plug
	policy plugged
	device linear,depth={1,8}
	seed   {1..3}
END

expect 0 "$ZWB" sweep in-plan --list
[ "$(wc -l <out)" -eq 60 ] || fail "not 2 x 5 x 2 x 3 cells"
grep -qx $'35\tin-b.h5\trecorded\topen\tlinear,depth=1\tbatched\t2' out || fail "no cell 35"
[ "$(sort -u out | wc -l)" -eq 60 ] || fail "a cell is listed twice"

expect 0 "$ZWB" sweep in-plan -o in-whole.h5
is_silent out
is_silent err
left_nothing
[ ! -e in-whole.h5.cells ] || fail "the kept cells are still there"

# A grid under one device is what zwb replay makes as well: the same table.
cat >in-small <<-'END'
	trace in-a.h5
	trace in-b.h5
	policy unbatched
	policy batched
	seed {1..2}
END
expect 0 "$ZWB" sweep in-small -o in-small.h5
expect 0 "$ZWB" report in-small.h5 --format csv
mv out in-swept.csv
expect 0 "$ZWB" replay in-a.h5 in-b.h5 -p unbatched -p batched --seeds 2 -o in-replay.h5 -q
expect 0 "$ZWB" report in-replay.h5 --format csv
cmp -s out in-swept.csv || fail "a sweep and a replay differ"

# Threads and parts make no difference; a part that is done is not done again.
expect 0 "$ZWB" sweep in-plan -o in-one.h5 --threads 1
cmp in-one.h5 in-whole.h5 || fail "one thread gives another file"
"$ZWB" sweep in-plan -o in-part.h5 --cell 2/2 &
expect 0 "$ZWB" sweep in-plan -o in-part.h5 --cell 1/2
wait $!
expect 0 "$ZWB" sweep in-plan in-part.1-of-2.h5 in-part.2-of-2.h5 -o in-merged.h5
cmp in-merged.h5 in-whole.h5 || fail "two parts make another file than one process"
expect 0 "$ZWB" report in-whole.h5 --format csv
mv out in-whole.csv
expect 0 "$ZWB" report in-part.1-of-2.h5 in-part.2-of-2.h5 --format csv
cmp out in-whole.csv || fail "parts are reported otherwise than the whole"
stamp=$(stat -c %Y.%i in-part.1-of-2.h5)
expect 0 "$ZWB" sweep in-plan -o in-part.h5 --cell 1/2
[ "$(stat -c %Y.%i in-part.1-of-2.h5)" = "$stamp" ] || fail "a finished part was written again"

# A part that is missing is replayed.
expect 0 "$ZWB" sweep in-plan in-part.2-of-2.h5 -o in-half.h5
cmp in-half.h5 in-whole.h5 || fail "half a sweep is not completed"

# More parts than cells: some have none, and together they are the whole all the same.
for k in 1 2 3 4 5 6 7 8 9; do
	expect 0 "$ZWB" sweep in-small -o in-many.h5 --cell "$k/9"
done
expect 0 "$ZWB" sweep in-small in-many.?-of-9.h5 -o in-many.h5
cmp in-many.h5 in-small.h5 || fail "nine parts of eight cells"

# A plan is the same wherever it lies: traces are found beside it, names are those of the plan.
mkdir in-folder
mv in-a.h5 in-b.h5 in-plan in-small in-folder
expect 0 "$ZWB" sweep in-folder/in-small in-many.?-of-9.h5 -o in-there.h5
cmp in-there.h5 in-small.h5 || fail "another folder gives another file"
expect 0 "$ZWB" sweep in-folder/in-small -o in-again.h5
cmp in-again.h5 in-small.h5 || fail "a replay from another folder gives another file"
left_nothing
