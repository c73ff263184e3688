import { driftSeverities } from '@platform-sync/core/model/drift';
import type { NewsFinding } from '@platform-sync/core/model/drift-news';
import type { Json } from '@platform-sync/core/model/value';
import { checkVerdict, findingClause, findingName } from '@platform-sync/report/words/drift';
import { shortened } from '@platform-sync/report/view/brief';
import { visible } from '@platform-sync/report/words/escape';
import type { MessagePlace } from './message-place.js';
import type { SortedNews } from './sorted-news.js';

const mostListed = 15;
// The service refuses longer texts.
const longestBlock = 2900;

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
  // The service's own form of a link; the address is one of the pipeline's.
  const footer = link === undefined ? [] : [`<${entities(link)}|The run with the whole report>`];
  return {
    text: news.recovered ? `The check can be made again. ${text}` : text,
    blocks: [title, ...parts, ...footer].map(section),
  };
}

/** Worst first: the list is cut. */
function bySeverity(found: readonly NewsFinding[]): readonly NewsFinding[] {
  const weight = ({ severity }: NewsFinding): number => driftSeverities.indexOf(severity);
  return [...found].sort((a, b) => weight(a) - weight(b));
}

function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, mostListed).map((line) => `• ${line}`);
  const hidden = lines.length - shown.length;
  return [`*${title}: ${lines.length}*`, ...shown, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n');
}

function findingLine(finding: NewsFinding, owners: readonly string[]): string {
  const { severity, id, source } = finding;
  const name = finding.name === undefined ? '' : `: ${span(finding.name)}`;
  const values = finding.field === undefined ? '' : `: ${value(finding, 'old')} → ${value(finding, 'new')}`;
  const where = source === undefined ? '' : ` in ${span(source)}`;
  const whose = owners.length === 0 ? '' : `, of ${owners.map(span).join(' ')}`;
  return `${severity}: ${span(findingName(finding))} ${findingClause(finding)}${name}${values}${where}${whose} (${id})`;
}

/** A value on one line; a secret is one, and what is long is in the report. */
function value({ cut = [], ...finding }: NewsFinding, name: 'old' | 'new'): string {
  const found = finding[name];
  if (found === undefined) return '(none)';
  if (!cut.includes(name) || typeof found !== 'string') return span(shortened(found));
  return `${span(`${found.slice(0, 80)}…`)} (long: see the report)`;
}

function section(text: string): Json {
  // Cut between lines, so that no escape and no code span is cut in two.
  const lines = text.split('\n');
  while (lines.join('\n').length > longestBlock && lines.length > 1) lines.pop();
  return { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n').slice(0, longestBlock) } };
}

/** A name in code: neither a mention nor markup. */
function span(text: string): string {
  const shown = visible(text).slice(0, 200).replaceAll('`', "'");
  return `\`${entities(shown)}\``;
}

/** Words with names in them: what the service reads as markup or as a mention is taken out. */
function escaped(text: string): string {
  return entities(
    visible(text)
      .slice(0, 400)
      .replace(/[`*_~]/g, ' ')
      .replaceAll('@', '(at)'),
  );
}

function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
