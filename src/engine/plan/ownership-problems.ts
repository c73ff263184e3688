import type { Address } from '../model/address.js';
import { markLabels } from '../model/ownership-mark.js';
import type { Identity } from '../model/state.js';
import type { ForeignOwner } from './ownership.js';
import { hasUnknown } from '../model/value.js';
import type { Step, DesiredStep, ProposalInput, Proposals } from './step.js';

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
  { project, stack, address }: ForeignOwner,
): Problem {
  const owner = project === input.state.project ? `the stack ${stack}` : `the stack ${stack} of the project ${project}`;
  return taken(input, base, identity, {
    code: 'managed-elsewhere',
    because: `${owner} manages it as ${address}`,
    hint: `Take it out of one of the two, or hand it over: sync state mv ${address} --stack ${stack} --to-stack ${input.state.stack}`,
  });
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
export function recordedTwice(input: ProposalInput, base: DesiredStep, owner: Address): Problem {
  return refused(input, base, {
    code: 'recorded-twice',
    summary: `State has one object at ${owner} and at ${base.address}.`,
    hint: `Let go of the one that is wrong (the object stays): sync state rm ${base.address}`,
    ...relatedTo(input, owner),
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
    hint: `Select both or none: --target ${base.address} --target ${from}`,
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

function refused(input: ProposalInput, base: Who, why: Refusal): Problem {
  return { severity: 'error', ...why, ...placeOf(input, base) };
}

/** Whom a problem is about, and where that stands. */
export function placeOf(input: ProposalInput, { address, desired }: Who): Pick<Problem, 'address' | 'place'> {
  return { address, place: input.desired.sources.place(desired.at) };
}

/** Where the other one stands, if it stands in the catalogue. */
export function relatedTo({ desired }: ProposalInput, owner: Address): Pick<Problem, 'related'> {
  const at = desired.resources.get(owner)?.at;
  return at === undefined ? {} : { related: [{ place: desired.sources.place(at), message: `${owner} stands here` }] };
}
