import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { isSettling, type Identity, type Intent, type RecordedResource } from '@platform-sync/core/model/state';
import { defined } from '@platform-sync/core/model/value';
import { agreed, type Question, recordedReading, unmoved } from './confirmed-reading.js';
import {
  asDiagnostic,
  isNotFound,
  listCollection,
  type ListedCollection,
  mustBePassing,
  parentKey,
} from './list-collection.js';
import type { RefreshContext } from './context.js';

/** What lists and single reads prove, object by object. */
export class Evidence {
  readonly #context: RefreshContext;
  readonly #readings = new Map<Address, Reading>();
  readonly #uncertain = new Map<string, Diagnostic>();
  readonly #members: readonly RecordedResource[];
  #byKey: ReadonlyMap<string, RecordedResource> | undefined;
  /** Objects outside state that managed ones live in, by `identityKey`: do they exist? */
  readonly #strangers = new Map<string, Promise<Life>>();
  /** Records that are gone along with one of these. */
  readonly #goneAlong: RecordedResource[] = [];
  #missing = 0;

  constructor(context: RefreshContext, listed: readonly ListedCollection[]) {
    this.#context = context;
    this.#members = listed.flatMap(({ collection }) => collection.members);
  }

  /** Recorded objects by `identityKey`, to find what an object lives in: asked for where something is missing. */
  get #records(): ReadonlyMap<string, RecordedResource> {
    return (this.#byKey ??= new Map(
      this.#members.map((record) => [identityKey(record.type, record.identity), record]),
    ));
  }

  /** Decides what became of a collection's members. The collections of what they live in must be decided before. */
  async decide(list: ListedCollection): Promise<void> {
    const { collection, failure } = list;
    // One more list tells of all that can't be read alone.
    let second: Promise<ListedCollection> | undefined;
    const again: Again = () => (second ??= listCollection(this.#context, collection, true));
    if (failure !== undefined) this.#uncertain.set(collection.key, asDiagnostic(failure));
    const asked: Promise<void>[] = [];
    for (const record of collection.members) {
      const reading = this.#read(list, record, again);
      const listed = list.objects.get(identityKey(record.type, record.identity));
      const keep = (told: Reading): void =>
        this.#keep(list, record, told.kind === 'failed' ? { ...told, ...defined({ listed }) } : told);
      if (!(reading instanceof Promise)) keep(reading);
      else {
        asked.push(reading.catch((error: unknown) => failedBy(mustBePassing(error))).then(keep));
      }
    }
    if (asked.length > 0) await Promise.all(asked);
    if (failure === undefined || !isNotFound(failure)) return;
    const isGone = ({ address }: RecordedResource): boolean => this.#readings.get(address)?.kind === 'gone';
    // A place that is proven not to exist holds nothing for certain.
    if (collection.members.every(isGone)) this.#uncertain.delete(collection.key);
  }

  /** All readings, those that contradict each other taken back. */
  consistent(): {
    readonly readings: ReadonlyMap<Address, Reading>;
    readonly uncertain: ReadonlyMap<string, Diagnostic>;
  } {
    // Only what is gone contradicts what is there.
    const isAnyGone = [...this.#readings.values()].some(({ kind }) => kind === 'gone');
    if (!isAnyGone) return { readings: this.#readings, uncertain: this.#uncertain };
    for (const record of this.#records.values()) {
      const reading = this.#readings.get(record.address);
      // A list that keeps changing has shown that there is something in it.
      const isMoving = reading?.kind === 'failed' && reading.diagnostic.code === 'moving-list';
      if (reading?.kind !== 'found' && !isMoving) continue;
      const what = isMoving ? 'lists what lives' : `shows ${record.address}, which lives`;
      for (let above = this.#above(record); above !== undefined; above = this.#above(above)) {
        if (this.#readings.get(above.address)?.kind !== 'gone') continue;
        const failed: Reading = { ...failedWith(insideNothing(what, above)), denied: above.address };
        this.#readings.set(above.address, failed);
        if (!isMoving) this.#readings.set(record.address, failed);
      }
    }
    // What was gone along with an object that may exist after all is not proven gone, either.
    for (const record of this.#records.values()) {
      if (this.#readings.get(record.address)?.kind !== 'gone') continue;
      const above = this.#above(record);
      const reading = above === undefined ? undefined : this.#readings.get(above.address);
      if (reading?.kind === 'failed' && (reading.denied !== undefined || isNotVisibleYet(reading)))
        this.#readings.set(record.address, reading);
    }
    const inhabited = new Set<string | undefined>();
    for (const record of this.#goneAlong.length === 0 ? [] : this.#members)
      if (this.#readings.get(record.address)?.kind === 'found') inhabited.add(this.#homeOf(record));
    for (const record of this.#goneAlong)
      if (inhabited.has(this.#homeOf(record))) this.#readings.set(record.address, failedWith(notProven(record)));
    return { readings: this.#readings, uncertain: this.#uncertain };
  }

  /** What was written a moment ago may not show everywhere yet: it is not gone, and its list may lack others, too. */
  #keep({ collection }: ListedCollection, record: RecordedResource, told: Reading): void {
    const { address, writtenAt } = record;
    // Its delete is sent again.
    if (told.kind !== 'found' && this.#context.deleting?.has(identityKey(record.type, record.identity)) === true) {
      this.#readings.set(address, recordedReading(record));
      return;
    }
    const { settledBefore, settleMs } = this.#context;
    const isYoung = told.kind === 'gone' && isSettling(writtenAt, settledBefore) && !this.#isHomeGone(record);
    if (writtenAt === undefined || !isYoung) {
      this.#readings.set(address, told);
      return;
    }
    const diagnostic = notVisibleYet(address, writtenAt, settleMs);
    this.#readings.set(address, failedWith(diagnostic));
    this.#uncertain.set(collection.key, diagnostic);
  }

  /** The object that it lives in is managed, and proven gone: that it was written a moment ago does not matter then. */
  #isHomeGone(record: RecordedResource): boolean {
    const above = this.#above(record);
    return above !== undefined && this.#readings.get(above.address)?.kind === 'gone';
  }

  #read(list: ListedCollection, record: RecordedResource, again: Again): Reading | Promise<Reading> {
    const { type } = list.collection;
    const { identity } = record;
    const { reads } = this.#context;
    const listed = list.objects.get(identityKey(type.token, identity));
    const known = listed === undefined ? undefined : unmoved(this.#context, type, record, listed);
    if (known !== undefined) return known;
    const read = (): Promise<RemoteObject | undefined> =>
      listsThatMustLack(type.absence) === 2 ? inList(again, type, identity) : reads.read(type, identity);
    const readAgain = (): Promise<RemoteObject | undefined> => reads.readAgain(type, identity);
    const question = { type, record, read, readAgain };
    return listed === undefined
      ? this.#readMissing(list, question, again)
      : agreed(this.#context, { ...question, listed });
  }

  async #readMissing(list: ListedCollection, question: Question, again: Again): Promise<Reading> {
    const { failure } = list;
    const { type, record } = question;
    // A place that does not exist holds nothing; but only what is above it can prove that.
    const mayBeGoneAlong = failure === undefined ? list.isComplete : isNotFound(failure);
    if (mayBeGoneAlong && (await this.#lifeAbove(type, record)) === 'gone') {
      if (this.#above(record) === undefined) this.#goneAlong.push(record);
      return { kind: 'gone' };
    }
    if (failure !== undefined) return failedBy(failure);
    if (listsThatMustLack(type.absence) === 2) return this.#readTwice(list, record, again);
    // Lists leave out one of a fixed set that is as it was at first: that one is missing says nothing of it, nor of others.
    if (!list.isComplete || type.untouched !== undefined) return agreed(this.#context, question);
    // A recovery that was denied it may have been shown it by its second read.
    const isLacking = !this.#context.reads.hasSecondAnswer(type, record.identity);
    return this.#confirm(list, record, async () => agreed(this.#context, { ...question, isLacking }));
  }

  /** Asks for an object that a complete list lacks. */
  async #confirm(list: ListedCollection, record: RecordedResource, ask: () => Promise<Reading>): Promise<Reading> {
    const { maxMissing } = this.#context;
    this.#missing += 1;
    if (this.#missing > maxMissing) return failedWith(tooManyMissing(maxMissing));
    const reading = await ask();
    // The list was wrong about this one, so it proves nothing about others.
    if (reading.kind === 'found')
      this.#uncertain.set(list.collection.key, incompleteList(list.collection.type, record.address));
    return reading;
  }

  /** For objects that can't be read alone: a second list must lack it, too, and what it lives in must exist. */
  async #readTwice(list: ListedCollection, record: RecordedResource, again: Again): Promise<Reading> {
    const { type } = list.collection;
    if ((await this.#lifeAbove(type, record)) !== 'alive') return failedWith(notProven(record));
    return this.#confirm(list, record, async () => {
      const { failure, objects, isComplete } = await again();
      if (failure !== undefined) return failedBy(failure);
      const isShown = objects.has(identityKey(type.token, record.identity));
      if (isShown) this.#uncertain.set(list.collection.key, incompleteList(list.collection.type, record.address));
      const isLacking = isComplete && !isShown;
      return isLacking ? { kind: 'gone' } : failedWith(notProven(record));
    });
  }

  #above(record: RecordedResource): RecordedResource | undefined {
    return this.#records.get(this.#homeOf(record) ?? '');
  }

  /** Key of the object that it lives in. */
  #homeOf(record: RecordedResource): string | undefined {
    const type = this.#context.typeOf(record.type);
    const parent = parentIdentity(type, record.identity);
    return parent === undefined ? undefined : parentKey(type, parent);
  }

  async #lifeAbove(type: ResourceType, record: RecordedResource): Promise<Life> {
    const parent = parentIdentity(type, record.identity);
    if (parent === undefined || type.parent === undefined) return 'alive';
    const above = this.#above(record);
    if (above !== undefined) return lifeOf(this.#readings.get(above.address));
    const key = parentKey(type, parent);
    const asked = this.#strangers.get(key) ?? this.#askFor(this.#context.typeOf(type.parent.type), parent);
    this.#strangers.set(key, asked);
    return asked;
  }

  async #askFor(type: ResourceType, identity: RecordedResource['identity']): Promise<Life> {
    const { reads } = this.#context;
    try {
      const isGone = await isDeniedTwice(
        () => reads.read(type, identity),
        () => reads.readAgain(type, identity),
      );
      return isGone ? 'gone' : 'alive';
    } catch (error) {
      mustBePassing(error);
      return 'unknown';
    }
  }
}

/** The collection by a second list, the same for all who ask. */
type Again = () => Promise<ListedCollection>;

async function inList(again: Again, { token }: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
  const { failure, objects } = await again();
  if (failure !== undefined) throw failure;
  return objects.get(identityKey(token, identity));
}

type Life = 'alive' | 'gone' | 'unknown';

function lifeOf(reading: Reading | undefined): Life {
  if (reading?.kind === 'found') return 'alive';
  return reading?.kind === 'gone' ? 'gone' : 'unknown';
}

function failedBy(error: Parameters<typeof asDiagnostic>[0]): Reading {
  return failedWith(asDiagnostic(error));
}

function failedWith(diagnostic: Diagnostic): Extract<Reading, { kind: 'failed' }> {
  return { kind: 'failed', diagnostic };
}

function insideNothing(what: string, above: RecordedResource): Diagnostic {
  return {
    severity: 'error',
    code: 'contradictory-answers',
    summary: `The platform says that ${above.address} does not exist, and ${what} in it.`,
    hint: 'One of the two answers is wrong, so neither is used. Plan again a little later.',
  };
}

function isNotVisibleYet({ diagnostic }: Extract<Reading, { kind: 'failed' }>): boolean {
  return diagnostic.code === 'not-visible-yet';
}

function tooManyMissing(limit: number): Diagnostic {
  return {
    severity: 'error',
    code: 'too-many-missing',
    summary: `More than ${limit} managed objects are missing from the lists of the platform, so the plan stopped looking for more.`,
    hint: 'If they are really gone: --allow maxMissing --reason "…"',
  };
}

/** That a list lacks something which exists: it may lack others, too. */
export function incompleteList({ name }: ResourceType, address: Address): Diagnostic {
  return {
    severity: 'error',
    code: 'incomplete-list',
    summary: `The list of ${name} objects lacks ${address}, which exists, so it may lack others, too.`,
    hint: 'Nothing is created there for now. Plan again a little later.',
  };
}

function notProven(record: RecordedResource): Diagnostic {
  return {
    severity: 'error',
    code: 'not-proven-gone',
    summary: `${record.address} was not found, and nothing proves that it is gone.`,
    hint: 'Its record stays. If it is really gone, plan again after: sync state rm ADDRESS',
  };
}

type Ask = () => Promise<RemoteObject | undefined>;

/** An object is gone when two answers deny it: one may be wrong, and a write left out for it is never sent. Rejects as the calls do. */
export async function isDeniedTwice(ask: Ask, askAgain: Ask = ask): Promise<boolean> {
  return isDenied(await ask()) && isDenied(await askAgain());
}

/** One of a fixed set that is as it was at first was put back, or nobody has touched it. */
function isDenied(object: RemoteObject | undefined): boolean {
  return object === undefined || object.untouched === true;
}

export interface SettlingTime {
  readonly config: { readonly timing: { readonly settleMs: number } };
  readonly world: { now(): number };
}

/** How long a write may not show, and until when it was sent if every answer of the platform shows it; empty where everything does. */
export function settling({ config, world }: SettlingTime): Pick<RefreshContext, 'settledBefore' | 'settleMs'> {
  const { settleMs } = config.timing;
  return settleMs > 0 ? { settledBefore: new Date(world.now() - settleMs).toISOString(), settleMs } : {};
}

/** A create leaves within this time of its intent, or its intent is renewed. */
export const leavesWithinMs = 10_000;

/** When an interrupted create can have left at the latest: from then on counts how long it may take to show. ISO 8601 UTC. */
export function leftBy({ createdAt, renewedAt = createdAt }: Pick<Intent, 'createdAt' | 'renewedAt'>): string {
  return new Date(Date.parse(renewedAt) + leavesWithinMs).toISOString();
}

/** From when on what was written then shows in every answer. ISO 8601 UTC. */
export function settledAt(writtenAt: string, settleMs = 0): string {
  return new Date(Date.parse(writtenAt) + settleMs).toISOString();
}

function notVisibleYet(address: Address, writtenAt: string, settleMs: number | undefined): Diagnostic {
  const until = settledAt(writtenAt, settleMs);
  return {
    severity: 'error',
    code: 'not-visible-yet',
    summary: `${address} is not visible yet: this stack wrote it at ${writtenAt}, and the platform does not show it.`,
    hint: `Plan again after ${until} (timing.settleSeconds). If somebody deleted it, it counts as gone from then on.`,
  };
}
