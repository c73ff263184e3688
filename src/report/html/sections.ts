import type { Address } from '../../engine/model/address.js';
import type { Plan, PlanValue } from '../../engine/model/plan.js';
import { dangerKinds, dangerTitles, type Danger } from '../view/danger.js';
import { placeText } from '../words/diagnostics.js';
import { expiredSentence, liftingWords } from '../words/guards.js';
import type { GuardsShown } from '../view/guards-shown.js';
import { adoptCommand, besidesNoRecord } from '../words/no-record.js';
import { clientClause } from '../openapi/words.js';
import { typeName } from '../words/type-name.js';
import { importCommand, unmanagedWords } from '../words/unmanaged.js';
import { inline } from '../words/value.js';
import { link } from './anchors.js';
import { joined, markup, type Html, type Part } from './html.js';

type Anchors = ReadonlyMap<Address, string>;

/** What can hurt, by kind, each with a link to its change. */
export function dangerHtml(dangers: readonly Danger[], anchors: Anchors): Part {
  const groups = dangerKinds.flatMap((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    if (found.length === 0) return [];
    const open = found.length <= 20 ? ' open' : '';
    const items = found.map((danger) => markup`<li>${dangerItem(danger, anchors)}</li>`);
    return [
      markup`<details${open}><summary>${dangerTitles[kind]}: ${found.length}</summary><ul>${items}</ul></details>`,
    ];
  });
  return section('danger', 'What can hurt', groups);
}

function dangerItem({ step, clauses, forClients }: Danger, anchors: Anchors): Html {
  const also = [...clauses, ...forClients.map(clientClause)];
  const tail = also.length === 0 ? '' : markup`<ul>${also.map((clause) => markup`<li>${clause}</li>`)}</ul>`;
  return markup`${link(step.address, anchors)} <span class="type">${typeName(step.type)}</span>${tail}`;
}

/** The guards that hold the plan back with the words that lift them, and those that were lifted. */
export function guardsHtml({ guards, adoption }: GuardsShown, anchors: Anchors): Part {
  const blocking = guards.filter((guard) => guard.lifted === undefined);
  const items = [...(adoption === undefined ? [] : [adoption]), ...guards].map((guard) => {
    const expired = guard.expired === undefined ? '' : ` (${expiredSentence(guard.expired)})`;
    const reason = guard.lifted === undefined ? expired : ` — lifted: ${guard.lifted}`;
    const names = joined(
      guard.addresses.map((address) => link(address, anchors)),
      ', ',
    );
    return markup`<li><code>${guard.name}</code> ${guard.summary}${reason}${guard.addresses.length === 0 ? '' : markup`<br>${names}`}</li>`;
  });
  const cure = adoption === undefined ? '' : markup`<p>Record what exists first:</p><pre>${adoptCommand}</pre>`;
  const words =
    blocking.length === 0
      ? ''
      : markup`<p>To go ahead, repeat the command with:</p><pre>${liftingWords(blocking)}</pre>`;
  return section('guards', 'Guards', items.length === 0 ? '' : markup`<ul>${items}</ul>${cure}${words}`);
}

/** What could not be read; nothing is claimed about it. */
export function notComparedHtml(plan: Plan): Part {
  const items = plan.notCompared.map(({ address, type, diagnostic }) => {
    const detail = diagnostic.detail === undefined ? '' : markup`<br>${diagnostic.detail}`;
    const hint = diagnostic.hint === undefined ? '' : markup`<br>${diagnostic.hint}`;
    return markup`<li><b>${address ?? ''}</b> <span class="type">${typeName(type)}</span> <code>${diagnostic.code}</code> ${diagnostic.summary}${detail}${hint}</li>`;
  });
  const body = items.length === 0 ? '' : markup`<p>Nothing is claimed about these.</p><ul>${items}</ul>`;
  return section('not-compared', 'Not compared', body);
}

/** Outputs, what is left out, warnings, drift of fields that are not managed, objects that are not. */
export function restHtml(plan: Plan): Part {
  const outputs = plan.outputs.map(({ name, old, new: now }) => markup`<code>${name}</code> ${sides(old, now)}`);
  const leftOut = (plan.leftOut ?? []).map(
    ({ address, type, action, needs }) =>
      markup`${action} <b>${address}</b> <span class="type">${typeName(type)}</span>${needs === undefined ? '' : markup`, which waits for <b>${needs}</b>`}`,
  );
  const notices = besidesNoRecord(plan.notices).map(
    ({ summary, place, hint }) =>
      `${summary}${place === undefined ? '' : ` (${placeText(place)})`}${hint === undefined ? '' : ` ${hint}`}`,
  );
  const undeclared = plan.undeclaredChanges.map(
    ({ address, field, old, new: now }) => markup`<code>${`${address}.${field}`}</code> ${sides(old, now)}`,
  );
  const unmanaged = plan.unmanaged
    .filter((item) => item.count > 0)
    .map((item) => `${item.count} ${typeName(item.type)}${item.under === undefined ? '' : ` under ${item.under}`}`);
  const watched = (plan.meta.unmanaged ?? []).map(
    (object) => markup`<b>${object.name}</b> ${unmanagedWords(object)}<br><code>${importCommand(object)}</code>`,
  );
  return joined([
    list('outputs', 'Outputs', outputs),
    list('left-out', 'Left out, as nothing is deleted', leftOut),
    list('notices', 'Warnings', notices),
    list('undeclared', 'Changed outside in fields the catalogue does not mention (left alone)', undeclared),
    list('watched', 'Nobody manages these', watched),
    list('unmanaged', 'Neither in the catalogue nor in state', unmanaged),
  ]);
}

function sides(old: PlanValue | undefined, now: PlanValue | undefined): Html {
  const shown = (value: PlanValue | undefined): string => (value === undefined ? '(none)' : inline(value));
  return markup`<del>${shown(old)}</del> → <ins>${shown(now)}</ins>`;
}

function list(id: string, title: string, items: readonly Part[]): Part {
  return section(
    id,
    title,
    items.length === 0 ? '' : markup`<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`,
  );
}

/** A titled part of the page; nothing when there is nothing to say. */
export function section(id: string, title: string, body: Part): Part {
  if (body === '' || (Array.isArray(body) && body.length === 0)) return '';
  return markup`<section id="ui:${id}" aria-labelledby="ui:${id}:title"><h2 id="ui:${id}:title">${title}</h2>${body}</section>`;
}
