#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A wrong include does not compile: each library sees no folder of ours but those it may use.
# Arguments: LIBRARY "ALLOWED FOLDERS" "ITS;INCLUDE;DIRECTORIES" ...
. "$(dirname "$0")/lib.sh"
while [ $# -gt 0 ]; do
	IFS=';' read -ra dirs <<<"$3"
	[ "${#dirs[@]}" -gt 0 ] || complain "$1: no include directories known"
	for dir in "${dirs[@]}"; do
		[[ $dir == "$ZWB_SOURCE_DIR"* ]] || continue
		dir=${dir#"$ZWB_SOURCE_DIR"}
		dir=${dir#/}
		[[ $dir != build/* ]] || continue
		[[ " $2 " == *" ${dir:-.} "* ]] || complain "$1 sees ${dir:-the root folder}"
	done
	shift 3
done
finish
