import type * as News from './sql-drift.js';
import type * as Elsewhere from './sql-elsewhere.js';
import type * as History from './sql-runs.js';
import type * as Leases from './sql-lease.js';
import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { DriftHistory, DriftNote, NewsClaim, NewsOf, TakenNews } from '@platform-sync/core/model/drift';
import type { Intent, StackState, StateChange } from '@platform-sync/core/model/state';
import type { RunNote } from '@platform-sync/core/model/run-news';
import {
  type AlikeQuestion,
  type AcquireOptions,
  type Lease,
  type LeaseHolder,
  LeaseLostError,
  type ManagedElsewhere,
  type RecordedElsewhere,
  type StateStore,
  StateStoreError,
  type Takeover,
} from '@platform-sync/core/model/state-store';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import type { Freeze, RunContent, RunEntry, RunQuestion } from '@platform-sync/core/model/run';
import type { Database, Statements } from './database.js';
import type { HeldLeases } from './sql-lease.js';
import { ofStack, refusal, type StackKey } from './rows.js';
import { sql } from './sql.js';
import type { RunDraft, RunFault, RunHead } from './sql-runs.js';
import { readFreeze, readOutputs, readStack } from './sql-read.js';
import type { Content } from './sql-write.js';
import type { StackRow } from './tables.js';
import { marginsOf, type Timing } from './lease-term.js';
import { type Outcome, WriteQueue } from './write-queue.js';
import type { World } from '@platform-sync/core/model/world';

// A plan reads, and pays nothing for what writes.
const leases = (): Promise<typeof Leases> => import('./sql-lease.js');
const history = (): Promise<typeof History> => import('./sql-runs.js');
const elsewhere = (): Promise<typeof Elsewhere> => import('./sql-elsewhere.js');
const news = (): Promise<typeof News> => import('./sql-drift.js');

type Write = Content & { readonly lease: Lease };

/** The stack as a transaction has it to itself. */
interface Claimed {
  readonly serial: number;
  readonly head: RunHead;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** What a plan was made from must still be so, when it is carried out. */
function mustBeAsSeen(state: StackState | undefined, stack: string, moves: readonly Takeover[]): void {
  for (const { from, seen } of moves) {
    const there = state?.resources.get(from);
    const isSame = there !== undefined && canonicalJson(there) === canonicalJson(seen);
    const isOpen = state?.intents.some(({ address }) => address === from) === true;
    if (isSame && !isOpen) continue;
    const why = isOpen ? 'a write of it is not finished' : 'it was changed, or is gone, since the plan was made';
    throw refusal('state-moved-on', `${stack}:${from} can't be taken over: ${why}.`, {
      hint: isOpen ? `Apply the stack ${stack} first: that settles it.` : 'Plan again.',
    });
  }
}

/** What a run that does not name the freeze is told. */
function frozen({ id, by, reason, until }: Freeze): DiagnosticError {
  const hint = `Wait until it ends${until === undefined ? '' : ` (${until})`}, or name it: --frozen ${id}`;
  return refusal('state-frozen', `The stack is frozen by ${by}: ${reason}`, { hint });
}

/** A stack in an SQL database: the same statements for every backend. */
export class SqlStateStore implements StateStore {
  readonly location: string;
  readonly #database: Database;
  readonly #key: StackKey;
  readonly #timing: Timing;
  readonly #held: HeldLeases = new Set();
  /** Intents that were begun here, each after the number of its run. */
  readonly #intents = new Set<string>();
  /** Runs whose first row is known to stand. */
  readonly #begun = new Set<number>();
  readonly #queue: WriteQueue<Write, number>;

