import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { DriftResult } from '../../engine/model/drift.js';
import { endWords, findingName, shortTime } from '../words/drift.js';
import { count } from '../words/plural.js';
import { typeName } from '../words/type-name.js';
import { joined, markup, type Html, type Part } from './html.js';
import { section } from './sections.js';

/** Errors that kept the check from being made, and warnings. */
export function problemsHtml({ diagnostics }: DriftResult): Part {
  return listed('problems', 'Problems', diagnostics.map(problem));
}

/** What could not be read; nothing is claimed about it. */
export function driftNotComparedHtml({ notCompared }: DriftResult): Part {
  const items = notCompared.map(({ address, type, firstSeen, diagnostic }) => {
    const name = address === undefined ? '' : markup`<b>${address}</b> `;
    return markup`${name}<span class="type">${typeName(type)}</span> since ${shortTime(firstSeen)}: ${problem(diagnostic)}`;
  });
  return listed('not-compared', 'Not compared', items, 'Nothing is claimed about these.');
}

export function resolvedHtml({ resolved }: DriftResult): Part {
  const items = resolved.map(
    (finding) =>
      markup`<b>${findingName(finding)}</b>: ${endWords[finding.by]} (first seen ${shortTime(finding.firstSeen)})`,
  );
  return listed('resolved', 'Resolved since the last check', items);
}

/** What is no drift. */
export function driftRestHtml({ ignored, unapplied, converged, unmanaged }: DriftResult): Part {
  const rules = ignored.map(({ until, reason, ...found }) => {
    const end = until === undefined ? '' : ` until ${until}`;
    return markup`<b>${findingName(found)}</b>${end}: ${reason}`;
  });
  const waiting = unapplied.map(({ address, action, fields, source }) => {
    const what =
      fields.length === 0
        ? ''
        : markup` of ${joined(
            fields.map((field) => markup`<code>${field}</code>`),
            ', ',
          )}`;
    const where = source === undefined ? '' : markup` <span class="place">${source}</span>`;
    return markup`${action} <b>${address}</b>${what}${where}`;
  });
  const ended = converged.map((found) => markup`<b>${findingName(found)}</b>`);
  const others = unmanaged.map(
    ({ type, under, count: number }) =>
      `${Number(number)} ${typeName(type)}${under === undefined ? '' : ` under ${under}`}`,
  );
  return joined([
    listed('ignored', 'Ignored by a rule', rules),
    listed('unapplied', 'In the catalogue and not applied yet', waiting),
    listed('converged', `${count(converged.length, 'change')} outside that ended where the catalogue wants it`, ended),
    listed('unmanaged', 'Neither in the catalogue nor in state', others),
  ]);
}

function problem({ code, summary, detail, hint }: Diagnostic): Html {
  const more = [detail, hint].filter((part) => part !== undefined).map((part) => markup`<br>${part}`);
  return markup`<code>${code}</code> ${summary}${more}`;
}

function listed(id: string, title: string, items: readonly Part[], lead = ''): Part {
  if (items.length === 0) return '';
  const before = lead === '' ? '' : markup`<p>${lead}</p>`;
  return section(id, title, markup`${before}<ul>${items.map((item) => markup`<li>${item}</li>`)}</ul>`);
}
