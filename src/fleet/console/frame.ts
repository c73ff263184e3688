import { sha256 } from '@platform-sync/core/model/canonical';
import type { ConsoleRole } from '@platform-sync/core/model/console';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import { icon, iconSprite } from '@platform-sync/report/html/icons';
import type { Page } from '@platform-sync/report/html/page';
import { pageScript } from '@platform-sync/report/html/script';
import { pageStyle } from '@platform-sync/report/html/style';

/** Who reads a page, and what its forms must carry. */
interface Reader {
  readonly fleet: string;
  /** Undefined: nobody is logged in. */
  readonly name?: string;
  /** What a form proves with that it came from one of these pages. */
  readonly token?: string;
  /** Places that they may go to. */
  readonly places: readonly Place[];
}

/** Who looks at a stack, and what their forms carry. */
export interface Looker {
  readonly role: ConsoleRole | undefined;
  readonly token: string;
}

/** A page of the bar, or of what it leads to. */
export interface Place {
  readonly path: string;
  readonly title: string;
}

const style = `${pageStyle}
.bar{background:var(--bg);border-bottom:1px solid var(--line)}
.bar>div{max-width:74rem;margin:0 auto;padding:.45rem 1.25rem;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;align-items:center;font-size:.93rem}
.bar .brand{font-weight:600;color:var(--fg);text-decoration:none;margin-right:.5rem}.bar button{border-color:var(--line);color:var(--soft)}.bar button:hover{color:var(--fg)}.bar a{text-decoration:none}.bar a:hover{text-decoration:underline}
.bar a[aria-current]{color:var(--fg);font-weight:600}.bar form{margin:0}.bar .who{margin-left:auto;color:var(--soft)}
a.chip{text-decoration:none}a.chip[aria-current]{outline:2px solid currentColor}a.chip:hover{text-decoration:underline}
.filters input[type=search]{width:15rem}.filters label{display:inline-flex;align-items:center;gap:.4rem;color:var(--soft)}
.stacks{list-style:none;padding:0;margin:0}.card>.stacks{margin:0 -1rem -.9rem}
.stacks>li{border-top:1px solid var(--line);margin:0}.card>.stacks>li:first-child{border-top:0}
.row,.fold>details>summary{display:grid;grid-template-columns:6.2rem minmax(0,1fr) 10.7rem 12.6rem 7.5rem;gap:.1rem .9rem;align-items:baseline;padding:.45rem 1rem;font-size:.93rem}
.fold>details>summary{grid-template-columns:6.2rem minmax(0,1fr) auto}.row:hover,.fold>details>summary:hover{background:var(--page)}
.mark{font-weight:600;display:inline-flex;gap:.45rem;align-items:baseline;white-space:nowrap}.mark::before{content:"";width:.55rem;height:.55rem;border-radius:50%;background:currentColor;align-self:center}
.row>small,.fold small{color:var(--soft);font-size:.87rem;overflow-wrap:anywhere}.cause{color:var(--soft);margin-left:.35rem}.row a{font-weight:600}
.fold .stacks .row{padding-left:2rem}.stacks>.wait{display:grid;grid-template-columns:6.2rem minmax(0,1fr) 12rem;gap:.1rem .9rem;align-items:baseline;padding:.45rem 1rem;font-size:.93rem}.wait a{font-weight:600}.wait small{color:var(--soft);font-size:.87rem}.card>.stacks+details{margin:.9rem -1rem -.9rem;border-top:1px solid var(--line)}.card>.stacks+details>summary{padding:.45rem 1rem}.stacks+details>.stacks{border-top:1px solid var(--line)}.busy{color:var(--state);margin-left:.35rem}
input[type=text],input[type=date],input[type=datetime-local]{font:inherit;font-size:.87rem;color:inherit;background:var(--bg);border:1px solid var(--soft);border-radius:6px;padding:.25rem .65rem;min-height:2rem;max-width:100%}.acts label{color:var(--soft);font-size:.87rem}.top{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;justify-content:space-between;margin-bottom:.5rem}.top .filters{margin:0}
.tabs{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;font-size:.93rem;margin:.35rem 0}.tabs a{text-decoration:none}.tabs a:hover{text-decoration:underline}.tabs a[aria-current]{color:var(--fg);font-weight:600;border-bottom:2px solid var(--link)}
.row a,.row small,.cause,.meta span,td a,td b,.wait a,h1{unicode-bidi:isolate}.card ul.plain{list-style:none;padding:0}.card ul.plain>li{border-top:1px solid var(--line);padding:.4rem 0;margin:0}.card ul.plain>li:first-child{border-top:0}.card ul.plain p{color:var(--soft);font-size:.93rem}.month{white-space:nowrap;margin-right:.25rem}
.acts{margin-top:.5rem;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}.acts form{margin:0;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
button.main{background:var(--link);border-color:var(--link);color:var(--bg);font-weight:600}button.main:hover{opacity:.9}
table{border-collapse:collapse;width:100%;font-size:.93rem}th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line);vertical-align:baseline;overflow-wrap:break-word}.long,td p{overflow-wrap:anywhere}
th,.when,td>a[href*="/plans/"]{white-space:nowrap}th{color:var(--soft);font-weight:500;font-size:.87rem;border-top:0}.wide{overflow-x:auto}.empty{color:var(--soft)}
header .acts{margin:.35rem 0}.acts+details{margin-top:.6rem}.acts+.about,form+.about{margin-top:.6rem}.choice{cursor:pointer;display:flex;gap:.35rem;align-items:baseline}.choice input{margin:0 .35rem 0 0;accent-color:var(--link)}.wide:focus-visible{outline-offset:4px}.row.brief{grid-template-columns:6.2rem minmax(0,1fr)}.row small span,.row .of{display:block}
@media (scripting:none){form.filters:not([id]){display:flex}}
@media print{html{font-size:12px}.bar,.acts,.months,.tabs,.top .filters{display:none}details::details-content{content-visibility:visible;height:auto}.wide{overflow:visible}tr,.row,.stacks>li{break-inside:avoid}thead{display:table-header-group}}
@media (max-width:60rem){.row,.stacks>.wait{grid-template-columns:6.2rem minmax(0,1fr)}.row>small,.wait>small{grid-column:2}}
@media (max-width:40rem){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table,tbody,tr{display:block}tr{border-top:1px solid var(--line);padding:.4rem 0}td{display:inline-block;max-width:100%;border:0;padding:0 .75rem 0 0}td:empty{display:none}td[data-head]::before{content:attr(data-head) " ";color:var(--soft)}}
@media (max-width:30rem){.row,.row.brief,.stacks>.wait,.fold>details>summary{grid-template-columns:minmax(0,1fr)}.row>small,.wait>small,.fold>details>summary>*{grid-column:1}.bar .who{margin-left:0}}
`;

