#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The libraries keep no mutable state of their own, never print and never end the process.
# Arguments: the archives.
. "$(dirname "$0")/lib.sh"
while read -r hit; do
	complain "$hit"
done < <(files 'traces/*.c' 'capture/*.c' 'replay/*.c' 'analysis/*.c' |
	xargs grep -nE '\<(printf|vprintf|puts|putchar|perror|exit|_exit|abort)\(|\<(stdout|stderr)\>' ||
	true)

# Const tables of pointers are in .data.rel.ro; .data and .bss are for what changes.
for archive in "$@"; do
	while read -r hit; do
		complain "$hit"
	done < <(size -A "$archive" | awk -v archive="${archive##*/}" '
		/:$/ || / \(ex / { object = $1 }
		($1 ~ /^\.(data|bss)(\.[a-zA-Z_]|$)/ && $1 !~ /^\.data\.rel/ && $2 > 0) {
			print archive ": " object " has " $2 " bytes of mutable state in " $1
		}')
done
finish
