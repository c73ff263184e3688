import type { Address } from '../model/address.js';
import type { Identity } from '../model/state.js';
import { placeOf, relatedTo } from './owned.js';
import type { DesiredProposal, Proposal, ProposalInput, Proposals } from './proposal.js';

type Problem = Proposals['problems'][number];

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
