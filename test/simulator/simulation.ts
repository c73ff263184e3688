import './signals.js';
import { runProgram } from '@platform-sync/cli/program';
import type { Host } from '@platform-sync/cli/process/host';
import { openProject } from '@platform-sync/engine/engine';
import type { ApplyResult, OpenOptions, Project } from '@platform-sync/engine/api';
import { parentAddress } from '@platform-sync/core/model/address';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Event } from '@platform-sync/core/model/event';
import type { Job, JobFound } from '@platform-sync/core/model/fleet';
import type { Plan } from '@platform-sync/core/model/plan';
import type { AcceptResult } from '@platform-sync/core/model/results';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';
import { SqlStateStore } from '@platform-sync/state/sql-store';
import type { Database } from '@platform-sync/state/database';
import type { ResourceRow } from '@platform-sync/state/tables';
import { load } from 'js-yaml';
import { Catalogue, movingEdits, neededBy, usualHabits, type Block, type Seen } from './catalogue.js';
import type { GuardSettings } from '@platform-sync/core/model/project';
import { Chance, Decisions } from './chance.js';
import type { Rule } from './drift-rules.js';
import { addressesIn } from './expressions.js';
import { emptyDisk, existsSync, mkdirSync, readFileSync, writeFileSync } from './disk.js';
import { jobsFor, type Claim } from './jobs.js';
import { Judge } from './judge.js';
import { keyFields, pollMs, typeNames } from './laws/facts.js';
import { lineTo, Past, type DeniedHome } from './line.js';
import {
  between,
  handKinds,
  isForAWhile,
  noTrouble,
  type Act,
  type HandEdit,
  type HandKind,
  type Mishap,
  type Rates,
  type Scenario,
} from './scenario.js';
import { Service, type Collection, type Thing } from './service.js';
import { homeIn, read } from './nested-blocks.js';
import { rotatedByHand } from './secrets.js';
import { spelledByHand } from './shapes.js';
import { remoteDatabase } from './store.js';
import { Tables } from './tables.js';
import type { Connect } from '@platform-sync/rest/http/transport';
import { leaseMs, yardPackage } from './types.js';
import { VirtualTime } from './virtual-time.js';

type Run = Extract<Act, { readonly kind: 'run' }>;
type Command = Extract<Act, { readonly kind: 'command' }>;

/** One command line, from its first event to its end. */
export interface Process {
  readonly name: string;
  /** What its decisions go by. */
  readonly label: string;
  readonly pid: number;
  readonly machine: string;
  readonly stack: string;
  readonly argv: readonly string[];
  /** Addresses of which its files said that they are others now, whenever it may have read them. */
  readonly aliases: Set<string>;
  /** What the files of all stacks say of how resources are managed, by stack and address. */
  readonly options: Map<string, Block['options']>;
  /** What the files of all stacks call each resource, by stack and address. */
  readonly keys: ReadonlyMap<string, string>;
  /** Names in the files of all stacks when it began. */
  readonly named: readonly (string | undefined)[];
  readonly startedAt: number;
  isDead: boolean;
  /** It stands still until then. */
  frozenUntil: number;
  /** So much its clock is behind since it stood still. */
  sleptMs: number;
  /** So much the clock that tells how long things take is, which stood still with it. */
  dozedMs: number;
  code: number | undefined;
  /** When it ended, or was killed. */
  endedAt: number | undefined;
  /** When it was first asked to stop. */
  stoppedAt: number | undefined;
  out: string;
  /** When it first told that a step had failed. */
  failedAt: number | undefined;
  /** Ids of what it was answered to have made. */
  readonly answered: Set<string>;
  /** The part of that which is data. */
  data: string;
  /** When it had the plan that it carries out. */
  plannedAt: number;
  /** What it has planned, in the order of planning, a reviewed plan among them. */
  readonly plans: Plan[];
  readonly results: ApplyResult[];
  /** What each of these carried out: a worker of a fleet plans and applies many times. */
  readonly carriedOut: Map<ApplyResult, Plan>;
  readonly checks: DriftResult[];
  /** When each of these began, and when it had it. */
  readonly checkedAt: Map<DriftResult, { readonly from: number; readonly to: number }>;
  /** What it has written into the files. */
  readonly accepted: AcceptResult[];
  /** Jobs that it has done, and how each left its stack. */
  readonly jobs: (JobFound & { readonly job: Job; readonly claims: readonly Claim[] })[];
  /** Of a worker: its queue has given up a job of it. */
  hasGivenUp: boolean;
  /** Of a worker, by stack: the job that it is about. */
  readonly claims: Map<string, Claim>;
  /** Leases it was given. */
  readonly leases: Set<string>;
  /** When it was given the last one. */
  leasedAt: number | undefined;
  /** Their stacks and numbers. */
  readonly runs: Set<string>;
  /** So many of its writes the service has refused. */
  refusals: number;
  /** It was told once more to stop, and did at once. */
  isBrokenOff: boolean;
  /** What it was told something wrong about, and when. */
  readonly liedAbout: Map<string, number>;
  /** It does not reach the store until then, although others do. */
  cutOffUntil: number;
  /** Something that it asked of the store was refused, or not answered. */
  isStoreLost: boolean;
  /** How often. */
  storeLosses: number;
  /** The same of the service, and of its writes alone. */
  unansweredUntil: number;
  unansweredWritesUntil: number;
  /** How many of a thousand of these are carried out. */
  unansweredArrive: number;
  /** It may end nothing until then, or nothing of odd or even numbers. */
  noEndsUntil: number;
  noEndsOf: 0 | 1 | undefined;
  /** So long the service asks it to wait when it asks for something next. */
  heldMs: number | undefined;
  /** Each of its requests takes seconds. */
  isSlow: boolean;
  isStoreSlow: boolean;
  /** Its writes are answered late. */
  tarries: boolean;
  /** So much of a thousand that it asks is answered wrongly until then. */
  misledUntil: number;
  misledOften: number;
  /** How lists are wrong then; undefined: each in its own way. */
  misledBy: string | undefined;
  /** Lists say until then that there is more in them. */
  miscountedUntil: number;
  /** Of one that only looks: whoever answers it does not know that home, but for one kind of what lives in it. */
  deniedHome: DeniedHome | undefined;
  /** Writes that have left and of which no answer has told whether they were carried out. */
  openWrites: number;
  /** Path of its last write, or of the look at which somebody meets it. */
  lastWrite: string;
  /** How often people have come in between. */
  meetings: number;
  signal: (name: 'SIGINT') => void;
  onWrite: () => void;
  onQuestion: () => void;
  onLook: (path: string) => void;
  onPlan: () => void;
}

export interface Outcome {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly runs: number;
  readonly events: number;
  readonly virtualMs: number;
  readonly trace: readonly string[];
  /** The same world, with nothing left to a number. */
  readonly told: () => Scenario;
}

/** A whole evening of virtual time; whatever has not ended by then never ends. */
const longestRunMs = 2 * 3_600_000;
const settings = {
  // Few at a time, so that some wait.
  concurrency: 2,
  project: 'yard',
  stacks: { one: {}, two: {} },
  guards: {
    ...{ maxDeletes: 1000, maxDeletePercent: 100 },
    allow: ['emptyCatalogue', 'everythingGone', 'maxMissing', 'adopt'].map((guard) => ({ guard, reason: 'simulated' })),
  },
};

/** One for all worlds, which come one after the other: it is made once. */
const tables = new Tables();

/** A field that people change. */
const anybodys = {
  sites: 'note',
  pages: 'body',
  routes: 'note',
  members: 'rank',
  boards: 'text',
  notes: 'color',
  policy: 'mode',
} as const;

/** What people call what they make. */
const handName = 'by hand';

/** What nobody writes into a file. */
const untold: ReadonlySet<string> = new Set(['createdAt', 'password', 'revision', 'token']);

/** Folder of the fleet.yaml of those who look at all stacks, with a folder for each. */
const fleetFolder = '/fleet';

/** Where a process finds the files of a stack. */
export function folderOf(process: Pick<Process, 'argv'>, stack: string): string {
  return `${isOfFleet(process) ? fleetFolder : '/world'}/${stack}`;
}

/** Nobody asks there: the simulator opens all state. */
const fleetDatabase = 'postgres://127.0.0.1:9/world';

/** What writes neither state nor anything else; `drift` has no verb then. */
const lookers: ReadonlySet<string> = new Set(['plan', 'drift ', 'fleet check', 'fleet plan']);

