import type { Cure, Item, Section } from '../document/document.js';
import { itemGroups, numberOf } from '../document/section.js';
import { commandOf } from '../words/hint.js';
import { joined, markup, type Html, type Part } from './html.js';
import { copyBlock, lineHtml, problemHtml, type Links } from './line.js';

const mostOpen = 20;

/** A titled card; what is aside is folded, unless it is all there is to read. */
export function sectionHtml(section: Section, links: Links, isOpen: boolean): Html {
  const { id, title, weight, lead, cure = [] } = section;
  const groups = itemGroups(section).map(([group, items]) => groupHtml(group, items, links));
  const body = [
    lead === undefined ? '' : markup`<p>${lead}</p>`,
    ...groups,
    ...cure.filter(({ where }) => where !== 'terminal').map((one) => cureHtml(one, links)),
  ];
  const number = markup`<span class="number">${numberOf(section.items)}</span>`;
  const heading = markup`<h2 id="ui:${id}:title">${title} ${number}</h2>`;
  const open = isOpen && section.items.length <= mostOpen ? ' open' : '';
  const inner =
    weight === 'aside'
      ? markup`<details${open}><summary>${heading}</summary>${body}</details>`
      : markup`${heading}${body}`;
  return markup`<section id="ui:${id}" class="card ${weight}" aria-labelledby="ui:${id}:title">${inner}</section>`;
}

function groupHtml(title: string | undefined, items: readonly Item[], links: Links): Part {
  const list = markup`<ul>${items.map((item) => itemHtml(item, links))}</ul>`;
  if (title === undefined) return list;
  const open = items.length <= mostOpen ? ' open' : '';
  return markup`<details${open}><summary class="group">${title} <span class="number">${numberOf(items)}</span></summary>${list}</details>`;
}

function itemHtml({ line, below = [], problem, causes = [], isAlike, number = 0 }: Item, links: Links): Html {
  const head = isAlike === true ? markup`<b>${number} alike:</b> ` : '';
  const text = problem === undefined ? lineHtml(line, links) : problemHtml(problem, links);
  const under = [...below.map((one) => lineHtml(one, links)), ...causes.map((found) => problemHtml(found, links))].map(
    (one) => markup`<li>${one}</li>`,
  );
  return markup`<li>${head}${text}${under.length === 0 ? '' : markup`<ul>${under}</ul>`}</li>`;
}

/** What to do: words, and a block that can be copied. */
export function cureHtml({ words, lines }: Cure, { at }: Links): Html {
  if (lines.length === 0) return markup`<p>${words}</p>`;
  return joined([markup`<p>${words}</p>`, copyBlock(lines.map((line) => commandOf(line, at.stack)))]);
}
