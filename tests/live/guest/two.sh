# SPDX-License-Identifier: GPL-3.0-or-later
# A second capture refuses to start and does not disturb the first, which SIGINT ends.
. "$(dirname "$0")/lib.sh"

trace_state before
start_capture first.dat
refuses second.err "another zwb capture" zwb capture -o second.dat --duration 1
[ ! -e second.dat ] || fail "a file nevertheless"
refuses clean.err "another zwb capture" zwb capture --clean
load 300
end_capture INT 0
[ ! -e first.dat.partial ] || fail "a partial file is left"
nothing_left