/** What may go by the records alone. */
const goesBlind: ReadonlySet<Run['command']> = new Set([
  ...(['plan', 'review', 'apply', 'apply allowed', 'apply target', 'apply no-delete', 'apply fail-fast'] as const),
  ...(['apply waiting', 'destroy', 'destroy allowed', 'adopt'] as const),
]);

/** What each command may be asked for in part, or otherwise than in most; nothing before it: an address. */
const parts = ['--target', '--exclude'] as const;
const planParts = [...parts, '--replace', '--no-delete', '--destroy'] as const;
const partsOf: Readonly<Partial<Record<Run['command'], readonly string[]>>> = {
  ...{
    plan: planParts,
    review: planParts,
    refresh: parts,
    adopt: parts,
    drift: [...parts, '--target', '--refresh full'],
  },
  ...{ 'destroy allowed': ['--target'], undo: [''], 'undo edit': [''] },
};

/** What looks at all stacks of a fleet. */
function isOfFleet({ argv }: Pick<Process, 'argv'>): boolean {
  return argv[0] === 'fleet';
}

/** How many a round has looked at is one document; a worker tells each job by itself. */
export function isRound({ argv }: Pick<Process, 'argv'>): boolean {
  return argv[0] === 'fleet' && argv[1] !== 'work';
}

/** One world: a service, a store, machines with files, people, and the command lines that they run. */
export class Simulation {
  readonly time = new VirtualTime();
  readonly service: Service;
  readonly scenario: Scenario;
  readonly tables = tables;
  readonly #database: Database;
  readonly catalogues: ReadonlyMap<string, Catalogue>;
  readonly processes: Process[] = [];
  readonly judge: Judge;
  readonly decisions: Decisions;
  readonly #told: Act[] = [];
  rates: Rates;
  /** When the files of each stack were written last. */
  readonly writtenAt = new Map<string, number>();
  /** What holds plans back. */
  limits: GuardSettings;
  /** Of each stack what its sync.yaml leaves out of checks. */
  readonly #rules = new Map<string, readonly Rule[]>();
  #storeAwayUntil = 0;
  #serviceAwayUntil = 0;
  #clockErrorMs = 0;
  #acting = 0;

  constructor(scenario: Scenario, { isTraced = false } = {}) {
    this.scenario = scenario;
    this.rates = scenario.rates ?? noTrouble;
    this.decisions = new Decisions(scenario.seed, scenario.decisions);
    if (isTraced) this.time.trace = [];
    this.service = new Service(this.time, this.decisions);
    this.service.lagMs = scenario.lagMs ?? 0;
    this.service.late = scenario.late ?? 500;
    this.service.glimpses = scenario.glimpses ?? 400;
    this.service.lateWay = scenario.lateWay;
    this.service.isByPosition = scenario.isByPosition === true;
    this.service.isRagged = scenario.isRagged === true;
    this.service.isUncounted = scenario.isUncounted === true;
    this.service.isSilent = scenario.isSilent === true;
    this.service.isTerse = scenario.isTerse === true;
    this.service.isUnrevised = scenario.isUnrevised === true;
    this.service.isShaped = scenario.shapes === true;
    this.service.isVaulted = scenario.vaults === true;
    this.#database = tables.connection(() => this.time.now);
    this.limits = { ...settings.guards, ...(scenario.settings?.['guards'] as Partial<GuardSettings> | undefined) };
    const { ignore = [] } = (scenario.settings?.['drift'] ?? {}) as { readonly ignore?: readonly Rule[] };
    for (const stack of scenario.stacks) this.#rules.set(stack, ignore);
    this.catalogues = new Map(scenario.stacks.map((stack) => [stack, new Catalogue(stack, scenario)]));
    emptyDisk();
    this.judge = new Judge(this);
    this.time.after = () => this.judge.witness.settle();
  }

  /** Lets everything happen, and then, in peace, what must be true in the end. */
  async run(): Promise<Outcome> {
    try {
      await tables.empty();
      for (const stack of this.scenario.stacks) this.#write(stack);
      this.#acting = this.scenario.acts.length;
      for (const act of this.scenario.acts) this.time.in(act.atMs, `act ${act.kind}`, () => this.#act(act));
      const isOver = (): boolean => this.judge.witness.violations.length > 0 || (this.#acting === 0 && this.#isIdle());
      const hasEnded = await this.time.run(isOver, 40 * 3_600_000);
      if (!hasEnded) this.judge.witness.blame('a run never ends');
      else if (this.judge.witness.violations.length === 0) await this.judge.end.atRest();
    } finally {
      this.time.clear();
    }
    const { digest, events, now, start, trace = [] } = this.time;
    return {
      digest,
      events,
      runs: this.processes.length,
      virtualMs: now - start,
      trace,
      violations: this.judge.witness.violations,
      told: () => {
        const { stacks, isPrompt, tells, watches, isByPosition, isNumbered, isSilent, isTerse, isUnrevised } =
          this.scenario;
        const { shapes, vaults, isRagged, isUncounted } = this.scenario;
        return {
          stacks,
          ...defined({
            isByPosition,
            isNumbered,
            isRagged,
            isUncounted,
            isSilent,
            isTerse,
            isUnrevised,
            shapes,
            vaults,
            isPrompt,
            tells,
            watches,
          }),
          ...defined({ settings: this.scenario.settings }),
          acts: this.#told,
          decisions: this.decisions.unusual,
        };
      },
    };
  }

  /** Nobody troubles anybody any more; what names its home by an id is given up. */
  calm(): void {
    for (const catalogue of this.catalogues.values()) catalogue.leave();
    // Checks leave out nothing any more.
    this.#rules.clear();
    this.limits = settings.guards;
    for (const [stack, catalogue] of this.catalogues) {
      // What nobody takes is not given.
      catalogue.leaving = catalogue.leaving.filter(({ to }) => {
        const [taker = '', address = ''] = to.split(':');
        return this.catalogues.get(taker)?.blocks.has(address) === true;
      });
      this.#write(stack);
    }
    this.decisions.isCalm = true;
    this.rates = noTrouble;
    this.service.lagMs = 0;
    this.#storeAwayUntil = 0;
    this.#serviceAwayUntil = 0;
    this.#clockErrorMs = 0;
  }

  /** As the files of all stacks have them: each as often as it stands there. Undefined: they do not tell which it is. */
  names(): readonly (string | undefined)[] {
    return [...this.catalogues.values()].flatMap((catalogue) =>
      [...catalogue.blocks].flatMap(
        ([
          address,
          {
            properties: { title, mail, words },
          },
        ]) => ((title ?? mail ?? words) === undefined ? [] : [catalogue.nameOf(address)]),
      ),
    );
  }

  /** The files of a stack leave nothing alone any more. */
  mind(stack: string): void {
    this.catalogues.get(stack)?.mind();
    this.catalogues.get(stack)?.leaveIds();
    this.#write(stack);
  }

  /** What checks of a stack leave out. */
  rulesOf(stack: string): readonly Rule[] {
    return this.#rules.get(stack) ?? [];
  }

  /** A few more changes of the files when all is quiet. */
  editAtEnd(stack: string, when = ''): void {
    const catalogue = this.catalogues.get(stack);
    if (catalogue === undefined) return;
    this.decisions.isCalm = false;
    catalogue.resources = this.decisions.of(`files of ${stack} in the end${when}`, catalogue.resources, (chance) => {
      const isAbout = when !== '' && chance.happens(700);
      const edits = isAbout ? movingEdits : usualHabits.edits.filter((kind) => kind !== 'rule');
      const habits = { ...usualHabits, edits, again: isAbout ? 700 : 0 };
      for (let nth = 0; nth < 3; nth += 1) catalogue.edit(chance, undefined, habits);
      return catalogue.resources;
    });
    this.decisions.isCalm = true;
    this.#write(stack);
  }

  /** Somebody writes other values into a block. */
  rename(stack: string, address: string, values: Block['properties']): void {
    const catalogue = this.catalogues.get(stack);
    const block = catalogue?.blocks.get(address);
    if (block === undefined) return;
    catalogue?.blocks.set(address, { ...block, properties: { ...block.properties, ...values } });
    this.#write(stack);
  }

  /** Lets so much time pass. */
  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.time.in(ms, '', () => (isOver = true));
    await this.time.run(() => isOver, ms + 1);
  }

  /** Runs a command line to its end, with nothing beside it. */
  async perform(stack: string, argv: readonly string[]): Promise<Process> {
    const process = this.#start(
      { stack, argv, skewMs: 0, machine: 'machine 0' },
      `end ${String(this.processes.length)}`,
    );
    await this.time.run(() => process.code !== undefined, longestRunMs);
    if (process.code === undefined)
      this.judge.witness.blame(`${process.name} does not end although nothing troubles it`);
    this.judge.state.hasGivenBack(process);
    return process;
  }

