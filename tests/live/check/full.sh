# SPDX-License-Identifier: GPL-3.0-or-later
# A recording of everything has what that of the least has, and more.
. "$(dirname "$0")/lib.sh"

expect 0 "$ZWB" info --format=json ../two/first.dat
jq -r '.events | keys[]' out >minimal.kinds
imports full.dat full.h5
jq -r '.events | keys[]' info.json >full.kinds
missing=$(grep -vxFf full.kinds minimal.kinds || true)
[ -z "$missing" ] || fail "recorded among the least, but not among all: $missing"
at_least $(($(wc -l <minimal.kinds) + 5)) "kinds of events" "$(wc -l <full.kinds)"
expect 0 "$ZWB" validate full.h5
cat out
