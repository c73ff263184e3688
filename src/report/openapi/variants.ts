import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { referenceOf } from './document.js';
import type { Direction } from './schema-rules.js';

// Kinds without a name are compared each with each.
const maxCompared = 400;
const remarks = new Set(['title', 'description', 'example', 'examples', 'deprecated', 'discriminator', 'xml']);

/** A word of a schema that allows no value less. */
export function isRemark(key: string): boolean {
  return remarks.has(key) || key.startsWith('x-') || key.startsWith('$') || key === 'externalDocs';
}

/** The kinds of values that a schema allows, when it tells them apart. */
export function variantsOf(schema: JsonObject): readonly Json[] | undefined {
  const variants = schema['oneOf'] ?? schema['anyOf'];
  return isList(variants) ? variants : undefined;
}

/** True when a schema says nothing but its kinds: another schema can stand for one of them. */
export function isChoice(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => key === 'oneOf' || key === 'anyOf' || isRemark(key));
}

interface PairedVariants<Change> {
  /** What differs in a kind that both have. */
  readonly pairs: readonly (readonly Change[])[];
  readonly removed: number;
  readonly added: number;
}

interface Comparison<Change> {
  readonly compare: (old: Json, now: Json) => readonly Change[];
  /** Whether these differences are fine for whoever calls. */
  /** Whether a kind is a text, a number or a truth value. */
  readonly isPlain: (variant: Json) => boolean;
  readonly isCovered: (changes: readonly Change[]) => boolean;
  /** Nothing tells which kind a value is of: of an answer, one more kind that looks like another adds no value. */
  readonly isUntold: boolean;
}

/**
 * Kinds are the same by their reference, else when nothing differs; two that are left stand for each other. What is
 * accepted must stay within a kind that is accepted now, what is answered within one that was answered.
 */
export function pairedVariants<Change>(
  old: readonly Json[],
  now: readonly Json[],
  direction: Direction,
  { compare, isPlain, isCovered, isUntold }: Comparison<Change>,
): PairedVariants<Change> {
  const pairs: (readonly Change[])[] = [];
  const byName = new Map(now.map((variant) => [nameOf(variant), variant]));
  const removed = new Set<Json>();
  for (const variant of old) {
    const name = nameOf(variant);
    const other = byName.get(name);
    if (other === undefined) removed.add(variant);
    else {
      pairs.push(compare(variant, other));
      byName.delete(name);
    }
  }
  const added = new Set(byName.values());
  const counts = (): PairedVariants<Change> => ({ pairs, removed: removed.size, added: added.size });
  if (removed.size * Math.max(now.length, 1) > maxCompared || added.size * Math.max(old.length, 1) > maxCompared)
    return counts();
  for (const variant of removed) {
    const same = [...added].find((other) => compare(variant, other).length === 0);
    if (same === undefined) continue;
    added.delete(same);
    removed.delete(variant);
  }
  const [one] = removed;
  const [other] = added;
  if (removed.size === 1 && added.size === 1 && one !== undefined && other !== undefined)
    return { pairs: [...pairs, compare(one, other)], removed: 0, added: 0 };
  const isRequest = direction === 'request';
  if (isUntold && !isRequest)
    for (const variant of added) if (old.some((kind) => compare(kind, variant).length === 0)) added.delete(variant);
  for (const variant of isRequest ? removed : added) {
    // An object that is open may hold anything: its kinds are told apart by their names alone.
    const found = (isRequest ? now : old)
      .filter((kind) => isPlain(kind) && isPlain(variant))
      .map((kind) => (isRequest ? compare(variant, kind) : compare(kind, variant)))
      .find((changes) => isCovered(changes));
    if (found === undefined) continue;
    pairs.push(found);
    (isRequest ? removed : added).delete(variant);
  }
  return counts();
}

function nameOf(variant: Json): string {
  return referenceOf(variant) ?? JSON.stringify(variant);
}
