import { addressKeyPattern, childAddress, type Address } from '@platform-sync/core/model/address';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from './build-context.js';
import { isStackAddress, optionKeys, readOptions, type Located, type DraftOptions } from './options.js';
import { mapEntries, plainText, refuseUnknownKeys, type Entries, listItems, wrongShape } from './shape.js';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { meant } from '../problem/advice.js';
import { isUnset } from './overlay.js';

/** One resource as written, before its type is known. */
export interface Draft {
  readonly address: Address;
  readonly key: string;
  /** The resource's key in the file. */
  readonly at: SourceRange;
  /** Undefined when it was no text (reported), or not there. */
  readonly type: { readonly text: string; readonly at: SourceRange } | undefined;
  /** No type is written: a source may have it. */
  readonly isTypeless?: true;
  readonly properties: Entries;
  readonly children: readonly Draft[];
  readonly options: DraftOptions;
  /** The options block as written, for patches. */
  readonly optionEntries: Entries;
  /** Of what a file of a source stands for: the catalogue file that names the source, and has its defaults. */
  readonly declaredIn?: string;
  /** Its place among those beside it: each is made after the one before. */
  readonly order?: { readonly value: number; readonly at: SourceRange };
  /** Address of the one before. */
  readonly placedAfter?: string;
}

export interface DraftDefaults {
  readonly type: string;
  readonly at: SourceRange;
  readonly properties: Entries;
}

export interface DraftNamed {
  readonly name: string;
  readonly at: SourceRange;
  readonly value: Expression;
}

/** All documents of one catalogue file. */
export interface DraftFile {
  readonly file: string;
  readonly defaults: readonly DraftDefaults[];
  readonly variables: readonly DraftNamed[];
  readonly outputs: readonly DraftNamed[];
  readonly resources: readonly Draft[];
  /** Of an overlay; other files have none. */
  readonly patches: readonly Patch[];
  /** Folders of files that stand for resources. */
  readonly sources: readonly SourceEntry[];
  /** Addresses that leave the state while their objects stay. */
  readonly removed: readonly Located[];
  /** Addresses that another stack takes over. */
  readonly moved: readonly Leaving[];
}

interface Leaving extends Located {
  /** `STACK:ADDRESS`. */
  readonly to: string;
}

