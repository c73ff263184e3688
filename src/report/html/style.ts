/** The page's whole style. Colours meet a contrast of 4.5 : 1 in both schemes. */
export const pageStyle = `
:root{color-scheme:light;--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--link:#0550ae;
--add:#116329;--add-bg:#e6ffec;--del:#a40e26;--del-bg:#ffebe9;--mod:#7a4b00;--state:#0a5a6e}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;--bg:#0d1117;--fg:#e6edf3;--soft:#9da7b3;--line:#3d444d;--panel:#161b22;--link:#79b8ff;
--add:#7ee787;--add-bg:#12261e;--del:#ffa198;--del-bg:#2d1517;--mod:#e3b341;--state:#76d9e6}}
:root[data-theme=dark]{color-scheme:dark;--bg:#0d1117;--fg:#e6edf3;--soft:#9da7b3;--line:#3d444d;--panel:#161b22;--link:#79b8ff;
--add:#7ee787;--add-bg:#12261e;--del:#ffa198;--del-bg:#2d1517;--mod:#e3b341;--state:#76d9e6}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
header,main,footer{max-width:70rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:start;justify-content:space-between;padding-top:1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:1.5rem 0 .5rem;border-bottom:1px solid var(--line)}
a{color:var(--link)}
code,pre,ins,del,.step b,.mark,svg text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
pre,code,b,li,dd,p{overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:.5rem;margin:.3rem 0;tab-size:4}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;background:var(--bg);padding:.3rem}
.facts{color:var(--soft);margin:.2rem 0;flex-basis:100%}
.verdict-blocked h1,.verdict-incomplete h1{color:var(--del)}.verdict-dangerous h1{color:var(--mod)}.verdict-clean h1{color:var(--add)}
button,select,input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:4px;padding:.15rem .5rem}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
.filters{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin:.5rem 0}
fieldset{border:1px solid var(--line);border-radius:4px;display:flex;flex-wrap:wrap;gap:.1rem .8rem;margin:0;padding:.1rem .6rem .3rem}
#ui\\:list{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:4px}
.step{border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 2.2rem}
.step:first-child{border-top:0}.step[hidden]{display:none}
.step:target>details>summary{background:var(--panel);box-shadow:inset 3px 0 var(--link)}
summary{cursor:pointer;padding:.3rem .6rem}.body{padding:0 .6rem .6rem 2rem}
.mark{display:inline-block;min-width:2em;font-weight:bold;white-space:pre}
.a-create,.madd,.effect.safe{color:var(--add)}.a-update,.mmod,.effect.may-break{color:var(--mod)}
.a-replace,.a-delete,.mdel,.effect.breaks,.danger{color:var(--del)}.a-adopt,.a-move,.a-forget{color:var(--state)}
.verb,.type,.count,.place,.about,.hunk,.remark,figcaption{color:var(--soft)}
.danger,.effect{font-weight:bold}.place,.about{margin:.2rem 0;font-size:.9em}
dl.fields{margin:.3rem 0}dd{margin:0 0 .5rem 1.5rem}
ins{text-decoration:none;color:var(--add);background:var(--add-bg)}del{text-decoration:none;color:var(--del);background:var(--del-bg)}
.diff span{display:block}.diff .add{color:var(--add);background:var(--add-bg)}.diff .del{color:var(--del);background:var(--del-bg)}
ul{margin:.2rem 0;padding-left:1.5rem}figure{margin:.5rem 0}.scroll{overflow:auto;max-height:40rem}
svg rect{fill:var(--panel);stroke:currentColor;stroke-width:1.5}svg rect.same{stroke:var(--line);stroke-dasharray:3}
svg text{fill:var(--fg);font-size:12px}.edges path{fill:none;stroke:var(--soft)}
footer{color:var(--soft);padding-bottom:2rem}
@media print{.filters,.skip,#ui\\:theme{display:none}.step{content-visibility:visible;break-inside:avoid-page}.scroll{max-height:none}}
`;
