import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupBy, groupOf } from '@platform-sync/core/model/graph';
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
  const ending = [...steps.values()].filter(({ action, order }) => action === 'replace' && order === 'delete-first');
  const users = usersOf(ending, steps);
  return ending.flatMap((step): readonly Diagnostic[] => {
    const { address, type, desired, declared, actual, changes } = step;
    if (!desired || !actual) return [];
    const stays = ({ type: { token }, ...other }: Step): boolean =>
      !type.cascades.includes(token) &&
      (other.desired === undefined || groupOf(graph, other.address).includes(address));
    const [first, ...others] = groupOf(users, keyOf(type.token, actual.identity.id)).filter(stays);
    if (first === undefined) return [];
    const who = others.length === 0 ? `${first.address} refers` : `${first.address} and ${others.length} more refer`;
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

/** Who stays and holds the id of one of these, by `keyOf`. */
function usersOf(ending: readonly Step[], steps: ReadonlyMap<Address, Step>): ReadonlyMap<string, readonly Step[]> {
  const keys = new Set(ending.map(({ type, actual }) => keyOf(type.token, actual?.identity.id)));
  const users = keys.size === 0 ? [] : [...steps.values()].filter((step) => !isEnd(step));
  const held = users.flatMap((step) => {
    const values = step.actual?.values ?? step.recorded?.outputs ?? {};
    const pointed = Object.values(step.type.fields).flatMap(({ name, references }) =>
      references === undefined ? [] : [values[name] ?? null].flat().map((id) => keyOf(references, id)),
    );
    return [...new Set(pointed)].flatMap((key) => (keys.has(key) ? [[key, step] as const] : []));
  });
  const byKey = groupBy(held, ([key]) => key);
  return new Map([...byKey].map(([key, pairs]) => [key, pairs.map(([, step]) => step)]));
}

const keyOf = (token: string, id: unknown): string => `${token} ${String(id)}`;
