# SPDX-License-Identifier: GPL-3.0-or-later
# All events that there are.
. "$(dirname "$0")/lib.sh"

trace_state before
expect 0 zwb capture --events full -o full.dat -- /bin/sh -c '. /guest/lib.sh; load 300'
nothing_left
