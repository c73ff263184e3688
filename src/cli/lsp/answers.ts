import {
  type CompletionItem,
  CompletionItemKind,
  type Location,
  SymbolKind,
  type Range,
} from 'vscode-languageserver/node.js';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { explainedField, explainedResource, fieldAt } from '@platform-sync/report/text/explained';
import { plainStyle } from '@platform-sync/report/text/style';
import { knownType, typeTokens } from '../arguments/package-index.js';
import type { CatalogueIndex, Spot } from './catalogue-index.js';
import { type Position, rangeOf, uriOf } from './positions.js';
import type { Here, Projects } from './projects.js';
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
  const [spot, index] = spotAt(here, position) ?? [];
  if (spot?.kind !== 'reference' || index === undefined) return null;
  const { target, to } = spot.reference;
  const at = to === 'resource' ? index.desired.resources.get(target)?.at : index.desired.variables.get(target)?.at;
  return at === undefined ? null : locationOf(here.folder, index, at);
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

interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  readonly range: Range;
  readonly selectionRange: Range;
}

export function symbols({ file, index }: Here): DocumentSymbol[] {
  return (index?.in(file) ?? []).flatMap((spot) => {
    if (spot.kind !== 'resource' || index === undefined) return [];
    const range = rangeOf(index.desired.sources.place(spot.at));
    const { address, type } = spot.resource;
    return [{ name: address, detail: shortToken(type), kind: SymbolKind.Object, range, selectionRange: range }];
  });
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

function named(names: readonly string[], kind: CompletionItemKind): CompletionItem[] {
  return names.map((label) => ({ label, kind }));
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function locationOf(folder: string, { desired }: CatalogueIndex, at: SourceRange): Location {
  return { uri: uriOf(folder, at.file), range: rangeOf(desired.sources.place(at)) };
}