  /** It went its way, and nothing stood between it and the store. */
  isInPeace({ frozenUntil, cutOffUntil, stoppedAt, isStoreLost, isStoreSlow }: Process): boolean {
    return (
      frozenUntil + cutOffUntil + this.rates.storeSlow + this.#storeAwayUntil === 0 &&
      stoppedAt === undefined &&
      !isStoreLost &&
      !isStoreSlow
    );
  }

  /** It was asked to stop, once, and nothing else was in its way. */
  isStoppedInPeace(process: Process): boolean {
    return (
      process.stoppedAt !== undefined && !process.isBrokenOff && this.isInPeace({ ...process, stoppedAt: undefined })
    );
  }

  /** Nobody has set a clock, and this one has not slept. */
  isClockSteady({ sleptMs }: Process): boolean {
    return sleptMs === 0 && !this.#told.some(({ kind }) => kind === 'set clock');
  }

  #isIdle(): boolean {
    return this.processes.every((process) => this.#isOver(process));
  }

  #isOver(process: Process | undefined): boolean {
    return process === undefined || process.isDead || process.code !== undefined;
  }

  #write(stack: string): void {
    const text = this.catalogues.get(stack)?.text() ?? '{}';
    this.writtenAt.set(stack, this.time.now);
    const { isPrompt, watches, settings: said = {} } = this.scenario;
    const timing =
      isPrompt === true ? { timing: { ...(said['timing'] as JsonObject | undefined), settleSeconds: 0 } } : {};
    const ignore = this.rulesOf(stack);
    const drift = {
      ...(watches === true ? { unmanaged: 'all' } : {}),
      ...(ignore.length > 0 ? { ignore } : {}),
    };
    const watching = Object.keys(drift).length > 0 || 'drift' in said ? { drift } : {};
    const write = (folder: string, own: object): void => {
      mkdirSync(`${folder}/catalogue`);
      writeFileSync(
        `${folder}/sync.yaml`,
        JSON.stringify({ ...settings, ...said, ...timing, ...watching, guards: this.limits, ...own }),
      );
      writeFileSync(`${folder}/catalogue/all.yaml`, text);
    };
    write(`/world/${stack}`, {});
    // Workers share a queue where all state is.
    write(`${fleetFolder}/${stack}`, { stacks: { [stack]: {} }, state: { backend: 'postgres', url: fleetDatabase } });
    writeFileSync(`${fleetFolder}/fleet.yaml`, JSON.stringify({ projects: ['*'] }));
  }

  #act(act: Act): void {
    this.#acting -= 1;
    switch (act.kind) {
      case 'write files': {
        const chance = new Chance(act.seed, 'files');
        const seen = this.#seen();
        const catalogue = this.catalogues.get(act.stack);
        catalogue?.begin();
        if (this.scenario.expressions !== undefined)
          catalogue?.mend(new Chance(act.seed, 'mend'), (kind, name) => this.#called(kind, name));
        for (let nth = 0; nth < act.edits; nth += 1) {
          const others = this.#othersOf(act.stack);
          catalogue?.edit(chance, { ...seen, others }, act.habits ?? this.scenario.habits);
          this.#giveTo(act.atMs, act.stack);
        }
        return this.#tell({ atMs: act.atMs, kind: 'files', stack: act.stack, ...filesOf(catalogue) });
      }
      case 'edit by hand': {
        const living = this.service.living();
        const last = act.of === undefined ? [] : living.filter((thing) => this.service.isAbout(thing));
        const edit = this.#handEdit(act.how, new Chance(act.seed, 'hand'), last.length === 0 ? living : last);
        return edit === undefined ? undefined : this.#tell({ atMs: act.atMs, kind: 'hand', ...edit });
      }
      case 'store away':
        this.#storeAwayUntil = this.time.now + act.ms;
        return;
      case 'service away':
        this.#serviceAwayUntil = this.time.now + act.ms;
        return;
      case 'run': {
        const { atMs, stack, skewMs, mishap, seed } = act;
        const argv = this.#words(act);
        if (argv === undefined) return;
        // Most run on one machine; another one says nothing of how this one's processes are.
        const machine = `machine ${String(seed % 3 === 0 ? this.processes.length : 0)}`;
        const common = { atMs, kind: 'command', stack, argv, machine, skewMs } as const;
        return this.#tell(mishap === undefined ? common : { ...common, mishap });
      }
      default:
        return this.#tell(act);
    }
  }

  /** What other stacks have recorded, and nothing of theirs refers to. */
  #othersOf(stack: string): ReadonlyMap<string, Block> {
    const rows = tables.rows<ResourceRow>('sync_resources');
    const idOf = (of: string, at: string): string | undefined =>
      rows.find((row) => row.stack === of && row.address === at)?.id;
    const others = new Map<string, Block>();
    for (const [of, { blocks }] of this.catalogues) {
      if (of === stack) continue;
      const all = [...blocks.values()];
      for (const [address, block] of blocks) {
        const { siteId } = block.properties;
        const home = homeIn(siteId);
        const homeId = home === undefined ? siteId : idOf(of, home);
        const isNeeded = all.some((each) => neededBy(each).includes(address));
        // What it refers to the other stack does not have.
        const { siteId: _, ...rest } = block.properties;
        const refers = Object.values(rest).some((value) => addressesIn(value).length > 0);
        if (isNeeded || refers || idOf(of, address) === undefined || (home !== undefined && homeId === undefined))
          continue;
        others.set(`${of}:${address}`, {
          ...block,
          properties: { ...block.properties, ...defined({ siteId: homeId }) },
        });
      }
    }
    return others;
  }

  /** Whose files have had it takes it out of them in the same moment. */
  #giveTo(atMs: number, stack: string): void {
    for (const [address, { options }] of this.catalogues.get(stack)?.blocks ?? []) {
      const [giver = '', from = ''] = options?.moved?.from.split(':') ?? [];
      const giving = this.catalogues.get(giver);
      if (giving?.blocks.has(from) !== true) continue;
      giving.give({ from, to: `${stack}:${address}` });
      this.#tell({ atMs, kind: 'files', stack: giver, ...filesOf(giving) });
    }
  }

  /** How many of that kind have the name. */
  #called(kind: string, name: Json): number {
    const collection = (Object.keys(typeNames) as Collection[]).find((each) => typeNames[each] === kind) ?? 'sites';
    const field = keyFields[collection];
    return this.service.living(collection).filter((thing) => this.service.truth(thing)?.[field] === name).length;
  }

  /** What people find on the platform who write files. */
  #seen(): Seen {
    const blockOf = (thing: Thing): Seen['inside'][number] => {
      const values = Object.entries({ ...this.service.truth(thing), ...defined({ siteId: thing.home }) });
      const told = values.filter(([name, value]) => typeof value === 'string' && !untold.has(name));
      const properties = Object.fromEntries(told) as Block['properties'];
      return { type: `yard:${typeNames[thing.collection]}`, properties, importId: importIdOf(thing) };
    };
    // Of these a name is taken once: what people have made, a file may name, and takes over.
    const unique = (['sites', 'routes', 'boards'] as const).flatMap((kind) => this.service.living(kind));
    const byHand = unique.filter((thing) => {
      const { name, title } = this.service.truth(thing) ?? {};
      return String(name ?? title).startsWith(handName);
    });
    // What replacements were to end, and is still there, people think of first.
    const old = new Set(oldObjects().map(({ id }) => id));
    const all = [...(['pages', 'members', 'notes'] as const).flatMap((kind) => this.service.living(kind)), ...byHand];
    const inside = [...all.filter(({ id }) => !old.has(id)), ...all.filter(({ id }) => old.has(id))];
    const named = (['Site', 'Route'] as const).flatMap((type) =>
      this.service.living(type === 'Site' ? 'sites' : 'routes').map((thing) => ({
        ...{ type, id: thing.id, name: String(this.service.truth(thing)?.['name']) },
      })),
    );
    return {
      named,
      sites: this.service.living('sites').map(({ id }) => id),
      inside: inside.map(blockOf),
      old: old.size > 0,
    };
  }

  /** What an act came to. */
  #tell(act: Extract<Act, { readonly kind: 'files' | 'hand' | 'command' | 'set clock' }>): void {
    this.#told.push(act);
    if (act.kind === 'set clock') this.#clockErrorMs = act.ms;
    else if (act.kind === 'hand') this.#editByHand(act);
    else if (act.kind === 'files') {
      const catalogue = this.catalogues.get(act.stack);
      if (catalogue !== undefined) {
        [catalogue.resources, catalogue.leaving] = [act.resources, act.moved ?? []];
        catalogue.removed = act.removed ?? [];
      }
      const now = new Map(catalogue?.options);
      for (const process of this.processes) {
        const { stack, aliases, options } = process;
        for (const alias of stack === act.stack ? aliases : [])
          if (catalogue?.aliases.includes(alias) !== true) aliases.delete(alias);
        // Who waits reads the files again.
        for (const [key, said] of this.#isOver(process) ? [] : options)
          if (key.startsWith(`${act.stack} `) && JSON.stringify(said) !== JSON.stringify(now.get(key)))
            options.set(key, undefined);
      }
      this.#write(act.stack);
    } else {
      const process = this.#start(act, `p${String(act.atMs)}`);
      if (act.mishap !== undefined) this.#befall(process, act.mishap);
    }
  }

  /** Undefined: there is nothing that it could be said of. */
  #words({ command, stack, seed }: Run): readonly string[] | undefined {
    const { blocks } = this.catalogues.get(stack) ?? { blocks: new Map<string, unknown>() };
    const chosen = new Chance(seed, 'address');
    // Most are about what was written last.
    const last = chosen.happens(400) ? [...blocks.keys()].at(-1) : undefined;
    const address = last ?? (blocks.size === 0 ? 'k1' : chosen.pick([...blocks.keys()]));
    const lease = this.processes.findLast((each) => each.stack === stack && each.leases.size > 0)?.leases;
    const freezes = this.processes.filter((each) => each.stack === stack && /^frozen \w+$/m.test(each.out));
    // Some still have the word of an earlier freeze.
    const freeze = freezes.at(seed % 3 === 1 ? 0 : -1)?.out;
    const [, word] = /^frozen (\w+)$/m.exec(freeze ?? '') ?? [];
    // Some have it wrong.
    const frozen = seed % 3 === 2 && word !== undefined ? `${word.slice(0, -1)}x` : word;
    const run = this.judge.witness.lastRuns.get(stack);
    const other = this.scenario.stacks.findLast((each) => each !== stack) ?? stack;
    const words: Readonly<Record<Run['command'], readonly string[] | undefined>> = {
      'apply waiting': ['apply', '--yes', '--lock-timeout', '90s'],
      'apply frozen': frozen === undefined ? undefined : ['apply', '--yes', '--frozen', frozen],
      // Some for a while.
      freeze: ['state', 'freeze', '--reason', 'seen', ...(isForAWhile(seed) ? ['--until', this.#momentIn(seed)] : [])],
      thaw: ['state', 'thaw', '--lock-timeout', '90s'],
      // Some take back an earlier one.
      undo: run === undefined ? undefined : ['undo', String(earlier(run, seed)), '--yes', ...this.#allowed(stack)],
      'undo edit': run === undefined ? undefined : ['undo', String(run), '--edit'],
      unlock: lease === undefined ? undefined : ['state', 'unlock', [...lease].at(-1) ?? ''],
      apply: ['apply', '--yes'],
      'apply allowed': ['apply', '--yes', ...this.#allowed(stack)],
      'destroy allowed': ['destroy', '--yes', ...this.#allowed(stack)],
      'apply full': ['apply', '--yes', '--refresh', 'full'],
      'apply no-delete': ['apply', '--yes', '--no-delete'],
      'apply replace': ['apply', '--yes', '--replace', address],
      // All but what lives in it, or rests on it.
      'replace but': this.#replacement(stack, new Chance(seed, 'home')),
      'apply resend': ['apply', '--yes', '--resend', address],
      'apply fail-fast': ['apply', '--yes', '--fail-fast'],
      // Of what stands in a block, often that with all that is in it.
      'apply target': ['apply', '--yes', '--target', seed % 2 === 0 ? topOf(address) : address],
      'apply exclude': ['apply', '--yes', '--exclude', address],
      plan: ['plan'],
      review: ['plan', '--out', 'plan.json', ...narrowed(address, seed)],
      // Some approve what it does, and not when.
      'apply reviewed': ['apply', 'plan.json', '--yes', ...(seed % 3 === 1 ? this.#approved(stack) : [])],
      destroy: ['destroy', '--yes', ...(seed % 2 === 0 ? ['--exclude', address] : [])],
      drift: ['drift'],
      'drift revert': this.#reverted(stack, address, seed),
      'drift record': seed % 3 === 0 ? this.#found('record', stack, address, seed) : ['drift', 'record', address],
      'drift accept': this.#found('accept', stack, address, seed),
      'drift ignore': this.#found('ignore', stack, address, seed),
      refresh: ['refresh'],
      adopt: ['adopt', '--yes'],
      'fleet check': ['fleet', 'check', '--format', 'json', '--at-once', String(1 + (seed % 2))],
      'fleet plan': ['fleet', 'plan', '--format', 'json', '--at-once', String(1 + (seed % 2))],
      'fleet status': ['fleet', 'status', '--format', 'json'],
      'fleet work': ['fleet', 'work', '--at-once', String(1 + (seed % 2))],
      // Some name an address that something else has.
      'state mv': [
        'state',
        'mv',
        address,
        seed % 5 === 0 ? chosen.pick([...blocks.keys(), ...this.#homesBefore(stack), address]) : `${address}-moved`,
      ],
      'state rm': ['state', 'rm', address],
      // The first keeps what there is, which later ones bring back.
      'state push': existsSync(`/world/${stack}/backup.json`)
        ? ['state', 'push', 'backup.json', ...(seed % 3 === 0 ? [] : ['--force'])]
        : ['state', 'pull'],
      'adopt one': this.#adoption(stack, address, new Chance(seed, 'object')),
      'adopt old': this.#oldAdoption(stack, address, new Chance(seed, 'object')),
      'state mv to': ['state', 'mv', address, ...this.#placeIn(other, seed), '--to-stack', other],
    };
    const said = words[command];
    if (said === undefined) return undefined;
    const isBlind = goesBlind.has(command) && new Chance(seed, 'blind').happens(this.scenario.blind ?? 0);
    return [
      ...said,
      ...this.#partOf(command, address, new Chance(seed, 'part')),
      ...(isBlind ? ['--refresh', 'none'] : []),
    ];
  }

  /** Some ask for a part alone. */
  #partOf(command: Run['command'], address: string, chance: Chance): readonly string[] {
    const parts = partsOf[command] ?? [];
    if (parts.length === 0 || !chance.happens(this.scenario.parts ?? 0)) return [];
    const flag = chance.pick(parts);
    if (flag === '') return [address];
    return /^--(?:target|exclude|replace)$/.test(flag) ? [flag, address] : flag.split(' ');
  }

  /** Half a minute from now, or some. */
  #momentIn(seed: number): string {
    const at = new Date(this.time.now + (seed % 7 === 0 ? 300_000 : 30_000 + (seed % 60_000)));
    return `${at.toISOString().slice(0, 19)}Z`;
  }

  /** What the last check of the stack has found, as somebody names it who has read that: all of it, or one. */
  #found(verb: string, stack: string, address: string, seed: number): readonly string[] | undefined {
    const checks = this.processes.flatMap((each) => each.checks.filter((check) => check.stack === stack));
    const ids = checks.at(-1)?.findings.map(({ id }) => id) ?? [];
    const named =
      ids.length === 0 || seed % 5 === 0 ? [address] : seed % 3 === 0 ? ids : [ids[seed % ids.length] ?? ''];
    const rule = verb === 'ignore' ? ['--reason', 'seen', ...untilOf(seed)] : [];
    return ids.length === 0 && seed % 4 > 0 ? undefined : ['drift', verb, ...named, ...rule];
  }

  /** All of it, or what somebody names. */
  #reverted(stack: string, address: string, seed: number): readonly string[] {
    const named = seed % 3 === 0 ? this.#found('revert', stack, address, seed) : undefined;
    return [...(named ?? ['drift', 'revert', '--all', '--at-most', '20']), '--yes'];
  }

  /** What the reviewed plan does, as somebody approves it who has read that. */
  #approved(stack: string): readonly string[] {
    const path = `/world/${stack}/plan.json`;
    const plan = existsSync(path) ? (JSON.parse(String(readFileSync(path, 'utf8'))) as Partial<Plan>) : {};
    return plan.effectDigest === undefined ? [] : ['--expect-effect', plan.effectDigest];
  }

  /** Where no record stands, and below which some do. */
  #homesBefore(stack: string): readonly string[] {
    const stand = tables
      .rows<ResourceRow>('sync_resources')
      .flatMap((row) => (row.stack === stack ? [row.address] : []));
    return stand.flatMap((address) => {
      const home = parentAddress(address);
      return home === undefined || stand.includes(home) ? [] : [home];
    });
  }

  /** Some give what comes to another stack the address of what was written there last. */
  #placeIn(stack: string, seed: number): readonly string[] {
    const last = [...(this.catalogues.get(stack)?.blocks.keys() ?? [])].at(-1);
    return last === undefined || seed % 2 > 0 ? [] : [last];
  }

  /** Somebody says which object is meant, and may be wrong. */
  #adoption(stack: string, address: string, chance: Chance): readonly string[] | undefined {
    const type = this.catalogues.get(stack)?.blocks.get(address)?.type ?? '';
    const all = this.service.living().filter(({ collection }) => type === `yard:${typeNames[collection]}`);
    if (all.length === 0) return undefined;
    return ['adopt', address, importIdOf(chance.happens(500) ? (all.at(-1) ?? chance.pick(all)) : chance.pick(all))];
  }

  /** It may be what a replacement was to end, for that address or another one. */
  #oldAdoption(stack: string, address: string, chance: Chance): readonly string[] | undefined {
    const old = oldObjects();
    if (old.length === 0) return this.#adoption(stack, address, chance);
    const { of, at, id } = chance.pick(old);
    const thing = this.service.things.get(id);
    const isAtOwn = of === stack && chance.happens(400);
    return thing === undefined ? undefined : ['adopt', isAtOwn ? at : address, importIdOf(thing)];
  }

  /** A home, and one of those that need it. */
  #replacement(stack: string, chance: Chance): readonly string[] | undefined {
    const pairs = [...(this.catalogues.get(stack)?.blocks ?? [])].flatMap(([address, { properties }]) => {
      const home = homeIn(properties['siteId']);
      return home === undefined ? [] : [[home, address] as const];
    });
    if (pairs.length === 0) return undefined;
    const [home, inside] = chance.pick(pairs);
    return ['apply', '--yes', '--replace', home, '--exclude', inside];
  }

  /** What held back the last plan of the stack, as somebody allows it who has read that. */
  #allowed(stack: string): readonly string[] {
    const last = this.processes.findLast((each) => each.stack === stack && each.plans.length > 0)?.plans.at(-1);
    const names = last?.guards.flatMap(({ name, lifted }) => (lifted === undefined ? [name] : [])) ?? [];
    return names.length === 0 ? [] : [...names.flatMap((name) => ['--allow', name]), '--reason', 'seen'];
  }

  #start(
    { stack, argv, skewMs, machine }: Pick<Command, 'stack' | 'argv' | 'skewMs' | 'machine'>,
    label: string,
  ): Process {
    const pid = this.processes.length;
    const process: Process = {
      ...{ name: `${label} ${argv.join(' ')} ${stack}`, label, pid, machine, stack, argv, startedAt: this.time.now },
      aliases: new Set(this.catalogues.get(stack)?.aliases),
      options: new Map([...this.catalogues.values()].flatMap(({ options }) => options)),
      keys: new Map([...this.catalogues.values()].flatMap(({ keys }) => keys)),
      named: this.names(),
      ...{
        isDead: false,
        frozenUntil: 0,
        ...{ sleptMs: 0, dozedMs: 0 },
        code: undefined,
        endedAt: undefined,
        stoppedAt: undefined,
        out: '',
        failedAt: undefined,
        answered: new Set<string>(),
        data: '',
        plannedAt: 0,
        leasedAt: undefined,
        plans: [],
        results: [],
        carriedOut: new Map<ApplyResult, Plan>(),
        ...{ checks: [], accepted: [] },
        checkedAt: new Map(),
        jobs: [],
        hasGivenUp: false,
        claims: new Map<string, Claim>(),
        leases: new Set<string>(),
        runs: new Set<string>(),
        refusals: 0,
        isBrokenOff: false,
        liedAbout: new Map<string, number>(),
        cutOffUntil: 0,
        isStoreLost: false,
        storeLosses: 0,
        isSlow: false,
        isStoreSlow: false,
        tarries: false,
        unansweredUntil: 0,
        unansweredWritesUntil: 0,
        unansweredArrive: 500,
        noEndsUntil: 0,
        noEndsOf: undefined,
        heldMs: undefined,
        misledUntil: 0,
        misledOften: 0,
        misledBy: undefined,
        miscountedUntil: 0,
        deniedHome: undefined,
        openWrites: 0,
        lastWrite: '',
        meetings: 0,
      },
      signal: () => undefined,
      onWrite: () => undefined,
      onQuestion: () => undefined,
      onLook: () => undefined,
      onPlan: () => undefined,
    };
    this.processes.push(process);
    this.time.note(`${process.name} starts`);
    const host = this.#hostOf(process, skewMs);
    const where = isOfFleet(process) ? [] : ['--stack', stack];
    void runProgram([...argv, ...where, '--log-level', 'debug'], host).then((code) => this.#end(process, code));
    this.time.in(longestRunMs, '', () => {
      if (process.code === undefined && !process.isDead)
        this.judge.witness.blame(`${process.name} has not ended after two hours`);
    });
    return process;
  }

  #end(process: Process, code: number): void {
    if (process.isDead || process.code !== undefined) return;
    process.code = code;
    process.endedAt = this.time.now;
    this.time.note(`${process.name} ends ${String(code)}`);
    this.#readBack(process);
    if (process.argv[1] === 'pull') writeFileSync(`${folderOf(process, process.stack)}/backup.json`, process.data);
    this.judge.ended(process);
    // What still goes on in it ends with it.
    process.isDead = true;
  }

  #befall(process: Process, { atWrite, meets, isSlow, isStoreSlow, tarries, ...mishap }: Mishap): void {
    process.isStoreSlow ||= isStoreSlow === true;
    process.isSlow ||= isSlow === true;
    process.tarries ||= tarries === true;
    if (atWrite === undefined) return this.#strike(process, mishap);
    process.onPlan = () => {
      process.onPlan = () => undefined;
      if (meets === true) this.#strike(process, { kind: 'by hand', afterMs: mishap.afterMs });
      if (atWrite === 0) this.#strike(process, mishap);
    };
    if (atWrite === 0) return;
    let writes = 0;
    process.onWrite = () => {
      writes += 1;
      if (writes === atWrite) this.#strike(process, mishap);
    };
  }

  #strike(process: Process, { atLook, atQuestion, ...mishap }: Mishap): void {
    if (atQuestion !== undefined) {
      let questions = 0;
      process.onQuestion = () => {
        questions += 1;
        if (questions === atQuestion) this.#strikeNow(process, mishap);
      };
      return;
    }
    if (atLook === undefined) return this.#strikeNow(process, mishap);
    let looks = 0;
    process.onLook = (path) => {
      looks += 1;
      if (looks !== atLook) return;
      process.lastWrite = path;
      this.#strikeNow(process, { ...mishap, afterMs: 1 });
    };
  }

  #strikeNow(process: Process, { afterMs, then, ms = 10_000 + afterMs * 20, ...mishap }: Mishap): void {
    const { kind, sleeps, dozes, isOfWrites, arrive = 500, often = 700, lie, of } = mishap;
    this.time.in(afterMs, '', () => {
      if (process.code !== undefined) return;
      if (then !== undefined) this.time.in(then.inMs, '', () => this.#befall(process, then));
      this.time.note(`${process.name} ${kind}`);
      if (kind === 'kill') this.#kill(process);
      else if (kind === 'freeze') {
        process.frozenUntil = this.time.now + ms;
        // A machine that slept may have a clock that did.
        if (sleeps === true) process.sleptMs += ms;
        if (dozes === true) process.dozedMs += ms;
      } else if (kind === 'cut off') process.cutOffUntil = this.time.now + ms;
      else if (kind === 'misled') {
        process.misledUntil = this.time.now + ms;
        process.misledOften = often;
        process.misledBy = lie;
      } else if (kind === 'miscounted') process.miscountedUntil = this.time.now + ms;
      else if (kind === 'no ends') [process.noEndsUntil, process.noEndsOf] = [this.time.now + ms, of];
      else if (kind === 'held') process.heldMs = ms;
      else if (kind === 'unlocked') this.#unlock(process);
      else if (kind === 'unanswered') {
        process[isOfWrites === true ? 'unansweredWritesUntil' : 'unansweredUntil'] = this.time.now + ms;
        process.unansweredArrive = arrive;
      } else if (kind === 'by hand') this.#editBeside(process);
      else if (kind === 'denied home') this.#deny(process);
      else {
        process.stoppedAt = this.time.now;
        process.isBrokenOff = kind === 'stop twice';
        process.signal('SIGINT');
      }
      if (kind === 'stop twice') this.time.in(50, '', () => process.signal('SIGINT'));
    });
  }

  /** Somebody breaks its lease while it works. */
  #unlock({ stack, label, leases }: Process): void {
    const lease = [...leases].at(-1);
    if (lease === undefined) return;
    const argv = ['state', 'unlock', lease];
    this.#start({ stack, argv, skewMs: 0, machine: 'machine 0' }, `${label} loses its lease`);
  }

  #kill(process: Process): void {
    process.isDead = true;
    process.endedAt = this.time.now;
    this.judge.witness.heard(process);
    this.#readBack(process);
  }

  /** Files that a command line has edited are the files from then on. */
  #readBack(process: Process): void {
    const { argv, stack } = process;
    const verb = argv[0] === 'drift' ? argv[1] : undefined;
    if (verb === 'ignore') {
      const said = load(String(readFileSync(`${folderOf(process, stack)}/sync.yaml`, 'utf8')));
      const { drift } = said as { readonly drift?: { readonly ignore?: readonly Rule[] } };
      if (JSON.stringify(drift?.ignore ?? []) === JSON.stringify(this.rulesOf(stack))) return;
      this.#rules.set(stack, drift?.ignore ?? []);
      this.time.note(`rules of ${stack} are edited`);
      return this.#write(stack);
    }
    if (!argv.includes('--edit') && verb !== 'accept') return;
    const text = String(readFileSync(`${folderOf(process, stack)}/catalogue/all.yaml`, 'utf8'));
    const catalogue = this.catalogues.get(stack);
    if (catalogue === undefined || text === catalogue.text()) return;
    const { resources } = (load(text) ?? {}) as { resources?: Record<string, Block> };
    const [before, now] = [catalogue.resources, read(resources ?? {})];
    if (verb === 'accept') this.judge.plans.accepted(process, before, now);
    else this.judge.undo.edited(process, before, now);
    catalogue.resources = now;
    this.time.note(`files of ${stack} are edited`);
    this.#write(stack);
  }

  #later(process: Process, ms: number, task: () => void): () => void {
    let isOff = false;
    const attempt = (): void => {
      if (isOff || process.isDead) return;
      if (process.frozenUntil <= this.time.now) return task();
      this.time.in(process.frozenUntil - this.time.now, '', attempt);
    };
    const cancel = this.time.in(ms, '', attempt);
    return () => {
      isOff = true;
      cancel();
    };
  }

  #worldOf(process: Process, skewMs: number): World {
    let made = 0;
    let drawn = 0;
    const hex = (digits: number): string => new Chance(process.pid, `secret ${String((made += 1))}`).hex(digits);
    const later = (ms: number, task: () => void): (() => void) => this.#later(process, ms, task);
    return {
      now: () => this.time.now + skewMs + this.#clockErrorMs - process.sleptMs,
      steady: () => this.time.now - process.startedAt - process.dozedMs,
      sleep: (ms, until) =>
        new Promise((resolve) => {
          if (until?.aborted === true) return resolve();
          const end = (): void => {
            cancel();
            until?.removeEventListener('abort', end);
            resolve();
          };
          const cancel = later(ms, end);
          until?.addEventListener('abort', end);
        }),
      after: later,
      every: (ms, task) => {
        let stop = (): void => undefined;
        const again = (): void => {
          stop = later(ms, () => {
            again();
            task();
          });
        };
        again();
        return () => stop();
      },
      turn: () => new Promise((resolve) => void later(0, resolve)),
      id: () => `00000000-0000-4000-8000-${hex(12)}`,
      secret: (bytes) => hex(bytes * 2),
      random: () => this.decisions.of(`${process.label} draws ${String((drawn += 1))}`, 0.5, (chance) => chance.next()),
      // No world has Git in it.
      spawn: () => Promise.resolve({ failure: 'ENOENT', stdout: '', stderr: '' }),
      processes: {
        host: () => process.machine,
        owner: () => `somebody@${process.machine} pid ${String(process.pid)}`,
        self: () => ({ ...{ host: process.machine, boot: 'one', namespace: 'one', start: 'one' }, pid: process.pid }),
        isProvenDead: ({ host, pid }) => host === process.machine && this.#isOver(this.processes[pid]),
      },
    };
  }

  #hostOf(process: Process, skewMs: number): Host {
    const world = this.#worldOf(process, skewMs);
    const { time, service, decisions } = this;
    const common = {
      ...{ time, decisions },
      rates: () => this.rates,
      later: (ms: number, task: () => void) => void this.#later(process, ms, task),
    };
    const times = new Map<string, number>();
    /** Command lines, rounds of checks or plans, and each try of a worker's apply keep a pace each. */
    const pasts = new Map<object, Past>();
    const connectBy = (pace: object, claim: Claim | undefined): Connect => {
      const past = pasts.get(pace) ?? new Past();
      pasts.set(pace, past);
      return lineTo({
        ...common,
        ...{ service, past, times, name: process.label, endedAt: () => process.endedAt },
        // One trouble at a time: what is told of it must be so.
        rates: () =>
          process.deniedHome !== undefined ? noTrouble : process.isSlow ? { ...this.rates, slow: 700 } : this.rates,
        awayUntil: () =>
          process.deniedHome === undefined ? Math.max(this.#serviceAwayUntil, process.unansweredUntil) : 0,
        writesAwayUntil: () => process.unansweredWritesUntil,
        writesArrive: () => process.unansweredArrive,
        mayEnd: (path) => {
          const { noEndsUntil: until, noEndsOf: of = Number(path.slice(-1)) % 2 } = process;
          return this.time.now >= until || Number(path.slice(-1)) % 2 !== of;
        },
        takeHold: () => {
          const { heldMs } = process;
          process.heldMs = undefined;
          return heldMs;
        },
        deniedHome: () => process.deniedHome,
        miscounts: () => process.miscountedUntil > this.time.now,
        tarries: () => process.tarries,
        onEarly: (request, ms) => {
          if (this.isClockSteady({ ...process, sleptMs: 0 }))
            this.judge.witness.blame(
              `${process.name}: ${request.method} ${request.path} comes ${String(ms)} ms too soon`,
            );
        },
        onAsked: (request) => {
          process.lastWrite = request.path;
          process.onWrite();
        },
        onWrite: (request) => {
          process.openWrites += 1;
          this.judge.writes.leaves(process, request, claim);
        },
        onHeldBack: (request) => this.judge.writes.holdsBack(process, request),
        onSettled: ({ method }, { status, body = null }) => {
          process.openWrites -= 1;
          if (method === 'POST' && status === 201 && isObject(body)) process.answered.add(String(body['id']));
        },
        onLook: (request) => process.onLook(request.path),
        carriedOut: (...asked) => this.judge.writes.carriedOut(process, ...asked),
        onSeen: (...seen) => this.judge.witness.hasSeen(process, claim, ...seen),
        liedAbout: process.liedAbout,
        misledOften: () => (process.misledUntil > this.time.now ? process.misledOften : 0),
        misledBy: () => (process.misledUntil > this.time.now ? process.misledBy : undefined),
      });
    };
    const wire = {
      ...common,
      name: process.label,
      rates: () => (process.isStoreSlow ? { ...this.rates, storeSlow: 300 } : this.rates),
      awayUntil: () => Math.max(this.#storeAwayUntil, process.cutOffUntil),
      onAsked: () => process.onQuestion(),
      onDone: () => this.judge.state.stored(process),
      onLost: () => {
        process.isStoreLost = true;
        process.storeLosses += 1;
      },
    };
    const database = remoteDatabase(this.#database, wire);
    const timing = { ...world, ttlMs: leaseMs, heartbeatMs: 5_000, pollMs };
    const watchedStore = (store: SqlStateStore, stack: string): SqlStateStore => {
      const acquire = store.acquire.bind(store);
      store.acquire = async (...asked) => {
        const lease = await acquire(...asked);
        process.leases.add(lease.id);
        if (stack === process.stack || isOfFleet(process)) process.leasedAt = time.now;
        process.runs.add(`${stack} ${String(lease.token)}`);
        return lease;
      };
      const heard = <Asked extends readonly unknown[], T>(ask: (...asked: Asked) => Promise<T>) => {
        return (...asked: Asked): Promise<T> => {
          const { now } = time;
          return ask(...asked).finally(() => this.judge.state.hasHeard(process, now));
        };
      };
      store.begin = heard(store.begin.bind(store));
      store.commit = heard(store.commit.bind(store));
      const sibling = store.sibling.bind(store);
      store.sibling = (name) => watchedStore(sibling(name) as SqlStateStore, name);
      return store;
    };
    const openState: OpenOptions['openState'] = ({ project, stack }) =>
      Promise.resolve(watchedStore(new SqlStateStore(database, { project, stack }, timing), stack));
    const print = (text: string): void => {
      process.out += text;
      if (process.argv.includes('--fail-fast') && /^failed /m.test(text)) process.failedAt ??= time.now;
      time.trace?.push(text.trimEnd().replaceAll(/^/gm, '    | '));
    };
    return {
      out: (text) => {
        process.data += text;
        print(text);
      },
      ...{ err: print, env: {}, cwd: isOfFleet(process) ? fleetFolder : folderOf(process, process.stack), world },
      ...{ outIsTerminal: false, errIsTerminal: false, interactive: false, columns: 80 },
      ask: () => Promise.resolve(''),
      readInput: () => Promise.resolve(''),
      onSignal: (listener) => {
        process.signal = listener;
        return () => undefined;
      },
      exit: (code) => {
        this.#end(process, code);
        process.isDead = true;
      },
      prepareNetwork: () => Promise.resolve(),
      openProject: async (options) => {
        const { stack = process.stack, round } = options;
        const claim = process.claims.get(stack);
        const loaded = yardPackage(connectBy(round ?? (claim === undefined ? process : {}), claim), this.scenario);
        const packages = { names: ['yard'], load: () => Promise.resolve(loaded) };
        // A worker prints nothing of what an apply says between its plan and its result.
        const onEvent = (event: Event): void => {
          this.judge.witness.hears(event, stack);
          options.onEvent?.(event);
        };
        const opened = await openProject({ ...options, openState, packages, onEvent });
        return opened.project === undefined
          ? opened
          : { ...opened, project: watched(opened.project, process, claim, this) };
      },
      packages: () =>
        Promise.resolve({
          names: ['yard'],
          load: () => Promise.resolve(yardPackage(connectBy(process, undefined), this.scenario)),
        }),
      fleetPackage: () => Promise.resolve(this.#jobsOf(process)),
      startSandbox: () => Promise.reject(new Error('not here')),
      providerConfig: () => Promise.resolve({}),
    };
  }

  /** A worker applies its own stack, and looks at all of them. */
  #jobsOf(process: Process): ReturnType<typeof jobsFor> {
    const looks = (['check', 'plan'] as const).flatMap((kind) =>
      this.scenario.stacks.map((stack) => ({ kind, project: 'yard', stack, round: 'one' })),
    );
    const jobs = [{ kind: 'apply', project: 'yard', stack: process.stack } as const, ...looks];
    let sessions = 0;
    const claims = new Map<Job, readonly Claim[]>();
    return jobsFor(jobs, {
      now: () => this.time.now,
      losesAfter: () => {
        const name = `${process.label} loses its queue ${String((sessions += 1))}`;
        const draw = (chance: Chance): number | null => (sessions < 4 && chance.happens(300) ? between(chance) : null);
        return this.decisions.of<number | null>(name, null, draw) ?? undefined;
      },
      onLost: () => {
        process.hasGivenUp = true;
        this.time.note(`${process.name} loses its queue`);
      },
      onClaim: (job, claim) => {
        process.claims.set(job.stack, claim);
        claims.set(job, [...(claims.get(job) ?? []), claim]);
      },
      onFound: (job, found) => process.jobs.push({ job, ...found, claims: claims.get(job) ?? [] }),
    });
  }

  /** Answers that agree in being wrong: no tool can hold against them when it writes, nor when nothing contradicts them. */
  #deny(process: Process): void {
    const [first = '', second = ''] = process.argv;
    if (!lookers.has(first) && !lookers.has(`${first} ${second}`)) return;
    const homes = this.service
      .living('sites')
      .filter(({ id }) => this.service.living().some(({ home }) => home === id));
    process.deniedHome =
      this.decisions.of<DeniedHome | null>(`${process.label} is denied`, null, (chance) =>
        homes.length === 0
          ? null
          : { id: chance.pick(homes).id, shown: chance.pick(['pages', 'members']), moves: chance.happens(250) },
      ) ?? undefined;
  }

  /** People work where a run works, and at what it is about to write. */
  #editBeside(process: Process): void {
    const { lastWrite, label } = process;
    const living = this.service.living();
    const beside = living.filter(({ id, home = id }) => lastWrite.includes(id) || lastWrite.includes(home));
    const nth = (process.meetings += 1);
    const name = `${label} meets${nth === 1 ? '' : ` ${String(nth)}`}`;
    const edit = this.decisions.of<HandEdit | null>(name, null, (chance) => {
      const planned = chance.happens(nth === 1 ? 700 : 300) ? this.#plannedEdit(process, chance) : undefined;
      if (planned !== undefined) return planned;
      // While a list is read, one of its first page goes.
      const [place, asked] = lastWrite.split('?');
      const first = living.find(
        ({ collection, home }) => place === (home === undefined ? `/${collection}` : `/sites/${home}/${collection}`),
      );
      if (asked !== undefined && first !== undefined && chance.happens(500))
        return { how: 'end', id: first.id, collection: first.collection, values: {} };
      const all = beside.length === 0 ? living : beside;
      return this.#handEdit(chance.pick(handKinds), chance, all) ?? null;
    });
    if (edit !== null) this.#editByHand(edit);
  }

  /** What the run's plan changes is changed before by somebody else, what it makes is made, and what it ends gets something in it. */
  #plannedEdit({ plans }: Process, chance: Chance): HandEdit | undefined {
    const free: Readonly<Record<string, Json>> = {
      ...{ note: 'in between', body: 'in between', text: 'in between', mode: 'in between', layout: 'in between' },
      ...{ weight: 77, limit: 77 },
    };
    const steps = plans.at(-1)?.steps ?? [];
    const changes = steps.flatMap(({ action, id = '', type, fields }): readonly HandEdit[] => {
      // A policy has the id of its site.
      const thing = this.service.things.get(type.endsWith(':Policy') ? `policy of ${id}` : id);
      if (action !== 'update' || thing === undefined) return [];
      const tags = this.service.truth(thing)?.['tags'] as JsonObject | undefined;
      const others = { tags: { ...tags, between: 'in between' } };
      if (thing.collection === 'boards' && chance.happens(500))
        return [{ how: 'change', id: thing.id, collection: 'boards', values: others }];
      // What an answer to the write shows, too, and nobody has sent.
      const beside = anybodys[thing.collection];
      return [...fields, ...(chance.happens(400) ? [{ field: beside }] : [])].flatMap(({ field }) =>
        field in free
          ? [{ how: 'change', id: thing.id, collection: thing.collection, values: { [field]: free[field] ?? null } }]
          : [],
      );
    });
    const others = steps.flatMap(({ action, id = '', type, fields }): readonly HandEdit[] => {
      const thing = this.service.things.get(id);
      if (action === 'create' && type.endsWith(':Page')) {
        const values = Object.fromEntries(
          fields.flatMap(({ field, new: wanted }) => (typeof wanted === 'string' ? [[field, wanted] as const] : [])),
        );
        const { siteId, ...rest } = values;
        // Without a title, which only an apply may know, there is none.
        return siteId === undefined || rest['title'] === undefined
          ? []
          : [{ how: 'make', id: siteId, collection: 'pages', values: rest }];
      }
      if (action !== 'delete' || thing === undefined) return [];
      if (thing.collection !== 'sites')
        return [
          { how: 'change', id, collection: thing.collection, values: { [anybodys[thing.collection]]: 'in between' } },
        ];
      const collection = chance.pick(['pages', 'members'] as const);
      return [{ how: 'make', id, collection, values: { title: 'in between', mail: 'in between' } }];
    });
    // What comes into what ends goes with it.
    const homes = others.filter(({ how, collection }) => how === 'make' && collection !== 'routes');
    if (homes.length > 0 && chance.happens(500)) return chance.pick(homes);
    if (others.length > 0 && (changes.length === 0 || chance.happens(400))) return chance.pick(others);
    if (changes.length === 0) return undefined;
    // What is written as a whole is looked at once more before, and what is found then counts.
    const whole = changes.filter(({ collection }) => collection === 'routes');
    return chance.pick(whole.length > 0 && chance.happens(500) ? whole : changes);
  }

  #handEdit(how: HandKind, chance: Chance, all: readonly Thing[]): HandEdit | undefined {
    if (all.length === 0) return undefined;
    const { id, collection, home = '', ...thing } = chance.pick(all);
    const values = thing.history.at(-1)?.values ?? {};
    const key = {
      sites: 'name',
      pages: 'title',
      routes: 'name',
      members: 'mail',
      boards: 'title',
      notes: 'words',
      policy: 'mode',
    }[collection];
    const text = `${handName} ${String(chance.between(0, 9))}`;
    const shaped =
      this.service.isShaped && (how === 'change' || how === 'move key') ? shapedByHand(chance, values) : undefined;
    const secret = this.service.isVaulted && how === 'change' ? rotatedByHand(chance, values) : undefined;
    if (secret !== undefined) return { how: 'change', id, collection, values: secret };
    if (shaped !== undefined) return { how: 'change', id, collection, values: shaped };
    if (how === 'end' && collection !== 'policy') return { how, id, collection, values: {} };
    if (how === 'rename' && collection !== 'members') return { how: 'change', id, collection, values: { [key]: text } };
    // Somebody makes another one beside it, of the same name where the service lets them.
    if (how === 'make' && collection === 'sites' && chance.happens(500))
      return { how, id, collection: chance.pick(['pages', 'members']), values: { title: text, mail: text } };
    if (how === 'make' && collection !== 'policy') {
      const same = keyFor(collection, String(values[key]), text);
      // Or in another home.
      const homes = home === '' || !chance.happens(500) ? [home] : this.service.living('sites').map((each) => each.id);
      const other = collection === 'pages' ? 'layout' : anybodys[collection];
      const its = chance.happens(400) ? { [other]: text } : {};
      const place = chance.pick(homes.length === 0 ? [home] : homes);
      return { how, id: place, collection, values: { ...values, ...its, [key]: same } };
    }
    // Into a map people put what is their own.
    if (how === 'move key' && (collection === 'sites' || collection === 'boards'))
      return { how: 'change', id, collection, values: { tags: { ...(values['tags'] as JsonObject), hand: text } } };
    const isCleared = collection !== 'policy' && chance.happens(200);
    if (collection === 'policy' && chance.happens(300)) return { how: 'change', id, collection, values: { limit: 77 } };
    return { how: 'change', id, collection, values: { [anybodys[collection]]: isCleared ? null : text } };
  }

  #editByHand({ how, id, collection, values }: HandEdit): void {
    const thing = this.service.things.get(id);
    const isThere = thing !== undefined && this.service.truth(thing) !== undefined;
    this.judge.witness.byHand(() => {
      if (how === 'make') {
        if (id === '' || isThere) this.service.make(collection, id === '' ? undefined : id, values);
      } else if (isThere && how === 'end') this.service.end(thing);
      else if (isThere) this.service.change(thing, values);
    });
  }
}

