import { packageNameOf } from '../loaded-packages.js';
import { topKey } from '@platform-sync/core/model/address';
import { defaultOptions, type DesiredResource } from '@platform-sync/core/model/desired';
import { type Expression, visitExpression } from '@platform-sync/core/model/expression';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';

/** How some resources hang together with what stands elsewhere. */
export interface Ties {
  /** Keys at the top of what they need, or one that lives in it. */
  readonly needs: ReadonlySet<string>;
  /** What they are made of may change although the files do not. */
  readonly isAlive: boolean;
  /** A key of theirs, or the place that they are in, depends on more than files say. */
  readonly isLoose: boolean;
}

export type TypeOf = (token: string) => ResourceType | undefined;

/** The types of these resources. */
export async function typesOf(packages: PackageSource, resources: Iterable<DesiredResource>): Promise<TypeOf> {
  const tokens = new Set<string>();
  for (const { type } of resources) tokens.add(type);
  const names = [...new Set([...tokens].map(packageNameOf))];
  const loaded = new Map(await Promise.all(names.map(async (name) => [name, await packages.load(name)] as const)));
  return (token) => loaded.get(packageNameOf(token))?.types.get(token);
}

const none: ReadonlySet<string> = new Set();

/** The ties of what stands in one block; undefined where nobody describes a type. */
export function tiesOf(resources: Iterable<DesiredResource>, typeOf: TypeOf): Ties | undefined {
  let needs: Set<string> | undefined;
  let isAlive = false;
  let isLoose = false;
  for (const { address, type: token, options, properties, placedAfter } of resources) {
    const type = typeOf(token);
    if (type === undefined) return undefined;
    const telling = tellingFields(type);
    const own = topKey(address);
    const need = (target: string): void => {
      const key = topKey(target);
      if (key !== own) (needs ??= new Set()).add(key);
    };
    if (options !== defaultOptions) {
      isAlive ||= options.import !== undefined || options.aliases.length > 0;
      options.dependsOn.forEach(need);
    }
    if (placedAfter !== undefined) need(placedAfter);
    for (const [name, value] of properties) {
      isAlive ||= telling.secrets.has(name);
      // It may be the id of what stands elsewhere in these files, which then would have to be looked at with it.
      if (value.kind === 'literal') isAlive ||= telling.places.has(name);
      else {
        const seen = contentsOf(value, need);
        isAlive ||= seen.isAlive;
        isLoose ||= !seen.isFirm && (telling.keys.has(name) || telling.places.has(name));
      }
    }
  }
  return { needs: needs ?? none, isAlive, isLoose };
}

interface Telling {
  /** Fields by which the platform tells objects of a type, and where they are. */
  readonly keys: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

const known = new WeakMap<ResourceType, Telling>();

function tellingFields(type: ResourceType): Telling {
  const found = known.get(type) ?? newTelling(type);
  known.set(type, found);
  return found;
}

function newTelling({ naturalKey, unique, collection, parent, fields }: ResourceType): Telling {
  const keys = new Set([...naturalKey, ...unique.flat()]);
  const places = new Set([...collection.scope, ...(parent === undefined ? [] : [parent.field])]);
  const secrets = Object.values(fields).flatMap((rule) => (mayHoldSecret(rule) ? [rule.name] : []));
  return { keys, places, secrets: new Set(secrets) };
}

interface Contents {
  readonly isAlive: boolean;
  /** It is made of what stands in the files, and of ids. */
  readonly isFirm: boolean;
}

function contentsOf(value: Expression, need: (target: string) => void): Contents {
  let isAlive = false;
  let isFirm = true;
  visitExpression(value, {
    reference: ({ to, target, path }) => {
      if (to === 'resource') need(target);
      isFirm &&= to === 'variable' || (path.length === 1 && path[0] === 'id');
    },
    lookup: () => ((isAlive = true), (isFirm = false)),
    secret: () => ((isAlive = true), (isFirm = false)),
  });
  return { isAlive, isFirm };
}

/** The same of expressions that stand around resources: variables and outputs. */
export function needsOf(values: Iterable<Expression>): Pick<Ties, 'needs' | 'isAlive'> {
  const needs = new Set<string>();
  let isAlive = false;
  for (const value of values) isAlive = contentsOf(value, (target) => needs.add(topKey(target))).isAlive || isAlive;
  return { needs, isAlive };
}
