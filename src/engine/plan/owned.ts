import type { Address } from '../model/address.js';
import type { Identity } from '../model/state.js';
import type { ForeignOwner } from './ownership.js';
import type { ProposalBase, ProposalInput, Proposals } from './proposal.js';

type Problem = Proposals['problems'][number];

/** The object of a resource is another one's, which stays. */
export function alreadyOwned(input: ProposalInput, base: ProposalBase, identity: Identity, owner: Address): Problem {
  return {
    severity: 'error',
    code: 'already-managed',
    summary: `${base.address} can't have the object ${identity.id}: ${owner} manages it.`,
    hint: `One object belongs to one address. Take one of the two blocks out, or give ${base.address} a key of its own.`,
    ...placeOf(input, base),
    ...relatedTo(input, owner),
  };
}

/** The object of a resource belongs to another stack. */
export function ownedElsewhere(
  input: ProposalInput,
  base: ProposalBase,
  identity: Identity,
  { project, stack, address }: ForeignOwner,
): Problem {
  const owner = project === input.state.project ? `the stack ${stack}` : `the stack ${stack} of the project ${project}`;
  return {
    severity: 'error',
    code: 'managed-elsewhere',
    summary: `${base.address} can't have the object ${identity.id}: ${owner} manages it as ${address}.`,
    hint: `Take it out of one of the two, or hand it over: sync state mv ${address} --stack ${stack} --to-stack ${input.state.stack}`,
    ...placeOf(input, base),
  };
}

/** State says twice that somebody has an object: whoever acts second would act on the other's. */
export function recordedTwice(input: ProposalInput, base: ProposalBase, owner: Address): Problem {
  return {
    severity: 'error',
    code: 'recorded-twice',
    summary: `State has one object at ${owner} and at ${base.address}.`,
    hint: `Let go of the one that is wrong (the object stays): sync state rm ${base.address}`,
    ...placeOf(input, base),
    ...relatedTo(input, owner),
  };
}

/** The key of a new resource belongs to one that keeps it. */
export function keyTaken(
  input: ProposalInput,
  base: Pick<ProposalBase, 'address' | 'desired'>,
  owner: Address,
): Problem {
  return {
    severity: 'error',
    code: 'key-taken',
    summary: `${base.address} can't be created: ${owner} has its key and keeps it.`,
    hint: 'Give one of the two another name. If both are the same object, take one of the blocks out.',
    ...placeOf(input, base),
    ...relatedTo(input, owner),
  };
}

/** A selection that cuts a move in two. */
export function movedAcross(
  input: ProposalInput,
  base: Pick<ProposalBase, 'address' | 'desired'>,
  from: Address,
): Problem {
  return {
    severity: 'error',
    code: 'move-outside',
    summary: `${base.address} takes over the object of ${from}, and only one of the two is selected.`,
    hint: `Select both or none: --target ${base.address} --target ${from}`,
    ...placeOf(input, base),
  };
}

function placeOf(
  input: ProposalInput,
  { address, desired }: Pick<ProposalBase, 'address' | 'desired'>,
): Pick<Problem, 'address' | 'place'> {
  return { address, place: input.desired.sources.place(desired.at) };
}

function relatedTo(input: ProposalInput, owner: Address): Pick<Problem, 'related'> {
  const at = input.desired.resources.get(owner)?.at;
  if (at === undefined) return {};
  return { related: [{ place: input.desired.sources.place(at), message: `${owner} stands here` }] };
}
