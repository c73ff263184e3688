import type { Address } from '../model/address.js';
import type { Identity } from '../model/state.js';
import { placeOf, relatedTo } from './ownership-problems.js';
import { isDesired, type Claims, type KeyExchange } from './claims.js';
import type { DesiredStep, Step, ProposalInput, Proposals } from './step.js';

type Problem = Proposals['problems'][number];

/**
 * Resources that get a key which belongs to one that has it after this plan, too. (One that gives its key up is waited
 * for: see `Claims.waits`.)
 */
export function keyConflicts(input: ProposalInput, claims: Claims): readonly Problem[] {
  return claims.takings.flatMap((taking) => {
    const owner = claims.keeperOf(taking);
    return owner === undefined ? [] : [keyTaken(input, taking.step, owner.address)];
  });
}

/** Resources whose key somebody would give up in a part of the plan that is not selected. */
export function keysOutside(
  input: ProposalInput,
  claims: Claims,
  selected: ReadonlyMap<Address, Step>,
): readonly Problem[] {
  return claims.exchanges.flatMap(({ holder, taker }) => {
    const step = selected.has(holder) ? undefined : selected.get(taker);
    return step !== undefined && isDesired(step) ? [keyOutside(input, step, holder)] : [];
  });
}

/** The key that a resource is to get belongs to one that keeps it. */
function keyTaken(input: ProposalInput, base: DesiredStep, owner: Address): Problem {
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

/** Keys that change hands in a way that has no order: the platform would refuse the first of each two. */
export function keyExchanges(
  input: ProposalInput,
  steps: ReadonlyMap<Address, Step>,
  exchanges: readonly KeyExchange[],
): readonly Problem[] {
  return exchanges.flatMap(({ holder, taker }) => {
    const step = steps.get(holder);
    return step === undefined ? [] : [keyExchange(input, step, taker)];
  });
}

function keyExchange(input: ProposalInput, holder: Step, taker: Address): Problem {
  const { address, desired, action } = holder;
  return {
    severity: 'error',
    code: 'key-exchange',
    summary: `${taker} is to get the ${keyWords(holder)} of ${address}, which can't give it up before ${taker} is written.`,
    hint:
      action === 'delete'
        ? `If both are the same object, say so: aliases: [${address}] in ${taker}. If not, give ${taker} another ${keyWords(holder)}, and the right one in a run after that.`
        : `Neither can step aside for a moment. Give one of them another ${keyWords(holder)} in a run of its own first.`,
    ...(desired === undefined ? { address } : placeOf(input, { address, desired })),
  };
}

/** The key that a resource is to get belongs to an object outside its stack. */
export function keyHeld(
  input: ProposalInput,
  base: DesiredStep,
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
function keyOutside(input: ProposalInput, base: DesiredStep, holder: Address): Problem {
  return {
    severity: 'error',
    code: 'key-outside',
    summary: `${base.address} is to get the ${keyWords(base)} that ${holder} gives up, and only one of the two is selected.`,
    hint: `Select both or none: --target ${base.address} --target ${holder}`,
    ...placeOf(input, base),
    ...relatedTo(input, holder),
  };
}

function keyWords({ type }: Pick<Step, 'type'>): string {
  return type.naturalKey.filter((field) => field !== type.parent?.field).join(' and ') || 'place';
}
