#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of at most 600 lines, functions of at most 80 lines, lines of at most 100 columns.
. "$(dirname "$0")/lib.sh"
while read -r line; do
	complain "$line"
done < <(files '*.c' '*.h' | xargs awk '
	FNR == 1 { start = 0 }
	FNR == 601 { print FILENAME ": more than 600 lines" }
	# The house style puts the braces of a function, and of nothing else, at column 0.
	/^\{/ { start = FNR }
	/^\}/ && start {
		if (FNR - start > 81)
			print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
		start = 0
	}
	{
		columns = 0
		for (i = 1; i <= length($0); i++)
			columns += substr($0, i, 1) == "\t" ? 8 - columns % 8 : 1
		if (columns > 100)
			print FILENAME ":" FNR ": " columns " columns"
	}')
finish
