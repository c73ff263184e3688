import type { Block } from '../catalogue.js';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { RunContent, RunPlan } from '@platform-sync/core/model/run';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, isObject } from '@platform-sync/core/model/value';
import { outboxFile } from '@platform-sync/state/outbox-file';
import type { CheckRow, FindingRow, IntentRow, NewsRow, ResourceRow, StackRow } from '@platform-sync/state/tables';
import { existsSync, readFileSync } from '../disk.js';
import { DriftMemory } from '../drift-memory.js';
import { type HistoryRow, Ledger, type RecordChange, bodyOf, recordIn } from '../ledger.js';
import { partingMs } from '../jobs.js';
import type { Thing } from '../service.js';
import { type Process, folderOf } from '../simulation.js';
import { recordsAfter, textOf } from '../state-verbs.js';
import { leaseMs } from '../types.js';
import {
  type Recorded,
  answer,
  clearable,
  goesByFiles,
  hiddenFields,
  idIn,
  isUnknown,
  keptIn,
  keyFields,
  keyIn,
  leaseTrouble,
  nameOf,
  rightOne,
  same,
  settleMs,
  settled,
  toldWithinMs,
  without,
} from './facts.js';
import { Laws } from './laws.js';

/** What gives its lease back when it is stopped. */
const holders = new Set(['apply', 'destroy', 'undo', 'fleet']);

/** A run ends so soon after its lease. */
const endsWithinMs = 1_000;

/** What stands in the store and on disks: who writes it, and that it says what is so. */
export class StateLaws extends Laws {
  /** Intents of what runs keep on a disk, by its file, and since when. */
  readonly #kept = new Map<string, ReadonlySet<string>>();
  readonly #keptAt = new Map<string, number>();
  /** Of each stack, as it was after the last statement. */
  readonly #stacks = new Map<string, StackRow>();
  #recorded: readonly ResourceRow[] = [];
  readonly #memory = new DriftMemory();
  readonly #ledger = new Ledger((what) => this.blame(what));
  /** Of each stack types and ids of what its records say that it has written. */
  readonly #written = new Map<string, ReadonlySet<string>>();
  /** Records by stack, lineage and serial. */
  readonly #contents = new Map<string, string>();
  readonly #droppable = new Map<Process, ReadonlySet<string>>();
  /** Records as they were before the last statement, by stack and id. */
  readonly #bodies = new Map<string, Recorded>();
  /** Intents that were open after the last statement before which something was kept on a disk. */
  #openBefore: ReadonlySet<string> = new Set();

  ended(process: Process): void {
    this.#mustHaveSettled(process);
    if (this.world.isInPeace(process)) this.hasGivenBack(process);
    // Who is stopped need not hear that it has; what writes records alone lets its lease end by itself.
    // A worker does not wait for ever for what is under way.
    else if (
      holders.has(process.argv[0] ?? '') &&
      this.world.isStoppedInPeace(process) &&
      !(process.argv[0] === 'fleet' && this.world.time.now - (process.stoppedAt ?? 0) >= partingMs)
    )
      this.world.time.in(toldWithinMs, '', () => this.hasGivenBack(process));
    this.#keepsOnDisk(process);
    this.#mustSettle(process);
    this.#mustKnowOf(process);
    this.#mustKnowItsOwn(process);
    this.#mustHaveDone(process);
    this.#mustHaveTakenOver(process);
    this.#mustSayHowItEnded(process);
    this.#mustNoteWhatItDid(process);
    // Of a job that its queue has given up nothing is remembered.
    for (const check of process.hasGivenUp ? [] : process.checks)
      for (const wrong of this.#memory.wrongIn(check, this.world.catalogues.get(check.stack)))
        this.blame(`${process.name} tells of ${check.stack}: ${wrong}`);
  }

  /** State is written by who holds the stack, and by nobody else; and a lease is taken, kept and given back as it must be. */
  stored(process: Process): void {
    const begun = new Set<string>();
    for (const { id, stack, body } of this.world.tables.rows<IntentRow>('sync_intents')) {
      if (this.witness.journal.get(id)?.body === body) continue;
      this.witness.journal.set(id, { stack, body, at: this.world.time.now });
      begun.add(stack);
    }
    this.#drops(process);
    this.#comeAsTheyWere(process);
    this.#keptCounts(process);
    this.#keepsOnDisk(process);
    this.#arrive();
    for (const check of this.world.tables.rows<CheckRow>('sync_checks'))
      this.#memory.stored(
        check,
        (isWanted) => this.world.tables.rows<FindingRow>('sync_findings').filter(isWanted),
        (number) =>
          this.world.tables
            .rows<NewsRow>('sync_news')
            .find((row) => row.stack === check.stack && row.number === number && row.about === 'drift'),
      );
    for (const row of this.world.tables.rows<StackRow>('sync_stacks')) {
      const before = this.#stacks.get(row.stack);
      if (before === row && !begun.has(row.stack)) continue;
      this.#stacks.set(row.stack, row);
      if (before === undefined) continue;
      if (before.serial !== row.serial) this.#notes(process, row);
      const isWritten = before.serial !== row.serial || before.outputs !== row.outputs || begun.has(row.stack);
      if (isWritten || before.run_number !== row.run_number) this.#isTold(process, row);
      if (before.outputs !== row.outputs) this.#keepsOutputs(process, before, row);
      if (before.serial !== row.serial || process.argv[0] === 'state') this.#isOfItsSerial(process, row);
      if (before.serial !== row.serial) this.#doesAsSaid(process, row.stack);
      this.#leaseIsKept(process, before, row);
    }
    this.#recorded = this.world.tables.rows<ResourceRow>('sync_resources');
  }

