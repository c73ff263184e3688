import type { Address } from '@platform-sync/core/model/address';
import { markLabels } from '@platform-sync/core/model/ownership-mark';
import type { Identity } from '@platform-sync/core/model/state';
import { type ForeignOwner, placeFields, scopeOf } from './ownership.js';
import { hasUnknown } from '@platform-sync/core/model/value';
import type { Step, DesiredStep, ProposalInput, Proposals } from './step.js';
import { isDesired, type Claims, type KeyExchange } from './claims.js';
import { endsById, Homes, type HomesInput, isEnd } from './contents.js';
import { knownInputs } from './keys.js';

type Problem = Proposals['problems'][number];

/** The object of a resource is another one's, which stays. */
export function alreadyOwned(input: ProposalInput, base: DesiredStep, identity: Identity, owner: Address): Problem {
  return taken(input, base, identity, {
    code: 'already-managed',
    because: `${owner} manages it`,
    hint: `One object belongs to one address. Take one of the two blocks out, or give ${base.address} a key of its own.`,
    ...relatedTo(input, owner),
  });
}

/** The object of a resource belongs to another stack. */
export function ownedElsewhere(
  input: ProposalInput,
  base: DesiredStep,
  identity: Identity,
  owner: ForeignOwner,
): Problem {
  const { project, address, ends } = owner;
  if (ends)
    return taken(input, base, identity, {
      code: 'managed-elsewhere',
      because: `${ownerName(input, owner)} is still to delete it, as ${address}`,
      hint: `Take it out of this catalogue: ${ownerName(input, owner)} deletes it in its next apply.`,
    });
  return taken(input, base, identity, {
    code: 'managed-elsewhere',
    because: `${ownerName(input, owner)} manages it as ${address}`,
    hint:
      project === input.state.project
        ? `Take it out of one of the two, or hand it over: ${handOver(input, owner, base.address)}`
        : `Take it out of one of the two catalogues. The project ${project} lets go of its own by "state rm ${address}"; the object stays.`,
  });
}

/** Two stacks have recorded one object: each would take back what the other one does. */
export function recordedElsewhere(input: ProposalInput, base: Who, identity: Identity, owner: ForeignOwner): Problem {
  const { project, stack, address } = owner;
  const release =
    project === input.state.project ? `: sync state rm ${address} --stack ${stack}` : ` by "state rm ${address}".`;
  return taken(input, base, identity, {
    code: 'managed-elsewhere',
    because: `${ownerName(input, owner)} manages it, too, as ${address}`,
    hint: `Take it out of one of the two catalogues, and let go of it there. The object stays when ${ownerName(input, owner)} lets go of it${release}`,
  });
}

export function ownerName({ state }: Pick<ProposalInput, 'state'>, { project, stack }: ForeignOwner): string {
  return project === state.project ? `the stack ${stack}` : `the stack ${stack} of the project ${project}`;
}

/** The command by which another stack of the project gives what it manages to a resource of this one. */
export function handOver(
  { state }: Pick<ProposalInput, 'state'>,
  { stack, address }: ForeignOwner,
  wanting: Address,
): string {
  const to = wanting === address || state.resources.has(wanting) ? '' : ` ${wanting}`;
  return `sync state mv ${address}${to} --stack ${stack} --to-stack ${state.stack}`;
}

/** The object of a resource bears the mark of another stack. */
export function markedElsewhere(
  input: ProposalInput,
  base: DesiredStep,
  identity: Identity,
  { stack, address }: { readonly stack: string; readonly address: string },
): Problem {
  return taken(input, base, identity, {
    code: 'marked-elsewhere',
    because: `its labels say that it belongs to ${stack}, as ${address === '' ? 'whatever it is called there' : address}`,
    hint: `Take it out of one of the two. If it is nobody's any more, take the labels ${Object.values(markLabels).join(' and ')} off the object.`,
  });
}

/** State says twice that somebody has an object: whoever acts second would act on the other's. */
export function recordedTwice(input: ProposalInput, base: DesiredStep, recorded: Address, owner: Address): Problem {
  // What is to come from another stack may have come already, under another address.
  const [there, stack] = recorded.split(':').reverse();
  const inStack = stack === undefined ? '' : ` --stack ${stack}`;
  return refused(input, base, {
    code: 'recorded-twice',
    summary: `State has one object at ${owner} and at ${recorded}.`,
    hint: `Let go of the one that is wrong (the object stays): sync state rm ${there ?? recorded}${inStack}`,
    ...relatedTo(input, owner),
  });
}

/** What an interrupted run made gets its record at its address once it shows: no other record may stand there then. */
export function perhapsMadeHere(input: ProposalInput, base: DesiredStep, from: Address): Problem {
  return refused(input, base, {
    code: 'held-back',
    summary: `${from} can't become ${base.address}: an interrupted run may have made ${base.address}, and the platform does not show it yet.`,
    hint: `Plan again a little later, or give it another key meanwhile.`,
  });
}

/**
 * The object that a command names lives in another one than the file says: only a replacement would bring it there. Of what is
 * not known yet nothing is said.
 */
