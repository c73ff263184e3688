import { topKey } from '@platform-sync/core/model/address';
import { defaultOptions, type DesiredResource } from '@platform-sync/core/model/desired';
import { type Expression, type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { packageNameOf, mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';

export type TypeOf = (token: string) => ResourceType | undefined;

/** The types of these resources. */
export async function typesOf(packages: PackageSource, resources: Iterable<DesiredResource>): Promise<TypeOf> {
  const tokens = new Set<string>();
  for (const { type } of resources) tokens.add(type);
  const names = [...new Set([...tokens].map(packageNameOf))];
  const loaded = new Map(await Promise.all(names.map(async (name) => [name, await packages.load(name)] as const)));
  const typeOf: TypeOf = (token) => loaded.get(packageNameOf(token))?.types.get(token);
  const found = new Map([...tokens].map((token) => [token, typeOf(token)]));
  return (token) => found.get(token) ?? typeOf(token);
}

const none: ReadonlySet<string> = new Set();

/** Collects the ties of what stands in one block, and then in the next: of most, a look at each value says that there are none. */
export class Ties {
  /** Keys at the top of what they need, or one that lives in it. */
  needs: ReadonlySet<string> = none;
  /** What they are made of may change although the files do not. */
  isAlive = false;
  /** A key of theirs, or the place that they are in, depends on more than files say. */
  isLoose = false;
  /** A field of theirs is a secret, however it is written. */
  isSecret = false;
  /** What was looked at last is made of what stands in the files, and of ids. */
  #isFirm = true;
  /** The address of what is looked at. */
  #own = '';
  readonly #visitor = {
    reference: ({ to, target, path }: ReferenceExpression): void => {
      if (to === 'resource') this.#need(target);
      this.#isFirm &&= to === 'variable' || (path.length === 1 && path[0] === 'id');
    },
    lookup: (): void => this.#isOutside(),
    secret: (): void => this.#isOutside(),
  };

  add({ address, options, properties, placedAfter }: DesiredResource, type: ResourceType): void {
    const telling = tellingFields(type);
    this.#own = address;
    if (options !== defaultOptions) {
      this.isAlive ||= options.import !== undefined || options.aliases.length > 0;
      for (const other of options.dependsOn) this.#need(other);
    }
    if (placedAfter !== undefined) this.#need(placedAfter);
    for (const [name, value] of properties) {
      const tells = telling.get(name);
      // It may be the id of what stands elsewhere in these files, which then would have to be looked at with it.
      if (tells !== undefined) this.isAlive ||= tells.isSecret || (tells.isPlace && value.kind === 'literal');
      this.isSecret ||= tells?.isSecret === true;
      if (value.kind === 'literal') continue;
      this.#isFirm = true;
      this.visit(value);
      this.isLoose ||= !this.#isFirm && (tells?.isKey === true || tells?.isPlace === true);
    }
    this.#own = '';
  }

  /** As if nothing had been added. */
  clear(): void {
    this.needs = none;
    this.isAlive = false;
    this.isLoose = false;
    this.isSecret = false;
  }

  visit(value: Expression): void {
    if (value.kind === 'reference') this.#visitor.reference(value);
    else visitExpression(value, this.#visitor);
  }

  #need(target: string): void {
    // Most references are to what something is written under.
    if (this.#own.startsWith(target) && this.#own.charCodeAt(target.length) === 47) return;
    const key = topKey(target);
    if (key !== topKey(this.#own) && !this.needs.has(key)) this.needs = new Set([...this.needs, key]);
  }

  #isOutside(): void {
    this.isAlive = true;
    this.#isFirm = false;
  }
}

interface Tells {
  /** By it, or by where it is, the platform tells an object of the type. */
  readonly isKey: boolean;
  readonly isPlace: boolean;
  readonly isSecret: boolean;
}

const known = new WeakMap<ResourceType, ReadonlyMap<string, Tells>>();

function tellingFields(type: ResourceType): ReadonlyMap<string, Tells> {
  const found = known.get(type) ?? newTelling(type);
  known.set(type, found);
  return found;
}

function newTelling({ naturalKey, unique, collection, parent, fields }: ResourceType): ReadonlyMap<string, Tells> {
  const keys = new Set([...naturalKey, ...unique.flat()]);
  const places = new Set([...collection.scope, ...(parent === undefined ? [] : [parent.field])]);
  const secrets = new Set(Object.values(fields).flatMap((rule) => (mayHoldSecret(rule) ? [rule.name] : [])));
  const tells = (name: string): Tells => ({
    isKey: keys.has(name),
    isPlace: places.has(name),
    isSecret: secrets.has(name),
  });
  return new Map([...keys, ...places, ...secrets].map((name) => [name, tells(name)]));
}

/** Those of expressions that stand around resources: variables and outputs. */
export function tiesAround(values: Iterable<Expression>): Ties {
  const ties = new Ties();
  for (const value of values) ties.visit(value);
  return ties;
}
