#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# C files are as clang-format leaves them.
. "$(dirname "$0")/lib.sh"
command -v clang-format >/dev/null || exit 77
files '*.c' '*.h' | xargs clang-format --dry-run -Werror
