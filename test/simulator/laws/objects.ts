import { reach } from '@platform-sync/core/model/graph';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { Intent } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, isObject } from '@platform-sync/core/model/value';
import { hiddenMember, withoutPin } from '../secrets.js';
import type { Deed, Thing } from '../service.js';
import type { Process } from '../simulation.js';
import {
  type Recorded,
  goesByFiles,
  hiddenFields,
  inListOf,
  isAlike,
  isBlind,
  isUnknown,
  keyFields,
  ownPart,
  pathOf,
  same,
  settleMs,
  settled,
  typeBefore,
  typeNames,
} from './facts.js';
import { Laws } from './laws.js';

/** What happens to objects: what is made, changed and ended, and whether anybody said so. */
export class ObjectLaws extends Laws {
  /** What was made beside others of its name because somebody wanted that, or beside one (both ids) that was to stay. */
  readonly #beside = new Set<string>();

  deed({ kind, thing, along, before }: Deed, by: Process | undefined): void {
    const { time } = this.world;
    time.note(`${kind} ${thing.id}${along === true ? ' along' : ''}`);
    if (kind === 'made' && by !== undefined) this.#onlyOne(thing, by);
    if (kind === 'made' && by !== undefined) this.#isMadeByRules(thing, by);
    if (kind === 'made' && by !== undefined) this.#isMadeByWholeList(thing, by);
    if (kind === 'made' && by !== undefined) {
      this.witness.made.add(thing.id);
      this.witness.makers.set(thing.id, by);
      const intent = this.#intentOf(thing, by);
      this.witness.madeFor.set(thing.id, intent?.id ?? '');
      if (intent !== undefined) this.witness.madeAt.set(thing.id, `${by.stack} ${intent.address}`);
    }
    if (before !== undefined && by !== undefined) this.#onlyPlanned(thing, before, by);
    if (before !== undefined && by !== undefined) this.#goesByRules(thing, before, by);
    if (before !== undefined && by !== undefined && thing.collection === 'policy') this.#onlySaid(thing, before, by);
    this.witness.touched.set(thing.id, [...(this.witness.touched.get(thing.id) ?? []), { at: time.now, by }]);
    if (kind === 'ended' && by !== undefined) this.#mayEnd(thing, by, along === true);
    if (before !== undefined && by !== undefined)
      for (const { id, action, identity, type, stack, run } of this.witness.intents())
        if (
          action === 'update' &&
          by.runs.has(`${stack} ${run}`) &&
          this.witness.thingOf(type, identity?.id ?? '') === thing
        )
          this.witness.carriedOutFor.set(id, this.witness.touched.get(thing.id)?.length ?? 0);
  }

