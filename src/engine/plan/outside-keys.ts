import type { Address } from '../model/address.js';
import { identityKey } from '../model/identity.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { RemoteObject } from '../model/provider.js';
import { hasUnknown, type JsonObject } from '../model/value.js';
import { isAlwaysThere } from '../model/resource-type.js';
import { Claims, valueThen, type Taking } from './claims.js';
import { placeUnder } from './open-questions.js';
import { scopeOf } from './object-scope.js';
import { keyHeld } from './key-problems.js';
import type { PlanningState } from './planning-state.js';
import type { Proposal } from './proposal.js';
import { knownInputs } from './keys.js';

/**
 * An object that gets another key gets it only when nobody has it: what is outside state is looked for as it is for
 * creates, and who waits for a key of something that could not be read does nothing.
 */
export function checkTakenKeys(planning: PlanningState): void {
  const { input, done } = planning;
  const held = new Set<Address>();
  // Where no object is known, creates alone take keys, and nobody's; who is held back keeps one that the next may wait for.
  for (let isStable = ![...done.values()].some(hasObject); !isStable;) {
    isStable = true;
    const claims = new Claims(done.values());
    for (const taking of claims.takings) {
      const { address, action } = taking.proposal;
      const holder = claims.holderOf(taking);
      const why = holder === undefined ? outside(planning, taking) : heldBy(taking, holder);
      if (why === undefined) continue;
      done.set(address, heldBackFor(taking.proposal, why));
      if (makesAnother(action)) held.add(address);
      isStable = false;
    }
  }
  // A check shows what it can: it leads to no write.
  if (input.looksForKeys)
    for (const { address, action, recorded } of done.values())
      if (action === 'not-compared' && recorded === undefined) held.add(address);
  holdDependents(planning, held);
}

function hasObject({ actual, recorded }: Proposal): boolean {
  return actual !== undefined || recorded !== undefined;
}

function makesAnother(action: Proposal['action']): boolean {
  return action === 'create' || action === 'replace';
}

/** What rests on an object that is not made, be it the first one or another in its place, is left as it is. */
function holdDependents({ input, done }: PlanningState, held: Set<Address>): void {
  // What is needed comes before what needs it.
  for (const [address, proposal] of done) {
    const needed = input.graph.get(address)?.find((other) => held.has(other));
    if (needed === undefined || !isWaiting(proposal)) continue;
    if (makesAnother(proposal.action)) held.add(address);
    done.set(address, heldBackFor(proposal, needsHeld(proposal, needed)));
  }
}

/** Is there something in it that is known only after another resource's step? */
function isWaiting({ action, decisions, declared }: Proposal): boolean {
  if (action === 'create') return true;
  return (action === 'replace' || decisions.length > 0) && [...declared.values()].some(hasUnknown);
}

function needsHeld({ address, action }: Proposal, needed: Address): Diagnostic {
  const what = action === 'create' ? 'not created' : 'left as it is';
  const summary = `${address} is ${what}: it needs ${needed}, which is left alone in this plan.`;
  return { severity: 'error', code: 'held-back', summary, address };
}

function heldBackFor(proposal: Proposal, held: Diagnostic): Proposal {
  return { ...proposal, action: 'not-compared', decisions: [], reasons: [], recordOnly: false, held };
}

function heldBy({ proposal }: Taking, holder: Proposal): Diagnostic | undefined {
  return holder.action === 'not-compared' ? keyNotCompared(proposal, holder.address) : undefined;
}

/** It takes the key of something of which is not known what it has. */
function keyNotCompared({ address }: Pick<Proposal, 'address'>, holder: string): Diagnostic {
  return {
    severity: 'error',
    code: 'held-back',
    summary: `${address} is left as it is: it would get the key of ${holder} has, and nothing is done about that one.`,
    address,
  };
}

/** Looks for the key among what state knows nothing of; why nothing can be done, where that failed. */
function outside(planning: PlanningState, taking: Taking): Diagnostic | undefined {
  const { input, keys } = planning;
  const { proposal } = taking;
  // Creates were asked for when they were decided.
  if (!input.looksForKeys || proposal.action === 'create') return undefined;
  const found = proposal.recorded === undefined ? undefined : input.snapshot.found.get(proposal.address);
  const [listed] = keys.strangers(taking.keys);
  const stranger = listed ?? (found?.kind === 'found' ? found : undefined);
  if (stranger !== undefined) {
    refuse(planning, taking, stranger);
    return undefined;
  }
  if (found?.kind === 'failed') return found.diagnostic;
  if (found === undefined && proposal.recorded !== undefined) lookFor(planning, taking);
  return undefined;
}

function refuse(planning: PlanningState, { proposal }: Taking, { identity, values }: RemoteObject): void {
  const { input, marks } = planning;
  const { token } = proposal.type;
  const elsewhere = input.elsewhere.get(identityKey(token, identity));
  if (elsewhere === undefined) planning.neededOwners.push({ type: token, identity });
  const marked = marks.elsewhere(values);
  const owner = typeof elsewhere === 'object' ? elsewhere : marked;
  // What every place has one of is nobody's until somebody manages it.
  if (owner === undefined && isAlwaysThere(proposal.type)) return;
  planning.problems.push(keyHeld(input, proposal, identity, owner));
}

function lookFor(planning: PlanningState, { proposal }: Taking): void {
  const { type, address, declared, actual } = proposal;
  // The key as it will be: parts that nobody changes stay as they are.
  const then = valueThen(proposal);
  const key = type.naturalKey.flatMap((field) => {
    const value = then(field) ?? null;
    return value === null ? [] : [[field, value] as const];
  });
  const inputs: JsonObject = { ...knownInputs(declared), ...Object.fromEntries(key) };
  const scope = scopeOf(type, { ...actual?.identity.scope, ...inputs });
  if (planning.keys.isWhole(type, scope)) return;
  planning.neededObjects.push({
    address,
    type,
    scope,
    inputs,
    isKeyUnique: true,
    ...placeUnder(planning, type, scope),
  });
}
