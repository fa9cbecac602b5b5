# SPDX-License-Identifier: GPL-3.0-or-later
# Where nothing can be recorded, both commands say why.
. "$(dirname "$0")/lib.sh"

echo 'nobody:x:65534:65534::/:/bin/sh' >/etc/passwd
chmod 777 .
for command in doctor "capture -o x.dat"; do
	refuses nobody.err root su nobody -c "zwb $command"
done
chmod 755 .

umount $tracefs
for command in doctor "capture -o x.dat"; do
	refuses tracefs.err "mount -t tracefs" zwb $command
done
mount -t tracefs tracefs $tracefs
