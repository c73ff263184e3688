import { runProgram } from '@platform-sync/cli/program';
import type { Host } from '@platform-sync/cli/process/host';
import { openProject } from '@platform-sync/engine/engine';
import type { ApplyResult, OpenOptions, Project } from '@platform-sync/engine/api';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import type { World } from '@platform-sync/core/model/world';
import { MemoryDatabase } from '@platform-sync/state/memory';
import { sql } from '@platform-sync/state/sql';
import { SqlStateStore } from '@platform-sync/state/sql-store';
import type { Database, Statements } from '@platform-sync/state/database';
import { Catalogue } from './catalogue.js';
import { Chance } from './chance.js';
import { emptyDisk, mkdirSync, writeFileSync } from './disk.js';
import { Judge } from './judge.js';
import { lineTo } from './line.js';
import { noTrouble, type Act, type Rates, type Scenario } from './scenario.js';
import { Service } from './service.js';
import { remoteDatabase } from './store.js';
import { yardPackage } from './types.js';
import { VirtualTime } from './virtual-time.js';

type Run = Extract<Act, { readonly kind: 'run' }>;

/** One command line, from its first event to its end. */
export interface Process {
  readonly name: string;
  readonly pid: number;
  readonly machine: string;
  readonly stack: string;
  readonly argv: readonly string[];
  readonly startedAt: number;
  isDead: boolean;
  /** It stands still until then. */
  frozenUntil: number;
  code: number | undefined;
  /** When it was first asked to stop. */
  stoppedAt: number | undefined;
  out: string;
  /** What it has planned, in the order of planning, a reviewed plan among them. */
  readonly plans: Plan[];
  readonly results: ApplyResult[];
  readonly checks: DriftResult[];
  /** Leases it was given. */
  readonly leases: Set<string>;
  /** What it was told something wrong about. */
  readonly liedAbout: Set<string>;
  /** It does not reach the store until then, although others do. */
  cutOffUntil: number;
  signal: (name: 'SIGINT') => void;
  onWrite: () => void;
}

export interface Outcome {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly runs: number;
  readonly events: number;
  readonly virtualMs: number;
  readonly trace: readonly string[];
}

/** A whole evening of virtual time; whatever has not ended by then never ends. */
const longestRunMs = 2 * 3_600_000;
const settings = {
  concurrency: 3,
  project: 'yard',
  stacks: { one: {}, two: {} },
  guards: {
    ...{ maxDeletes: 1000, maxDeletePercent: 100 },
    allow: ['emptyCatalogue', 'everythingGone', 'maxMissing', 'adopt'].map((guard) => ({ guard, reason: 'simulated' })),
  },
};

/** One for all worlds, which come one after the other: its tables are made once. */
const memory = new MemoryDatabase();

