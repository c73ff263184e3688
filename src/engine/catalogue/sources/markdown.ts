import { defined } from '@platform-sync/core/model/value';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import { meant } from '../problem/advice.js';
import type { FileRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { BuildContext } from '../read/build-context.js';
import { isEmptyText, reportEmpty } from '../read/file-failures.js';
import { foreignValue, readForeign } from './foreign-yaml.js';
import type { FileValues } from './file-values.js';

/** A page of Markdown with front matter; undefined (reported) when its front matter is broken. */
export function readPage(
  file: string,
  text: string,
  rule: FileRule,
  { label }: ResourceType,
  ownKey: string,
  context: Pick<BuildContext, 'problems'>,
): FileValues | undefined {
  const matter = frontMatter(text);
  const top = matter === undefined ? 'empty' : readForeign(file, text.slice(0, matter.end), context);
  if (top === undefined) return undefined;
  const body = text.slice(matter?.body ?? 0);
  const at = { file, start: matter?.body ?? 0, end: matter?.body ?? 0 };
  if (isEmptyText(text)) reportEmpty(file, at, context);
  const fields = new Map<string, MapEntry>();
  let order: FileValues['order'];
  if (top !== 'empty' && top.kind !== 'map') {
    const place = { file, start: top.start, end: top.end };
    context.problems.add('wrong-type', place, 'Front matter must be a map.', {
      hint: 'title: Getting started',
    });
    return undefined;
  }
  const known = new Map(Object.entries(rule.fields).map(([field, key]) => [key, field]));
  for (const { key, value } of top === 'empty' ? [] : top.pairs) {
    if (key?.kind !== 'scalar') continue;
    const place = { file, start: key.start, end: key.end };
    const field = known.get(key.text);
    if (field !== undefined) fields.set(field, { key: place, value: foreignValue(file, value, place) });
    else if (key.text === 'order') order = orderOf(foreignValue(file, value, place), context);
    else refuseSlip(key.text, place, [...known.keys(), 'order'], context);
  }
  if (label !== undefined && !fields.has(label)) {
    const title: Expression = { kind: 'literal', value: heading(body) ?? titleOf(ownKey), at };
    fields.set(label, { key: at, value: title });
  }
  const { named } = rule;
  if (named !== undefined && !fields.has(named))
    fields.set(named, { key: at, value: { kind: 'literal', value: ownKey, at } });
  return { fields, body: { key: at, value: { kind: 'literal', value: body, at } }, ...defined({ order }) };
}

/** Where the block between two lines of dashes ends, and where the page begins: one empty line in between is layout. */
function frontMatter(text: string): { readonly end: number; readonly body: number } | undefined {
  if (!/^---[ \t]*\r?\n/.test(text)) return undefined;
  const closing = /\n---[ \t]*(?:\r?\n(?:\r?\n)?|$)/g;
  closing.lastIndex = text.indexOf('\n');
  const found = closing.exec(text);
  return found === null ? undefined : { end: found.index + 1, body: found.index + found[0].length };
}

/** A number as written, such as `order: 10`; places may be fractions, to come between two others. */
function orderOf(value: Expression, { problems }: Pick<BuildContext, 'problems'>): FileValues['order'] {
  const number = value.kind === 'literal' && typeof value.value === 'string' ? Number(value.value) : NaN;
  if (Number.isFinite(number)) return { value: number, at: value.at };
  problems.add('wrong-type', value.at, '"order" must be a number.', { hint: 'order: 10' });
  return undefined;
}

/** Other keys are other tools' own, unless they look like a slip. */
function refuseSlip(
  name: string,
  at: { readonly file: string; readonly start: number; readonly end: number },
  known: readonly string[],
  { problems }: Pick<BuildContext, 'problems'>,
): void {
  const hint = meant(name, known);
  if (hint !== undefined) problems.add('unknown-key', at, `Front matter has no key "${name}".`, { hint });
}

/** The heading that a page begins with. */
function heading(body: string): string | undefined {
  return /^\s*#[ \t]+(\S.*?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(body)?.[1];
}

/** `getting-started` → `Getting started`. */
function titleOf(key: string): string {
  const words = key.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
