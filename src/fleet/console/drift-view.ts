import type { DriftHistory, DriftVerb, SeenFinding } from '@platform-sync/core/model/drift';
import type { FleetRow, Settled } from '@platform-sync/core/model/fleet';
import { copyBlock } from '@platform-sync/report/html/line';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { findingName } from '@platform-sync/report/words/drift';
import { count } from '@platform-sync/report/words/value';
import { type Admission, admissions, suffices } from './access.js';
import { rowName, stackPath, stackTabs, type Standing } from './fleet-view.js';
import { form, headHtml, type Looker } from './frame.js';
import { card, moment, tableHtml } from './table.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

/** What can be done about findings, in the words of a button; the first is what is mostly right. */
const verbs: Readonly<Record<DriftVerb, { readonly words: string; readonly about: string }>> = {
  revert: { words: 'Put it back', about: 'makes a plan that waits for approval' },
  accept: { words: 'Accept it', about: 'proposes an edit of the catalogue' },
  ignore: { words: 'Ignore it…', about: 'proposes a rule that leaves it out of checks' },
  record: { words: 'Record it', about: 'takes it into the state: no finding until it moves again' },
};

/** Whoever sends one of these says which findings are meant. */
const prefix = 'finding:';

/** The findings that a form names. */
export function chosenIn(body: unknown): readonly string[] {
  const names = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

export function openFindings({ findings }: Pick<DriftHistory, 'findings'>): readonly SeenFinding[] {
  return findings.filter(({ resolvedAt }) => resolvedAt === undefined);
}

/** What changed behind the catalogue's back, with what can be done about it. */
export function driftCard(place: Place, open: readonly SeenFinding[], looker: Looker): Html {
  if (open.length === 0) return card('drift', 'Drift', 0, markup`<p class="empty">The last check found none.</p>`);
  const buttons = Object.entries(verbs).flatMap(([verb, { words, about }]) =>
    suffices(looker.role, roleFor(verb))
      ? [markup`<button formaction="${stackPath(place)}/drift/${verb}" title="${about}">${words}</button>`]
      : [],
  );
  const isOne = open.length === 1 ? markup` checked` : '';
  const lines = open.map((found) => [
    buttons.length === 0
      ? markup`<code>${findingName(found)}</code>`
      : markup`<label class="choice"><input type="checkbox" name="${prefix}${found.id}"${isOne}> <code>${findingName(found)}</code></label>`,
    markup`<span class="mark ${found.severity === 'high' ? 'remove' : 'change'}">${found.severity}</span>`,
    classWords[found.class],
    moment(found.firstSeen),
    moment(found.lastSeen),
  ]);
  const table = tableHtml(['what', 'severity', 'how', 'since', 'last seen'], lines);
  if (buttons.length === 0) return card('drift', 'Drift', open.length, table);
  const acts = markup`${table}<div class="acts">${buttons}</div>`;
  return card('drift', 'Drift', open.length, [form(`${stackPath(place)}/drift/revert`, looker.token, acts), legend]);
}

const legend = markup`<p class="about">${Object.values(verbs).map(({ words, about }, at) => markup`${at === 0 ? '' : ' · '}<b>${words.replace('…', '')}</b> ${about}`)}.</p>`;

export const classWords: Readonly<Record<SeenFinding['class'], string>> = {
  modified: 'changed outside',
  deleted: 'deleted outside',
  'undeclared-changed': 'changed outside; not in the catalogue',
  'expired-rule': 'its rule to ignore has run out',
  unmanaged: 'nobody manages it',
  'not-compared': 'could not be read',
};

function roleFor(verb: string): Exclude<Admission, 'anybody' | 'signed' | 'person'> {
  const admission = admissions[`POST /stacks/:project/:stack/drift/${verb}`];
  if (admission === undefined || admission === 'anybody' || admission === 'signed' || admission === 'person')
    throw new Error(`bug: no role is decided for ${verb}`);
  return admission;
}

interface DriftFacts {
  readonly row: Standing;
  readonly history: Pick<DriftHistory, 'findings' | 'lastCheck'>;
  readonly settled: readonly (Settled & { readonly at: string })[];
  /** What the head says of the stack. */
  readonly about: Part;
}

export function driftPage({ row, history, settled, about }: DriftFacts, looker: Looker): Page {
  const open = openFindings(history);
  const name = rowName(row);
  const isKnown = history.lastCheck !== undefined;
  const none = isKnown ? `No drift in ${name}` : `${name} was never checked`;
  const title = open.length === 0 ? none : `${count(open.length, 'change')} outside of ${name}`;
  const tone = open.length > 0 ? 'dangerous' : isKnown ? 'clean' : 'incomplete';
  const names = new Map(history.findings.map((found) => [found.id, findingName(found)]));
  return {
    ...{ title, tone, skip: 'To the findings' },
    header: headHtml(tone, title, markup`<a href="${stackPath(row)}">${name}</a>`, [stackTabs(row, '/drift'), about]),
    main: joined([driftCard(row, open, looker), settledCard(row, settled, names)], '\n'),
    footer: markup`<p>Times are UTC. What the values are, a plan says: the record keeps none of what drifted.</p>`,
  };
}

/** What somebody wanted done, and what came of it. */
function settledCard(place: Place, settled: DriftFacts['settled'], names: ReadonlyMap<string, string>): Part {
  if (settled.length === 0) return '';
  const lines = settled.map(({ at, verb, findings, by, outcome, words, url, diff, effect }) => [
    moment(at),
    markup`<span class="mark ${outcome === 'done' ? 'add' : 'remove'}">${verb}</span>`,
    findings.map((id, nth) => markup`${nth === 0 ? '' : ', '}<code>${names.get(id) ?? id}</code>`),
    by ?? '',
    [
      words,
      url === undefined || !/^https?:\/\//.test(url) ? '' : markup` <a href="${url}">The request</a>`,
      effect === undefined ? '' : markup` <a href="${stackPath(place)}/plans/${effect}">The plan</a>`,
      diff === undefined || diff === ''
        ? ''
        : markup`<details><summary>The edit</summary>${copyBlock(diff.trimEnd().split('\n'))}</details>`,
    ],
  ]);
  return card('settled', 'What was asked for', lines.length, tableHtml(['at', 'verb', 'of', 'by', 'outcome'], lines));
}

/** Asks why something is to be ignored. */
export function reasonPage(place: Place, findings: readonly SeenFinding[], token: string): Page {
  const fields = findings.map(({ id }) => markup`<input type="hidden" name="${prefix}${id}" value="on">`);
  const names = findings.map((found) => markup`<li><code>${findingName(found)}</code></li>`);
  const asked = markup`${fields}<label>Reason <input type="text" name="reason" required size="50" maxlength="300" autocomplete="off"></label><label>Until <input type="date" name="until"></label><button class="main">Propose the rule</button>`;
  return {
    ...{ title: 'Why is it ignored?', tone: 'changes', skip: 'To the reason' },
    header: headHtml(
      undefined,
      'Why is it ignored?',
      markup`<a href="${stackPath(place)}/drift">${rowName(place)}</a>`,
    ),
    main: card('reason', 'A rule for', findings.length, [
      markup`<ul>${names}</ul><p>The reason goes into sync.yaml, by a request that somebody merges. A plan still puts the value back.</p>`,
      markup`<div class="acts">${form(`${stackPath(place)}/drift/ignore`, token, asked)}</div>`,
    ]),
    footer: '',
  };
}
