# SPDX-License-Identifier: GPL-3.0-or-later
# Progress is shown on a terminal, and nowhere else.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || skip "no script(1) to make a terminal with"

on_terminal() {
	expect 0 script --quiet --return --command "$*" /dev/null
}

synth=("$ZWB" synth zipf --events 2000000 --force --output x.h5)
on_terminal "${synth[@]}"
stdout_has "synth: "
stdout_has " events, "
stdout_has " s left"
on_terminal "${synth[@]}" --quiet
is_silent out
expect 0 "${synth[@]}"
is_silent out
is_silent err
