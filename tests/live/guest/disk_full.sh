# SPDX-License-Identifier: GPL-3.0-or-later
# The disk that is recorded to fills up.
. "$(dirname "$0")/lib.sh"

trace_state before
mkdir /tmp/small
mount -t tmpfs -o size=1M tmpfs /tmp/small
refuses capture.err "No space left on device" zwb capture --events minimal \
	-o /tmp/small/full.dat -- /bin/sh -c '. /guest/lib.sh; load 1000'
nothing_left
ls -l /tmp/small
expect 0 zwb import /tmp/small/full.dat* -o full.h5
umount /tmp/small
