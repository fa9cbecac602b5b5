# SPDX-License-Identifier: GPL-3.0-or-later
# An installation is complete: it runs, documents itself, and a policy builds against it alone.
. "$(dirname "$0")/lib.sh"
: "${ZWB_BINARY_DIR:?}" "${CC:?}"

expect 0 cmake --install "$ZWB_BINARY_DIR" --prefix "$scratch/usr"
find usr -type f -printf '%P\n' | sort >files
has() {
	grep -qxE "$1" files || fail "not installed: $1"
}
has 'bin/zwb'
has 'share/man/man1/zwb\.1'
has 'share/bash-completion/completions/zwb'
has 'include/zwb/policy_ops\.h'
has 'lib(/.*)?/pkgconfig/zwb\.pc'
expect 0 usr/bin/zwb --version
expect 0 usr/bin/zwb --help
while read -r command; do
	has "share/man/man1/zwb-$command\\.1"
done < <(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' out)

cp "$ZWB_SOURCE_DIR/replay/policies/sorted.c" .
expect 0 "$CC" -shared -fPIC -Wall -Wextra -Werror -DZWB_POLICY_SHARED -Iusr/include/zwb \
	-o sorted.so sorted.c
