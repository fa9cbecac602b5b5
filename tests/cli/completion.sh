# SPDX-License-Identifier: GPL-3.0-or-later
# The bash completion completes.
. "$(dirname "$0")/lib.sh"
. "$ZWB_SOURCE_DIR/docs/zwb.bash"

# completes LINE EXPECTED...: completing at the end of LINE offers each EXPECTED.
completes() {
	local typed=$1
	shift
	# Readline cuts at blanks and makes a word of each "=".
	read -ra COMP_WORDS <<<"${typed//=/ = }"
	[[ $typed != *[\ =] ]] || COMP_WORDS+=("")
	[[ $typed != *= ]] || unset 'COMP_WORDS[-1]'
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	# An interactive shell, which it is written for, goes on after a command that fails.
	_zwb "$ZWB" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" || true
	for word in "$@"; do
		[[ " ${COMPREPLY[*]} " == *" $word "* ]] ||
			fail "\"$typed\" does not offer $word but: ${COMPREPLY[*]}"
	done
	offered=" ${COMPREPLY[*]} "
}

mkdir in-dir
touch in-trace.dat
completes "zwb " import report --help
completes "zwb imp" import
[[ $offered != *report* ]] || fail "\"zwb imp\" offers report"
completes "zwb import --" --output= --help
completes "zwb import --out" --output=
completes "zwb import in-" in-trace.dat in-dir
completes "zwb import --output in-" in-trace.dat
completes "zwb import --output=in-" in-trace.dat
completes "zwb import -o in-" in-trace.dat
completes "zwb report --format " lkml csv json
completes "zwb report --format=" lkml csv json
completes "zwb report --format=c" csv
[[ $offered != *lkml* ]] || fail "\"--format=c\" offers lkml"
completes "zwb replay --policy " unbatched batched plugged sorted
completes "zwb replay --policy=p" plugged
completes "zwb replay --policy ./in-" ./in-trace.dat
completes "zwb replay --device " linear
