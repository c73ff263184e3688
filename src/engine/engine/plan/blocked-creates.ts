import { defined, hasUnknown, reveal, type Value } from '@platform-sync/core/model/value';
import type { Address } from '@platform-sync/core/model/address';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { NotCompared } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import type { Step } from './step.js';

/**
 * May an object be made although state knows of none? Not in a collection of which is not known what it holds, and not
 * beside something that itself is held back for that reason.
 */
export function isHeldBack(
  snapshot: Snapshot,
  type: ResourceType,
  declared: ReadonlyMap<string, Value>,
  needed: readonly Address[],
  done: ReadonlyMap<Address, Step>,
): boolean {
  return (
    whyUncertain(snapshot, type, declared) !== undefined ||
    needed.some((address) => {
      const other = done.get(address);
      return other?.action === 'not-compared' && other.recorded === undefined;
    })
  );
}

/** What is held back, for the list of what was not compared. */
export function heldBack(steps: ReadonlyMap<Address, Step>, snapshot: Snapshot): readonly NotCompared[] {
  return [...steps.values()].flatMap(({ address, type, action, recorded, declared, held }): NotCompared[] => {
    if (action !== 'not-compared' || snapshot.found.get(address)?.kind === 'failed') return [];
    if (held !== undefined) return [{ address, type: type.token, diagnostic: held }];
    if (recorded !== undefined) return [];
    const cause = whyUncertain(snapshot, type, declared);
    return [{ address, type: type.token, diagnostic: notCreated(address, cause) }];
  });
}

function whyUncertain(
  snapshot: Snapshot,
  type: ResourceType,
  declared: ReadonlyMap<string, Value>,
): Diagnostic | undefined {
  if (snapshot.uncertain.size === 0) return undefined;
  const scope = new Map<string, string>();
  for (const field of type.collection.scope) {
    const value = declared.get(field);
    // What will live in a new object has a collection that does not exist yet.
    if (value === undefined || hasUnknown(value)) return undefined;
    const id = reveal(value);
    if (typeof id === 'string') scope.set(field, id);
  }
  return snapshot.uncertain.get(collectionKey(type, Object.fromEntries(scope)));
}

function notCreated(address: Address, cause: Diagnostic | undefined): Diagnostic {
  return {
    severity: 'error',
    code: 'held-back',
    summary: `${address} is not created: it is not known whether it exists.`,
    ...defined({ detail: cause?.summary }),
  };
}
