# SPDX-License-Identifier: GPL-3.0-or-later
# Exit 3: recordings and stores that begin well and are cut or overwritten.
. "$(dirname "$0")/lib.sh"

printf '\x17\x08\x44tracing' >in-magic-only
each_reader 3 "ends too early" in-magic-only
make_trace in-store.h5
head -c 20000 in-store.h5 >in-cut.h5
each_reader 3 "damaged" in-cut.h5
