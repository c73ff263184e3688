import { chooses, lastKey } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { type Json, defined, isObject } from '@platform-sync/core/model/value';
import { outboxFile } from '@platform-sync/state/outbox-file';
import type { StackRow } from '@platform-sync/state/tables';
import { type Block, type Catalogue, neededBy } from '../catalogue.js';
import { existsSync } from '../disk.js';
import { wrongLeftOut, wrongPart, wronglyAccepted } from '../drift-rules.js';
import { hasGone, wronglyHeld } from '../guards.js';
import {
  type Place,
  expectedOf,
  isSame,
  shownFields,
  unshownIn,
  unrevertedAt,
  untoldAt,
  wrongAt,
  wrongFound,
  wrongInItself,
  wrongUnapplied,
  wrongWithin,
  wronglyRecorded,
} from '../plan-model.js';
import { homeIn } from '../nested-blocks.js';
import { wrongPartOf } from '../part-model.js';
import type { Collection, Thing } from '../service.js';
import { type Process, folderOf } from '../simulation.js';
import {
  type Recorded,
  clockSkewMs,
  goesByFiles,
  hiddenFields,
  idIn,
  isBlind,
  isIn,
  isShownBefore,
  isToldRight,
  isUnknown,
  keptIn,
  keyFields,
  keyIn,
  nameOf,
  ownPart,
  replacedIn,
  same,
  settleMs,
  typeBefore,
  typeNames,
  wordAfter,
} from './facts.js';
import { withoutSecrets } from '../secrets.js';
import { Laws } from './laws.js';
import { LookupLaws } from './lookups.js';
import { blockOf, knownPartOf, type Surroundings } from './worked-out.js';

/** What a plan says of another stack's that goes along. */
const ofAnother = /(\S+) of the stack yard\/(\w+)/g;

/** What an error proposes to take over. */
const proposed = /\bsync (?:--stack \w+ )?adopt (\S+) (?:'.+?'|\S+)/g;

/** Of these no two have one name in one place. */
const named: ReadonlySet<Collection> = new Set(['sites', 'routes']);

/** What an error says of the state. */
const doubled = /State has one object at (\S+) and at (\S+?)\.$/gm;

/** What plans and checks say of objects. */
export class PlanLaws extends Laws {
  readonly #lookups = new LookupLaws(this.witness);

  ended(process: Process): void {
    this.#lookups.ended(process);
    this.#mustProposeOthers(process);
    this.#mustKeepMoved(process);
    this.#mustTellOthers(process);
    this.#mustBeInside(process);
    this.#mustNotBeGone(process);
    this.#mustHaveBeenSo(process);
    this.#mustBeOthers(process);
    this.#mustRevertAlone(process);
    this.#mustAskAgain(process);
    this.#mustHaveResolved(process);
    this.#mustBeNobodys(process);
    this.#mustBeRecorded(process);
    this.#mustBeSettled(process);
    this.#mustHaveRefreshed(process);
    this.#mustShowItsPlan(process);
    for (const plan of process.plans) {
      const wrong = wrongInItself(plan);
      if (wrong !== undefined) this.blame(`${process.name} plans what does not fit together: ${wrong}`);
    }
  }

  /**
   * What a plan does at each address follows from the files, the record and the object, wherever none of these is in motion
   * (`plan-model.ts` works it out).
   */
  planned(process: Process, plan: Plan): void {
    const { argv, name } = process;
    const { stack } = plan;
    const { catalogues } = this.world;
    const isOdd = argv.includes('--resend');
    const isPart = plan.partial !== undefined || plan.leftOut !== undefined;
    const { blocks = new Map<string, Block>(), leaving = [] } = catalogues.get(stack) ?? {};
    if (!this.#isOfFiles(process, stack)) return;
    this.#mustLetGo(process, plan);
    const known = new Map(this.witness.known(process, stack).map((record) => [record.address, record]));
    this.#lookups.planned(process, plan, { blocks, records: known });
    this.#mustEndOldOnes(process, plan, known);
    this.#mustKeepNames(process, plan);
    if (isPart) {
      this.#partOf(process, plan);
      return;
    }
    // What an interrupted run has begun counts once a plan has found it.
    const isBegun = this.witness.intents().some((each) => each.stack === stack);
    const cameIn =
      isBegun || [...this.witness.cameSince(process.startedAt)].some((each) => each.startsWith(`${stack} `));
    const wrongGuard = wronglyHeld(
      plan,
      this.world.limits,
      // What comes from another stack is managed, too.
      cameIn || leaving.length > 0 || plan.steps.some(({ from }) => from?.includes(':') === true)
        ? undefined
        : this.witness.known(process, stack).filter((each) => each.stack === stack),
      {
        ...{ blocks, argv, today: new Date(this.world.time.now).toISOString().slice(0, 10) },
        along: this.#staying(plan).filter(({ home }) => home !== undefined).length,
      },
    );
    if (wrongGuard !== undefined) this.blame(`${name} plans, and ${wrongGuard}`);
    const more = plan.mode === 'adopt' ? plan.steps.find(({ action }) => action !== 'adopt') : undefined;
    if (more !== undefined) this.blame(`${name} is to ${more.action} ${more.address}, and takes over alone`);
    if (plan.mode !== 'apply') return;
    const wrong = wrongWithin(plan, blocks);
    if (wrong !== undefined) this.blame(`${name} plans what is not whole: ${wrong}`);
    if (isOdd || !isToldRight(process)) return;
    if (!isBlind(process)) this.#countsOthers(process, plan);
    const steps = new Map(plan.steps.map((step) => [step.address, step]));
    for (const place of this.#placesIn(process, plan)) {
      const step = steps.get(place.address);
      const wrongHere = wrongAt(place, step) ?? untoldAt(place, step, plan);
      if (wrongHere !== undefined) this.blame(`${name} plans ${place.address}: ${wrongHere}`);
    }
  }

  /** What is there and leaves the state alone, and the line of the home that ends with it. */
  #staying({ steps }: Plan): readonly { readonly step: PlanStep; readonly thing: Thing; readonly home?: PlanStep }[] {
    const ends = new Map(
      steps.flatMap((step) =>
        step.action === 'delete' || step.action === 'replace' ? [[step.id ?? '', step] as const] : [],
      ),
    );
    return steps.flatMap((step) => {
      const { action, type, id } = step;
      const thing = action === 'forget' && !hasGone(step) ? this.witness.thingOf(type, id ?? '') : undefined;
      const home = ends.get(thing?.home ?? '');
      return thing === undefined ? [] : [{ step, thing, ...defined({ home }) }];
    });
  }

