import { parentAddress, type Address } from '@platform-sync/core/model/address';
import type { BareFinding } from '@platform-sync/core/model/plan';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import { isEnd, type GoingAlong } from '../contents.js';
import type { Step } from '../step.js';

interface ProtectionInput {
  readonly steps: readonly Step[];
  readonly state: StackState;
  readonly along: readonly GoingAlong[];
  /** What the catalogue protects, where the plan wants nothing of it. */
  readonly protects?: ReadonlySet<Address>;
}

/**
 * Ends of what is protected, by its own mark or by that of what it lives in. The mark in state counts as much as the
 * one in the file: neither taking the block away nor lifting the mark in the same plan takes the protection with it.
 */
export function protectedEnds(input: ProtectionInput): readonly BareFinding[] {
  const ends = input.steps.filter(isEnd);
  if (ends.length === 0) return [];
  const marks = marksOf(input);
  const own = ends.flatMap((p): readonly BareFinding[] => {
    const keeper = keeperOf(p, marks);
    const summary =
      keeper === undefined
        ? (guardedEnd(p) ?? replacedAgain(p))
        : `${whatIsKept(p, keeper, marks)} and would be ${p.action}d`;
    if (summary === undefined) return [];
    return [{ name: `${p.action}:${p.address}`, summary, addresses: [p.address] }];
  });
  const along = input.along.flatMap((each): readonly BareFinding[] => {
    const { address, home } = each;
    if (each.of === 'nobody') return [];
    if (each.of === 'other') {
      if (!each.isProtected) return [];
      const summary = `${address} of the stack ${each.owner} is protected and would end with ${home.address}, which it lives in`;
      return [{ name: `delete:${each.owner}:${address}`, summary, addresses: [home.address] }];
    }
    const lifted = marks.byAddress.get(address)?.isLifted === true ? ' (this plan lifts it)' : '';
    if (!each.record.protect && marks.byAddress.get(address)?.isProtected !== true) return [];
    const summary = `${address} is protected${lifted} and would end with ${home.address}, which it lives in`;
    return [{ name: `delete:${address}`, summary, addresses: [address, home.address] }];
  });
  return [...own, ...along];
}

/** Of some types every end is held back, whatever the file says of protection. */
function guardedEnd({ address, action, type }: Step): string | undefined {
  return type.guardedEnd === undefined ? undefined : `${address} would be ${action}d: ${type.guardedEnd}`;
}

/** What was replaced for a change outside, and would be again: the platform may not keep what the file says. */
function replacedAgain({ address, action, cause, changes, recorded }: Step): string | undefined {
  if (action !== 'replace' || cause !== 'drift') return undefined;
  const fields = changes.filter(({ shown }) => shown.rule === 'replace').map(({ rule }) => rule.name);
  if (!fields.some((name) => recorded?.replacedFor?.includes(name))) return undefined;
  return `${address} would be replaced once more for ${fields.join(', ')}, as the one before it was: the platform may not keep what the file says`;
}

interface Marks {
  readonly byAddress: ReadonlyMap<Address, { readonly isProtected: boolean; readonly isLifted: boolean }>;
  /** Address of each recorded object, by id. */
  readonly addressOf: ReadonlyMap<string, Address>;
  readonly records: ReadonlyMap<Address, RecordedResource>;
}

/** Every resource of the plan and of the state: what is left out of a partial plan protects what lives in it, too. */
function marksOf({ steps, state, protects }: ProtectionInput): Marks {
  const byAddress = new Map<Address, { isProtected: boolean; isLifted: boolean }>();
  for (const record of state.resources.values())
    byAddress.set(record.address, { isProtected: record.protect, isLifted: false });
  for (const { address, desired, recorded } of steps) {
    const [before, now] = [recorded?.protect === true, desired?.options.protect];
    byAddress.set(address, { isProtected: before || now === true, isLifted: before && now === false });
  }
  for (const address of protects ?? [])
    byAddress.set(address, { isProtected: true, isLifted: byAddress.get(address)?.isLifted === true });
  const addressOf = new Map([...state.resources.values()].map((record) => [record.identity.id, record.address]));
  return { byAddress, addressOf, records: state.resources };
}

/** The nearest address whose mark protects it: its own, that of the object it lives in, or of an address above. */
function keeperOf(step: Step, marks: Marks): Address | undefined {
  const own = step.deposedOf ?? step.address;
  const queue = [own, ...(step.movedFrom === undefined ? [] : [step.movedFrom])];
  const seen = new Set<Address>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (seen.has(address)) continue;
    seen.add(address);
    if (marks.byAddress.get(address)?.isProtected === true) return address;
    const parent = parentAddress(address);
    if (parent !== undefined) queue.push(parent);
    const scope = marks.records.get(address)?.identity.scope ?? {};
    for (const id of Object.values(scope))
      queue.push(...[marks.addressOf.get(id)].filter((found) => found !== undefined));
  }
  return undefined;
}

function whatIsKept(step: Step, keeper: Address, marks: Marks): string {
  const lifted = marks.byAddress.get(keeper)?.isLifted === true ? ' (this plan lifts it)' : '';
  if (keeper === step.address) return `${step.address} is protected${lifted}`;
  return `${step.address} is protected with ${keeper}, which it lives in${lifted},`;
}
