import type { Address } from '../model/address.js';
import { identityKey } from '../model/identity.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { RemoteObject } from '../model/provider.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json, JsonObject } from '../model/value.js';
import { holderFor, holdersOf, takings } from './key-conflicts.js';
import type { Taking } from './key-conflicts.js';
import { collectionOwner, scopeOf } from './object-scope.js';
import { keyHeld } from './key-problems.js';
import type { Deciding } from './deciding.js';
import type { Proposal } from './proposal.js';
import { knownInputs } from './unique-key.js';

/**
 * An object that gets another key gets it only when nobody has it: what is outside state is looked for as it is for
 * creates, and who waits for a key of something that could not be read does nothing.
 */
export function checkTakenKeys(deciding: Deciding): void {
  const { done } = deciding;
  const unmade = new Set<Address>();
  // Who is held back keeps a key that the next one may wait for.
  for (let isStable = false; !isStable;) {
    isStable = true;
    const holders = holdersOf(done.values());
    for (const taking of takings(done.values())) {
      const { address, action } = taking.proposal;
      const holder = holderFor(taking, holders);
      const why = holder === undefined ? outside(deciding, taking) : heldBy(taking, holder);
      if (why === undefined) continue;
      done.set(address, heldBackFor(taking.proposal, why));
      if (action === 'create') unmade.add(address);
      isStable = false;
    }
  }
  holdDependents(deciding, unmade);
}

/** What needs an object that is not made is not made, either. */
function holdDependents({ input, done }: Deciding, unmade: Set<Address>): void {
  if (unmade.size === 0) return;
  for (const address of input.order) {
    const proposal = done.get(address);
    const needed = input.graph.get(address)?.find((other) => unmade.has(other));
    if (needed === undefined || proposal?.action !== 'create') continue;
    unmade.add(address);
    done.set(address, heldBackFor(proposal, needsUnmade(address, needed)));
  }
}

function needsUnmade(address: Address, needed: Address): Diagnostic {
  const summary = `${address} is not created: it needs ${needed}, which is not created, either.`;
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
    summary: `${address} is left as it is: it is to get a key that ${holder} has, and nothing is done about that one.`,
    address,
  };
}

/** Looks for the key among what state knows nothing of; why nothing can be done, where that failed. */
function outside(deciding: Deciding, taking: Taking): Diagnostic | undefined {
  const { input, keys } = deciding;
  const { proposal } = taking;
  // Creates were asked for when they were decided.
  if (!input.looksForKeys || proposal.action === 'create') return undefined;
  const found = proposal.recorded === undefined ? undefined : input.snapshot.found.get(proposal.address);
  const [listed] = keys.strangers(taking.keys);
  const stranger = listed ?? (found?.kind === 'found' ? found : undefined);
  if (stranger !== undefined) {
    refuse(deciding, taking, stranger);
    return undefined;
  }
  if (found?.kind === 'failed') return found.diagnostic;
  if (found === undefined && proposal.recorded !== undefined) lookFor(deciding, taking);
  return undefined;
}

function refuse(deciding: Deciding, { proposal }: Taking, { identity, values }: RemoteObject): void {
  const { input, marks } = deciding;
  const { token } = proposal.type;
  const elsewhere = input.elsewhere.get(identityKey(token, identity));
  if (elsewhere === undefined) deciding.neededOwners.push({ type: token, identity });
  const marked = marks.elsewhere(values);
  const owner = typeof elsewhere === 'object' ? elsewhere : marked;
  deciding.problems.push(keyHeld(input, proposal, identity, owner));
}

function lookFor(deciding: Deciding, { proposal }: Taking): void {
  const { type, address, declared, actual } = proposal;
  const wanted: JsonObject = { ...keyFields(proposal), ...knownInputs(declared) };
  const scope = scopeOf(type, { ...actual?.identity.scope, ...wanted });
  const isOpen = type.naturalKey.some((field) => hasUnknown(declared.get(field) ?? null));
  if (isOpen || deciding.keys.isWhole(type, scope)) return;
  const under = collectionOwner(type, scope, deciding.ownership);
  deciding.neededObjects.push({
    ...{ address, type, scope, inputs: wanted, isKeyUnique: true },
    ...(under === undefined ? {} : { under: deciding.matching.movedTo.get(under) ?? under }),
  });
}

/** The key as it will be: parts that nobody changes stay as they are. */
function keyFields({ type, actual, decisions }: Proposal): JsonObject {
  const wanted = new Map(decisions.map((decision) => [decision.rule.name, decision.wanted]));
  const then = (field: string): Json => {
    const change = wanted.get(field);
    if (change === undefined || change.by === 'keeping') return actual?.values[field] ?? null;
    return change.by === 'value' && !hasUnknown(change.value) ? reveal(change.value) : null;
  };
  return Object.fromEntries(
    type.naturalKey.map((field) => [field, then(field)] as const).filter(([, value]) => value !== null),
  );
}
