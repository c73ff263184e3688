import type { Address } from '../model/address.js';
import { markLabels } from '../model/ownership-mark.js';
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

/** The object of a resource bears the mark of another stack. */
export function markedElsewhere(
  input: ProposalInput,
  base: ProposalBase,
  identity: Identity,
  { stack, address }: { readonly stack: string; readonly address: string },
): Problem {
  return {
    severity: 'error',
    code: 'marked-elsewhere',
    summary: `${base.address} can't have the object ${identity.id}: its labels say that it belongs to ${stack}, as ${address === '' ? 'whatever it is called there' : address}.`,
    hint: `Take it out of one of the two. If it is nobody's any more, take the labels ${Object.values(markLabels).join(' and ')} off the object.`,
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

/** Whom a problem is about, and where that stands. */
export function placeOf(
  input: ProposalInput,
  { address, desired }: Pick<ProposalBase, 'address' | 'desired'>,
): Pick<Problem, 'address' | 'place'> {
  return { address, place: input.desired.sources.place(desired.at) };
}

/** Where the other one stands, if it stands in the catalogue. */
export function relatedTo({ desired }: ProposalInput, owner: Address): Pick<Problem, 'related'> {
  const at = desired.resources.get(owner)?.at;
  return at === undefined ? {} : { related: [{ place: desired.sources.place(at), message: `${owner} stands here` }] };
}
