/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Head and foot of the page. The colours of lines are those of Okabe and Ito (2008). */
#include "html_page.h"

static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1b1b;--dim:#595959;--rule:#d0d0d0;"
	"--soft:#f4f4f4;--good:#00634a;--bad:#a33b00;--c0:#0072b2;--c1:#b85000;--c2:#00795a;"
	"--c3:#a8407f;--c4:#7a6a00;--c5:#1f6f9f;--c6:#4d4d4d;--c7:#6a3d9a}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#16181a;--fg:#e8e8e8;--dim:#a8a8a8;"
	"--rule:#44484c;--soft:#202326;--good:#4fd6ad;--bad:#ff9a5c;--c0:#56b4e9;--c1:#f28e4b;"
	"--c2:#3fcf9f;--c3:#e79ac6;--c4:#f0e442;--c5:#8fc7f0;--c6:#c0c0c0;--c7:#c3a6ef}}\n"
	"body{margin:0 auto;max-width:60rem;padding:0 1rem 3rem;background:var(--bg);"
	"color:var(--fg);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.2rem;margin-top:2.5rem}"
	"h3{font-size:1rem;margin:1.5rem 0 .25rem}p,li{max-width:45rem}\n"
	".dim{color:var(--dim)}.wide{overflow-x:auto;overflow-wrap:normal}\n"
	"table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.3rem .6rem;border-bottom:1px solid var(--rule);text-align:right;"
	"vertical-align:top;white-space:nowrap}\n"
	"th{font-weight:600}th:first-child,td:first-child{text-align:left;white-space:normal;"
	"min-width:8rem;position:sticky;left:0;background:var(--bg)}\n"
	"th.label{white-space:normal;min-width:6rem;max-width:14rem;overflow-wrap:anywhere}\n"
	"td small,th small{display:block;color:var(--dim);font-weight:400}\n"
	"td .good{color:var(--good)}td .bad{color:var(--bad)}\n"
	"figure{margin:1rem 0 2rem}figcaption{font-weight:600}\n"
	"figure svg:not(.swatch){display:block;width:100%;max-width:40rem;height:auto;"
	"background:var(--soft)}\n"
	"output{display:block;min-height:1.5rem;font-size:.875rem}\n"
	".legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;padding:0;"
	"margin:.25rem 0;font-size:.875rem}.swatch{width:30px;height:12px;margin-right:.4rem;"
	"vertical-align:middle}\n"
	"svg text{font:12px system-ui,sans-serif;fill:var(--fg)}svg .tick{fill:var(--dim);"
	"font-size:11px}\n"
	"svg path{vector-effect:non-scaling-stroke}svg .grid{stroke:var(--rule);fill:none}"
	"svg .zero{stroke:var(--dim);stroke-width:1.5;fill:none}\n"
	"[class^=l]{fill:none;stroke-width:1.8}.m{cursor:crosshair}"
	".hidden path{opacity:0}.hidden:hover path{opacity:1}"
	".m:hover path{stroke:var(--fg);stroke-width:2}.bar{stroke-width:2}\n"
	".l1{stroke-dasharray:7 3}.l2{stroke-dasharray:2 3}.l3{stroke-dasharray:9 3 2 3}"
	".l4{stroke-dasharray:4 4}.l5{stroke-dasharray:12 4}.l6{stroke-dasharray:1 5}"
	".l7{stroke-dasharray:9 3 2 3 2 3}\n"
	"details{margin:.5rem 0}summary{cursor:pointer}\n"
	"@media print{:root{--bg:#fff;--fg:#000;--dim:#444;--rule:#bbb;--soft:#fff;--good:#000;"
	"--bad:#000}body{max-width:none;font-size:10pt}figure,tr{break-inside:avoid}"
	".wide{overflow:visible}output{display:none}}\n";

/* No "<" and no "&": in XML these would begin something. */
static const char script[] =
	"'use strict';\n"
	"function show(event) {\n"
	"  const mark = event.target.closest('.m');\n"
	"  if (!mark)\n"
	"    return;\n"
	"  mark.closest('figure').querySelector('output').textContent =\n"
	"    mark.querySelector('title').textContent;\n"
	"}\n"
	"document.addEventListener('pointerover', show);\n"
	"document.addEventListener('click', show);\n"
	"function open_all() {\n"
	"  document.querySelectorAll('details').forEach(d => { d.open = true; });\n"
	"}\n"
	"window.addEventListener('beforeprint', open_all);\n";

void zwb_html_begin(FILE *out, const char *title)
{
	fprintf(out,
		"<!DOCTYPE html>\n"
		"<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		"&#39;none&#39;; "
		"style-src &#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;\"/>\n"
		"<title>%s</title>\n<style>\n%s",
		title, style);
	for (int i = 0; i < 8; i++)
		fprintf(out, ".l%d{stroke:var(--c%d)}.m%d{fill:var(--c%d);stroke:var(--c%d)}\n", i,
			i, i, i, i);
	fputs("</style>\n</head>\n<body>\n", out);
}

void zwb_html_end(FILE *out)
{
	fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", script);
}
