import type { DriftResult, DriftVerb } from '../../engine/model/drift.js';
import { driftMarks, driftVerdict, endWords, findingName, partialDriftLine, shortTime } from '../words/drift.js';
import { commentLimit, fitted } from './budget.js';
import { findingDetails, findingsTable } from './drift-findings.js';
import { code, prose } from './escape.js';
import { count } from '../words/plural.js';
import { typeName } from '../words/type-name.js';

interface DriftMarkdownOptions {
  /** Default 60,000: the body of an issue may have 65,536. Not below 30,000. */
  readonly maxCharacters?: number;
  /**
   * For a text that stays: without what holds for this check only (what is news, what is resolved, what is no drift),
   * so that it is the same until a finding changes, the time of the check at its end aside.
   */
  readonly lasting?: boolean;
}

const caps = { notCompared: 6000, diagnostics: 4000, resolved: 3000, rest: 4000, closing: 1200 } as const;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/**
 * A drift check as the body of an issue: verdict, findings, each with its values and what to do, what was not compared,
 * what is resolved. Never longer than `maxCharacters`, and says what it left out. Times come last: the rest is the same
 * until something changes.
 */
export function driftMarkdown(result: DriftResult, options: DriftMarkdownOptions = {}): string {
  const { maxCharacters: max = commentLimit, lasting = false } = options;
  const head = header(result);
  const failed = list('### Problems', problems(result), caps.diagnostics);
  const notCompared = list('### Not compared', uncheckedItems(result), caps.notCompared);
  const resolved = lasting ? '' : list('### Resolved since the last check', resolvedItems(result), caps.resolved);
  const rest = lasting ? '' : list('### No drift', restItems(result), caps.rest);
  const end = closing(result, lasting);
  const others = [head, failed, notCompared, resolved, rest, end].reduce((sum, part) => sum + part.length, 0);
  let room = max - others - 200;
  const table = findingsTable(result.findings, Math.floor(room * 0.6), lasting);
  room -= table.length;
  const details = findingDetails(result.findings, room);
  return [head, failed, table, details, notCompared, resolved, rest, end].filter((part) => part !== '').join('\n');
}

function header(result: DriftResult): string {
  const targets = Object.values(result.targets).map((target) => code(target));
  const where = targets.length === 0 ? '' : ` at ${targets.join(', ')}`;
  const partial = result.partial === undefined ? '' : `\n${prose(partialDriftLine(result.partial), 500)}\n`;
  return `## ${driftMarks[result.status]} ${driftVerdict(result)}\n\nProject ${code(result.project)}, stack ${code(result.stack)}${where}.\n${partial}`;
}

function problems({ diagnostics }: DriftResult): readonly string[] {
  return diagnostics.map((found) => {
    const hint = found.hint === undefined ? '' : ` (${prose(found.hint, 200)})`;
    return `- ${code(found.code)} ${prose(found.summary, 300)}${hint}\n`;
  });
}

function uncheckedItems({ notCompared }: DriftResult): readonly string[] {
  return notCompared.map(({ address, type, diagnostic, firstSeen }) => {
    const name = address === undefined ? code(typeName(type)) : code(address);
    return `- ${name} since ${shortTime(firstSeen)}: ${prose(diagnostic.summary, 300)}\n`;
  });
}

function resolvedItems({ resolved }: DriftResult): readonly string[] {
  return resolved.map((finding) => `- ${code(findingName(finding))}: ${endWords[finding.by]}\n`);
}

function restItems(result: DriftResult): readonly string[] {
  const { ignored, unapplied, converged, unmanaged } = result;
  return [
    ...ignored.map((found) => {
      const until = found.until === undefined ? '' : ` until ${found.until}`;
      return `- ignored${until}: ${code(findingName(found))} (${prose(found.reason, 200)})\n`;
    }),
    ...unapplied.map(({ address, action, fields }) => {
      const what =
        fields.length === 0
          ? ''
          : ` of ${fields
              .slice(0, 6)
              .map((field) => code(field, 60))
              .join(', ')}`;
      return `- not applied yet: ${action} ${code(address)}${what}\n`;
    }),
    ...(converged.length === 0
      ? []
      : [`- ${count(converged.length, 'change')} outside ended where the catalogue wants it\n`]),
    ...unmanaged.map(({ type, under, count: number }) => {
      const where = under === undefined ? '' : ` under ${code(under)}`;
      return `- ${number} ${code(typeName(type), 60)} not managed${where}\n`;
    }),
  ];
}

function list(title: string, items: readonly string[], room: number): string {
  if (items.length === 0) return '';
  const heading = `${title}: ${items.length}\n\n`;
  return heading + fitted(items, room - heading.length, more).text;
}

function closing(result: DriftResult, lasting: boolean): string {
  return `${verbLines(result)}${lasting ? lastingNote(result) : checkNote(result)}\n`;
}

const verbNotes: Readonly<Record<DriftVerb, string>> = {
  revert: '# put the platform back, through a plan',
  accept: '# write the value into the catalogue',
  record: '# fine for now: told again when it moves',
  ignore: '--reason "why"   # leave it out of the check, by a rule',
};

/** What can be typed, for the finding that allows the most. */
function verbLines({ findings }: DriftResult): string {
  const [first] = findings;
  if (first === undefined) return '';
  const { id, verbs } = findings.reduce(
    (best, finding) => (finding.verbs.length > best.verbs.length ? finding : best),
    first,
  );
  if (verbs.length === 0) return '';
  const lines = verbs.map((verb) => `sync drift ${verb} ${id} ${verbNotes[verb]}\n`);
  return `### What to do\n\n\`\`\`sh\n${lines.join('')}\`\`\`\n\n`;
}

function checkNote(result: DriftResult): string {
  const first = oldest(result);
  const since = first === undefined ? '' : ` Oldest finding: ${shortTime(first)}.`;
  const success = result.lastSuccess === undefined ? 'never' : shortTime(result.lastSuccess);
  return `Checked ${shortTime(result.checkedAt)}; everything compared last: ${success}.${since}`;
}

function lastingNote({ checkedAt }: DriftResult): string {
  return `As of ${shortTime(checkedAt)}. This text is written anew when the findings change, and only then: notes belong into comments. The issue is closed when a check has compared everything and found no drift.`;
}

function oldest({ findings }: DriftResult): string | undefined {
  return findings.map(({ firstSeen }) => firstSeen).sort()[0];
}
