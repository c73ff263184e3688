import type { Address } from '../model/address.js';
import { markLabels } from '../model/ownership-mark.js';
import type { Identity } from '../model/state.js';
import type { ForeignOwner } from './ownership.js';
import type { DesiredProposal, Proposal, ProposalBase, ProposalInput, Proposals } from './proposal.js';

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

/** The key that a resource is to get belongs to one that keeps it. */
export function keyTaken(input: ProposalInput, base: DesiredProposal, owner: Address): Problem {
  return {
    severity: 'error',
    code: 'key-taken',
    summary:
      base.action === 'create'
        ? `${base.address} can't be created: ${owner} has its key and keeps it.`
        : `${base.address} can't be changed: ${owner} has the ${keyWords(base)} that it is to get, and keeps it.`,
    hint: 'Give one of the two another name. If both are the same object, take one of the blocks out.',
    ...placeOf(input, base),
    ...relatedTo(input, owner),
  };
}

/** Resources that exchange keys in a way that has no order: the platform would refuse the first of them. */
export function keyExchange(input: ProposalInput, { address, desired }: Proposal): Problem {
  return {
    severity: 'error',
    code: 'key-exchange',
    summary: `${address} is to get a key that another resource gives up in the same plan, and the other way round.`,
    hint: 'Neither can step aside for a moment. Give one of them another key in a run of its own first.',
    ...(desired === undefined ? { address } : placeOf(input, { address, desired })),
  };
}

/** The key that a resource is to get belongs to an object outside its stack. */
export function keyHeld(
  input: ProposalInput,
  base: DesiredProposal,
  identity: Identity,
  owner: { readonly stack: string; readonly address: string } | undefined,
): Problem {
  const whose = owner === undefined ? 'which nobody manages' : `which the stack ${owner.stack} manages`;
  return {
    severity: 'error',
    code: 'key-held',
    summary: `${base.address} can't be changed: the object ${identity.id}, ${whose}, has the ${keyWords(base)} that it is to get.`,
    hint: `Give ${base.address} another one, or change or delete that object first.`,
    ...placeOf(input, base),
  };
}

/** The key that a resource is to get is given up in a part of the plan that is not selected. */
export function keyOutside(input: ProposalInput, base: DesiredProposal, holder: Address): Problem {
  return {
    severity: 'error',
    code: 'key-outside',
    summary: `${base.address} is to get the ${keyWords(base)} that ${holder} gives up, and only one of the two is selected.`,
    hint: `Select both or none: --target ${base.address} --target ${holder}`,
    ...placeOf(input, base),
    ...relatedTo(input, holder),
  };
}

function keyWords({ type }: DesiredProposal): string {
  return type.naturalKey.filter((field) => field !== type.parent?.field).join(' and ') || 'place';
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

function relatedTo({ desired }: ProposalInput, owner: Address): Pick<Problem, 'related'> {
  const at = desired.resources.get(owner)?.at;
  return at === undefined ? {} : { related: [{ place: desired.sources.place(at), message: `${owner} stands here` }] };
}
