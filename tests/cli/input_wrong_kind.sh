# SPDX-License-Identifier: GPL-3.0-or-later
# Exit 2: inputs that are whole, but neither a recording nor a store.
. "$(dirname "$0")/lib.sh"

mkdir in-directory
each_reader 2 "a directory" in-directory
: >in-empty
each_reader 2 "neither" in-empty
for i in {1..1000}; do echo "line $i"; done >in-text
each_reader 2 "neither" in-text
head -c 100000 /dev/zero >in-zeros
each_reader 2 "neither" in-zeros
mkfifo in-fifo
each_reader 2 "in-fifo" in-fifo
