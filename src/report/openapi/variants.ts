import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { referenceOf } from './document.js';

// Kinds without a name are compared each with each.
const maxCompared = 400;
const remarks = new Set(['title', 'description', 'example', 'examples', 'deprecated', 'discriminator', 'xml']);

/** The kinds of values that a schema allows, when it tells them apart. */
export function variantsOf(schema: JsonObject): readonly Json[] | undefined {
  const variants = schema['oneOf'] ?? schema['anyOf'];
  return isList(variants) ? variants : undefined;
}

/** True when a schema says nothing but its kinds: another schema can stand for one of them. */
export function isChoice(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'oneOf' || key === 'anyOf' || remarks.has(key));
}

interface PairedVariants<Change> {
  /** What differs in a kind that both have. */
  readonly pairs: readonly (readonly Change[])[];
  readonly removed: number;
  readonly added: number;
}

type Compare<Change> = (old: Json, now: Json) => readonly Change[];

/** Kinds are the same by their reference, else when nothing differs; two that are left stand for each other. */
export function pairedVariants<Change>(
  old: readonly Json[],
  now: readonly Json[],
  compare: Compare<Change>,
): PairedVariants<Change> {
  const pairs: (readonly Change[])[] = [];
  const byName = new Map(now.map((variant) => [nameOf(variant), variant]));
  const removed: Json[] = [];
  for (const variant of old) {
    const name = nameOf(variant);
    const other = byName.get(name);
    if (other === undefined) removed.push(variant);
    else {
      pairs.push(compare(variant, other));
      byName.delete(name);
    }
  }
  const added = new Set(byName.values());
  if (removed.length * added.size > maxCompared) return { pairs, removed: removed.length, added: added.size };
  const left = removed.filter((variant) => {
    const same = [...added].find((other) => isSame(compare(variant, other)));
    if (same !== undefined) added.delete(same);
    return same === undefined;
  });
  const [one] = left;
  const [other] = added;
  if (left.length !== 1 || added.size !== 1 || one === undefined || other === undefined)
    return { pairs, removed: left.length, added: added.size };
  return { pairs: [...pairs, compare(one, other)], removed: 0, added: 0 };
}

function isSame(changes: readonly unknown[]): boolean {
  return changes.length === 0;
}

function nameOf(variant: Json): string {
  return referenceOf(variant) ?? JSON.stringify(variant);
}
