# SPDX-License-Identifier: GPL-3.0-or-later
# All of it is seen in the guest.
. "$(dirname "$0")/lib.sh"