  /** The create of that run which is open at this moment: those of one key go one after the other. */
  #intentOf({ collection, home, history }: Thing, { stack: of, runs }: Process): Intent | undefined {
    const field = keyFields[collection];
    const isIt = ({ stack, run, action, type, scope, inputs }: Intent & { readonly stack: string }): boolean =>
      stack === of &&
      runs.has(`${stack} ${run}`) &&
      (home === undefined || Object.values(scope).includes(home)) &&
      action === 'create' &&
      type.endsWith(`:${typeNames[collection]}`) &&
      inputs[field] === history[0]?.values?.[field];
    return this.witness.intents().findLast(isIt);
  }

  /** Of what a run makes, no other run has made one that lives; none that it could see was there by hand. */
  #onlyOne(thing: Thing, by: Process): void {
    const { service } = this.world;
    const field = keyFields[thing.collection];
    const key = service.truth(thing)?.[field];
    // Of what takes the place of another one, a line names what changes only.
    const isOfType = ({ type }: PlanStep): boolean => type.endsWith(`:${typeNames[thing.collection]}`);
    const isSaid = ({ action, fields }: PlanStep): boolean =>
      action === 'create' && fields.some((each) => each.field === field && same(each.new, key ?? null));
    // What has the id of something new in its name.
    const isNamedLate = ({ action, fields }: PlanStep): boolean =>
      action === 'create' && fields.some((each) => each.field === field && isUnknown(each.new ?? null));
    const isNamed = by.plans.some(({ steps }) =>
      steps.some((step) => isOfType(step) && (step.action === 'replace' || isSaid(step) || isNamedLate(step))),
    );
    // An undo may bring back what has the name of another one that it needs.
    const lines = by.plans.at(-1)?.steps.filter((step) => isOfType(step) && isSaid(step)).length ?? 0;
    const copies = Math.max(this.#copies(String(key), by), lines);
    if (!isNamed && field !== 'siteId') this.blame(`${by.name} makes ${thing.id}, which no line named`);
    // Somebody has read that there may be one, and wants another.
    const isAsked = by.plans.some(({ guards }) =>
      guards.some(({ name, lifted }) => lifted !== undefined && name.startsWith('same-name:')),
    );
    const alike = service
      .living(thing.collection)
      .filter((other) => other !== thing && other.home === thing.home && service.truth(other)?.[field] === key)
      .filter((other) => isAlike(thing.collection, service.truth(thing) ?? {}, service.truth(other) ?? {}))
      .filter((other) => !this.#isToBeRenamed(other, by));
    const twins = alike.filter((other) => !this.#isUnseen(other, by));
    for (const other of alike) if (!twins.includes(other)) this.#beside.add(`${thing.id} ${other.id}`);
    if (isAsked) this.#beside.add(thing.id);
    // What people made, and nobody took over, is none of those that files want.
    const kept = new Set(this.witness.records().map(({ id }) => id));
    // What the same plan ends is none of those that stay.
    const ending = new Set(
      by.plans.flatMap(({ steps }) => steps.flatMap(({ action, id }) => (action === 'delete' ? [id] : []))),
    );
    const ours = twins.filter(({ id }) => (this.witness.made.has(id) || kept.has(id)) && !ending.has(id));
    const replaced = by.plans.flatMap(({ steps }) =>
      steps.flatMap(({ action, id }) => (action === 'replace' ? [id] : [])),
    );
    const isAgain = replaced.some((id = '') => {
      const { home, history = [] } = service.things.get(id) ?? {};
      return home === thing.home && history.some(({ values }) => same(values?.[field], key ?? null));
    });
    for (const twin of twins) {
      // What takes the place of another one of its name stands beside whatever that stood beside.
      const isNew = !replaced.some((id = '') => this.#stoodBeside(twin, service.things.get(id), thing));
      const step = by.plans.flatMap(({ steps }) => steps).find((each) => each.id === twin.id);
      const isReplaced = step?.action === 'replace' || step?.action === 'delete';
      if (this.witness.made.has(twin.id) && isNew && !isReplaced && !isAsked && ours.length >= copies)
        this.blame(`${by.name} makes ${thing.id} although ${twin.id} with the same ${field} was made before`);
      else if (
        !isAsked &&
        !isReplaced &&
        !isAgain &&
        !this.witness.made.has(twin.id) &&
        !kept.has(twin.id) &&
        isOld(twin, by)
      )
        this.blame(`${by.name} makes ${thing.id} beside ${twin.id} of the same ${field}, and asks nobody`);
      // Files may say two of a name then, and fewer later: what was to stand beside the other one still does.
      else if (!isReplaced) this.#beside.add(`${thing.id} ${twin.id}`);
    }
  }

  /** Of what is nobody's, and of names that no record has, one list tells, which may be wrong; and nothing tells of a name that people give after the last look. */
  #isUnseen(twin: Thing, by: Process): boolean {
    const { id, collection, history } = twin;
    const field = keyFields[collection];
    const key = history.at(-1)?.values?.[field];
    const named = history.findLastIndex(({ values }) => values?.[field] !== key) + 1;
    const isByHand = this.witness.touched.get(id)?.[named]?.by === undefined;
    const records = this.witness.records((row) => row.id === id);
    const isSo = ({ inputs, outputs }: Recorded): boolean => same(outputs[field] ?? inputs[field] ?? null, key ?? null);
    const isRecorded = records.some((record) => record.stack === by.stack || isSo(record));
    // Who reads nothing knows what its own records say, and nothing else.
    if (isBlind(by)) return !records.some((record) => record.stack === by.stack && isSo(record));
    const isNobodys = this.witness.letGo.has(id) || !this.witness.made.has(id) || (isByHand && !isRecorded);
    if (isNobodys && by.liedAbout.has(`${pathOf(twin)}/${id}`)) return true;
    const [listedAt, readAt = 0] = [pathOf(twin), id].map((looked) => this.witness.read.get(`${by.name} ${looked}`));
    const { inLists = 0, alone = 0 } = history[named] ?? {};
    // Whoever has not looked there at all could have done so since it began.
    // What another stack has let go of lists alone tell, too, and what it is still to delete.
    const isLetGo = this.witness.letGo.has(id) && !this.witness.knownTo.has(`${by.stack} ${id}`);
    const isEnding = this.witness
      .records(({ stack }) => stack !== by.stack)
      .some(({ deposed }) => deposed.some(({ identity }) => identity.id === id));
    return (
      (isByHand || isLetGo || isEnding) &&
      inLists > (listedAt ?? (goesByLooks(by) ? by.startedAt : 0)) &&
      alone > readAt
    );
  }

  /** It was there when the one was made that gives its place to a third of the same name, or somebody or the files wanted both. */
  #stoodBeside(twin: Thing, old: Thing | undefined, made: Thing): boolean {
    const [at = 0, since = 0] = [old, twin].map((each) => this.witness.touched.get(each?.id ?? '')?.[0]?.at);
    const field = keyFields[made.collection];
    const key = old?.history.findLast(({ values }) => values !== undefined)?.values?.[field];
    const isWanted = [twin.id, `${twin.id} ${old?.id ?? ''}`].some((each) => this.#beside.has(each));
    // What people made may have been taken for it.
    const isBeside = since < at || this.witness.letGo.has(twin.id) || isWanted || !this.witness.made.has(old?.id ?? '');
    return old?.home === made.home && isBeside && key === this.world.service.truth(made)?.[field];
  }

  /** Somebody has it, and is to give it another name: where that is held back, the name may be had twice meanwhile. */
  #isToBeRenamed({ id, collection }: Thing, by: Process): boolean {
    const field = keyFields[collection];
    const steps = by.plans.at(-1)?.steps ?? [];
    // What was taken over as something else has its own name still.
    if (steps.some((step) => step.id === id && step.fields.some((each) => each.field === field))) return true;
    return this.witness
      .records((row) => row.id === id)
      .some(({ stack, address, inputs }) => {
        const catalogue = this.world.catalogues.get(stack);
        return catalogue?.blocks.has(address) === true && catalogue.nameOf(address) !== inputs[field];
      });
  }

  /** How many of one key the files of all stacks have, or had when the run began. */
  #copies(key: string, { named }: Process): number {
    const count = (names: Process['named']): number => names.filter((name = key) => name === key).length;
    return Math.max(count(named), count(this.world.names()));
  }

  /** What ends stands in a line that was shown; what is protected does not end unless somebody allowed it by name. */
  #mayEnd(thing: Thing, by: Process, along: boolean): void {
    const { plans } = by;
    const ends = (plan: Plan): readonly PlanStep[] =>
      plan.steps.filter(({ action }) => action === 'delete' || action === 'replace');
    // What was to stay when its block went is told to go with its home.
    const isToldAlong = ({ action, id }: PlanStep): boolean => along && action === 'forget' && id === thing.id;
    const isNamed = plans.some(
      (plan) => ends(plan).some(({ id }) => id === thing.id) || plan.steps.some((step) => isToldAlong(step)),
    );
    const lifted = new Set(
      plans.flatMap(({ guards }) => guards.flatMap(({ name, lifted }) => (lifted === undefined ? [] : [name]))),
    );
    const home = plans
      .flatMap((plan) => ends(plan))
      .find((step) => step.id === thing.home && typeBefore(step).endsWith(':Site'));
    const isOver = !along && plans.at(-1)?.steps.find(({ id }) => id === thing.id)?.action === 'delete';
    const isAllowedAlong = lifted.has(`goes-along:${home?.address ?? ''}`);
    const isSeen = along && this.witness.isSeenBy(by, thing);
    const moved = along && !isNamed ? [] : this.#movedSeen(thing, by, along);
    this.witness.open.push(() => {
      if (thing.collection === 'policy') return;
      this.#endsInTurn(thing, by);
      if (!along) this.#mustHaveHome(thing, by);
      if (by.argv[0] === 'adopt') this.blame(`${by.name} ends ${thing.id}`);
      // A policy has the id of its site, and goes along.
      const records = this.witness.records(({ id, type }) => id === thing.id && !type.endsWith(':Policy'));
      const isLifted = (stack: string, address: string): boolean =>
        [address, `${address}~${thing.id}`, `yard/${stack}:${address}`].some(
          (name) => lifted.has(`delete:${name}`) || lifted.has(`replace:${name}`),
        );
      // What was replaced, and is still there, is protected as what took its place.
      for (const { address, stack, protect, deposed } of this.witness.records())
        if (protect && !along && !isLifted(stack, address) && deposed.some(({ identity }) => identity.id === thing.id))
          this.blame(`${by.name} ends ${thing.id}, which stood before what ${stack} protects as ${address}`);
      const isKnown = along && this.#isKnownElsewhere(thing, by);
      if (along && !isKnown && this.#cameAfterLook(thing, by)) return;
      if (!isNamed && !along) this.blame(`${by.name} ends ${thing.id}, which no line named`);
      if (
        !isNamed &&
        (records.length > 0 || isKnown || (isSeen && !lifted.has('goes-along'))) &&
        along &&
        !isAllowedAlong
      )
        this.blame(`${by.name} ends ${thing.id} along, which nobody allowed`);
      for (const { address, stack, inputs, protect, retainOnDelete } of records) {
        const isNew = this.witness.cameSince(by.startedAt).has(`${stack} ${address}`);
        const isTold = by.plans.some(({ steps }) =>
          steps.some((step) => isToldOf(step, `${address} of the stack yard/${stack}`)),
        );
        if (stack !== by.stack && !along && !isNew && !isTold && goesByLooks(by))
          this.blame(`${by.name} ends ${thing.id}, and does not say that ${stack} has it as ${address}`);
        if (retainOnDelete && isOver) this.blame(`${by.name} ends ${address}, which is to stay when its block goes`);
        const lost = moved.filter((field) => field in inputs);
        if (lost.length > 0) this.blame(`${by.name} ends ${address}, whose ${lost.join()} was changed since its plan`);
        // Who allows that others go along has read nothing of a mark that came later, but of one that was there.
        const isAllowed = isLifted(stack, address) || (isAllowedAlong && isNew);
        // Who ends everything asks the files, too.
        const isSaid = by.argv[0] === 'destroy' && this.#protects(by, stack, address);
        if ((protect || isSaid) && !isAllowed)
          this.blame(`${by.name} ends ${thing.id}, which ${stack} protects as ${address}`);
        const keepers = this.witness.records(
          (row) => row.id === thing.home && row.stack === stack && row.type.endsWith(':Site'),
        );
        if (!along && !isAllowed && keepers.some((keeper) => keeper.protect))
          this.blame(`${by.name} ends ${address}, which lives in what ${stack} protects`);
      }
    });
  }

  /** What depends on it by the state, and ends by the same plan, has ended before. */
  #endsInTurn(thing: Thing, by: Process): void {
    const records = this.witness.records(({ stack }) => stack === by.stack);
    const record = records.find(({ id, type }) => id === thing.id && !type.endsWith(':Policy'));
    // A policy has the id of its site.
    const ends = by.plans.at(-1)?.steps.filter(({ action, type }) => action === 'delete' && !type.endsWith(':Policy'));
    const ending = new Set(ends?.map(({ id }) => id));
    if (record === undefined || !ending.has(thing.id)) return;
    const needed = new Map(records.map(({ address, needs }) => [address, JSON.parse(needs) as readonly string[]]));
    // Of two that were recorded at different times each may depend on the other.
    const before = reach([record.address], (address) => needed.get(address) ?? []);
    for (const { id, type, address } of records) {
      const other = this.witness.thingOf(type, id);
      const isNeeded = needed.get(address)?.includes(record.address) === true && !before.has(address);
      if (isNeeded && ending.has(id) && other !== undefined && other.collection !== 'policy')
        if (this.world.service.truth(other) !== undefined)
          this.blame(`${by.name} ends ${record.address} before ${address}, which depends on it`);
    }
  }

  /** The files of its stack have said that it does not end, and still do. */
  #protects({ stack: of, options }: Process, stack: string, address: string): boolean {
    const now = this.world.catalogues.get(stack)?.blocks.get(address)?.options;
    return stack === of && options.get(`${stack} ${address}`)?.protect === true && now?.protect === true;
  }

  /** What moves into a home that its own plan makes stays where it is until that is there. */
  #mustHaveHome(thing: Thing, by: Process): void {
    const plan = by.plans.findLast(({ steps }) =>
      steps.some(({ id, action }) => id === thing.id && action === 'replace'),
    );
    const step = plan?.steps.find(({ id }) => id === thing.id);
    // What becomes another type does not move: its old object may have the name of its new home.
    if (step?.type.endsWith(`:${typeNames[thing.collection]}`) !== true) return;
    const home = JSON.stringify(step?.fields.find(({ field }) => field === 'siteId')?.new ?? null);
    const [, address = ''] = /"\$unknown":\["([^".]+)\.id"/.exec(home) ?? [];
    const isNew = plan?.steps.some((each) => each.address === address && each.action === 'create') === true;
    const isMade = [...this.witness.makers].some(
      ([id, maker]) => maker === by && this.witness.madeAt.get(id) === `${by.stack} ${address}`,
    );
    // Where the new home waits for the end of the present one, as for its name, nothing can wait for it.
    const steps = new Map(plan?.steps.map((one) => [one.address, one]));
    const earlier = [...reach([address], (each) => steps.get(each)?.dependsOn ?? [])].map((each) => steps.get(each));
    if (earlier.some((one) => one?.id === thing.home && (one?.action === 'delete' || one?.action === 'replace')))
      return;
    if (isNew && !isMade) this.blame(`${by.name} ends ${thing.id}, which moves into ${address}, and that is not there`);
  }

  /** Nothing shows what comes into a home after the last look at it, which is a moment old. */
  #cameAfterLook(thing: Thing, by: Process): boolean {
    const lookedAt = this.#lookedBefore(thing, by, true, pathOf(thing));
    return lookedAt >= by.plannedAt && (this.witness.touched.get(thing.id)?.[0]?.at ?? 0) > lookedAt;
  }

  /** When who ends a thing had last looked, as it sent that end: what it hears later (a look of a job that it gave up) comes too late. */
  #lookedBefore({ id, home = '' }: Thing, { name }: Process, along: boolean, looked: string): number {
    const read = this.witness.readWhenSent.get(`${name} ${along ? home : id}`) ?? this.witness.read;
    return read.get(`${name} ${looked}`) ?? 0;
  }

  /** Another stack had begun to make it, or had made it, when who ends its home looked last: the store is asked after that. */
  #isKnownElsewhere(thing: Thing, by: Process): boolean {
    const { id, collection, home = '', history } = thing;
    const looked = [home, pathOf(thing)].map((each) => this.#lookedBefore(thing, by, true, each));
    const asked = Math.max(by.startedAt, ...looked);
    const cameBefore = (intent: string): boolean => (this.witness.arrivedAt.get(intent) ?? Infinity) < asked;
    const field = keyFields[collection];
    const key = history[0]?.values?.[field];
    const isMade = cameBefore(this.witness.madeFor.get(id) ?? '') && this.witness.makers.get(id)?.stack !== by.stack;
    if (isMade && this.witness.records((row) => row.id === id && row.stack !== by.stack).length > 0) return true;
    return this.witness
      .intents()
      .some(
        ({ id: intent, stack, action, scope, inputs }) =>
          action === 'create' &&
          stack !== by.stack &&
          cameBefore(intent) &&
          Object.values(scope).includes(home) &&
          inputs[field] === key,
      );
  }

  /** Fields of what ends that others have changed since the plan, before its sender looked at it once more. */
  #movedSeen(thing: Thing, by: Process, along: boolean): readonly string[] {
    const { id, collection, history } = thing;
    const touches = (this.witness.touched.get(id) ?? []).slice(0, -1);
    const [now, planned] = [history.at(-2), history[touches.findLastIndex(({ at }) => at <= by.plannedAt)]];
    const [readAt = 0, listedAt = 0] = [id, inListOf(thing)].map((looked) =>
      this.#lookedBefore(thing, by, along, looked),
    );
    const isOwn = touches.some(({ at, by: other }) => other === by && at > by.plannedAt);
    if (collection === 'policy' || isOwn || now === undefined || planned === undefined) return [];
    // What the list alone showed may be older than what its stack wrote a moment ago: a revision does not tell which came first.
    const settled = listedAt - (this.world.scenario.isPrompt === true ? 0 : settleMs);
    const isOlder = touches.some(({ at, by: other }) => other?.stack === by.stack && at > settled);
    // Whoever has looked at it alone has looked at lists since for something else; and people come in right after a look.
    const isListed = now.inLists < listedAt && (readAt < by.plannedAt || listedAt < readAt);
    if (now.alone >= readAt && (!isListed || isOlder)) return [];
    // The rest of a map is anybody's.
    return this.witness
      .records((row) => row.id === id && !row.type.endsWith(':Policy'))
      .flatMap(({ inputs }) => {
        const [own, before] = [now, planned].map(({ values }) => ownPart(values ?? {}, inputs));
        return Object.keys(inputs).filter((field) => !same(own?.[field], before?.[field] ?? null));
      });
  }

  /**
   * What the files of an apply leave alone it leaves alone, as far as a look after its plan has shown it, and what they want of a new
   * object it does not change.
   */
  #goesByRules(thing: Thing, before: JsonObject, by: Process): void {
    const isUndo = by.argv[0] === 'undo';
    if (!goesByFiles(by) && !isUndo) return;
    const address = by.plans.at(-1)?.steps.find(({ id }) => id === thing.id)?.address ?? '';
    const { ignoreChanges = [], ...others } = by.options.get(`${by.stack} ${address}`) ?? {};
    const replaceOnChanges = isUndo ? [] : (others.replaceOnChanges ?? []);
    const shownAt = thing.history.at(-2)?.alone ?? 0;
    if (shownAt > (this.witness.read.get(`${by.name} ${thing.id}`) ?? 0)) return;
    for (const field of [...ignoreChanges, ...replaceOnChanges])
      if (!same(this.world.service.truth(thing)?.[field] ?? null, before[field] ?? null))
        this.blame(
          `${by.name} changes ${field} of ${thing.id}, which its files ${ignoreChanges.includes(field) ? 'leave alone' : 'want of a new one'}`,
        );
  }

  /**
   * What a file wants to be there before is made before, where the same plan makes both; nor is made what a file takes over, unless it
   * was there.
   */
  #isMadeByRules(thing: Thing, by: Process): void {
    if (!goesByFiles(by)) return;
    const address = this.#intentOf(thing, by)?.address ?? '';
    const planned = by.plans.at(-1)?.steps ?? [];
    const options = by.options.get(`${by.stack} ${address}`);
    if (options?.import !== undefined && !this.witness.history(by.stack).some((row) => row.address === address))
      this.blame(`${by.name} makes ${thing.id} for ${address}, which its files take over`);
    const { dependsOn = [] } = options ?? {};
    if (dependsOn.length === 0) return;
    const made = [...this.witness.madeAt].flatMap(([id, at]) => (this.witness.makers.get(id) === by ? [at] : []));
    // What people made since its plan, equal in all that shows, may have been taken for what its create made.
    const taken = this.witness.known(by, by.stack).filter(({ id }) => !this.witness.made.has(id));
    const there = new Set([...made, ...taken.map((record) => `${by.stack} ${record.address}`)]);
    for (const needed of dependsOn)
      if (
        planned.some((step) => step.address === needed && step.action === 'create' && !step.type.endsWith(':Policy')) &&
        !there.has(`${by.stack} ${needed}`)
      )
        this.blame(`${by.name} makes ${address} before ${needed}, which it depends on`);
  }

  /**
   * Where a plan has found that a list lacked something, nothing new is made of which there may be two: it may have lacked others, too.
   * Names that are taken once are asked for by themselves.
   */
  #isMadeByWholeList(thing: Thing, by: Process): void {
    const { service } = this.world;
    const address = this.#intentOf(thing, by)?.address ?? '';
    const planned = by.plans.at(-1)?.steps ?? [];
    const step = planned.find((each) => each.address === address);
    if (
      thing.collection !== 'pages' ||
      step?.action !== 'create' ||
      !step.reasons.some(({ kind }) => kind === 'not-in-state')
    )
      return;
    // Who looks for what an interrupted create has made asks two lists of their own: the plan goes by another one.
    const sought = new Set([...by.out.matchAll(settled)].map(([, each]) => each));
    if (sought.has(address) || planned.some((each) => each.type === step.type && sought.has(each.address))) return;
    // Of what nobody could compare no answer was believed.
    const left = new Set(by.plans.at(-1)?.notCompared.map((each) => each.address));
    for (const { type, id, address: at } of this.witness.records(({ stack }) => stack === by.stack)) {
      const other = this.witness.thingOf(type, id);
      if (other?.collection !== thing.collection || other.home !== thing.home || left.has(at)) continue;
      const liedAt = by.liedAbout.get(`${pathOf(other)}/${id}`) ?? Infinity;
      const [shownAt = 0, listedAt = 0] = [id, inListOf(other)].map((looked) =>
        this.witness.read.get(`${by.name} ${looked}`),
      );
      // Where a list has shown it, a plan goes by that list; a wrong one was asked for something else.
      if (shownAt > liedAt && listedAt === 0 && shownAt <= by.plannedAt && service.truth(other) !== undefined)
        this.blame(`${by.name} makes ${thing.id} where a list lacked ${id}`);
    }
  }

  /** A write changes what a line named, and takes back nothing that its sender could have seen. */
  #onlyPlanned(thing: Thing, before: JsonObject, by: Process): void {
    const steps = by.plans.flatMap(({ steps: all }) => all).filter(({ id }) => id === thing.id);
    if (steps.length === 0) return;
    const named = new Set(steps.flatMap(({ fields }) => fields.map(({ field }) => field)));
    // An answer that denied it has shown nothing of it, nor has one to another try of a worker's job.
    const looks = this.witness.shownAlone.get(`${by.name} ${pathOf(thing)}/${thing.id}`) ?? [];
    const claims = [undefined, ...by.claims.values()];
    const own = looks.filter(({ claim }) => claims.includes(claim));
    const lookedAt = Math.max(0, ...own.map((look) => look.of));
    // A plan may go by what its list showed: what it asks of the object for something else comes at another moment.
    const listedAt = this.witness.read.get(`${by.name} ${inListOf(thing)}`) ?? lookedAt;
    const { alone = 0, inLists = 0 } = thing.history.at(-2) ?? {};
    // Of what was denied wrongly a list alone may have shown anything, and of what a list lacked wrongly reads alone.
    const isMisled = by.liedAbout.has(`${pathOf(thing)}/${thing.id}`);
    const readAt = lookedAt < by.plannedAt ? Math.min(lookedAt, listedAt) : lookedAt;
    // What changed in the very moment of the look may have come after it.
    // What a recovery has read a plan that reads nothing does not go by.
    const isAfter = !isBlind(by) || lookedAt >= by.plannedAt;
    const isShown = alone < readAt && isAfter && (!isMisled || inLists <= listedAt);
    const touches = this.witness.touched.get(thing.id) ?? [];
    // It may have given this field a passing value, which stays its own whatever others change beside it.
    const isOthers = (field: string): boolean => {
      // Settings stood there before anybody touched them.
      const values = thing.history.map((each) => each.values?.[field]).slice(-touches.length - 1);
      const at = touches.findLastIndex((_, nth) => nth === 0 || !same(values[nth - 1] ?? null, values[nth] ?? null));
      return touches[at]?.by !== by;
    };
    if (isShown) this.#takesNoKeys(thing, before, by, steps);
    for (const [field, value] of Object.entries(this.world.service.truth(thing) ?? {}))
      if (field !== 'revision' && !same(before[field], value) && isShown) {
        // What was taken for granted a whole write sends as the file says it.
        const isAssumed = (path: string): boolean =>
          steps.some(({ address }) => this.witness.assumed.has(`${address}.${path}`)) ||
          isTold(by, steps, 'assumed-equal', path);
        if (isAssumed(field)) continue;
        if (isAssumed(`${field}.${hiddenMember}`) && same(withoutPin(before[field]), withoutPin(value))) continue;
        // A whole write leaves out what nobody knows, and says so.
        if (hiddenFields.includes(field) && value === null && isToldLost(by, steps, field)) continue;
        if (!named.has(field)) this.blame(`${by.name} changes ${field} of ${thing.id}, which no line named`);
        else if (
          isOthers(field) &&
          !hiddenFields.includes(field) &&
          !steps.some((step) => isAsTold(step, field, before[field]))
        )
          this.blame(
            `${by.name} changes ${field} of ${thing.id} from ${JSON.stringify(before[field])}, which no line named`,
          );
      }
  }

  /** Out of a map a write takes what a record says, or an open write: the rest is anybody's, whatever a line shows of it. */
  #takesNoKeys(thing: Thing, before: JsonObject, by: Process, steps: readonly PlanStep[]): void {
    const records = this.witness.records(({ id }) => id === thing.id);
    for (const [field, value] of Object.entries(this.world.service.truth(thing) ?? {})) {
      const map = before[field] ?? null;
      if (!isObject(map) || !isObject(value)) continue;
      const lines = steps.flatMap(({ fields }) => fields.filter((one) => one.field === field));
      const begun = this.witness.intents().filter(({ identity }) => identity?.id === thing.id);
      // What a check has told as changed outside is put back as a whole.
      const shown = by.argv[0] === 'drift' ? lines.map((one) => one.old) : [];
      const said = [
        ...shown,
        ...lines.map((one) => one.new),
        ...[...records, ...begun].map(({ inputs }) => inputs[field]),
      ];
      // Of a secret nobody sees the keys.
      if (said.some((one = null) => isUnknown(one))) continue;
      const known = new Set(said.flatMap((one = null) => (isObject(one) ? Object.keys(one) : [])));
      const lost = Object.keys(map).filter(
        (key) => !(key in value) && !known.has(key) && !isToldLost(by, steps, `${field}.${key}`),
      );
      if (lost.length > 0)
        this.blame(`${by.name} takes ${lost.join()} out of ${field} of ${thing.id}, which no line named`);
    }
  }

  /** Of settings, which are always there, a run moves what a line of them names, and takes back what its stack has recorded. */
  #onlySaid(thing: Thing, before: JsonObject, by: Process): void {
    const steps = by.plans.flatMap((plan) => plan.steps).filter(({ type }) => type.endsWith(':Policy'));
    // An end shows all that there is, and takes back its own.
    const named = steps.flatMap(({ action, fields }) => (action === 'delete' ? [] : fields.map(({ field }) => field)));
    const records = this.witness.records(({ type, id }) => type.endsWith(':Policy') && id === thing.home);
    // What takes the place of another's settings stands in no line where it stays the same.
    const begun = this.witness.intents().filter(({ stack, type }) => stack === by.stack && type.endsWith(':Policy'));
    const said = new Set([...named, ...[...records, ...begun].flatMap(({ inputs }) => Object.keys(inputs))]);
    const moved = Object.entries(this.world.service.truth(thing) ?? {}).filter(
      ([field, value]) => !same(before[field], value) && !said.has(field),
    );
    if (moved.length > 0) this.blame(`${by.name} changes ${moved.join()} of ${thing.id}, which nobody has said`);
  }
}

