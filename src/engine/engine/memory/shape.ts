import { packageNameOf } from '../loaded-packages.js';
import { topKey } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defaultOptions, type DesiredResource } from '@platform-sync/core/model/desired';
import { type Expression, visitExpression } from '@platform-sync/core/model/expression';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { encodeExpression } from '@platform-sync/catalogue/build/meaning';

/** What others may see of a resource, and what it sees of them. */
interface Shape {
  /** Equal for resources that differ in nothing but plain values which tell neither what they are nor where. */
  readonly text: string;
  /** Keys of the resources at the top that it needs, or one that lives in them. */
  readonly needs: ReadonlySet<string>;
  /** What it is made of may change although the files do not. */
  readonly isAlive: boolean;
  /** Its key, or the place that it is in, depends on more than files say. */
  readonly isLoose: boolean;
}

export type TypeOf = (token: string) => ResourceType | undefined;

/** The types of these tokens. */
export async function typesOf(packages: PackageSource, tokens: ReadonlySet<string>): Promise<TypeOf> {
  const names = [...new Set([...tokens].map(packageNameOf))];
  const loaded = new Map(await Promise.all(names.map(async (name) => [name, await packages.load(name)] as const)));
  return (token) => loaded.get(packageNameOf(token))?.types.get(token);
}

/** The shape of one resource. */
export function shapeOf(resource: DesiredResource, type: ResourceType): Shape {
  const { address, options, properties, placedAfter } = resource;
  const telling = tellingFields(type);
  const needs = new Set<string>(
    [...options.dependsOn, ...(placedAfter === undefined ? [] : [placedAfter])].map(topKey),
  );
  let isAlive = options.import !== undefined || options.aliases.length > 0;
  let isLoose = false;
  let text = `${address} ${type.token}`;
  if (options !== defaultOptions) text += ` ${JSON.stringify(options)}`;
  if (placedAfter !== undefined) text += ` after ${placedAfter}`;
  for (const name of [...properties.keys()].sort()) {
    const value = properties.get(name);
    if (value === undefined) continue;
    isAlive ||= mayHoldSecret(type.fields[name]);
    const tells = telling.all.has(name);
    if (tells) text += `\n${name}=${encodeExpression(value)}`;
    if (value.kind === 'literal') {
      // It may be the id of what stands elsewhere in these files, which then would have to be looked at with it.
      isAlive ||= telling.places.has(name);
      continue;
    }
    const seen = contentsOf(value);
    seen.needs.forEach((key) => needs.add(key));
    if (seen.references !== '') text += `\n${name} ${seen.references}`;
    isAlive ||= seen.isAlive;
    isLoose ||= (telling.keys.includes(name) || telling.places.has(name)) && !seen.isFirm;
  }
  needs.delete(topKey(address));
  return { text: text + chosenText(resource, type, telling), needs, isAlive, isLoose };
}

interface Telling {
  /** Fields by which people and the platform tell objects of a type, and where they are. */
  readonly all: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  readonly keys: readonly string[];
}

const known = new WeakMap<ResourceType, Telling>();

function tellingFields(type: ResourceType): Telling {
  const found = known.get(type) ?? newTelling(type);
  known.set(type, found);
  return found;
}

function newTelling({ naturalKey, unique, collection, parent, nameField, label }: ResourceType): Telling {
  const keys = [...new Set([...naturalKey, ...unique.flat()])];
  const places = new Set([...collection.scope, ...(parent === undefined ? [] : [parent.field])]);
  const named = [nameField, label].filter((name) => name !== undefined);
  return { all: new Set([...keys, ...places, ...named, 'id']), places, keys };
}

/** Keys that the platform would make of other values, where the file leaves them out. */
function chosenText({ properties }: DesiredResource, { derive, alsoNamed }: ResourceType, { keys }: Telling): string {
  if (keys.every((name) => properties.has(name))) return '';
  const plain: [string, Json][] = [];
  let made = '';
  for (const [name, value] of properties)
    if (value.kind === 'literal') plain.push([name, value.value]);
    // Nor is it known here what a text of several parts comes to.
    else if (value.kind !== 'map' && value.kind !== 'list') made += ` ${name}=${encodeExpression(value)}`;
  const inputs = Object.fromEntries(plain);
  return `\n${canonicalJson(derive(inputs))}${canonicalJson(alsoNamed(inputs))}${made}`;
}

interface Contents {
  readonly needs: readonly string[];
  readonly references: string;
  readonly isAlive: boolean;
  /** It is made of what stands in the files, and of ids. */
  readonly isFirm: boolean;
}

function contentsOf(value: Expression): Contents {
  const needs: string[] = [];
  let references = '';
  let isAlive = false;
  let isFirm = true;
  visitExpression(value, {
    reference: ({ to, target, path }) => {
      references += ` \${${to} ${target} ${JSON.stringify(path)}}`;
      if (to === 'resource') needs.push(topKey(target));
      isFirm &&= to === 'variable' || (path.length === 1 && path[0] === 'id');
    },
    lookup: () => ((isAlive = true), (isFirm = false)),
    secret: () => ((isAlive = true), (isFirm = false)),
  });
  return { needs, references, isAlive, isFirm };
}

/** The same of expressions that stand around resources: variables and outputs. */
export function needsOf(values: Iterable<Expression>): {
  readonly needs: ReadonlySet<string>;
  readonly isAlive: boolean;
} {
  const all = [...values].map(contentsOf);
  return { needs: new Set(all.flatMap(({ needs }) => needs)), isAlive: all.some(({ isAlive }) => isAlive) };
}
