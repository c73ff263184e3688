import { groupBy, groupOf, reach, reversed } from '@platform-sync/core/model/graph';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import { keysOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import { hasUnknown, reveal, type Value } from '@platform-sync/core/model/value';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { sameValue } from '@platform-sync/core/value/equality';
import type { Change } from './change.js';
import { addressesNow, type Step, type DesiredStep, type ProposalInput } from './step.js';
import { Homes, isEnd } from './contents.js';

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
    (address) => groupOf(users, address),
  );
  for (const address of bound) {
    const step = result.get(address);
    if (step?.order === 'create-first') result.set(address, { ...step, order: 'delete-first' });
  }
  return result;
}

/**
 * The fields that say where the object lives, where that ends, at whatever level above, before there is the new home:
 * nothing can wait in between, and the platform may end what lives there with it.
 */
export function parentEndsFirst(
  input: ProposalInput,
  { address, type, actual }: DesiredStep & { readonly actual: RemoteObject },
  changes: readonly Change[],
  done: ReadonlyMap<Address, Step>,
  homes = new Homes(input),
): readonly string[] {
  const moving = type.nesting.filter(({ field }) => changes.some(({ rule }) => rule.name === field));
  if (moving.length === 0) return [];
  const ending = endingAbove(input, address, done);
  const living = { type: type.token, identity: actual.identity, values: actual.values };
  const isEnding = (token: string | undefined, id: string): true | undefined =>
    token !== undefined && ending.has(objectKey(token, id)) ? true : undefined;
  return moving
    .filter(({ field }) => homes.nearest(living, isEnding, undefined, (name) => name === field) === true)
    .map(({ field }) => field);
}

const objectKey = (token: string, id: unknown): string => `${token} ${String(id)}`;

/** Objects that end first, to be made anew, and that the resource needs from then on, directly or through others. */
function endingAbove(
  { graph }: ProposalInput,
  address: Address,
  done: ReadonlyMap<Address, Step>,
): ReadonlySet<string> {
  const ending = new Set<string>();
  const needed = reach(groupOf(graph, address), (above) => groupOf(graph, above));
  for (const above of needed) {
    const step = done.get(above);
    if (step?.action === 'replace' && step.order === 'delete-first')
      ending.add(objectKey(step.type.token, step.actual?.identity.id));
  }
  return ending;
}

/**
 * What ends before it is made again, while others that stay point at it: a platform may refuse that, and nobody is to find out amid an
 * apply. Who goes along with it, or ends before it, holds up nothing.
 */
export function endsInUse(
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
    const [first, ...others] = groupOf(users, objectKey(type.token, actual.identity.id)).filter(stays);
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

/** Who stays and holds the id of one of these, by `objectKey`. */
function usersOf(ending: readonly Step[], steps: ReadonlyMap<Address, Step>): ReadonlyMap<string, readonly Step[]> {
  const keys = new Set(ending.map(({ type, actual }) => objectKey(type.token, actual?.identity.id)));
  const users = keys.size === 0 ? [] : [...steps.values()].filter((step) => !isEnd(step));
  const held = users.flatMap((step) => {
    const values = step.actual?.values ?? step.recorded?.outputs ?? {};
    const pointed = Object.values(step.type.fields).flatMap(({ name, references }) =>
      references === undefined ? [] : [values[name] ?? null].flat().map((id) => objectKey(references, id)),
    );
    return [...new Set(pointed)].flatMap((key) => (keys.has(key) ? [[key, step] as const] : []));
  });
  const byKey = groupBy(held, ([key]) => key);
  return new Map([...byKey].map(([key, pairs]) => [key, pairs.map(([, step]) => step)]));
}
