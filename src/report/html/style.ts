const light = `color-scheme:light;--bg:#fff;--page:#f6f8fa;--fg:#1b1f24;--soft:#57606a;--line:#d8dee4;--link:#0550ae;
--add:#116329;--add-bg:#e6ffec;--remove:#a40e26;--remove-bg:#ffebe9;--change:#7a4b00;--change-bg:#fff5d6;--state:#0a5a6e;--state-bg:#e2f4f9`;
const dark = `color-scheme:dark;--bg:#0d1117;--page:#010409;--fg:#e6edf3;--soft:#9da7b3;--line:#30363d;--link:#79b8ff;
--add:#7ee787;--add-bg:#12261e;--remove:#ffa198;--remove-bg:#2d1517;--change:#e3b341;--change-bg:#272115;--state:#76d9e6;--state-bg:#0f2830`;

/** The page's whole style. Colours meet a contrast of 4.5 : 1 in both schemes. */
export const pageStyle = `
:root{${light};--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
:root[data-theme=dark]{${dark}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--fg);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
header,main,footer{max-width:74rem;margin:0 auto;padding:0 1.25rem}
h1,h2,p,ul,dl,dd{margin:0}
h1{font-size:1.6rem;line-height:1.25;letter-spacing:-.01em}
h2{font-size:1.1rem;line-height:1.3;display:inline-flex;align-items:baseline;gap:.5rem}
a{color:var(--link);text-underline-offset:.15em}
code,pre,ins,del,.what b,.where,.place{font-family:var(--mono);font-size:.87em}
pre,code,b,li,dd,p,h1,ins,del,span{overflow-wrap:anywhere}.what>*{min-width:0}
body>svg{position:absolute}
.icon{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;background:var(--bg);padding:.3rem;z-index:1}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
header{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.25rem 1rem;align-items:start;padding-top:1.5rem;padding-bottom:.75rem}
header>:not(.verdict,#ui\\:theme){grid-column:1/-1}
.verdict{display:flex;gap:.9rem;align-items:center;margin-bottom:.5rem}
.verdict>.icon{width:2.6rem;height:2.6rem;padding:.55rem;border-radius:.6rem;stroke-width:1.4}
.blocked>.icon,.incomplete>.icon{color:var(--remove);background:var(--remove-bg)}.dangerous>.icon{color:var(--change);background:var(--change-bg)}
.changes>.icon{color:var(--state);background:var(--state-bg)}.clean>.icon{color:var(--add);background:var(--add-bg)}
.verdict .about,.fact{color:var(--soft)}.fact{font-size:.93em}.fact.summary{color:var(--fg)}.meta{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;color:var(--soft);font-size:.87rem}
.fact.warning,.fact.notice{color:var(--change);background:var(--change-bg);border-radius:6px;padding:.5rem .75rem;margin:.25rem 0}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;padding:0;margin:0 0 .35rem}
.chip{display:inline-flex;align-items:center;gap:.35rem;border-radius:99px;padding:.1rem .65rem;font-size:.87rem;line-height:1.5;white-space:nowrap}
.chip.add{color:var(--add);background:var(--add-bg)}.chip.change{color:var(--change);background:var(--change-bg)}
.chip.remove,.chip.danger{color:var(--remove);background:var(--remove-bg)}.chip.state{color:var(--state);background:var(--state-bg)}
.card{border:1px solid var(--line);border-radius:10px;margin:0 0 1rem;padding:.9rem 1rem;background:var(--bg)}
.card>h2{margin-bottom:.5rem}.card.grave{border-left:4px solid var(--remove)}.card.plain{border-left:4px solid var(--change)}
.card>details>summary{padding:0}.card.aside>details[open]>summary{margin-bottom:.5rem}
#ui\\:problems,#ui\\:failed,#ui\\:guards{background:linear-gradient(var(--remove-bg),var(--bg) 5rem)}
.number{font-size:.8rem;font-weight:600;color:var(--soft);background:var(--page);border:1px solid var(--line);border-radius:99px;padding:0 .5rem;line-height:1.4}
ul{padding-left:1.2rem}li{margin:.15rem 0}li>ul{color:var(--soft)}
.type,.count,.remark,.hunk,.about{color:var(--soft)}.tag{color:var(--soft)}
button,select,input[type=search]{font:inherit;font-size:.87rem;color:inherit;background:var(--bg);border:1px solid var(--soft);border-radius:6px;padding:.25rem .65rem;min-height:2rem;max-width:100%}
#ui\\:theme{display:inline-flex;align-items:center;gap:.4rem;border-color:var(--line);color:var(--soft)}#ui\\:theme[hidden]{display:none}
button{cursor:pointer}button:hover{background:var(--page)}
.filters{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.25rem 0 .75rem;font-size:.87rem}
fieldset{border:0;display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0}legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.toggle{display:inline-flex;align-items:center;gap:.35rem;border:1px solid var(--line);border-radius:99px;padding:.15rem .7rem;cursor:pointer}
.toggle:has(:checked){background:var(--page);border-color:var(--soft)}.toggle input{margin:0;accent-color:var(--link)}
.by{display:inline-flex;max-width:100%;min-width:0;align-items:center;gap:.4rem;color:var(--soft)}.by select{max-width:16rem;min-width:0}.by input{width:15rem}output{color:var(--soft);margin-left:auto}
#ui\\:list{margin:0 -1rem -.85rem;border-top:1px solid var(--line)}
.step{border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 2.4rem}
.step:first-child{border-top:0}.step[hidden],.by[hidden]{display:none}
.step>details>summary{display:grid;grid-template-columns:1rem 7rem minmax(0,1fr) minmax(0,auto);gap:.25rem .6rem;align-items:start;line-height:1.5rem;padding:.4rem 1rem;list-style:none}
.step>details>summary::-webkit-details-marker{display:none}
.step>details>summary::before{content:"";margin:.45rem .2rem;width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(-45deg)}
.step>details[open]>summary::before{transform:rotate(45deg)}
.step>details>summary:hover{background:var(--page)}
.step:target>details>summary{background:var(--page);box-shadow:inset 3px 0 var(--link)}
.verb{display:inline-flex;align-items:center;gap:.45rem;font-weight:600;font-size:.93rem}
.add{color:var(--add)}.change{color:var(--change)}.remove{color:var(--remove)}.state{color:var(--state)}
.what{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:baseline}.what .type,.what .count{font-size:.87rem}
.where{color:var(--soft);text-align:right;font-size:.8rem}
.d1{--d:1}.d2{--d:2}.d3{--d:3}.d4{--d:4}
.step .what,.step .body{margin-left:calc(var(--d,0)*1.4rem)}
.d1 .what::before,.d2 .what::before,.d3 .what::before,.d4 .what::before{content:"";width:.7rem;height:.7rem;margin:0 -.2rem 0 -1rem;border:solid var(--soft);border-width:0 0 1px 1px;border-bottom-left-radius:4px;align-self:center;transform:translateY(-.3rem)}
summary{cursor:pointer}.more,.more>summary{display:inline}.more>summary{color:var(--link);text-decoration:underline;text-underline-offset:.15em}.group{font-weight:600;font-size:.93rem;margin:.25rem 0}
.body{padding:.1rem 1rem .9rem 10.2rem;display:grid;gap:.5rem}
.notes{list-style:none;padding:0;color:var(--soft);font-size:.93rem}
.because,.risk{font-weight:600;font-size:.8rem;border-radius:4px;padding:0 .35rem}.because{color:var(--state);background:var(--state-bg)}.risk{color:var(--remove);background:var(--remove-bg)}
dl.fields{display:grid;grid-template-columns:minmax(7rem,max-content) minmax(0,1fr);gap:.35rem 1rem;border-left:2px solid var(--line);padding-left:.8rem}
dt{grid-column:1;max-width:16rem;overflow-wrap:anywhere}dd{grid-column:2;min-width:0}.remark{display:block;font-size:.8rem}
.m{display:inline-block;width:1.1em;font-family:var(--mono);font-weight:700}
.madd{color:var(--add)}.mdel{color:var(--remove)}.mmod{color:var(--change)}
ins,del{text-decoration:none;border-radius:3px;padding:.05em .25em;box-decoration-break:clone;-webkit-box-decoration-break:clone}
ins{color:var(--add);background:var(--add-bg)}del{color:var(--remove);background:var(--remove-bg)}
ins.long,del.long{display:block;margin:.1rem 0;padding:.2rem .5rem}
pre{white-space:pre-wrap;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:.5rem .75rem;margin:.3rem 0;tab-size:4}
.diff span{display:block}.diff .add{background:var(--add-bg)}.diff .del{color:var(--remove);background:var(--remove-bg)}
.effect{font-weight:600}.effect.safe{color:var(--add)}.effect.may-break{color:var(--change)}.effect.breaks{color:var(--remove)}
p.about,.place{font-size:.87em}.place{color:var(--soft)}
.commands{display:flex;flex-wrap:wrap;gap:.4rem}.commands .copy{margin:0}.commands .copy pre{padding:.3rem 4.6rem .3rem .6rem}.commands .copy button{top:.2rem;right:.2rem;min-height:1.5rem;line-height:1.2;font-size:.8rem}
.copy{position:relative;margin:.35rem 0}.copy pre{padding-right:5rem;margin:0}.copy button{position:absolute;top:.35rem;right:.35rem;min-height:1.7rem;padding:.05rem .6rem}
footer{color:var(--soft);font-size:.87rem;padding-top:.5rem;padding-bottom:2.5rem}
@media (max-width:50rem){header,main,footer{padding-left:.75rem;padding-right:.75rem}h1{font-size:1.3rem}.verdict{align-items:start}.verdict>.icon{width:2.2rem;height:2.2rem}header{grid-template-columns:minmax(0,1fr) auto}#ui\\:theme span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.step>details>summary{grid-template-columns:1rem minmax(0,1fr)}.what,.where{grid-column:2;text-align:left}
.body{padding-left:1rem}dl.fields{grid-template-columns:minmax(0,1fr)}dt,dd{grid-column:1;max-width:none}
.by,.by input{width:100%}.by{flex-wrap:wrap}output{margin-left:0}}
@media (scripting:none){.filters{display:none}}
@media print{body{font-size:11px}.filters,.skip,#ui\\:theme,.copy button,.step>details>summary::before{display:none}.card{break-inside:auto;background:none}
.step{content-visibility:visible;break-inside:avoid-page}a{color:inherit}}
`;
