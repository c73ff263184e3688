import { reach, reversed } from '../model/graph.js';
import type { Address } from '../model/address.js';
import type { DesiredResource } from '../model/desired.js';
import { keysOf, type ResourceType } from '../model/resource-type.js';
import { hasUnknown, reveal, type Value } from '../model/value.js';
import type { RemoteObject } from '../model/provider.js';
import { sameValue } from '../value/equality.js';
import type { Change } from './diff.js';
import { addressesNow, type Step } from './step.js';

/**
 * Delete-first unless the user asked for create-first, or the type needs it, and the platform would accept both objects side by side:
 * every unique group of the type must differ between the old and the new one.
 */
export function replacementOrder(
  resource: {
    readonly type: ResourceType;
    readonly desired: DesiredResource;
    readonly declared: ReadonlyMap<string, Value>;
    readonly actual: RemoteObject;
  },
  changes: readonly Change[],
): 'delete-first' | 'create-first' {
  const { deleteBeforeReplace = resource.type.createFirst !== true } = resource.desired.options;
  if (deleteBeforeReplace) return 'delete-first';
  const { type } = resource;
  const groups = type.createFirst === true ? type.unique : keysOf(type);
  const moved = new Set(changes.map((d) => d.rule.name));
  const clash = groups.some((group) => group.every((field) => sameField(resource, field, moved)));
  return clash ? 'delete-first' : 'create-first';
}

/** A parent that is replaced gives the child a new home, so an unknown id there can't clash. */
function sameField(
  resource: Parameters<typeof replacementOrder>[0],
  field: string,
  moved: ReadonlySet<string>,
): boolean {
  const rule = resource.type.fields[field];
  const value = resource.declared.get(field);
  if (rule === undefined) return true;
  if (value === undefined || value === null) return !moved.has(field);
  if (hasUnknown(value)) return field !== resource.type.parent?.field;
  return sameValue(rule, reveal(value), resource.actual.values[field]);
}

/**
 * Old objects end before what they lived in or pointed at. Where that one's old object goes first, so does theirs: a new
 * object first would have to wait for itself.
 */
export function withBoundOrders(steps: ReadonlyMap<Address, Step>): ReadonlyMap<Address, Step> {
  if (![...steps.values()].some(({ order }) => order === 'create-first')) return steps;
  const result = new Map(steps);
  const now = addressesNow(steps);
  const needed = (address: Address): readonly Address[] => (steps.get(address)?.recorded?.dependencies ?? []).map(now);
  const users = reversed(steps.keys(), needed);
  const ended = [...steps.values()].filter((p) => p.action === 'replace' && p.order === 'delete-first');
  const bound = reach(
    ended.map((p) => p.address),
    (address) => users.get(address) ?? [],
  );
  for (const address of bound) {
    const step = result.get(address);
    if (step?.order === 'create-first') result.set(address, { ...step, order: 'delete-first' });
  }
  return result;
}
