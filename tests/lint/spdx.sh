#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Source files name their licence.
. "$(dirname "$0")/lib.sh"
while read -r f; do
	complain "$f: no SPDX line"
done < <(files '*.c' '*.h' '*.sh' '*.bash' '*.cmake' '*CMakeLists.txt' '*.pod' '*.map' 'run' '.ci/run' |
	xargs grep -LE -m 1 'SPDX-License-Identifier: GPL-3\.0-or-later' || true)
finish
