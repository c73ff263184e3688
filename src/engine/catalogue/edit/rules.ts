import { isSeq, type Node, type YAMLSeq } from 'yaml';
import { defined, isObject, type JsonObject } from '@platform-sync/core/model/value';
import type { DriftRule } from '@platform-sync/core/model/drift';
import { addEntry, addItem, fillEmpty, replaceValue } from './map.js';
import { editedText, type EditedText, isWrittenMap, mapAt, pairOf, readNodes, type WrittenMap } from './nodes.js';
import { asTemplate } from './template.js';
import { withEdits, type TextEdit } from './text.js';
import { changeInside, together } from './value.js';

export type NewRule = Omit<DriftRule, 'source'>;

/**
 * The text of sync.yaml with more rules under `drift.ignore` (the stack's own list where it has one). A rule for the
 * same address and field is brought up to date. Undefined where the list is not spelt out.
 */
export function withIgnoreRules(text: string, stack: string, rules: readonly NewRule[]): string | undefined {
  const [document] = readNodes(text) ?? [];
  const root = document?.contents;
  if (!isWrittenMap(root)) return undefined;
  const source = editedText(text);
  const own = stackBlock(root, stack);
  const edits = addRules(source, own ?? root, rules);
  return edits === undefined ? undefined : withEdits(text, edits);
}

/** The block of a stack, if it has a list of its own: that one replaces the list of the file. */
function stackBlock(root: WrittenMap, stack: string): WrittenMap | undefined {
  const stacks = mapAt(root, 'stacks');
  const block = stacks === undefined ? undefined : mapAt(stacks, stack);
  const drift = block === undefined ? undefined : mapAt(block, 'drift');
  return drift !== undefined && pairOf(drift, 'ignore') !== undefined ? block : undefined;
}

function addRules(source: EditedText, owner: WrittenMap, rules: readonly NewRule[]): readonly TextEdit[] | undefined {
  const items = rules.map((rule) => asTemplate(asJson(rule))).filter(isObject);
  const drift = pairOf(owner, 'drift');
  if (drift === undefined) return [addEntry(source, owner, 'drift', { ignore: items })];
  if (isNothing(drift.value)) return fillEmpty(source, drift, { ignore: items });
  if (!isWrittenMap(drift.value)) return undefined;
  const ignore = pairOf(drift.value, 'ignore');
  if (ignore === undefined) {
    if (drift.value.items.length === 0) return replaceValue(source, drift, { ignore: items }, owner.flow === true);
    return [addEntry(source, drift.value, 'ignore', items)];
  }
  const inFlow = owner.flow === true || drift.value.flow === true;
  if (isNothing(ignore.value)) return replaceValue(source, ignore, items, inFlow);
  if (!isSeq(ignore.value) || ignore.value.tag !== undefined) return undefined;
  if (ignore.value.items.length === 0) return replaceValue(source, ignore, items, inFlow);
  return addToList(source, ignore.value, items);
}

function addToList(source: EditedText, list: YAMLSeq, items: readonly JsonObject[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  const added: TextEdit[] = [];
  for (const item of items) {
    const known = (list.items as readonly Node[]).find((node) => isRuleFor(node, item));
    if (known === undefined) {
      added.push(addItem(source, list, item));
      continue;
    }
    const from = plainMap(known);
    const change = { from, to: item, same: (a: unknown, b: unknown) => a === b, ordered: true };
    const changed = changeInside(source, known, change, list.flow === true);
    if (changed === undefined || 'why' in changed) return undefined;
    edits.push(...changed.edits);
  }
  return [...edits, ...together(added)];
}

function isRuleFor(node: Node, rule: JsonObject): boolean {
  const known = plainMap(node);
  return known['address'] === rule['address'] && known['field'] === rule['field'];
}

function plainMap(node: Node): JsonObject {
  if (!isWrittenMap(node)) return {};
  return Object.fromEntries(
    ['address', 'field', 'reason', 'until'].flatMap((key) => {
      const value: unknown = node.get(key);
      return typeof value === 'string' ? [[key, value] as const] : [];
    }),
  );
}

function asJson({ address, field, reason, until }: NewRule): JsonObject {
  return {
    address,
    ...defined({ field }),
    reason,
    ...defined({ until }),
  };
}

function isNothing(node: Node | null): boolean {
  return node === null || node.range?.[0] === node.range?.[1];
}
