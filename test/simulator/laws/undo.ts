import { canonicalJson } from '@platform-sync/core/model/canonical';
import { isExpression } from '../expressions.js';
import type { RunContent } from '@platform-sync/core/model/run';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Catalogue } from '../catalogue.js';
import { editedBeyond } from '../edited-files.js';
import type { HistoryRow } from '../ledger.js';
import { inOrder } from '../shapes.js';
import type { Process } from '../simulation.js';
import { type Recorded, keyIn, ownPart, same, without } from './facts.js';
import { Laws } from './laws.js';

/** What an error says of a name that stays where it is, and who has it. */
const keptName = /key-taken {2}.*: (\S+) has .*keeps it\.$/m;

type Inputs = ReadonlyMap<string, JsonObject>;

interface TakenBack {
  readonly what: string;
  readonly field: string;
}

/** What no undoing brings back. */
const unrepeated = new Set(['password', 'revision', 'createdAt', 'siteId', 'env', 'door']);

/** What a run that is undone leaves. */
export class UndoLaws extends Laws {
  ended(process: Process): void {
    this.#mustBeUndone(process);
    this.#mustBeAsBefore(process);
  }

  /** What a run changed of an object is recorded as before it when it is undone, whatever was written since: by its own rows. */
  #mustBeAsBefore(process: Process): void {
    const { name, argv, stack, code, runs, results } = process;
    const [verb, said] = argv;
    if (verb !== 'undo' || argv.includes('--edit') || code !== 0) return;
    if (results.length !== 1 || results[0]?.status !== 'done' || !this.world.isInPeace(process)) return;
    const rows = this.witness.history(stack);
    // Nobody has written since.
    if (!runs.has(`${stack} ${String(rows.findLast(({ kind }) => kind === 'begin')?.run)}`)) return;
    const run = Number(said);
    const now = new Map(
      this.witness.records((row) => row.stack === stack).map((record) => [keyIn(record.type, record.id), record]),
    );
    const ofRun = rows.filter((row) => row.kind === 'record' && row.run === run);
    const isMeant = isMeantIn(argv);
    for (const address of new Set(ofRun.map((row) => row.address ?? ''))) {
      if (!isMeant(address)) continue;
      const own = ofRun.filter((row) => row.address === address);
      const [first, last] = [own[0], own.at(-1)];
      const next = rows.find(
        (row) => row.kind === 'record' && row.address === address && Number(row.number) > Number(last?.number),
      );
      const isMoved = rows.some(
        ({ kind, number, body }) =>
          kind === 'move' && Number(number) > Number(first?.number) && body.includes(`"${address}"`),
      );
      const [before, after] = [beforeIn(first), beforeIn(next)];
      if (isMoved || before === null || after === null || next === undefined) continue;
      const [was, left] = [keyIn(before.type, before.identity.id), keyIn(after.type, after.identity.id)];
      const record = now.get(left);
      // What was to be told by its name may have been taken for another one since.
      if (was !== left || record?.address !== address) continue;
      const ignored = this.world.catalogues.get(stack)?.blocks.get(address)?.options?.ignoreChanges ?? [];
      for (const field of new Set([...Object.keys(before.inputs), ...Object.keys(after.inputs)])) {
        const [old, made, is] = [before, after, record].map(({ inputs }) => JSON.stringify(inOrder(inputs[field])));
        const isSecret = [old, made].some((text) => text?.includes('"$') === true);
        // The id of what was made anew meanwhile is that of the new one.
        const isId = this.world.service.things.has(String(before.inputs[field]));
        if (old === made || is === old || isSecret || isId || unrepeated.has(field) || ignored.includes(field))
          continue;
        this.blame(
          `${name} ends well, and ${address}.${field} is recorded as ${is ?? 'nothing'}, which was ${old ?? 'nothing'} before that run`,
        );
      }
      for (const option of ['protect', 'retainOnDelete'] as const)
        if (before[option] !== after[option] && record[option] !== before[option])
          this.blame(`${name} ends well, and ${option} of ${address} is not as before that run`);
    }
  }

  /** What a run made where nothing had been goes when the run is undone: nobody else has touched it. */
  #mustBeUndone(process: Process): void {
    const { argv, name, stack, code } = process;
    if (argv[0] !== 'undo' || argv.includes('--edit') || code !== 0) return;
    const run = Number(argv[1]);
    const isMeant = isMeantIn(argv);
    const rows = this.witness.history(stack).filter((row) => row.kind === 'record' || row.kind === 'move');
    for (const [id, { runs, plans }] of this.witness.makers) {
      const thing = this.world.service.things.get(id);
      if (!runs.has(`${stack} ${String(run)}`) || thing === undefined) continue;
      if (this.world.service.truth(thing) === undefined || this.witness.touched.get(id)?.length !== 1) continue;
      const [record] = this.witness.records(
        (row) => row.id === id && row.stack === stack && !row.type.endsWith(':Policy'),
      );
      const address = record?.address ?? '';
      if (!isMeant(address)) continue;
      const isNew = plans.some(({ steps }) =>
        steps.some((step) => step.address === address && step.action === 'create'),
      );
      const isFirst = !rows.some((row) => row.address === address && row.run < run);
      // What its files move to another stack stays until that was applied, as it is told.
      const isMoving = process.plans.some(({ notices }) =>
        notices.some((notice) => notice.code === 'moves-to-stack' && notice.address === address),
      );
      if (isMoving) continue;
      if (this.witness.madeAt.get(id) === `${stack} ${address}` && isNew && isFirst && record?.retainOnDelete !== true)
        this.blame(`${name} ends well, and leaves ${id} at ${address}, which that run made`);
    }
  }

  /**
   * A run that is undone leaves everything as it was, but for secrets, and ids of what it ended; and what another run changed
   * after it, that run alone has changed.
   */
  async isUndone(stack: string): Promise<void> {
    const world = this.world;
    // What files leave alone is nobody's to bring back.
    world.mind(stack);
    await this.witness.allowing(stack, ['apply', '--yes']);
    const others = this.#othersOf(stack);
    const before = this.#shownOf(stack, others);
    const first = this.#inputsOf(stack);
    const last = this.witness.lastRuns.get(stack);
    world.editAtEnd(stack);
    const { results, plans } = await this.witness.allowing(stack, ['apply', '--yes']);
    const run = this.witness.lastRuns.get(stack);
    if (results.at(-1)?.status !== 'done' || run === undefined || run === last) return;
    const second = this.#inputsOf(stack);
    const isLater = world.decisions.atRest(`another run of ${stack} comes before the undo`, 400);
    let later: Process | undefined;
    for (const which of isLater ? [' once more', ' and again'] : []) {
      world.editAtEnd(stack, which);
      later = await this.witness.allowing(stack, ['apply', '--yes']);
      if (later.results.at(-1)?.status !== 'done') break;
    }
    const third = this.#inputsOf(stack);
    const ids = this.#idsOf(stack);
    const undone = await this.witness.allowing(stack, ['undo', String(run), '--yes']);
    const isDone = undone.results.at(-1)?.status === 'done';
    if (later !== undefined) {
      for (const { address: to, body, kind, run: of } of isDone ? this.witness.history(stack) : []) {
        const { from = '' } = JSON.parse(body) as { readonly from?: string };
        const isAt = (inputs: Inputs): boolean => [...inputs.keys()].some((what) => what.startsWith(`${from} `));
        // Where the files have it again it comes back, the same object.
        const isSaid = world.catalogues.get(stack)?.blocks.has(from) === true;
        const isSame = isSaid && this.#idsOf(stack).get(from) === ids.get(to ?? '');
        // What the run itself ended there comes back, and is another one.
        const isOther = this.witness
          .history(stack)
          .some((row) => row.run === run && row.address === from && endedIn(row).length > 0);
        if (kind === 'move' && of > run && !isSame && !isOther && !isAt(third) && isAt(this.#inputsOf(stack)))
          this.blame(`${undone.name} brings back ${from}, which a later run moved`);
      }
      // Settings that the run itself ended, and made at another address, end there with all that was changed since.
      const ended = new Set(this.witness.history(stack).flatMap((row) => (row.run === run ? endedIn(row) : [])));
      if (isDone && later.results.at(-1)?.status === 'done')
        for (const { what, field } of takenBack([first, second, third, this.#inputsOf(stack)]))
          if (!ended.has(what) && !this.#isWorkedOut(stack, what, field))
            this.blame(`${undone.name} takes back ${what}.${field}, which a later run changed, and that one did not`);
      return;
    }
    // What could not be compared yet, as what was written a moment before its home ended, is left for now, as it is told.
    if (undone.plans.some(({ notCompared }) => notCompared.length > 0)) return;
    const after = this.#shownOf(stack, others);
    const [left, lost] = [without(after, before), without(before, after)];
    if (isDone && left.length + lost.length > 0)
      this.blame(`${undone.name} has left ${left.join()} and not ${lost.join()}`);
    // Two runs are asked for, and an undo is one.
    if (undone.out.includes('key-exchange')) return;
    // A route, or board, that is to stay whatever becomes of its block keeps the site that it leads to, or is in.
    const { service } = world;
    const isKept = [...service.living('routes'), ...service.living('boards')].some(({ id }) =>
      this.witness.retained.has(id),
    );
    if (isKept && /routes lead to it|boards are in it/.test(undone.out)) return;
    // What could not be compared may be to come into what the run made.
    const [, comer] = /home-ends {2}(\S+)\.\w+ refers to/.exec(undone.out) ?? [];
    if (plans.at(-1)?.notCompared.some(({ address }) => address === comer) === true) return;
    // It keeps its name, too, which another one had before the run.
    const [, keeper] = keptName.exec(undone.out) ?? [];
    if (this.witness.records((row) => row.stack === stack && row.address === keeper).some((row) => row.retainOnDelete))
      return;
    if (!isDone) this.blame(`${undone.name} does not undo: ${undone.out.slice(-400)}`);
    if (this.witness.violations.length === 0) await this.#editIsWhole(stack, run);
  }

  #idsOf(stack: string): ReadonlyMap<string, string> {
    return new Map(this.witness.records((row) => row.stack === stack).map(({ address, id }) => [address, id]));
  }

  /** What the service has of what the stack has recorded. */
  #shownOf(stack: string, others: ReadonlySet<string>): readonly string[] {
    return this.witness
      .records((row) => row.stack === stack)
      .map(({ type, id, inputs, protect, retainOnDelete }) => {
        const thing = this.witness.thingOf(type, id);
        const truth = thing === undefined ? undefined : this.world.service.truth(thing);
        const shown = Object.entries(ownPart(truth ?? {}, inputs)).filter(
          ([name]) => !unrepeated.has(name) && !others.has(keyIn(type, name)),
        );
        return canonicalJson([type, protect, retainOnDelete, Object.fromEntries(shown)]);
      });
  }

  /** Fields, by type, that somebody has changed since they were written, and that files leave to them now. */
  #othersOf(stack: string): ReadonlySet<string> {
    const records = this.witness.records((row) => row.stack === stack);
    return new Set(
      records.flatMap(({ type, id, inputs }) => {
        const thing = this.witness.thingOf(type, id);
        const truth = (thing === undefined ? undefined : this.world.service.truth(thing)) ?? {};
        const own = Object.entries(ownPart(truth, inputs));
        return own.flatMap(([name, value]) => (same(value, inputs[name] ?? null) ? [] : [keyIn(type, name)]));
      }),
    );
  }

  /** What a file takes from another one follows that. */
  #isWorkedOut(stack: string, what: string, field: string): boolean {
    const { blocks } = this.world.catalogues.get(stack) ?? {};
    return this.witness
      .records(
        (row) => row.stack === stack && (`${row.address} ${row.type}` === what || `${row.type} ${row.id}` === what),
      )
      .some(({ address }) => isExpression(blocks?.get(address)?.properties[field]));
  }

  #inputsOf(stack: string): Inputs {
    // By its id, too: it may move to another address meanwhile.
    return new Map(
      this.witness
        .records((row) => row.stack === stack)
        .flatMap(({ address, type, id, inputs }) => [
          [`${address} ${type}`, inputs],
          [`${type} ${id}`, inputs],
        ]),
    );
  }

  /** Written into the files, what was undone is what they say: where all could be written, nothing is left to do. */
  async #editIsWhole(stack: string, run: number): Promise<void> {
    const edited = await this.world.perform(stack, ['undo', String(run), '--edit']);
    if (edited.code !== 0 || edited.out.includes('undo-secret')) return;
    const { plans, out } = await this.world.perform(stack, ['plan']);
    const left = plans.at(-1)?.steps.map(({ action, address }) => `${action} ${address}`);
    if (left?.length !== 0) this.blame(`${edited.name} leaves to do: ${left?.join() ?? out.slice(-400)}`);
  }

  /** An undo into the files takes back there what its run did, and nothing else. */
  edited({ name, argv, stack }: Process, before: Catalogue['resources'], after: Catalogue['resources']): void {
    const run = Number(argv[1]);
    if (argv[0] !== 'undo' || this.witness.intents().some((intent) => intent.run === String(run))) return;
    const recordAt = (address: string): Recorded | undefined =>
      this.witness.records((row) => row.stack === stack && row.address === address)[0];
    const beyond = editedBeyond(run, this.witness.history(stack), recordAt, before, after);
    if (beyond !== undefined) this.blame(`${name} writes ${beyond} into the files, which its run did not change`);
  }
}

