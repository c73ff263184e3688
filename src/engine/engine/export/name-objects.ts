import { type Address, childAddress } from '@platform-sync/core/model/address';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { uuid } from '@platform-sync/core/model/import-id';
import type { Json } from '@platform-sync/core/model/value';
import { keyOf, ownKeyFields, referencedIn, type FoundObject } from './found-object.js';
import type { Placement } from './place-objects.js';

interface Names {
  readonly types: ReadonlyMap<string, ResourceType>;
  /** All objects that are named. */
  readonly byKey: ReadonlyMap<string, FoundObject>;
}

/** Longer keys are cut: they become file names. */
const maxKeyLength = 50;

/** The address of every placed object, by object key. Readable, unique, and the same in every export of the same objects. */
export function nameObjects(
  roots: readonly Placement[],
  types: ReadonlyMap<string, ResourceType>,
): ReadonlyMap<string, Address> {
  const addresses = new Map<string, Address>();
  const names: Names = { types, byKey: new Map(allIn(roots).map(({ object }) => [keyOf(object), object])) };
  const open: { readonly siblings: readonly Placement[]; readonly under: Address | undefined }[] = [
    { siblings: roots, under: undefined },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { siblings, under } = next;
    const keys = nameSiblings(
      siblings.map(({ object }) => object),
      names,
    );
    siblings.forEach(({ object, children }, at) => {
      const key = keys[at] ?? '';
      const address = under === undefined ? key : childAddress(under, key);
      addresses.set(keyOf(object), address);
      if (children.length > 0) open.push({ siblings: children, under: address });
    });
  }
  return addresses;
}

function allIn(roots: readonly Placement[]): readonly Placement[] {
  const all = [...roots];
  for (const { children } of all) all.push(...children);
  return all;
}

/**
 * Keys for objects that stand side by side: the name, or the last part of the natural key, or what else they are called. Where that is
 * not enough, the type tells those of other types apart, and the rest of the natural key those of one; then a number.
 */
function nameSiblings(objects: readonly FoundObject[], names: Names): readonly string[] {
  const short = objects.map((object) => keyText(object, names, false));
  const first = new Map<string, ResourceType>();
  short.forEach((text, at) => {
    const type = objects[at]?.type;
    if (type !== undefined && !first.has(text)) first.set(text, type);
  });
  const byType = objects.map((object, at) => {
    const text = short[at] ?? '';
    return first.get(text) === object.type ? text : withWord(object, names, text);
  });
  const shared = repeated(byType);
  const wanted = objects.map((object, at) => {
    const text = byType[at] ?? '';
    if (!shared.has(text)) return text;
    const whole = keyText(object, names, true);
    return text === short[at] ? whole : withWord(object, names, whole);
  });
  return numbered(wanted);
}

function withWord({ type }: FoundObject, { types }: Names, text: string): string {
  const word = typeWord(type, types);
  return text === word || text.startsWith(`${word}-`) ? text : cut(`${word}-${text}`);
}

/** Makes texts unique with `-2`, `-3` …; a text that stands alone is never touched. */
export function numbered(wanted: readonly string[]): readonly string[] {
  const again = repeated(wanted);
  const taken = new Set(wanted.filter((text) => !again.has(text)));
  const last = new Map<string, number>();
  return wanted.map((text) => {
    if (!again.has(text)) return text;
    let number = last.get(text) ?? 1;
    let name = number === 1 ? text : `${text}-${number}`;
    while (taken.has(name)) name = `${text}-${++number}`;
    last.set(text, number);
    taken.add(name);
    return name;
  });
}

function repeated(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

function keyText(object: FoundObject, names: Names, whole: boolean): string {
  const { type, values } = object;
  const own = ownKeyFields(type);
  const main = type.nameField ?? own.at(-1);
  const fields = main === undefined ? [] : [main, ...(whole ? own.filter((field) => field !== main) : [])];
  const said = fields.map((field) => wordOf(object, field, names)).filter((value) => typeof value === 'string');
  const label = values[type.label ?? ''];
  const text = keyForm(said.length === 0 && typeof label === 'string' ? label : said.join(' '));
  const word = typeWord(type, names.types);
  if (text === '') return word;
  return /^[a-z_]/.test(text) ? text : cut(`${word}-${text}`);
}

/** A field of the key as people say it: of another object its name, and the id of one says nothing. */
function wordOf(object: FoundObject, field: string, { byKey }: Names): Json | undefined {
  const rule = object.type.fields[field];
  const value = object.values[field];
  const said = typeof value === 'string' && uuid.test(value) ? undefined : value;
  if (rule?.references === undefined) return said;
  const other = referencedIn(byKey, object, rule);
  const name = other?.values[other.type.nameField ?? ownKeyFields(other.type).at(-1) ?? ''];
  return typeof name === 'string' ? name : said;
}

/** `implementation` for what implements an API: the type's name without that of its parent. */
function typeWord(type: ResourceType, types: ReadonlyMap<string, ResourceType>): string {
  const parent = type.parent === undefined ? undefined : types.get(type.parent.type)?.name;
  const isPrefix = parent !== undefined && type.name.startsWith(parent) && type.name.length > parent.length;
  return kebab(isPrefix ? type.name.slice(parent.length) : type.name);
}

/** `ApiProduct` → `api-product`. */
export function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** Small letters, digits and single dashes. A letter that has no such form is dropped without leaving a gap. */
function keyForm(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-{2,}/g, '-');
  return cut(plain.replace(/^-+|-+$/g, ''));
}

function cut(text: string): string {
  if (text.length <= maxKeyLength) return text;
  const head = text.slice(0, maxKeyLength + 1);
  const dash = head.lastIndexOf('-');
  // A word is cut only where nothing else would be left.
  return head.slice(0, dash >= maxKeyLength / 2 ? dash : maxKeyLength).replace(/-+$/, '');
}
