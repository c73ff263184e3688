import { driftSeverities } from '@platform-sync/core/model/drift';
import type { NewsFinding } from '@platform-sync/core/model/drift-news';
import type { Json } from '@platform-sync/core/model/value';
import { checkVerdict, findingClause, findingName } from '@platform-sync/report/words/drift';
import { shortened } from '@platform-sync/report/view/brief';
import type { MessagePlace } from './message-place.js';
import { escaped, linked, part, section, span } from './slack-text.js';
import type { SortedNews } from './sorted-news.js';

/** The message in the form that Slack, and what imitates it, takes. */
export function slackMessage(news: SortedNews, { link, ownersOf }: MessagePlace): Json {
  const { check } = news;
  const text = checkVerdict(check);
  const again = news.recovered ? '*The check can be made again.* ' : '';
  const title = `${again}*${escaped(text)}*\nProject ${span(check.project)}, stack ${span(check.stack)}`;
  const findingLines = (found: readonly NewsFinding[]): readonly string[] =>
    bySeverity(found).map((one) => findingLine(one, ownersOf(one.source ?? '')));
  const parts = [
    part('New', findingLines(news.appeared)),
    part('Worse', findingLines(news.worse)),
    part(
      'Could not be compared',
      news.unread.map((entry) => `${span(entry.address ?? entry.type)} ${escaped(entry.diagnostic.summary)}`),
    ),
    part(
      'Resolved',
      news.resolved.map((entry) => span(findingName(entry))),
    ),
    part(
      check.status === 'failed' ? 'Problems' : 'Problems meanwhile',
      news.problems.map(({ summary }) => escaped(summary)),
    ),
  ].filter((found) => found !== '');
  return {
    text: news.recovered ? `The check can be made again. ${text}` : text,
    blocks: [title, ...parts, ...linked(link, 'The run with the whole report')].map(section),
  };
}

/** Worst first: the list is cut. */
function bySeverity(found: readonly NewsFinding[]): readonly NewsFinding[] {
  const weight = ({ severity }: NewsFinding): number => driftSeverities.indexOf(severity);
  return [...found].sort((a, b) => weight(a) - weight(b));
}

function findingLine(finding: NewsFinding, owners: readonly string[]): string {
  const { severity, id, source } = finding;
  const name = finding.name === undefined ? '' : `: ${span(finding.name)}`;
  const values = finding.field === undefined ? '' : `: ${value(finding, 'old')} → ${value(finding, 'new')}`;
  const where = source === undefined ? '' : ` in ${span(source)}`;
  const whose = owners.length === 0 ? '' : `, of ${owners.map(span).join(' ')}`;
  const often = finding.flaps === undefined ? '' : `; it comes and goes (${finding.flaps} times)`;
  return `${severity}: ${span(findingName(finding))} ${findingClause(finding)}${name}${values}${where}${whose}${often} (${id})`;
}

/** A value on one line; a secret is one, and what is long is in the report. */
function value({ cut = [], ...finding }: NewsFinding, name: 'old' | 'new'): string {
  const found = finding[name];
  if (found === undefined) return '(none)';
  if (!cut.includes(name) || typeof found !== 'string') return span(shortened(found));
  return `${span(`${found.slice(0, 80)}…`)} (long: see the report)`;
}
