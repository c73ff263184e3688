import type { AgreementLaws } from './agreement.js';
import type { HistoryLaws } from './history.js';
import type { UndoLaws } from './undo.js';
import type { Witness } from '../witness.js';
import { isEmptyPlan } from '@platform-sync/core/model/plan';
import type { StackRow } from '@platform-sync/state/tables';
import type { Block } from '../catalogue.js';
import { isExpression } from '../expressions.js';
import { answer, hiddenFields, idIn, keyFields, pathOf, rightOne, rowsOf, same } from './facts.js';
import { Laws } from './laws.js';

/** What an error says of an object that has a name which is to be given. */
const inTheWay = /the object (\S+), which nobody manages, has the name/g;

/** What an error says that asks who is to have an object: who wants it, and how it is handed over. */
const handedOver =
  / {2}(\S+) can't have the object (\S+): the stack.*(?:\n.*){1,6}?hand it over:\n +sync state mv (\S+(?: \S+)?) --stack (\w+) --to-stack (\w+)$/gm;

/** What an error says where another stack has what is in the way. */
const heldBy =
  /(\S+) can't be changed: the object (\S+), which the stack (\w+) manages, has the name that it is to get/g;

/** What an error says of a write to what is another stack's, too: who lets go of it. */
const writtenTwice = /lets go of it:\n +sync state rm (\S+) --stack (\w+)$/gm;

