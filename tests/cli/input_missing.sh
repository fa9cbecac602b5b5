# SPDX-License-Identifier: GPL-3.0-or-later
# Exit 4: an input that does not exist, or that may not be read.
. "$(dirname "$0")/lib.sh"

each_reader 4 "No such file" in-missing
touch in-file
each_reader 4 "Not a directory" in-file/below

make_trace in-unreadable.h5
chmod 0 in-unreadable.h5
if [ "$(id -u)" -eq 0 ]; then
	command -v setpriv >/dev/null || skip "root, and no setpriv to be someone else with"
	chmod 777 .
	cat >in-as-nobody <<-END
		#!/bin/sh
		exec setpriv --reuid=65534 --regid=65534 --clear-groups "$ZWB" "\$@"
	END
	chmod 755 in-as-nobody
	./in-as-nobody --version >/dev/null 2>&1 || skip "nobody else can run the program"
	ZWB=./in-as-nobody
fi
each_reader 4 "Permission denied" in-unreadable.h5
