# SPDX-License-Identifier: GPL-3.0-or-later
# A recording of a command from its start to its end.
. "$(dirname "$0")/lib.sh"
need trace-cmd
. "$(dirname "$0")/counts.sh"
