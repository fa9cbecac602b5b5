# SPDX-License-Identifier: GPL-3.0-or-later
# zwb report --format html in a browser: it renders, no error, values can be read, on any screen.
. "$(dirname "$0")/lib.sh"
command -v chromium >/dev/null || skip "no chromium"

# browse FILE [OPTION...]: the page as the browser sees it to ./in-page.
browse() {
	local file=$1
	shift
	expect 0 chromium --headless=new --no-sandbox --disable-gpu --no-first-run \
		--user-data-dir="$scratch/in-chromium" --enable-logging=stderr \
		--window-size=1000,800 "$@" --dump-dom "file://$scratch/$file"
	mv out in-page
	! grep -E 'CONSOLE|Refused to' err >complaints || fail "the browser complains: $(cat complaints)"
}

page_has() {
	grep -qF -- "$1" in-page || fail "no \"$1\" in the page: $(grep '<body' in-page)"
}

# What a reader does, and what the page then shows, as attributes of the body.
cat >in-script <<-'END'
	<script>
	const mark = document.querySelector('#writeback-latency .m:nth-of-type(4)');
	mark.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
	const body = document.body;
	body.dataset.shown = document.querySelector('#writeback-latency output').textContent;
	const root = document.documentElement;
	body.dataset.overflow = root.scrollWidth - root.clientWidth;
	body.dataset.background = getComputedStyle(body).backgroundColor;
	const box = mark.getBoundingClientRect();
	body.dataset.drawn = 10 > box.width ? 'yes' : 'no';
	body.dataset.figures = document.querySelectorAll('figure svg[role=img] .m path').length;
	</script>
END

expect 0 "$ZWB" synth zipf -o in.h5 --events 300000 --quiet
expect 0 "$ZWB" replay in.h5 -p unbatched -p batched -p sorted -q -o in-run.h5
expect 0 "$ZWB" report in-run.h5 --format html -o in.html
expect 0 "$ZWB" report in-run.h5 --format json
p99=$(jq -r '.rows[] | select(.metric == "writeback latency p99").cells[0].value' out)
sed '/<\/body>/e cat in-script' in.html >in-tried.html
grep -q 'const mark' in-tried.html || fail "the test's own script is not in the page"

browse in.html
page_has "<h1>3 policies over 1 recording</h1>"
page_has "<td>writeback latency p99"

browse in-tried.html
shown=$(sed -n 's/.*data-shown="\([^"]*\)".*/\1/p' in-page)
[[ $shown == "unbatched, p99: "* ]] || fail "pointing at a mark shows \"$shown\""
awk -v shown="${shown#*: }" -v p99="$p99" 'BEGIN {
	off = shown / p99 - 1
	exit !(shown > 0 && off < 0.001 && off > -0.001)
}' || fail "\"$shown\" is shown, $p99 was measured"
page_has 'data-overflow="0"'
page_has 'data-background="rgb(255, 255, 255)"'
[ "$(sed -n 's/.*data-figures="\([0-9]*\)".*/\1/p' in-page)" -gt 30 ] || fail "marks are missing"

# A phone, and a dark room.
browse in-tried.html --window-size=380,800 --blink-settings=preferredColorScheme=0
page_has 'data-overflow="0"'
if grep -qF 'data-background="rgb(255, 255, 255)"' in-page; then fail "white in the dark"; fi
