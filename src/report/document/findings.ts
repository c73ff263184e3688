import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FilePlace } from '../view/review-place.js';
import { visible } from '../words/escape.js';
import { hintLines, sentences } from '../words/diagnostics.js';
import { allChanges, type Change, type Document, type Item, type Section } from './document.js';
import { lineText } from './section.js';
import { findingLevels, findingRules, isDanger, type FindingLevel, type FindingRule } from './rules.js';

/** Something that a tool shows at a line of a file. Texts are visible, not escaped for a form. */
export interface Finding {
  readonly rule: FindingRule;
  readonly level: FindingLevel;
  readonly message: string;
  readonly address?: Address;
  /** The line that caused it; what has left the catalogue has none. */
  readonly place?: FilePlace;
  /** The same mistake elsewhere: who has little room says only where. */
  readonly others: readonly Finding[];
  /** The same for the same finding in a later document. Hex. */
  readonly fingerprint: string;
}

/** Everything in a document that belongs to a line or must be seen, worst first, else in the order of the document. */
export function documentFindings(document: Document): readonly Finding[] {
  const first = document.facts.flatMap(({ problem }) => (problem === undefined ? [] : [problemFinding(problem)]));
  const bare = [...first, ...document.sections.flatMap(sectionFindings), ...changeFindings(document)];
  return identified(bare, document).sort((a, b) => weightOf(a) - weightOf(b));
}

/** A finding that does not say yet which one it is. `subject`: tells it apart from others of its rule and address. */
interface Bare extends Omit<Finding, 'fingerprint' | 'others'> {
  readonly subject: string;
  readonly others: readonly Bare[];
}

function sectionFindings({ items }: Section): readonly Bare[] {
  return items.flatMap((item) => [
    ...(item.finding === undefined ? [] : [itemFinding(item, item.finding)]),
    ...(item.finding !== undefined || item.problem === undefined ? [] : [problemFinding(item.problem, item.alike)]),
    ...(item.causes ?? []).map((found) => problemFinding({ ...item.about, ...found })),
  ]);
}

function itemFinding({ line }: Item, { rule, subject, help, ...about }: NonNullable<Item['finding']>): Bare {
  const message = `${lineText(line)}${help === undefined ? '' : `. ${help}`}`;
  return { rule, level: findingRules[rule].level, message, subject, others: [], ...about };
}

function problemFinding(found: Diagnostic, alike: readonly Diagnostic[] = []): Bare {
  const { severity, code, summary, hint, address, field, place } = found;
  return {
    rule: severity === 'error' ? 'error' : 'warning',
    level: severity === 'info' ? 'note' : severity,
    message: `${visible(code)}: ${sentences(visible(summary), ...hintOf(hint))}`,
    subject: canonicalJson([code, summary, place?.file ?? '', field ?? '']),
    others: alike.map((one) => problemFinding(one)),
    ...defined({ address, place: place && { file: place.file, line: place.line, column: place.column } }),
  };
}

function hintOf(hint: string | undefined): readonly string[] {
  return hint === undefined
    ? []
    : [
        hintLines(hint)
          .map(({ text }) => visible(text))
          .join(' '),
      ];
}

/** Changes that nothing worse was said about. */
function changeFindings({ changes, sections }: Document): readonly Bare[] {
  const said = new Set(sections.flatMap(({ items }) => items.map(({ finding }) => finding?.address)));
  return allChanges(changes).flatMap((change) => {
    const { rule, place } = change.finding ?? {};
    if (rule === undefined || (!isDanger(rule) && said.has(change.name))) return [];
    return [
      {
        ...{ rule, level: findingRules[rule].level, message: changeText(change) },
        ...{ address: change.name, subject: '', others: [] },
        ...defined({ place }),
      },
    ];
  });
}

const mostClauses = 5;

function changeText({ name, type, kind, verb, cells, finding }: Change): string {
  const clauses = finding?.clauses ?? [];
  const more = clauses.length - mostClauses;
  const also = [...clauses.slice(0, mostClauses), ...(more > 0 ? [`and ${more} more`] : [])].map((one) => `; ${one}`);
  // A new object has many fields, and what goes is told by its name.
  const changed = kind === 'update' || kind === 'replace' ? lineText(cells.at(-1) ?? []) : '';
  const fields = changed === '' ? '' : ` ${changed}`;
  return `${visible(name)} (${type}): ${verb}${fields}${also.join('')}`;
}

/** The same mistake twice in a file is told apart without lines: those move. */
function identified(bare: readonly Bare[], { subject: { project = '', stack = '' } }: Document): Finding[] {
  const seen = new Map<string, number>();
  const identify = ({ subject, others, ...found }: Bare): Finding => {
    const key = canonicalJson([project, stack, found.rule, found.address ?? '', subject]);
    const repeat = seen.get(key) ?? 0;
    seen.set(key, repeat + 1);
    return { ...found, fingerprint: sha256(`${key} ${repeat}`), others: others.map(identify) };
  };
  return bare.map(identify);
}

const order = Object.keys(findingRules);

function weightOf({ level, rule }: Finding): number {
  return findingLevels.indexOf(level) * order.length + order.indexOf(rule);
}
