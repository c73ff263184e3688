import { defined, isList, isObject, type Json, referencedAddress } from '@platform-sync/core/model/value';
import { identityKey } from '@platform-sync/core/model/identity';
import { importIdFields, importIdText } from '@platform-sync/core/model/import-id';
import type { ActionReason, Cause, OptionChange } from '@platform-sync/core/model/plan';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { isSettling, type RecordedResource } from '@platform-sync/core/model/state';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { type Match, parseImportId } from './matching.js';
import { isHeldBack, perhapsMade, untouched } from './outside-keys.js';
import { need, type PlanningState } from './planning-state.js';
import { scopeOf } from './ownership.js';
import {
  alreadyOwned,
  livesElsewhere,
  markedElsewhere,
  ownedElsewhere,
  perhapsMadeHere,
  recordedTwice,
} from './problems.js';
import type { DesiredStep, NeededObject, ProposalInput, Step } from './step.js';
import { isNameless, knownInputs, tellingKeys, uniqueKeyOf, wantedKeys } from './keys.js';
import { areSeveral, makesName } from './guards/same-name.js';
import type { Address } from '@platform-sync/core/model/address';
import { groupOf } from '@platform-sync/core/model/graph';
import { type Change, diffResource, factsOf, type ResourceDiff } from './change.js';
import { withDropped } from './dropped-parts.js';
import { proposeUnmoved } from './propose-unmoved.js';
import { parentEndsFirst, replacementOrder } from './replacement-order.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** A resource whose record is known. */
export function proposeRecorded(planning: PlanningState, unmoved: DesiredStep, match: Match): Step {
  const { input, done } = planning;
  const { record: recorded, from, reasons: moved } = match;
  const owner = planning.ownership.ownedBefore(recorded.address);
  const reading = input.snapshot.readings.get(recorded.address);
  const isMatched = owner === undefined && reading !== undefined && from === undefined;
  const atOnce = isMatched ? proposeUnmoved(input, unmoved, recorded, reading) : undefined;
  if (atOnce !== undefined) return atOnce;
  const base = { ...unmoved, ...defined({ movedFrom: from }) };
  const isRetyped = recorded.type !== base.type.token;
  const known = { ...base, recorded, ...(isRetyped ? defined({ was: input.types.get(recorded.type) }) : {}) };
  if (owner !== undefined) {
    planning.problems.push(recordedTwice(input, base, recorded.address, owner));
    return known;
  }
  if (
    from !== undefined &&
    input.state.intents.some(
      ({ action, address }) => action === 'create' && (address === base.address || address === from),
    )
  ) {
    planning.problems.push(perhapsMadeHere(input, base, from));
    return known;
  }
  if (reading === undefined || reading.kind === 'failed') {
    const unread = { ...known, ...defined({ listed: reading?.listed }) };
    return { ...unread, action: from === undefined ? 'not-compared' : 'move', reasons: moved };
  }
  if (reading.kind === 'gone') return proposeOverGone(planning, base, recorded, [{ kind: 'gone' }, ...moved]);
  const { identity, values } = reading;
  const isYoung = !isRetyped && isSettling(recorded.writtenAt, input.settledBefore);
  const seen = isYoung ? withDropped({ ...factsOf(known, values, input.seals), recorded }) : values;
  const there = { ...known, actual: { identity, values: seen } };
  const retyped: readonly ActionReason[] = [{ kind: 'type-changed', from: recorded.type }, ...moved];
  const step: Step = isRetyped
    ? {
        ...there,
        action: 'replace',
        order: 'delete-first',
        cause: 'config',
        reasons: retyped,
      }
    : compare(input, there, done, moved, 'update');
  // What takes its place is made, too, under a name that others there may have.
  return step.action === 'replace' && makesName(step) ? proposeBeside(planning, base, step) : step;
}

/** A resource that state knows nothing of: an object that exists, under its import id or its key, or a new one. */
export function proposeNew(planning: PlanningState, base: DesiredStep): Step {
  const { input } = planning;
  const needed = groupOf(input.graph, base.address);
  const isHeld = isHeldBack(input.snapshot, base.type, base.declared, needed, planning.done);
  const create = creation(base, [{ kind: 'not-in-state' }]);
  const unmade: Step = isHeld ? base : create;
  const keys = tellingKeys(base.type, base.declared);
  const known = proposeKnown(planning, base, keys, create, unmade);
  if (known !== undefined) return known;
  return isHeld && input.mode !== 'adopt' ? unmade : proposeUnlessTaken(planning, base, keys, unmade);
}

/** The recorded object is gone; another one may be meant, or may have its key since. */
function proposeOverGone(
  planning: PlanningState,
  base: DesiredStep,
  recorded: RecordedResource,
  reasons: readonly ActionReason[],
): Step {
  const create: Step = { ...creation(base, reasons), recorded, cause: 'drift' };
  const keys = tellingKeys(base.type, base.declared);
  const known = proposeKnown(planning, base, keys, create, create);
  if (known !== undefined) return known;
  return keys.length === 0 && planning.input.mode === 'adopt'
    ? create
    : proposeUnlessTaken(planning, base, keys, create);
}