  /** What is stored has its rows in the history, and is what was written or seen. */
  #isTold(process: Process, stack: StackRow): void {
    const { tables, time } = this.world;
    const [resources, intents] = [tables.rows<ResourceRow>('sync_resources'), tables.rows<IntentRow>('sync_intents')];
    const all = { stack, resources, intents, history: tables.rows<HistoryRow>('sync_runs') };
    for (const change of this.#ledger.stored(process.name, all, new Date(time.now).toISOString()))
      this.#isOfIts(process, change);
  }

  /** A record speaks of an object as that was at some time, of where it is, and of a write that there was. */
  #isOfIts({ name, argv, liedAbout }: Process, { before, now }: RecordChange): void {
    // A document says what was recorded when it was pulled.
    if (now === undefined || (argv[0] === 'state' && argv[1] === 'push')) return;
    const { address, type, identity, inputs, outputs } = recordIn(now);
    const what = `${name} records of ${now.stack} ${address}`;
    const thing = this.witness.thingOf(type, identity.id);
    if (thing === undefined) return;
    // What no record has said so far, and what no file can say, one answer tells.
    const was = before && recordIn(before);
    const recorded = was?.outputs ?? {};
    const mayBeWrong = liedAbout.size > 0;
    // Who says which one a killed create made may be wrong, where no name tells: it is recorded as that one was sent.
    const isSaid = thing.collection === 'notes' && argv[0] === 'adopt' && argv[1] === address;
    const isFree = (field: string): boolean => !(field in recorded) || field === 'createdAt' || field === 'revision';
    const known = thing.history.flatMap(({ values }) => (values === undefined ? [] : [values]));
    // What somebody names as the one that an open create has made counts as sent.
    const sent = argv[0] === 'adopt' && argv.length > 2 ? this.#sentTo(now.stack, address) : {};
    // Of a map what several runs said is ours, each key by itself.
    const isOf = (field: string, value: Json): boolean =>
      isUnknown(value) ||
      hiddenFields.includes(field) ||
      same(sent[field], value) ||
      (isObject(value) && leavesOf(value).length > 1
        ? leavesOf(value).every((one) => isOf(field, one))
        : known.some((values) => same(values[field] ?? null, value) || (value === null && isEmptyMap(values[field]))));
    const home = identity.scope['siteId'];
    if (home !== thing.home)
      this.blame(`${what} that it is in ${home ?? 'nothing'}, and it is in ${thing.home ?? 'nothing'}`);
    for (const field of hiddenFields)
      // An undo leaves what no file and no history says.
      if (
        field in inputs &&
        !(field in outputs) &&
        argv[0] !== 'undo' &&
        (!(field in (was?.inputs ?? {})) || field in recorded) &&
        !this.#isInDoubt(now.stack, identity.id, field)
      )
        this.blame(`${what} ${field} as the file says it, and not as it was sent`);
    for (const [said, values] of [
      ['inputs', inputs],
      ['outputs', outputs],
    ] as const)
      for (const [field, value] of Object.entries(values))
        if (field !== 'siteId' && field !== 'board' && !isSaid && !isOf(field, value) && !(mayBeWrong && isFree(field)))
          // What an earlier record of it was told wrong it may still say.
          if (was?.identity.id !== identity.id || !same(was[said][field], value))
            this.blame(`${what} ${said} ${field} ${JSON.stringify(value)}, which it never was`);
  }

  /** What the last create there was to say. */
  #sentTo(of: string, at: string): JsonObject {
    const intents = [...this.witness.journal.values()].flatMap((each) =>
      each.stack === of ? [bodyOf<Intent>(each)] : [],
    );
    return intents.findLast(({ address, action }) => address === at && action === 'create')?.inputs ?? {};
  }

  /** An update that was cut off may have written it, which no answer shows. */
  #isInDoubt(stack: string, id: string, field: string): boolean {
    return [...this.witness.journal].some(([intent, each]) => {
      const { action, identity, inputs } = bodyOf<Intent>(each);
      // It is closed in the moment in which the record says so.
      const isOpen = (this.witness.closedAt.get(intent) ?? Infinity) >= this.world.time.now;
      return isOpen && each.stack === stack && action === 'update' && identity?.id === id && field in inputs;
    });
  }

  /** A verb of the state changes what its words name, and that alone. */
  #doesAsSaid({ name, argv, stack: of }: Process, stack: string): void {
    const wanted = recordsAfter(argv, { of, stack }, this.#recorded);
    if (wanted === undefined) return;
    const records = this.world.tables.rows<ResourceRow>('sync_resources').filter((row) => row.stack === stack);
    const now = records.map((row) => textOf(row));
    const wrong = [...without(now, wanted), ...without(wanted, now).map((text) => `not ${text}`)];
    if (wrong.length > 0) this.blame(`${name} leaves in ${stack} ${wrong.join(', ')}`);
  }

  /** What comes from another stack is recorded as it was there, whatever was read of it before. */
  #comeAsTheyWere({ name }: Process): void {
    const isNew = ({ stack, serial }: StackRow): boolean => this.#stacks.get(stack)?.serial !== serial;
    const changed = this.world.tables.rows<StackRow>('sync_stacks').filter(isNew);
    if (changed.length === 0 || this.world.scenario.stacks.length < 2) return;
    const records = this.witness.records(({ type }) => !type.endsWith(':Policy'));
    for (const { stack } of changed)
      for (const record of records) {
        const key = `${stack} ${record.id}`;
        if (record.stack !== stack || this.#bodies.has(key)) continue;
        const [before] = this.world.scenario.stacks.flatMap((each) => this.#bodies.get(`${each} ${record.id}`) ?? []);
        if (before === undefined || !this.#hasComeFromOthers(record)) continue;
        if (contentOf(before) !== contentOf(record))
          this.blame(`${name} records ${record.address} of ${stack} as another stack had it before`);
      }
    for (const { stack } of changed) {
      for (const key of this.#bodies.keys()) if (key.startsWith(`${stack} `)) this.#bodies.delete(key);
      for (const record of records) if (record.stack === stack) this.#bodies.set(`${stack} ${record.id}`, record);
    }
  }

  #hasComeFromOthers({ stack, address }: Recorded): boolean {
    const row = this.witness.history(stack).findLast((each) => each.address === address);
    return row?.kind === 'move' && (JSON.parse(row.body) as { readonly from?: string }).from?.includes(':') === true;
  }

  /** What was told of an object is told on as long as it is recorded and files say so, whatever became of a write to it. */
  #keepsOutputs(process: Process, before: StackRow, { stack, outputs }: StackRow): void {
    if (!goesByFiles(process)) return;
    const now = JSON.parse(outputs) as JsonObject;
    for (const name of Object.keys(JSON.parse(before.outputs) as JsonObject)) {
      const address = name.replace(/-(?:id|name)$/, '');
      const isStill = this.world.catalogues.get(stack)?.blocks.has(address) === true;
      const isSaid = isStill && process.keys.has(`${stack} ${address}`);
      if (
        !(name in now) &&
        isSaid &&
        this.witness.records((row) => row.stack === stack && row.address === address).length > 0
      )
        this.blame(`${process.name} tells ${name} no more`);
    }
  }

  /** A plan knows by its serial that the state is still as it was: no other content ever has the same one. */
  #isOfItsSerial({ name }: Process, { stack, lineage, serial }: StackRow): void {
    const records = this.world.tables.rows<ResourceRow>('sync_resources').filter((each) => each.stack === stack);
    const content = records
      .map(({ address, body }) => `${address} ${body}`)
      .sort()
      .join();
    const key = `${stack} ${lineage} ${String(serial)}`;
    if ((this.#contents.get(key) ?? content) !== content)
      this.blame(`${name} writes the state of ${stack}, and leaves it the serial of another content`);
    this.#contents.set(key, content);
  }

  #arrive(): void {
    const { tables, time } = this.world;
    for (const { id } of tables.rows<IntentRow>('sync_intents'))
      if (!this.witness.arrivedAt.has(id)) this.witness.arrivedAt.set(id, time.now);
    for (const row of tables.rows<HistoryRow>('sync_runs').toReversed()) {
      if (this.witness.arrivedAt.has(nameOf(row))) break;
      this.witness.arrivedAt.set(nameOf(row), time.now);
    }
  }

  #notes(process: Process, { stack, lease_id: lease, targets }: StackRow): void {
    if (!process.leases.has(lease ?? '')) this.blame(`${process.name} writes the state of ${stack} without its lease`);
    const records = this.world.tables.rows<ResourceRow>('sync_resources');
    for (const record of records) {
      if (record.stack !== stack) continue;
      this.witness.knownTo.add(`${stack} ${record.id}`);
      if (record.body.includes('"retainOnDelete":true')) this.witness.retained.add(record.id);
    }
    const known = new Set(records.map(({ id }) => id));
    for (const id of this.witness.retained) if (!known.has(id)) this.witness.letGo.add(id);
    const own = records.filter((record) => record.stack === stack);
    if (own.length > 0 && !('yard' in (JSON.parse(targets) as object)))
      this.blame(`${process.name} writes the state of ${stack}, and does not say where its objects are`);
    this.#remembersItsWrites(process, stack, own);
  }

  /** That a stack wrote an object, its record says as long as there is one, whatever else is recorded: answers may be older. */
  #remembersItsWrites({ name, argv }: Process, stack: string, records: readonly ResourceRow[]): void {
    const before = this.#written.get(stack);
    const written = records.filter(({ body }) => body.includes('"writtenAt":'));
    const now = new Set(written.map(({ type, id }) => `${type} ${id}`));
    this.#written.set(stack, now);
    // A document takes the place of everything.
    if (argv[0] === 'state' && argv[1] === 'push') return;
    for (const { type, id, address } of records)
      if (before?.has(`${type} ${id}`) === true && !now.has(`${type} ${id}`))
        this.blame(`${name} forgets that ${stack} has written ${address}`);
  }

  /** Whatever a store does, who writes the state hears in time that it did not answer, so that its lease is not over before. */
  hasHeard({ name, isDead, frozenUntil }: Process, askedAt: number): void {
    const waited = this.world.time.now - askedAt;
    if (!isDead && frozenUntil <= askedAt && waited > leaseMs / 3 + toldWithinMs)
      this.blame(`${name} waits ${String(waited)} ms for the store to take what it writes`);
  }

  /** Nobody waits for a run that has ended in peace. */
  hasGivenBack({ name, pid: own }: Process): void {
    for (const { stack, lease_id: lease, ...row } of this.world.tables.rows<StackRow>('sync_stacks'))
      // Also one that it took and never heard of: it was refused for another reason. One that is broken goes by who broke it.
      if (
        lease !== null &&
        row.lease_revoked === 0 &&
        holderIn(row) === own &&
        Number(row.lease_expires) > this.world.time.now
      )
        this.blame(`${name} has ended, and still has the lease of ${stack}`);
  }

  /** The object that has the address of an intent. */
  #standsAt(intent: string): string | undefined {
    const { stack, body = '{}' } = this.witness.journal.get(intent) ?? {};
    const { address } = JSON.parse(body) as Partial<Intent>;
    return this.witness.records((row) => row.stack === stack && row.address === address)[0]?.id;
  }

  /** What a run could not tell the store is not found out anew by one that finds it on the same disk: it is recorded as it was kept. */
  #keptCounts(process: Process): void {
    const { stack, argv } = process;
    const path = outboxFile(folderOf(process, stack), 'yard', stack).location;
    const open = new Set(this.world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    const openBefore = this.#openBefore;
    // A fleet and its stacks have folders of their own: who does not see what was kept closes the intent by a look.
    this.#openBefore = open;
    for (const id of openBefore)
      if (!open.has(id)) {
        this.witness.closedBy.set(id, process);
        this.witness.closedAt.set(id, this.world.time.now);
        this.witness.foundFor.set(id, this.#standsAt(id));
        this.#losesItsMaker(id);
        this.#mustBeKnown(process, id);
      }
    if (argv[0] === 'state' && argv[1] === 'push')
      for (const id of openBefore)
        if (!open.has(id)) this.blame(`${process.name} drops the write ${id}, which is open`);
    // Whoever writes state by hand may drop it.
    if (argv[0] === 'state' || !existsSync(path)) return;
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const records = this.witness.records((each) => each.stack === stack);
    for (const { intent, lineage, changes } of keptIn(path)) {
      if (!openBefore.has(intent) || open.has(intent) || lineage !== row?.lineage) continue;
      // Who had the stack before it was kept has found out by looking.
      if ((this.#keptAt.get(intent) ?? Infinity) > (process.leasedAt ?? 0)) continue;
      for (const change of changes) {
        if (change.kind === 'put') {
          const { type, address, identity, writtenAt } = change.resource;
          // It may move to another address in the same moment, be what is to end there now, or have been taken over elsewhere.
          const isIt = (each: Recorded): boolean =>
            (each.id === identity.id && (each.writtenAt === writtenAt || each.address !== address)) ||
            each.deposed.some((old) => old.identity.id === identity.id);
          // Who records what they find drops in the same moment what has ended since.
          const thing = this.witness.thingOf(type, identity.id);
          const isDropped =
            (argv[0] === 'refresh' || argv[0] === 'drift') &&
            thing !== undefined &&
            this.world.service.truth(thing) === undefined;
          if (!isDropped && !records.some((each) => each.type === type && isIt(each)))
            this.blame(`${process.name} does not record ${address} as it was kept`);
        } else if (change.kind === 'remove' && records.some(({ address }) => address === change.address))
          this.blame(`${process.name} leaves the record of ${change.address}, whose end was kept`);
      }
    }
  }

  /** What a write came to stands in the state when nobody asks for it any more: what it newly said, and what has ended along. */
  #mustBeKnown(process: Process, intent: string): void {
    const { name, argv, liedAbout, plans } = process;
    const { stack, body = '{}' } = this.witness.journal.get(intent) ?? {};
    const {
      address = '',
      action,
      type = '',
      inputs = {},
      identity,
      createdAt = '',
    } = JSON.parse(body) as Partial<Intent>;
    const { service } = this.world;
    const thing = this.witness.thingOf(type, identity?.id ?? '');
    const records = this.witness.records((row) => row.stack === stack);
    if (argv[0] === 'state' || liedAbout.size > 0 || thing === undefined) return;
    const [record] = records.filter((each) => each.id === identity?.id && each.type === type);
    if (action === 'delete' && record === undefined && thing.collection === 'sites') {
      // What the files want on is made anew by the next plan, which finds that it is gone; and what has a step of its own has its turn.
      // What they give to another stack stays recorded until that one was applied, as told.
      const { blocks = new Map<string, Block>(), leaving = [] } = this.world.catalogues.get(stack ?? '') ?? {};
      const others = new Set([
        ...blocks.keys(),
        ...leaving.map(({ from }) => from),
        ...plans.flatMap(({ steps }) => steps.map((step) => step.address)),
        // Of what goes along without a step of its own, as told, the next plan finds that.
        ...plans.flatMap(({ steps }) => steps.flatMap(alongIn)),
      ]);
      const left = records.find(
        ({ type: token, id, address: at }) => this.witness.thingOf(token, id)?.home === thing.id && !others.has(at),
      );
      if (left !== undefined && service.truth(thing) === undefined && !address.includes('~'))
        this.blame(`${name} drops ${address}, which has ended, and not ${left.address}, which was in it`);
    }
    // What it says newly counts as written then at the earliest: an answer of a moment later may be older.
    const before = this.#recorded.find((row) => row.stack === stack && row.id === identity?.id && row.type === type);
    const was = before && recordIn(before).inputs;
    const isYoung = Date.parse(createdAt) > this.world.time.now - settleMs;
    const isEarly = isYoung && (record?.writtenAt ?? '') < createdAt && this.world.isClockSteady(process);
    if (action === 'update' && record !== undefined && was !== undefined && isEarly)
      for (const [field, value] of Object.entries(inputs))
        if (value !== null && same(record.inputs[field], value) && !same(was[field], value))
          this.blame(`${name} records ${field} of ${address} as written before its update began`);
    const wrote = this.witness.carriedOutFor.get(intent);
    if (action !== 'update' || record === undefined || wrote !== this.witness.touched.get(thing.id)?.length) return;
    // Of a map that is sealed as a whole nobody finds again what was sent, where others have put something beside it.
    const isLost = (field: string, value: Json): boolean =>
      isObject(value) && '$secret' in value && !isEmptyMap(thing.history.at(-2)?.values?.[field]);
    for (const [field, value] of Object.entries(inputs))
      if (value !== null && !(field in record.inputs) && !isLost(field, value))
        this.blame(`${name} closes the update of ${address}, which was carried out, and does not record its ${field}`);
  }

  /** What a run could not tell the store stays on its disk as long as nobody else has closed the write. */
  #keepsOnDisk(process: Process): void {
    const path = outboxFile(folderOf(process, process.stack), 'yard', process.stack).location;
    const before = this.#kept.get(path);
    const now = new Set(existsSync(path) ? keptIn(path).map((one) => one.intent) : []);
    if (before === undefined && now.size === 0) return;
    this.#kept.set(path, now);
    for (const intent of now) if (!this.#keptAt.has(intent)) this.#keptAt.set(intent, this.world.time.now);
    // A document that is pushed may open again what was closed.
    if (process.argv[0] === 'state') return;
    const open = new Set(this.world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    for (const intent of before ?? [])
      if (!now.has(intent) && open.has(intent) && !this.#isDelivered(intent))
        this.blame(`${process.name} drops what was kept of ${intent}`);
  }

  /** It was closed since it was kept, and begun once more. */
  #isDelivered(intent: string): boolean {
    return (this.witness.closedAt.get(intent) ?? 0) >= (this.#keptAt.get(intent) ?? Infinity);
  }

  /** A lease that lives ends by its own run, or after that is dead and what it sent has come; one that is broken ends in time. */
  #leaseIsKept(process: Process, before: StackRow, row: StackRow): void {
    const { time } = this.world;
    const what = `${process.name}: the lease of ${row.stack}`;
    const lives = before.lease_id !== null && Number(before.lease_expires) > time.now;
    if (before.lease_id === row.lease_id) {
      if (row.lease_revoked > before.lease_revoked) this.witness.brokenAt.set(row.lease_id ?? '', time.now);
      if (row.lease_fence !== before.lease_fence) this.blame(`${what} has another number`);
      if (before.lease_revoked === 1 && Number(row.lease_expires) > Number(before.lease_expires))
        this.blame(`${what} is broken, and lives longer`);
      return;
    }
    if (row.lease_id !== null && row.lease_fence !== before.lease_fence + 1)
      this.blame(`${what} has no number of its own`);
    if (row.lease_id !== null && row.lease_revoked === 1) this.blame(`${what} is broken from its beginning`);
    if (row.lease_id !== null) this.#endsInTime(row);
    const holder = this.world.processes[holderIn(before) ?? -1];
    if (!lives || holder === undefined || holder === process) return;
    if (holder.endedAt === undefined) this.blame(`${what} ends, and ${holder.name} still has it`);
    else if (time.now - holder.endedAt < leaseMs / 15)
      this.blame(`${what} ends before what ${holder.name} has sent has come`);
  }

  /** Who writes under a lease has ended when that is over: what is under way is cut off before. */
  #endsInTime({ stack, lease_id: lease, lease_expires: until }: StackRow): void {
    const { time, tables, processes } = this.world;
    time.in(Number(until) - time.now + endsWithinMs, '', () => {
      const row = tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
      if (row?.lease_id !== lease) return;
      if (Number(row.lease_expires) > time.now - endsWithinMs) return this.#endsInTime(row);
      const holder = processes[holderIn(row) ?? -1];
      // A worker goes on with another stack.
      if (holder === undefined || holder.isDead || holder.code !== undefined || holder.argv[0] === 'fleet') return;
      // Who stands still, or waits for a store that it does not reach, sends nothing.
      if (Math.max(holder.frozenUntil, holder.cutOffUntil) > Number(row.lease_expires) - leaseMs) return;
      const isWriting = this.witness
        .intents()
        .some((each) => each.stack === stack && holder.runs.has(`${stack} ${each.run}`));
      if (isWriting) this.blame(`${holder.name} goes on when its lease of ${stack} is over`);
    });
  }

  /** Ids of what is recorded, with keys of maps, or may have been made by a write that is still open: where a command drops them, somebody lets go of them. */
  #drops(process: Process): void {
    const { argv } = process;
    if (argv[0] !== 'state' || (argv[1] !== 'rm' && argv[1] !== 'push')) return;
    const { service, tables } = this.world;
    // Another one of its name is not what an open write has made, and stays let go of when a document brings that write back.
    const open = new Set(tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    const isBegun = (thing: Thing): boolean =>
      open.has(this.witness.madeFor.get(thing.id) ?? '') && this.#isCalledAsMade(thing);
    const begun = [...service.things.values()].filter(isBegun);
    // A policy has the id of its site.
    const records = tables.rows<ResourceRow>('sync_resources').filter(({ type }) => !type.endsWith(':Policy'));
    const keys = records.flatMap(({ id, body }) =>
      Object.keys(clearable((JSON.parse(body) as Recorded).inputs)).map((key) => keyIn(id, key)),
    );
    const owners = records.map(({ stack, id }) => `${stack} ${id}`);
    // With a record goes what it alone knows of.
    const replaced = records.flatMap(({ body }) =>
      (JSON.parse(body) as Recorded).deposed.map((old) => old.identity.id),
    );
    const now = new Set([...[...records, ...begun].map(({ id }) => id), ...replaced, ...owners, ...keys]);
    for (const id of this.#droppable.get(process) ?? []) if (!now.has(id)) this.witness.letGo.add(id);
    this.#droppable.set(process, now);
  }

  /** What it knows of its own writes stands in the store, where nothing kept it from that; and what stands on its disk alone is not well. */
  #mustSettle(process: Process): void {
    const { name, stack, runs, openWrites, code } = process;
    const open = this.witness.intents().filter((each) => each.stack === stack && runs.has(`${stack} ${each.run}`));
    const kept = this.#kept.get(outboxFile(folderOf(process, stack), 'yard', stack).location);
    const mayWriteState = ![...process.leases].some((lease) => this.witness.brokenAt.has(lease));
    for (const { id, action, address, identity } of open) {
      if (code === 0 && process.argv[0] !== 'fleet' && kept?.has(id) === true)
        this.blame(`${name} ends well, and what became of ${address} is on its disk alone`);
      // What was written a moment ago may be there, or show still, although its end was denied.
      const isUnseen = identity === undefined || this.#mayShow(process, identity.id);
      const isNew = this.witness.isYoung(process, address) || this.#hasJustCome(process, address);
      const mayLag = action === 'delete' && isUnseen && isNew;
      // Whose clock is set believes that its lease is over.
      const isLate = leaseTrouble.test(process.out) && !this.world.isClockSteady(process);
      if (openWrites === 0 && mayWriteState && !mayLag && !isLate && this.world.isInPeace(process))
        this.blame(`${name} leaves the ${action} of ${address} open, although all its writes were answered`);
    }
  }

  /** Who has taken something over a moment ago does not know how long it has been there. */
  #hasJustCome({ stack, startedAt }: Process, at: string): boolean {
    const isSo = (row: HistoryRow): boolean =>
      row.address === at &&
      (row.kind === 'record' || row.kind === 'move') &&
      (this.witness.arrivedAt.get(nameOf(row)) ?? 0) > startedAt - settleMs;
    return this.witness.history(stack).some((row) => isSo(row));
  }

  /** It lives, or its end does not show everywhere yet. */
  #mayShow({ startedAt }: Process, id: string): boolean {
    const { values, alone = 0, inLists = 0, glimpse = 0 } = this.world.service.things.get(id)?.history.at(-1) ?? {};
    return values !== undefined || Math.max(alone, inLists, glimpse) >= startedAt;
  }

  /** What a run has heard of its creates stands in the store or on its disk when it ends, unless its lease was over. */
  #mustKnowOf(process: Process): void {
    const { name, argv, stack, openWrites, out, frozenUntil, stoppedAt } = process;
    if (argv[0] === 'fleet' || openWrites > 0 || frozenUntil > 0 || stoppedAt !== undefined || leaseTrouble.test(out))
      return;
    const kept = this.#kept.get(outboxFile(folderOf(process, stack), 'yard', stack).location);
    const open = new Set(this.witness.intents().map(({ id }) => id));
    for (const [thing, maker] of this.witness.makers) {
      const intent = this.witness.madeFor.get(thing) ?? '';
      if (maker === process && open.has(intent) && kept?.has(intent) !== true)
        this.blame(`${name} ends, and that it has made ${thing} stands neither in the store nor on its disk`);
    }
  }

  /** The one object of its key that stands there as an interrupted create has made it is that one's: nobody need be asked. */
  #mustKnowItsOwn({ name, out, liedAbout, startedAt, stack: of }: Process): void {
    if (liedAbout.size > 0) return;
    // What could not be asked for does not claim its own; what another stack has begun to make may be either's.
    const isAsked = (address: string): boolean =>
      !out.includes(`While finding out what became of an interrupted create of ${address}.`);
    const asked = this.witness.intents().filter(({ stack, address }) => stack === of && isAsked(address));
    const open = new Set(asked.map(({ id }) => id));
    for (const [, lines = ''] of out.matchAll(rightOne)) {
      const [only = '', ...others] = [...lines.matchAll(answer)].map(([, words = '']) => idIn(words));
      // Who does not know of a create that was begun since takes what it makes for nobody's.
      const intent = this.witness.madeFor.get(only) ?? '';
      const isKnown = (this.witness.arrivedAt.get(intent) ?? 0) < startedAt;
      if (others.length === 0 && open.has(intent) && isKnown && this.#isAsSent(only))
        this.blame(`${name} asks whose ${only} is, which stands there as it was made`);
    }
  }

  /** Whoever has changed it since it was made has left alone what was sent; of a secret map a fingerprint tells no part. */
  #isAsSent(id: string): boolean {
    const [first, ...later] = this.world.service.things.get(id)?.history ?? [];
    const { revision: _, ...sent } = first?.values ?? {};
    const secrets = JSON.stringify(sent['env']);
    return later.every(({ values }) => same(values, sent) && JSON.stringify(values?.['env']) === secrets);
  }

  /** A verb that ends well has done it, as long as nobody else has written since. */
  #mustHaveDone({ name, argv, stack, code, runs, leasedAt = 0 }: Process): void {
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const run = row?.lease_fence ?? 0;
    const [group, verb = ''] = argv;
    if (group !== 'state' || code !== 0 || !runs.has(`${stack} ${String(run)}`)) return;
    const told = this.witness.history(stack).filter((each) => each.run === run);
    if (verb === 'freeze' && (row?.frozen === null || !told.some(({ kind }) => kind === 'freeze')))
      this.blame(`${name} ends well, and ${stack} is not frozen, or its history does not say so`);
    if (verb === 'thaw' && row?.frozen !== null) this.blame(`${name} ends well, and ${stack} is still frozen`);
    const from = argv[2] ?? '';
    const isOpen = (one: Intent & { readonly stack: string }): boolean =>
      one.stack === stack && one.address === from && (this.witness.arrivedAt.get(one.id) ?? Infinity) < leasedAt;
    if (verb === 'mv' && this.witness.intents().some(isOpen))
      this.blame(`${name} ends well, and a write of ${from} is open`);
    if (verb !== 'push') return;
    const document = String(readFileSync(`${folderOf({ argv }, stack)}/${argv[2] ?? ''}`, 'utf8'));
    const { resources, serial } = JSON.parse(document) as {
      readonly resources: readonly RecordedResource[];
      readonly serial: number;
    };
    // One that is as new, or newer, has the next number, or its own.
    if (!argv.includes('--force') && Number(row?.serial) > serial + 1)
      this.blame(`${name} ends well, and what it has pushed was older`);
    const pushed = resources.map(({ address, identity }) => `${address} ${identity.id}`);
    const now = this.witness.records((each) => each.stack === stack).map(({ address, id }) => `${address} ${id}`);
    const wrong = [...without(pushed, now), ...without(now, pushed)];
    if (wrong.length > 0) this.blame(`${name} ends well, and what it has pushed is not there: ${wrong.join()}`);
  }

  /** What somebody names as the object of a resource is that, when the command line for it ends well. */
  #mustHaveTakenOver({ name, argv, stack, code, runs }: Process): void {
    const [verb, address = '', named = ''] = argv;
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    if (
      verb !== 'adopt' ||
      named === '' ||
      address.startsWith('-') ||
      code !== 0 ||
      !runs.has(`${stack} ${String(row?.lease_fence ?? 0)}`)
    )
      return;
    const [record] = this.witness.records((each) => each.stack === stack && each.address === address);
    if (record?.id !== idIn(named))
      this.blame(`${name} ends well, and ${stack} has ${record?.id ?? 'nothing'} as ${address}`);
  }

  /** What it calls unsent made nothing that lives, bears its name and was shown, unless this stack had it before. */
  #mustHaveSettled(process: Process): void {
    const told = [...process.out.matchAll(settled)];
    if (told.length === 0) return;
    const creates = new Set(
      [...this.witness.journal].flatMap(([id, intent]) => {
        const { action, address } = bodyOf<Intent>(intent);
        return action === 'create' && this.witness.closedBy.get(id) === process ? [address] : [];
      }),
    );
    for (const address of new Set(told.flatMap(([, each = '', lack]) => (lack === undefined ? [each] : []))))
      for (const { id, type, writtenAt = '' } of this.witness.records(
        (row) => creates.has(address) && `${row.stack} ${row.address}` === `${process.stack} ${address}`,
      )) {
        const thing = this.witness.thingOf(type, id);
        // The record says when it was written last.
        const isWrittenSince = process.results.some(({ steps }) =>
          steps.some((step) => step.address === address && step.outcome === 'done'),
        );
        if (thing !== undefined && !isWrittenSince && this.witness.isPeoplesOld(thing, Date.parse(writtenAt)))
          this.blame(`${process.name} tells that ${address} was made, and people made ${id} long before`);
      }
    for (const address of new Set(told.flatMap(([, each = '', lack]) => (lack === undefined ? [] : [each])))) {
      const made = [...this.witness.madeAt].flatMap(([id, at]) => (at === `${process.stack} ${address}` ? [id] : []));
      // Of several writes to one address another one may have made it.
      const others = told.filter(([, each, lack]) => each === address && lack === undefined);
      for (const id of made.filter((each) => this.#isSettledBy(process, each)).slice(others.length))
        this.blame(`${process.name} tells that ${address} had not reached the platform, and it has made ${id}`);
    }
  }

  /** It speaks of what it has found open, and not of what it, or one between, was to make there. */
  #isSettledBy(process: Process, id: string): boolean {
    const { service, tables } = this.world;
    const thing = service.things.get(id);
    const intent = this.witness.madeFor.get(id) ?? '';
    const closer = this.witness.closedBy.get(intent);
    const touches = this.witness.touched.get(id);
    if (thing === undefined || touches?.[0]?.by === process || (closer !== undefined && closer !== process))
      return false;
    const field = keyFields[thing.collection];
    const others = thing.history.filter((_, nth) => touches?.[nth]?.by !== process);
    const names = new Set(others.map(({ values }) => values?.[field]));
    const isKnown = tables
      .rows<HistoryRow>('sync_runs')
      .some(
        ({ stack, run, body }) =>
          stack === process.stack && !process.runs.has(`${stack} ${String(run)}`) && body.includes(`"id":"${id}"`),
      );
    return (
      !isKnown && names.size === 1 && this.witness.isSeenBy(process, thing, this.witness.closedAt.get(intent) ?? 0)
    );
  }

  /** It ends well when all is done, and each end of an object stands in what it has shown. */
  #mustSayHowItEnded({ name, argv, code, out, results }: Process): void {
    if (argv[0] === 'fleet') return;
    const last = results.at(-1);
    if (code === 0 && last !== undefined && last.status !== 'done')
      this.blame(`${name} ends well, and is ${last.status}`);
    for (const { steps } of results)
      for (const { address, action, outcome } of steps)
        if ((action === 'delete' || action === 'replace') && outcome === 'done' && !out.includes(address))
          this.blame(`${name} ends ${address}, which it has never shown`);
  }

  /** What stands in the history of a run is what it had planned, and what it has told of its end. */
  #mustNoteWhatItDid({ name, argv, stack, runs, results, carriedOut }: Process): void {
    const [result, ...others] = results;
    if (argv[0] === 'fleet' || result === undefined || others.length > 0) return;
    const rows = this.witness.history(stack).filter(({ run }) => runs.has(`${stack} ${String(run)}`));
    const said = <Kind extends RunContent['kind']>(kind: Kind): Extract<RunContent, { kind: Kind }>[] =>
      rows.flatMap((row) => (row.kind === kind ? [JSON.parse(row.body) as Extract<RunContent, { kind: Kind }>] : []));
    const plan = carriedOut.get(result);
    const linesOf = (steps: RunPlan['steps']): readonly string[] =>
      steps.map(({ address, action, fields, options }) =>
        // A plan that was read from its file has the members of an option in another order.
        [address, action, ...fields, canonicalJson((options ?? []) as unknown as JsonObject[])].join(' '),
      );
    for (const noted of plan === undefined ? [] : said('plan')) {
      const wanted = plan?.steps.flatMap((step) =>
        step.action === 'update' ? [{ ...step, fields: step.fields.map(({ field }) => field) }] : [],
      );
      const missing = without(linesOf(wanted ?? []), linesOf(noted.steps));
      const lifted = plan?.guards.flatMap((guard) =>
        guard.lifted === undefined ? [] : [`${guard.name} ${guard.lifted}`],
      );
      const notLifted = without(
        lifted ?? [],
        noted.lifted.map(({ guard, reason }) => `${guard} ${reason}`),
      );
      if (missing.length + notLifted.length > 0 || noted.effectDigest !== plan?.effectDigest)
        this.blame(`${name} does not note ${[...missing, ...notLifted].join(', ')}: ${JSON.stringify(noted)}`);
    }
    for (const noted of said('end')) {
      const plain = result.steps.map(({ diagnostics: _, ...step }) => JSON.stringify(step));
      const told = noted.steps.map(({ diagnostics: _, ...step }) => JSON.stringify(step));
      if (noted.status !== result.status || plain.join() !== told.join() || noted.requests !== result.requests)
        this.blame(
          `${name} notes that it is ${noted.status} by ${told.join()}, and tells ${result.status} by ${plain.join()}`,
        );
    }
  }

  /** What somebody has called otherwise before a killed create was looked for is not what that has made: what it sent is anybody's there. */
  #losesItsMaker(intent: string): void {
    const { service } = this.world;
    for (const thing of service.things.values()) {
      if (this.witness.madeFor.get(thing.id) !== intent || this.#isCalledAsMade(thing)) continue;
      const at = this.witness.madeAt.get(thing.id);
      const isKnown = this.witness
        .records((row) => row.id === thing.id)
        .some((row) => `${row.stack} ${row.address}` === at);
      if (isKnown) continue;
      this.witness.unfound.add(thing.id);
      for (const key of Object.keys(clearable(thing.history[0]?.values))) this.witness.letGo.add(keyIn(thing.id, key));
    }
  }

  /** What has another name by now, nobody finds by the create that made it. */
  #isCalledAsMade(thing: Thing): boolean {
    const key = keyFields[thing.collection];
    return same(this.world.service.truth(thing)?.[key], thing.history[0]?.values?.[key] ?? null);
  }
}

/** What a record says, wherever it stands. */
function contentOf({ inputs, outputs, protect, retainOnDelete, writtenAt, deposed }: Recorded): string {
  const said = { inputs, outputs, protect, retainOnDelete, writtenAt, deposed };
  return canonicalJson(said as unknown as JsonObject);
}

/** The number of the process that has a lease, as it said itself. */
function holderIn({ lease_process: said }: Pick<StackRow, 'lease_process'>): number | undefined {
  return (JSON.parse(said ?? '{}') as { readonly pid?: number }).pid;
}

/** It is as good as none. */
function isEmptyMap(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** A map, or a record at any depth, as one for each value in it. */
function leavesOf(value: JsonObject): readonly JsonObject[] {
  return Object.entries(value).flatMap(([key, one]): readonly JsonObject[] =>
    isObject(one) ? leavesOf(one).map((leaf) => ({ [key]: leaf })) : [{ [key]: one }],
  );
}

/** Addresses that a step tells to go along with its end. */
function alongIn({ risks }: PlanStep): readonly string[] {
  return risks.flatMap((risk) => (risk.kind === 'cascades' ? (risk.what.match(/[^\s,:]+/g) ?? []) : []));
}
