import { isScalar, isSeq, type Node, type Scalar, visit } from 'yaml';
import { type Address, childAddress, lastKey } from '@platform-sync/core/model/address';
import { isWrittenMap, keyOf, mapAt, pairOf, rangeOf, type EditedText, type WrittenMap } from './nodes.js';
import type { TextEdit } from './text.js';

/** A resource that gets another key; what stands under it goes along. */
export interface Renaming {
  readonly address: Address;
  readonly key: string;
}

/** What a renaming makes of an address. */
export function renamed(address: Address, { address: from, key }: Renaming): Address {
  if (address !== from && !address.startsWith(`${from}/`)) return address;
  return from.slice(0, -lastKey(from).length) + key + address.slice(from.length);
}

/** A text that ends with an address, and what stands before it. */
interface Named {
  readonly node: Node;
  readonly lead: string;
}

/** Edits of all that names the resource in a file: its key, references, lists of addresses, patches, rules of sync.yaml and of plans. */
export function renameEdits(source: EditedText, roots: readonly WrittenMap[], renaming: Renaming): readonly TextEdit[] {
  const edits = roots.flatMap((root) => [
    ...keyEdits(source, root, renaming),
    ...[...addressTexts(root)].flatMap((named) => addressEdit(source, named, renaming)),
    ...referenceEdits(source, root, renaming),
    ...(hasRules(root) ? comparisonEdits(source, root, renaming) : []),
  ]);
  // A block that is shared through an anchor is met wherever it is used.
  return [...new Map(edits.map((edit) => [edit.start, edit])).values()];
}

interface Block {
  readonly address: Address;
  readonly key: Node;
  readonly value: unknown;
}

function* blocksOf(resources: WrittenMap | undefined, parent?: Address): Generator<Block> {
  for (const pair of resources?.items ?? []) {
    const key = keyOf(pair);
    if (key === undefined) continue;
    const address = parent === undefined ? key : childAddress(parent, key);
    yield { address, key: pair.key, value: pair.value };
    if (isWrittenMap(pair.value)) yield* blocksOf(mapAt(pair.value, 'children'), address);
  }
}

function keyEdits(source: EditedText, root: WrittenMap, { address, key }: Renaming): readonly TextEdit[] {
  const blocks = [...blocksOf(mapAt(root, 'resources'))].filter((block) => block.address === address);
  return blocks.flatMap((block) => partEdit(source, block.key, lastKey(address), 0, key));
}

function* addressTexts(root: WrittenMap): Generator<Named> {
  for (const { value } of blocksOf(mapAt(root, 'resources'))) yield* dependencies(value);
  for (const { key, value } of mapAt(root, 'patches')?.items ?? []) {
    yield { node: key, lead: '' };
    yield* dependencies(value);
  }
  for (const { value } of mapAt(root, 'sources')?.items ?? []) yield* textsOf(value, 'under');
  yield* rules(root);
  yield* policies(root);
  for (const { value } of mapAt(root, 'stacks')?.items ?? []) if (isWrittenMap(value)) yield* rules(value);
}

function* dependencies(block: unknown): Generator<Named> {
  const options = isWrittenMap(block) ? mapAt(block, 'options') : undefined;
  for (const node of itemsOf(options, 'dependsOn')) yield { node, lead: '' };
}

/** Of sync.yaml: what drift leaves aside, and warnings that are lifted at one address. */
function* rules(settings: WrittenMap): Generator<Named> {
  for (const rule of itemsOf(mapAt(settings, 'drift'), 'ignore')) yield* textsOf(rule, 'address');
  for (const rule of itemsOf(mapAt(settings, 'guards'), 'allow'))
    for (const { node } of textsOf(rule, 'guard')) yield { node, lead: /^.*:/.exec(textOf(node) ?? '')?.[0] ?? ' ' };
}

/** A file of policies, or a document of Kubernetes that is one. */
function hasRules(root: WrittenMap): boolean {
  return pairOf(root, 'rules') !== undefined || textOf(pairOf(root, 'kind')?.value)?.startsWith('Validating') === true;
}

