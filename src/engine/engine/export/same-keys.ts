import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupBy } from '@platform-sync/core/model/graph';
import { collectionKey } from '@platform-sync/core/model/identity';
import { keysOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { heldKey, isWithoutName, keyText, uniqueKeyOf } from '../plan/keys.js';
import { hasAllSaid } from '@platform-sync/core/value/field-comparison';
import { Seals } from '@platform-sync/core/value/seal';
import type { FittingObject } from './fit-rules.js';
import { describeObject, keyOf, type FoundObject } from './found-object.js';

interface SameKeys {
  /** Objects whose key others have too: only their id tells them apart. */
  readonly ambiguous: ReadonlySet<string>;
  /** The others: a catalogue can't hold two objects of one key. */
  readonly leftOut: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds objects with the same natural key. Of each such group the first stays. */
export function findSameKeys(objects: readonly FoundObject[]): SameKeys {
  const first = new Map<string, FoundObject>();
  const others = new Map<FoundObject, FoundObject[]>();
  for (const object of objects) {
    const groups = keyGroups(object);
    const taken = groups.map((group) => first.get(group)).find((holder) => holder !== undefined);
    if (taken === undefined) {
      for (const group of groups) first.set(group, object);
      continue;
    }
    const same = others.get(taken) ?? [];
    others.set(taken, same);
    same.push(object);
  }
  return {
    ambiguous: new Set([...others.keys()].map(keyOf)),
    leftOut: new Set([...others.values()].flat().map(keyOf)),
    diagnostics: [...others].map(([kept, same]) => sameKey(kept, same)),
  };
}

/**
 * Objects that `adopt` could not tell from others by name or contents: what the catalogue would say of them is true of another one, too.
 * Ids of what is taken over with them tell nothing: they are not known yet.
 */
export function alikeObjects(objects: readonly FittingObject[]): ReadonlySet<string> {
  const groups = groupBy(
    objects.filter(({ object: { type } }) => uniqueKeyOf(type) === undefined),
    ({ object: { type, identity, values } }) => {
      const name = isWithoutName(type, values) ? undefined : heldKey(type, identity.scope, values);
      return name ?? collectionKey(type, identity.scope);
    },
  );
  const alike = new Set<string>();
  for (const group of groups.values())
    for (const { object, fields } of group)
      if (
        group.some(
          (other) =>
            other.object !== object && hasAllSaid(facts(object.type, known(object.type, fields), other.object), isRead),
        )
      )
        alike.add(keyOf(object));
  return alike;
}

function known({ fields: rules }: ResourceType, fields: FittingObject['fields']): FittingObject['fields'] {
  return new Map([...fields].filter(([name]) => rules[name]?.references === undefined));
}

const isRead = (): boolean => true;
const seals = new Seals(() => {
  throw new Error('bug: what is exported holds no secret');
});

function facts(
  type: ResourceType,
  declared: ReadonlyMap<string, Json>,
  { values: actual }: FoundObject,
): Parameters<typeof hasAllSaid>[0] {
  return { type, declared, actual, ignored: [], seals };
}

/** The natural key and every group of fields the platform keeps unique, with their values; groups without any are no key. */
function keyGroups({ type, values }: FoundObject): readonly string[] {
  return keysOf(type).flatMap((fields) => keyText(type, fields, (field) => values[field] ?? null) ?? []);
}

function sameKey(kept: FoundObject, same: readonly FoundObject[]): Diagnostic {
  const ids = same.map(({ identity }) => identity.id).join(', ');
  return {
    severity: 'warning',
    code: 'export-same-key',
    summary: `${describeObject(kept)} shares its natural key (${kept.type.naturalKey.join(', ')}) with ${ids}; only the first was exported, by its id.`,
    hint: 'Give them different names on the platform, and export again.',
  };
}