/** What somebody does to one member of a record, or to an item of a list; undefined: it has none, or they change something else. */
function shapedByHand(chance: Chance, values: JsonObject): JsonObject | undefined {
  if (chance.happens(300)) return spelledByHand(chance, values);
  const { look, labels, rows } = values;
  const of = ([look, labels, rows] as const).some((each) => each !== undefined) && chance.happens(600);
  if (!of) return undefined;
  const said = isObject(look) ? look : {};
  const shade = isObject(said['shade']) ? said['shade'] : {};
  const list = (isList(rows) ? rows : []) as readonly JsonObject[];
  const words = (isList(labels) ? labels : []) as readonly string[];
  const looks = [
    { look: { ...said, size: chance.between(20, 24) } },
    { look: { ...said, color: `hand ${String(chance.between(0, 4))}` } },
    { look: { ...said, font: `hand ${String(chance.between(0, 4))}` } },
    { look: { ...said, shade: { ...shade, deep: chance.between(5, 7) } } },
    { look: { ...said, shade: { ...shade, dark: 'hand' } } },
    { look: null },
  ];
  return chance.pick<JsonObject>([
    ...(look === undefined ? [] : looks),
    ...(labels === undefined ? [] : [{ labels: [...words, '#hand'] }, { labels: words.slice(1) }]),
    ...(rows === undefined
      ? []
      : [
          { rows: [...list, { cell: 'hand' }] },
          { rows: list.slice(1) },
          { rows: list.toReversed() },
          { rows: list.map((row) => ({ ...row, width: chance.between(3, 5) })) },
        ]),
  ]);
}

