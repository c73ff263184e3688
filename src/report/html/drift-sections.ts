import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { DriftResult } from '../../engine/model/drift.js';
import { endWords, findingName, shortTime } from '../words/drift.js';
import { count } from '../words/plural.js';
import { typeName } from '../words/type-name.js';
import { entities, text } from './escape.js';
import { section } from './sections.js';

/** Errors that kept the check from being made, and warnings. */
export function problemsHtml({ diagnostics }: DriftResult): string {
  return listed('problems', 'Problems', diagnostics.map(problem));
}

/** What could not be read; nothing is claimed about it. */
export function driftNotComparedHtml({ notCompared }: DriftResult): string {
  const items = notCompared.map(({ address, type, firstSeen, diagnostic }) => {
    const name = address === undefined ? '' : `<b>${text(address)}</b> `;
    return `${name}<span class="type">${entities(typeName(type))}</span> since ${text(shortTime(firstSeen))}: ${problem(diagnostic)}`;
  });
  return listed('not-compared', 'Not compared', items, 'Nothing is claimed about these.');
}

export function resolvedHtml({ resolved }: DriftResult): string {
  const items = resolved.map(
    (finding) =>
      `<b>${text(findingName(finding))}</b>: ${entities(endWords[finding.by])} (first seen ${text(shortTime(finding.firstSeen))})`,
  );
  return listed('resolved', 'Resolved since the last check', items);
}

/** What is no drift. */
export function driftRestHtml({ ignored, unapplied, converged, unmanaged }: DriftResult): string {
  const rules = ignored.map(({ until, reason, ...found }) => {
    const end = until === undefined ? '' : ` until ${text(until)}`;
    return `<b>${text(findingName(found))}</b>${end}: ${text(reason)}`;
  });
  const waiting = unapplied.map(({ address, action, fields, source }) => {
    const what = fields.length === 0 ? '' : ` of ${fields.map((field) => `<code>${text(field)}</code>`).join(', ')}`;
    const where = source === undefined ? '' : ` <span class="place">${text(source)}</span>`;
    return `${text(action)} <b>${text(address)}</b>${what}${where}`;
  });
  const settled = converged.map((found) => `<b>${text(findingName(found))}</b>`);
  const others = unmanaged.map(
    ({ type, under, count: number }) =>
      `${Number(number)} ${entities(typeName(type))}${under === undefined ? '' : ` under ${text(under)}`}`,
  );
  return [
    listed('ignored', 'Ignored by a rule', rules),
    listed('unapplied', 'In the catalogue and not applied yet', waiting),
    listed(
      'converged',
      `${count(converged.length, 'change')} outside that ended where the catalogue wants it`,
      settled,
    ),
    listed('unmanaged', 'Neither in the catalogue nor in state', others),
  ].join('');
}

function problem({ code, summary, detail, hint }: Diagnostic): string {
  const more = [detail, hint].filter((part) => part !== undefined).map((part) => `<br>${text(part)}`);
  return `<code>${text(code)}</code> ${text(summary)}${more.join('')}`;
}

function listed(id: string, title: string, items: readonly string[], lead = ''): string {
  if (items.length === 0) return '';
  const before = lead === '' ? '' : `<p>${entities(lead)}</p>`;
  return section(id, title, `${before}<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`);
}
