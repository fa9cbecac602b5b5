# SPDX-License-Identifier: GPL-3.0-or-later
# What fitted on the disk is there.
. "$(dirname "$0")/lib.sh"

is_whole full.h5
