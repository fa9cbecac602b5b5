# SPDX-License-Identifier: GPL-3.0-or-later
# samples.sh KERNEL SCENARIO...: makes samples for traces/samples out of what the live tests last
# recorded on KERNEL, and prints their rows for the MANIFEST. The target samples runs all of it.
. "$(dirname "$0")/lib.sh"
need jq
shift
samples=$ZWB_SOURCE_DIR/traces/samples
release=$(cat "$kernels/$kernel/release")

for scenario in "$@"; do
	recording=$results/$scenario/capture.dat
	[ -e "$recording" ] || fail "$recording is missing; run the live tests first"
	# "6.12.117+deb13-amd64" is 6.12.117
	name=$(sed 's/[-+][a-z].*//' <<<"$release")-$scenario.h5
	# The store tells where the recording was.
	(cd "${recording%/*}" && "$ZWB" import --quiet --force --level 9 capture.dat -o "$samples/$name")
	"$ZWB" validate --blind --format json "$samples/$name" | jq -r --arg name "$name" \
		--arg sha256 "$(sha256sum <"$samples/$name" | cut -d ' ' -f 1)" \
		--arg recorded "$(sha256sum <"$recording" | cut -d ' ' -f 1)" \
		--argjson written_back "$("$ZWB" info --format=json "$samples/$name" | jq .walks.written_back)" '
		def count(stage; direction):
			[.scores[] | select(.stage == stage and .direction == direction).recorded] | first // 0;
		[$name, $sha256, $recorded, .kernel, .captured_policy, .scheduler, .events,
			$written_back,
			count("page_to_bio"; "writes"), count("bio_to_request"; "writes"),
			count("page_to_bio"; "reads"), count("bio_to_request"; "reads")] | @tsv'
done
