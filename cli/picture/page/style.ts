import { WAY_STYLE } from "../draw/ways";

/** Style of pages. Only fonts of the reader's machine are used. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;font:14px system-ui,"Segoe UI","DejaVu Sans",sans-serif}
body{margin:0;display:flex;flex-direction:column;height:100vh}
header{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;padding:8px 16px;border-bottom:1px solid GrayText}
fieldset{border:0;margin:0;padding:0;display:flex;gap:12px}
legend{float:left;padding-right:4px}
main{flex:1;display:flex;min-height:0}
#view{flex:1;overflow:hidden;min-width:0}
#canvas svg{display:block;max-width:100%;height:auto}
aside{width:26rem;max-width:45%;overflow:auto;border-left:1px solid GrayText;padding:0 16px 16px;box-sizing:border-box}
aside h2{font-size:16px}
aside ul{padding-left:16px}
aside li button{all:unset;vertical-align:top;cursor:pointer;text-decoration:underline}
aside li button:focus-visible,#view:focus-visible,[data-box]:focus-visible{outline:3px solid Highlight;outline-offset:2px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
table{border-collapse:collapse;font-size:12px}
td,th{text-align:left;padding:2px 6px;border-bottom:1px solid GrayText;overflow-wrap:anywhere}
.error{font-weight:700}
[data-box]{cursor:pointer}
[data-box].hit .shape{stroke-width:4;stroke-dasharray:2 2}
[data-box].selected .shape{stroke-width:5}
${WAY_STYLE}
.picture .way{display:none;pointer-events:none}
.picture .way.shown{display:inline}
#effects li li button[aria-pressed=true]{font-weight:700}
#effects li li button[aria-pressed=true]::before{content:"▶ "}
@media (max-width:700px){main{flex-direction:column}aside{width:auto;max-width:none;max-height:50%;border-left:0;border-top:1px solid GrayText}}
`.trim();
