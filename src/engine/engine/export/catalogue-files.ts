import { importIdText } from '@platform-sync/core/model/import-id';
import {
  catalogueText,
  type Holes,
  needsDataFile,
  sourcesText,
  type WrittenResource,
  type WrittenValue,
} from '@platform-sync/catalogue/edit/write';
import { type Address, lastKey } from '@platform-sync/core/model/address';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import type { FittingObject } from './fit-rules.js';
import { type FoundObject, keyOf, referencedIn } from './found-object.js';
import { kebab, numbered } from './name-objects.js';
import type { Placement } from './place-objects.js';
import type { SourceFiles } from './source-files.js';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';

interface FilesInput {
  readonly roots: readonly Placement[];
  readonly addresses: ReadonlyMap<string, Address>;
  readonly objects: ReadonlyMap<string, FittingObject>;
  /** Keys of objects that only their id tells apart from others. */
  readonly ambiguous: ReadonlySet<string>;
  /** Keys of objects whose specification is broken. */
  readonly broken: ReadonlySet<string>;
  /** What files of sources stand for; empty without sources. */
  readonly sourced: SourceFiles['sourced'];
  readonly folders: SourceFiles['folders'];
}

/** The files of a catalogue: one for each object at the top, and one for each long text. Path → text. */
export function catalogueFiles(input: FilesInput): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const groups = new Map<string, WrittenResource[]>();
  for (const [at, file] of fileNames(input).entries()) {
    const root = input.roots[at];
    if (root === undefined) continue;
    // A file lies at the top of the folder, so texts are named from there.
    const group = groups.get(file) ?? [];
    groups.set(file, group);
    for (const written of writtenResources(input, [root], texts)) group.push(written);
  }
  const catalogue = [...groups].flatMap(([file, resources]) =>
    resources.length === 0 ? [] : [[file, catalogueText(resources)] as const],
  );
  return new Map([...sourcesFile(input, groups), ...catalogue, ...texts]);
}

/** One file says what all folders hold. */
function sourcesFile({ folders }: FilesInput, taken: ReadonlyMap<string, unknown>): readonly [string, string][] {
  if (folders.size === 0) return [];
  let name = 'sources.yaml';
  for (let number = 2; taken.has(name); number++) name = `sources-${String(number)}.yaml`;
  return [[name, sourcesText(folders)]];
}

/** A resource of which a file says all is not written. */
function writtenResources(
  input: FilesInput,
  placements: readonly Placement[],
  texts: Map<string, string>,
): readonly WrittenResource[] {
  return placements
    .map((placement) => writtenResource(input, placement, texts))
    .filter(
      ({ type, properties, children, importId, allowBroken }) =>
        type !== undefined ||
        properties.size + children.length > 0 ||
        importId !== undefined ||
        allowBroken !== undefined,
    );
}

/** Objects that live nowhere have a file each; those whose home is not exported share one by type. */
function fileNames({ roots, addresses }: FilesInput): readonly string[] {
  const own = roots.map(({ object }) => (object.type.parent === undefined ? addresses.get(keyOf(object)) : undefined));
  const shared = new Set(roots.filter((_, at) => own[at] === undefined).map(({ object }) => object.type.name));
  const names = numbered([
    ...own.filter((name) => name !== undefined),
    ...[...shared].map((name) => `${kebab(name)}s`),
  ]);
  const sharedNames = new Map([...shared].map((name, at) => [name, names[names.length - shared.size + at] ?? name]));
  let taken = 0;
  return roots.map(({ object }, at) => {
    const name = own[at] === undefined ? sharedNames.get(object.type.name) : names[taken++];
    return `${name ?? ''}.yaml`;
  });
}

function writtenResource(input: FilesInput, placement: Placement, texts: Map<string, string>): WrittenResource {
  const { object, nesting, children } = placement;
  const { type, identity } = object;
  const key = keyOf(object);
  const address = input.addresses.get(key) ?? '';
  const filledIn = nesting === undefined ? [] : [nesting.field, ...nesting.inherits];
  const sourced = input.sourced.get(key);
  if (sourced?.file !== undefined) texts.set(sourced.file.path, sourced.file.text);
  const properties = new Map<string, WrittenValue>();
  for (const [name, value] of sourced?.rest ?? input.objects.get(key)?.fields ?? []) {
    const rule = type.fields[name];
    if (value === undefined) properties.set(name, { kind: 'unset' });
    if (
      value === undefined ||
      rule === undefined ||
      filledIn.includes(name) ||
      (name === type.nameField && value === lastKey(address))
    )
      continue;
    properties.set(name, writtenValue(input, object, rule, value, address, texts));
  }
  for (const path of input.objects.get(key)?.holes ?? []) addHole(properties, path, variableOf(address, path));
  return {
    key: lastKey(address),
    ...(sourced === undefined && { type: type.shortToken }),
    properties,
    children: writtenResources(input, children, texts),
    ...(input.ambiguous.has(key) ? { importId: importIdText(type.importId, identity) } : {}),
    ...(input.broken.has(key) && { allowBroken: true }),
  };
}

