# SPDX-License-Identifier: GPL-3.0-or-later
# zwb info --second-opinion: libtracecmd counts what we count, and may crash without harm.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" synth zipf -o in.dat --events 20000 --quiet
expect 0 "$ZWB" info in.dat --second-opinion
stdout_has "libtracecmd reads 20000 events"
stdout_has "0 kinds differ"

expect_error 2 "--second-opinion" "$ZWB" info in.dat --second-opinion --format json
expect 0 "$ZWB" synth zipf -o in.h5 --events 20000 --quiet
expect_error 2 "--second-opinion" "$ZWB" info in.h5 --second-opinion

# A recording cut in the middle: ours says so before anybody is asked.
head -c 300000 in.dat >in-cut.dat
expect 3 "$ZWB" info in-cut.dat --second-opinion
left_nothing
