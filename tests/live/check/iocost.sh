# SPDX-License-Identifier: GPL-3.0-or-later
# A recording under iocost, which is what its facts say.
. "$(dirname "$0")/lib.sh"
need trace-cmd
. "$(dirname "$0")/counts.sh"
grep -q 'enable=1' <<<"$(jq .facts.iocost info.json)" || fail "iocost is off"
