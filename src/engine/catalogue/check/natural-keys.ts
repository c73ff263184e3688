import { type Address, topKey } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Expression } from '@platform-sync/core/model/expression';
import { keysOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { TypedResource, Catalogue } from '../build/catalogue.js';
import type { BuildContext } from '../read/build-context.js';
import { encodeExpression } from '../build/meaning.js';
import { followReference, knownValue, type Hole, type ValueScope } from '../build/known-value.js';

/** What the platform tells objects by → the resource that has it. */
export type NaturalKeys = ReadonlyMap<string, TypedResource>;

/** Reports resources that the platform would take for one and the same, or refuse beside each other. */
export function checkNaturalKeys(catalogue: Catalogue, scope: ValueScope, context: BuildContext): NaturalKeys {
  const { problems } = context;
  const first = new Map<string, TypedResource>();
  const keys = new Map<ResourceType, readonly { readonly group: readonly string[]; readonly start: string }[]>();
  for (const assembled of catalogue.checked.values()) {
    const { type } = assembled;
    let groups = keys.get(type);
    if (groups === undefined)
      keys.set(type, (groups = keysOf(type).map((group) => ({ group, start: keyStart(type, group) }))));
    const parts = keyParts(assembled, scope);
    for (const { group, start } of groups) {
      const key = groupKey(group, parts);
      if (key === undefined) continue;
      const full = `${start}${key}`;
      const other = first.get(full);
      if (other === undefined) {
        first.set(full, assembled);
        continue;
      }
      const { address, at } = assembled.desired;
      const rule = `The platform distinguishes objects of type ${type.shortToken} by ${list(group)}.`;
      problems.add('same-object', at, `${address} and ${other.desired.address} have the same ${list(group)}.`, {
        detail: rule,
        hint: 'Change one of them, or remove it.',
        address,
        related: [{ at: other.desired.at, message: `${other.desired.address} stands here` }],
      });
      break;
    }
  }
  checkKeptBelow(catalogue, [...keys.keys()], scope, first, context);
  return first;
}

/** The keys that what stands elsewhere could have, too: of an object in another, that is one under the same key at the top. */
export function* keysElsewhere(keys: NaturalKeys): Iterable<readonly [Address, string]> {
  for (const [key, { desired }] of keys) {
    const top = topKey(desired.address);
    // As an expression is written out: no quoted text has these signs in it.
    if (!key.includes(`$(resource ["${top}"`) && !key.includes(`$(resource ["${top}/`)) yield [desired.address, key];
  }
}

const keyStart = ({ token }: ResourceType, group: readonly string[]): string => `${token} ${group.join(' ')}`;

/** Reports what the platform would make as an object of its own, where the catalogue describes that object, too. */
function checkKeptBelow(
  catalogue: Catalogue,
  all: readonly ResourceType[],
  scope: ValueScope,
  first: ReadonlyMap<string, TypedResource>,
  { problems }: BuildContext,
): void {
  const types = new Map(all.map((type) => [type.token, type]));
  const keeping = new Map(
    all.map((type) => [type, Object.values(type.fields).filter(({ keptAs = '' }) => types.has(keptAs))]),
  );
  if ([...keeping.values()].every((fields) => fields.length === 0)) return;
  for (const { desired, type } of catalogue.checked.values()) {
    for (const { name, keptAs = '' } of keeping.get(type) ?? []) {
      const below = types.get(keptAs);
      const declared = desired.properties.get(name);
      if (below?.parent === undefined || declared === undefined) continue;
      const parts = keptKeyParts(desired, below, { name, at: declared.at }, scope);
      const other = keysOf(below)
        .map((group) => first.get(`${keyStart(below, group)}${groupKey(group, parts) ?? ''}`))
        .find((found) => found !== undefined);
      if (other === undefined) continue;
      const { address } = desired;
      problems.add(
        'same-object',
        declared.at,
        `${address} and ${other.desired.address} describe the same ${below.name}.`,
        {
          detail: `The platform keeps ${name} as an object of type ${below.shortToken}.`,
          hint: `Take ${name} out of ${address}: nothing is replaced by that.`,
          address,
          related: [{ at: other.desired.at, message: `${other.desired.address} stands here` }],
        },
      );
    }
  }
}

/** The key of the object below: it lives in the resource, has the field, and else what follows from it or from the resource. */
function keptKeyParts(
  { address, properties }: TypedResource['desired'],
  below: ResourceType,
  { name, at }: { readonly name: string; readonly at: Expression['at'] },
  scope: ValueScope,
): KeyParts {
  const known = (field: string): Json | undefined => {
    const holes: Hole[] = [];
    const expression = properties.get(field);
    const value = expression === undefined ? undefined : knownValue(expression, scope, holes);
    return holes.length === 0 ? (value ?? undefined) : undefined;
  };
  const content = known(name);
  const derived = content === undefined ? {} : below.derive({ [name]: content });
  const self = { kind: 'reference', to: 'resource', target: address, path: ['id'], text: '' } as const;
  return (field) => {
    if (field !== below.parent?.field) return text(derived[field] ?? known(field));
    return encodeExpression({ ...self, at });
  };
}

/** Field → text that is equal exactly when the values are; undefined when only the platform knows. */
type KeyParts = (field: string) => string | undefined;

function keyParts({ desired, type }: TypedResource, scope: ValueScope): KeyParts {
  let derived: Derived | undefined;
  return (field) => {
    const declared = desired.properties.get(field);
    const own = declared === undefined ? absent : keyText(declared, scope);
    // Null says what silence says where the platform makes up a value out of others.
    if (declared !== undefined && !(own === absent && type.fields[field]?.clearing.by === 'derived')) return own;
    derived ??= deriveTwice(desired.properties, type, scope);
    return derived(field);
  };
}

function groupKey(group: readonly string[], parts: KeyParts): string | undefined {
  let key = '';
  let isDeclared = false;
  for (const field of group) {
    const text = parts(field);
    if (text === undefined) return undefined;
    isDeclared ||= text !== absent;
    key += ` ${text}`;
  }
  // Nothing declared of a group is no key: an implementation without a service excludes no other.
  return isDeclared ? key : undefined;
}

const absent = 'absent';

function keyText(expression: Expression, scope: ValueScope): string | undefined {
  if (expression.kind === 'literal' && typeof expression.value === 'string') return JSON.stringify(expression.value);
  // Known by the run alone, and what most objects lie in.
  if (expression.kind === 'reference' && expression.to === 'resource') return encodeExpression(expression);
  const holes: Hole[] = [];
  const value = knownValue(expression, scope, holes);
  if (holes.length === 0) return value === null ? absent : canonicalJson(value);
  if (holes.some((hole) => scope.broken.has(hole.expression))) return undefined;
  const end = expression.kind === 'reference' ? followReference(expression, scope) : undefined;
  return encodeExpression(end !== undefined && end.rest.length === 0 ? end.expression : expression);
}

type Derived = (field: string) => string | undefined;

/**
 * Values the platform would choose itself. Derived once without the unknown inputs and once with something in their
 * place: a result that differs depends on what only the run will tell.
 */
function deriveTwice(properties: ReadonlyMap<string, Expression>, type: ResourceType, scope: ValueScope): Derived {
  const filled = new Map<string, Json>();
  // Made where something is unknown.
  let without: Map<string, Json> | undefined;
  properties.forEach((expression, name) => {
    const holes: Hole[] = [];
    const value = knownValue(expression, scope, holes);
    if (holes.length > 0) without ??= new Map(filled);
    else if (without !== undefined) without.set(name, value);
    filled.set(name, value);
  });
  const one: JsonObject = type.derive(Object.fromEntries(without ?? filled));
  const other = without === undefined ? one : type.derive(Object.fromEntries(filled));
  return (field) => {
    const value = one[field];
    if (value !== other[field] && text(value) !== text(other[field])) return undefined;
    // What the platform makes up and nobody can foretell (a slug without a title) collides with nothing here.
    if (value === undefined) return type.fields[field]?.clearing.by === 'derived' ? undefined : absent;
    return text(value);
  };
}

function text(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
