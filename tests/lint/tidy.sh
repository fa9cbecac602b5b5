#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy over every C file that is built, with the flags it is built with; once, whatever the
# number of programs that it is part of (several runs in one process also confuse its valist check).
. "$(dirname "$0")/lib.sh"
command -v clang-tidy jq >/dev/null || exit 77
database=${ZWB_BINARY_DIR:?}/compile_commands.json
[ -s "$database" ] || { echo "$database: missing" >&2; exit 1; }
mkdir -p "$ZWB_BINARY_DIR/tidy"
jq 'unique_by(.file)' "$database" >"$ZWB_BINARY_DIR/tidy/compile_commands.json"
files '*.c' | while read -r f; do
	! grep -qF "\"file\": \"$ZWB_SOURCE_DIR/$f\"" "$database" || echo "$f"
done | xargs -P "$(nproc)" -n 1 clang-tidy --quiet \
	--extra-arg=-Wno-unknown-warning-option -p "$ZWB_BINARY_DIR/tidy"
