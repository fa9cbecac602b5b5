# SPDX-License-Identifier: GPL-3.0-or-later
# What README.md shows is what the program prints. In its console blocks a line "$ COMMAND" is
# followed by the output of COMMAND; a line "[...]" there stands for any number of lines.
. "$(dirname "$0")/lib.sh"

ln -s "$ZWB_SOURCE_DIR/traces" traces
PATH=$(dirname "$ZWB"):$PATH
command='' pattern='' nr_commands=0

# Runs the command that was read and compares its output with what was shown.
check() {
	[ -n "$command" ] || return 0
	expect 0 bash -c "$command"
	# shellcheck disable=SC2053 # the right side is a pattern
	[[ $(cat out; echo .) == $pattern. ]] ||
		fail "README.md shows another output of \"$command\""
	nr_commands=$((nr_commands + 1))
	command='' pattern=''
}

inside=false
while IFS= read -r line; do
	case $line in
	'```console') inside=true ;;
	'```')
		check
		inside=false
		;;
	'$ '*)
		if $inside; then
			check
			command=${line#\$ }
		fi
		;;
	'[...]') ! $inside || pattern+='*' ;;
	*)
		# Backslashes and the characters of patterns stand for themselves.
		line=${line//\\/\\\\}
		line=${line//\*/\\*}
		line=${line//\?/\\?}
		line=${line//\[/\\[}
		! $inside || pattern+=$line$'\n'
		;;
	esac
done <"$ZWB_SOURCE_DIR/README.md"
[ "$nr_commands" -ge 3 ] || fail "README.md shows $nr_commands commands"