/** Of some of it alone, where somebody says so. */
function isMeantIn(argv: readonly string[]): (address: string) => boolean {
  const words = argv
    .slice(2)
    .filter((word, at, all) => /^k/.test(word) && !/^--(?:allow|reason)$/.test(all[at - 1] ?? ''));
  return (address) => words.length === 0 || words.includes(address);
}

/** What stood there before it; null: nothing. */
function beforeIn(row: HistoryRow | undefined): RecordedResource | null {
  return row === undefined ? null : (JSON.parse(row.body) as Extract<RunContent, { kind: 'record' }>).before;
}

/** The object whose record a row says to have been dropped. */
function endedIn({ body, kind }: HistoryRow): readonly string[] {
  if (kind !== 'record') return [];
  const { before, removed } = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
  return removed === true && before !== null ? [`${before.type} ${before.identity.id}`] : [];
}

/** Fields as recorded before a run, after it, after a later one, and after its undo: those that it left, and its undo did not. */
function takenBack([before, after, later, undone]: readonly [Inputs, Inputs, Inputs, Inputs]): readonly TakenBack[] {
  return [...undone].flatMap(([what, inputs]) => {
    const [one, two, three] = [before, after, later].map((each) => each.get(what));
    if (one === undefined || two === undefined || three === undefined) return [];
    const names = new Set([...Object.keys(three), ...Object.keys(inputs)]);
    const isSame = (some: JsonObject, other: JsonObject, name: string): boolean =>
      JSON.stringify(some[name]) === JSON.stringify(other[name]);
    return [...names].flatMap((name) =>
      !unrepeated.has(name) && isSame(one, two, name) && !isSame(three, inputs, name) ? [{ what, field: name }] : [],
    );
  });
}