/** What a plan says of an end that is another stack's, too. */
const inBoth =
  /(?:- delete|-\/\+ replace) (\S+) \(.*(?:\n +(?!- delete |-\/\+ replace ).*){1,20}?the same object as (\S+) of the stack yard\/(\w+)/g;

/** What an error says of what one stack has recorded at two addresses: what to let go of. */
const recordedTwice = /recorded-twice {2}(?:.*\n)+? +sync --stack \w+ state rm (\S+)$/gm;

/** What an error says of a name that stays where it is: who was to get it, and who keeps it. */
const takenName = /key-taken {2}(\S+) can't be .*: (\S+) has .*keeps it\.$/gm;

/** What an error says where a name is to be given in a run of its own. */
const exchanged = /key-exchange {2}(\S+) is to get the \w+ of/g;

/** What it says where another stack is to give what stands here already. */
const givenTwice = /State has one object at \S+ and at (\w+):(\S+?)\.$/gm;

type Name = Block['properties'][string];

/** What must be true when all trouble is over. */
export class EndLaws extends Laws {
  readonly #agreement: AgreementLaws;
  readonly #history: HistoryLaws;
  readonly #undo: UndoLaws;
  /** What was handed back to the stack whose file has it, in the end. */
  readonly #handedBack = new Set<string>();

  constructor(witness: Witness, agreement: AgreementLaws, history: HistoryLaws, undo: UndoLaws) {
    super(witness);
    this.#agreement = agreement;
    this.#history = history;
    this.#undo = undo;
  }

  /** Whatever troubled the world is over: a few quiet runs must bring everything about, and find nothing more to do. */
  async atRest(): Promise<void> {
    const world = this.world;
    world.calm();
    const { stacks } = world.scenario;
    for (const { stack, lease_fence: run } of world.tables.rows<StackRow>('sync_stacks'))
      this.witness.troubled.set(stack, run);
    await world.pass(400_000);
    for (const { stack, frozen } of world.tables.rows<StackRow>('sync_stacks'))
      if (frozen !== null) await world.perform(stack, ['state', 'thaw']);
    let changing: readonly string[] = stacks;
    for (let round = 0; round < 4 && this.witness.violations.length === 0 && changing.length > 0; round += 1) {
      if (round > 0) await world.pass(200_000);
      changing = [];
      // What a quiet run lets go of may be in the way, too.
      this.#putAway();
      for (const stack of stacks) if (await this.#applied(stack)) changing = [...changing, stack];
    }
    for (const stack of changing) {
      if (this.witness.violations.length > 0) return;
      const { plans, code, out } = await world.perform(stack, ['plan']);
      const left = plans.at(-1)?.steps.map(({ action, address }) => `${action} ${address}`);
      if (code !== 0 || !plans.every(isEmptyPlan))
        this.blame(`after quiet, ${stack} still has to do: ${left?.join() ?? out}`);
    }
    if (this.witness.violations.length === 0) this.#agreement.agree();
    for (const stack of stacks) if (this.witness.violations.length === 0) await this.#history.historyIsWhole(stack);
    if (world.decisions.atRest('little is looked at in the end', world.scenario.brief ?? 0)) return;
    const moved = new Map<string, boolean>();
    for (const stack of stacks)
      if (this.witness.violations.length === 0) moved.set(stack, await this.#driftIsTold(stack));
    if (this.witness.violations.length === 0) await this.#roundIsTrue(moved);
    if (this.witness.violations.length === 0) await this.#undo.isUndone(stacks[0] ?? '');
  }

  /** What a plan asks for although it knows it: where all is as recorded, nothing twice, and nothing by itself that a list shows. */
  #askedInVain(stack: string): readonly string[] {
    const { service } = this.world;
    const known = this.witness
      .records((row) => row.stack === stack)
      .flatMap(({ id, type, outputs }) => {
        const thing = this.witness.thingOf(type, id);
        const truth = thing === undefined ? {} : (service.truth(thing) ?? {});
        // Of what did not show when it was made, and was answered with an id alone, the record has what was sent.
        const isSeen = this.world.scenario.isTerse !== true || outputs['revision'] !== undefined;
        const isAsRecorded =
          isSeen &&
          Object.entries(outputs).every(
            ([field, value]) =>
              hiddenFields.includes(field) ||
              truth[field] === undefined ||
              (same(truth[field], value) && same(value, truth[field])),
          );
        return thing === undefined ? [] : [{ place: pathOf(thing), id, isAsRecorded }];
      });
    // What differs from the record is asked for once more each time.
    const mayAskAgain = (path: string): boolean =>
      known.some(({ place, isAsRecorded }) => !isAsRecorded && path.startsWith(place));
    const twice = this.witness.asked.filter((path, at) => this.witness.asked.indexOf(path) < at && !mayAskAgain(path));
    // Of what lists leave out only a revision there would tell.
    const isToBeRead = (place: string): boolean =>
      this.world.scenario.isUnrevised === true && /\/(?:pages|boards)$/.test(place);
    const alone = this.witness.asked.filter((path) =>
      known.some(
        (each) =>
          each.isAsRecorded &&
          !isToBeRead(each.place) &&
          this.witness.listed.has(each.id) &&
          path === `${each.place}/${each.id}`,
      ),
    );
    return [...twice, ...alone];
  }

  async #asksLittle(stack: string): Promise<void> {
    if (this.#askedInVain(stack).length === 0) return;
    // What runs that were cut off have left the next apply records.
    await this.world.perform(stack, ['apply', '--yes']);
    this.witness.asked = [];
    this.witness.listed.clear();
    await this.world.perform(stack, ['plan']);
    const asked = this.#askedInVain(stack);
    if (asked.length > 0) this.blame(`a quiet plan of ${stack} asks for ${asked.join()}, which it knows`);
  }

  /**
   * As somebody would who does what the plan asks for, looks at what holds it back, and allows it. False: there was nothing to do, and
   * nothing left open.
   */
  async #applied(stack: string): Promise<boolean> {
    const world = this.world;
    this.witness.asked = [];
    this.witness.listed.clear();
    const shown = await world.perform(stack, ['plan']);
    const isOpen = this.witness.intents().some((intent) => intent.stack === stack);
    if (shown.code === 0 && shown.plans.every(isEmptyPlan) && !isOpen) {
      await this.#asksLittle(stack);
      return false;
    }
    for (const [, lines = ''] of shown.out.matchAll(rightOne)) {
      const answers = [...lines.matchAll(answer)].map(([, words = '']) => words);
      // Whoever was there knows what the interrupted run has made.
      const open = new Set(this.witness.intents().map(({ id }) => id));
      const right = answers.find((words) => open.has(this.witness.madeFor.get(idIn(words)) ?? ''));
      const other = answers.find((words) => this.witness.made.has(idIn(words)));
      await this.#decided(stack, right ?? other, answers);
    }
    // What somebody has let go of, or called otherwise before its run was known to have made it, or people have made, gets another name
    // where it is in the way.
    for (const [, id = ''] of shown.out.matchAll(inTheWay)) {
      const thing = world.service.things.get(id);
      if (
        thing !== undefined &&
        (this.witness.letGo.has(id) || this.witness.unfound.has(id) || !this.witness.made.has(id))
      )
        this.witness.byHand(() => world.service.change(thing, { [keyFields[thing.collection]]: `${id} let go of` }));
    }
    // Whose file has it keeps it: that somebody moved it away by hand was a mistake.
    for (const [, wanting = '', id = '', addresses = '', from = '', to = ''] of shown.out.matchAll(handedOver))
      // Where both files have it, it would go to and fro: one of them is to have another.
      if (this.#handedBack.has(id)) this.#callsOtherwise(stack, wanting, `${wanting} of ${stack}`);
      else {
        this.#handedBack.add(id);
        await world.perform(from, ['state', 'mv', ...addresses.split(' '), '--to-stack', to]);
      }
    for (const [, taker = '', id = '', from = ''] of shown.out.matchAll(heldBy)) {
      const [record] = this.witness.records((row) => row.stack === from && row.id === id);
      const [there, here] = [from, stack].map((each) => world.catalogues.get(each)?.blocks);
      const isOwn = this.witness.records((row) => row.stack === stack && row.address === record?.address).length > 0;
      if (record !== undefined && here?.has(record.address) === true && !isOwn)
        await world.perform(from, ['state', 'mv', record.address, '--to-stack', stack]);
      // Where both files say it, one of them is to say another.
      else if (there?.get(record?.address ?? '')?.properties['name'] === (here?.get(taker)?.properties['name'] ?? null))
        this.#callsOtherwise(stack, taker, `${taker} of ${stack}`);
      // The other stack may have to wait, before it ends it, for what this one does in the same run.
      else await this.#inTwoRuns(stack, taker);
    }
    // What was cut off on its way to another stack stands in both: who has no file of it lets go of it.
    for (const [, address = '', other = '', owner = ''] of shown.out.includes('the same object as')
      ? shown.out.matchAll(inBoth)
      : [])
      if (world.catalogues.get(owner)?.blocks.has(other) === true) await world.perform(stack, ['state', 'rm', address]);
    for (const [, address = ''] of shown.out.matchAll(recordedTwice))
      await world.perform(stack, ['state', 'rm', address]);
    for (const [, other = '', address = ''] of shown.out.matchAll(givenTwice))
      await world.perform(other, ['state', 'rm', address]);
    // Which of two is to have what stands in the files of both, nobody knows: who asks first.
    for (const [, address = '', other = ''] of shown.out.matchAll(writtenTwice))
      await world.perform(other, ['state', 'rm', address]);
    // What stays when its block goes keeps its name.
    for (const [, taker = '', keeper = ''] of shown.out.matchAll(takenName))
      if (world.catalogues.get(stack)?.blocks.has(keeper) === false)
        this.#callsOtherwise(stack, taker, `${taker} of ${stack}`);
    for (const [, taker = ''] of shown.out.matchAll(exchanged)) await this.#inTwoRuns(stack, taker);
    const held = shown.plans.at(-1)?.guards.flatMap(({ name, lifted }) => (lifted === undefined ? [name] : [])) ?? [];
    const allow = held.flatMap((name) => ['--allow', name]);
    const lifting = allow.length > 0 ? ['--reason', 'the end'] : [];
    await world.perform(stack, ['apply', '--yes', ...allow, ...lifting]);
    return true;
  }

  /** Who is to get a name that is given up only after it is written has another one for a run. */
  async #inTwoRuns(stack: string, taker: string): Promise<void> {
    const name = this.#callsOtherwise(stack, taker, `${taker} for a run`);
    if (name === undefined) return;
    await this.witness.allowing(stack, ['apply', '--yes']);
    this.#callsOtherwise(stack, taker, name);
  }

  /** The file gives it another name. What it was called. */
  #callsOtherwise(stack: string, address: string, name: Name): Name | undefined {
    const world = this.world;
    const { properties = {} } = world.catalogues.get(stack)?.blocks.get(address) ?? {};
    const field = ['name', 'title', 'mail', 'words'].find((one) => properties[one] !== undefined);
    if (field !== undefined) world.rename(stack, address, { [field]: name });
    return field === undefined ? undefined : properties[field];
  }

  /** Only a person can know which object an interrupted run has made; or they put it away, where no file has the address. */
  async #decided(stack: string, right: string | undefined, all: readonly string[]): Promise<void> {
    const { service } = this.world;
    const { code } = await this.world.perform(stack, (right ?? all[0] ?? '').replaceAll("'", '').split(' ', 3));
    if (code === 0) return;
    for (const words of all.length === 1 ? all : all.filter((each) => each !== right)) {
      const thing = service.things.get(idIn(words));
      if (thing !== undefined && service.truth(thing) !== undefined) this.witness.byHand(() => service.end(thing));
    }
  }

  /** A site does not end while people's own routes lead to it, or boards are in it. */
  #putAway(): void {
    const { service } = this.world;
    const known = new Set(this.witness.records().map(({ id }) => id));
    for (const thing of [...service.living('routes'), ...service.living('boards')])
      if ((!this.witness.made.has(thing.id) || this.witness.isLeft(thing)) && !known.has(thing.id))
        this.witness.byHand(() => service.end(thing));
  }

  /** Nothing has drifted; and when something does, a check says so. */
  async #driftIsTold(stack: string): Promise<boolean> {
    const world = this.world;
    const first = await world.perform(stack, ['drift']);
    const { blocks } = world.catalogues.get(stack) ?? { blocks: new Map<string, Block>() };
    // What the files leave to the platform may be anybody's.
    const own = first.checks
      .at(-1)
      ?.findings.filter(
        ({ address, field, class: kind }) =>
          kind !== 'unmanaged' &&
          (field === undefined || (kind !== 'undeclared-changed' && field in (blocks.get(address)?.properties ?? {}))),
      );
    if (own?.length !== 0) this.blame(`${stack} has drifted in the end: ${JSON.stringify(own)}`);
    const mine = this.witness.records().find(
      ({ stack: of, type, address, inputs, outputs }) =>
        of === stack &&
        type.endsWith(':Site') &&
        blocks.get(address)?.options?.ignoreChanges === undefined &&
        // What is worked out stays written as it is.
        !isExpression(blocks.get(address)?.properties['note']) &&
        // What was changed outside and is in the files by now is still to be applied when it is changed once more.
        first.checks.at(-1)?.converged.some((each) => each.address === address) !== true &&
        // What no answer has shown, and no file says, is nobody's change.
        'note' in { ...inputs, ...outputs },
    );
    const thing = mine === undefined ? undefined : world.service.things.get(mine.id);
    if (thing === undefined) return first.checks.at(-1)?.findings.length !== 0;
    const address = mine?.address ?? '';
    // What no file says is told, too.
    const isFree = mine?.inputs['tags'] === undefined;
    const others = isFree ? { tags: { moved: 'by hand' } } : {};
    this.witness.byHand(() => world.service.change(thing, { note: 'moved by hand at the very end', ...others }));
    const foundIn = async (field: string): Promise<string | undefined> => {
      const { checks } = await world.perform(stack, ['drift']);
      return checks.at(-1)?.findings.find((found) => found.address === address && found.field === field)?.id;
    };
    const note = await foundIn('note');
    if (note === undefined) this.blame(`${stack} ${address} has drifted, and no check says so`);
    if (note !== undefined && world.decisions.atRest(`${stack} says what was found`, 400)) {
      const verb = world.decisions.atRest(`${stack} leaves it out`, 500) ? 'ignore' : 'accept';
      const reason = verb === 'ignore' ? ['--reason', 'seen'] : [];
      await world.perform(stack, ['drift', verb, address, ...reason]);
      for (const field of ['note', 'tags'])
        if ((await foundIn(field)) !== undefined)
          this.blame(`${stack} ${address}.${field} is still told after drift ${verb}`);
      const plan = verb === 'ignore' ? undefined : (await world.perform(stack, ['plan'])).plans.at(-1);
      if (plan?.steps.some((step) => step.address === address) === true)
        this.blame(`${stack} ${address} is in the files as it is, and a plan changes it`);
      return (await world.perform(stack, ['drift'])).checks.at(-1)?.findings.length !== 0;
    }
    // Nor is what no answer has ever shown anybody's change.
    if (note === undefined || !isFree || mine?.outputs['tags'] === undefined) return true;
    // Who records one of two findings has the other one still.
    await world.perform(stack, ['drift', 'record', note]);
    if ((await foundIn('tags')) === undefined) this.blame(`${stack} ${address}.tags has drifted, and no check says so`);
    return true;
  }

  /** A round in peace says of each stack what is true: whether anything has drifted. */
  async #roundIsTrue(moved: ReadonlyMap<string, boolean>): Promise<void> {
    for (const kind of ['check', 'status']) {
      const round = await this.world.perform([...moved.keys()][0] ?? '', ['fleet', kind, '--format', 'json']);
      for (const [stack, hasDrifted] of moved) {
        const state = rowsOf(round)?.find((row) => row.stack === stack)?.state;
        if (state !== (hasDrifted ? 'drift' : 'clean'))
          this.blame(
            `${round.name} tells that ${stack} is ${state ?? 'nowhere'}, which is not so: ${round.out.slice(-300)}`,
          );
      }
    }
  }
}