/** The same while its lists are still being read. */
type Growing<T> = { readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

const resourceKeys = ['type', 'properties', 'children', 'options'];

export function readDraftFile(
  file: string,
  documents: readonly Expression[],
  isOverlay: boolean,
  context: BuildContext,
): DraftFile {
  const draft: Growing<DraftFile> = {
    ...{ file, defaults: [], variables: [], outputs: [] },
    ...{ resources: [], patches: [], sources: [], removed: [], moved: [] },
  };
  for (const document of documents) {
    const sections = mapEntries(document, 'A catalogue file', context);
    refuseSections(sections, isOverlay, context);
    const section = (name: string): Entries => {
      const entry = sections.get(name);
      return entry === undefined ? new Map() : mapEntries(entry.value, `"${name}"`, context);
    };
    for (const [type, entry] of section('defaults')) {
      draft.defaults.push({ type, at: entry.key, properties: mapEntries(entry.value, `Defaults of ${type}`, context) });
    }
    addNamed(draft.variables, section('variables'), 'variable', context);
    addNamed(draft.outputs, section('outputs'), 'output', context);
    for (const resource of resources(section('resources'), undefined, context)) draft.resources.push(resource);
    for (const source of readSources(section('sources'), context)) draft.sources.push(source);
    draft.removed.push(...readRemoved(sections.get('removed')?.value, context));
    draft.moved.push(...readMoved(sections.get('moved')?.value, context));
    if (isOverlay) for (const patch of readPatches(section('patches'), context)) draft.patches.push(patch);
  }
  return draft;
}

function addNamed(found: DraftNamed[], entries: Entries, what: string, context: BuildContext): void {
  for (const [name, entry] of entries) {
    checkKey(name, entry.key, what, context);
    found.push({ name, at: entry.key, value: entry.value });
  }
}

function resources(entries: Entries, parent: Address | undefined, context: BuildContext): Draft[] {
  const found: Draft[] = [];
  let before: string | undefined;
  for (const [key, entry] of entries) {
    if (before !== undefined && isPartOfBefore(key, entry.value)) {
      reportTooFarLeft(key, entry.key, before, context);
      continue;
    }
    before = key;
    const named = checkKey(key, entry.key, 'resource', context);
    const address = parent === undefined ? key : childAddress(parent, key);
    const read = resource(address, key, entry.key, entry.value, context);
    // Under a wrong name it is probably in a wrong place, too: its properties say nothing then.
    found.push(named ? read : { ...read, type: undefined });
  }
  return found;
}

/** A part of a resource that stands beside it: one level too far left. */
function isPartOfBefore(key: string, value: Expression): boolean {
  return resourceKeys.includes(key) && (value.kind !== 'map' || !value.entries.has('type'));
}

function reportTooFarLeft(key: string, at: SourceRange, before: string, { problems }: BuildContext): void {
  problems.add('missing-type', at, `"${key}" stands one level too far left: it is part of ${before}.`, {
    hint: 'Move it and everything below it two spaces to the right.',
  });
}

function resource(address: Address, key: string, at: SourceRange, value: Expression, context: BuildContext): Draft {
  const parts = mapEntries(value, `The resource ${address}`, context);
  if (value.kind === 'map') refuseUnknownKeys(parts, resourceKeys, 'A resource', context, placeOfKey);
  const type = resourceType(address, parts, context);
  const properties = part(parts, 'properties', address, context);
  const below = part(parts, 'children', address, context);
  const optionEntries = part(parts, 'options', address, context);
  const children = below.size === 0 ? none : resources(below, address, context);
  const options = readOptions(optionEntries, address, context);
  const draft = { address, key, at, type, properties, children, options, optionEntries };
  return type !== undefined || parts.has('type') || !isBlock(value, context) ? draft : { ...draft, isTypeless: true };
}

/** What stands beside the type and belongs below it. */
function placeOfKey(name: string): string | undefined {
  if (optionKeys.includes(name)) return 'It is an option: write it under "options".';
  if (meant(name, resourceKeys) !== undefined || !addressKeyPattern.test(name)) return undefined;
  return 'Fields of the platform stand one level deeper, under "properties".';
}

function part(parts: Entries, name: string, address: Address, context: BuildContext): Entries {
  const value = parts.get(name)?.value;
  if (value === undefined) return nothing;
  return value.kind === 'map' ? value.entries : mapEntries(value, `"${name}" of ${address}`, context);
}

const nothing: Entries = new Map();
const none: readonly Draft[] = [];

function resourceType(address: Address, parts: Entries, context: BuildContext): Draft['type'] {
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

const fileKeys = ['defaults', 'variables', 'sources', 'resources', 'outputs', 'removed', 'moved'];
const overlayKeys = [...fileKeys, 'patches'];

interface ForeignKind {
  /** What such a file has at its top. */
  readonly keys: readonly [string, ...string[]];
  readonly what: string;
  readonly isData?: true;
}

/** Files of others that lie where catalogues do. */
const foreignKinds: readonly ForeignKind[] = [
  ...['openapi', 'swagger', 'asyncapi'].map((key) => ({
    keys: [key] as const,
    what: 'an API specification',
    isData: true as const,
  })),
  { keys: ['apiVersion', 'kind'], what: 'a Kubernetes manifest' },
  { keys: ['_format_version'], what: "a gateway's configuration, which its own command line reads" },
  { keys: ['_defaults'], what: "a file of the vendor's command line" },
  { keys: ['apis'], what: "a file of the vendor's command line" },
  { keys: ['portals'], what: "a file of the vendor's command line" },
];

function refuseSections(sections: Entries, isOverlay: boolean, context: BuildContext): void {
  const kind = foreignKinds.find(({ keys }) => keys.every((name) => sections.has(name)));
  const at = kind === undefined ? undefined : sections.get(kind.keys[0])?.key;
  if (at === undefined) {
    const patched = isOverlay ? undefined : sections.get('patches')?.key;
    if (patched !== undefined) reportPatches(patched, context);
    const known = isOverlay || patched !== undefined ? overlayKeys : fileKeys;
    return refuseUnknownKeys(sections, known, 'A catalogue file', context);
  }
  context.problems.add('not-a-catalogue', at, `This is ${kind?.what ?? 'another file'}, not a catalogue file.`, {
    detail:
      'Every file that matches the patterns under "catalogue" in sync.yaml is read, unless another one reads it with !file.',
    hint:
      kind?.isData === true
        ? 'Read it with !file, move it elsewhere, or narrow the patterns.'
        : 'Move it elsewhere, or narrow the patterns.',
  });
}

function reportPatches(at: SourceRange, { problems }: BuildContext): void {
  problems.add('patch-in-catalogue', at, 'Patches belong in an overlay, but this file is part of the catalogue.', {
    hint: 'List the file under "overlays" of a stack in sync.yaml.',
  });
}

/** A folder (or a pattern) of files, each of which stands for a resource of one type. */
export interface SourceEntry {
  /** As written, relative to the catalogue file. */
  readonly files: string;
  readonly at: SourceRange;
  readonly type: { readonly text: string; readonly at: SourceRange };
  /** Address under which all of it stands; left out: the folders tell. */
  readonly under?: { readonly text: string; readonly at: SourceRange };
  /** What each of them has, over what its file says. */
  readonly properties: Entries;
}

const sourceKeys = ['type', 'under', 'properties'];

/** `specs: platform:Api`, or a map with the type and more. */
function readSources(section: Entries, context: BuildContext): SourceEntry[] {
  return [...section].flatMap(([files, { key: at, value }]) => {
    if (value.kind === 'literal' && typeof value.value === 'string' && value.value !== '')
      return [{ files, at, type: { text: value.value, at: value.at }, properties: new Map() }];
    const parts = mapEntries(value, `The source ${files}`, context);
    refuseUnknownKeys(parts, sourceKeys, 'A source', context);
    const text = (name: string): { readonly text: string; readonly at: SourceRange } | undefined => {
      const entry = parts.get(name);
      const found = entry && plainText(entry.value, `"${name}" of ${files}`, context);
      return entry === undefined || found === undefined ? undefined : { text: found, at: entry.value.at };
    };
    const [type, under, properties] = [text('type'), text('under'), parts.get('properties')];
    if (!parts.has('type') && value.kind !== 'list') reportNoType(files, at, context);
    if (type === undefined) return [];
    const given = properties && mapEntries(properties.value, `"properties" of ${files}`, context);
    return [{ files, at, type, ...defined({ under }), properties: given ?? new Map() }];
  });
}

function reportNoType(files: string, at: SourceRange, { problems }: BuildContext): void {
  problems.add('missing-type', at, `The source ${files} does not say of which type its files are.`, {
    hint: `Give it a type: {${files}: platform:Api}`,
  });
}

/** What an overlay does to one resource. */
export interface Patch {
  readonly address: Address;
  readonly at: SourceRange;
  /** True: the resource is not there in this stack. */
  readonly off: boolean;
  readonly properties: Entries;
  readonly options: Entries;
}

const patchKeys = ['properties', 'options'];

function readPatches(entries: Entries, context: BuildContext): Patch[] {
  return [...entries].map(([address, { key, value }]) => {
    const off = isUnset(value);
    const what = `The patch of ${address}`;
    const parts = off ? new Map<string, MapEntry>() : mapEntries(value, what, context);
    refusePatchKeys(parts, address, context);
    const part = (name: string): Entries => {
      const entry = parts.get(name);
      return entry === undefined ? new Map() : mapEntries(entry.value, `"${name}" of ${address}`, context);
    };
    return { address, at: key, off, properties: part('properties'), options: part('options') };
  });
}

function refusePatchKeys(parts: Entries, address: Address, context: BuildContext): void {
  for (const [name, { key }] of parts) {
    if (patchKeys.includes(name)) continue;
    const hints: Readonly<Record<string, string>> = {
      children: `Patch a child by its address: ${address}/KEY.`,
      type: 'A patch cannot change the type: switch the resource off with !unset and declare another one.',
    };
    context.problems.add('unknown-key', key, `A patch has no key "${name}".`, {
      hint: ownMember(hints, name) ?? meant(name, patchKeys) ?? 'Its keys are properties and options.',
    });
  }
}

/** `removed: [petstore/guide]`: addresses as they stand in state. */
function readRemoved(value: Expression | undefined, context: BuildContext): readonly Located[] {
  if (value === undefined) return [];
  return listItems(value, '"removed"', context).flatMap((item) => {
    if (item.kind === 'literal' && typeof item.value === 'string' && isAddress(item.value))
      return [{ text: item.value, at: item.at }];
    wrongShape(item, 'Each item of "removed" must be an address such as petstore/guide', context);
    return [];
  });
}

/** `moved: [{from: petstore, to: STACK:petstore}]`: what stays recorded here until the other stack has it. */
function readMoved(value: Expression | undefined, context: BuildContext): readonly Leaving[] {
  if (value === undefined) return [];
  return listItems(value, '"moved"', context).flatMap((item) => {
    const [from, to] = ['from', 'to'].map((name) => (item.kind === 'map' ? item.entries.get(name)?.value : undefined));
    const texts = [from, to].map((each) => (each?.kind === 'literal' ? each.value : undefined));
    const [text, target] = texts;
    if (typeof text === 'string' && isAddress(text) && typeof target === 'string' && isStackAddress(target))
      return [{ text, to: target, at: from?.at ?? item.at }];
    wrongShape(item, 'Each item of "moved" must be a map such as {from: petstore, to: STACK:petstore}', context);
    return [];
  });
}

function isAddress(text: string): boolean {
  return text.split('/').every((key) => addressKeyPattern.test(key));
}