export function livesElsewhere(
  input: ProposalInput,
  base: Who,
  { type, actual, declared, changes }: Step,
): Problem | undefined {
  const places = new Set([type.parent?.field, ...type.collection.scope]);
  const isKnown = (field: string): boolean => !hasUnknown(declared.get(field) ?? null);
  const wrong = changes.find(
    ({ rule: { name }, shown }) => places.has(name) && shown.rule === 'replace' && isKnown(name),
  );
  if (wrong === undefined || actual === undefined) return undefined;
  const { id, scope } = actual.identity;
  const { name } = wrong.rule;
  return refused(input, base, {
    code: 'import-elsewhere',
    summary: `${base.address} can't take over the ${type.name} ${id}: its ${name} is ${scope[name] ?? '(none)'}, and the catalogue has it elsewhere.`,
    hint: 'Correct the id, or write the resource under what the object lives in.',
  });
}

/** A selection that cuts a move in two. */
export function movedAcross(input: ProposalInput, base: Who, from: Address): Problem {
  return refused(input, base, {
    code: 'move-outside',
    summary: `${base.address} takes over the object of ${from}, and only one of the two is selected.`,
    hint: `One run takes both: sync apply --target ${base.address} --target ${from}`,
  });
}

type Who = Pick<DesiredStep, 'address' | 'desired'>;

/** A resource can't have an object, because somebody else does. */
function taken(
  input: ProposalInput,
  base: Who,
  { id }: Identity,
  { because, ...why }: { readonly because: string } & Omit<Refusal, 'summary'>,
): Problem {
  return refused(input, base, { ...why, summary: `${base.address} can't have the object ${id}: ${because}.` });
}

type Refusal = Pick<Problem, 'code' | 'summary' | 'hint' | 'related'>;

function refused(input: Pick<ProposalInput, 'desired'>, base: Who, why: Refusal): Problem {
  return { severity: 'error', ...why, ...placeOf(input, base) };
}

/** Whom a problem is about, and where that stands. */
function placeOf(input: Pick<ProposalInput, 'desired'>, { address, desired }: Who): Pick<Problem, 'address' | 'place'> {
  return { address, place: input.desired.sources.place(desired.at) };
}

/** Where the other one stands, if it stands in the catalogue. */
function relatedTo({ desired }: Pick<ProposalInput, 'desired'>, owner: Address): Pick<Problem, 'related'> {
  const at = desired.resources.get(owner)?.at;
  return at === undefined ? {} : { related: [{ place: desired.sources.place(at), message: `${owner} stands here` }] };
}

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

/**
 * Resources that would be made or taken over in an object that this plan ends, or move there, and end with it: they name it by its
 * id, not by its address.
 */
export function madeInEnds(
  input: HomesInput & Pick<ProposalInput, 'desired'>,
  selected: ReadonlyMap<Address, Step>,
): readonly Problem[] {
  const ends = [...selected.values()].filter(isEnd);
  if (ends.length === 0) return [];
  const homes = new Homes(input);
  const endOf = endsById(ends);
  return [...selected.values()].flatMap((step) => {
    if (!isDesired(step)) return [];
    const through = newHomes(input, step);
    if (through.size === 0) return [];
    const { type, declared } = step;
    const values = knownInputs(declared);
    const living = { type: type.token, identity: { id: '', scope: scopeOf(type, values) }, values };
    const end = homes.nearest(living, endOf, undefined, (field) => through.has(field));
    return end === undefined ? [] : [homeEnds(input, step, end)];
  });
}

/** Fields that name what the object of a step is to live in, and ends with. */
function newHomes(
  { types }: Pick<ProposalInput, 'types'>,
  { type, action, changes }: DesiredStep,
): ReadonlySet<string> {
  const nested = type.nesting.filter(({ under }) => types.get(under)?.cascades.includes(type.token) === true);
  const all = new Set([...placeFields(type), ...nested.map(({ field }) => field)]);
  if (action === 'create' || action === 'replace' || action === 'adopt') return all;
  const moved = action === 'update' ? changes.map(({ rule }) => rule.name) : [];
  return new Set(moved.filter((field) => all.has(field)));
}

const beginnings: Partial<Record<Step['action'], string>> = { adopt: 'taken over in', update: 'moved to' };

function homeEnds(
  input: Pick<ProposalInput, 'desired'>,
  base: DesiredStep,
  { address, action, actual }: Step,
): Problem {
  const begun = beginnings[base.action] ?? 'created in';
  return refused(input, base, {
    code: 'home-ends',
    summary: `${base.address} can't be ${begun} ${actual?.identity.id ?? address}: this plan ${action}s that object (${address}), and it would end with it.`,
    hint: 'Write it under what is to stay, by its address and not by an id.',
    ...relatedTo(input, address),
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
        : `Neither can take a temporary name. Give one of them another ${keyWords(holder)} in a run of its own first.`,
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
    hint: `One run takes both: sync apply --target ${base.address} --target ${holder}`,
    ...placeOf(input, base),
    ...relatedTo(input, holder),
  };
}

function keyWords({ type }: Pick<Step, 'type'>): string {
  return type.naturalKey.filter((field) => field !== type.parent?.field).join(' and ') || 'place';
}
