"""The colours and rules of pages and pictures: a screen of any width, light or dark, or paper."""

PICTURES = """
svg{--light:#f1ece0;--dark:#d9cfb8;--ink:#23221f;--quiet:#6d685d;--ground:#e4dfd3;--reach:#4a90c2;
--differ:#c8321e;--good:#b9d8a8;--open:#f3d48c;--none:#cfd6dd}
@media (prefers-color-scheme:dark){svg{--light:#4a4740;--dark:#37342e;--ink:#f0ece2;--quiet:#a8a294;
--ground:#33312d;--reach:#5ba3d6;--differ:#ff6b52;--good:#3f6b3a;--open:#7a5c1c;--none:#4b535b}}
svg text{font-family:system-ui,sans-serif;text-anchor:middle;fill:var(--ink)}
.board .light{fill:var(--light)}.board .dark{fill:var(--dark)}
.board .name{font-size:.5px;fill:var(--quiet)}
.board .attacked{fill:var(--reach);opacity:.75}
.board .differs{fill:none;stroke:var(--differ);stroke-width:.12}
.board .blocker{fill:var(--ink)}.board .slider{fill:var(--ink)}
.board .letter{font-size:.56px;font-weight:700;fill:var(--light)}
.board .first{font-size:.36px;font-weight:700}.board .more{font-size:.25px}
.board .settled{fill:var(--good)}.board .open{fill:var(--open)}.board .plain{fill:var(--none)}
.board .bad{fill:none;stroke:var(--differ);stroke-width:.08}
.map{shape-rendering:crispEdges}.map .ground{fill:var(--ground)}
.map path{fill:none;stroke-width:1}.map .ground{stroke:none;fill:var(--ground)}
.chart text{font-size:11px;text-anchor:start;fill:var(--quiet)}.chart .end{text-anchor:end}
.chart .axis{fill:none;stroke:var(--quiet)}
.chart .line{fill:none;stroke:var(--reach);stroke-width:2}
.plane .grid{fill:none;stroke:var(--ground)}
.plane .lead{fill:none;stroke:var(--quiet);stroke-width:.6}
.plane .middle{text-anchor:middle}
.plane circle.on{fill:var(--reach)}.plane circle.off{fill:var(--quiet)}
.plane text.on{fill:var(--ink);font-weight:600}.plane .line{stroke-dasharray:4 3;stroke-width:1.5}
.word text{font-size:1.5px}.word .caption{font-size:1.5px;text-anchor:start;fill:var(--quiet)}
.word .known{fill:var(--reach)}.word .unknown{fill:var(--none)}
""".strip()
"""What every picture needs, inside a page or alone."""

PAGE = """
:root{color-scheme:light dark;--ink:#23221f;--quiet:#5f5b52;--paper:#fffdf8;--box:#f4f0e6;
--valid:#1d6b2f;--invalid:#a3220f}
@media (prefers-color-scheme:dark){:root{
--ink:#ece8de;--quiet:#a8a294;--paper:#1d1c1a;--box:#2a2825;
--valid:#7fd491;--invalid:#ff8f78}}
body{margin:0 auto;max-width:62rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.2rem;margin-top:2rem}
.verdict{font-size:1.15rem;font-weight:700;padding:.6rem .8rem;border-left:.4rem solid;
background:var(--box)}
.valid{color:var(--valid)}.invalid,.unknown{color:var(--invalid)}
.row{display:flex;flex-wrap:wrap;gap:1rem}.row>*{flex:1 1 17rem;min-width:0;max-width:28rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem;max-width:48rem}
figure{margin:0 0 1rem}figcaption,.quiet{color:var(--quiet);font-size:.9rem}
.board{width:100%;max-width:28rem;display:block}.map{width:100%;display:block}
.key .board{max-width:13rem}.chart{max-width:28rem;width:100%}
table{border-collapse:collapse;max-width:100%}td,th{padding:.15rem .6rem .15rem 0;text-align:left;
vertical-align:top}th{overflow-wrap:normal}td.number{text-align:right}
pre,code{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--box);padding:.6rem;overflow-x:auto;white-space:pre-wrap}
button{font:inherit;padding:.2rem .8rem}
article{display:none}article:target{display:block}a{color:inherit}
@media print{body{max-width:none;background:#fff;color:#000}button{display:none}
article{display:block}figure,tr,.pair{break-inside:avoid}.pair{max-width:30rem}
h2,h3,h3+p{break-after:avoid}pre{white-space:pre-wrap}}
""".strip()
"""What a page of ours needs besides."""
