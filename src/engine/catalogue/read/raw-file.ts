import { addressKeyPattern, childAddress, type Address } from '../../model/address.js';
import type { Expression, MapEntry } from '../../model/expression.js';
import { didYouMean } from '../../model/nearest.js';
import type { SourceRange } from '../../model/source.js';
import type { BuildContext } from './build-context.js';
import { readOptions, type RawOptions } from './options.js';
import { mapEntries, plainText, refuseUnknownKeys, type Entries } from './shape.js';
import { isUnset } from './unset.js';

/** One resource as written, before its type is known. */
export interface RawResource {
  readonly address: Address;
  readonly key: string;
  /** The resource's key in the file. */
  readonly at: SourceRange;
  /** Undefined when it was missing or no text (reported). */
  readonly type: { readonly text: string; readonly at: SourceRange } | undefined;
  readonly properties: Entries;
  readonly children: readonly RawResource[];
  readonly options: RawOptions;
  /** The options block as written, for patches. */
  readonly optionEntries: Entries;
}

/** What an overlay does to one resource. */
export interface RawPatch {
  readonly address: Address;
  readonly at: SourceRange;
  /** True: the resource is not there in this stack. */
  readonly off: boolean;
  readonly properties: Entries;
  readonly options: Entries;
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
}

const fileKeys = ['defaults', 'variables', 'resources', 'outputs'];
const overlayKeys = [...fileKeys, 'patches'];
const patchKeys = ['properties', 'options'];
const resourceKeys = ['type', 'properties', 'children', 'options'];

export function readRawFile(
  file: string,
  documents: readonly Expression[],
  isOverlay: boolean,
  context: BuildContext,
): RawFile {
  const raw = { file, defaults: [], variables: [], outputs: [], resources: [], patches: [] } as RawFile & {
    defaults: RawDefaults[];
    variables: RawNamed[];
    outputs: RawNamed[];
    resources: RawResource[];
    patches: RawPatch[];
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
    if (isOverlay) for (const patch of patches(section('patches'), context)) raw.patches.push(patch);
  }
  return raw;
}

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
  problems.add('patch-in-catalogue', at, 'Patches stand in an overlay, and this file is part of the catalogue.', {
    hint: 'List the file under "overlays" of a stack in sync.yaml.',
  });
}

function patches(entries: Entries, context: BuildContext): RawPatch[] {
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
      type: 'The type stays: switch the resource off with !unset and declare another one.',
    };
    context.problems.add('unknown-key', key, `A patch has no key "${name}".`, {
      hint:
        (Object.hasOwn(hints, name) ? hints[name] : didYouMean(name, patchKeys)) ??
        'Its keys are properties and options.',
    });
  }
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
  const part = (name: string): Entries => {
    const entry = parts.get(name);
    return entry === undefined ? new Map() : mapEntries(entry.value, `"${name}" of ${address}`, context);
  };
  return {
    address,
    key,
    at,
    type: resourceType(address, at, value, parts, context),
    properties: part('properties'),
    children: resources(part('children'), address, context),
    options: readOptions(part('options'), address, context),
    optionEntries: part('options'),
  };
}

function resourceType(
  address: Address,
  at: SourceRange,
  value: Expression,
  parts: Entries,
  context: BuildContext,
): RawResource['type'] {
  const entry = parts.get('type');
  if (entry !== undefined) {
    const text = plainText(entry.value, `"type" of ${address}`, context);
    return text === undefined ? undefined : { text, at: entry.value.at };
  }
  if (value.kind === 'map' || (value.kind === 'literal' && value.value === null && !context.broken.has(value))) {
    context.problems.add('missing-type', at, `The resource ${address} has no type.`, {
      hint: 'Give it one: type: platform:Api',
      address,
    });
  }
  return undefined;
}

function checkKey(key: string, at: SourceRange, what: string, { problems }: BuildContext): boolean {
  if (addressKeyPattern.test(key)) return true;
  problems.add('bad-name', at, `"${key}" can't be the name of ${what === 'output' ? 'an' : 'a'} ${what}.`, {
    detail: 'A name starts with a letter or "_"; letters, digits, "_" and "-" follow.',
    hint: key.includes('/') ? `Write it under "children" of ${key.slice(0, key.lastIndexOf('/'))}.` : undefined,
  });
  return false;
}
