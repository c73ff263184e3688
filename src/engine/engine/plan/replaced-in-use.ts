import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupOf } from '@platform-sync/core/model/graph';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, type Json } from '@platform-sync/core/model/value';
import { isEnd } from './contents.js';
import { replacementOrder } from './replacement-order.js';
import type { Step } from './step.js';

/**
 * What ends before it is made again, while others that stay point at it: a platform may refuse that, and nobody is to find out amid an
 * apply. Who goes along with it, or ends before it, holds up nothing.
 */
export function replacedInUse(
  graph: ReadonlyMap<Address, readonly Address[]>,
  steps: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  return [...steps.values()].flatMap((step): readonly Diagnostic[] => {
    const { address, type, desired, declared, actual, changes } = step;
    if (step.action !== 'replace' || step.order !== 'delete-first' || !desired || !actual) return [];
    const users = [...steps.values()].flatMap((other) => {
      const stays = !isEnd(other) && (other.desired === undefined || groupOf(graph, other.address).includes(address));
      return stays && pointsAt(other, type, actual.identity.id) ? [other.address] : [];
    });
    const [first, ...others] = users;
    if (first === undefined) return [];
    const who = others.length === 0 ? `${first} refers` : `${first} and ${others.length} more refer`;
    const createFirst = { ...desired, options: { ...desired.options, deleteBeforeReplace: false } };
    const mayStand = replacementOrder({ type, desired: createFirst, declared, actual }, changes) === 'create-first';
    return [
      {
        severity: 'warning',
        code: 'replaced-in-use',
        summary: `${address} is deleted before it is made again, while ${who} to it: the platform may refuse that.`,
        hint: mayStand
          ? `To make the new one first, say so in the options of ${address}: deleteBeforeReplace: false`
          : 'If it does, let others refer to another one first, apply that, and then this.',
        address,
      },
    ];
  });
}

/** It holds the id, and does not go along with what has it. */
function pointsAt({ type, actual, recorded }: Step, to: ResourceType, id: string): boolean {
  const values = actual?.values ?? recorded?.outputs ?? {};
  const isHeld = (value: Json | undefined): boolean => value === id || (isList(value) && value.includes(id));
  return (
    !to.cascades.includes(type.token) &&
    Object.values(type.fields).some(({ name, references }) => references === to.token && isHeld(values[name]))
  );
}
