# SPDX-License-Identifier: GPL-3.0-or-later
# The build for production hosts: small, few libraries, and only what records.
. "$(dirname "$0")/lib.sh"
: "${CC:?}"

cmake -S "$ZWB_SOURCE_DIR" -B build -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release \
	-DZWB_CAPTURE_ONLY=ON >in-log 2>&1 || { cat in-log >&2; fail "it cannot be configured"; }
cmake --build build >in-log 2>&1 || { cat in-log >&2; fail "it cannot be built"; }
DESTDIR=$PWD/root cmake --install build --strip --prefix /usr >in-log
zwb=root/usr/bin/zwb
[ "$(stat -c %s $zwb)" -lt $((1 << 20)) ] || fail "$(stat -c %s $zwb) bytes are more than 1 MiB"
readelf -d $zwb | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >in-needed
! grep -vE '^(libtracefs|libtraceevent|libbpf|libc|libm|ld-linux.*)\.so' in-needed >&2 ||
	fail "needs other libraries"

expect 0 $zwb --help
sed -n 's/^  \([a-z]*\)  .*/\1/p' out | sort >in-commands
grep -qx capture in-commands || fail "cannot capture"
grep -qx doctor in-commands || fail "has no doctor"
! grep -vxE 'capture|doctor' in-commands || fail "has other commands, too"
while read -r command; do
	expect 0 $zwb "$command" --help
	[ -s root/usr/share/man/man1/zwb-"$command".1 ] || fail "$command has no manual page"
done <in-commands
expect_error 2 "unknown command" $zwb replay x
