import type { DriftResult, Finding } from '../engine/model/drift.js';
import type { Json } from '../engine/model/value.js';
import { driftVerdict, findingClause, findingName } from '../report/words/drift.js';
import { shortened } from '../report/view/brief.js';
import { visible } from '../report/words/escape.js';
import type { DriftNews } from './drift-news.js';

const mostListed = 15;
// The service refuses longer texts.
const longestBlock = 2900;

/** The message in the form that Slack, and what imitates it, takes. */
export function slackMessage(result: DriftResult, news: DriftNews, link?: string): Json {
  const text = driftVerdict(result);
  const again = news.recovered ? '*The check can be made again.* ' : '';
  const title = `${again}*${escaped(text)}*\nProject ${span(result.project)}, stack ${span(result.stack)}`;
  const parts = [
    part('New', news.appeared.map(findingLine)),
    part('Worse', news.worse.map(findingLine)),
    part(
      'Could not be compared',
      news.unchecked.map((entry) => `${span(entry.address ?? entry.type)} ${escaped(entry.diagnostic.summary)}`),
    ),
    part(
      'Resolved',
      news.resolved.map((entry) => span(findingName(entry))),
    ),
    part(
      'Problems',
      result.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => escaped(summary)),
    ),
  ].filter((found) => found !== '');
  // The service's own form of a link; the address is one of the pipeline's.
  const footer = link === undefined ? [] : [`<${entities(link)}|The run with the whole report>`];
  return {
    text: news.recovered ? `The check can be made again. ${text}` : text,
    blocks: [title, ...parts, ...footer].map(section),
  };
}

function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, mostListed).map((line) => `• ${line}`);
  const hidden = lines.length - shown.length;
  return [`*${title}: ${lines.length}*`, ...shown, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n');
}

function findingLine(finding: Finding): string {
  const { severity, id, source, old, new: now } = finding;
  const values = finding.field === undefined ? '' : `: ${value(old)} → ${value(now)}`;
  const where = source === undefined ? '' : ` in ${span(source)}`;
  return `${severity}: ${span(findingName(finding))} ${findingClause(finding)}${values}${where} (${id})`;
}

/** A value on one line; a secret is one, and what is long is in the report. */
function value(found: Json | undefined): string {
  return found === undefined ? '(none)' : span(shortened(found));
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