async function emptied(database: Database): Promise<void> {
  const tables = await database.rows<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and name <> 'sync_schema' and name not like 'sqlite_%'`,
  );
  for (const { name } of tables) await database.run({ pieces: [`delete from ${name}`], values: [] });
}

const folderOf = (stack: string): string => `/world/${stack}`;

/** One world: a service, a store, machines with files, people, and the command lines that they run. */
export class Simulation {
  readonly time = new VirtualTime();
  readonly service: Service;
  readonly scenario: Scenario;
  readonly database: Database;
  readonly catalogues: ReadonlyMap<string, Catalogue>;
  readonly processes: Process[] = [];
  readonly judge: Judge;
  rates: Rates;
  #storeAwayUntil = 0;
  #serviceAwayUntil = 0;
  #clockErrorMs = 0;
  #acting = 0;

  constructor(scenario: Scenario, { isTraced = false } = {}) {
    this.scenario = scenario;
    this.rates = scenario.rates;
    if (isTraced) this.time.trace = [];
    this.service = new Service(this.time, scenario.seed);
    this.service.lagMs = scenario.lagMs;
    this.database = memory.connection(() => this.time.now);
    this.catalogues = new Map(scenario.stacks.map((stack) => [stack, new Catalogue(stack)]));
    emptyDisk();
    this.judge = new Judge(this);
    this.time.after = () => this.judge.settle();
  }

  /** Lets everything happen, and then, in peace, what must be true in the end. */
  async run(): Promise<Outcome> {
    try {
      await emptied(this.database);
      for (const stack of this.scenario.stacks) this.#write(stack);
      this.#acting = this.scenario.acts.length;
      for (const act of this.scenario.acts) this.time.in(act.atMs, `act ${act.kind}`, () => this.#act(act));
      const hasEnded = await this.time.run(() => this.#acting === 0 && this.#isIdle(), 40 * 3_600_000);
      if (!hasEnded) this.judge.blame('a run never ends');
      else await this.judge.atRest();
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
      violations: this.judge.violations,
    };
  }

  /** Nobody troubles anybody any more; what names its home by an id is given up. */
  calm(): void {
    for (const [stack, catalogue] of this.catalogues) {
      catalogue.leave();
      this.#write(stack);
    }
    this.rates = noTrouble;
    this.service.lagMs = 0;
    this.#storeAwayUntil = 0;
    this.#serviceAwayUntil = 0;
    this.#clockErrorMs = 0;
  }

  /** Lets so much time pass. */
  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.time.in(ms, '', () => (isOver = true));
    await this.time.run(() => isOver, ms + 1);
  }

  /** Runs a command line to its end, with nothing beside it. */
  async perform(stack: string, argv: readonly string[]): Promise<Process> {
    const process = this.#start({ stack, seed: this.processes.length, skewMs: 0 }, argv);
    await this.time.run(() => process.code !== undefined, longestRunMs);
    if (process.code === undefined) this.judge.blame(`${process.name} does not end although nothing troubles it`);
    return process;
  }

  #isIdle(): boolean {
    return this.processes.every((process) => this.#isOver(process));
  }

  #isOver(process: Process | undefined): boolean {
    return process === undefined || process.isDead || process.code !== undefined;
  }

  #write(stack: string): void {
    const folder = folderOf(stack);
    mkdirSync(`${folder}/catalogue`);
    writeFileSync(`${folder}/sync.yaml`, JSON.stringify(settings));
    writeFileSync(`${folder}/catalogue/all.yaml`, this.catalogues.get(stack)?.text() ?? '{}');
  }

  #act(act: Act): void {
    this.#acting -= 1;
    switch (act.kind) {
      case 'write files': {
        const chance = new Chance(act.seed, 'files');
        const others = this.service.living('sites').map(({ id }) => id);
        for (let nth = 0; nth < act.edits; nth += 1) this.catalogues.get(act.stack)?.edit(chance, others);
        return this.#write(act.stack);
      }
      case 'edit by hand':
        return this.#editByHand(act.how, new Chance(act.seed, 'hand'));
      case 'store away':
        this.#storeAwayUntil = this.time.now + act.ms;
        return;
      case 'service away':
        this.#serviceAwayUntil = this.time.now + act.ms;
        return;
      case 'set clock':
        this.#clockErrorMs = act.ms;
        return;
      case 'run': {
        const process = this.#start(act, this.#words(act));
        if (act.mishap !== undefined) this.#befall(process, act.mishap);
      }
    }
  }

  #words({ command, stack, seed }: Run): readonly string[] {
    const { blocks } = this.catalogues.get(stack) ?? { blocks: new Map<string, unknown>() };
    const address = blocks.size === 0 ? 'k1' : new Chance(seed, 'address').pick([...blocks.keys()]);
    const words: Readonly<Record<Run['command'], readonly string[]>> = {
      apply: ['apply', '--yes'],
      'apply full': ['apply', '--yes', '--refresh', 'full'],
      'apply no-delete': ['apply', '--yes', '--no-delete'],
      'apply target': ['apply', '--yes', '--target', address],
      'apply exclude': ['apply', '--yes', '--exclude', address],
      plan: ['plan'],
      review: ['plan', '--out', 'plan.json'],
      'apply reviewed': ['apply', 'plan.json', '--yes'],
      destroy: ['destroy', '--yes'],
      drift: ['drift'],
      'drift revert': ['drift', 'revert', '--all', '--at-most', '20', '--yes'],
      'drift record': ['drift', 'record', address],
      refresh: ['refresh'],
      adopt: ['adopt', '--yes'],
      'state mv': ['state', 'mv', address, `${address}-moved`],
      'state mv to': ['state', 'mv', address, '--to-stack', this.scenario.stacks.at(-1) ?? stack],
    };
    return words[command];
  }

  #start({ stack, seed, skewMs }: Pick<Run, 'stack' | 'seed' | 'skewMs'>, argv: readonly string[]): Process {
    const pid = this.processes.length;
    const process: Process = {
      ...{
        name: `p${String(pid)} ${argv.join(' ')} ${stack}`,
        pid,
        // Most run on one machine; another one says nothing of how this one's processes are.
        machine: `machine ${String(seed % 3 === 0 ? pid : 0)}`,
        stack,
        argv,
        startedAt: this.time.now,
      },
      ...{
        isDead: false,
        frozenUntil: 0,
        code: undefined,
        stoppedAt: undefined,
        out: '',
        plans: [],
        results: [],
        checks: [],
        leases: new Set<string>(),
        liedAbout: new Set<string>(),
        cutOffUntil: 0,
      },
      signal: () => undefined,
      onWrite: () => undefined,
    };
    this.processes.push(process);
    this.time.note(`${process.name} starts`);
    const host = this.#hostOf(process, new Chance(this.scenario.seed ^ seed, process.name), skewMs);
    void runProgram([...argv, '--stack', stack, '--log-level', 'debug'], host).then((code) => this.#end(process, code));
    this.time.in(longestRunMs, '', () => {
      if (process.code === undefined && !process.isDead)
        this.judge.blame(`${process.name} has not ended after two hours`);
    });
    return process;
  }

  #end(process: Process, code: number): void {
    if (process.isDead || process.code !== undefined) return;
    process.code = code;
    this.time.note(`${process.name} ends ${String(code)}`);
    this.judge.ended(process);
  }

  #befall(process: Process, { atWrite, ...mishap }: NonNullable<Run['mishap']>): void {
    if (atWrite === undefined) return this.#strike(process, mishap);
    let writes = 0;
    process.onWrite = () => {
      writes += 1;
      if (writes === atWrite) this.#strike(process, mishap);
    };
  }

  #strike(process: Process, { kind, afterMs, ms = 10_000 + afterMs * 20 }: NonNullable<Run['mishap']>): void {
    this.time.in(afterMs, '', () => {
      if (process.code !== undefined) return;
      this.time.note(`${process.name} ${kind}`);
      if (kind === 'kill') process.isDead = true;
      else if (kind === 'freeze') process.frozenUntil = this.time.now + ms;
      else if (kind === 'cut off') process.cutOffUntil = this.time.now + ms;
      else {
        process.stoppedAt = this.time.now;
        process.signal('SIGINT');
      }
      if (kind === 'stop twice') this.time.in(50, '', () => process.signal('SIGINT'));
    });
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

  #worldOf(process: Process, chance: Chance, skewMs: number): World {
    const later = (ms: number, task: () => void): (() => void) => this.#later(process, ms, task);
    return {
      now: () => this.time.now + skewMs + this.#clockErrorMs,
      steady: () => this.time.now - process.startedAt,
      sleep: (ms, until) =>
        new Promise((resolve) => {
          if (until?.aborted === true) return resolve();
          const cancel = later(ms, resolve);
          until?.addEventListener('abort', () => (cancel(), resolve()), { once: true });
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
      id: () => chance.uuid(),
      secret: (bytes) => chance.hex(bytes * 2),
      random: () => chance.next(),
      processes: {
        host: () => process.machine,
        owner: () => `somebody@${process.machine} pid ${String(process.pid)}`,
        self: () => ({ ...{ host: process.machine, boot: 'one', namespace: 'one', start: 'one' }, pid: process.pid }),
        isProvenDead: ({ host, pid }) => host === process.machine && this.#isOver(this.processes[pid]),
      },
    };
  }

  #hostOf(process: Process, chance: Chance, skewMs: number): Host {
    const world = this.#worldOf(process, chance, skewMs);
    const { time, service } = this;
    const common = {
      time,
      rates: () => this.rates,
      later: (ms: number, task: () => void) => void this.#later(process, ms, task),
    };
    const connect = lineTo({
      ...common,
      ...{
        service,
        name: process.name,
        isDead: () => process.isDead,
        chance: new Chance(chance.between(0, 2 ** 31), 'line'),
      },
      awayUntil: () => this.#serviceAwayUntil,
      onWrite: (request) => {
        this.judge.leaves(process, request);
        process.onWrite();
      },
      carriedOut: (request, work) => this.judge.carriedOut(process, request, work),
      liedAbout: process.liedAbout,
    });
    const wire = {
      ...common,
      chance: new Chance(chance.between(0, 2 ** 31), 'store'),
      awayUntil: () => Math.max(this.#storeAwayUntil, process.cutOffUntil),
      watched: <T>(trx: Statements, work: (trx: Statements) => Promise<T>) => this.judge.written(process, trx, work),
    };
    const database = remoteDatabase(this.database, wire);
    const timing = { ...world, ttlMs: 30_000, heartbeatMs: 5_000, pollMs: 500 };
    const openState: OpenOptions['openState'] = async ({ project, stack }) => {
      const store = new SqlStateStore(database, { project, stack }, timing);
      const acquire = store.acquire.bind(store);
      store.acquire = async (...asked) => {
        const lease = await acquire(...asked);
        process.leases.add(lease.id);
        return lease;
      };
      return store;
    };
    const loaded = yardPackage(connect);
    const print = (text: string): void => {
      process.out += text;
      time.trace?.push(text.trimEnd().replaceAll(/^/gm, '    | '));
    };
    return {
      ...{ out: print, err: print, env: {}, cwd: folderOf(process.stack), world },
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
        const opened = await openProject({ ...options, openState });
        return opened.project === undefined ? opened : { ...opened, project: watched(opened.project, process) };
      },
      packages: () => Promise.resolve({ names: ['yard'], load: () => Promise.resolve(loaded) }),
      startSandbox: () => Promise.reject(new Error('not here')),
      providerConfig: () => Promise.resolve({}),
    };
  }

  #editByHand(how: Extract<Act, { readonly kind: 'edit by hand' }>['how'], chance: Chance): void {
    const all = this.service.living();
    if (all.length === 0) return;
    const thing = chance.pick(all);
    const values = this.service.truth(thing) ?? {};
    const key = { sites: 'name', pages: 'title', routes: 'name', members: 'mail', policy: 'mode' }[thing.collection];
    const text = `by hand ${String(chance.between(0, 9))}`;
    const field = { sites: 'note', pages: 'body', routes: 'note', members: 'rank', policy: 'mode' }[thing.collection];
    this.judge.byHand(() => {
      if (how === 'end' && thing.collection !== 'policy') this.service.end(thing);
      else if (how === 'rename' && thing.collection !== 'members') this.service.change(thing, { [key]: text });
      // Somebody makes another one beside it, of the same name where the service lets them.
      else if (how === 'make' && thing.collection !== 'policy')
        this.service.make(thing.collection, thing.home, {
          ...values,
          [key]: keyFor(thing.collection, String(values[key]), text),
        });
      else this.service.change(thing, { [field]: text });
    });
  }
}

function keyFor(collection: string, same: string, other: string): string {
  return collection === 'pages' && other.endsWith('0') ? same : other;
}

/** Keeps what a project was asked for and answered, as data. */
function watched(project: Project, process: Process): Project {
  const keep = <R extends { readonly plan?: Plan }>(result: R): R => {
    if (result.plan !== undefined) process.plans.push(result.plan);
    return result;
  };
  const done = (result: ApplyResult): ApplyResult => {
    process.results.push(result);
    return result;
  };
  return {
    ...project,
    plan: async (options) => keep(await project.plan(options)),
    revertDrift: async (...asked) => keep(await project.revertDrift(...asked)),
    apply: async (...asked) => done(await project.apply(...asked)),
    applyReviewed: async (reviewed, options) => {
      process.plans.push(reviewed);
      return done(await project.applyReviewed(reviewed, options));
    },
    drift: async (options) => {
      const result = await project.drift(options);
      process.checks.push(result);
      return result;
    },
  };
}
