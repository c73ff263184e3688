import { addTo } from '../model/graph.js';
import type { Address } from '../model/address.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { PlanInput } from './plan-input.js';
import type { Proposal } from './proposal.js';
import { uniqueKeyOf } from './keys.js';

/**
 * New objects in one that the same plan takes over, of types whose keys are not unique, where nobody has read what it holds: they
 * may all exist. To say so costs no request; `sync adopt` reads.
 */
export function notLookedForNotices(
  { mode, snapshot, types }: Pick<PlanInput, 'mode' | 'snapshot' | 'types'>,
  proposals: ReadonlyMap<Address, Proposal>,
): readonly Diagnostic[] {
  const owners = new Map<string, Address>();
  for (const { action, address, type, actual } of proposals.values())
    if (action === 'adopt' && actual !== undefined) owners.set(`${type.token} ${actual.identity.id}`, address);
  if (mode !== 'apply' || owners.size === 0) return [];
  const read = new Set(
    snapshot.listed.map(({ type, scope }) => `${type} ${scope[types.get(type)?.parent?.field ?? ''] ?? ''}`),
  );
  const made = new Map<Address, Address[]>();
  for (const { action, recorded, address, type, declared } of proposals.values()) {
    const { parent, token, naturalKey } = type;
    if (action !== 'create' || recorded !== undefined || parent === undefined) continue;
    if (naturalKey.length === 0 || uniqueKeyOf(type) !== undefined) continue;
    const id = declared.get(parent.field);
    const owner =
      typeof id === 'string' && !read.has(`${token} ${id}`) ? owners.get(`${parent.type} ${id}`) : undefined;
    if (owner !== undefined) addTo(made, owner, address);
  }
  return [...made].map(([owner, addresses]) => notice(owner, addresses));
}

function notice(owner: Address, addresses: readonly Address[]): Diagnostic {
  const [first = ''] = addresses;
  const others = addresses.length - 1;
  const what = others === 0 ? first : `${first} and ${others} more`;
  return {
    severity: 'warning',
    code: 'not-looked-for',
    summary: `${what} would be created in ${owner}, which is adopted; they may exist there already.`,
    hint: 'sync adopt reads existing objects and takes them over by their keys.',
    address: owner,
  };
}
