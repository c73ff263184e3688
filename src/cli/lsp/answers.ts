import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentSymbol,
  type Location,
  SymbolKind,
} from 'vscode-languageserver/node.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isData, siblingPath } from '@platform-sync/catalogue/read/file-texts';
import { projectFileName } from '@platform-sync/core/model/project';
import { isObject } from '@platform-sync/core/model/value';
import { addressAt } from './edits.js';
import { type Address, lastKey, parentAddress } from '@platform-sync/core/model/address';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { explainedField, explainedResource, fieldAt } from '@platform-sync/report/text/explained';
import { plainStyle } from '@platform-sync/report/text/style';
import { knownLookup, knownType, lookupTokens, typeTokens } from '../arguments/package-index.js';
import type { CatalogueIndex, Spot } from './catalogue-index.js';
import { type Position, rangeOf, uriOf } from './positions.js';
import type { Here, Projects } from './projects.js';
import { foldings } from './tokens.js';
import { typedPlace, type TypedPlace } from './typed-place.js';

const optionNames = [
  ...['dependsOn', 'protect', 'ignoreChanges', 'replaceOnChanges', 'deleteBeforeReplace'],
  ...['retainOnDelete', 'import', 'aliases', 'moved', 'allowBrokenSpecification'],
];

/** The spot that a position is in, with what is known of its project. */
function spotAt({ file, document, index }: Here, position: Position): readonly [Spot, CatalogueIndex] | undefined {
  const spot = index?.at(file, document.offsetAt(position));
  return index === undefined || spot === undefined ? undefined : [spot, index];
}

export function definition(here: Here, position: Position): Location | null {
  const file = fileAt(here, position);
  if (file !== undefined) return { uri: uriOf(here.folder, file), range: start };
  const [spot, index] = spotAt(here, position) ?? [];
  if (spot?.kind === 'reference' && spot.reference.target === 'param')
    return parameterPlace(here.folder, String(spot.reference.path[0]));
  const { index: known } = here;
  const address = spot?.kind === 'reference' ? spot.reference.target : addressAt(here, position)?.address;
  if (known === undefined || address === undefined || spot?.kind === 'resource') return null;
  const at = known.desired.resources.get(address)?.at ?? known.desired.variables.get(address)?.at;
  return at === undefined ? null : locationOf(here.folder, index ?? known, at);
}

