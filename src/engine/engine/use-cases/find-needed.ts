import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Unmanaged } from '@platform-sync/core/model/plan';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { ListedStrangers, Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { PlanInput } from '../plan/planning-state.js';
import type { NeededObject } from '../plan/step.js';
import { isNameless, isWithoutName } from '../plan/keys.js';
import {
  contradictory,
  findByContents,
  findExisting,
  readExisting,
  readListed,
  type SecondLook,
  secondLooks,
  type Telling,
} from '../refresh/find-existing.js';
import { hasAllSaid } from '@platform-sync/core/value/field-comparison';
import { byCollection, type Collection } from '../reads/collection.js';
import { inParallel } from '../reads/in-parallel.js';
import { isLongFor, type Need } from '../reads/look.js';
import type { Reads } from '../reads/reads.js';
import { incompleteList } from '../refresh/evidence.js';
import { asDiagnostic, mustBePassing } from '../refresh/list-collection.js';
import type { Workspace } from '../workspace.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { parseImportId } from '../plan/matching.js';

type Listed = Pick<ListedStrangers, 'objects' | 'morePages'>;

/** What was found out about objects that planning asked for, on top of a snapshot. */
export class Findings {
  readonly #found: Map<Address, Reading>;
  readonly #listed: Map<string, ListedStrangers>;
  /** Of lists that hold nothing recorded: how many objects each has, as the last look says. */
  readonly #strange = new Map<string, Unmanaged>();
  readonly #uncertain: Map<string, Diagnostic>;
  readonly #first: Snapshot;
  readonly #reads: Reads;
  #homes: ReadonlySet<Address> | undefined;
  /** Ids that a list shows: it is gone through once, whatever is held against it. */
  readonly #idsOf = new WeakMap<Listed, ReadonlySet<string>>();
  /** What was found by its id, although state knows nothing of it. */
  readonly #byId: (readonly [NeededObject, Extract<Reading, { kind: 'found' }>])[] = [];
  /** Objects that state knows, by `identityKey`. */
  #taken: ReadonlySet<string> | undefined;
  /** Those of them that reads have denied. */
  #denied: ReadonlySet<string> | undefined;
  /** Old objects that are still to be deleted, by `identityKey`: state knows them, too. */
  #old: ReadonlySet<string> | undefined;

  constructor(first: Snapshot, typeOf: Workspace['typeOf'], reads: Reads) {
    this.#first = first;
    this.#reads = reads;
    this.#found = new Map(first.found);
    this.#listed = new Map(first.listed.map((listed) => [collectionKey(typeOf(listed.type), listed.scope), listed]));
    this.#uncertain = new Map(first.uncertain);
  }

  get snapshot(): Snapshot {
    const [found, uncertain] = [this.#found, this.#uncertain];
    const unmanaged = [...this.#first.unmanaged, ...this.#strange.values()];
    return { ...this.#first, found, listed: [...this.#listed.values()], unmanaged, uncertain };
  }

  /** Looks for everything that is asked for; gives why what the catalogue names can't be had. */
  async find(
    workspace: Workspace,
    needed: readonly NeededObject[],
    input: Pick<PlanInput, 'desired' | 'graph' | 'imports' | 'state' | 'seals'>,
  ): Promise<readonly Diagnostic[]> {
    const { resources } = input.state;
    this.#old ??= keysIn(
      [...resources.values()].flatMap(({ type, deposed }) => deposed.map(({ identity }) => ({ type, identity }))),
    );
    const left = await this.#listCollections(workspace, needed);
    this.#homes ??= homesOf(input, workspace.typeOf);
    this.#taken ??= keysIn(resources.values());
    this.#denied ??= keysIn(
      [...resources.values()].filter(({ address }) => this.#first.readings.get(address)?.kind === 'gone'),
    );
    const homes = this.#homes;
    const shown = left.flatMap(({ address, type, listed }) =>
      listed === undefined || !homes.has(address) ? [] : [{ type, listed }],
    );
    // Where a second list fails, each object is read by itself, and says what is wrong.
    const again = await secondLooks(this.#reads, shown).catch((error: unknown) => {
      mustBePassing(error);
      return new Map<string, SecondLook>();
    });
    for (const { type, scope, inputs, importId, listed } of left)
      if (importId === undefined && listed === undefined) this.#reads.expectHaving(type, scope, inputs);
    const width = workspace.config.concurrency * 2;
    const errors = await inParallel(left, width, (object) => this.#findOne(object, input, again));
    // Only now is known which lists were read.
    for (const [object, reading] of this.#byId) await this.#holdAgainstLists(object, reading);
    return errors.flat();
  }

  /** Lists collections that hold many of the keys asked for; gives what is still to be asked for one by one. */
  async #listCollections(workspace: Workspace, needed: readonly NeededObject[]): Promise<readonly NeededObject[]> {
    const groups = byCollection(
      needed.filter(({ isKeyUnique, isTwinSought }) => isKeyUnique || isTwinSought === true),
      (object) => object,
    );
    const known = new Map(this.#listed);
    const left = await inParallel(groups, workspace.config.concurrency * 2, async (group) =>
      (await this.#listOne(group)) ? [] : group.members,
    );
    // What a list showed that was just read further waits for what else of it will need a second look.
    const read = new Set(groups.map(({ key }) => key).filter((key) => known.get(key) !== this.#listed.get(key)));
    const waits = ({ type, listed }: NeededObject): boolean =>
      listed !== undefined && read.has(collectionKey(type, listed.identity.scope));
    const isLeft = (object: NeededObject): boolean => !object.isKeyUnique && object.isTwinSought !== true;
    return [...needed.filter((object) => isLeft(object) && !waits(object)), ...left.flat()];
  }

  /** True when planning can find the keys in what is known now, or when it is known that they can't be found. */
  async #listOne({ key, type, scope, members }: Collection<NeededObject>): Promise<boolean> {
    const known = this.#listed.get(key);
    const { under } = known ?? members[0] ?? {};
    try {
      const isWhole = members.some(({ isTwinSought }) => isTwinSought === true);
      // What is asked for although all that the list shows is known, such as a key that two of it have, is asked for by itself.
      if (!isWhole && known?.morePages === 0) return false;
      if (!isWhole && isLongFor({ type, scope, of: members.length }, known?.morePages)) return false;
      const need: Need = { type, scope, of: isWhole ? 'everything' : members.length };
      const { objects, morePages, total } = await this.#reads.look(need);
      this.#listed.set(key, { type: type.token, scope, ...defined({ under }), morePages, objects });
      const old = objects.filter(({ identity }) => this.#old?.has(identityKey(type.token, identity)) === true);
      const count = Math.max(total, objects.length) - old.length;
      if ((known === undefined && count > 0) || this.#strange.has(key))
        this.#strange.set(key, { type: type.token, ...defined({ under }), count });
      return morePages === 0;
    } catch (error) {
      const diagnostic = asDiagnostic(mustBePassing(error));
      for (const { address } of members) this.#found.set(address, { kind: 'failed', diagnostic });
      return true;
    }
  }

  #telling({ address, type, inputs }: NeededObject, { desired, seals }: Pick<PlanInput, 'desired' | 'seals'>): Telling {
    const withoutName = isNameless(type, inputs);
    const ignored = desired.resources.get(address)?.options.ignoreChanges ?? [];
    const declared = new Map(Object.entries(inputs));
    return {
      isNameless: withoutName,
      isOpen: ({ identity, values }) =>
        this.#taken?.has(identityKey(type.token, identity)) !== true && (!withoutName || isWithoutName(type, values)),
      fits: (actual, isListed) =>
        hasAllSaid(
          { type, declared, actual, ignored, seals },
          ({ name, inList }) => !isListed || inList || name in actual,
        ),
      isBare: (actual) =>
        Object.values(type.fields).every(
          ({ name, input, references }) =>
            !input || references === undefined || name in inputs || (actual[name] ?? null) === null,
        ),
    };
  }

  async #findOne(
    object: NeededObject,
    input: Pick<PlanInput, 'desired' | 'imports' | 'seals'>,
    again: ReadonlyMap<string, SecondLook>,
  ): Promise<readonly Diagnostic[]> {
    const { type, scope, inputs, importId, listed, mark, isKeyUnique } = object;
    const reads = this.#reads;
    if (listed !== undefined) {
      const second = again.get(identityKey(type.token, listed.identity));
      this.#note(object, await readListed(reads, type, listed, inputs, second));
    } else if (isKeyUnique) this.#note(object, await findExisting(reads, type, scope, inputs, { inputs, mark }));
    else if (importId === undefined)
      this.#note(object, await findByContents(reads, type, scope, inputs, this.#telling(object, input)));
    else {
      const { reading, diagnostics } = await findImport(reads, object, importId, input);
      this.#note(object, reading);
      if (reading.kind === 'found') this.#byId.push([object, reading]);
      return diagnostics;
    }
    return [];
  }

  /** What reads have denied, and a search shows, is neither gone nor nobody's. */
  #note({ address, type }: NeededObject, reading: Reading): void {
    const isDenied = reading.kind === 'found' && this.#denied?.has(identityKey(type.token, reading.identity)) === true;
    this.#found.set(address, isDenied ? { kind: 'failed', diagnostic: contradictory(type, reading) } : reading);
  }

  /** A list that lacks what is named by its id and exists may lack others, too. */
  async #holdAgainstLists(
    { address, type }: NeededObject,
    { identity, values }: Extract<Reading, { kind: 'found' }>,
  ): Promise<void> {
    const key = collectionKey(type, identity.scope);
    // Lists leave out one of a fixed set that is as it was at first.
    if (type.untouched !== undefined || this.#uncertain.has(key)) return;
    if (this.#taken?.has(identityKey(type.token, identity)) === true) return;
    const listed = this.#listed.get(key);
    // What is looked for by its key alone leaves its list with those who read.
    const lists = listed === undefined ? await this.#reads.listsOf(type, identity.scope, values) : [listed];
    if (lists.some((list) => list.morePages === 0 && !this.#idsIn(list).has(identity.id)))
      this.#uncertain.set(key, incompleteList(type, address));
  }

  #idsIn(list: Listed): ReadonlySet<string> {
    const ids = this.#idsOf.get(list) ?? new Set(list.objects.map(({ identity }) => identity.id));
    this.#idsOf.set(list, ids);
    return ids;
  }
}

function keysIn(records: Iterable<Pick<RecordedResource, 'type' | 'identity'>>): ReadonlySet<string> {
  return new Set([...records].map(({ type, identity }) => identityKey(type, identity)));
}

/** Resources that others live in: what is found in an object by its id vouches for the id, which a list alone does not. */
function homesOf(
  { desired, graph }: Pick<PlanInput, 'desired' | 'graph'>,
  typeOf: Workspace['typeOf'],
): ReadonlySet<Address> {
  const homes = new Set<Address>();
  for (const [address, { type }] of desired.resources) {
    const { parent } = typeOf(type);
    for (const needed of graph.get(address) ?? [])
      if (desired.resources.get(needed)?.type === parent?.type) homes.add(needed);
  }
  return homes;
}

/** The object that a catalogue or a command names by its id, or why it can't be had. */
async function findImport(
  reads: Reads,
  { address, type, isChosen }: NeededObject,
  importId: string,
  { desired, imports }: Pick<PlanInput, 'desired' | 'imports'>,
): Promise<{ readonly reading: Reading; readonly diagnostics: readonly Diagnostic[] }> {
  const at = desired.resources.get(address)?.at;
  const place = at === undefined ? {} : { place: desired.sources.place(at) };
  const parsed = parseImportId(type, importId);
  if ('problem' in parsed) {
    const diagnostic = { ...parsed.problem, address, ...place };
    return { reading: { kind: 'failed', diagnostic }, diagnostics: [diagnostic] };
  }
  const reading = await readExisting(reads, type, parsed.identity);
  const lacks = imports.has(address) ? notThere(address, type, importId) : notFound(address, importId);
  return { reading, diagnostics: reading.kind === 'gone' && isChosen !== true ? [{ ...lacks, ...place }] : [] };
}

function notFound(address: string, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} says it should take over ${importId}, but the platform has no such object.`,
    hint: 'Correct options.import, or take it out to create a new object.',
    address,
  };
}

function notThere(address: string, { name, shortToken }: ResourceType, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} is to take over the ${name} ${importId}, but the platform has no such object.`,
    hint: `Correct the id, or the address that it is meant for. The form of its ids: sync schema ${shortToken}`,
    address,
  };
}
