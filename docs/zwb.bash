# SPDX-License-Identifier: GPL-3.0-or-later
# Bash completion of zwb. Commands, options and the words that an option takes are those of --help,
# policies and devices those that "zwb policies" and "zwb devices" list, so nothing is kept twice.

# The commands of "zwb --help".
_zwb_commands() {
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

# The options of a command, as "--name" or "--name=ARGUMENT".
_zwb_options() {
	"$1" "$2" --help 2>/dev/null | sed -n 's/^  \(-[a-zA-Z], \|    \)\(--[^ ]*\).*/\2/p'
}

# The long name of a short option.
_zwb_long_name() {
	"$1" "$2" --help 2>/dev/null | sed -n "s/^  $3, \\(--[^ =]*\\).*/\\1/p"
}

# The names that a listing command puts at the beginning of lines.
_zwb_listed() {
	"$1" "$2" 2>/dev/null | sed -n 's/^\([a-z][a-z0-9_-]*\)\( .*\)*$/\1/p'
}

# Words for the argument of option $3, as far as typed in $4.
_zwb_argument() {
	local argument
	argument=$(_zwb_options "$1" "$2" | sed -n "s/^$3=//p")
	case $argument in
	*'|'*) mapfile -t COMPREPLY < <(compgen -W "${argument//|/ }" -- "$4") ;;
	POLICY*) mapfile -t COMPREPLY < <(compgen -W "$(_zwb_listed "$1" policies)" -f -- "$4") ;;
	DEVICE*) mapfile -t COMPREPLY < <(compgen -W "$(_zwb_listed "$1" devices)" -- "$4") ;;
	DIR*) mapfile -t COMPREPLY < <(compgen -d -- "$4") ;;
	FILE* | PATH* | TRACE* | RUN* | MAP* | '') mapfile -t COMPREPLY < <(compgen -f -- "$4") ;;
	*) COMPREPLY=() ;;
	esac
}

_zwb() {
	local zwb=$1 current=$2 previous=$3 command=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(
			compgen -W "$(_zwb_commands "$zwb") --help --version" -- "$current"
		)
		return
	fi
	# Readline makes words of their own of "=" and what follows it.
	if [ "$current" = = ]; then
		current=
	elif [ "$previous" = = ]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ $previous == -[a-zA-Z] ]]; then
		previous=$(_zwb_long_name "$zwb" "$command" "$previous")
	fi
	if [[ $previous == --* ]] && _zwb_options "$zwb" "$command" | grep -q -- "^$previous="; then
		_zwb_argument "$zwb" "$command" "$previous" "$current"
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(
			compgen -W "$(_zwb_options "$zwb" "$command" | sed 's/=.*/=/')" -- "$current"
		)
		[[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace 2>/dev/null
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
	fi
}

complete -o filenames -F _zwb zwb