/** A page with a job on it asks for itself again when that begins or ends, and says how far a run is; works without it by the reader's own hand. */
const script = `${pageScript}
(() => {
'use strict';
const live = document.querySelector('[data-live]');
if (live === null) return;
const busy = () => document.activeElement?.matches('input, select, textarea') === true || document.querySelector('.choice :checked') !== null;
const events = new EventSource(live.dataset.live);
events.onmessage = ({ data }) => {
  const { text, isOver } = JSON.parse(data);
  if (!isOver) live.textContent = text;
  else if (!busy()) { events.close(); location.reload(); }
};
})();
`;

/** Path → what a browser gets there. Their names change with them, so that they may be kept for ever. */
export const assets: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  [`style-${sha256(style).slice(0, 12)}.css`, { type: 'text/css', text: style }],
  [`page-${sha256(script).slice(0, 12)}.js`, { type: 'text/javascript', text: script }],
]);

const [styleName = '', scriptName = ''] = [...assets.keys()];

/** A page of the console: nothing of it runs that is not a file of this server, and all of it works without a script. */
export function framed(page: Page, reader: Reader, path: string): string {
  return joined([
    markup`<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`,
    markup`<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n`,
    markup`<title>${page.title}</title>\n<link rel="stylesheet" href="/assets/${styleName}">\n</head>\n`,
    markup`<body class="tone-${page.tone}">\n${iconSprite()}\n<a class="skip" href="#ui:main">${page.skip}</a>\n`,
    bar(reader, path),
    markup`<header>${page.header}</header>\n<main id="ui:main" tabindex="-1">\n${page.main}\n</main>\n`,
    markup`<footer>${page.footer}</footer>\n<script src="/assets/${scriptName}"></script>\n</body>\n</html>\n`,
  ]).source;
}

function bar({ fleet, name, token, places }: Reader, path: string): Html {
  const links = places.map((place) => {
    const here = place.path === path ? markup` aria-current="page"` : '';
    return markup`<a href="${place.path}"${here}>${place.title}</a>`;
  });
  const who =
    name === undefined
      ? markup`<a class="who" href="/login">Sign in</a>`
      : markup`<span class="who">${name}</span>${form('/logout', token, markup`<button>Sign out</button> <button name="everywhere" value="yes">Sign out everywhere</button>`)}`;
  return markup`<nav class="bar" aria-label="Console"><div><a class="brand" href="/">${fleet}</a>${links}${who}</div></nav>\n`;
}

/** A form that writes. */
export function form(action: string, token: string | undefined, inner: Part): Html {
  return markup`<form method="post" action="${action}"><input type="hidden" name="token" value="${token ?? ''}">${inner}</form>`;
}

/** The head of a page that is no document; without a tone, nothing on it is good or bad. */
export function headHtml(tone: Page['tone'] | undefined, title: string, about: Part, below: Part = ''): Html {
  const theme = markup`<button id="ui:theme" type="button" hidden>${icon('theme')}<span>Colours: auto</span></button>`;
  const words = about === '' ? '' : markup`<p class="about">${about}</p>`;
  const sign = tone === undefined ? '' : icon(tone);
  return markup`<div class="verdict ${tone ?? ''}">${sign}<div>${words}<h1>${title}</h1></div></div>${theme}${below}`;
}

/** What else there is of the same thing. */
export function tabsHtml(label: string, places: readonly Place[], here: string): Html {
  const links = places.map(
    ({ path, title }) => markup`<a href="${path}"${path === here ? markup` aria-current="page"` : ''}>${title}</a>`,
  );
  return markup`<nav class="tabs" aria-label="${label}">${links}</nav>`;
}

/** A page that says one thing, and where to go from there. */
export function wordsPage(title: string, words: Part, tone: Page['tone'] = 'incomplete'): Page {
  const main = markup`<section class="card"><p>${words}</p></section>`;
  return { title, tone, skip: 'To the contents', header: headHtml(tone, title, ''), main, footer: '' };
}

export const noPage = wordsPage(
  'No such page',
  markup`Nothing is at this address, or it is kept no more. <a href="/">To the stacks</a>`,
);
