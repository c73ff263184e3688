import type { Event } from '@platform-sync/core/model/event';
import type { Intent } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, isObject } from '@platform-sync/core/model/value';
import { outboxFile } from '@platform-sync/state/outbox-file';
import type { IntentRow, ResourceRow } from '@platform-sync/state/tables';
import { existsSync } from './disk.js';
import type { Claim } from './jobs.js';
import { type Recorded, clockSkewMs, idIn, inListOf, keptIn, keyIn, nameOf, pathOf, settleMs } from './laws/facts.js';
import { type HistoryRow, bodyOf } from './ledger.js';
import type { Answer, Request, Thing } from './service.js';
import { type Process, type Simulation, folderOf } from './simulation.js';

/** What has happened in a world so far, as laws ask for it. */
export class Witness {
  readonly world: Simulation;
  readonly violations: string[] = [];
  /** Who does what the service does at this moment; undefined: people. */
  doer: Process | undefined;
  readonly open: (() => void)[] = [];
  /** Things that runs have made, and by hand changed ones with the moment of the last change. */
  readonly made = new Set<string>();
  /** Of each of these the intent of the create that made it. */
  readonly madeFor = new Map<string, string>();
  /** Ids of what stays when its block goes. */
  readonly retained = new Set<string>();
  /** Who made each thing. */
  readonly makers = new Map<string, Process>();
  /** Intents as the journal has them, and since when. */
  readonly journal = new Map<string, { readonly stack: string; readonly body: string; readonly at: number }>();
  /** When they were closed. */
  readonly closedAt = new Map<string, number>();
  /** When a process last looked at one thing. */
  readonly read = new Map<string, number>();
  /** The same as it was when that process last sent the end of a thing. */
  readonly readWhenSent = new Map<string, ReadonlyMap<string, number>>();
  /** What answers have shown to a process, or to one try of a worker's job, of one thing by itself, when it heard that, and of what moment it is. */
  readonly shownAlone = new Map<
    string,
    readonly {
      readonly at: number;
      readonly of: number;
      readonly body: JsonObject;
      readonly claim: Claim | undefined;
    }[]
  >();
  /** When a process last heard what a look had found, anywhere or at one place. */
  readonly heardAt = new Map<string, number>();
  /** Of each stack the last run that sent something. */
  readonly lastRuns = new Map<string, number>();
  /** How often a process has sent a create, by address. */
  readonly sent = new Map<string, number>();
  /** Objects that took the place of others for a change outside, and the fields of that. */
  readonly madeForDrift = new Map<string, readonly string[]>();
  /** When intents and rows of the history came, whatever the clock of their run says. */
  readonly arrivedAt = new Map<string, number>();
  /** Paths that were asked for in the end, and what lists showed. */
  asked: string[] = [];
  readonly listed = new Set<string>();
  /** When leases were broken. */
  readonly brokenAt = new Map<string, number>();
  /** Of each stack the last run while there was trouble. */
  readonly troubled = new Map<string, number>();
  /** Things, stacks with them, and keys of maps that records say, whose records somebody has dropped by a command for that, and what each such command has seen. */
  readonly letGo = new Set<string>();
  /** Stacks and the ids of what they have, or had, a record of. */
  readonly knownTo = new Set<string>();
  /** Fields of adopted objects that no answer shows, of which it was said that they are taken to be as the file says. */
  readonly assumed = new Set<string>();
  /** Fields of which a run said that they were after its write as before, by address and by object. */
  readonly unkept = new Set<string>();
  /** Things by the stack and address for which runs made them. */
  readonly madeAt = new Map<string, string>();
  /** What was called otherwise before anybody looked for the create that made it: it may be taken over as anybody's. */
  readonly unfound = new Set<string>();
  /** Of each intent the object that had its address when it was closed. */
  readonly foundFor = new Map<string, string | undefined>();
  /** Of updates that were carried out, by intent, how often the object had been touched then. */
  readonly carriedOutFor = new Map<string, number>();
  /** Who has closed which intent. */
  readonly closedBy = new Map<string, Process>();
  readonly touched = new Map<string, { readonly at: number; readonly by: Process | undefined }[]>();

  constructor(world: Simulation) {
    this.world = world;
  }

  blame(what: string): void {
    const { time } = this.world;
    time.note(`VIOLATION ${what}`);
    this.violations.push(`after ${String(time.now - time.start)} ms: ${what}`);
  }

  /** What had to be looked up about the last event. */
  settle(): void {
    if (this.open.length > 0) for (const check of this.open.splice(0)) check();
  }

  byHand(work: () => void): void {
    this.doer = undefined;
    work();
    this.world.time.note('by hand');
  }