/** Environment variable that a secret of a resource comes from. */
export function variableOf(address: Address, path: readonly string[]): string {
  const words = [address, ...path].join('_').replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return words
    .replace(/[^A-Za-z\d]+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();
}

function addHole(
  properties: Map<string, WrittenValue>,
  [field = '', ...inside]: readonly string[],
  name: string,
): void {
  const known = properties.get(field);
  if (inside.length === 0) properties.set(field, { kind: 'env', name });
  else if (known === undefined || known.kind === 'value')
    properties.set(field, {
      kind: 'value',
      value: known?.value ?? {},
      holes: withHole(known?.holes ?? {}, inside, name),
    });
}

function withHole(holes: Holes, [step = '', ...rest]: readonly string[], name: string): Holes {
  const below = holes[step];
  return {
    ...holes,
    [step]: rest.length === 0 ? name : withHole(typeof below === 'object' ? below : {}, rest, name),
  };
}

function writtenValue(
  input: FilesInput,
  object: FoundObject,
  rule: FieldRule,
  value: Json,
  address: Address,
  texts: Map<string, string>,
): WrittenValue {
  if (typeof value === 'string') {
    const referenced = referencedIn(input.addresses, object, rule);
    if (referenced !== undefined) return { kind: 'reference', address: referenced };
    if (!belongsInFile(rule, value)) return { kind: 'value', value };
    const path = textPath(rule, address, value);
    texts.set(path, fileText(value));
    return { kind: 'file', path, parsed: false };
  }
  if (!needsDataFile(value)) return { kind: 'value', value };
  const path = dataPath(rule, address);
  texts.set(path, `${JSON.stringify(value, null, 2)}\n`);
  return { kind: 'file', path, parsed: true };
}

/** A body (not shown in lists) is a document of its own; another text becomes one only when it is very long. */
const limits = { body: { lines: 1, characters: 120 }, other: { lines: 10, characters: 800 } };

/** True for texts that read better in a file of their own. */
function belongsInFile(rule: FieldRule, text: string): boolean {
  // Half a character can't be written as UTF-8; YAML has an escape for it.
  if ((rule.equality !== 'text' && rule.equality !== 'document') || /\p{Surrogate}/u.test(text)) return false;
  const limit = rule.inList ? limits.other : limits.body;
  return text.length > limit.characters || lineCount(text, limit.lines) > limit.lines;
}

/** Lines of text, the break at its end not counted; counts no further than one above `enough`. */
function lineCount(text: string, enough: number): number {
  let lines = 1;
  const end = text.length - 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end && lines <= enough; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/**
 * Where a field's text goes: `docs/petstore/guide.md`, `specs/petstore.yaml`, `descriptions/petstore.md`. By the names of
 * fields: `content` is the page itself, `xContent` holds an x, anything else is text about the object.
 */
function textPath(rule: FieldRule, address: Address, text: string): string {
  const kind = /^(.+)Content$/.exec(rule.name)?.[1];
  if (kind !== undefined) return `${kebab(kind)}s/${address}.${dataExtension(text)}`;
  return `${rule.name === 'content' ? 'docs' : `${kebab(rule.name)}s`}/${address}.md`;
}

function dataPath(rule: FieldRule, address: Address): string {
  return `data/${address}.${kebab(rule.name)}.json`;
}

function dataExtension(text: string): string {
  if (/^\s*\{/.test(text) && isJson(text)) return 'json';
  // A file that looks like a part of the catalogue would be loaded as one.
  return hasSections(text) ? 'txt' : 'yaml';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text as a file. Readers take one byte order mark away, so a text that begins with one needs two. */
function fileText(text: string): string {
  return text.startsWith('\uFEFF') ? `\uFEFF${text}` : text;
}