  /** What leaves the state ends, or lets go of, what that alone knows of. */
  #mustEndOldOnes({ name, startedAt }: Process, plan: Plan, known: ReadonlyMap<string, Recorded>): void {
    const { steps, stack, partial } = plan;
    const going = steps.filter(
      ({ action, reasons }) =>
        action === 'delete' || (action === 'forget' && !reasons.some(({ kind }) => kind === 'removed')),
    );
    if ((partial?.excludes ?? []).length > 0 || going.length === 0) return;
    const came = this.witness.cameSince(startedAt);
    for (const { address, type } of going)
      for (const { identity } of came.has(`${stack} ${address}`) ? [] : (known.get(address)?.deposed ?? [])) {
        const old = this.witness.thingOf(type, identity.id);
        const isThere = old !== undefined && this.world.service.truth(old) !== undefined;
        if (isThere && !steps.some((step) => step.address === `${address}~${identity.id}`))
          this.blame(`${name} plans that ${address} goes, and not ${identity.id}, of which that alone knows`);
      }
  }

  /** What leaves the state and stays keeps its name, where there is one of each. */
  #mustKeepNames(process: Process, plan: Plan): void {
    const { name, startedAt } = process;
    if (!isToldRight(process) || isBlind(process)) return;
    for (const { step, thing } of this.#staying(plan)) {
      const key = this.world.service.truth(thing)?.[keyFields[thing.collection]];
      const touches = this.witness.touched.get(thing.id) ?? [];
      if (!named.has(thing.collection) || !isShownBefore(thing, startedAt) || key === undefined) continue;
      const taker = plan.steps.find(
        ({ address, type, action, fields }) =>
          isMaking(action) &&
          address !== step.address &&
          type === step.type &&
          fields.some(({ field, new: value }) => field === keyFields[thing.collection] && value === key),
      );
      if (taker !== undefined && touches.every(({ at }) => at < startedAt))
        this.blame(`${name} plans that ${taker.address} is called as ${step.address}, which stays`);
    }
  }

  /** What an apply leaves as it is, since files and object say the same, is recorded so. */
  #mustBeSettled(process: Process): void {
    const { name, plans, stack, code, results } = process;
    const [plan, ...others] = plans;
    if (plan === undefined || others.length > 0 || code !== 0 || !goesByFiles(process)) return;
    if (plan.partial !== undefined || plan.leftOut !== undefined || isBlind(process) || !isToldRight(process)) return;
    if (!this.#isLast(process) || !this.#isOfFiles(process, stack) || results.some((each) => each.status !== 'done'))
      return;
    const done = new Set(plan.steps.map(({ address }) => address));
    for (const place of this.#placesIn(process, plan)) {
      const { address, block, record, truth, isYoung } = place;
      if (block === undefined || record === undefined || truth === undefined || isYoung || done.has(address)) continue;
      const wrong = expectedOf(place) === undefined ? wronglyRecorded(block, record, undefined) : undefined;
      if (wrong !== undefined) this.blame(`${name} leaves ${address}, and ${wrong}`);
    }
  }

  /** How many a plan says that nobody manages, at the top or in what the stack has, is how many there are, where nothing is in motion. */
  #countsOthers({ name, startedAt }: Process, { stack, unmanaged, notCompared, steps }: Plan): void {
    const ours = this.witness.records((row) => row.stack === stack);
    const isMoving = [...this.witness.cameSince(startedAt)].some((each) => each.startsWith(`${stack} `));
    const isBegun = this.witness.intents().some((each) => each.stack === stack);
    if (isMoving || isBegun || notCompared.length > 0 || steps.some(({ from }) => from !== undefined)) return;
    const known = new Set([
      ...ours
        .filter(({ type }) => !type.endsWith(':Policy'))
        .flatMap(({ id, deposed }) => [id, ...deposed.map((old) => old.identity.id)]),
      ...steps.flatMap(({ action, type, id }) => (action === 'adopt' && !type.endsWith(':Policy') ? [id] : [])),
    ]);
    const { things } = this.world.service;
    const listKey = (type: string, home: string | undefined): string => `${collectionOf(kindOf(type))} ${home ?? ''}`;
    const told = new Map<string, number>();
    for (const { type, under, count } of unmanaged) {
      const home = ours.find(({ address, type: of }) => address === under && of.endsWith(':Site'))?.id;
      // In a home that is not the stack's own nobody here knows how many there are.
      if ((under === undefined) !== (home === undefined) || (under === undefined && !/:(?:Site|Route)$/.test(type)))
        continue;
      told.set(listKey(type, home), count);
    }
    const isStill = (thing: Thing): boolean =>
      isShownBefore(thing, startedAt) && (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
    // What is recorded, and said, is looked for in the list of its place, which says how many there are.
    const said = this.world.catalogues.get(stack)?.blocks;
    const sites = new Set(ours.flatMap(({ type, id }) => (type.endsWith(':Site') ? [id] : [])));
    const asked = ours.flatMap(({ address, type, id }) => {
      const home = this.witness.thingOf(type, id)?.home;
      // A board that its site shows is not looked for.
      const isListed = !/:(?:Policy|Board)$/.test(type) && this.world.scenario.isUncounted !== true;
      return isListed && said?.has(address) === true && (home === undefined || sites.has(home))
        ? [listKey(type, home)]
        : [];
    });
    for (const key of new Set([...told.keys(), ...asked])) {
      const all = [...things.values()].filter(({ collection, home }) => key === `${collection} ${home ?? ''}`);
      const others = all.filter((each) => !known.has(each.id) && this.world.service.truth(each) !== undefined);
      if (all.every(isStill) && others.length !== (told.get(key) ?? 0))
        this.blame(`${name} tells of ${String(told.get(key) ?? 0)} ${key}, and of ${String(others.length)} it should`);
    }
  }

  /** Its record goes, and what that alone knows of. */
  letGoBy({ stack, steps }: Plan): void {
    const gone = steps.filter(({ reasons }) => reasons.some(({ kind }) => kind === 'removed'));
    if (gone.length === 0) return;
    const at = new Set(gone.map(({ address }) => address));
    const records = this.witness.records((row) => row.stack === stack && at.has(row.address));
    const replaced = records.flatMap(({ deposed }) => deposed.map(({ identity }) => identity.id));
    // What an interrupted run has made there is recorded by the run that lets go of it.
    for (const id of [...gone.flatMap((step) => step.id ?? []), ...records.map((one) => one.id), ...replaced])
      this.witness.retained.add(id);
  }

  /** What the files let go of stays, and what it has replaced. */
  #mustLetGo({ name, argv }: Process, { stack, steps, mode }: Plan): void {
    const catalogue = this.world.catalogues.get(stack);
    if ((mode !== 'apply' && mode !== 'destroy') || argv[0] === 'undo' || argv.includes('plan.json')) return;
    for (const { address, action } of steps)
      if (action === 'delete' && catalogue?.isLetGo(address.split('~')[0] ?? '') === true)
        this.blame(`${name} is to end ${address}, which its files let go of`);
  }

  /** What is left of a plan is as in the whole one, and what is left out has a reason. */
  #partOf(process: Process, plan: Plan): void {
    const { argv, name } = process;
    const { stack } = plan;
    const isByFiles = goesByFiles(process) || argv[0] === 'plan';
    if (!isByFiles || plan.mode !== 'apply' || argv.includes('--resend') || !isToldRight(process)) return;
    const catalogue = this.world.catalogues.get(stack);
    const { blocks = new Map<string, Block>(), aliases = [] } = catalogue ?? {};
    const records = this.witness.known(process, stack).filter((each) => each.stack === stack);
    // What a record names may be called otherwise by now.
    const now = (address: string): string =>
      [...blocks.keys()].find((each) => catalogue?.formerOf(each).includes(address) === true) ?? address;
    const needed = new Map(
      records.map(({ address, needs }) => [address, (JSON.parse(needs) as readonly string[]).map(now)]),
    );
    const at = new Map(records.map(({ id, type, address }) => [keyIn(kindOf(type), id), address]));
    const homes = records.flatMap(({ address, type, id }) => {
      const thing = this.witness.thingOf(type, id);
      const home = thing?.home === undefined ? undefined : at.get(keyIn('Site', thing.home));
      return home === undefined ? [] : [[address, home] as const];
    });
    // What a killed run has begun there may turn out to be made, and to need what is left out.
    const begun = this.witness.intents().flatMap(({ stack: of, address, scope }) => {
      const home = of === stack ? at.get(keyIn('Site', scope['siteId'] ?? '')) : undefined;
      return home === undefined ? [] : [[address, home] as const];
    });
    const wrong = wrongPartOf(plan, this.#placesIn(process, plan), {
      needs: new Map([...needed, ...[...blocks].map(([address, block]) => [address, neededBy(block)] as const)]),
      needed,
      homes: new Map([...begun, ...homes]),
      moves: [...aliases].length > 0 || plan.steps.some(({ from }) => from !== undefined),
    });
    if (wrong !== undefined) this.blame(`${name} plans a part: ${wrong}`);
    // Both ends of a move are part of it, unless the files say both.
    const isNamed = chooses(plan.partial ?? { targets: [], excludes: [] });
    for (const { address, from, reasons } of plan.steps)
      if (from !== undefined && !from.includes(':') && !isNamed(from))
        if (!reasons.some(({ kind }) => kind === 'alias' || kind === 'import'))
          this.blame(`${name} plans a part: ${address} moves from ${from}, which is none of it`);
  }

  /** The same of what a check finds. */
  checked(process: Process, check: DriftResult): void {
    const { name } = process;
    if (check.status === 'failed' || !this.#isOfFiles(process, check.stack)) return;
    const { findings, notCompared, unapplied } = check;
    for (const { address } of [...findings, ...notCompared, ...unapplied])
      if (address !== undefined && !isIn(check, address))
        this.blame(`${name} tells of ${address}, which nobody asked for`);
    const rules = this.world.rulesOf(check.stack);
    const wrongRule = wrongLeftOut(check, rules);
    if (wrongRule !== undefined) this.blame(`${name}: ${wrongRule}`);
    if (!isToldRight(process)) return;
    for (const place of this.#placesIn(process, { ...check, steps: [] })) {
      if (!isIn(check, place.address)) continue;
      // What takes a value from what is to be made waits for that, and a check has no lines that say so.
      const isPlain = this.world.scenario.expressions === undefined;
      const left = isPlain ? wrongUnapplied(place, check) : undefined;
      const wrong = wrongFound(place, check) ?? left ?? wrongPart(place, check, rules);
      if (wrong !== undefined) this.blame(`${name} tells of ${place.address}: ${wrong}`);
    }
  }

  /** All that others have changed is put back by who puts back all: nothing that can be is left out. */
  reverts(process: Process, plan: Plan, told: readonly Diagnostic[]): void {
    const { name, argv } = process;
    const { stack } = plan;
    if (!argv.includes('--all') || !this.#isOfFiles(process, stack) || !isToldRight(process)) return;
    if (this.world.rulesOf(stack).length > 0 || this.world.scenario.expressions !== undefined) return;
    // What could not be compared is no part of such a plan, and not told there.
    const isUntroubled = Object.values(this.world.rates).every((rate) => rate === 0) && process.unansweredUntil === 0;
    const isMoving = [...this.witness.touched.values()].some(
      (touches) => (touches.at(-1)?.at ?? 0) >= process.startedAt,
    );
    if (!isUntroubled || isMoving) return;
    const steps = new Map(plan.steps.map((step) => [step.address, step]));
    for (const place of this.#placesIn(process, { ...plan, steps: [] })) {
      const wrong = unrevertedAt(place, steps.get(place.address));
      // A name may be another one's until the files are applied, which is said.
      if (wrong !== undefined && !told.some(({ address }) => address === place.address))
        this.blame(`${name} puts back all, and ${place.address}: ${wrong}`);
    }
  }

  /** What a command line has written into the files is what it says, and nothing else. */
  accepted({ name, accepted }: Process, before: Catalogue['resources'], after: Catalogue['resources']): void {
    for (const result of accepted) {
      const wrong = wronglyAccepted(before, after, result);
      if (wrong !== undefined) this.blame(`${name} writes into the files what it does not say: ${wrong}`);
    }
  }

  /** What an apply has done stands in the state as its files say it, and as the service has it. */
  #mustBeRecorded(process: Process): void {
    const { name, stack, results, startedAt } = process;
    const [result] = results;
    const { blocks = new Map<string, Block>() } = this.world.catalogues.get(stack) ?? {};
    if (result === undefined || !goesByFiles(process) || !this.#isLast(process) || !this.#isOfFiles(process, stack))
      return;
    const records = new Map(
      this.witness.records((row) => row.stack === stack).map((record) => [record.address, record]),
    );
    // Of what a lookup found, nobody knows when it was asked.
    const asTold = { blocks, doing: new Map<string, PlanStep>(), isMoving: () => false };
    // Who reads nothing goes by the records, whatever a wrong answer has left there.
    const isAsRecorded = (thing: Thing): boolean =>
      [...records.values()].every(
        ({ type, id, outputs }) =>
          this.witness.thingOf(type, id) !== thing ||
          outputs['createdAt'] === this.world.service.truth(thing)?.['createdAt'],
      );
    const isStill = (thing: Thing): boolean =>
      isToldRight(process) &&
      (!isBlind(process) || isAsRecorded(thing)) &&
      (this.witness.touched.get(thing.id)?.at(-1)?.at ?? 0) < startedAt;
    // A policy has the id of its site.
    const typeOf = new Map(process.plans.flatMap(({ steps }) => steps.map((step) => [step.address, step.type])));
    const stillHas = (at: string, id: string | undefined): Recorded | undefined =>
      [...records.values()].find(
        (each) =>
          each.type === typeOf.get(at) && (each.id === id || each.deposed.some((old) => old.identity.id === id)),
      );
    for (const { address, outcome, action, id } of result.steps) {
      const left = action === 'delete' && outcome === 'done' ? stillHas(address, id) : undefined;
      if (left !== undefined)
        this.blame(`${name} has told that ${address} has ended, and ${left.address} still has it`);
      const [block, record] = [blocks.get(address), records.get(address)];
      if (outcome !== 'done' || block === undefined || !isMaking(action)) continue;
      if (record === undefined || (id !== undefined && record.id !== id)) {
        this.blame(`${name} has told that ${address} is ${id ?? 'there'}, and the state has ${record?.id ?? 'none'}`);
        continue;
      }
      const thing = this.witness.thingOf(record.type, record.id);
      // Who looks after a write may be shown what was before.
      const isLate = (last: Thing['history'][number] | undefined, at = 0): boolean =>
        last === undefined || Math.max(last.alone, last.inLists, last.glimpse) > at;
      const touches = this.witness.touched.get(thing?.id ?? '') ?? [];
      // What somebody changed before and no look has shown yet stays to be found.
      const isOthers =
        touches.some(({ at, by }) => by !== process && at >= startedAt) ||
        !isShownBefore({ history: thing?.history.slice(0, -1) ?? [] }, startedAt);
      const truth =
        thing === undefined ||
        isOthers ||
        isBlind(process) ||
        isLate(thing.history.at(-1), touches.at(-1)?.at) ||
        this.witness.isUnkept(address, record.id)
          ? undefined
          : this.world.service.truth(thing);
      // Of what was answered with an id alone, or with nothing, and then did not show, or as before, the record has what was sent.
      const { isTerse = false, isSilent = false } = this.world.scenario;
      const part = truth !== undefined && (isTerse || isSilent) ? ownPart(truth, record.outputs) : truth;
      const said = knownPartOf(this.witness, { ...asTold, records, isStill }, block);
      const wrong = wronglyRecorded(said, record, part);
      if (wrong !== undefined) this.blame(`${name} records ${address}: ${wrong}`);
    }
  }

  /** What a plan or a check is, its words say, and its code. */
  #mustShowItsPlan(process: Process): void {
    const { name, argv, plans, checks, out, code } = process;
    const [plan, ...others] = plans;
    const [check] = checks;
    if (
      argv[0] === 'drift' &&
      argv[1]?.startsWith('--') !== false &&
      check !== undefined &&
      check.status !== 'failed'
    ) {
      const meant = { clean: 0, drift: 2, incomplete: 3 }[check.status];
      if (code !== meant && code !== 1 && code !== 130)
        this.blame(`${name} ends ${String(code)}, and its check is ${check.status}`);
    }
    // What could not be known is not told as carried out.
    if (out.includes('It was applied already')) this.witness.mustHaveLooked(process, process.stack);
    if (argv[0] !== 'plan' || plan === undefined || others.length > 0) return;
    const isBlocked = plan.guards.some(({ lifted }) => lifted === undefined);
    const meant = isBlocked ? 4 : plan.notCompared.length > 0 ? 3 : 0;
    if (code !== meant && code !== 1 && code !== 5 && code !== 130)
      this.blame(`${name} ends ${String(code)}, and what is shown means ${String(meant)}`);
    const wrong = unshownIn(plan, out);
    if (wrong !== undefined) this.blame(`${name} does not show ${wrong}`);
  }

  /** A refresh that ends well has recorded what there is. */
  #mustHaveRefreshed(process: Process): void {
    const { name, argv, stack, code } = process;
    if (argv[0] !== 'refresh' || code !== 0 || !this.#isLast(process) || !isToldRight(process)) return;
    // One flag at most, each a single time.
    const named = (flag: string): readonly string[] => [wordAfter(process, flag) ?? []].flat();
    const isAsked = chooses({ targets: named('--target'), excludes: named('--exclude') });
    for (const { address, record, truth, collection, isYoung } of this.#placesIn(process, {
      stack,
      steps: [],
      notCompared: [],
    }))
      for (const field of shownFields(collection))
        if (isAsked(address) && record !== undefined && truth !== undefined && !isYoung)
          if (
            (field !== 'env' || !isUnknown(record.outputs[field] ?? null)) &&
            !isSame(withoutSecrets(record.outputs[field] ?? null), withoutSecrets(truth[field] ?? null))
          )
            this.blame(
              `${name} ends well, and ${address}.${field} is recorded as ${JSON.stringify(record.outputs[field])}`,
            );
  }

  /** Nobody has written the state of its stack since, and nothing kept it from the store. */
  #isLast(process: Process): boolean {
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === process.stack);
    return process.runs.has(`${process.stack} ${String(row?.lease_fence ?? 0)}`) && this.world.isInPeace(process);
  }

  /** Its files are as it found them. */
  #isOfFiles({ startedAt }: Process, stack: string): boolean {
    return (this.world.writtenAt.get(stack) ?? 0) < startedAt;
  }

  /** What is not in motion of what a plan, or check, is about. */
  #placesIn(
    process: Process,
    { stack, steps, notCompared, notices = [] }: Pick<Plan, 'stack' | 'steps' | 'notCompared'> & Partial<Plan>,
  ): readonly Place[] {
    const { startedAt } = process;
    const { catalogues, service } = this.world;
    const { blocks = new Map<string, Block>(), leaving = [] } = catalogues.get(stack) ?? {};
    const came = this.witness.cameSince(startedAt);
    // A document that somebody pushed may say anything.
    if (
      this.witness
        .history(stack)
        .some((row) => row.kind === 'replace' && (this.witness.arrivedAt.get(nameOf(row)) ?? 0) >= startedAt)
    )
      return [];
    const open = this.witness.intents();
    const records = new Map(this.witness.known(process, stack).map((record) => [record.address, record]));
    const isStill = (thing: Thing): boolean =>
      isShownBefore(thing, startedAt) && (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
    const moving = new Set([
      ...(catalogues.get(stack)?.aliases ?? []),
      ...notCompared.map(({ address }) => address),
      // What the platform does not keep is not written again for now.
      ...notices.flatMap(({ code, address }) => (code === 'not-kept' ? [address] : [])),
      ...open.flatMap((one) => (one.stack === stack ? [one.address] : [])),
      // Its object may stand at another address by now.
      ...[...records.values()].flatMap(({ address, id }) =>
        open.some(({ identity }) => identity?.id === id) ? [address] : [],
      ),
      ...leaving.map(({ from }) => from),
      // Its record stands elsewhere from now on.
      ...steps.flatMap(({ from }) => from ?? []),
    ]);
    const isMoving = (address: string): boolean =>
      // What goes to another stack goes with what stands below it.
      leaving.some(({ from }) => address.startsWith(`${from}/`)) ||
      moving.has(address) ||
      came.has(`${stack} ${address}`) ||
      // What was found as before after a write is not written again for now.
      this.witness.isUnkept(address, records.get(address)?.id);
    const doing = new Map(steps.map(({ address, action }) => [address, action]));
    const around: Surroundings = {
      ...{ blocks, records, isStill, isMoving },
      doing: new Map(steps.map((step) => [step.address, step])),
    };
    // What has no record may be what stood elsewhere, and what has no block may stand elsewhere by now, or be taken over.
    const typesOf = (isWanted: (address: string) => boolean): ReadonlySet<string> =>
      new Set([
        ...[...blocks].flatMap(([address, { type }]) => (isWanted(address) ? [kindOf(type)] : [])),
        ...[...records].flatMap(([address, { type }]) => (isWanted(address) ? [kindOf(type)] : [])),
      ]);
    const unrecorded = typesOf((address) => !records.has(address));
    const unsaid = typesOf((address) => !blocks.has(address));
    const leftKeys = new Set([...records.keys()].filter((each) => !blocks.has(each)).map(lastKey));
    return [...new Set([...blocks.keys(), ...records.keys()])].flatMap((address): readonly Place[] => {
      const [written, record] = [blocks.get(address), records.get(address)];
      const block = written && blockOf(this.witness, around, written);
      if (written !== undefined && block === undefined) return [];
      const { moved, import: taken } = block?.options ?? {};
      const aliases = catalogues.get(stack)?.formerOf(address) ?? [];
      if (isMoving(address) || moved !== undefined || taken !== undefined) return [];
      const kind = kindOf(block?.type ?? record?.type ?? '');
      if (record !== undefined && kindOf(record.type) !== kind) return [];
      if (record === undefined && (unsaid.has(kind) || aliases.length > 0 || open.length > 0)) return [];
      // What moved along with its home may be of another type now.
      if (record === undefined && leftKeys.has(lastKey(address))) return [];
      if (block === undefined && unrecorded.has(kind)) return [];
      const said = block?.properties['siteId'];
      const to = homeIn(said);
      const does = doing.get(to ?? '');
      const isHomeNew = does === 'create' || does === 'replace';
      if (to !== undefined && isMoving(to)) return [];
      const siteId = to === undefined ? said : isHomeNew ? undefined : records.get(to)?.id;
      const home = service.things.get(String(siteId));
      const isAtHome = home !== undefined && service.truth(home) !== undefined && isStill(home);
      if (said !== undefined && !isHomeNew && !isAtHome) return [];
      const collection = collectionOf(kind);
      const thing = record === undefined ? undefined : this.witness.thingOf(record.type, record.id);
      if (record !== undefined && (thing === undefined || !isStill(thing))) return [];
      const isThere = thing !== undefined && service.truth(thing) !== undefined;
      if (block !== undefined && !isThere && this.#isTaken(collection, block, home, thing)) return [];
      const lived = [...records.values()].find(({ id }) => id === thing?.home && thing.collection !== 'sites');
      // What was to end along with what it lived in goes by that.
      if (block === undefined && lived !== undefined && isMoving(lived.address)) return [];
      // Settings are taken back as far as somebody has set them, and what another record has, too, does not end.
      if (block === undefined && (collection === 'policy' || this.#hasOther(stack, address, record))) return [];
      // What a killed run wrote counts from when that was found.
      const isFound = Date.parse(record?.writtenAt ?? '') > startedAt - settleMs - clockSkewMs;
      const isYoung = isFound || this.witness.isYoung({ ...process, stack }, address);
      const isRequested = wordAfter(process, '--replace') === address;
      const place = {
        ...{ address, block, record, collection, isYoung, ...(isRequested ? { isRequested } : {}) },
        ...(catalogues.get(stack)?.isLetGo(address) === true ? { isLetGo: true as const } : {}),
      };
      // Where they are, answers with settings do not say.
      const values = thing === undefined ? undefined : service.truth(thing);
      const truth =
        values === undefined || collection !== 'policy' ? values : { ...values, ...defined({ siteId: thing?.home }) };
      const homeId = typeof siteId === 'string' ? siteId : undefined;
      const whole = { ...place, siteId: homeId, truth, ...(isHomeNew ? { homeDoes: does } : {}) };
      if (!isBlind(process)) return [whole];
      // Of what no answer has shown yet nobody who reads nothing knows what refers to it.
      const step = around.doing.get(address);
      const isOpen = step?.fields.some(({ new: now = null }) => JSON.stringify(now).includes('"$')) === true;
      const recorded = isOpen ? undefined : asRecorded(whole);
      return recorded === undefined ? [] : [recorded];
    });
  }

  #hasOther(of: string, at: string, own: Recorded | undefined): boolean {
    return this.witness
      .records(({ id, type }) => id === own?.id && type === own.type)
      .some(({ stack, address }) => stack !== of || address !== at);
  }

  /** Something else has had its name there. */
  #isTaken(collection: Collection, block: Block, home: Thing | undefined, own: Thing | undefined): boolean {
    const field = keyFields[collection];
    const key = block.properties[field];
    return [...this.world.service.things.values()].some(
      (thing) =>
        thing !== own &&
        thing.collection === collection &&
        (thing.home === undefined || home === undefined || thing.home === home.id) &&
        (collection === 'policy' || thing.history.some(({ values }) => same(values?.[field], key ?? null))),
    );
  }

  /** Who ends a home says that something is in it which nobody manages, and which lists have shown for long. */
  #mustTellOthers({ name, plans, startedAt, liedAbout, argv }: Process): void {
    if (liedAbout.size > 0 || argv.includes('plan.json')) return;
    const managed = new Set(this.witness.records().map(({ id }) => id));
    for (const { steps, guards } of plans)
      for (const step of steps) {
        const { id: home, action, address, risks } = step;
        if ((action !== 'delete' && action !== 'replace') || !typeBefore(step).endsWith(':Site')) continue;
        const isTold =
          risks.some(({ kind }) => kind === 'cascades') || guards.some((guard) => guard.addresses.includes(address));
        // What an interrupted create is taken to have made has a line of its own.
        const named = new Set(steps.map(({ id }) => id));
        const stranger = this.world.service
          .living()
          .find(
            (thing) =>
              thing.home === home &&
              thing.collection !== 'policy' &&
              !this.witness.made.has(thing.id) &&
              !managed.has(thing.id) &&
              !named.has(thing.id) &&
              isShownBefore(thing, startedAt),
          );
        if (!isTold && stranger !== undefined)
          this.blame(`${name} wants to end ${address}, and does not say that ${stranger.id} is in it`);
      }
  }

  /** What is said to go along with an end, and is another stack's, is in what ends. */
  #mustBeInside({ name, plans, startedAt }: Process): void {
    const came = this.witness.cameSince(startedAt);
    for (const { steps } of plans)
      for (const { id: home, address, risks } of steps)
        for (const risk of risks)
          for (const [, at = '', of = ''] of risk.kind === 'cascades' ? risk.what.matchAll(ofAnother) : []) {
            const [record] = this.witness.records((row) => row.stack === of && row.address === at);
            const thing = record === undefined ? undefined : this.witness.thingOf(record.type, record.id);
            if (thing !== undefined && !came.has(`${of} ${at}`) && thing.home !== home && thing.id !== home)
              this.blame(`${name} tells that ${at} of ${of} goes along with ${address}, and it is not in it`);
          }
  }

  /** A home that lists and reads deny is not gone while something of the stack shows in it, nor is what would have gone along. */
  #mustNotBeGone(process: Process): void {
    const { deniedHome, plans, checks, name, argv, startedAt } = process;
    const { service, time } = this.world;
    // A round shows no plan, and says of what could not be read that it is unknown.
    if (deniedHome === undefined || argv[0] === 'fleet') return;
    const { id: home, shown } = deniedHome;
    if (!this.witness.read.has(`${name} /sites/${home}/${shown}`)) return;
    const isSettled = (thing: Thing): boolean =>
      thing.history.length > 0 &&
      thing.history.every(({ inLists, alone }) => Math.max(inLists, alone) < startedAt) &&
      (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt) &&
      service.truth(thing) !== undefined;
    const gone = [
      ...plans.flatMap(({ stack, steps }) =>
        steps.flatMap(({ action, address }) => (action === 'create' ? [`${stack} ${address}`] : [])),
      ),
      ...checks.flatMap(({ stack, findings }) =>
        findings.flatMap((found) => (found.class === 'deleted' ? [`${stack} ${found.address}`] : [])),
      ),
    ];
    const came = this.witness.cameSince(startedAt);
    const records = this.witness.records().filter(({ stack, address }) => !came.has(`${stack} ${address}`));
    for (const record of records) {
      const { stack, address, type, id } = record;
      const thing = this.witness.thingOf(type, id);
      if (thing === undefined || (thing.id !== home && thing.home !== home) || thing.collection === shown) continue;
      const isShown = records.some((each) => {
        const other = each.stack === stack ? this.witness.thingOf(each.type, each.id) : undefined;
        return other?.collection === shown && other.home === home && isSettled(other);
      });
      if (isShown && isSettled(thing) && gone.includes(`${stack} ${address}`))
        this.blame(`${name} tells that ${address} is gone, whose home showed ${shown} of ${stack}`);
    }
    time.note(`${name} was denied ${home}`);
  }

  /** A run has ended it, and could not tell the store: nobody manages it, though lists may show it. */
  #isEnded({ stack, type, id }: Recorded): boolean {
    const thing = this.witness.thingOf(type, id);
    const isOpen = this.witness
      .intents()
      .some((one) => one.stack === stack && one.action === 'delete' && one.type === type && one.identity?.id === id);
    return isOpen && thing !== undefined && this.world.service.truth(thing) === undefined;
  }

  /** What may have been made, or is nobody's, is not what the stack had recorded all along; nor is told of the state what it does not say. */
  #mustProposeOthers(process: Process): void {
    const { name, argv, out, stack } = process;
    // A plan that was reviewed is told as it was made.
    const told = argv.includes('plan.json') ? [] : out.matchAll(proposed);
    for (const [words, address = ''] of told) {
      const id = idIn(words);
      const [record] = this.witness.records(
        (row) => row.stack === stack && row.id === id && !row.type.endsWith(':Policy'),
      );
      if (
        record !== undefined &&
        !this.#isEnded(record) &&
        !isKeptAsEnded(process, record) &&
        !this.witness.cameSince(process.startedAt).has(`${stack} ${record.address}`)
      )
        this.blame(`${name} proposes ${id} for ${address}, and it stands in ${record.address}`);
    }
    for (const [, ...addresses] of out.matchAll(doubled)) {
      // What another stack is to give stands there.
      const places = addresses.map((address) => (address.includes(':') ? address : `${stack}:${address}`));
      const ids = this.witness.records((row) => places.includes(`${row.stack}:${row.address}`)).map(({ id }) => id);
      const came = this.witness.cameSince(process.startedAt);
      if ((ids.length !== 2 || new Set(ids).size !== 1) && !places.some((place) => came.has(place.replace(':', ' '))))
        this.blame(`${name} tells that ${addresses.join(' and ')} are one object, which the state does not say`);
    }
  }

  /** What a plan or check tells of an object was so at some time: no answer alone is believed that says something new. */
  #mustHaveBeenSo({ name, argv, plans, checks }: Process): void {
    // Who reads nothing goes by a record that may have what was sent, and no more; who shows what was reviewed may show that.
    const { isTerse, isSilent } = this.world.scenario;
    const mayHaveSent = (isTerse === true || isSilent === true) && (isBlind({ argv }) || argv.includes('plan.json'));
    const told = [
      ...plans.flatMap(({ steps }) =>
        steps.flatMap(({ address, type, id = '', fields, reasons }) =>
          // Of another type it had none of these fields, though a policy has the id of its site; where nothing differs, what
          // is replaced because somebody wants that is told by what the new one gets.
          reasons.some(({ kind }) => kind === 'type-changed') ||
          (reasons.some(({ kind }) => kind === 'requested') && fields.every(({ old }) => old === undefined))
            ? []
            : fields.map(({ field, old = null }) => ({ address, type, id, field, value: old })),
        ),
      ),
      ...checks.flatMap(({ findings }) =>
        findings.flatMap(({ address, type, objectId: id = '', field, new: value = null, class: kind }) =>
          field === undefined || kind !== 'modified' ? [] : [{ address, type, id, field, value }],
        ),
      ),
    ];
    for (const { address, type, id, field, value } of told) {
      const thing = this.witness.thingOf(type, id);
      if (thing === undefined || !type.endsWith(`:${typeNames[thing.collection]}`)) continue;
      if (hiddenFields.includes(field) || isObject(value) || isUnknown(value) || (mayHaveSent && value === null))
        continue;
      const known = thing.history.flatMap(({ values }) => (values === undefined ? [] : [values]));
      if (known.some((values) => field in values) && !known.some((values) => same(values[field] ?? null, value)))
        this.blame(`${name} tells that ${address}.${field} was ${JSON.stringify(value)}, which it never was`);
    }
  }

  /** The record has what was sent, and nothing else; of what a file says in part, that part stands there as it was sent. */
  #isUnseenBeside(stack: string, at: string, field: string, now: Json = null): boolean {
    return this.witness
      .records((row) => row.stack === stack && row.address === at)
      .some(({ inputs, outputs }) => {
        const said = inputs[field] ?? null;
        const isPart = isObject(said) && same(said, outputs[field] ?? null) && same(now, said);
        return (isPart || !(field in inputs)) && Object.keys(outputs).every((name) => name in inputs);
      });
  }

  /** What is told as changed outside, or as gone, somebody else has changed, or ended: not the runs of its own stack alone. */
  #mustBeOthers({ name, argv, stack: of, plans, checks, startedAt, liedAbout }: Process): void {
    // A plan that was reviewed is told as it was made.
    if (liedAbout.size > 0 || argv.includes('plan.json')) return;
    const told = [
      ...plans.flatMap(({ stack, steps }) =>
        steps.flatMap(({ address, type, id = '', action, fields }) =>
          action === 'update' && stack === of
            ? fields.flatMap(({ field, cause, old: now }) =>
                cause === 'config' ? [] : [{ stack, address, type, id, field, now }],
              )
            : [],
        ),
      ),
      ...checks.flatMap(({ stack, findings }) =>
        findings.flatMap(({ address, type, objectId: id = '', field, class: kind, new: now }) =>
          kind === 'modified' || kind === 'undeclared-changed' || kind === 'deleted'
            ? [{ stack, address, type, id, field, now }]
            : [],
        ),
      ),
    ];
    for (const { stack, address, type, id, field, now } of told) {
      const thing = this.witness.thingOf(type, id);
      const touches = this.witness.touched.get(thing?.id ?? '') ?? [];
      if (thing === undefined || touches.length === 0 || this.witness.letGo.has(id)) continue;
      const isPushed = this.world.processes.some(({ argv }) => argv[0] === 'state' && argv[1] !== 'unlock');
      if (touches.some(({ at }) => at >= startedAt)) continue;
      const last = touches.at(-1);
      // An answer that shows after a write what was there before it is recorded as a whole, and what stands there is told when it shows.
      if (field !== undefined && this.witness.isUnkept(address, id)) continue;
      // Where no answer came after the first write, nobody knows what stood there beside what was sent.
      if (field !== undefined && this.#isUnseenBeside(stack, address, field, now)) continue;
      // An answer that is older than the last write says what was there before it: what is no more in the record is known by that. What a
      // refresh has recorded by such an answer is told when the write shows.
      const mayBeOld =
        (!isShownBefore(thing, startedAt) && (field === undefined || !this.#isTakenOut(stack, address, field, now))) ||
        this.witness.hasTaken(stack, address, (ms) => !isShownBefore(thing, ms));
      // What went along with the end of its home, as told, the next plan or check finds gone.
      const isAlong = ({ id: ended, risks }: PlanStep): boolean =>
        ended === thing.home && risks.some(({ kind }) => kind === 'cascades');
      if (field === undefined && last?.by?.plans.some(({ steps }) => steps.some(isAlong)) === true) continue;
      // Who was shown what had ended, or what stood there before the last write, has taken that over.
      const endedAt = this.world.service.truth(thing) === undefined ? (last?.at ?? 0) : Infinity;
      const isTakenLate = this.witness.history(stack).some((row) => {
        if (row.kind !== 'record' || row.address !== address) return false;
        if ((JSON.parse(row.body) as { readonly before: unknown }).before !== null) return false;
        const at = this.witness.arrivedAt.get(nameOf(row)) ?? 0;
        const isByItself = last?.by?.runs.has(`${stack} ${String(row.run)}`) !== true;
        return at > endedAt || (isByItself && at > (last?.at ?? 0) && !isShownBefore(thing, at));
      });
      const isLate = isTakenLate || this.#isRecordedLate(stack, address, thing, field);
      if (this.witness.isWrittenBy(stack, touches) && !isPushed && !mayBeOld && !isLate)
        this.blame(
          `${name} tells that ${address}${field === undefined ? '' : `.${field}`} was changed outside, and its own runs alone have written ${id}`,
        );
    }
  }

  /** Who was shown what had ended has taken it over; and who was shown a field as before an earlier run wrote it has recorded it so. */
  #isRecordedLate(stack: string, address: string, { id, history }: Thing, field?: string): boolean {
    const touches = this.witness.touched.get(id) ?? [];
    // Settings have been there before anybody wrote them.
    const versions = history.slice(-touches.length);
    const isWritten = (at: number): boolean => {
      const [before, now] = [history.at(at - touches.length - 1)?.values, versions[at]?.values];
      return field === undefined || now === undefined || JSON.stringify(now[field]) !== JSON.stringify(before?.[field]);
    };
    return this.witness.history(stack).some((row) => {
      if (row.kind !== 'record' || row.address !== address) return false;
      const run = `${stack} ${String(row.run)}`;
      const arrivedAt = this.witness.arrivedAt.get(nameOf(row)) ?? 0;
      const last = touches.findLastIndex(({ at }, index) => at < arrivedAt && isWritten(index));
      const version = versions[last];
      if (version === undefined) return false;
      if (version.values === undefined) return (JSON.parse(row.body) as { readonly before: unknown }).before === null;
      const { startedAt = arrivedAt } = this.world.processes.find(({ runs }) => runs.has(run)) ?? {};
      return version.alone > startedAt && touches[last]?.by?.runs.has(run) !== true;
    });
  }

  /** Something of that value is no more in what the record says of that field. */
  #isTakenOut(stack: string, address: string, field: string, now: Json = null): boolean {
    const [record] = this.witness.records((row) => row.stack === stack && row.address === address);
    const [said, was] = [record?.inputs[field], record?.outputs[field] ?? null];
    if (record === undefined || now === null) return false;
    if (!isObject(now)) return said === undefined && now !== 'plain' && now !== 'open' && now !== 0;
    return Object.keys(now).some((key) => !isObject(was) || !(key in was));
  }

  /** What files alone say, and no apply has carried out, waits for that, whatever somebody puts back. */
  #mustRevertAlone({ name, argv, plans }: Process): void {
    if (argv[0] !== 'drift' || argv[1] !== 'revert') return;
    for (const { steps } of plans) {
      // What is made anew needs what it refers to as the files say.
      if (steps.some(({ action }) => action === 'create' || action === 'replace')) continue;
      for (const { address, action, fields } of steps)
        if (action === 'update' && fields.every(({ cause }) => cause === 'config'))
          this.blame(`${name} changes ${address}, of which nothing was found`);
    }
  }

  /** What was made anew for a change outside is not made anew for one of the same again, unless somebody says so. */
  #mustAskAgain({ name, plans }: Process): void {
    for (const { steps, guards } of plans) {
      const asked = new Set(guards.map((guard) => guard.name));
      for (const step of steps) {
        const before = this.witness.madeForDrift.get(keyIn(step.type, step.id ?? '')) ?? [];
        if (step.action !== 'replace' || asked.has(`replace:${step.address}`)) continue;
        if (step.cause === 'drift' && replacedIn(step).some((field) => before.includes(field)))
          this.blame(`${name} replaces ${step.address} once more for what others do, and asks nobody`);
      }
    }
  }

  /** What a check tells as nobody's no stack has recorded, nor is it still to be deleted by one. */
  #mustBeNobodys({ name, checks, startedAt }: Process): void {
    const told = checks.flatMap(({ findings }) => findings.filter((found) => found.class === 'unmanaged'));
    if (told.length === 0) return;
    const came = this.witness.cameSince(startedAt);
    const records = this.witness.records().filter(({ stack, address }) => !came.has(`${stack} ${address}`));
    for (const { objectId = '', type: token } of told)
      for (const { id, stack, address, type, deposed } of records)
        // A policy has the id of its site.
        if (type === token && (objectId === id || deposed.some(({ identity }) => identity.id === objectId)))
          this.blame(`${name} tells that ${objectId} is nobody's, and ${stack} has it as ${address}`);
  }

  /** Of what nothing has shown to a check nobody knows whether it is as it was. */
  #mustHaveResolved(process: Process): void {
    const came = this.witness.cameSince(process.startedAt);
    for (const { stack, resolved, findings } of process.checks)
      for (const { address, class: kind, by } of resolved) {
        const [, objectId = ''] = /:([^:]+)$/.exec(address) ?? [];
        // Settings that are as they were at first no list shows; what stands in a home that moved is found below its new address.
        const isFound = findings.some((found) => found.objectId === objectId);
        if (by === 'settled' && kind === 'unmanaged' && !address.includes('Policy:') && !isFound)
          this.#mustBeOver(process, stack, address);
        if (by !== 'settled' || (kind !== 'modified' && kind !== 'undeclared-changed')) continue;
        const [record] = this.witness.known(process, stack).filter((each) => each.address === address);
        if (record === undefined || came.has(`${stack} ${address}`) || this.witness.isShownTo(process, stack, record))
          continue;
        this.blame(`${process.name} tells that ${stack} ${address} is settled, and nothing has shown it to it`);
      }
  }

  /** What nobody managed, and is told as settled, has ended, or somebody has it by now. */
  #mustBeOver(process: Process, of: string, address: string): void {
    const { name, startedAt } = process;
    const thing = this.world.service.things.get(address.slice(address.lastIndexOf(':') + 1));
    if (thing === undefined || this.world.service.truth(thing) === undefined || !isToldRight(process)) return;
    const isStill =
      isShownBefore(thing, startedAt) && (this.witness.touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
    const isHad = this.witness
      .records()
      .some(({ id, deposed }) => id === thing.id || deposed.some(({ identity }) => identity.id === thing.id));
    // A file may take it over, or its home be another's by now.
    const key = this.world.service.truth(thing)?.[keyFields[thing.collection]];
    const isWanted =
      [...process.options.values()].some((options) => options?.import?.includes(thing.id) === true) ||
      [...process.keys.values()].some((each) => each === key);
    const isElsewhere =
      thing.home !== undefined && !this.witness.records((row) => row.stack === of).some(({ id }) => id === thing.home);
    const isMoving = [...this.witness.cameSince(startedAt)].some((each) => each.startsWith(`${of} `));
    if (isStill && !isHad && !isWanted && !isElsewhere && !isMoving && this.witness.intents().length === 0)
      this.blame(`${name} tells that ${address} of ${of} is settled, and it lives, and nobody has it`);
  }

  /** What the files say stands elsewhere now does not end. */
  #mustKeepMoved({ name, argv, stack, plans, aliases }: Process): void {
    if (argv[0] === 'destroy' || argv[0] === 'undo' || argv.includes('--destroy')) return;
    const catalogue = this.world.catalogues.get(stack);
    // Something of another type may stand where the moved one stood: from an undo, or from another stack.
    const hasMoved = (former: string, type: string): boolean =>
      [...(catalogue?.blocks ?? [])].some(
        ([address, block]) =>
          type.endsWith(block.type.slice('yard'.length)) && catalogue?.formerOf(address).includes(former) === true,
      );
    for (const { steps, stack: of, guards } of plans) {
      // Where what was called so has an object of its own, somebody is asked.
      const asked = new Set(guards.map((guard) => guard.name));
      for (const { address, action, type } of steps)
        // A round plans for stacks whose files say nothing of these addresses.
        if (of === stack && action === 'delete' && aliases.has(address) && !asked.has(`delete:${address}`))
          if (hasMoved(address, type)) this.blame(`${name} wants to end ${address}, which moved`);
    }
  }
}

