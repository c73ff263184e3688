import type { PlanStep } from '@platform-sync/core/model/plan';
import type { RunContent } from '@platform-sync/core/model/run';
import { type JsonObject, defined } from '@platform-sync/core/model/value';
import type { IntentRow, StackRow } from '@platform-sync/state/tables';
import { type Block, neededBy } from '../catalogue.js';
import { addressesIn, isExpression } from '../expressions.js';
import type { HistoryRow } from '../ledger.js';
import { hiddenMember, withoutPin } from '../secrets.js';
import type { Thing } from '../service.js';
import type { Process } from '../simulation.js';
import {
  type Recorded,
  aSecret,
  answer,
  clearable,
  hiddenFields,
  idIn,
  isUnknown,
  keyIn,
  rightOne,
  same,
  settled,
} from './facts.js';
import { Laws } from './laws.js';
import { type Surroundings, knownPartOf } from './worked-out.js';

/** In the end files, state and service say the same, and of everything there is one. */
export class AgreementLaws extends Laws {
  /** Files, state and service say the same, and of everything there is one. */
  agree(): void {
    const { service, catalogues, tables } = this.world;
    const records = this.witness.records();
    const byId = new Map(records.map((record) => [record.id, record]));
    this.#onlyOnce(records.filter(({ type }) => !type.endsWith(':Policy')));
    for (const thing of service.living())
      if (this.witness.made.has(thing.id) && !byId.has(thing.id) && !this.witness.isLeft(thing))
        if (!this.#isTakenFor(thing, byId) && !this.#isDisowned(thing))
          this.blame(`${thing.id} was made by a run, and nobody knows it`);
    const inTheEnd = (blocks: ReadonlyMap<string, Block>, stack: string): Surroundings => ({
      blocks,
      records: new Map(records.flatMap((each) => (each.stack === stack ? [[each.address, each] as const] : []))),
      doing: new Map<string, PlanStep>(),
      isStill: () => true,
      isMoving: () => false,
    });
    for (const [stack, { blocks }] of catalogues)
      for (const [address, block] of blocks) {
        const { type, properties, options } = knownPartOf(this.witness, inTheEnd(blocks, stack), block);
        const record = records.find((each) => each.stack === stack && each.address === address);
        const thing = record === undefined ? undefined : this.witness.thingOf(type, record.id);
        const truth = thing === undefined ? undefined : service.truth(thing);
        if (record === undefined || thing === undefined || truth === undefined) {
          this.blame(`${stack} ${address} does not exist in the end`);
          continue;
        }
        const ignored = options?.ignoreChanges ?? [];
        const isAssumed = (path: string): boolean =>
          this.witness.assumed.has(`${address}.${path}`) || this.witness.assumed.has(keyIn(thing.id, path));
        for (const [name, value] of Object.entries(properties))
          if (!isExpression(value))
            if (
              !ignored.includes(name) &&
              !same(truth[name], isAssumed(`${name}.${hiddenMember}`) ? withoutPin(value) : value) &&
              !isAssumed(name) &&
              !(hiddenFields.includes(name) && this.#isAlike(stack, address, thing)) &&
              !this.#isBack(record, name, thing)
            )
              this.blame(
                `${stack} ${address}.${name} is ${JSON.stringify(truth[name])} in the end, and the file says ${JSON.stringify(value)}`,
              );
        this.#nothingIsLeftIn(`${stack} ${address}`, thing, properties, ignored);
        this.#isRecorded(record, { type, properties, ...defined({ options }) }, neededBy(block));
      }
    if (this.world.scenario.tells === true) this.#outputsAreTrue();
    const kept = JSON.stringify([tables.rows('sync_resources'), tables.rows('sync_stacks'), tables.rows('sync_runs')]);
    if (kept.includes(aSecret)) this.blame('the state holds a secret');
    const open = tables.rows<IntentRow>('sync_intents');
    if (open.length > 0) this.blame(`intents are open in the end: ${open.map(({ body }) => body).join()}`);
  }

  /** In the end a record says what its file says: what it depends on, how it is managed, and what is ours. */
  #isRecorded(
    { stack, address, type, id, inputs, needs, protect, retainOnDelete, deposed }: Recorded,
    block: Block,
    all: readonly string[],
  ): void {
    const { properties, options = {} } = block;
    const { ignoreChanges = [] } = options;
    // Of what comes to the same as before by something else the record has what that was.
    const needed = addressesIn(properties['siteId']);
    const what = `the record of ${stack} ${address} says in the end`;
    const wanted = JSON.stringify([...all].sort());
    // That a file newly says or drops an order alone is nothing to apply, nor is a home that a killed run wrote and no record has.
    const isHome = (each: string): boolean =>
      this.witness.records((row) => row.stack === stack && row.address === each)[0]?.id === inputs['siteId'];
    const known = JSON.parse(needs) as readonly string[];
    const isOrdered = needed.every((each) => known.includes(each) || !isHome(each));
    if (needs !== wanted && !isOrdered) this.blame(`${what} that it depends on ${needs}, and not on ${wanted}`);
    if (protect !== (options.protect === true)) this.blame(`${what} that it is ${protect ? '' : 'not '}protected`);
    if (retainOnDelete !== (options.retainOnDelete === true))
      this.blame(`${what} that it ${retainOnDelete ? 'stays' : 'goes'} with its block`);
    if (deposed.length > 0) this.blame(`${what} that ${deposed.map((old) => old.identity.id).join()} is still to go`);
    // What others made as the file has it the next apply that has something else to do records.
    if (!this.witness.isWrittenBy(stack, this.witness.touched.get(this.witness.thingOf(type, id)?.id ?? '') ?? []))
      return;
    for (const name of new Set([...Object.keys(inputs), ...Object.keys(properties)])) {
      const [is, said] = [inputs[name], properties[name]];
      if (ignoreChanges.includes(name) || isExpression(said)) continue;
      // What a file newly says, or somebody has recorded otherwise, and stands there, is nothing to apply.
      const isAnybodys = is === undefined || this.witness.hasTaken(stack, address);
      if (isAnybodys && said !== undefined && same(this.#truthOf(type, id)[name], said)) continue;
      if (is === undefined || said === undefined || !(isUnknown(is) || (same(is, said) && same(said, is))))
        this.blame(`${what} that ${name} is ${JSON.stringify(is)}, and its file ${JSON.stringify(said)}`);
    }
  }

  /** What the files tell is what stands in the state. */
  #outputsAreTrue(): void {
    const { catalogues, tables } = this.world;
    for (const { stack, outputs } of tables.rows<StackRow>('sync_stacks')) {
      const { blocks } = catalogues.get(stack) ?? { blocks: new Map<string, Block>() };
      const ids = new Map(this.witness.records((row) => row.stack === stack).map(({ address, id }) => [address, id]));
      const sites = [...blocks].filter(([, { type }]) => type === 'yard:Site');
      const told = sites.flatMap(([address, { type }]) => [
        [`${address}-id`, ids.get(address)],
        [`${address}-name`, this.#truthOf(type, ids.get(address) ?? '')['name']],
      ]);
      const last = ids.get(sites.at(-1)?.[0] ?? '');
      const all = Object.fromEntries(last === undefined ? told : [...told, ['last', last]]) as JsonObject;
      const now = JSON.parse(outputs) as JsonObject;
      if (!same(now, all) || !same(all, now)) this.blame(`${stack} tells ${outputs}, and not ${JSON.stringify(all)}`);
    }
  }

  /**
   * What runs alone have written of a field or a map, and no file says any more, is not there any more, whatever answers that were old
   * made it look like.
   */
  #nothingIsLeftIn(what: string, thing: Thing, said: JsonObject, ignored: readonly string[]): void {
    const touches = this.witness.touched.get(thing.id) ?? [];
    const partsAt = (at: number): JsonObject => clearable(thing.history[at]?.values);
    for (const [key, left] of Object.entries(partsAt(thing.history.length - 1))) {
      const writers = touches.filter((_, at) => partsAt(at)[key] !== partsAt(at - 1)[key]).map(({ by }) => by);
      // Another stack takes over what a killed run has made as it finds it, as it would take anybody's.
      const isOwn = writers
        .map((by) => `${by?.stack ?? ''} ${thing.id}`)
        .every((known) => this.witness.knownTo.has(known) && !this.witness.letGo.has(known));
      const isLetGo =
        this.witness.letGo.has(thing.id) ||
        this.witness.letGo.has(keyIn(thing.id, key)) ||
        ignored.includes(key.split('.')[0] ?? '');
      if (isOwn && !isLetGo && left !== null && clearable(said)[key] === undefined)
        this.blame(`${what} has ${key}, which a run wrote and no file says`);
    }
  }

  #truthOf(type: string, id: string): JsonObject {
    const thing = this.witness.thingOf(type, id);
    return (thing === undefined ? undefined : this.world.service.truth(thing)) ?? {};
  }

  #onlyOnce(records: readonly Recorded[]): void {
    const seen = new Set<string>();
    for (const { id, address, stack } of records) {
      if (seen.has(id) && this.world.service.things.get(id)?.collection !== undefined)
        this.blame(`${stack} ${address} is recorded twice: ${id}`);
      seen.add(id);
    }
  }

