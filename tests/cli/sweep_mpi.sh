# SPDX-License-Identifier: GPL-3.0-or-later
# zwb sweep under mpirun: a part a rank, the same bytes as one process; a dead rank costs its cells.
. "$(dirname "$0")/lib.sh"
command -v mpirun >/dev/null || skip "no mpirun"

mpi=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	mpirun --oversubscribe --bind-to none -n 2)
expect 0 "$ZWB" synth zipf -o in.h5 --events 100000 --quiet
cat >in-plan <<-'END'
	trace in.h5
	policy {unbatched,batched,plugged}
	device linear,depth={1,8}
	seed {1..5}
END
"${mpi[@]}" true 2>err || skip "mpirun does not run here: $(head -c 200 err)"

expect 0 "$ZWB" sweep in-plan -o in-whole.h5
expect 0 "${mpi[@]}" "$ZWB" sweep in-plan -o in-mpi.h5 --threads 1
[ -e in-mpi.1-of-2.h5 ] && [ -e in-mpi.2-of-2.h5 ] || fail "not one run file a rank"
expect 0 "$ZWB" sweep in-plan in-mpi.*-of-2.h5 -o in-merged.h5
cmp in-merged.h5 in-whole.h5 || fail "two ranks make another file than one process"
expect 0 "$ZWB" report in-whole.h5
mv out in-whole.txt
expect 0 "$ZWB" report in-mpi.*-of-2.h5
cmp out in-whole.txt || fail "the files of two ranks are reported otherwise than the whole"

# The second rank dies before it begins; the first one is to finish, and a later run does the rest.
cat >in-rank.sh <<-'END'
	[ "$OMPI_COMM_WORLD_RANK" = 0 ] || kill -9 $$
	sleep 1
	exec "$ZWB" sweep in-plan -o in-dead.h5 --threads 1
END
"${mpi[@]}" --enable-recovery bash in-rank.sh >out 2>err || true
[ -e in-dead.1-of-2.h5 ] || fail "the death of one rank cost the cells of the other"
[ ! -e in-dead.2-of-2.h5 ] || fail "the dead rank was at work"
expect 0 "$ZWB" sweep in-plan in-dead.1-of-2.h5 -o in-dead.h5
cmp in-dead.h5 in-whole.h5 || fail "what a dead rank left undone is not made good"