const start = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The file that `!file` names where the position is. */
function fileAt({ document, file }: Here, { line, character }: Position): string | undefined {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  for (const { index, 0: whole, 1: path = '' } of text.matchAll(/!file\s+["']?([^\s"',}#]+)/g))
    if (index <= character && character <= index + whole.length) return siblingPath(file, path);
  return undefined;
}

/** Where sync.yaml declares a parameter; as text: an editor may have it half typed. */
function parameterPlace(folder: string, name: string): Location {
  const lines = readFileSync(join(folder, projectFileName), 'utf8').split('\n');
  const section = lines.findIndex((line) => /^parameters:/.test(line));
  const isDeclared = (line: string, at: number): boolean =>
    at > section && /^ +["']?([\w-]+)["']?:/.exec(line)?.[1] === name;
  const found = section < 0 ? -1 : lines.findIndex(isDeclared);
  const line = Math.max(found, section, 0);
  return { uri: uriOf(folder, projectFileName), range: { start: { line, character: 0 }, end: { line, character: 0 } } };
}

export function references(here: Here, position: Position): Location[] {
  const [spot, index] = spotAt(here, position) ?? [];
  if (spot === undefined || index === undefined) return [];
  const target = spot.kind === 'reference' ? spot.reference.target : spot.resource.address;
  return index.referencesTo(target).map(({ at }) => locationOf(here.folder, index, at));
}

export async function hover(projects: Projects, here: Here, position: Position): Promise<{ contents: string } | null> {
  const [spot, index] = spotAt(here, position) ?? [];
  if (spot === undefined || index === undefined) return null;
  if (spot.kind === 'property') {
    const type = await typeOf(projects, here.folder, spot.resource.type);
    const field = type === undefined ? undefined : fieldAt(type, spot.name);
    return type === undefined || field === undefined
      ? null
      : { contents: block(explainedField(type, spot.name, field, plainStyle)) };
  }
  const resource = spot.kind === 'resource' ? spot.resource : index.desired.resources.get(spot.reference.target);
  if (resource === undefined) return null;
  const { dependencyGraph } = await import('@platform-sync/core/resolve/graph');
  const graph = dependencyGraph(index.desired);
  const { address, at } = resource;
  const neededBy = [...graph].flatMap(([other, needs]) => (needs.includes(address) ? [other] : []));
  const told = { resource, place: index.desired.sources.place(at), needs: graph.get(address) ?? [], neededBy };
  return { contents: block(explainedResource(told, plainStyle)) };
}

/** The resources of a file as a tree, each with its whole block. */
export function symbols({ file, index, document }: Here): DocumentSymbol[] {
  const ends = new Map(foldings(document.getText()).map(({ startLine, endLine }) => [startLine, endLine + 1]));
  const found = new Map<Address, DocumentSymbol>();
  const top: DocumentSymbol[] = [];
  for (const spot of index?.in(file) ?? []) {
    if (spot.kind !== 'resource' || index === undefined) continue;
    const { address, type } = spot.resource;
    const selectionRange = rangeOf(index.desired.sources.place(spot.at));
    const end = ends.get(selectionRange.start.line);
    const range = { ...selectionRange, ...(end === undefined ? {} : { end: { line: end, character: 0 } }) };
    const names = { name: lastKey(address), detail: shortToken(type), kind: SymbolKind.Object };
    const symbol: DocumentSymbol = { ...names, range, selectionRange, children: [] };
    found.set(address, symbol);
    (found.get(parentAddress(address) ?? '')?.children ?? top).push(symbol);
  }
  return top;
}

export async function completion(projects: Projects, here: Here, position: Position): Promise<CompletionItem[]> {
  const [text, offset] = [here.document.getText(), here.document.offsetAt(position)];
  const place = typedPlace(text.slice(0, offset), text.slice(offset));
  return place === undefined ? [] : offers(projects, here, place);
}

async function offers(projects: Projects, here: Here, place: TypedPlace): Promise<CompletionItem[]> {
  switch (place.kind) {
    case 'expression':
      return expressionOffers(projects, here, place.head);
    case 'type':
      return named(await typeTokens(await projects.packages(here.folder)), CompletionItemKind.Class);
    case 'option':
      return named(optionNames, CompletionItemKind.Property);
    case 'resource':
      return named(['type', 'properties', 'children', 'options'], CompletionItemKind.Property);
    case 'value':
      return valueOffers(await typeOf(projects, here.folder, place.type), place.field, here);
    case 'lookup':
      return named(await lookupTokens(await projects.packages(here.folder)), CompletionItemKind.Function);
    case 'argument': {
      const lookup = await knownLookup(await projects.packages(here.folder), place.lookup);
      const inputs = isObject(lookup?.inputs['properties']) ? Object.keys(lookup.inputs['properties']) : [];
      const open = inputs.filter((name) => !place.there.includes(name));
      return named(open, CompletionItemKind.Property).map((item) => ({ ...item, insertText: `${item.label}: ` }));
    }
    case 'file':
      return fileOffers(here, place.path);
    case 'property': {
      const type = await typeOf(projects, here.folder, place.type);
      return type === undefined || place.path.length > 0 ? [] : fieldOffers(type, place.there);
    }
  }
}

async function expressionOffers(
  projects: Projects,
  { index, folder }: Here,
  head: string | undefined,
): Promise<CompletionItem[]> {
  if (index === undefined) return [];
  const { resources, variables } = index.desired;
  if (head === undefined)
    return [
      ...named([...resources.keys()], CompletionItemKind.Reference),
      ...named([...variables.keys()], CompletionItemKind.Variable),
    ];
  const resource = resources.get(head);
  const type = resource === undefined ? undefined : await typeOf(projects, folder, resource.type);
  return type === undefined
    ? []
    : named(['id', ...Object.keys(type.fields).filter((name) => name !== 'id')].sort(), CompletionItemKind.Field);
}

async function typeOf(projects: Projects, folder: string, name: string): Promise<ResourceType | undefined> {
  return knownType(await projects.packages(folder), name);
}

function fieldOffers({ fields }: ResourceType, there: readonly string[]): CompletionItem[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    if (!rule.input || there.includes(name)) return [];
    const { required: isRequired } = rule;
    return [
      {
        ...{ label: name, kind: CompletionItemKind.Field, detail: isRequired ? 'required' : '' },
        ...{ documentation: rule.description, sortText: `${isRequired ? 0 : 1}${name}`, insertText: `${name}: ` },
      },
    ];
  });
}

/** What a field takes: words, and ids of resources of the type that it refers to. */
function valueOffers(type: ResourceType | undefined, field: string, { index }: Here): CompletionItem[] {
  const rule = type === undefined || !Object.hasOwn(type.fields, field) ? undefined : type.fields[field];
  if (rule === undefined) return [];
  const { enum: allowed } = rule.schema;
  const words = Array.isArray(allowed) ? allowed.map(String) : rule.type === 'boolean' ? ['true', 'false'] : [];
  const fitting = [...(index?.desired.resources.values() ?? [])].filter((one) => one.type === rule.references);
  const ids = fitting.map(({ address }) => `\${${address}.id}`);
  return [...named(words, CompletionItemKind.EnumMember), ...named(ids, CompletionItemKind.Reference)];
}

/** Files and folders where a path leads so far; what the project may not read is not offered. */
function fileOffers({ folder, file }: Here, path: string): CompletionItem[] {
  const above = siblingPath(file, path.slice(0, path.lastIndexOf('/') + 1) || '.');
  if (above.startsWith('..')) return [];
  const entries = readdirSync(join(folder, above), { withFileTypes: true }).filter(({ name }) => isData(name));
  return entries.map((entry) => ({
    label: entry.isDirectory() ? `${entry.name}/` : entry.name,
    kind: entry.isDirectory() ? CompletionItemKind.Folder : CompletionItemKind.File,
  }));
}

function named(names: readonly string[], kind: CompletionItemKind): CompletionItem[] {
  return names.map((label) => ({ label, kind }));
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function locationOf(folder: string, { desired }: CatalogueIndex, at: SourceRange): Location {
  return { uri: uriOf(folder, at.file), range: rangeOf(desired.sources.place(at)) };
}
