import { groupBy } from '@platform-sync/core/model/graph';
import { allChanges, type Change, type Changes, type Note } from '../document/document.js';
import { count } from '../words/value.js';
import { fieldHtml } from './diff.js';
import { lineAddress, type FilePlace } from '../view/review-place.js';
import { commandOf } from '../words/diagnostics.js';
import { joined, markup, type Html, type Part } from './html.js';
import { changeIcon } from './icons.js';
import { copyBlock, lineHtml, type Links, placeLink, placeName } from './line.js';

// So few are read anyway: nobody should have to open or to filter them.
const fewChanges = 3;

/**
 * The changes as a tree with its filters. Works as it is; the script only hides what a filter leaves out. No <ol>: a
 * browser counts its items anew for each one that is hidden, half a minute for 5,000.
 */
export function changesHtml(changes: Changes, links: Links): Html {
  const { title, number } = changes;
  const isOpen = number <= fewChanges;
  const items = tree(allChanges(changes)).map(({ change, depth }) => changeHtml(change, depth, isOpen, links));
  return markup`<section class="card" aria-labelledby="ui:changes"><h2 id="ui:changes">${title} <span class="number">${number}</span></h2>${isOpen ? '' : filters(changes)}<div id="ui:list" role="list">${items}</div></section>`;
}

// Deeper is a column without room for words.
const deepest = 4;

interface Node {
  readonly change: Change;
  readonly depth: number;
}

/** Each below what it lives in, or goes with; else in the order in which they are told. */
function tree(all: readonly Change[]): readonly Node[] {
  const keys = new Set(all.map(({ key }) => key));
  const children = groupBy(all, ({ below = '' }) => (keys.has(below) ? below : ''));
  const nodes = new Map<Change, Node>();
  const add = (change: Change, depth: number): void => {
    if (nodes.has(change)) return;
    nodes.set(change, { change, depth: Math.min(depth, deepest) });
    for (const child of children.get(change.key) ?? []) add(child, depth + 1);
  };
  for (const change of children.get('') ?? []) add(change, 0);
  // What goes with each other has no top.
  for (const change of all) add(change, 0);
  return [...nodes.values()];
}

function filters(changes: Changes): Html {
  const { kinds, kindTitle, alertTitle, number, title } = changes;
  const boxes = kinds.map(
    ([kind, found]) =>
      markup`<label class="toggle"><input type="checkbox" name="action" value="${kind}" checked> ${kind} (${found})</label>`,
  );
  const types = [...new Set(allChanges(changes).map(({ type }) => type))].filter((type) => type !== '').sort();
  const options = types.map((type) => markup`<option>${type}</option>`);
  return joined([
    markup`<form id="ui:filters" class="filters" role="search" aria-label="Filter the ${title.toLowerCase()}">`,
    markup`<fieldset><legend>${kindTitle}</legend>${joined(boxes, ' ')}</fieldset>`,
    markup`<label class="by"${types.length === 0 ? ' hidden' : ''}>Type <select id="ui:type"><option value="">all types</option>${options}</select></label>`,
    markup`<label class="by">Text <input id="ui:text" type="search" autocomplete="off" placeholder="address, field, value"></label>`,
    markup`<label class="toggle"><input id="ui:hurts" type="checkbox"> ${alertTitle}</label>`,
    markup`<button id="ui:expand" type="button">Open all</button>`,
    markup`<output id="ui:shown" aria-live="polite">${number} of ${number} shown</output></form>`,
  ]);
}

function changeHtml(change: Change, depth: number, isOpen: boolean, links: Links): Html {
  const { kind, tone, verb, name, type, clause, place, alert, notes, todo, commands } = change;
  const anchor = links.ids.get(change) ?? '';
  const fields = change.fields();
  const about = clause ?? (fields.length === 0 ? '' : count(fields.length, 'field'));
  const hurts = alert === undefined ? '' : markup`<span class="chip danger">${alert.words}</span>`;
  const shown = place === undefined ? '' : markup`<span class="where">${placeName(place, links.at)}</span>`;
  return joined([
    markup`<div id="${anchor}" class="step${depth === 0 ? '' : markup` d${depth}`}" role="listitem" data-action="${kind}" data-type="${type}"${alert === undefined ? '' : ' data-danger'}>`,
    markup`<details${isOpen ? ' open' : ''}><summary><span class="verb ${tone}">${changeIcon(change)}${verb === '' ? kind : verb}</span> `,
    markup`<span class="what"><b>${name}</b> ${type === '' ? '' : markup`<span class="type">${type}</span> `}<span class="count">${about}</span> ${hurts}</span>${shown}</summary>`,
    markup`<div class="body">`,
    notesHtml(notes, links),
    fields.length === 0 ? '' : markup`<dl class="fields">${fields.map(fieldHtml)}</dl>`,
    todo === undefined ? '' : markup`<p>${todo}</p>`,
    commands.length === 0
      ? ''
      : markup`<div class="commands">${commands.flatMap(({ each }) => each.map((one) => copyBlock([commandOf(one, links.at.stack)])))}</div>`,
    markup`<p class="place">${where(place, links)}<a href="#${anchor}">Link to this ${kind === verb ? 'change' : 'entry'}</a></p></div></details></div>`,
  ]);
}

/** The line itself, where there is a page of it. */
function where(place: FilePlace | undefined, { at }: Links): Part {
  if (place === undefined || lineAddress(place, at) === undefined) return '';
  return markup`${placeLink(place, at)} · `;
}

function notesHtml(notes: readonly Note[], links: Links): Part {
  const items = notes.map(({ label, line }) => {
    const head = label === undefined ? '' : markup`<span class="${label}">${label}</span> `;
    return markup`<li>${head}${lineHtml(line, links)}</li>`;
  });
  return items.length === 0 ? '' : markup`<ul class="notes">${items}</ul>`;
}
