#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A call of a banned function does not compile, and the header itself is not what breaks.
. "$(dirname "$0")/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Compiles a function that does $1.
compiles() {
	cat >"$dir/probe.c" <<-END
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <time.h>
		void probe(char *to, const char *from, time_t *t);
		void probe(char *to, const char *from, time_t *t)
		{
			(void)to, (void)from, (void)t;
			$1;
		}
	END
	"${CC:?}" -D_GNU_SOURCE -Wall -Werror -O2 -include cmake/banned.h -c "$dir/probe.c" \
		-o "$dir/probe.o" 2>"$dir/log"
}

compiles 'snprintf(to, 3, "%s", from)' || complain "permitted code does not compile: $(cat "$dir/log")"
for call in 'strcpy(to, from)' 'strcat(to, from)' 'sprintf(to, "x")' 'strtok(to, from)' \
	'puts(ctime(t))' '(void)gmtime(t)' '(void)localtime(t)' '(void)atoi(from)' '(void)rand()'; do
	if compiles "$call"; then
		complain "compiles: $call"
	elif ! grep -q 'banned:' "$dir/log"; then
		complain "$call fails for another reason: $(cat "$dir/log")"
	fi
done
finish