  /** It was told what was true at that moment; of a list each page was true at a moment of its own. */
  hasSeen(
    process: Process,
    claim: Claim | undefined,
    { path }: Request,
    at: number,
    listed: readonly Json[],
    told: Answer,
  ): void {
    const [place = ''] = path.split('?');
    if (this.world.decisions.isCalm) {
      this.asked.push(path);
      for (const id of listed) this.listed.add(String(id));
    }
    const { status, body = null } = told;
    if (status === 200 && isObject(body) && !path.includes('limit=')) {
      const key = `${process.name} ${place}`;
      this.shownAlone.set(key, [...(this.shownAlone.get(key) ?? []), { at: this.world.time.now, of: at, body, claim }]);
    }
    for (const asked of [process.name, `${process.name} ${place}`]) this.heardAt.set(asked, this.world.time.now);
    const inList = listed.map((id) => `${place} ${String(id)}`);
    for (const looked of [place, place.split('/').at(-1) ?? '', ...inList].map((each) => `${process.name} ${each}`))
      // An older answer may come later.
      this.read.set(looked, Math.max(this.read.get(looked) ?? 0, at));
  }

  /** What it has said that it takes for granted counts, however it ended. */
  heard({ out, stack }: Process): void {
    for (const field of namedBy(out, 'assumed-equal')) this.#note(this.assumed, stack, field);
    for (const field of namedBy(out, 'not-kept')) this.#note(this.unkept, stack, field);
  }

  /** The same, where it is not printed. */
  hears(event: Event, stack: string): void {
    if (event.type !== 'diagnostic' || event.diagnostic.code !== 'not-kept') return;
    const { address = '', field = '' } = event.diagnostic;
    this.#note(this.unkept, stack, `${address}.${field}`);
  }

