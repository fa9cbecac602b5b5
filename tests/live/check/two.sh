# SPDX-License-Identifier: GPL-3.0-or-later
# The first of two captures is whole, and the least of events is enough for a replay.
. "$(dirname "$0")/lib.sh"

imports first.dat first.h5
expect 0 "$ZWB" validate first.h5
cat out
