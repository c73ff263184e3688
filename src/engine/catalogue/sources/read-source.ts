import { childAddress, lastKey, parentAddress, type Address } from '@platform-sync/core/model/address';
import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { MadeFromSpecification, MadeObject } from '@platform-sync/core/model/provider';
import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { YamlNode } from '../read/yaml-events.js';
import { NodeValues } from '../read/node-values.js';
import { placeAt, readForeign } from './foreign-yaml.js';
import { literalOf, type MapEntry, type PathSegment } from '@platform-sync/core/model/expression';
import type { FileRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { resolveType, type Vocabulary } from '../build/vocabulary.js';
import type { BuildContext } from '../read/build-context.js';
import { type GivenText, isSpecificationOverlay, type Overlaid, type OverlayFault } from '../read/data-files.js';
import { reportConflict, reportFailure, reportOverlay } from '../read/file-failures.js';
import { readOptions } from '../read/options.js';
import { overlayEntries } from '../read/overlay.js';
import type { Draft } from '../read/draft.js';
import { addressOf, filesOf, keyOfKept } from './addresses.js';
import type { FileValues } from './file-values.js';
import type { FoundSource } from './find-files.js';
import { readPage } from './markdown.js';
import { readSpecification } from './specification.js';

/** The resources that the files of a source stand for, without children: their addresses say where they belong. */
export async function readSource(
  source: FoundSource,
  vocabulary: Vocabulary,
  context: BuildContext,
): Promise<readonly Draft[]> {
  const type = resolveType(source.type.text, source.type.at, vocabulary, context);
  if (type === undefined) return [];
  const make = vocabulary.packages.get(type.provider)?.fromSpecification?.get(type.token);
  if (make !== undefined) return readMade(source, type, make, context);
  const rule = type.file;
  if (rule === undefined) {
    reportNoRule(source, type, vocabulary, context);
    return [];
  }
  const files = filesOf(source, rule.format);
  if (files.length === 0) reportNoFiles(source, rule.format, context);
  const texts = rule.format === 'specification' ? await specificationsOf(files, source, context) : undefined;
  return files.flatMap((file) => {
    const given = texts?.get(file);
    return given === 'applied' ? [] : readFile(file, given, source, type, rule, vocabulary, context);
  });
}

/**
 * OpenAPI Overlays among the files of a source. One that is for another of them is applied to it, in the order of their names; one
 * that is for a file elsewhere stands for it.
 */
async function specificationsOf(
  files: readonly string[],
  source: FoundSource,
  context: BuildContext,
): Promise<ReadonlyMap<string, GivenText>> {
  const overlays = files.filter((file) => {
    const read = mayRead(file, source, context, true) ? context.data.text(file, source.declaredIn) : undefined;
    return read?.ok === true && isSpecificationOverlay(read.text);
  });
  if (overlays.length === 0) return new Map();
  const { overlaidAmong } = await import('../read/specification-overlay.js');
  return overlaidAmong(overlays, files, (file) =>
    context.rules?.data(file) === false ? { ok: false, why: 'policy' } : context.data.text(file, source.declaredIn),
  );
}

/** The text of a file, or what overlays make of it; undefined: reported. */
function textOf(
  file: string,
  given: Overlaid | OverlayFault | undefined,
  { declaredIn, at }: FoundSource,
  context: BuildContext,
): (Pick<Overlaid, 'text'> & Partial<Overlaid>) | undefined {
  const read = context.data.text(file, declaredIn);
  if (!read.ok) {
    reportFailure(file, read, at, context);
    return undefined;
  }
  context.sources.add(file, read.text);
  if (given === undefined) return reportConflict(file, read.text, context.problems) ? undefined : read;
  return reportOverlay(given, context) ? given : undefined;
}

function readFile(
  file: string,
  given: Overlaid | OverlayFault | undefined,
  source: FoundSource,
  type: ResourceType,
  rule: FileRule,
  vocabulary: Vocabulary,
  context: BuildContext,
): readonly Draft[] {
  const address = addressOf(file, source, type);
  if (!mayRead(file, source, context)) return [];
  const read = textOf(file, given, source, context);
  const values =
    read === undefined
      ? undefined
      : rule.format === 'specification'
        ? readSpecification(file, read, rule, context)
        : readPage(file, read.text, rule, type, lastKey(address), context);
  return resourcesOf(file, address, values, source, type, rule, vocabulary, context);
}

function mayRead(file: string, { at }: FoundSource, { rules, problems }: BuildContext, isQuiet = false): boolean {
  if (rules?.data(file) !== false) return true;
  if (isQuiet) return false;
  problems.add('file-no-data', at, `The permissions do not let these files read ${file}.`, {
    hint: 'The operator can list its folder under "data" in the permissions (SYNC_POLICY).',
  });
  return false;
}

/** The resources that each specification of the source stands for, where that is more than one. */
async function readMade(
  source: FoundSource,
  type: ResourceType,
  make: (document: JsonObject, key: string) => Promise<MadeFromSpecification>,
  context: BuildContext,
): Promise<readonly Draft[]> {
  const files = filesOf(source, 'specification');
  if (files.length === 0) reportNoFiles(source, 'specification', context);
  const found: Draft[] = [];
  const texts = await specificationsOf(files, source, context);
  for (const file of files) {
    const given = texts.get(file);
    if (given === 'applied' || !mayRead(file, source, context)) continue;
    const read = textOf(file, given, source, context);
    const top = read === undefined ? undefined : readForeign(file, read.text, context);
    if (read === undefined || top === undefined) continue;
    const address = addressOf(file, source, type);
    // What overlays made stands in the specification as far as it is there.
    const [written, places] = read.base === undefined ? [file, top] : placesIn(read.base, top, source, context);
    const values = new NodeValues();
    const document = top === 'empty' ? null : values.valueOf(top);
    if (values.mistake !== undefined) {
      const { what, at } = values.mistake;
      const place = written === file ? { file, start: at.start, end: at.end } : { file, start: 0, end: 0 };
      context.problems.add('specification-not-usable', place, `${file} can't be read: ${what}.`);
      continue;
    }
    const made = await madeOf({ file: written, top: places, document }, lastKey(address), make, context);
    found.push(...made.map((each) => draftOf(each, written, places, parentAddress(address), type, source, context)));
  }
  return found;
}

function placesIn(
  base: string,
  top: YamlNode | 'empty',
  { declaredIn }: FoundSource,
  context: BuildContext,
): readonly [string, YamlNode | 'empty'] {
  const own = context.data.text(base, declaredIn);
  if (!own.ok) return [base, top];
  context.sources.add(base, own.text);
  return [base, readForeign(base, own.text, context) ?? top];
}

interface ReadDocument {
  readonly file: string;
  readonly top: YamlNode | 'empty';
  readonly document: Json;
}

async function madeOf(
  { file, top, document }: ReadDocument,
  key: string,
  make: (document: JsonObject, key: string) => Promise<MadeFromSpecification>,
  { problems }: BuildContext,
): Promise<readonly MadeObject[]> {
  const start = { file, start: 0, end: 0 };
  if (!isObject(document) || typeof document['openapi'] !== 'string') {
    problems.add('not-a-specification', start, `${file} is not an OpenAPI 3 document.`, {
      hint: 'Move it elsewhere, or narrow the source to a pattern such as specs/*.openapi.yaml.',
    });
    return [];
  }
  const placed = (path: readonly PathSegment[]): SourceRange =>
    top === 'empty' ? start : { ...start, ...placeAt(top, path) };
  try {
    const { objects, warnings } = await make(document, key);
    for (const { why, path, hint } of warnings)
      problems.add('specification-not-used', placed(path), `${file} ${why}.`, { severity: 'warning', hint });
    return objects;
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const { message, path, hint } = error;
    problems.add('specification-not-usable', placed(path), `${file} ${message}.`, { hint });
    return [];
  }
}

function draftOf(
  { key, below, type, properties, references, at: pointer }: MadeObject,
  file: string,
  top: YamlNode | 'empty',
  parent: Address | undefined,
  own: ResourceType,
  source: FoundSource,
  context: BuildContext,
): Draft {
  const addressAt = (name: string): Address => (parent === undefined ? name : childAddress(parent, name));
  const address = below === undefined ? addressAt(key) : childAddress(addressAt(below), key);
  const { start, end } = top === 'empty' ? { start: 0, end: 0 } : placeAt(top, pointerKeys(pointer));
  const at = { file, start, end };
  const held = new Map<string, MapEntry>();
  for (const [field, value] of Object.entries(properties)) held.set(field, { key: at, value: literalOf(value, at) });
  for (const [field, name] of Object.entries(references)) {
    const target = addressAt(name);
    const reference = { kind: 'reference', to: 'resource', target, path: ['id'], text: `${target}.id`, at } as const;
    held.set(field, { key: at, value: reference });
  }
  return {
    ...{ address, key, at, children: [], declaredIn: source.declaredIn, type: { text: type, at: source.type.at } },
    properties: type === own.token ? overlayEntries(held, source.properties) : held,
    ...{ options: readOptions(new Map(), address, context), optionEntries: new Map() },
  };
}

/** The resource, and what the platform keeps its body as. Of a broken file they are there, and nothing is known of them. */
function resourcesOf(
  file: string,
  address: string,
  values: FileValues | undefined,
  source: FoundSource,
  type: ResourceType,
  rule: FileRule,
  vocabulary: Vocabulary,
  context: BuildContext,
): readonly Draft[] {
  const at = { file, start: 0, end: 0 };
  const { fields, body, order } = values ?? { fields: new Map<string, MapEntry>(), body: undefined };
  const made = (where: string, token: string, properties: ReadonlyMap<string, MapEntry>): Draft => ({
    address: where,
    key: lastKey(where),
    at,
    type: values === undefined ? undefined : { text: token, at: source.type.at },
    properties,
    children: [],
    options: readOptions(new Map(), where, context),
    optionEntries: new Map(),
    declaredIn: source.declaredIn,
    ...defined({ order: where === address ? order : undefined }),
  });
  const kept = vocabulary.types.get(type.fields[rule.body]?.keptAs ?? '');
  const held = new Map(body === undefined ? [] : [[rule.body, body]]);
  const own = overlayEntries(kept === undefined ? new Map([...fields, ...held]) : fields, source.properties);
  const resource = made(address, type.token, own);
  return kept === undefined ? [resource] : [resource, made(`${address}/${keyOfKept(type, kept)}`, kept.token, held)];
}

function reportNoRule(
  { files, type: { at } }: FoundSource,
  type: ResourceType,
  { types, packages }: Vocabulary,
  { problems }: BuildContext,
): void {
  const isAble = ({ file, provider, token }: ResourceType): boolean =>
    file !== undefined || packages.get(provider)?.fromSpecification?.has(token) === true;
  const able = [...types.values()].filter(isAble).map(({ shortToken }) => shortToken);
  problems.add('source-type', at, `A file can't stand for a ${type.shortToken} (in the source ${files}).`, {
    hint: `Types of files are ${[...new Set(able)].join(', ')}.`,
  });
}

function reportNoFiles(
  { files, at, found }: FoundSource,
  format: FileRule['format'],
  { problems }: BuildContext,
): void {
  const wanted = format === 'specification' ? '.yaml, .yml or .json' : '.md or .markdown';
  problems.add('no-source-files', at, `The source ${files} has no file.`, {
    hint:
      found.length === 0
        ? 'Folders and patterns are relative to the file that names them. Nothing should exist? Remove the source.'
        : `Files of this type end with ${wanted}.`,
  });
}