/** Undefined: its record does not show all of it. */
function asRecorded(place: Place): Place | undefined {
  const { inputs = {}, outputs } = place.record ?? {};
  if (outputs === undefined) return place;
  const { password: _, siteId = null, ...rest } = inputs;
  // Where answers leave out what is not set, or do not say where they are, what was sent stands in.
  return isUnknown(rest) || isUnknown(outputs) ? undefined : { ...place, truth: { siteId, ...rest, ...outputs } };
}

/** What has an object at its address as the file says it; what is taken over may keep what only a new one could have. */
function isMaking(action: string): boolean {
  return action === 'create' || action === 'update' || action === 'replace';
}

/** Of a block or a record. */
function kindOf(type: string): string {
  return type.split(':').at(-1) ?? '';
}

function collectionOf(kind: string): Collection {
  return (Object.keys(typeNames) as Collection[]).find((each) => typeNames[each] === kind) ?? 'sites';
}

/** What a run kept on this disk says that it has ended, and the next one there goes by that before the store has it. */
function isKeptAsEnded(process: Process, { address, id }: Recorded): boolean {
  const path = outboxFile(folderOf(process, process.stack), 'yard', process.stack).location;
  const kept = existsSync(path) ? keptIn(path) : [];
  return kept.some(({ changes }) =>
    changes.some((change) =>
      change.kind === 'put'
        ? change.resource.address === address && change.resource.identity.id !== id
        : change.kind === 'remove' && change.address === address,
    ),
  );
}
