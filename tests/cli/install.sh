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

# The same file, inside the program and as a shared object, is the same policy.
cp "$ZWB_SOURCE_DIR/replay/policies/sorted.c" .
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/usr" -name zwb.pc)")
export PKG_CONFIG_PATH
read -ra cflags < <(pkg-config --cflags zwb)
expect 0 "$CC" -shared -fPIC -Wall -Wextra -Werror -DZWB_POLICY_SHARED "${cflags[@]}" \
	-o sorted.so sorted.c
expect 0 usr/bin/zwb synth zipf --events 300000 --quiet -o in.h5
expect 0 usr/bin/zwb replay in.h5 --quiet -p unbatched -p sorted -p ./sorted.so -o run.h5
expect 0 usr/bin/zwb report run.h5 --format csv
grep ',sorted,' out >inside
grep -F ',./sorted.so,' out | sed 's|,\./sorted\.so,|,sorted,|' >outside
[ -s inside ] || fail "no figures of the policy"
cmp inside outside || fail "the shared object replays otherwise"