  /** A field by its address, and by its object, which may have another address later. */
  #note(into: Set<string>, stack: string, field: string): void {
    into.add(field);
    for (const { id, address } of this.records((row) => row.stack === stack && field.startsWith(`${row.address}.`)))
      into.add(keyIn(id, field.slice(address.length + 1)));
  }

  /** What stands there was, in some field, after a write as before. */
  isUnkept(address: string, id = ''): boolean {
    return [...this.unkept].some((field) => field.startsWith(`${address}.`) || field.startsWith(`${id} `));
  }

  /** Its stack had written it, or what took its place, so short before a process that answers need not show it yet. */
  isYoung({ stack, startedAt }: Process, at: string): boolean {
    if (this.world.scenario.isPrompt === true) return false;
    const [address] = at.split('~');
    return this.records((row) => row.stack === stack && row.address === address)
      .flatMap(({ id, deposed }) => [id, ...deposed.map((old) => old.identity.id)])
      .flatMap((id) => this.touched.get(id) ?? [])
      .some(({ at, by }) => by?.stack === stack && at > startedAt - settleMs);
  }

  /** What people made more than the clocks may differ before a create is not what that has made. */
  isPeoplesOld({ id, collection }: Thing, ms: number): boolean {
    const madeAt = this.touched.get(id)?.[0]?.at ?? ms;
    return collection !== 'policy' && !this.made.has(id) && madeAt < ms - clockSkewMs;
  }

  /** Runs of that stack alone have written it, and each knows what became of its writes. */
  isWrittenBy(stack: string, touches: readonly { readonly by: Process | undefined }[]): boolean {
    return touches.every(
      ({ by }) =>
        by?.stack === stack &&
        by.code === 0 &&
        by.openWrites === 0 &&
        by.argv[0] !== 'fleet' &&
        this.world.isInPeace(by),
    );
  }

  history(stack: string): readonly HistoryRow[] {
    return this.world.tables.rows<HistoryRow>('sync_runs').filter((row) => row.stack === stack);
  }

  intents(): readonly (Intent & { readonly stack: string })[] {
    const rows = this.world.tables.rows<IntentRow>('sync_intents');
    return rows.map((row) => ({ ...bodyOf<Intent>(row), stack: row.stack }));
  }

  records(isWanted: (row: ResourceRow) => boolean = () => true): readonly Recorded[] {
    const rows = this.world.tables.rows<ResourceRow>('sync_resources');
    return rows.filter(isWanted).map((row) => {
      const { stack, address, type, id, dependencies } = row;
      return { ...bodyOf<Recorded>(row), needs: dependencies, stack, address, type, id };
    });
  }

  /** The records of a stack as a process knows them: what a run could not tell the store stands on the one disk of all machines. */
  known(process: Process, stack: string): readonly Recorded[] {
    const records = this.records((row) => row.stack === stack);
    const path = outboxFile(folderOf(process, stack), 'yard', stack).location;
    if (!existsSync(path)) return records;
    const open = new Set(this.world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    const known = new Map(records.map((record) => [record.address, record]));
    for (const { intent, changes } of keptIn(path))
      for (const change of open.has(intent) ? changes : [])
        if (change.kind === 'remove') known.delete(change.address);
        else if (change.kind === 'put')
          known.set(change.resource.address, {
            ...{ ...change.resource, stack, id: change.resource.identity.id },
            needs: JSON.stringify(change.resource.dependencies),
          });
    return [...known.values()];
  }

  /** A policy goes by the site that it is of. */
  thingOf(type: string, id: string): Thing | undefined {
    const { things } = this.world.service;
    return type.endsWith('Policy') ? things.get(`policy of ${id}`) : things.get(id);
  }

  /** Somebody has taken into the state what was found there, at such a time. */
  hasTaken(of: string, address: string, isThen: (ms: number) => boolean = () => true): boolean {
    return this.world.processes.some(
      ({ stack, argv, out, startedAt }) =>
        stack === of &&
        (argv[0] === 'refresh' || argv[1] === 'record' || argv[0] === 'undo') &&
        new RegExp(`\\b${address}\\b`).test(out) &&
        isThen(startedAt),
    );
  }

  /** What somebody took over from a run: renamed by hand, or its record dropped, it is another one's. */
  isLeft(thing: Thing): boolean {
    const isTouched = (this.touched.get(thing.id) ?? []).some(({ by }) => by === undefined);
    return this.letGo.has(thing.id) || isTouched || this.isSaidToBeOther(thing);
  }

  /** A person has said that its create made another one. */
  isSaidToBeOther({ id }: Thing): boolean {
    const { argv = [], stack = '' } = this.closedBy.get(this.madeFor.get(id) ?? '') ?? {};
    const [verb, address = '', named = ''] = argv;
    return verb === 'adopt' && `${stack} ${address}` === this.madeAt.get(id) && idIn(named) !== id;
  }

  /** Runs a command line, and once more with all that has held it back allowed. */
  async allowing(stack: string, argv: readonly string[]): Promise<Process> {
    const first = await this.world.perform(stack, argv);
    const held = first.plans.at(-1)?.guards.flatMap(({ name, lifted }) => (lifted === undefined ? [name] : [])) ?? [];
    if (held.length === 0) return first;
    return this.world.perform(stack, [...argv, ...held.flatMap((name) => ['--allow', name]), '--reason', 'the end']);
  }

  /** Lists showed it before the process began, or when it looked last; and nothing wrong was told to it. */
  isSeenBy(by: Process, thing: Thing, until = Infinity): boolean {
    const { collection, history } = thing;
    const shownAt = history[0]?.inLists ?? 0;
    const last = this.read.get(`${by.name} ${inListOf(thing)}`) ?? 0;
    // Of an earlier look than the last one nobody knows when that was.
    const lookedAt = last <= until ? last : 0;
    return collection !== 'policy' && by.liedAbout.size === 0 && shownAt < Math.max(by.startedAt, lookedAt);
  }

  /** Stacks and addresses of which the history tells something since then, or the journal where a run could not tell more. */
  cameSince(ms: number): ReadonlySet<string> {
    const isSince = (name: string): boolean => (this.arrivedAt.get(name) ?? 0) >= ms;
    const rows = this.world.tables.rows<HistoryRow>('sync_runs').filter((row) => isSince(nameOf(row)));
    const begun = this.intents().filter(({ id }) => isSince(id));
    return new Set([...rows, ...begun].map(({ stack, address }) => `${stack} ${address ?? ''}`));
  }

  /** What could not be known is not clean: each object was shown to the process, but for what its files let go of. */
  mustHaveLooked(process: Process, stack: string, isMeant: (address: string) => boolean = () => true): void {
    const came = this.cameSince(process.startedAt);
    const catalogue = this.world.catalogues.get(stack);
    for (const record of this.known(process, stack))
      if (
        isMeant(record.address) &&
        catalogue?.isLetGo(record.address) !== true &&
        !came.has(`${stack} ${record.address}`) &&
        !this.isShownTo(process, stack, record)
      )
        this.blame(
          `${process.name} has told that all is well in ${stack}, and nothing has shown ${record.address} to it`,
        );
  }

  /** Alone or in its list, or its home as gone. */
  isShownTo(process: Process, stack: string, { address, type, id }: Recorded): boolean {
    // What denies a home whose end may have been sent is believed.
    const open = this.intents();
    const ending = open.flatMap(({ action, identity }) => (action === 'delete' ? [identity?.id] : []));
    const creates = open.filter((one) => one.action === 'create' && one.stack === stack && one.address === address);
    const madeFor = [...this.madeFor].flatMap(([made, intent]) =>
      creates.some((one) => one.id === intent) ? [made] : [],
    );
    const thing = this.thingOf(type, id);
    if (thing === undefined) return true;
    const { home } = thing;
    const { service } = this.world;
    const site = service.things.get(home ?? '');
    const isAlong = site !== undefined && (service.truth(site) === undefined || ending.includes(site.id));
    // What an open create has made takes the place of what is recorded there.
    const byHome = thing.collection === 'boards' ? [home ?? '', 'sites'] : [];
    const shown = [id, pathOf(thing), ...byHome, ...madeFor, ...(isAlong ? [site.id] : [])];
    return shown.some((looked) => this.read.has(`${process.name} ${looked}`));
  }
}

/** Of what a diagnostic is told: what is alike stands once, with the names of the others below it. */
function namedBy(out: string, code: string): readonly string[] {
  const told = new RegExp(`(\\S+) {2}${code}.*(?:\\n\\W*\\d+ more alike: (.*))?`, 'g');
  return [...out.matchAll(told)].flatMap(([, field = '', others = '']) => [field, ...(others.match(/[^\s,]+/g) ?? [])]);
}
