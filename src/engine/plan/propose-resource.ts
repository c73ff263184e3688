import { defined } from '../model/defined.js';
import { identityKey } from '../model/identity.js';
import type { ActionReason } from '../model/plan.js';
import type { Reading } from '../model/snapshot.js';
import type { RecordedResource } from '../model/state.js';
import type { RemoteObject } from '../model/provider.js';
import { compare } from './action.js';
import type { Match } from './match-records.js';
import { isHeldBack } from './blocked-creates.js';
import { parseImportId } from './import-id.js';
import { need } from './open-questions.js';
import { scopeOf } from './object-scope.js';
import { alreadyOwned, livesElsewhere, markedElsewhere, ownedElsewhere, recordedTwice } from './ownership-problems.js';
import type { PlanningState } from './planning-state.js';
import type { NeededObject, Proposal, DesiredProposal, ProposalInput } from './proposal.js';
import { isNameless, knownInputs, tellingKeys, uniqueKeyOf, wantedKeys } from './keys.js';
import { areSeveral } from './same-name.js';
import { hasUnknown } from '../model/value.js';
import { proposeUnmoved } from './propose-unmoved.js';

/** A resource whose record is known. */
export function proposeRecorded(planning: PlanningState, unmoved: DesiredProposal, match: Match): Proposal {
  const { input, done } = planning;
  const { record: recorded, from, reasons: moved } = match;
  const owner = planning.ownership.ownedBefore(recorded.address);
  const reading = input.snapshot.readings.get(recorded.address);
  const isMatched = owner === undefined && reading !== undefined && from === undefined && moved.length === 0;
  const atOnce = isMatched ? proposeUnmoved(input, unmoved, recorded, reading) : undefined;
  if (atOnce !== undefined) return atOnce;
  const base = { ...unmoved, ...defined({ movedFrom: from }) };
  const known = { ...base, recorded };
  if (owner !== undefined) {
    planning.problems.push(recordedTwice(input, base, owner));
    return known;
  }
  if (reading === undefined || reading.kind === 'failed')
    return { ...known, action: from === undefined ? 'not-compared' : 'move', reasons: moved };
  if (reading.kind === 'gone') return proposeOverGone(planning, base, recorded, [{ kind: 'gone' }, ...moved]);
  const actual: RemoteObject = { identity: reading.identity, values: reading.values };
  if (recorded.type !== base.type.token) {
    const reasons: readonly ActionReason[] = [{ kind: 'type-changed', from: recorded.type }, ...moved];
    return { ...known, actual, action: 'replace', order: 'delete-first', cause: 'config', reasons };
  }
  return compare(input, { ...known, actual }, done, moved, 'update');
}

/** A resource that state knows nothing of: an object that exists, under its import id or its key, or a new one. */
export function proposeNew(planning: PlanningState, base: DesiredProposal): Proposal {
  const { input } = planning;
  const needed = input.graph.get(base.address) ?? [];
  const isHeld = isHeldBack(input.snapshot, base.type, base.declared, needed, planning.done);
  const create = creation(base, [{ kind: 'not-in-state' }]);
  const unmade: Proposal = isHeld ? base : create;
  const keys = tellingKeys(base.type, base.declared);
  const known = proposeKnown(planning, base, keys, create, unmade);
  if (known !== undefined) return known;
  return isHeld && input.mode !== 'adopt' ? unmade : proposeUnlessTaken(planning, base, keys, unmade);
}

/** The recorded object is gone; another one may be meant, or may have its key since. */
function proposeOverGone(
  planning: PlanningState,
  base: DesiredProposal,
  recorded: RecordedResource,
  reasons: readonly ActionReason[],
): Proposal {
  const create: Proposal = { ...creation(base, reasons), recorded, cause: 'drift' };
  const keys = tellingKeys(base.type, base.declared);
  const known = proposeKnown(planning, base, keys, create, create);
  if (known !== undefined) return known;
  return keys.length === 0 ? create : proposeUnlessTaken(planning, base, keys, create);
}

/** The object that the file names by its id, or that another address has; undefined where neither tells one. */
function proposeKnown(
  planning: PlanningState,
  base: DesiredProposal,
  keys: readonly string[],
  create: Proposal,
  unmade: Proposal,
): Proposal | undefined {
  const { input, matching } = planning;
  const importId = importIdOf(input, base, create.recorded);
  if (importId !== undefined) {
    const reading = input.snapshot.found.get(base.address);
    if (reading === undefined) need(planning, base, { importId });
    return reading === undefined ? unmade : proposeFound(planning, base, unmade, reading, 'import');
  }
  const holder = planning.keys.recorded(keys);
  if (holder === undefined) return undefined;
  const match = matching.move(holder, base.address, [{ kind: 'same-key', from: holder }]);
  if (match !== undefined) return proposeRecorded(planning, base, match);
  // A holder that stays gives the key up in this plan, or `keyConflicts` says so.
  return create;
}

/** The import id that the file says, unless it is the one of the object that is gone. */
function importIdOf(
  input: ProposalInput,
  base: DesiredProposal,
  gone: RecordedResource | undefined,
): string | undefined {
  const id = input.imports.get(base.address) ?? base.desired.options.import;
  if (id === undefined || gone === undefined) return id;
  // A check only compares with what is recorded.
  if (!input.looksForKeys) return undefined;
  const parsed = parseImportId(base.type, id);
  if (!('identity' in parsed)) return undefined;
  const key = identityKey(base.type.token, parsed.identity);
  return key === identityKey(gone.type, gone.identity) ? undefined : id;
}

