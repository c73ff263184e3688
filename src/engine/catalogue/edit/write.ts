import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from 'yaml';
import type { Address } from '@platform-sync/core/model/address';
import { defined, isList, isObject, type Json, type Scalar as ScalarValue } from '@platform-sync/core/model/value';

/** A property's value as a catalogue file is to say it. */
export type WrittenValue =
  | { readonly kind: 'value'; readonly value: Json; readonly holes?: Holes }
  /** `!env NAME` */
  | { readonly kind: 'env'; readonly name: string }
  /** `!unset` */
  | { readonly kind: 'unset' }
  /** `${address.id}` */
  | { readonly kind: 'reference'; readonly address: Address }
  /** `!file path`; with `parsed`, `!file path#`: the value a JSON file holds instead of its text. */
  | { readonly kind: 'file'; readonly path: string; readonly parsed: boolean };

/** Members that a record has beyond its value: the environment variables that they come from. Items of lists are called by number. */
export interface Holes {
  readonly [member: string]: string | Holes;
}

/** A resource as a catalogue file is to say it. */
export interface WrittenResource {
  readonly key: string;
  /** `platform:Api`; left out where a source has it. */
  readonly type?: string;
  readonly properties: ReadonlyMap<string, WrittenValue>;
  readonly children: readonly WrittenResource[];
  /** `options.import` */
  readonly importId?: string;
  /** `options.allowBrokenSpecification` */
  readonly allowBroken?: true;
}

// Folding would add line breaks that only a YAML reader takes away again: a text is searched for as it is.
const layout = {
  lineWidth: 0,
  blockQuote: 'literal',
  doubleQuotedMinMultiLineLength: Infinity,
  flowCollectionPadding: false,
} as const;

/** The text of a catalogue file with these resources. Reading it back gives exactly these values. */
export function catalogueText(resources: readonly WrittenResource[]): string {
  const written = resourceMap(resources);
  written.items.forEach((pair, at) => {
    if (at > 0) pair.key.spaceBefore = true;
  });
  return documentText([['resources', written]]);
}

/** The text of a catalogue file with these sources: folder → type. */
export function sourcesText(folders: ReadonlyMap<string, string>): string {
  return documentText([['sources', mapOf([...folders].map(([folder, type]) => [folder, new Scalar(type)]))]]);
}

/** A page of Markdown behind its front matter, in which nothing is a reference. */
export function pageText(matter: ReadonlyMap<string, Json>, body: string): string {
  const entries = [...matter].map(
    ([name, value]) => [name, typeof value === 'string' ? textNode(value) : jsonNode(value)] as const,
  );
  return `---\n${entries.length === 0 ? '' : documentText(entries)}---\n\n${body}`;
}

function documentText(sections: readonly (readonly [string, Node])[]): string {
  const document = new Document({}, { version: '1.2', schema: 'core' });
  document.contents = mapOf(sections);
  return document.toString(layout);
}

function resourceMap(resources: readonly WrittenResource[]): YAMLMap<Scalar, Node> {
  return mapOf(resources.map((resource) => [resource.key, resourceNode(resource)]));
}

function resourceNode({ type, properties, children, importId, allowBroken }: WrittenResource): Node {
  const parts: [string, Node][] = type === undefined ? [] : [['type', new Scalar(type)]];
  if (properties.size > 0)
    parts.push(['properties', mapOf([...properties].map(([name, value]) => [name, valueNode(value)]))]);
  if (children.length > 0) parts.push(['children', resourceMap(children)]);
  const options = Object.entries(defined({ import: importId, allowBrokenSpecification: allowBroken }));
  if (options.length > 0) parts.push(['options', mapOf(options.map(([name, value]) => [name, new Scalar(value)]))]);
  return mapOf(parts);
}

function valueNode(value: WrittenValue): Node {
  switch (value.kind) {
    case 'value':
      return jsonNode(value.value, value.holes);
    case 'env':
      return envNode(value.name);
    case 'reference':
      return new Scalar(`\${${value.address}.id}`);
    case 'unset': {
      const nothing = new Scalar('');
      nothing.tag = '!unset';
      return nothing;
    }
    case 'file': {
      const path = new Scalar(value.parsed ? `${value.path}#` : value.path);
      path.tag = '!file';
      return path;
    }
  }
}

function envNode(name: string): Scalar {
  const variable = new Scalar(name);
  variable.tag = '!env';
  return variable;
}

/** Built node by node: from plain data the package would turn equal parts into anchors and aliases. */
function jsonNode(value: Json, holes: Holes = {}): Node {
  const below = (step: string): Holes | undefined => {
    const hole = holes[step];
    return typeof hole === 'string' ? undefined : hole;
  };
  if (isList(value)) return listNode(value, below);
  if (!isObject(value)) return typeof value === 'string' ? textNode(escapeReferences(value)) : new Scalar(value);
  const missing = Object.entries(holes).filter(([name]) => !Object.hasOwn(value, name));
  return mapOf([
    ...Object.entries(value).map(([name, part]) => [name, jsonNode(part, below(name))] as const),
    ...missing.map(([name, hole]) => [name, typeof hole === 'string' ? envNode(hole) : jsonNode({}, hole)] as const),
  ]);
}

/** Block text where its beginning and end are plain to see; else in quotes, where white space is spelt out. */
function textNode(text: string): Scalar {
  const node = new Scalar(text);
  if (text.includes('\n') && (/^\s/.test(text) || /\s$/.test(text.replace(/\n$/, '')))) node.type = Scalar.QUOTE_DOUBLE;
  return node;
}

function listNode(items: readonly Json[], below: (step: string) => Holes | undefined): Node {
  const list = new YAMLSeq<Node>();
  list.items = items.map((item, at) => jsonNode(item, below(String(at))));
  list.flow = items.every(isShort) && items.reduce<number>((sum, item) => sum + String(item).length + 2, 0) <= 80;
  return list;
}

function isShort(item: Json): item is ScalarValue {
  return typeof item !== 'object' && !String(item).includes('\n');
}

function mapOf(entries: readonly (readonly [string, Node])[]): YAMLMap<Scalar, Node> {
  const map = new YAMLMap<Scalar, Node>();
  map.items = entries.map(([name, value]) => new Pair(keyNode(name), value));
  map.flow = entries.length === 0;
  return map;
}

function keyNode(name: string): Scalar {
  const key = new Scalar(name);
  // Unquoted, this key would merge its value into the map.
  if (name === '<<') key.type = Scalar.QUOTE_DOUBLE;
  return key;
}

/** `$${` stands for `${`. Keys are never read as references. */
function escapeReferences(text: string): string {
  return text.replaceAll('${', '$$${');
}

const maxPlainDepth = 20;

/**
 * True for values that can't be spelt out in a catalogue: a key `fn::…` would be a call, and very deep ones are refused.
 * As a JSON file they go through untouched.
 */
export function needsDataFile(value: Json, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= maxPlainDepth) return true;
  if (isList(value)) return value.some((item: Json) => needsDataFile(item, depth + 1));
  return Object.entries(value).some(([name, part]) => name.startsWith('fn::') || needsDataFile(part, depth + 1));
}