/** Of a file of policies: which addresses a rule is about, and the steps of its tests. */
function* policies(root: WrittenMap): Generator<Named> {
  for (const rule of itemsOf(root, 'rules'))
    for (const node of isWrittenMap(rule) ? itemsOf(mapAt(rule, 'match'), 'addresses') : []) yield { node, lead: '' };
  for (const test of itemsOf(root, 'tests'))
    for (const name of ['step', 'resource'])
      for (const field of ['address', 'parent'])
        yield* textsOf(isWrittenMap(test) ? mapAt(test, name) : undefined, field);
}

/** Where an expression compares an address: `step.address == "a/b"`, `resource.parent in ["a"]`, `step.address.startsWith("a/")`. */
const named = String.raw`\b(?:step|resource)\.(?:address|parent)\b`;
const comparison = new RegExp(
  String.raw`${named}\s*(?:[!=]=\s*\S+|in\s*\[[^\]]*\]|\.startsWith\([^)]*\/["'\\]*\))|[^\s([,]+\s*[!=]=\s*${named}`,
  'g',
);

/** Only what stands there as an address is one: the same text may be a name elsewhere in the expression. */
function comparisonEdits(source: EditedText, root: WrittenMap, renaming: Renaming): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const { address, key } = renaming;
  const look = (role: unknown, node: Scalar): void => {
    if (role === 'key' || typeof node.value !== 'string' || !node.value.includes(address)) return;
    const [start, end] = rangeOf(node);
    for (const { index, 0: compared } of source.text.slice(start, end).matchAll(comparison))
      for (const { index: at, 1: said = '' } of compared.matchAll(/["']([\w/-]+)/g)) {
        const stop = start + index + at + 1 + address.length;
        if (renamed(said, renaming) !== said)
          edits.push({ start: stop - lastKey(address).length, end: stop, text: key });
      }
  };
  visit(root, { Scalar: look });
  return edits;
}

function* textsOf(map: unknown, name: string): Generator<Named> {
  const node = isWrittenMap(map) ? pairOf(map, name)?.value : undefined;
  if (isScalar(node)) yield { node, lead: '' };
}

function itemsOf(map: WrittenMap | undefined, name: string): readonly Node[] {
  const list = map === undefined ? undefined : pairOf(map, name)?.value;
  return isSeq<Node>(list) ? list.items : [];
}

function textOf(node: unknown): string | undefined {
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

function addressEdit(source: EditedText, { node, lead }: Named, renaming: Renaming): readonly TextEdit[] {
  const text = textOf(node);
  const { address, key } = renaming;
  if (text?.startsWith(lead) !== true) return [];
  const said = text.slice(lead.length);
  return renamed(said, renaming) === said ? [] : partEdit(source, node, lead + address, lead.length, key);
}

/** The last key of an address that a node says, found where it is written. */
function partEdit(source: EditedText, node: Node, text: string, lead: number, key: string): readonly TextEdit[] {
  const [start, end] = rangeOf(node);
  const at = source.text.slice(start, end).indexOf(text);
  const own = lastKey(text.slice(lead)).length;
  return at < 0 ? [] : [{ start: start + at + text.length - own, end: start + at + text.length, text: key }];
}

const untemplated = ['!file', '!env'];

function referenceEdits(source: EditedText, root: WrittenMap, renaming: Renaming): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const look = (role: unknown, node: Scalar): void => {
    if (role === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
    if (!untemplated.includes(node.tag ?? '')) edits.push(...templateEdits(source, node, renaming));
  };
  visit(root, { Scalar: look });
  return edits;
}

function templateEdits(source: EditedText, node: Scalar, renaming: Renaming): readonly TextEdit[] {
  const [start, end] = rangeOf(node);
  const written = source.text.slice(start, end);
  const { address, key } = renaming;
  return [...written.matchAll(/(\$?)\$\{\s*([\w/-]+)/g)].flatMap(({ index, 0: whole, 1: escape, 2: target = '' }) => {
    if (escape === '$' || renamed(target, renaming) === target) return [];
    const at = start + index + whole.length - target.length + address.length;
    return [{ start: at - lastKey(address).length, end: at, text: key }];
  });
}
