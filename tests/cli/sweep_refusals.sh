# SPDX-License-Identifier: GPL-3.0-or-later
# zwb sweep: plans that make no sense, and how it says so.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf -o in.h5 --events 20000 --quiet

# refused CODE TEXT LINE...: a plan of these lines is refused with TEXT.
refused() {
	local code=$1 text=$2
	shift 2
	printf '%s\n' "$@" >in-plan
	expect_error "$code" "$text" "$ZWB" sweep in-plan -o new.h5
	left_nothing
	[ ! -e new.h5.cells ] || fail "a folder is left for a plan that makes no sense"
}

refused 2 "no trace in it" "policy batched"
refused 2 'line 2: no keyword "polices"; a line begins with one of trace, ' "trace in.h5" "polices x"
refused 2 "line 1: trace without a value" "trace   # in.h5"
refused 2 'line 2: no policy "nosuch"' "trace in.h5" "policy nosuch"
refused 2 "line 3: policy sorted: parameter max_pages" "trace in.h5" "" "policy sorted,max_pages={16,x}"
refused 2 'line 2: no device "nosuch"' "trace in.h5" "device nosuch"
refused 2 "line 2: seed: " "trace in.h5" "seed one"
refused 2 "line 2: " "trace in.h5" "trigger guessed"
refused 2 "line 2: " "trace in.h5" "loop closed"
refused 2 '"{" without "}"' "trace in.h5" "policy {batched"
refused 2 '"}" without "{"' "trace in.h5" "policy batched}"
refused 2 "braces do not go into braces" "trace in.h5" "policy {batched,{plugged}}"
refused 2 "a comma in braces" "trace in.h5" "policy {batched,}"
refused 2 "counts down" "trace in.h5" "seed {3..1}"
refused 2 "more than 10000 values" "trace in.h5" "seed {1..10001}"
refused 2 "more than 100000 cells" "trace in.h5" "seed {1..10000}" \
	"policy sorted,max_pages={1..11}"
refused 2 "line 3: policy batched is there already, in line 2" "trace in.h5" "policy batched" \
	"policy {plugged,batched}"
refused 2 "are the same device" "trace in.h5" "device linear" "device linear,depth=8"
refused 2 "are the same seed" "trace in.h5" "seed {1,01}"
refused 4 "line 1: missing.h5" "trace missing.h5"
refused 2 "a value of more than 4096 bytes" "trace $(printf '%05000d' 0)"
printf 'trace in.h5\0\n' >in-plan
expect_error 2 "a zero byte" "$ZWB" sweep in-plan -o new.h5
head -c 1100000 /dev/zero | tr '\0' '\n' >in-plan
expect_error 2 "longer than" "$ZWB" sweep in-plan -o new.h5

echo "trace in.h5" >in-plan
expect_error 2 "nothing to work on" "$ZWB" sweep
expect_error 2 "--output FILE is wanted" "$ZWB" sweep in-plan
expect_error 4 "missing-plan" "$ZWB" sweep missing-plan -o new.h5
expect_error 2 '--cell: "2" is not K/N' "$ZWB" sweep in-plan -o new.h5 --cell 2
expect_error 2 "--cell: " "$ZWB" sweep in-plan -o new.h5 --cell 3/2
expect_error 2 "--cell: " "$ZWB" sweep in-plan -o new.h5 --cell 0/2
expect_error 2 "OMPI_COMM_WORLD_RANK" \
	env OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2 "$ZWB" sweep in-plan -o new.h5
expect_error 2 "in.h5" "$ZWB" sweep in-plan -o in.h5 --force
expect_error 4 "no-folder" "$ZWB" sweep in-plan -o no-folder/new.h5
echo old >in-old.h5
expect_error 2 "in-old.h5 exists; --force replaces it" "$ZWB" sweep in-plan -o in-old.h5
grep -qx old in-old.h5 || fail "an existing output was touched"
expect_error 2 "in.h5" "$ZWB" sweep in-plan in.h5 -o new.h5
rmdir new.h5.cells
left_nothing