/** The object that the file names by its id, or that another address has; undefined where neither tells one. */
function proposeKnown(
  planning: PlanningState,
  base: DesiredStep,
  keys: readonly string[],
  create: Step,
  unmade: Step,
): Step | undefined {
  const { input, matching } = planning;
  const said = input.imports.get(base.address) ?? base.desired.options.import;
  const chosen = said === undefined ? chosenId(base) : undefined;
  const importId = unlessGone(input, base, said ?? chosen, create.recorded);
  if (importId !== undefined) {
    const reading = input.snapshot.found.get(base.address);
    if (reading === undefined) need(planning, base, { importId, ...(chosen === undefined ? {} : { isChosen: true }) });
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
function unlessGone(
  input: ProposalInput,
  base: DesiredStep,
  id: string | undefined,
  gone: RecordedResource | undefined,
): string | undefined {
  if (id === undefined || gone === undefined) return id;
  // A check only compares with what is recorded.
  if (!input.looksForKeys) return undefined;
  const parsed = parseImportId(base.type, id);
  if (!('identity' in parsed)) return undefined;
  const key = identityKey(base.type.token, parsed.identity);
  return key === identityKey(gone.type, gone.identity) ? undefined : id;
}

/** The import id of the object that a declared id names, once its place is known; of a place that is new nothing is asked. */
function chosenId({ type, declared }: DesiredStep): string | undefined {
  const id = declared.get('id');
  if (typeof id !== 'string') return undefined;
  const scope = scopeOf(type, knownInputs(declared));
  return importIdFields(type.importId).every((field) => scope[field] !== undefined)
    ? importIdText(type.importId, { id, scope })
    : undefined;
}

function creation(base: DesiredStep, reasons: readonly ActionReason[]): Step {
  return { ...base, action: 'create', reasons };
}

/** A key that was just read costs no request; else the platform is asked, unless the plan is to do without. */
function proposeUnlessTaken(planning: PlanningState, base: DesiredStep, keys: readonly string[], create: Step): Step {
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
function proposeBeside(planning: PlanningState, base: DesiredStep, create: Step): Step {
  const { input, keys } = planning;
  const { type, declared } = base;
  const reading = input.snapshot.found.get(base.address);
  if (reading?.kind === 'failed' && !areSeveral(reading)) return { ...create, ...untouched };
  const held = perhapsMade(input, base);
  if (held !== undefined) return { ...create, ...untouched, held };
  if (reading !== undefined || !input.looksForKeys || type.collection.listed === false) return create;
  if (uniqueKeyOf(type) !== undefined) return create;
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
  base: DesiredStep,
  { identity, values: listed }: NonNullable<NeededObject['listed']>,
): Reading | undefined {
  const { type, declared } = base;
  const isAll = Object.values(type.fields).every((rule) => rule.inList || (rule.writeOnly && !declared.has(rule.name)));
  if (!isAll || input.adopt !== 'byKey' || input.mode === 'adopt') return undefined;
  const values = { ...identity.scope, ...listed };
  const { changes } = compare(input, { ...base, actual: { identity, values } }, new Map(), [], 'adopt');
  return changes.length === 0 ? { kind: 'found', identity, values } : undefined;
}

/** An object that exists: whose is it? */
function proposeFound(
  planning: PlanningState,
  base: DesiredStep,
  create: Step,
  reading: Reading,
  by: 'import' | 'key',
): Step {
  const { input, ownership, matching } = planning;
  const without: Step = { ...create, action: 'not-compared', reasons: [] };
  if (reading.kind === 'failed') return without;
  if (reading.kind === 'gone') return create;
  const { identity, values } = reading;
  const others = problemOfOthers(planning, base, reading);
  if (others !== undefined) {
    planning.problems.push(others);
    return without;
  }
  // Where that resource keeps the key, `keyConflicts` says so; else this one waits for it.
  if (by === 'key' && (planning.marks.meantFor(values) ?? base.address) !== base.address) return create;
  const owner = ownership.claim(base.type.token, identity, base.address);
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

/** The object is another stack's, by what that has recorded or by its mark; who has it is asked for where nobody knows. */
function problemOfOthers(
  { input, marks, neededOwners }: PlanningState,
  base: DesiredStep,
  { identity, values }: RemoteObject,
): PlanningState['problems'][number] | undefined {
  const { token } = base.type;
  const elsewhere = input.elsewhere.get(identityKey(token, identity));
  if (elsewhere === undefined) neededOwners.push({ type: token, identity });
  if (typeof elsewhere === 'object') return ownedElsewhere(input, base, identity, elsewhere);
  const marked = marks.elsewhere(values);
  return marked === undefined ? undefined : markedElsewhere(input, base, identity, marked);
}

type Base = DesiredStep & { readonly actual: RemoteObject };

/** What an object that exists needs to be as the file says: nothing, an update, a replacement, or only its record. */
function compare(
  input: ProposalInput,
  base: Base,
  done: ReadonlyMap<Address, Step>,
  reasons: readonly ActionReason[],
  whenSame: 'update' | 'adopt',
): Step {
  const diff = diffOf(input, base);
  const home = parentEndsFirst(input, base, diff.changes, done);
  const changes = diff.changes.map((change) =>
    home.includes(change.rule.name) ? { ...change, shown: { ...change.shown, rule: 'replace' as const } } : change,
  );
  const { recorded } = base;
  const asked = input.replace.has(base.address);
  const replacing = recorded !== undefined && (asked || changes.some((d) => d.shown.rule === 'replace'));
  const why = [
    ...fieldReasons(changes, base.type, done),
    ...(asked ? [{ kind: 'requested' } as const] : []),
    ...reasons,
  ];
  const options = optionChanges(base);
  const common = {
    ...base,
    changes,
    undeclared: diff.undeclared,
    recordOnly: diff.converged || options.length > 0 || dependenciesDiffer(input, base),
    ...(options.length === 0 ? {} : { options }),
    unkept: diff.unkept,
  };
  const cause = changes.length > 0 ? { cause: combinedCause(changes) } : {};
  if (replacing) {
    const isBound = home.length > 0 || input.deleteFirst?.has(base.address) === true;
    const order = isBound ? 'delete-first' : replacementOrder(base, changes);
    return { ...common, action: 'replace', order, ...cause, reasons: why };
  }
  if (whenSame === 'adopt') return { ...common, action: 'adopt', ...cause, reasons: why };
  if (changes.length > 0) return { ...common, action: 'update', ...cause, reasons: why };
  if (base.movedFrom !== undefined) return { ...common, action: 'move', reasons };
  return { ...common, action: options.length > 0 ? 'options' : 'none', reasons };
}

/** The command `adopt` only records: what differs then is what the next plan shows. */
function diffOf(input: ProposalInput, base: Base): ResourceDiff {
  const { desired, actual } = base;
  if (input.mode === 'adopt' && base.recorded === undefined)
    return { changes: [], undeclared: [], unkept: [], converged: false };
  return diffResource({
    ...factsOf(base, actual.values, input.seals),
    address: base.address,
    replaceOnChanges: desired.options.replaceOnChanges,
    resend: input.resend.has(base.address),
  });
}

const endOptions = ['protect', 'retainOnDelete'] as const;

/** What decides over the object's end, and is remembered in state alone. */
function optionChanges({ desired, recorded }: Base): readonly OptionChange[] {
  if (recorded === undefined) return [];
  return endOptions
    .filter((option) => recorded[option] !== desired.options[option])
    .map((option) => ({ option, old: recorded[option], new: desired.options[option] }));
}

function dependenciesDiffer(input: ProposalInput, { desired, recorded }: Base): boolean {
  const now = groupOf(input.graph, desired.address);
  const before = recorded?.dependencies ?? now;
  return before.length !== now.length || before.some((address, at) => address !== now[at]);
}

function combinedCause(changes: readonly Change[]): Cause {
  const [cause, ...others] = new Set(changes.map((d) => d.shown.cause));
  return cause === undefined || others.length > 0 ? 'both' : cause;
}

/** Why: the replaced resources a field waits for, with the chain that forced them, else the field itself. */
export function fieldReasons(
  changes: readonly Change[],
  type: ResourceType,
  done: ReadonlyMap<Address, Step>,
): readonly ActionReason[] {
  return changes.map(({ rule, shown, resent }) => {
    if (resent === true) return { kind: 'resend', field: rule.name };
    const awaited = unknownAddresses(shown.new).map((address) => done.get(address));
    const replaced = awaited.find((one) => one?.action === 'replace');
    if (shown.rule === 'replace' && replaced !== undefined) {
      const path = [replaced.address, ...forcedBy(replaced)];
      return rule.name === type.parent?.field
        ? { kind: 'parent-replaced', path }
        : { kind: 'reference-replaced', field: rule.name, path };
    }
    return { kind: shown.rule === 'replace' ? 'field-forces-replacement' : 'field-changed', field: rule.name };
  });
}

function unknownAddresses(value: Json | undefined): readonly Address[] {
  const names = isObject(value) ? value['$unknown'] : undefined;
  return isList(names) ? names.filter((name) => typeof name === 'string').map(referencedAddress) : [];
}

function forcedBy({ reasons }: Step): readonly Address[] {
  for (const reason of reasons) {
    if (reason.kind === 'parent-replaced' || reason.kind === 'reference-replaced') return reason.path;
  }
  return [];
}