/** Lists showed it as it is when that process began. */
function isOld({ history }: Thing, { startedAt }: Process): boolean {
  return history.every(({ inLists, glimpse }) => Math.max(inLists, glimpse) < startedAt);
}

/** A line named the value that a write takes the place of, as a passing one, too, or did not know it. */
function isAsTold({ fields, risks }: PlanStep, field: string, before: Json | undefined): boolean {
  const isPassing = risks.some(
    (risk) => risk.kind === 'steps-aside' && risk.what.includes(`its ${field} is first ${String(before)}`),
  );
  return fields.some(
    ({ field: name, old = null }) =>
      name === field &&
      ((typeof old === 'object' && old !== null) || isUnknown(old) || same(before ?? null, old) || isPassing),
  );
}

/** A plan says that what no answer shows is taken away, if it is there. */
function isToldLost(by: Process, steps: readonly PlanStep[], field: string): boolean {
  return isTold(by, steps, 'secret-left-out', field);
}

function isTold({ plans }: Process, steps: readonly PlanStep[], what: string, field: string): boolean {
  const addresses = new Set(steps.map(({ address }) => address));
  const told = plans.flatMap(({ notices }) => notices.filter(({ code }) => code === what));
  return told.some((one) => one.field === field && addresses.has(one.address ?? ''));
}

/** Beside what it ends a line says that. */
function isToldOf({ risks }: PlanStep, what: string): boolean {
  return risks.some((risk) => risk.kind === 'cascades' && risk.what.includes(what));
}

/** What is reviewed was planned before it began. */
function goesByLooks({ argv }: Process): boolean {
  return !argv.includes('plan.json');
}
