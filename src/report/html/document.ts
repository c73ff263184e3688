import { defined } from '@platform-sync/core/model/value';
import { allChanges, type Change, type Changes, type Document } from '../document/document.js';
import type { ReviewPlace } from '../view/review-place.js';
import { changesHtml } from './changes.js';
import { joined, markup, type Html, type Part } from './html.js';
import { changeIcon, icon } from './icons.js';
import { lineHtml, problemHtml, type Links, placeHtml } from './line.js';
import { type Page, pageHtml } from './page.js';
import { cureHtml, sectionHtml } from './sections.js';

/** A document as one page that needs nothing else: no network, no other file. Never cut. */
export function documentHtml(document: Document, at: ReviewPlace = {}): string {
  return pageHtml(documentPage(document, at));
}

/** The same in parts, for whoever has a frame of their own. */
export function documentPage(document: Document, at: ReviewPlace = {}): Page {
  const { tone, changes, sections, next, subject } = document;
  const links = { at: { ...at, ...defined({ stack: subject.stack }) }, ...anchorsOf(changes) };
  const steps = next.filter(({ where }) => where !== 'terminal').map((one) => cureHtml(one, links));
  const isAside = (id: string): boolean => id === 'not-compared' || id === 'done';
  return {
    title: titleOf(document),
    tone,
    skip: changes === undefined ? 'To the contents' : `To the ${changes.title.toLowerCase()}`,
    header: headerHtml(document, links),
    main: joined(
      [
        ...sections
          .filter(({ id, weight }) => weight !== 'aside' && !isAside(id))
          .map((section) => sectionHtml(section, links, true)),
        changes === undefined ? '' : changesHtml(changes, links),
        ...sections
          .filter(({ id, weight }) => weight === 'aside' || isAside(id))
          .map((section) => sectionHtml(section, links, changes === undefined)),
        steps.length === 0
          ? ''
          : markup`<section class="card" aria-labelledby="ui:next"><h2 id="ui:next">What to do</h2>${steps}</section>`,
      ],
      '\n',
    ),
    footer: footerHtml(document, links),
  };
}

function titleOf({ verdict, subject: { what, project, stack } }: Document): string {
  return project === undefined ? verdict : `${what} ${project}${stack === undefined ? '' : `, stack ${stack}`}`;
}

/** Key of a change → id of its element, so that `plan.html#petstore/guide` leads there. Own ids hold a colon, no key does. */
function anchorsOf(changes: Changes | undefined): Pick<Links, 'anchors' | 'ids'> {
  const anchors = new Map<string, string>();
  const ids = new Map<Change, string>();
  for (const [at, change] of allChanges(changes).entries()) {
    const { key } = change;
    const isPlain = !anchors.has(key) && /^[A-Za-z0-9_/-]+$/.test(key);
    const id = isPlain ? key : `step:${at}`;
    ids.set(change, id);
    if (!anchors.has(key)) anchors.set(key, id);
  }
  return { anchors, ids };
}

function headerHtml({ subject, verdict, tone, facts, changes }: Document, links: Links): Html {
  const { what, project, stack, targets } = subject;
  const servers = Object.entries(targets).map(([name, target]) => `${name} at ${target}`);
  const about =
    project === undefined ? '' : markup`<p class="about">${what} <b>${project}</b>, stack <b>${stack ?? ''}</b></p>`;
  return joined([
    markup`<div class="verdict ${tone}">${icon(tone)}<div>${about}<h1>${verdict}</h1></div></div>`,
    markup`<button id="ui:theme" type="button" hidden>${icon('theme')}<span>Colours: auto</span></button>`,
    changes === undefined ? '' : chipsHtml(changes),
    ...facts.map(({ weight, line, problem }) =>
      problem === undefined
        ? markup`<p class="fact ${weight}">${lineHtml(line, links)}</p>`
        : markup`<div class="fact ${weight}">${problemHtml(problem, links)}</div>`,
    ),
    markup`<div class="meta">${servers.map((server) => markup`<span>${server}</span>`)}${placeHtml(links.at)}</div>`,
  ]);
}

/** How much there is of each kind: told before anything is read. */
function chipsHtml(changes: Changes): Part {
  const { kinds } = changes;
  const all = allChanges(changes);
  const chips = kinds.map(([kind, number]) => {
    const one = all.find((change) => change.kind === kind);
    const sign = one === undefined ? '' : changeIcon(one);
    return markup`<li class="chip ${one?.tone ?? 'state'}">${sign}<b>${number}</b> ${kind}</li>`;
  });
  return markup`<ul class="chips" aria-label="Counts">${chips}</ul>`;
}

function footerHtml({ source, made, changes }: Document, links: Links): Html {
  const words =
    'Keys on an entry: arrows, Home and End move, Enter opens; Escape in the filters shows everything again.';
  const keys = changes === undefined ? '' : markup`<p>${words}</p>`;
  const lines = [source, made].filter((line) => line.length > 0).map((line) => lineHtml(line, links));
  return markup`${keys}${lines.length === 0 ? '' : markup`<p>${joined(lines, ' · ')}</p>`}`;
}
