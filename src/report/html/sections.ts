import type { Address } from '../../engine/model/address.js';
import type { Plan, PlanValue } from '../../engine/model/plan.js';
import { dangerKinds, dangerTitles } from '../view/danger.js';
import type { Danger } from '../view/danger.js';
import { liftingWords } from '../words/guards.js';
import { specChangeText } from '../openapi/words.js';
import { typeName } from '../words/type-name.js';
import { inline } from '../words/value.js';
import { link } from './anchors.js';
import { entities, text } from './escape.js';

type Anchors = ReadonlyMap<Address, string>;

/** What can hurt, by kind, each with a link to its change. */
export function dangerHtml(dangers: readonly Danger[], anchors: Anchors): string {
  const groups = dangerKinds.map((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    if (found.length === 0) return '';
    const open = found.length <= 20 ? ' open' : '';
    const items = found.map((danger) => `<li>${dangerItem(danger, anchors)}</li>`).join('');
    return `<details${open}><summary>${dangerTitles[kind]}: ${found.length}</summary><ul>${items}</ul></details>`;
  });
  return section('danger', 'What can hurt', groups.join(''));
}

function dangerItem({ step, clauses, breaks }: Danger, anchors: Anchors): string {
  const also = [...clauses, ...breaks.map((change) => `breaks clients: ${specChangeText(change)}`)];
  const tail = also.length === 0 ? '' : `<ul>${also.map((clause) => `<li>${entities(clause)}</li>`).join('')}</ul>`;
  return `${link(step.address, anchors)} <span class="type">${entities(typeName(step.type))}</span>${tail}`;
}

/** The guards that hold the plan back with the words that lift them, and those that were lifted. */
export function guardsHtml(plan: Plan, anchors: Anchors): string {
  const blocking = plan.guards.filter((guard) => guard.lifted === undefined);
  const items = plan.guards.map((guard) => {
    const reason = guard.lifted === undefined ? '' : ` — lifted: ${text(guard.lifted)}`;
    const names = guard.addresses.map((address) => link(address, anchors)).join(', ');
    return `<li><code>${text(guard.name)}</code> ${text(guard.summary)}${reason}${names === '' ? '' : `<br>${names}`}</li>`;
  });
  const words =
    blocking.length === 0
      ? ''
      : `<p>To go ahead, repeat the command with:</p><pre>${text(liftingWords(blocking))}</pre>`;
  return section('guards', 'Guards', items.length === 0 ? '' : `<ul>${items.join('')}</ul>${words}`);
}

/** What could not be read; nothing is claimed about it. */
export function notComparedHtml(plan: Plan): string {
  const items = plan.notCompared.map(({ address, type, diagnostic }) => {
    const detail = diagnostic.detail === undefined ? '' : `<br>${text(diagnostic.detail)}`;
    const hint = diagnostic.hint === undefined ? '' : `<br>${text(diagnostic.hint)}`;
    return `<li><b>${text(address ?? '')}</b> <span class="type">${entities(typeName(type))}</span> <code>${text(diagnostic.code)}</code> ${text(diagnostic.summary)}${detail}${hint}</li>`;
  });
  const body = items.length === 0 ? '' : `<p>Nothing is claimed about these.</p><ul>${items.join('')}</ul>`;
  return section('not-compared', 'Not compared', body);
}

/** Outputs, warnings, drift of fields that are not managed, objects that are not. */
export function restHtml(plan: Plan): string {
  const outputs = plan.outputs.map(({ name, old, new: now }) => `<code>${text(name)}</code> ${sides(old, now)}`);
  const notices = plan.notices.map(
    (notice) => `${text(notice.summary)}${notice.hint === undefined ? '' : ` ${text(notice.hint)}`}`,
  );
  const undeclared = plan.undeclaredChanges.map(
    ({ address, field, old, new: now }) => `<code>${text(`${address}.${field}`)}</code> ${sides(old, now)}`,
  );
  const unmanaged = plan.unmanaged
    .filter((item) => item.count > 0)
    .map(
      (item) =>
        `${item.count} ${entities(typeName(item.type))}${item.under === undefined ? '' : ` under ${text(item.under)}`}`,
    );
  return [
    list('outputs', 'Outputs', outputs),
    list('notices', 'Warnings', notices),
    list('undeclared', 'Changed outside in fields the catalogue does not mention (left alone)', undeclared),
    list('unmanaged', 'Neither in the catalogue nor in state', unmanaged),
  ].join('');
}

function sides(old: PlanValue | undefined, now: PlanValue | undefined): string {
  const shown = (value: PlanValue | undefined): string => (value === undefined ? '(none)' : entities(inline(value)));
  return `<del>${shown(old)}</del> → <ins>${shown(now)}</ins>`;
}

function list(id: string, title: string, items: readonly string[]): string {
  return section(id, title, items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`);
}

/** A titled part of the page; nothing when there is nothing to say. */
export function section(id: string, title: string, body: string): string {
  if (body === '') return '';
  return `<section id="ui:${id}" aria-labelledby="ui:${id}:title"><h2 id="ui:${id}:title">${title}</h2>${body}</section>`;
}