/** Files as data. */
function filesOf(
  catalogue: Catalogue | undefined,
): Pick<Extract<Act, { kind: 'files' }>, 'resources' | 'moved' | 'removed'> {
  const { resources = {}, leaving = [], removed = [] } = catalogue ?? {};
  return {
    resources,
    ...(leaving.length === 0 ? {} : { moved: leaving }),
    ...(removed.length === 0 ? {} : { removed }),
  };
}

/** How long a rule is to hold: the first day of all worlds is one of January, the fifth. */
function untilOf(seed: number): readonly string[] {
  return seed % 4 < 2 ? [] : ['--until', `2026-01-0${String(4 + ((seed % 7) % 3))}`];
}

/** What all of it stands in. */
function topOf(address: string): string {
  const above = parentAddress(address);
  return above === undefined ? address : topOf(above);
}

/** What some who plan leave out, or ask for. */
function narrowed(address: string, seed: number): readonly string[] {
  const [words = []] = [['--replace', address], ['--target', address], ['--exclude', address], ['--no-delete']].slice(
    seed % 10,
  );
  return words;
}

function earlier(run: number, seed: number): number {
  return seed % 5 < 2 ? Math.max(1, run - (seed % 3)) : run;
}

function keyFor(collection: string, same: string, other: string): string {
  return (collection === 'pages' || collection === 'members' || collection === 'notes') && /[02468]$/.test(other)
    ? same
    : other;
}