  constructor(database: Database, key: StackKey, timing: Timing) {
    this.#database = database;
    this.#key = key;
    this.#timing = timing;
    this.location = database.location;
    this.#queue = new WriteQueue((batch) => this.#writeBatch(batch), undefined, {
      ...{ steady: timing.steady, after: timing.after, turn: timing.turn },
      tooLate: (ms) => this.#unanswered(ms),
    });
  }

  read(only?: readonly Address[]): Promise<StackState> {
    return this.#run(async () => (await this.#snapshot(only)) ?? this.#created());
  }

  /** Like `read`, but makes nothing. */
  readIfThere(): Promise<StackState | undefined> {
    return this.#run(() => this.#snapshot());
  }

  acquire(purpose: string, options: AcquireOptions): Promise<Lease> {
    return this.#run(async () => {
      await this.#create();
      const { acquireLease, sqlLeaseSlot } = await leases();
      const slot = sqlLeaseSlot(this.#database, this.#key, this.#timing);
      const lease = await acquireLease(slot, purpose, options, this.#timing, this.#held);
      // Nobody else freezes the stack while the lease is held.
      try {
        const freeze = await readFreeze(this.#database, this.#key);
        if (freeze !== undefined && freeze.id !== options.frozen) throw frozen(freeze);
        return lease;
      } catch (error) {
        await lease.release().catch(() => undefined);
        throw error;
      }
    });
  }

  unlock(leaseId: string, options: { readonly now?: boolean } = {}): Promise<boolean> {
    return this.#run(async () => {
      const { breakLease, sqlLeaseSlot } = await leases();
      return breakLease(sqlLeaseSlot(this.#database, this.#key, this.#timing), leaseId, options, this.#timing);
    });
  }

  holder(): Promise<LeaseHolder | undefined> {
    return this.#run(async () => (await leases()).leaseHolder(this.#database, this.#key, this.#timing.processes));
  }

  async begin(lease: Lease, intent: Intent): Promise<void> {
    this.#intents.add(`${lease.token} ${intent.id}`);
    await this.#queue.add({ lease, intent, changes: [] }, this.#patienceMs(lease));
  }

  commit(lease: Lease, changes: readonly StateChange[], notes: Content['notes'] = []): Promise<number> {
    return this.#queue.add({ lease, changes, notes }, this.#patienceMs(lease));
  }

  sibling(stack: string): StateStore {
    return new SqlStateStore(this.#database, { ...this.#key, stack }, this.#timing);
  }

  takeOver(
    lease: Lease,
    giver: { readonly stack: string; readonly lease: Lease },
    moves: readonly Takeover[],
  ): Promise<void> {
    const other = new SqlStateStore(this.#database, { ...this.#key, stack: giver.stack }, this.#timing);
    return this.#run(async () => {
      const { writeContent } = await import('./sql-write.js');
      return this.#database.transaction(async (trx) => {
        const [own, theirs] = [await this.#claim(trx, lease, 1), await other.#claim(trx, giver.lease, 1)];
        const [here, there] = [await readStack(trx, this.#key), await readStack(trx, other.#key)];
        mustBeAsSeen(there, giver.stack, moves);
        const puts = moves.map(({ record }) => ({ kind: 'put', resource: record }) as const);
        const removes = moves.map(({ from }) => ({ kind: 'remove', address: from }) as const);
        // What comes is where it was.
        const where = { kind: 'targets', targets: { ...there?.targets, ...here?.targets } } as const;
        await writeContent(trx, this.#key, [{ changes: [...puts, where] }], this.#database.each);
        await writeContent(trx, other.#key, [{ changes: removes }], this.#database.each);
        const row = (run: number, from: Address, address: Address): RunDraft => ({
          run,
          address,
          content: { kind: 'move', from },
        });
        await this.#append(
          trx,
          lease,
          own,
          moves.map(({ from, record }) => row(lease.token, `${giver.stack}:${from}`, record.address)),
        );
        await other.#append(
          trx,
          giver.lease,
          theirs,
          moves.map(({ from, record }) => row(giver.lease.token, from, `${this.#key.stack}:${record.address}`)),
        );
      });
    });
  }

  async pull(): Promise<string> {
    return (await import('./document.js')).writeDocument(await this.read());
  }

  push(lease: Lease, document: string, options: { readonly force: boolean }): Promise<void> {
    return this.#run(async () => {
      const { droppedBy, pushed, replaceStack } = await import('./push.js');
      return this.#database.transaction(async (trx) => {
        const claimed = await this.#claim(trx, lease, 0);
        const current = await readStack(trx, this.#key);
        if (current === undefined) throw new LeaseLostError();
        const next = pushed(current, document, options);
        const run = lease.token;
        const drops = droppedBy(current, next).map((before): RunDraft => {
          return { run, address: before.address, content: { kind: 'record', before, removed: true } };
        });
        await this.#append(trx, lease, claimed, [{ run, content: { kind: 'replace' } }, ...drops]);
        await replaceStack(trx, this.#key, next, this.#database.each);
      });
    });
  }

  managedElsewhere(ids: readonly string[], since?: string): Promise<readonly ManagedElsewhere[]> {
    return this.#run(async () => (await elsewhere()).readElsewhere(this.#database, this.#key, ids, since));
  }

  recordedInside(ids: ReadonlySet<string>): Promise<readonly RecordedElsewhere[]> {
    return this.#run(async () => (await elsewhere()).readInside(this.#database, this.#key, ids));
  }

  recordedAlike(question: AlikeQuestion): Promise<readonly RecordedElsewhere[]> {
    return this.#run(async () => (await elsewhere()).readAlike(this.#database, this.#key, question));
  }

  outputsOf(stack: string): Promise<JsonObject | undefined> {
    return this.#run(() => readOutputs(this.#database, { ...this.#key, stack }));
  }

  stacks(): Promise<readonly string[]> {
    return this.#run(async () => {
      const rows = await this.#database.rows<Pick<StackRow, 'stack'>>(
        sql`select stack from sync_stacks where project = ${this.#key.project}`,
      );
      return rows.map((row) => row.stack).sort();
    });
  }

  count(): Promise<number> {
    return this.#run(async () => (await elsewhere()).countRecords(this.#database, this.#key));
  }

  runs(question: RunQuestion): Promise<readonly RunEntry[]> {
    return this.#run(async () => (await history()).readRuns(this.#database, this.#key, question));
  }

  verifyRuns(): Promise<RunFault | undefined> {
    return this.#run(async () => {
      const { verifyRuns } = await history();
      return this.#database.snapshot((trx) => verifyRuns(trx, this.#key));
    });
  }

  pruneRuns(lease: Lease, before: string): Promise<void> {
    return this.#run(() =>
      this.#database.transaction(async (trx) => {
        const claimed = await this.#claim(trx, lease, 0);
        const { pruneRuns } = await history();
        const checkpoint = await pruneRuns(trx, this.#key, before);
        if (checkpoint !== undefined) await this.#note(trx, lease, claimed, [checkpoint]);
      }),
    );
  }

  frozen(): Promise<Freeze | undefined> {
    return this.#run(() => readFreeze(this.#database, this.#key));
  }

  freeze(lease: Lease, freeze: Freeze | undefined): Promise<void> {
    return this.#run(() =>
      this.#database.transaction(async (trx) => {
        const claimed = await this.#claim(trx, lease, 0);
        const note: RunContent =
          freeze === undefined
            ? { kind: 'thaw' }
            : { kind: 'freeze', reason: freeze.reason, ...defined({ until: freeze.until }) };
        await this.#note(trx, lease, claimed, [note]);
        const frozen = freeze === undefined ? null : JSON.stringify(freeze);
        await trx.run(sql`update sync_stacks set frozen = ${frozen} where ${ofStack(this.#key)}`);
      }),
    );
  }

  driftHistory(): Promise<DriftHistory> {
    return this.#run(async () => (await news()).readDriftHistory(this.#database, this.#key));
  }

  noteDrift(note: DriftNote): Promise<number | undefined> {
    return this.#run(async () => {
      const { writeDriftNote } = await news();
      return this.#database.transaction((trx) => writeDriftNote(trx, this.#key, note));
    });
  }

  noteRun(note: RunNote): Promise<void> {
    return this.#run(async () => {
      const { writeRunNews } = await news();
      return this.#database.transaction((trx) => writeRunNews(trx, this.#key, note));
    });
  }

  lostRun(): Promise<LeaseHolder | undefined> {
    return this.#run(async () => (await leases()).lostLease(this.#database, this.#key, this.#timing.processes));
  }

  takeNews<About extends keyof NewsOf>(claim: NewsClaim<About>, forMs: number): Promise<TakenNews<About> | undefined> {
    return this.#run(async () => (await news()).takeNews(this.#database, this.#key, claim, forMs));
  }

  closeNews(claim: NewsClaim, told: number | undefined): Promise<void> {
    return this.#run(async () => (await news()).closeNews(this.#database, this.#key, claim, told));
  }

  async close(): Promise<void> {
    for (const end of this.#held) end();
    // All that was asked for is done, or given up: a store that swallows everything is not waited for.
    await Promise.race([this.#queue.idle(), this.#timing.sleep(marginsOf(this.#timing.ttlMs).partingMs)]);
    await this.#run(() => this.#database.close());
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#database.problem(error);
    }
  }

  /** A write may take several statements, each with its own time-out: all of them together must leave time to act on it. */
  #patienceMs({ term }: Lease): number {
    const { ttlMs } = this.#timing;
    const { cutMs, partingMs } = marginsOf(ttlMs);
    const left = term.left();
    // When the lease is over, the store says so; there is no run left to end in time.
    return left <= 0 ? ttlMs / 3 : Math.max(partingMs, Math.min(ttlMs / 3, left - cutMs));
  }

  #unanswered(ms: number): StateStoreError {
    const problem = `the state in ${this.location} does not answer within ${String(Math.ceil(ms / 1000))} seconds`;
    return new StateStoreError('unreachable', problem, 'Check the network, and that the server runs.');
  }

  #snapshot(only?: readonly Address[]): Promise<StackState | undefined> {
    const { each } = this.#database;
    return this.#database.snapshot((trx) => readStack(trx, this.#key, only && each(JSON.stringify(only))));
  }

  async #create(): Promise<void> {
    const { project, stack, lineage, serial, fingerprintKey } = newStack(
      this.#key.project,
      this.#key.stack,
      this.#timing,
    );
    await this.#database.run(sql`insert into sync_stacks
        (project, stack, lineage, serial, fingerprint_key, targets, outputs, lease_fence, lease_revoked)
      values (${project}, ${stack}, ${lineage}, ${serial}, ${fingerprintKey}, '{}', '{}', 0, 0)
      on conflict do nothing`);
  }

  async #created(): Promise<StackState> {
    await this.#create();
    const state = await this.#snapshot();
    if (state === undefined) throw new Error('bug: a stack that was just made is not there');
    return state;
  }

  /** Checks the lease and locks the stack until the transaction ends. Gives the serial after `writes` more writes. */
  async #claim(trx: Statements, lease: Lease, writes: number): Promise<Claimed> {
    const now = this.#database.now();
    const claimed = await trx.first<
      Pick<StackRow, 'serial' | 'run_number' | 'run_digest'> & { now: number }
    >(sql`update sync_stacks set serial = serial + ${writes}
      where ${ofStack(this.#key)} and lease_id = ${lease.id} and lease_fence = ${lease.token}
        and lease_expires > ${now} returning serial, run_number, run_digest, ${now} as now`);
    if (claimed === undefined) throw new LeaseLostError();
    const head = { number: Number(claimed.run_number), digest: claimed.run_digest ?? '' };
    return { serial: claimed.serial, head, at: new Date(Number(claimed.now)).toISOString() };
  }

  /** The first row of a run says whose it is. */
  async #append(trx: Statements, lease: Lease, { head, at }: Claimed, drafts: readonly RunDraft[]): Promise<void> {
    if (drafts.length === 0) return;
    const { appendRuns, readRuns } = await history();
    const { token: run, holder } = lease;
    const { owner, purpose: command, since } = holder;
    const isNew =
      head.number === 0 || (await readRuns(trx, this.#key, { run, kinds: ['begin'], limit: 1 })).length === 0;
    const begin: readonly RunDraft[] = isNew ? [{ run, content: { kind: 'begin', command, owner, since } }] : [];
    await appendRuns(trx, this.#key, head, at, [...begin, ...drafts], this.#database.each);
  }

  #note(trx: Statements, lease: Lease, claimed: Claimed, notes: readonly RunContent[]): Promise<void> {
    const drafts = notes.map((content) => ({ run: lease.token, content }));
    return this.#append(trx, lease, claimed, drafts);
  }

  async #writeBatch(batch: readonly Write[]): Promise<readonly Outcome<number>[]> {
    const first = batch[0];
    if (first === undefined) return [];
    try {
      if (batch.every((write) => write.lease.id === first.lease.id))
        return await this.#writeTogether(first.lease, batch);
    } catch (error) {
      // Anything but a refused change would fail again.
      if (batch.length === 1 || !(error instanceof DiagnosticError)) {
        const problem = this.#database.problem(error);
        return batch.map(() => ({ error: problem }));
      }
    }
    return this.#writeOneByOne(batch);
  }

  async #writeTogether(lease: Lease, batch: readonly Write[]): Promise<readonly Outcome<number>[]> {
    const isWrite = ({ intent, changes, notes = [] }: Write): boolean =>
      intent !== undefined || changes.length > 0 || notes.length === 0;
    const [{ recordDrafts }, { writeContent }] = await Promise.all([history(), import('./sql-write.js')]);
    const { serial: last, isTold } = await this.#database.transaction(async (trx) => {
      const claimed = await this.#claim(trx, lease, batch.filter(isWrite).length);
      const isOwn = (id: string): boolean => this.#intents.has(`${lease.token} ${id}`);
      const records = await recordDrafts(trx, this.#key, lease, isOwn, batch, this.#database.each);
      const notes = batch.flatMap(({ notes: said = [] }) => said.map((content) => ({ run: lease.token, content })));
      const isEnd = ({ content }: RunDraft): boolean => content.kind === 'end';
      await writeContent(trx, this.#key, batch, this.#database.each);
      await this.#append(trx, lease, claimed, [
        ...notes.filter((note) => !isEnd(note)),
        ...records,
        ...notes.filter(isEnd),
      ]);
      return { serial: claimed.serial, isTold: notes.length + records.length > 0 };
    });
    if (isTold) this.#begun.add(lease.token);
    const later = (at: number): number => batch.slice(at + 1).filter(isWrite).length;
    return batch.map((_, at) => ({ result: last - later(at) }));
  }

  /** So that one that must be refused takes no other with it. */
  async #writeOneByOne(batch: readonly Write[]): Promise<readonly Outcome<number>[]> {
    const outcomes: Outcome<number>[] = [];
    for (const write of batch) {
      try {
        outcomes.push(...(await this.#writeTogether(write.lease, [write])));
      } catch (error) {
        outcomes.push({ error: this.#database.problem(error) });
      }
    }
    return outcomes;
  }
}

/** What a stack is born with: a lineage of its own, a key of its own, nothing else. */
export function newStack(project: string, stack: string, { id, secret }: Pick<World, 'id' | 'secret'>): StackState {
  return {
    project,
    stack,
    lineage: id(),
    serial: 0,
    fingerprintKey: secret(32),
    targets: {},
    resources: new Map(),
    outputs: {},
    intents: [],
  };
}
