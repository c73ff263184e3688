import { ownMember } from '@platform-sync/core/model/value';
import { markup, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import { headHtml } from './frame.js';
import type { AuditCheck, AuditRow } from './store.js';
import { card, moment, tableHtml } from './table.js';

const acts: Readonly<Record<string, string>> = {
  login: 'sign in',
  'POST /logout': 'sign out',
  'POST /jobs': 'ask for a job',
  'POST /tokens': 'make a token',
  'POST /tokens/:id/end': 'end a token',
  'GET /audit': 'open the audit',
  'GET /tokens': 'open the tokens',
};

/** What somebody wanted, in words: `accept drift`, `approve`, or the route where nothing better is known. */
function actHtml(act: string): Part {
  const [, verb] = /^POST \/stacks\/:project\/:stack\/(?:plans\/:effect\/|drift\/)?([a-z-]+)$/.exec(act) ?? [];
  const words = ownMember(acts, act) ?? verb?.replaceAll('-', ' ');
  if (words === undefined) return markup`<code>${act.replace(' /stacks/:project/:stack', ' ')}</code>`;
  return act.includes('/drift/') ? `${words} drift` : words;
}

/** Who asked for what, and what came of it, the newest first. */
export function auditPage(rows: readonly AuditRow[]): Page {
  const lines = rows.map(({ number, at, who, act, target, outcome, words }) => [
    ...[number, moment(at), who, actHtml(act), target],
    markup`<span class="mark ${outcome === 'done' ? 'add' : 'remove'}">${outcome}</span>`,
    // Whole in the database.
    words.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1'),
  ]);
  const oldest = rows.at(-1)?.number;
  const more =
    oldest === undefined || Number(oldest) <= 1 ? '' : markup`<p><a href="/audit?before=${oldest}">Earlier</a></p>`;
  return {
    ...{ title: 'Audit', tone: 'changes', skip: 'To the rows' },
    header: headHtml(undefined, 'Audit', 'Who asked for what, and what came of it'),
    main: card('rows', 'Rows', rows.length, [
      tableHtml(['no.', 'at', 'who', 'act', 'of', 'outcome', 'why'], lines),
      more,
    ]),
    footer: markup`<p>Times are UTC. Every row is bound to the one before it by a digest: <a href="/audit/check">check them all</a>.</p>`,
  };
}

/** Whether the audit is whole. Who may write to the database could write another one: a digest that somebody keeps elsewhere tells. */
export function auditCheckPage({ rows, digest, wrong, at }: AuditCheck, noted: string | undefined): Page {
  const isLost = noted !== undefined && at === undefined;
  const verdict =
    wrong !== undefined
      ? `Row ${String(wrong)} is missing, or not as it was written`
      : isLost
        ? 'No row has this digest: the audit is not the one that it was taken from'
        : `${count(rows, 'row')}, each as it was written`;
  const tone = wrong === undefined && !isLost ? 'clean' : 'blocked';
  const told = at === undefined ? '' : markup`<p>The digest that you noted is that of row ${at}.</p>`;
  const field_ = markup`<form class="filters" action="/audit/check"><label>A digest that you noted <input type="search" name="digest" maxlength="64" value="${noted ?? ''}"></label> <button>Look for it</button></form>`;
  return {
    ...{ title: 'Audit', tone, skip: 'To the digest' },
    header: headHtml(tone, verdict, 'Audit'),
    main: card('digest', 'Digest', undefined, [markup`<p>Of row ${rows}: <code>${digest}</code></p>${told}`, field_]),
    footer: markup`<p>Note the digest where nobody who can write to the database can write. <a href="/audit">To the rows</a></p>`,
  };
}
