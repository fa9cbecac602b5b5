#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cppcheck over the libraries and commands. readdir() is safe on a directory stream of one's own
# (readdir(3)); what cppcheck wants instead is deprecated.
. "$(dirname "$0")/lib.sh"
command -v cppcheck >/dev/null || exit 77
mkdir -p "${ZWB_BINARY_DIR:?}/cppcheck"
files '*.c' | grep -v '^tests/' >"$ZWB_BINARY_DIR/cppcheck.files"
cppcheck --quiet --error-exitcode=1 --inline-suppr -j "$(nproc)" \
	--enable=warning,portability,performance --std=c11 --library=posix,gnu \
	--suppress=readdirCalled \
	--cppcheck-build-dir="$ZWB_BINARY_DIR/cppcheck" -D_GNU_SOURCE -D__linux__ -DNULL=0 \
	-I traces/core -I traces/store -I capture -I replay -I analysis -I cmd \
	--file-list="$ZWB_BINARY_DIR/cppcheck.files"
