# SPDX-License-Identifier: GPL-3.0-or-later
# The normal case: a command is recorded from its start to its end.
. "$(dirname "$0")/lib.sh"

trace_state before
counters before
expect 0 zwb capture -o capture.dat -- /bin/sh -c '. /guest/lib.sh; heavy_load' 2>capture.err
counters after
nothing_left
expect 2 zwb capture -o capture.dat -- true
