# SPDX-License-Identifier: GPL-3.0-or-later
# What could be recorded is told without a change to anything.
. "$(dirname "$0")/lib.sh"

zswap_on
trace_state before
expect 0 zwb doctor >doctor.txt
nothing_left
expect 0 zwb doctor --format=json >doctor.json
nothing_left
