# SPDX-License-Identifier: GPL-3.0-or-later
# What doctor says is for people and for programs.
. "$(dirname "$0")/lib.sh"

grep -qF "$(cat "$kernels/$kernel/release")" doctor.txt || fail "not a word of the kernel"
jq -e '.schema_version == 1' doctor.json >out || fail "no JSON of version 1"
cat doctor.txt
