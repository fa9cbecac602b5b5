#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --help, the manual pages and the completion agree: on the commands, and on each one's options.
# --help and --version themselves are described in zwb(1) for all.
. "$(dirname "$0")/lib.sh"
. docs/zwb.bash

# Lines of one section of a page, markup taken off.
section() {
	awk -v name="$2" '/^=head1 / { inside = $0 == "=head1 " name; next } inside' "$1" |
		sed 's/[BIF]<\([^>]*\)>/\1/g'
}

# Complains about every line that only one of two lists has.
same_lists() {
	while read -r line; do
		complain "$1: only in $2: $line"
	done < <(comm -23 <(sort -u <<<"$3") <(sort -u <<<"$5"))
	while read -r line; do
		complain "$1: only in $4: $line"
	done < <(comm -13 <(sort -u <<<"$3") <(sort -u <<<"$5"))
}

commands=$("${ZWB:?}" --help | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
[ -n "$commands" ] || complain "zwb --help lists no commands"
listed=$(section docs/zwb.1.pod COMMANDS | sed -n 's/^=item L<zwb-\(.*\)(1)>$/\1/p')
same_lists zwb "zwb --help" "$commands" "zwb(1)" "$listed"
same_lists zwb "zwb --help" "$commands" "the completion" "$(_zwb_commands "$ZWB")"

for command in $commands; do
	page=docs/zwb-$command.1.pod
	if [ ! -f "$page" ]; then
		complain "zwb $command: no $page"
		continue
	fi
	help=$("$ZWB" "$command" --help | sed -n 's/^  \(-[^ ]*,\|   \) \(--[^ ]*\).*/\1 \2/p' |
		sed 's/^ *//' | grep -vE -- '--(help|version)$' || true)
	long=$(sed 's/^-., //; s/=.*//' <<<"$help")
	items=$(section "$page" OPTIONS | sed -n 's/^=item //p')
	synopsis=$(section "$page" SYNOPSIS | grep -o -- '--[a-z][a-z-]*' || true)
	offered=$(_zwb_options "$ZWB" "$command" | sed 's/=.*//' |
		grep -vE -- '^--(help|version)$' || true)
	same_lists "zwb $command" --help "$help" "OPTIONS of $page" "$items"
	same_lists "zwb $command" --help "$long" "SYNOPSIS of $page" "$synopsis"
	same_lists "zwb $command" --help "$long" "the completion" "$offered"
done
finish
