#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who may include whom: capture/, replay/ and analysis/ meet in files or in cmd/, never in headers.
. "$(dirname "$0")/lib.sh"
declare -A allowed=(
	[traces/core]="traces/core"
	[traces/store]="traces/core traces/store"
	[capture]="traces/core capture"
	[replay]="traces/core traces/store replay"
	[analysis]="traces/core traces/store analysis"
	[cmd]="traces/core traces/store capture replay analysis cmd"
	[tests]="traces/core traces/store capture replay analysis cmd tests"
)

# Sets folder to the one of the table above that a file belongs to; the front door counts as cmd.
set_folder() {
	case $1 in
	traces/core/*) folder=traces/core ;;
	traces/store/*) folder=traces/store ;;
	zwb.c) folder=cmd ;;
	*) folder=${1%%/*} ;;
	esac
}

declare -A headers=()
while read -r f; do
	name=${f##*/}
	if [ -n "${headers[$name]:-}" ]; then
		complain "$f: there is already a ${headers[$name]}; header names are unique in the tree"
	fi
	headers[$name]=$f
done < <(files '*.h')

while IFS=: read -r f line text; do
	name=${text#*\"}
	name=${name%%\"*}
	set_folder "$f"
	includer=$folder
	if [[ $name == */* ]]; then
		complain "$f:$line: \"$name\": a header of ours is included by its bare name"
		continue
	fi
	if [ -z "${headers[$name]:-}" ]; then
		complain "$f:$line: \"$name\" is not in the tree"
		continue
	fi
	set_folder "${headers[$name]}"
	[[ " ${allowed[$includer]:-} " == *" $folder "* ]] ||
		complain "$f:$line: $includer must not include ${headers[$name]}"
done < <(files '*.c' '*.h' | xargs grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"')
finish
