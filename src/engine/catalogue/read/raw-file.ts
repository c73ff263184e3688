import { addressKeyPattern, childAddress, type Address } from '../../model/address.js';
import type { Expression } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { BuildContext } from './build-context.js';
import { readOptions, type Located, type RawOptions } from './options.js';
import { readPatches, type RawPatch } from './patches.js';
import { readRemoved } from './removed.js';
import { readSources, type RawSource } from './raw-source.js';
import { refuseSections } from './sections.js';
import { mapEntries, plainText, refuseUnknownKeys, type Entries } from './shape.js';

/** One resource as written, before its type is known. */
export interface RawResource {
  readonly address: Address;
  readonly key: string;
  /** The resource's key in the file. */
  readonly at: SourceRange;
  /** Undefined when it was no text (reported), or not there. */
  readonly type: { readonly text: string; readonly at: SourceRange } | undefined;
  /** No type is written: a source may have it. */
  readonly isTypeless?: true;
  readonly properties: Entries;
  readonly children: readonly RawResource[];
  readonly options: RawOptions;
  /** The options block as written, for patches. */
  readonly optionEntries: Entries;
  /** Of what a file of a source stands for: the catalogue file that names the source, and has its defaults. */
  readonly declaredIn?: string;
  /** Its place among those beside it: each is made after the one before. */
  readonly order?: { readonly value: number; readonly at: SourceRange };
  /** Address of the one before. */
  readonly placedAfter?: string;
}

export interface RawDefaults {
  readonly type: string;
  readonly at: SourceRange;
  readonly properties: Entries;
}

export interface RawNamed {
  readonly name: string;
  readonly at: SourceRange;
  readonly value: Expression;
}

/** All documents of one catalogue file. */
export interface RawFile {
  readonly file: string;
  readonly defaults: readonly RawDefaults[];
  readonly variables: readonly RawNamed[];
  readonly outputs: readonly RawNamed[];
  readonly resources: readonly RawResource[];
  /** Of an overlay; other files have none. */
  readonly patches: readonly RawPatch[];
  /** Folders of files that stand for resources. */
  readonly sources: readonly RawSource[];
  /** Addresses that leave the state while their objects stay. */
  readonly removed: readonly Located[];
}

/** The same while its lists are still being read. */
type Growing<T> = { readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

const resourceKeys = ['type', 'properties', 'children', 'options'];

export function readRawFile(
  file: string,
  documents: readonly Expression[],
  isOverlay: boolean,
  context: BuildContext,
): RawFile {
  const raw: Growing<RawFile> = {
    ...{ file, defaults: [], variables: [], outputs: [] },
    ...{ resources: [], patches: [], sources: [], removed: [] },
  };
  for (const document of documents) {
    const sections = mapEntries(document, 'A catalogue file', context);
    refuseSections(sections, isOverlay, context);
    const section = (name: string): Entries => {
      const entry = sections.get(name);
      return entry === undefined ? new Map() : mapEntries(entry.value, `"${name}"`, context);
    };
    for (const [type, entry] of section('defaults')) {
      raw.defaults.push({ type, at: entry.key, properties: mapEntries(entry.value, `Defaults of ${type}`, context) });
    }
    addNamed(raw.variables, section('variables'), 'variable', context);
    addNamed(raw.outputs, section('outputs'), 'output', context);
    for (const resource of resources(section('resources'), undefined, context)) raw.resources.push(resource);
    for (const source of readSources(section('sources'), context)) raw.sources.push(source);
    raw.removed.push(...readRemoved(sections.get('removed')?.value, context));
    if (isOverlay) for (const patch of readPatches(section('patches'), context)) raw.patches.push(patch);
  }
  return raw;
}

function addNamed(found: RawNamed[], entries: Entries, what: string, context: BuildContext): void {
  for (const [name, entry] of entries) {
    checkKey(name, entry.key, what, context);
    found.push({ name, at: entry.key, value: entry.value });
  }
}

function resources(entries: Entries, parent: Address | undefined, context: BuildContext): RawResource[] {
  const found: RawResource[] = [];
  for (const [key, entry] of entries) {
    const named = checkKey(key, entry.key, 'resource', context);
    const address = parent === undefined ? key : childAddress(parent, key);
    const read = resource(address, key, entry.key, entry.value, context);
    // Under a wrong name it is probably in a wrong place, too: its properties say nothing then.
    found.push(named ? read : { ...read, type: undefined });
  }
  return found;
}

function resource(
  address: Address,
  key: string,
  at: SourceRange,
  value: Expression,
  context: BuildContext,
): RawResource {
  const parts = mapEntries(value, `The resource ${address}`, context);
  if (value.kind === 'map') refuseUnknownKeys(parts, resourceKeys, 'A resource', context);
  const type = resourceType(address, parts, context);
  const properties = part(parts, 'properties', address, context);
  const below = part(parts, 'children', address, context);
  const optionEntries = part(parts, 'options', address, context);
  const children = below.size === 0 ? none : resources(below, address, context);
  const options = readOptions(optionEntries, address, context);
  const raw = { address, key, at, type, properties, children, options, optionEntries };
  return type !== undefined || parts.has('type') || !isBlock(value, context) ? raw : { ...raw, isTypeless: true };
}

function part(parts: Entries, name: string, address: Address, context: BuildContext): Entries {
  const value = parts.get(name)?.value;
  if (value === undefined) return nothing;
  return value.kind === 'map' ? value.entries : mapEntries(value, `"${name}" of ${address}`, context);
}

const nothing: Entries = new Map();
const none: readonly RawResource[] = [];

function resourceType(address: Address, parts: Entries, context: BuildContext): RawResource['type'] {
  const entry = parts.get('type');
  if (entry === undefined) return undefined;
  const { value } = entry;
  if (value.kind === 'literal' && typeof value.value === 'string' && value.value !== '')
    return { text: value.value, at: value.at };
  const text = plainText(value, `"type" of ${address}`, context);
  return text === undefined ? undefined : { text, at: entry.value.at };
}

/** A map, or nothing at all: of anything else it is said already that it is no resource. */
function isBlock(value: Expression, { broken }: BuildContext): boolean {
  return value.kind === 'map' || (value.kind === 'literal' && value.value === null && !broken.has(value));
}

function checkKey(key: string, at: SourceRange, what: string, { problems }: BuildContext): boolean {
  if (addressKeyPattern.test(key)) return true;
  problems.add('bad-name', at, `"${key}" can't be the name of ${what === 'output' ? 'an' : 'a'} ${what}.`, {
    detail: 'A name starts with a letter or "_"; letters, digits, "_" and "-" follow.',
    hint: key.includes('/') ? `Write it under "children" of ${key.slice(0, key.lastIndexOf('/'))}.` : undefined,
  });
  return false;
}
