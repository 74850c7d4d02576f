/**
 * Style of pictures. Colours follow the reader's light or dark scheme. Everything that a colour shows is also shown by a line's form or a text.
 * Only fonts of the reader's machine are used.
 */
export const STYLE = `
.picture{--paper:#fff;--ink:#1c2128;--soft:#57606a;--line:#8c959f;--fill:#f6f8fa;--zone:#fafbfc;--added:#116329;--addedfill:#dafbe1;--removed:#a40e26;--removedfill:#ffebe9;--changed:#7d4e00;--changedfill:#fff8c5;font:12px system-ui,"Segoe UI","DejaVu Sans",sans-serif}
@media (prefers-color-scheme:dark){.picture{--paper:#0d1117;--ink:#e6edf3;--soft:#9da7b3;--line:#6e7681;--fill:#161b22;--zone:#11161d;--added:#56d364;--addedfill:#12261e;--removed:#ff8f88;--removedfill:#301b1f;--changed:#e3b341;--changedfill:#2d2410}}
.picture .paper{fill:var(--paper)}
.picture text{fill:var(--ink);unicode-bidi:isolate;direction:ltr;white-space:pre}
.picture .title{font-weight:700}
.picture .heading{font-size:17px;font-weight:700}
.picture .soft{fill:var(--soft)}
.picture .column{fill:var(--zone);stroke:var(--line);stroke-dasharray:2 3}
.picture .shape{fill:var(--fill);stroke:var(--ink);stroke-width:1.2}
.picture .link{fill:none;stroke:var(--line);stroke-width:1.5}
.picture .halo{fill:none;stroke:var(--zone);stroke-width:6}
.picture .behind{fill:none;stroke:var(--line);stroke-dasharray:1.5 4}
.picture .joint{fill:none;stroke:var(--ink);stroke-width:1.2}
.picture .dot{fill:var(--line)}
.picture .near .shape,.picture .near.shape{stroke:var(--line);fill:var(--paper)}
.picture .near .joint{stroke:var(--line)}
.picture .near text{fill:var(--soft)}
.picture .added .shape,.picture .moved .shape,.picture .box .added .shape{stroke:var(--added);stroke-width:3;fill:var(--addedfill)}
.picture .removed .shape,.picture .left .shape,.picture .box .removed .shape{stroke:var(--removed);stroke-width:2;stroke-dasharray:7 4;fill:var(--removedfill)}
.picture .changed .shape{stroke:var(--changed);stroke-width:3;fill:var(--changedfill)}
.picture .link.added{stroke:var(--added);stroke-width:3}
.picture .link.removed{stroke:var(--removed);stroke-dasharray:7 4}
.picture .link.moved{stroke:var(--added);stroke-width:2.5}
.picture .head{fill:var(--added)}
.picture .gone{text-decoration:line-through;fill:var(--removed)}
.picture .sign{font-weight:700}
.picture .sign.removed{fill:var(--removed)}
.picture .sign.added{fill:var(--added)}
.picture .new{fill:var(--added);font-weight:700}
.picture .tag{font-weight:700;font-size:11px}
.picture .fold .shape{stroke-dasharray:4 2}
.picture .column.added{stroke:var(--added);stroke-width:3;stroke-dasharray:none}
.picture .column.removed{stroke:var(--removed);stroke-width:2;stroke-dasharray:7 4}
`.trim();