  /** What people made, equal in all that shows, was taken for what an interrupted create made, or one whose answer was lost. */
  #isAlike(stack: string, address: string, thing: Thing | undefined): boolean {
    const own = this.world.processes.filter(({ stack: of }) => of === stack);
    const all = own.flatMap(({ plans }) => plans.flatMap(({ steps }) => steps));
    const places = [address, ...all.flatMap((step) => (step.address === address ? [step.from] : []))];
    const isFound = ({ out }: Process): boolean => {
      const isToldAsMade = places.some((at) => out.includes(`created ${at ?? ''} (id ${thing?.id ?? ''},`));
      return (
        isToldAsMade || [...out.matchAll(settled)].some(([, at, lack]) => lack === undefined && places.includes(at))
      );
    };
    const isOthers = !this.witness.made.has(thing?.id ?? '') || this.witness.letGo.has(thing?.id ?? '');
    return isOthers && own.some(isFound);
  }

  /**
   * After a write an old answer showed what stood before, which is recorded then, and somebody wrote that very value once more: nothing
   * tells the two apart.
   */
  #isBack({ address, outputs }: Recorded, field: string, thing: Thing): boolean {
    const touches = this.witness.touched.get(thing.id) ?? [];
    // Settings stood there before anybody touched them.
    const values = thing.history.map((each) => each.values?.[field] ?? null);
    const written = touches.findLastIndex(({ by }) => by !== undefined);
    const before = values.slice(0, values.length - touches.length + written);
    const now = values.at(-1) ?? null;
    return (
      (this.witness.unkept.has(`${address}.${field}`) || this.witness.unkept.has(keyIn(thing.id, field))) &&
      same(outputs[field], now) &&
      before.some((value) => same(value, now))
    );
  }

  /** Somebody who was asked whether it is what an interrupted create had made has said that another one is. */
  #isDisowned({ id }: Thing): boolean {
    const { stack: of, argv = [] } = this.witness.closedBy.get(this.witness.madeFor.get(id) ?? '') ?? {};
    const [verb, address = '', other = ''] = argv;
    if (verb !== 'adopt' || this.witness.madeAt.get(id) !== `${of ?? ''} ${address}` || idIn(other) === id)
      return false;
    const asked = this.world.processes.flatMap(({ stack, out }) => (stack === of ? [...out.matchAll(rightOne)] : []));
    return asked.some(([, lines = '']) =>
      [...lines.matchAll(answer)].some(([, words = '']) => words.startsWith(`adopt ${address} `) && idIn(words) === id),
    );
  }

  /** What somebody made, equal in all that was sent, was taken over in its place by a run that no list had shown it to. */
  #isTakenFor(thing: Thing, known: ReadonlyMap<string, Recorded>): boolean {
    const intent = this.witness.madeFor.get(thing.id) ?? '';
    const closer = this.witness.closedBy.get(intent);
    // Of two lists one may have been wrong.
    if (closer === undefined || (thing.history[0]?.inLists ?? 0) < closer.startedAt) return false;
    const sent = ({ history }: Thing): JsonObject => ({
      ...history[0]?.values,
      revision: null,
      createdAt: null,
      password: null,
    });
    // Its file may have dropped it since, or made another one in its place, or another stack has it.
    const rows = this.witness
      .history(closer.stack)
      .filter((row) => `${row.stack} ${row.address ?? ''}` === this.witness.madeAt.get(thing.id));
    const before = new Set(rows.flatMap(idBefore));
    return [...this.world.service.things.values()].some(
      (other) =>
        (known.has(other.id) || before.has(other.id) || this.witness.foundFor.get(intent) === other.id) &&
        !this.witness.made.has(other.id) &&
        other.collection === thing.collection &&
        other.home === thing.home &&
        // What its file leaves out was not sent.
        Object.keys(known.get(other.id)?.inputs ?? sent(thing)).every((name) =>
          same(sent(other)[name] ?? null, sent(thing)[name] ?? null),
        ),
    );
  }
}

/** The object that a row says to have been recorded before. */
function idBefore({ body, kind }: HistoryRow): readonly string[] {
  const { before } = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
  return kind === 'record' && before !== null ? [before.identity.id] : [];
}