/** Keeps what a project was asked for and answered, as data. */
function watched(project: Project, process: Process, claim: Claim | undefined, world: Simulation): Project {
  let last: Plan | undefined;
  let plannedAt = 0;
  const now = (): number => world.time.now;
  const keep = <R extends { readonly plan?: Plan }>(result: R): R => {
    last = result.plan;
    if (last !== undefined) process.plans.push(last);
    if (last !== undefined) claim?.plans.push(last);
    if (last !== undefined) world.judge.plans.letGoBy(last);
    plannedAt = now();
    process.onPlan();
    return result;
  };
  const done = (result: ApplyResult, plan: Plan | undefined): ApplyResult => {
    process.results.push(result);
    claim?.results.push(result);
    if (plan !== undefined) process.carriedOut.set(result, plan);
    return result;
  };
  return {
    ...project,
    plan: async (options) => {
      const result = await project.plan(options);
      if (result.plan !== undefined && !process.isDead) world.judge.plans.planned(process, result.plan);
      return keep(result);
    },
    undo: async (...asked) => keep(await project.undo(...asked)),
    revertDrift: async (...asked) => {
      const result = await project.revertDrift(...asked);
      if (result.plan !== undefined && !process.isDead)
        world.judge.plans.reverts(process, result.plan, result.diagnostics);
      return keep(result);
    },
    apply: async (...asked) => {
      // A worker plans for others meanwhile.
      process.plannedAt = plannedAt;
      if (claim !== undefined) claim.plannedAt = plannedAt;
      return done(await project.apply(...asked), last);
    },
    applyReviewed: async (reviewed, options) => {
      process.plans.push(reviewed);
      return done(await project.applyReviewed(reviewed, options), reviewed);
    },
    acceptDrift: async (...asked) => {
      const result = await project.acceptDrift(...asked);
      process.accepted.push(result);
      return result;
    },
    drift: async (options) => {
      const from = now();
      const result = await project.drift(options);
      process.checks.push(result);
      process.checkedAt.set(result, { from, to: now() });
      if (!process.isDead) world.judge.plans.checked(process, result);
      claim?.checks.push(result);
      return result;
    },
  };
}

/** What replacements were to end, and nobody has told as gone: which stack is to, and at which address. */
function oldObjects(): readonly { readonly of: string; readonly at: string; readonly id: string }[] {
  return tables.rows<ResourceRow>('sync_resources').flatMap((row) => {
    const { deposed } = JSON.parse(row.body) as Pick<RecordedResource, 'deposed'>;
    return deposed.map(({ identity }) => ({ of: row.stack, at: row.address, id: identity.id }));
  });
}

/** How a person names an object. */
function importIdOf({ id, home }: Thing): string {
  return home === undefined ? id : JSON.stringify({ siteId: home, id });
}
