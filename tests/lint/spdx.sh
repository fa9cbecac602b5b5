#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Source files name their licence in their first lines.
. "$(dirname "$0")/lib.sh"
while read -r f; do
	head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' ||
		complain "$f: no SPDX line"
done < <(files '*.c' '*.h' '*.sh' '*.bash' '*.cmake' '*CMakeLists.txt' '*.pod' 'run' '.ci/run')
finish
