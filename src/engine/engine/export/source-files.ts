import { pageText } from '@platform-sync/catalogue/edit/write';
import { addressOf, keyOfKept } from '@platform-sync/catalogue/sources/addresses';
import type { FileValues } from '@platform-sync/catalogue/sources/file-values';
import { readPage } from '@platform-sync/catalogue/sources/markdown';
import { readSpecification } from '@platform-sync/catalogue/sources/specification';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import { childAddress, type Address } from '@platform-sync/core/model/address';
import type { FileRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { keyOf } from './found-object.js';
import type { FittingObject } from './fit-rules.js';
import { kebab } from './name-objects.js';
import type { Placement } from './place-objects.js';

/** An object that a file of a source stands for, by itself or with what its body is kept as. */
interface Sourced {
  /** Undefined for what is in the file of the object above. */
  readonly file?: { readonly path: string; readonly text: string };
  /** What the file does not say, or says otherwise; undefined: it is not to say it. */
  readonly rest: ReadonlyMap<string, Json | undefined>;
}

interface SourcesInput {
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly addresses: ReadonlyMap<string, Address>;
  readonly objects: ReadonlyMap<string, FittingObject>;
}

export interface SourceFiles {
  /** By object key. */
  readonly sourced: ReadonlyMap<string, Sourced>;
  /** With those of what specifications are kept as. */
  readonly addresses: ReadonlyMap<string, Address>;
  /** Folder → type. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Chooses the objects that files can stand for. Whether one can is found out by reading the file back. */
export function sourceFiles(roots: readonly Placement[], input: SourcesInput): SourceFiles {
  const sourced = new Map<string, Sourced>();
  const addresses = new Map(input.addresses);
  const folders = new Map<string, string>();
  const visit = (placement: Placement): void => {
    const found = sourced.has(keyOf(placement.object)) ? undefined : asFile(placement, { ...input, addresses });
    if (found !== undefined) {
      const { type } = placement.object;
      sourced.set(keyOf(placement.object), found.sourced);
      folders.set(folderOf(type), type.shortToken);
      for (const [key, kept] of found.kept) {
        sourced.set(key, kept.sourced);
        addresses.set(key, kept.address);
      }
    }
    placement.children.forEach(visit);
  };
  roots.forEach(visit);
  return { sourced, addresses, folders: new Map([...folders].sort()) };
}

interface AsFile {
  readonly sourced: Sourced;
  readonly kept: ReadonlyMap<string, { readonly sourced: Sourced; readonly address: Address }>;
}

function asFile(placement: Placement, input: SourcesInput): AsFile | undefined {
  const { object, nesting } = placement;
  const { type } = object;
  const rule = type.file;
  const own = input.objects.get(keyOf(object))?.fields;
  const address = input.addresses.get(keyOf(object));
  if (rule === undefined || own === undefined || address === undefined) return undefined;
  // What is not written where it lives has no folder that says so.
  if (type.parent !== undefined && nesting === undefined) return undefined;
  const keptType = input.types.get(type.fields[rule.body]?.keptAs ?? '');
  const kept = keptType && onlyChild(placement, keptType, address, input);
  const body = (kept === undefined ? own : kept.fields).get(rule.body);
  if (typeof body !== 'string' || (keptType !== undefined && kept === undefined)) return undefined;
  const written = writeFile(type, rule, address, own, body);
  if (written === undefined) return undefined;
  const filledIn = nesting === undefined ? [] : [nesting.field, ...nesting.inherits];
  const rest = restOf(type, rule, own, written.values, [...filledIn, ...(keptType ? [] : [rule.body])]);
  if (kept === undefined) return { sourced: { ...written, rest }, kept: new Map() };
  const keptRest = new Map([...kept.fields].filter(([name]) => name !== rule.body && !kept.filledIn.includes(name)));
  return {
    sourced: { ...written, rest },
    kept: new Map([[kept.key, { sourced: { rest: keptRest }, address: kept.address }]]),
  };
}

/** What the body is kept as, where there is just one, and nothing else has its address. */
function onlyChild(
  { children, object: { type: above } }: Placement,
  type: ResourceType,
  address: Address,
  { addresses, objects }: SourcesInput,
):
  | {
      readonly key: string;
      readonly address: Address;
      readonly fields: ReadonlyMap<string, Json>;
      readonly filledIn: readonly string[];
    }
  | undefined {
  const [only, second] = children.filter(({ object }) => object.type === type);
  if (only === undefined || second !== undefined) return undefined;
  const key = keyOf(only.object);
  const wanted = childAddress(address, keyOfKept(above, type));
  const isTaken = children.some((child) => child !== only && addresses.get(keyOf(child.object)) === wanted);
  const fields = objects.get(key)?.fields;
  if (isTaken || fields === undefined) return undefined;
  const filledIn = only.nesting === undefined ? [] : [only.nesting.field, ...only.nesting.inherits];
  return { key, address: wanted, fields, filledIn };
}

function folderOf(type: ResourceType): string {
  return `${kebab(type.name)}s`;
}

/** The file, and what reading it back gives; undefined where that is not just this text under this address. */
function writeFile(
  type: ResourceType,
  rule: FileRule,
  address: Address,
  own: ReadonlyMap<string, Json>,
  body: string,
): (Required<Pick<Sourced, 'file'>> & { readonly values: FileValues }) | undefined {
  const base = folderOf(type);
  const text = rule.format === 'markdown' ? pageText(frontMatter(rule, own), body) : body;
  const extension = rule.format === 'markdown' ? 'md' : /^\s*\{/.test(body) ? 'json' : 'yaml';
  const path = `${base}/${address}.${extension}`;
  // A reader takes a byte order mark away, and half a character can't be written.
  if (text.startsWith('\uFEFF') || /\p{Surrogate}/u.test(text)) return undefined;
  if (addressOf(path, { base }, type) !== address) return undefined;
  const context = { problems: new Problems() };
  const values =
    rule.format === 'markdown'
      ? readPage(path, text, rule, type, '', context)
      : readSpecification(path, { text }, rule, context);
  const read = values?.body.value;
  if (values === undefined || !context.problems.isEmpty) return undefined;
  if (read?.kind !== 'literal' || read.value !== body) return undefined;
  return { file: { path, text }, values };
}

function frontMatter(rule: FileRule, own: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> {
  const said = Object.entries(rule.fields).map(([field, key]) => [key, own.get(field)] as const);
  return new Map(said.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

function restOf(
  type: ResourceType,
  rule: FileRule,
  own: ReadonlyMap<string, Json>,
  values: FileValues,
  without: readonly string[],
): ReadonlyMap<string, Json | undefined> {
  const rest = new Map<string, Json | undefined>([...own].filter(([name]) => !without.includes(name)));
  for (const name of Object.keys(rule.fields)) {
    const said = values.fields.get(name)?.value;
    const field = type.fields[name];
    if (said === undefined || field === undefined) continue;
    const wanted = own.get(name);
    const isSame = wanted !== undefined && said.kind === 'literal' && sameValue(field, said.value, wanted);
    if (isSame) rest.delete(name);
    else rest.set(name, wanted);
  }
  return rest;
}