function creation(base: DesiredProposal, reasons: readonly ActionReason[]): Proposal {
  return { ...base, action: 'create', reasons };
}

/** A key that was just read costs no request; else the platform is asked, unless the plan is to do without. */
function proposeUnlessTaken(
  planning: PlanningState,
  base: DesiredProposal,
  keys: readonly string[],
  create: Proposal,
): Proposal {
  const { input } = planning;
  const isAdopting = input.mode === 'adopt';
  if (!isAdopting && keys.length === 0) return proposeBeside(planning, base, create);
  const reading = input.snapshot.found.get(base.address);
  if (reading !== undefined) return proposeFound(planning, base, create, reading, 'key');
  if (!isAdopting && !input.looksForKeys) return create;
  const [listed, ...others] = planning.keys.strangers(keys);
  if (listed !== undefined && others.length === 0) {
    const found = listedReading(planning, base, listed);
    if (found !== undefined) return proposeFound(planning, base, create, found, 'key');
    need(planning, base, { listed });
    return create;
  }
  const isFree = keys.length > 0 && planning.keys.isWhole(base.type, scopeOf(base.type, knownInputs(base.declared)));
  if (!isFree || others.length > 0) need(planning, base, {});
  return create;
}

/**
 * Others may have its name, or have no name and the same contents: what there is has to be known, for it is made all the same, behind a
 * guard (`same-name`), and nothing is taken over.
 */
function proposeBeside(planning: PlanningState, base: DesiredProposal, create: Proposal): Proposal {
  const { input, keys } = planning;
  const { type, declared } = base;
  const reading = input.snapshot.found.get(base.address);
  if (reading?.kind === 'failed' && !areSeveral(reading)) return { ...create, action: 'not-compared', reasons: [] };
  if (reading !== undefined || !input.looksForKeys || type.collection.listed === false) return create;
  if (uniqueKeyOf(type) !== undefined || type.collection.scope.some((field) => hasUnknown(declared.get(field) ?? null)))
    return create;
  const inputs = knownInputs(declared);
  const scope = scopeOf(type, inputs);
  if (isNameless(type, inputs)) {
    if (keys.isLeft(type, scope)) need(planning, base, { isTwinSought: true });
  } else if (wantedKeys(type, declared).length > 0 && !keys.isWhole(type, scope))
    need(planning, base, { isNamesake: true });
  return create;
}

/**
 * What a list showed, where that is all there is to know and says nothing new: a stack without kept state sees at every
 * run what it takes over, and a difference is read once more before it is believed.
 */
function listedReading(
  { input }: PlanningState,
  base: DesiredProposal,
  { identity, values: listed }: NonNullable<NeededObject['listed']>,
): Reading | undefined {
  const { type, declared } = base;
  const isAll = Object.values(type.fields).every((rule) => rule.inList || (rule.writeOnly && !declared.has(rule.name)));
  if (!isAll || input.adopt !== 'byKey' || input.mode === 'adopt') return undefined;
  const values = { ...identity.scope, ...listed };
  const { decisions } = compare(input, { ...base, actual: { identity, values } }, new Map(), [], 'adopt');
  return decisions.length === 0 ? { kind: 'found', identity, values } : undefined;
}

/** An object that exists: whose is it? */
function proposeFound(
  planning: PlanningState,
  base: DesiredProposal,
  create: Proposal,
  reading: Reading,
  by: 'import' | 'key',
): Proposal {
  const { input, ownership, matching } = planning;
  const without: Proposal = { ...create, action: 'not-compared', reasons: [] };
  if (reading.kind === 'failed') return without;
  if (reading.kind === 'gone') return create;
  const { identity, values } = reading;
  const { token } = base.type;
  const elsewhere = input.elsewhere.get(identityKey(token, identity));
  if (elsewhere === undefined) planning.neededOwners.push({ type: token, identity });
  if (typeof elsewhere === 'object') {
    planning.problems.push(ownedElsewhere(input, base, identity, elsewhere));
    return without;
  }
  const marked = planning.marks.elsewhere(values);
  if (marked !== undefined) {
    planning.problems.push(markedElsewhere(input, base, identity, marked));
    return without;
  }
  // Where that resource keeps the key, `keyConflicts` says so; else this one waits for it.
  if (by === 'key' && (planning.marks.meantFor(values) ?? base.address) !== base.address) return create;
  const owner = ownership.claim(token, identity, base.address);
  if (owner !== base.address) {
    const reason: ActionReason =
      by === 'import' ? { kind: 'import', id: identity.id } : { kind: 'same-key', from: owner };
    const match = matching.move(owner, base.address, [reason]);
    if (match !== undefined) return proposeRecorded(planning, base, match);
    // What it says tells two resources apart as little as two objects: the first has it.
    if (by === 'key' && uniqueKeyOf(base.type) === undefined && isNameless(base.type, knownInputs(base.declared)))
      return create;
    planning.problems.push(alreadyOwned(input, base, identity, owner));
    return without;
  }
  const reasons: readonly ActionReason[] = [
    ...create.reasons.filter(({ kind }) => kind !== 'not-in-state'),
    { kind: by === 'import' ? 'import' : input.mode === 'adopt' ? 'found-by-key' : 'key-exists', id: identity.id },
  ];
  const adopted = compare(input, { ...base, actual: { identity, values } }, new Map(), reasons, 'adopt');
  const misplaced = input.imports.has(base.address) ? livesElsewhere(input, base, adopted) : undefined;
  if (misplaced === undefined) return adopted;
  planning.problems.push(misplaced);
  return without;
}
