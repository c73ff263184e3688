import type { ApplyResult } from '@platform-sync/engine/api';
import { chooses } from '@platform-sync/core/model/address';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Event } from '@platform-sync/core/model/event';
import { isEmptyPlan, type Plan, type PlanStep } from '@platform-sync/core/model/plan';
import type { FleetReport, Job } from '@platform-sync/core/model/fleet';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RunContent, RunPlan } from '@platform-sync/core/model/run';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { outboxFile } from '@platform-sync/state/outbox-file';
import type { CheckRow, FindingRow, IntentRow, NewsRow, ResourceRow, StackRow } from '@platform-sync/state/tables';
import { type Block, type Catalogue, secretOf } from './catalogue.js';
import { existsSync, readFileSync } from './disk.js';
import { editedBeyond } from './edited-files.js';
import { DriftMemory } from './drift-memory.js';
import { liftingIn, wronglyHeld } from './guards.js';
import { wrongLeftOut, wronglyAccepted, wrongPart } from './drift-rules.js';
import type { Answer, Collection, Deed, Request, Thing } from './service.js';
import type { Claim } from './jobs.js';
import { type HistoryRow, Ledger, recordIn, type RecordChange } from './ledger.js';
import { folderOf, isRound, type Process, type Simulation } from './simulation.js';
import {
  isSame,
  shownFields,
  untoldAt,
  wrongAt,
  wrongFound,
  wrongWithin,
  unshownIn,
  wronglyRecorded,
  type Place,
} from './plan-model.js';
import { recordsAfter, textOf } from './state-verbs.js';
import { apiKey, leaseMs } from './types.js';

/** What all of them begin with. */
const aSecret = secretOf(0).slice(0, 9);

/** How long a run that waits for a lease waits before it asks again. */
export const pollMs = 500;

/** A run hears so soon that its lease was broken, where nothing is in its way: at its next beat. */
const hearsWithinMs = 5_000 + 1_000;

/** What takes no time is done within so much. */
const toldWithinMs = 100;

/** How long a look counts before an end, beyond ten times what the looks took. */
const freshMs = 10_000;

/** A create leaves so soon after its intent was written. */
const leavesWithinMs = 10_000;

/** So often a create is sent again whose answers are lost. */
const mostResends = 4;

/** So long what hangs below something new waits for that at least. */
const lagWaitMs = 20_000;

/** Clocks may differ by so much, and those of worlds are wrong by some more. */
const clockSkewMs = 5 * 60_000 + 60_000;

/** Pages beyond this no list of a world has. */
const mostPages = 100;

/** How long a write may not show, where the files say nothing of it. */
const settleMs = 120_000;

/** Types by where their objects are. */
export const typeNames: Readonly<Record<Collection, string>> = {
  ...{ sites: 'Site', pages: 'Page', routes: 'Route', members: 'Member', boards: 'Board', notes: 'Note' },
  policy: 'Policy',
};
const keyFields: Readonly<Record<Collection, string>> = {
  ...{ sites: 'name', pages: 'title', routes: 'name', members: 'mail', boards: 'title', notes: 'words' },
  policy: 'siteId',
};
/** What no answer shows, so that no line can name what it was. */
const hiddenFields: readonly string[] = ['password'];
const actions: Readonly<Record<string, readonly Intent['action'][]>> = {
  POST: ['create'],
  PUT: ['update'],
  PATCH: ['create', 'update', 'delete'],
  DELETE: ['delete'],
};

/** What a plan does with objects; the rest is done with records. */
const written: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'delete']);

/** What an error says that asks a person, and each of its answers. */
const rightOne = /take the right one over:\n((?: +sync --stack \w+ adopt \S+ '.+?'\n)+)/g;
const answer = /(adopt \S+ '.+?')$/gm;

/** What an error says of an object that has a name which is to be given. */
const inTheWay = /the object (\S+), which nobody manages, has the name/g;

/** What an error says that asks who is to have an object: who wants it, and how it is handed over. */
const handedOver =
  / {2}(\S+) can't have the object (\S+): the stack.*(?:\n.*){1,6}?hand it over:\n +sync state mv (\S+(?: \S+)?) --stack (\w+) --to-stack (\w+)$/gm;

/** What an error says where another stack has what is in the way. */
const heldBy =
  /(\S+) can't be changed: the object (\S+), which the stack (\w+) manages, has the name that it is to get/g;

/** What is said of a field that no answer shows. */
const assumed = /(\S+) {2}assumed-equal/g;

/** What a run says that may not write any more. */
const leaseTrouble = /\b(?:lease-late|lease-refused|state-lease-\w+)\b/;

/** What a run tells of a step when it fails. */
const failedStep = /^failed +\S+ (\S+): /gm;

/** What a run found after its write as it was before. */
const unkept = /(\S+) {2}not-kept/g;
const settled = /an unfinished write of an earlier run: (\S+) (had not reached)?/g;

/** What an error says of a write to what is another stack's, too: who lets go of it. */
const writtenTwice = /lets go of it:\n +sync state rm (\S+) --stack (\w+)$/gm;

/** What a plan says of an end that is another stack's, too. */
const inBoth =
  /(?:- delete|-\/\+ replace) (\S+) \(.*(?:\n +(?!- delete |-\/\+ replace ).*){1,20}?the same object as (\S+) of the stack yard\/(\w+)/g;

/** What an error says of what one stack has recorded at two addresses: what to let go of. */
const recordedTwice = /recorded-twice {2}(?:.*\n)+? +sync --stack \w+ state rm (\S+)$/gm;

/** What a plan says of another stack's that goes along. */
const ofAnother = /(\S+) of the stack yard\/(\w+)/g;

/** What an error says of a name that stays where it is, and who has it. */
const keptName = /key-taken {2}.*: (\S+) has .*keeps it\.$/m;

/** The same, and who is to get it. */
const takenName = /key-taken {2}(\S+) can't be .*: (\S+) has .*keeps it\.$/gm;

/** What an error says where a name is to be given in a run of its own. */
const exchanged = /key-exchange {2}(\S+) is to get the \w+ of/g;

interface Recorded extends Pick<
  RecordedResource,
  'inputs' | 'outputs' | 'protect' | 'retainOnDelete' | 'writtenAt' | 'deposed'
> {
  /** Addresses of what it depends on, as text. */
  readonly needs: string;
  readonly type: string;
  readonly stack: string;
  readonly address: string;
  readonly id: string;
}

/** What an error proposes to take over. */
const proposed = /\bsync (?:--stack \w+ )?adopt (\S+) (?:'.+?'|\S+)/g;

/** What it says where another stack is to give what stands here already. */
const givenTwice = /State has one object at \S+ and at (\w+):(\S+?)\.$/gm;

/** What an error says of the state. */
const doubled = /State has one object at (\S+) and at (\S+?)\.$/gm;

/** What an object has, or is to have, that can be taken away: fields, and keys of its map. */
function clearable({ tags, note, body, text, weight }: JsonObject = {}): JsonObject {
  const keys = Object.entries((tags ?? {}) as JsonObject).map(([key, value]) => [`tags.${key}`, value]);
  return { ...defined({ note, body, text, weight }), ...Object.fromEntries(keys) };
}

/** A key of a map of an object, or one of its fields; an object of a type. */
function keyIn(id: string, key: string): string {
  return `${id} ${key}`;
}

/** Holds a world against what must be true of it: after each event, when a run ends, and in the end. */
export class Judge {
  readonly violations: string[] = [];
  readonly #world: Simulation;
  /** Who does what the service does at this moment; undefined: people. */
  #doer: Process | undefined;
  readonly #open: (() => void)[] = [];
  /** Things that runs have made, and by hand changed ones with the moment of the last change. */
  readonly #made = new Set<string>();
  /** Of each of these the intent of the create that made it. */
  readonly #madeFor = new Map<string, string>();
  /** Ids of what stays when its block goes. */
  readonly #retained = new Set<string>();
  /** Who made each thing. */
  readonly #makers = new Map<string, Process>();
  /** Intents as the journal has them, and since when. */
  readonly #journal = new Map<string, { readonly stack: string; readonly body: string; readonly at: number }>();
  /** When they were closed. */
  readonly #closedAt = new Map<string, number>();
  /** Intents of what runs keep on a disk, by its file, and since when. */
  readonly #kept = new Map<string, ReadonlySet<string>>();
  readonly #keptAt = new Map<string, number>();
  /** When a process last looked at one thing. */
  readonly #read = new Map<string, number>();
  /** The same as it was when that process last sent the end of a thing. */
  readonly #readWhenSent = new Map<string, ReadonlyMap<string, number>>();
  /** What answers have shown to a process of one thing by itself. */
  readonly #shownAlone = new Map<string, readonly { readonly at: number; readonly body: JsonObject }[]>();
  /** When a process last heard what a look had found, anywhere or at one place. */
  readonly #heard = new Map<string, number>();
  /** Of each stack the last run that sent something. */
  readonly lastRuns = new Map<string, number>();
  /** Of each stack, as it was after the last statement. */
  readonly #stacks = new Map<string, StackRow>();
  #recorded: readonly ResourceRow[] = [];
  /** How often a process has sent a create, by address. */
  readonly #sent = new Map<string, number>();
  readonly #memory = new DriftMemory();
  readonly #ledger = new Ledger((what) => this.blame(what));
  /** Objects that took the place of others for a change outside, and the fields of that. */
  readonly #madeForDrift = new Map<string, readonly string[]>();
  /** Of each stack types and ids of what its records say that it has written. */
  readonly #written = new Map<string, ReadonlySet<string>>();
  /** Records by stack, lineage and serial. */
  readonly #contents = new Map<string, string>();
  /** When intents and rows of the history came, whatever the clock of their run says. */
  readonly #arrivedAt = new Map<string, number>();
  /** Paths that were asked for in the end, and what lists showed. */
  #asked: string[] = [];
  readonly #listed = new Set<string>();
  /** When leases were broken. */
  readonly #brokenAt = new Map<string, number>();
  /** Of each stack the last run while there was trouble. */
  readonly #troubled = new Map<string, number>();
  /** Things, stacks with them, and keys of maps that records say, whose records somebody has dropped by a command for that, and what each such command has seen. */
  readonly #letGo = new Set<string>();
  /** What was made beside others of its name because somebody wanted that, or beside one (both ids) that was to stay. */
  readonly #beside = new Set<string>();
  /** What was handed back to the stack whose file has it, in the end. */
  readonly #handedBack = new Set<string>();
  /** Stacks and the ids of what they have, or had, a record of. */
  readonly #knownTo = new Set<string>();
  /** Fields of adopted objects that no answer shows, of which it was said that they are taken to be as the file says. */
  readonly #assumed = new Set<string>();
  /** Fields of which a run said that they were after its write as before. */
  readonly #unkept = new Set<string>();
  /** Things by the stack and address for which runs made them. */
  readonly #madeAt = new Map<string, string>();
  /** What was called otherwise before anybody looked for the create that made it: it may be taken over as anybody's. */
  readonly #unfound = new Set<string>();
  /** Of each intent the object that had its address when it was closed. */
  readonly #foundFor = new Map<string, string | undefined>();
  /** Of updates that were carried out, by intent, how often the object had been touched then. */
  readonly #carriedOutFor = new Map<string, number>();
  /** Who has closed which intent. */
  readonly #closedBy = new Map<string, Process>();
  readonly #droppable = new Map<Process, ReadonlySet<string>>();
  /** Records as they were before the last statement, by stack and id. */
  readonly #bodies = new Map<string, Recorded>();
  readonly #touched = new Map<string, { readonly at: number; readonly by: Process | undefined }[]>();
  /** Intents that were open after the last statement before which something was kept on a disk. */
  #openBefore: ReadonlySet<string> = new Set();

  constructor(world: Simulation) {
    this.#world = world;
    world.service.onDeed = (deed) => this.#deed(deed, this.#doer);
  }

  blame(what: string): void {
    const { time } = this.#world;
    time.note(`VIOLATION ${what}`);
    this.violations.push(`after ${String(time.now - time.start)} ms: ${what}`);
  }

  /** What had to be looked up about the last event. */
  settle(): void {
    if (this.#open.length > 0) for (const check of this.#open.splice(0)) check();
  }

  byHand(work: () => void): void {
    this.#doer = undefined;
    work();
    this.#world.time.note('by hand');
  }

  /** It was told what was true at that moment; of a list each page was true at a moment of its own. */
  hasSeen(process: Process, { path }: Request, at: number, listed: readonly Json[], told: Answer): void {
    const [place = ''] = path.split('?');
    if (this.#world.decisions.isCalm) {
      this.#asked.push(path);
      for (const id of listed) this.#listed.add(String(id));
    }
    const { status, body = null } = told;
    if (status === 200 && isObject(body) && !path.includes('limit=')) {
      const key = `${process.name} ${place}`;
      this.#shownAlone.set(key, [...(this.#shownAlone.get(key) ?? []), { at: this.#world.time.now, body }]);
    }
    for (const asked of [process.name, `${process.name} ${place}`]) this.#heard.set(asked, this.#world.time.now);
    const inList = listed.map((id) => `${place} ${String(id)}`);
    for (const looked of [place, place.split('/').at(-1) ?? '', ...inList].map((each) => `${process.name} ${each}`))
      // An older answer may come later.
      this.#read.set(looked, Math.max(this.#read.get(looked) ?? 0, at));
  }

  /** `isLate`: after its sender was told that it is lost. */
  carriedOut(process: Process, request: Request, isLate: boolean, work: () => Answer): Answer {
    const { method, path, body } = request;
    if (process.argv[1] === 'status') this.blame(`${process.name} asks the service`);
    if (Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 0) > mostPages)
      this.blame(`${process.name}: ${path} is asked for, and there is no end to it`);
    // Who is to stop at once does not wait for what is still on its way.
    const isStopped = process.stoppedAt !== undefined || process.hasGivenUp;
    // Nor does who was told that it is lost; the next run is to find it open.
    const isOpen =
      isLate &&
      this.#intents().some(({ stack, address }) => stack === process.stack && this.#isIn(request, process, address));
    if (method !== 'GET' && !isStopped && !isOpen) this.#mustBeItsTurn(process, `${method} ${path}`);
    this.#doer = process;
    try {
      const answered = work();
      if (method !== 'GET' && answered.status >= 400) process.refusals += 1;
      if (answered.status === 409) this.#mustNotCollide(process, path, body);
      return answered;
    } finally {
      this.#doer = undefined;
    }
  }

  /** What a stack has itself, and has to give up first, no write of it runs into. */
  #mustNotCollide({ name, argv, stack, startedAt, liedAbout }: Process, path: string, body: JsonObject = {}): void {
    const [, first = '', siteId, inner, innerId] = path.split('/');
    const collection = (inner ?? first) as Collection;
    const [home, own] = inner === undefined ? [undefined, siteId] : [siteId, innerId];
    const field = keyFields[collection];
    const key = body[field];
    if (liedAbout.size > 0 || key === undefined) return;
    const { service } = this.#world;
    const holder = service
      .living(collection)
      .find((other) => other.id !== own && other.home === home && same(service.truth(other)?.[field], key));
    if (holder === undefined || !isShownBefore(holder, startedAt)) return;
    if ((this.#touched.get(holder.id) ?? []).some(({ at }) => at >= startedAt)) return;
    // What another stack has, or is to have by its files, a plan asks the store for; of a reviewed one the plan was made long before.
    const [record] = this.#records(
      (row) => row.id === holder.id && (row.stack === stack || !argv.includes('plan.json')),
    );
    const isKnown = record?.stack === stack || same(record?.outputs[field] ?? null, key);
    if (record !== undefined && isKnown && !this.#cameSince(startedAt).has(`${record.stack} ${record.address}`))
      this.blame(`${name} wants to give ${JSON.stringify(key)}, which ${record.address} of ${record.stack} has`);
  }

  /** What was sent under a lease is carried out, or cut off, before anybody else can have the stack. */
  #mustBeItsTurn({ name, stack, leases }: Process, what: string): void {
    const row = this.#world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const holds = row?.lease_id ?? undefined;
    if (holds !== undefined && !leases.has(holds) && Number(row?.lease_expires) > this.#world.time.now)
      this.blame(`${name}: ${what} is carried out when another run has ${stack}`);
  }

  /** The bytes of a write leave: its sender must have the right to, and have said so before. */
  leaves(process: Process, request: Request, claim: Claim | undefined): void {
    if (request.method === 'DELETE')
      this.#readWhenSent.set(`${process.name} ${request.path.split('/').at(-1) ?? ''}`, new Map(this.#read));
    this.#open.push(() => {
      const what = `${process.name}: ${request.method} ${request.path}`;
      const { tables, time } = this.#world;
      if (!mayWrite(process)) this.blame(`${what} leaves, and it only looks`);
      if (process.stoppedAt !== undefined && process.stoppedAt < time.now) this.blame(`${what} leaves after Ctrl-C`);
      if (claim?.lostAt !== undefined && claim.lostAt < time.now)
        this.blame(`${what} leaves although its job is somebody else's`);
      const readAt = this.#read.get(`${process.name} ${request.path.split('/').at(-1) ?? ''}`) ?? 0;
      const { plannedAt = process.plannedAt } = claim ?? {};
      if (request.method === 'PUT' && readAt < plannedAt) this.blame(`${what} leaves upon what the plan read`);
      const row = tables.rows<StackRow>('sync_stacks').find(({ stack }) => stack === process.stack);
      const isHeld = row?.lease_id !== null && process.leases.has(row?.lease_id ?? '');
      if (!isHeld || Number(row?.lease_expires) <= time.now) this.blame(`${what} leaves without the right to send`);
      else if (Number(row?.lease_expires) - time.now < leaseMs / 3) this.blame(`${what} leaves when its lease is late`);
      const brokenAt = this.#brokenAt.get(row?.lease_id ?? '') ?? Infinity;
      if (time.now - brokenAt > hearsWithinMs && this.#world.isInPeace(process))
        this.blame(`${what} leaves long after its lease was broken`);
      const freeze = JSON.parse(row?.frozen ?? 'null') as { readonly id: string } | null;
      if (freeze !== null && wordAfter(process, '--frozen') !== freeze.id)
        this.blame(`${what} leaves although it is frozen`);
      if (request.method === 'DELETE') this.#isJustLookedAt(process, request, plannedAt);
      this.lastRuns.set(process.stack, row?.lease_fence ?? 0);
      const intents = tables.rows<IntentRow>('sync_intents').filter(({ stack }) => stack === process.stack);
      const [, , siteId, inner, id] = request.path.split('?')[0]?.split('/') ?? [];
      const collection = inner ?? request.path.split('/')[1];
      const own = inner === undefined ? siteId : id;
      const said = intents.flatMap(({ body }) => {
        if (body.includes(aSecret)) this.blame(`${what} leaves, and the journal holds a secret`);
        const intent = JSON.parse(body) as Intent;
        const isOfType = intent.type.endsWith(`:${typeNames[collection as Collection]}`);
        const isSame =
          intent.identity === undefined || own === undefined || intent.identity.id === own || collection === 'policy';
        return isOfType && isSame && (actions[request.method] ?? []).includes(intent.action) ? [intent.address] : [];
      });
      if (said.length === 0) this.blame(`${what} leaves before it is in the journal`);
      this.#isSaid(process, what, request, intents, said);
      if (request.method === 'POST')
        for (const address of said.filter((each) => this.#isIn(request, process, each))) {
          const key = `${process.name} ${address}`;
          this.#sent.set(key, (this.#sent.get(key) ?? 0) + 1);
        }
      if (request.method === 'POST') this.#mustNotBeNew(process, what, intents, said);
      // A clock that is set, or slept, may be wrong about that.
      if (request.method === 'POST' && this.#world.isClockSteady(process)) {
        const since = intents.flatMap(({ id: intent, body }) => {
          const { address, action } = JSON.parse(body) as Intent;
          const { at = 0 } = this.#journal.get(intent) ?? {};
          return action === 'create' && said.includes(address) ? [at] : [];
        });
        const lateMs = time.now - Math.max(...since);
        if (said.length > 0 && lateMs > leavesWithinMs)
          this.blame(`${what} leaves ${String(lateMs)} ms after its intent`);
      }
      const noted = this.#history(process.stack).find((each) => each.run === row?.lease_fence && each.kind === 'plan');
      const { steps = [] } = JSON.parse(noted?.body ?? '{}') as { steps?: { address: string }[] };
      if (isHeld && !steps.some(({ address }) => said.includes(address)))
        this.blame(`${what} leaves, and the history does not say so`);
    });
  }

  /** That create is of this address. */
  #isIn({ body = {} }: Request, { stack }: Process, address: string): boolean {
    return this.#intents().some((intent) => {
      const key = Object.values(keyFields).find((field) => field !== 'siteId' && field in intent.inputs) ?? '';
      return intent.stack === stack && intent.address === address && same(body[key], intent.inputs[key] ?? null);
    });
  }

  /** Who is to stop when a step has failed begins nothing new then. */
  #mustNotBeNew(process: Process, what: string, intents: readonly IntentRow[], said: readonly string[]): void {
    const { argv, failedAt = Infinity } = process;
    if (!argv.includes('--fail-fast') || !this.#world.isInPeace(process)) return;
    const begunAt = intents.flatMap(({ id, body }) =>
      said.includes((JSON.parse(body) as Intent).address) ? [this.#arrivedAt.get(id) ?? 0] : [],
    );
    if (begunAt.length > 0 && Math.min(...begunAt) > failedAt + toldWithinMs)
      this.blame(`${what} is begun after a step has failed`);
  }

  /** What an intent says of an object is what is sent of it: who finds it open goes by that. */
  #isSaid(
    process: Process,
    what: string,
    { method, body = {} }: Request,
    intents: readonly IntentRow[],
    addresses: readonly string[],
  ): void {
    if (addresses.length !== 1 || method === 'DELETE') return;
    for (const { body: text } of intents) {
      const { address, action, inputs, run } = JSON.parse(text) as Intent;
      // What an earlier run has left open is of another write.
      const isOwn = process.runs.has(`${process.stack} ${run}`);
      if (address !== addresses[0] || action === 'delete' || !isOwn) continue;
      for (const [field, value] of Object.entries(inputs))
        if (field !== 'siteId' && value !== null && !isUnknown(value) && !same(body[field], value))
          this.blame(
            `${what} leaves with ${JSON.stringify(body)}, and the journal says ${field} ${JSON.stringify(value)}`,
          );
    }
  }

  /** A turn of few is not given back: who waits for many others would wait as long again. */
  holdsBack(process: Process, { method, path }: Request): void {
    if (method === 'POST' && this.#world.isInPeace(process) && this.#world.isClockSteady(process))
      this.blame(`${process.name}: ${method} ${path} has its turn, and does not leave`);
  }

  /** What ends was looked at a moment ago, and what lives in it where that was looked at since the plan. */
  #isJustLookedAt({ name }: Process, { path }: Request, plannedAt: number): void {
    const { now } = this.#world.time;
    const id = path.split('/').at(-1) ?? '';
    const place = path.slice(0, -id.length - 1);
    const readAt = Math.max(...[id, place, `${place} ${id}`].map((each) => this.#read.get(`${name} ${each}`) ?? 0));
    const looks: [number, string][] = [[readAt, name]];
    for (const kind of place === '/sites' ? ['pages', 'members'] : []) {
      const listedAt = this.#read.get(`${name} ${path}/${kind}`) ?? 0;
      if (listedAt >= plannedAt) looks.push([listedAt, `${name} ${path}/${kind}`]);
    }
    for (const [at, asked] of looks) {
      // Nobody sees when a run began to look: after its plan.
      const tookMs = Math.max(0, (this.#heard.get(asked) ?? 0) - plannedAt);
      if (now - at > freshMs + 11 * tookMs)
        this.blame(`${name}: DELETE ${path} leaves ${String(now - at)} ms after its last look`);
    }
  }

  /** State is written by who holds the stack, and by nobody else; and a lease is taken, kept and given back as it must be. */
  stored(process: Process): void {
    const begun = new Set<string>();
    for (const { id, stack, body } of this.#world.tables.rows<IntentRow>('sync_intents')) {
      if (this.#journal.get(id)?.body === body) continue;
      this.#journal.set(id, { stack, body, at: this.#world.time.now });
      begun.add(stack);
    }
    this.#drops(process);
    this.#comeAsTheyWere(process);
    this.#keptCounts(process);
    this.#keepsOnDisk(process);
    this.#arrive();
    for (const check of this.#world.tables.rows<CheckRow>('sync_checks'))
      this.#memory.stored(
        check,
        (isWanted) => this.#world.tables.rows<FindingRow>('sync_findings').filter(isWanted),
        (number) =>
          this.#world.tables
            .rows<NewsRow>('sync_news')
            .find((row) => row.stack === check.stack && row.number === number && row.about === 'drift'),
      );
    for (const row of this.#world.tables.rows<StackRow>('sync_stacks')) {
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
    this.#recorded = this.#world.tables.rows<ResourceRow>('sync_resources');
  }

  /** What is stored has its rows in the history, and is what was written or seen. */
  #isTold(process: Process, stack: StackRow): void {
    const { tables, time } = this.#world;
    const [resources, intents] = [tables.rows<ResourceRow>('sync_resources'), tables.rows<IntentRow>('sync_intents')];
    const all = { stack, resources, intents, history: tables.rows<HistoryRow>('sync_runs') };
    for (const change of this.#ledger.stored(process.name, all, new Date(time.now).toISOString()))
      this.#isOfIts(process, change);
  }

  /** A record speaks of an object as that was at some time, of where it is, and of a write that there was. */
  #isOfIts({ name, argv, liedAbout }: Process, { before, now }: RecordChange): void {
    if (now === undefined) return;
    const { address, type, identity, inputs, outputs } = recordIn(now);
    const what = `${name} records of ${now.stack} ${address}`;
    const thing = this.#thingOf(type, identity.id);
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
      (isObject(value) && Object.keys(value).length > 1
        ? Object.entries(value).every(([key, one]) => isOf(field, { [key]: one }))
        : known.some((values) => same(values[field] ?? null, value)));
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
          this.blame(`${what} ${said} ${field} ${JSON.stringify(value)}, which it never was`);
  }

  /** What the last create there was to say. */
  #sentTo(of: string, at: string): JsonObject {
    const intents = [...this.#journal.values()].flatMap(({ stack, body }) =>
      stack === of ? [JSON.parse(body) as Intent] : [],
    );
    return intents.findLast(({ address, action }) => address === at && action === 'create')?.inputs ?? {};
  }

  /** An update that was cut off may have written it, which no answer shows. */
  #isInDoubt(stack: string, id: string, field: string): boolean {
    return [...this.#journal].some(([intent, each]) => {
      const { action, identity, inputs } = JSON.parse(each.body) as Intent;
      // It is closed in the moment in which the record says so.
      const isOpen = (this.#closedAt.get(intent) ?? Infinity) >= this.#world.time.now;
      return isOpen && each.stack === stack && action === 'update' && identity?.id === id && field in inputs;
    });
  }

  /** A verb of the state changes what its words name, and that alone. */
  #doesAsSaid({ name, argv, stack: of }: Process, stack: string): void {
    const wanted = recordsAfter(argv, { of, stack }, this.#recorded);
    if (wanted === undefined) return;
    const records = this.#world.tables.rows<ResourceRow>('sync_resources').filter((row) => row.stack === stack);
    const now = records.map((row) => textOf(row));
    const wrong = [...without(now, wanted), ...without(wanted, now).map((text) => `not ${text}`)];
    if (wrong.length > 0) this.blame(`${name} leaves in ${stack} ${wrong.join(', ')}`);
  }

  /** What comes from another stack is recorded as it was there, whatever was read of it before. */
  #comeAsTheyWere({ name }: Process): void {
    const isNew = ({ stack, serial }: StackRow): boolean => this.#stacks.get(stack)?.serial !== serial;
    const changed = this.#world.tables.rows<StackRow>('sync_stacks').filter(isNew);
    if (changed.length === 0 || this.#world.scenario.stacks.length < 2) return;
    const records = this.#records(({ type }) => !type.endsWith(':Policy'));
    for (const { stack } of changed)
      for (const record of records) {
        const key = `${stack} ${record.id}`;
        if (record.stack !== stack || this.#bodies.has(key)) continue;
        const [before] = this.#world.scenario.stacks.flatMap((each) => this.#bodies.get(`${each} ${record.id}`) ?? []);
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
    const row = this.#history(stack).findLast((each) => each.address === address);
    return row?.kind === 'move' && (JSON.parse(row.body) as { readonly from?: string }).from?.includes(':') === true;
  }

  /** What was told of an object is told on as long as it is recorded and files say so, whatever became of a write to it. */
  #keepsOutputs(process: Process, before: StackRow, { stack, outputs }: StackRow): void {
    if (!goesByFiles(process)) return;
    const now = JSON.parse(outputs) as JsonObject;
    for (const name of Object.keys(JSON.parse(before.outputs) as JsonObject)) {
      const address = name.replace(/-(?:id|name)$/, '');
      const isStill = this.#world.catalogues.get(stack)?.blocks.has(address) === true;
      const isSaid = isStill && process.keys.has(`${stack} ${address}`);
      if (!(name in now) && isSaid && this.#records((row) => row.stack === stack && row.address === address).length > 0)
        this.blame(`${process.name} tells ${name} no more`);
    }
  }

  /** A plan knows by its serial that the state is still as it was: no other content ever has the same one. */
  #isOfItsSerial({ name }: Process, { stack, lineage, serial }: StackRow): void {
    const records = this.#world.tables.rows<ResourceRow>('sync_resources').filter((each) => each.stack === stack);
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
    const { tables, time } = this.#world;
    for (const { id } of tables.rows<IntentRow>('sync_intents'))
      if (!this.#arrivedAt.has(id)) this.#arrivedAt.set(id, time.now);
    for (const row of tables.rows<HistoryRow>('sync_runs').toReversed()) {
      if (this.#arrivedAt.has(nameOf(row))) break;
      this.#arrivedAt.set(nameOf(row), time.now);
    }
  }

  #notes(process: Process, { stack, lease_id: lease, targets }: StackRow): void {
    if (!process.leases.has(lease ?? '')) this.blame(`${process.name} writes the state of ${stack} without its lease`);
    const records = this.#world.tables.rows<ResourceRow>('sync_resources');
    for (const record of records) {
      if (record.stack !== stack) continue;
      this.#knownTo.add(`${stack} ${record.id}`);
      if (record.body.includes('"retainOnDelete":true')) this.#retained.add(record.id);
    }
    const known = new Set(records.map(({ id }) => id));
    for (const id of this.#retained) if (!known.has(id)) this.#letGo.add(id);
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
    const waited = this.#world.time.now - askedAt;
    if (!isDead && frozenUntil <= askedAt && waited > leaseMs / 3 + toldWithinMs)
      this.blame(`${name} waits ${String(waited)} ms for the store to take what it writes`);
  }

  /** Nobody waits for a run that has ended in peace. */
  hasGivenBack({ name, pid: own }: Process): void {
    for (const { stack, lease_id: lease, ...row } of this.#world.tables.rows<StackRow>('sync_stacks'))
      // Also one that it took and never heard of: it was refused for another reason.
      if (lease !== null && holderIn(row) === own && Number(row.lease_expires) > this.#world.time.now)
        this.blame(`${name} has ended, and still has the lease of ${stack}`);
  }

  /** The object that has the address of an intent. */
  #standsAt(intent: string): string | undefined {
    const { stack, body = '{}' } = this.#journal.get(intent) ?? {};
    const { address } = JSON.parse(body) as Partial<Intent>;
    return this.#records((row) => row.stack === stack && row.address === address)[0]?.id;
  }

  /** What a run could not tell the store is not found out anew by one that finds it on the same disk: it is recorded as it was kept. */
  #keptCounts(process: Process): void {
    const { stack, argv } = process;
    const path = outboxFile(folderOf(process, stack), 'yard', stack).location;
    const open = new Set(this.#world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    const openBefore = this.#openBefore;
    // A fleet and its stacks have folders of their own: who does not see what was kept closes the intent by a look.
    this.#openBefore = open;
    for (const id of openBefore)
      if (!open.has(id)) {
        this.#closedBy.set(id, process);
        this.#closedAt.set(id, this.#world.time.now);
        this.#foundFor.set(id, this.#standsAt(id));
        this.#losesItsMaker(id);
        this.#mustBeKnown(process, id);
      }
    if (argv[0] === 'state' && argv[1] === 'push')
      for (const id of openBefore)
        if (!open.has(id)) this.blame(`${process.name} drops the write ${id}, which is open`);
    // Whoever writes state by hand may drop it.
    if (argv[0] === 'state' || !existsSync(path)) return;
    const row = this.#world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const records = this.#records((each) => each.stack === stack);
    for (const { intent, lineage, changes } of keptIn(path)) {
      if (!openBefore.has(intent) || open.has(intent) || lineage !== row?.lineage) continue;
      // Who had the stack before it was kept has found out by looking.
      if ((this.#keptAt.get(intent) ?? Infinity) > (process.leasedAt ?? 0)) continue;
      for (const change of changes) {
        if (change.kind === 'put') {
          const { type, address, identity, writtenAt } = change.resource;
          // It may move to another address in the same moment, or be what is to end there now.
          const isIt = (each: Recorded): boolean =>
            (each.id === identity.id && each.writtenAt === writtenAt) ||
            each.deposed.some((old) => old.identity.id === identity.id);
          // Who records what they find drops in the same moment what has ended since.
          const thing = this.#thingOf(type, identity.id);
          const isDropped =
            (argv[0] === 'refresh' || argv[0] === 'drift') &&
            thing !== undefined &&
            this.#world.service.truth(thing) === undefined;
          if (!isDropped && !records.some((each) => each.type === type && isIt(each)))
            this.blame(`${process.name} does not record ${address} as it was kept`);
        } else if (change.kind === 'remove' && records.some(({ address }) => address === change.address))
          this.blame(`${process.name} leaves the record of ${change.address}, whose end was kept`);
      }
    }
  }

  /** What a write came to stands in the state when nobody asks for it any more: what it newly said, and what has ended along. */
  #mustBeKnown({ name, argv, liedAbout, plans }: Process, intent: string): void {
    const { stack, body = '{}' } = this.#journal.get(intent) ?? {};
    const { address = '', action, type = '', inputs = {}, identity } = JSON.parse(body) as Partial<Intent>;
    const { service } = this.#world;
    const thing = this.#thingOf(type, identity?.id ?? '');
    const records = this.#records((row) => row.stack === stack);
    if (argv[0] === 'state' || liedAbout.size > 0 || thing === undefined) return;
    const [record] = records.filter((each) => each.id === identity?.id && each.type === type);
    if (action === 'delete' && record === undefined && thing.collection === 'sites') {
      // What the files want on is made anew by the next plan, which finds that it is gone; and what has a step of its own has its turn.
      const others = new Set([
        ...(this.#world.catalogues.get(stack ?? '')?.blocks.keys() ?? []),
        ...plans.flatMap(({ steps }) => steps.map((step) => step.address)),
      ]);
      const left = records.find(
        ({ type: token, id, address: at }) => this.#thingOf(token, id)?.home === thing.id && !others.has(at),
      );
      if (left !== undefined && service.truth(thing) === undefined && !address.includes('~'))
        this.blame(`${name} drops ${address}, which has ended, and not ${left.address}, which was in it`);
    }
    const wrote = this.#carriedOutFor.get(intent);
    if (action !== 'update' || record === undefined || wrote !== this.#touched.get(thing.id)?.length) return;
    for (const [field, value] of Object.entries(inputs))
      if (value !== null && !(field in record.inputs))
        this.blame(`${name} closes the update of ${address}, which was carried out, and does not record its ${field}`);
  }

  /** What a run could not tell the store stays on its disk as long as nobody else has closed the write. */
  #keepsOnDisk(process: Process): void {
    const path = outboxFile(folderOf(process, process.stack), 'yard', process.stack).location;
    const before = this.#kept.get(path);
    const now = new Set(existsSync(path) ? keptIn(path).map((one) => one.intent) : []);
    if (before === undefined && now.size === 0) return;
    this.#kept.set(path, now);
    for (const intent of now) if (!this.#keptAt.has(intent)) this.#keptAt.set(intent, this.#world.time.now);
    // A document that is pushed may open again what was closed.
    if (process.argv[0] === 'state') return;
    const open = new Set(this.#world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    for (const intent of before ?? [])
      if (!now.has(intent) && open.has(intent) && !this.#isDelivered(intent))
        this.blame(`${process.name} drops what was kept of ${intent}`);
  }

  /** It was closed since it was kept, and begun once more. */
  #isDelivered(intent: string): boolean {
    return (this.#closedAt.get(intent) ?? 0) >= (this.#keptAt.get(intent) ?? Infinity);
  }

  /** A lease that lives ends by its own run, or after that is dead and what it sent has come; one that is broken ends in time. */
  #leaseIsKept(process: Process, before: StackRow, row: StackRow): void {
    const { time } = this.#world;
    const what = `${process.name}: the lease of ${row.stack}`;
    const lives = before.lease_id !== null && Number(before.lease_expires) > time.now;
    if (before.lease_id === row.lease_id) {
      if (row.lease_revoked > before.lease_revoked) this.#brokenAt.set(row.lease_id ?? '', time.now);
      if (row.lease_fence !== before.lease_fence) this.blame(`${what} has another number`);
      if (before.lease_revoked === 1 && Number(row.lease_expires) > Number(before.lease_expires))
        this.blame(`${what} is broken, and lives longer`);
      return;
    }
    if (row.lease_id !== null && row.lease_fence !== before.lease_fence + 1)
      this.blame(`${what} has no number of its own`);
    if (row.lease_id !== null && row.lease_revoked === 1) this.blame(`${what} is broken from its beginning`);
    const holder = this.#world.processes[holderIn(before) ?? -1];
    if (!lives || holder === undefined || holder === process) return;
    if (holder.endedAt === undefined) this.blame(`${what} ends, and ${holder.name} still has it`);
    else if (time.now - holder.endedAt < leaseMs / 15)
      this.blame(`${what} ends before what ${holder.name} has sent has come`);
  }

  /** Ids of what is recorded, with keys of maps, or may have been made by a write that is still open: where a command drops them, somebody lets go of them. */
  #drops(process: Process): void {
    const { argv } = process;
    if (argv[0] !== 'state' || (argv[1] !== 'rm' && argv[1] !== 'push')) return;
    const { service, tables } = this.#world;
    // Another one of its name is not what an open write has made, and stays let go of when a document brings that write back.
    const open = new Set(tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
    const isBegun = (thing: Thing): boolean =>
      open.has(this.#madeFor.get(thing.id) ?? '') && this.#isCalledAsMade(thing);
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
    for (const id of this.#droppable.get(process) ?? []) if (!now.has(id)) this.#letGo.add(id);
    this.#droppable.set(process, now);
  }

  /** What it has said that it takes for granted counts, however it ended. */
  heard({ out, stack }: Process): void {
    for (const [, field = ''] of out.matchAll(assumed)) {
      this.#assumed.add(field);
      // It may have another address later.
      for (const { id, address } of this.#records((row) => row.stack === stack && field.startsWith(`${row.address}.`)))
        this.#assumed.add(keyIn(id, field.slice(address.length + 1)));
    }
    for (const [, field = ''] of out.matchAll(unkept)) this.#unkept.add(field);
  }

  /** The same, where it is not printed. */
  hears(event: Event): void {
    if (event.type !== 'diagnostic' || event.diagnostic.code !== 'not-kept') return;
    const { address = '', field = '' } = event.diagnostic;
    this.#unkept.add(`${address}.${field}`);
  }

  ended(process: Process): void {
    const { service, time } = this.#world;
    const told = [process.out, JSON.stringify([process.plans, process.results, process.checks])];
    for (const secret of [apiKey, aSecret]) {
      const at = told.map((text) => text.indexOf(secret)).find((place) => place >= 0);
      if (at !== undefined)
        this.blame(
          `${process.name} tells a secret: ${told.map((text) => text.slice(Math.max(0, at - 80), at + 40)).join(' | ')}`,
        );
    }
    if (process.out.includes('run-failed')) this.blame(`${process.name} tells of a bug: ${process.out.slice(-300)}`);
    this.heard(process);
    this.#mustHaveSettled(process);
    if (this.#world.isInPeace(process)) this.hasGivenBack(process);
    // Who is stopped need not hear that it has; what writes records alone lets its lease end by itself.
    else if (holders.has(process.argv[0] ?? '') && this.#world.isStoppedInPeace(process))
      time.in(toldWithinMs, '', () => this.hasGivenBack(process));
    this.#keepsOnDisk(process);
    this.#mustSettle(process);
    this.#mustKnowOf(process);
    this.#mustKnowItsOwn(process);
    this.#mustHaveWaited(process);
    this.#mustHaveDone(process);
    this.#mustSayHowItEnded(process);
    this.#mustNoteWhatItDid(process);
    this.#mustProposeOthers(process);
    this.#mustKeepMoved(process);
    this.#mustTellOthers(process);
    this.#mustBeInside(process);
    this.#mustKeepChosen(process);
    this.#mustNotBeGone(process);
    this.#mustHaveBeenSo(process);
    this.#mustBeOthers(process);
    this.#mustHaveCause(process);
    this.#mustHaveItsName(process);
    this.#mustBeUndone(process);
    this.#mustRevertAlone(process);
    this.#mustAskAgain(process);
    this.#mustHaveResolved(process);
    this.#mustBeNobodys(process);
    this.#mustBeRecorded(process);
    this.#mustHaveRefreshed(process);
    this.#mustShowItsPlan(process);
    for (const check of process.checks) if (check.status === 'clean') this.#mustBeClean(process, check);
    // Of a job that its queue has given up nothing is remembered.
    for (const check of process.hasGivenUp ? [] : process.checks)
      for (const wrong of this.#memory.wrongIn(check)) this.blame(`${process.name} tells of ${check.stack}: ${wrong}`);
    if (isRound(process)) this.#roundIsTold(process);
    // One that its queue had given up may have told what it did in the end.
    for (const { job, found, claims } of process.jobs) {
      const wrong = claims.map((claim) => untrue(claim, job, found.state));
      if (wrong.every((each) => each !== undefined))
        this.blame(`${process.name} tells that ${job.stack} is ${found.state}, and its ${job.kind} is ${wrong.join()}`);
    }
    const failed = new Set([...process.out.matchAll(failedStep)].map(([, address = '']) => address));
    for (const [nth, result] of process.results.entries()) {
      const { steps: results, status } = result;
      // A worker applies many times, and may change again what it wrote.
      const later = process.results.slice(nth + 1).flatMap((each) => writtenBy(process, each));
      const steps = new Map(stepsOf(process, result).map((step) => [step.address, step] as const));
      const held = process.carriedOut.get(result)?.guards.filter(({ lifted }) => lifted === undefined) ?? [];
      const lifting = liftingIn(process.argv, [], '');
      const [first] = held.filter(({ name }) => !lifting.has(name));
      if (first !== undefined && results.some(({ outcome }) => outcome === 'done'))
        this.blame(`${process.name} carries out what ${first.name} holds back`);
      if (status === 'done' && results.some(({ outcome }) => outcome !== 'done'))
        this.blame(`${process.name} is done, and a step is not`);
      if (status === 'failed' && results.some(({ outcome }) => outcome === 'done'))
        this.blame(`${process.name} tells that nothing was done, and a step was`);
      const told = new Set(results.map(({ address }) => address));
      const notDone = new Set(results.flatMap(({ address, outcome }) => (outcome === 'done' ? [] : [address])));
      for (const { address, action } of told.size === 0 ? [] : steps.values())
        if (written.has(action) && !told.has(address))
          this.blame(`${process.name} does not tell what became of ${address}`);
      for (const { address, action, outcome, id, diagnostics, because = '' } of results) {
        if (outcome === 'skipped' && !told.has(because) && because !== 'interrupted' && because !== 'stopped')
          this.blame(`${process.name} tells that ${address} waits for ${because}, which is none of its steps`);
        if (outcome === 'skipped' && told.has(because) && !notDone.has(because))
          this.blame(`${process.name} tells that ${address} waits for ${because}, which is done`);
        if (outcome === 'skipped' && process.results.length === 1 && failed.has(address))
          this.blame(`${process.name} tells that ${address} has failed, and that it was not begun`);
        const made = outcome === 'skipped' ? this.#madeBy(process, address) : undefined;
        if (made !== undefined && action === 'create' && process.results.length === 1)
          this.blame(`${process.name} tells that ${address} was not begun, and it has made ${made}`);
        const step = steps.get(address);
        const thing = this.#thingOf(step?.type ?? '', id ?? step?.id ?? '');
        // What has given its name away first is told as half done, and what goes along with another one as that one's.
        const isByItself = diagnostics === undefined && (because === 'interrupted' || because === 'stopped');
        const isSkipped = outcome === 'skipped' && isByItself && process.results.length === 1;
        if (isSkipped && (action === 'update' || action === 'delete') && thing !== undefined)
          if (this.#touched.get(thing.id)?.some(({ by }) => by === process) === true)
            this.blame(`${process.name} tells that ${address} was not begun, and it has written ${thing.id}`);
        // In the end nobody is in anybody's way, and each answer is right; but what a run makes and ends itself moves its own lists.
        const [why] = diagnostics ?? [];
        const isRefused = process.refusals > 0 || why?.code === 'moving-list';
        if (outcome === 'failed' && this.#world.decisions.isCalm && !isRefused)
          this.blame(`${process.name} fails with ${address}, which nothing refused: ${why?.summary ?? ''}`);
        if (outcome !== 'done') continue;
        if (action === 'replace' && step?.cause === 'drift')
          this.#madeForDrift.set(keyIn(step.type, id ?? ''), replacedIn(step));
        if (
          action === 'delete' &&
          thing !== undefined &&
          thing.collection !== 'policy' &&
          service.truth(thing) !== undefined
        )
          this.blame(`${process.name} has told that ${address} is deleted, and ${thing.id} lives`);
        const isLater = later.includes(keyIn(step?.type ?? '', id ?? step?.id ?? ''));
        if (action === 'replace' && id !== undefined && thing?.home !== undefined && !isLater)
          if (thing.collection !== 'policy' && this.#isEndedBy(process, thing))
            this.blame(`${process.name} has told that ${address} is ${id} now, which it has ended`);
        if (action !== 'create' && action !== 'update') continue;
        if (action === 'create' && thing !== undefined && this.#isPeoplesOld(thing, process.startedAt))
          this.blame(`${process.name} has told that it has made ${address}, and people made ${thing.id} long before`);
        if (thing === undefined) {
          if (step?.type.endsWith(':Policy') !== true)
            this.blame(`${process.name} has told that ${address} is written, and no such thing was ever made`);
        } else if (
          !isLater &&
          !this.#isOthers(thing, process) &&
          !this.#isEndedBy(process, thing) &&
          step !== undefined
        )
          this.#mustBeWritten(process, step, thing);
      }
    }
    time.note(
      `${process.name} told ${process.results.map(({ status }) => status).join()} ${String(process.out.length)}`,
    );
  }

  /**
   * What a plan does at each address follows from the files, the record and the object, wherever none of these is in motion
   * (`plan-model.ts` works it out).
   */
  planned(process: Process, plan: Plan): void {
    const { argv, name } = process;
    const { stack } = plan;
    const { catalogues } = this.#world;
    const isOdd = ['--replace', '--resend', '--refresh'].some((flag) => argv.includes(flag));
    const isPart = plan.partial !== undefined || plan.leftOut !== undefined;
    const { blocks = new Map<string, Block>(), leaving = [] } = catalogues.get(stack) ?? {};
    if (!this.#isOfFiles(process, stack) || isPart) return;
    // What an interrupted run has begun counts once a plan has found it.
    const isBegun = this.#intents().some((each) => each.stack === stack);
    const cameIn = isBegun || [...this.#cameSince(process.startedAt)].some((each) => each.startsWith(`${stack} `));
    const wrongGuard = wronglyHeld(
      plan,
      this.#world.limits,
      cameIn || leaving.length > 0 ? undefined : this.#known(process, stack).filter((each) => each.stack === stack),
      { blocks, argv, today: new Date(this.#world.time.now).toISOString().slice(0, 10) },
    );
    if (wrongGuard !== undefined) this.blame(`${name} plans, and ${wrongGuard}`);
    if (plan.mode !== 'apply') return;
    const wrong = wrongWithin(plan, blocks);
    if (wrong !== undefined) this.blame(`${name} plans what is not whole: ${wrong}`);
    if (isOdd || !isToldRight(process)) return;
    const steps = new Map(plan.steps.map((step) => [step.address, step]));
    for (const place of this.#placesIn(process, plan)) {
      const step = steps.get(place.address);
      const wrongHere = wrongAt(place, step) ?? untoldAt(place, step, plan);
      if (wrongHere !== undefined) this.blame(`${name} plans ${place.address}: ${wrongHere}`);
    }
  }

  /** The same of what a check finds. */
  checked(process: Process, check: DriftResult): void {
    const { name } = process;
    const isWhole = check.partial === undefined && check.status !== 'failed';
    if (!isWhole || !this.#isOfFiles(process, check.stack)) return;
    const rules = this.#world.rulesOf(check.stack);
    const wrongRule = wrongLeftOut(check, rules);
    if (wrongRule !== undefined) this.blame(`${name}: ${wrongRule}`);
    if (!isToldRight(process)) return;
    for (const place of this.#placesIn(process, { ...check, steps: [] })) {
      const wrong = wrongFound(place, check) ?? wrongPart(place, check, rules);
      if (wrong !== undefined) this.blame(`${name} tells of ${place.address}: ${wrong}`);
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
    const { blocks = new Map<string, Block>() } = this.#world.catalogues.get(stack) ?? {};
    if (result === undefined || !goesByFiles(process) || !this.#isLast(process) || !this.#isOfFiles(process, stack))
      return;
    const records = new Map(this.#records((row) => row.stack === stack).map((record) => [record.address, record]));
    for (const { address, outcome, action, id } of result.steps) {
      const [block, record] = [blocks.get(address), records.get(address)];
      if (outcome !== 'done' || block === undefined || !isMaking(action)) continue;
      if (record === undefined || (id !== undefined && record.id !== id)) {
        this.blame(`${name} has told that ${address} is ${id ?? 'there'}, and the state has ${record?.id ?? 'none'}`);
        continue;
      }
      const thing = this.#thingOf(record.type, record.id);
      // Who looks after a write may be shown what was before.
      const isLate = (last: Thing['history'][number] | undefined, at = 0): boolean =>
        last === undefined || Math.max(last.alone, last.inLists, last.glimpse) > at;
      const touches = this.#touched.get(thing?.id ?? '') ?? [];
      // What somebody changed before and no look has shown yet stays to be found.
      const isOthers =
        touches.some(({ at, by }) => by !== process && at >= startedAt) ||
        !isShownBefore({ history: thing?.history.slice(0, -1) ?? [] }, startedAt);
      const truth =
        thing === undefined || isOthers || isLate(thing.history.at(-1), touches.at(-1)?.at) || this.#isUnkept(address)
          ? undefined
          : this.#world.service.truth(thing);
      const wrong = wronglyRecorded(block, record, truth);
      if (wrong !== undefined) this.blame(`${name} records ${address}: ${wrong}`);
    }
  }

  /** What a plan or a check is, its words say, and its code. */
  #mustShowItsPlan(process: Process): void {
    const { name, argv, plans, checks, out, code } = process;
    const [plan, ...others] = plans;
    const [check] = checks;
    if (argv[0] === 'drift' && argv.length === 1 && check !== undefined && check.status !== 'failed') {
      const meant = { clean: 0, drift: 2, incomplete: 3 }[check.status];
      if (code !== meant && code !== 1 && code !== 130)
        this.blame(`${name} ends ${String(code)}, and its check is ${check.status}`);
    }
    // What could not be known is not told as carried out.
    if (out.includes('It was applied already')) this.#mustHaveLooked(process, process.stack);
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
    for (const { address, record, truth, collection, isYoung } of this.#placesIn(process, {
      stack,
      steps: [],
      notCompared: [],
    }))
      for (const field of shownFields(collection))
        if (record !== undefined && truth !== undefined && !isYoung)
          if (!isSame(record.outputs[field] ?? null, truth[field] ?? null))
            this.blame(
              `${name} ends well, and ${address}.${field} is recorded as ${JSON.stringify(record.outputs[field])}`,
            );
  }

  /** Nobody has written the state of its stack since, and nothing kept it from the store. */
  #isLast(process: Process): boolean {
    const row = this.#world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === process.stack);
    return process.runs.has(`${process.stack} ${String(row?.lease_fence ?? 0)}`) && this.#world.isInPeace(process);
  }

  /** Its files are as it found them. */
  #isOfFiles({ startedAt }: Process, stack: string): boolean {
    return (this.#world.writtenAt.get(stack) ?? 0) < startedAt;
  }

  /** What is not in motion of what a plan, or check, is about. */
  #placesIn(
    process: Process,
    { stack, steps, notCompared, notices = [] }: Pick<Plan, 'stack' | 'steps' | 'notCompared'> & Partial<Plan>,
  ): readonly Place[] {
    const { startedAt } = process;
    const { catalogues, service } = this.#world;
    const { blocks = new Map<string, Block>(), leaving = [] } = catalogues.get(stack) ?? {};
    const came = this.#cameSince(startedAt);
    // A document that somebody pushed may say anything.
    if (
      this.#history(stack).some((row) => row.kind === 'replace' && (this.#arrivedAt.get(nameOf(row)) ?? 0) >= startedAt)
    )
      return [];
    const open = this.#intents();
    const records = new Map(this.#known(process, stack).map((record) => [record.address, record]));
    const isStill = (thing: Thing): boolean =>
      isShownBefore(thing, startedAt) && (this.#touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
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
    ]);
    const isMoving = (address: string): boolean =>
      // What goes to another stack goes with what stands below it.
      leaving.some(({ from }) => address.startsWith(`${from}/`)) ||
      moving.has(address) ||
      came.has(`${stack} ${address}`) ||
      this.#isUnkept(address);
    const doing = new Map(steps.map(({ address, action }) => [address, action]));
    // What has no record may be what stood elsewhere, and what has no block may stand elsewhere by now, or be taken over.
    const typesOf = (isWanted: (address: string) => boolean): ReadonlySet<string> =>
      new Set([
        ...[...blocks].flatMap(([address, { type }]) => (isWanted(address) ? [kindOf(type)] : [])),
        ...[...records].flatMap(([address, { type }]) => (isWanted(address) ? [kindOf(type)] : [])),
      ]);
    const unrecorded = typesOf((address) => !records.has(address));
    const unsaid = typesOf((address) => !blocks.has(address));
    return [...new Set([...blocks.keys(), ...records.keys()])].flatMap((address): readonly Place[] => {
      const [block, record] = [blocks.get(address), records.get(address)];
      const { moved, import: taken } = block?.options ?? {};
      const aliases = catalogues.get(stack)?.formerOf(address) ?? [];
      if (isMoving(address) || moved !== undefined || taken !== undefined) return [];
      const kind = kindOf(block?.type ?? record?.type ?? '');
      if (record !== undefined && kindOf(record.type) !== kind) return [];
      if (record === undefined && (unsaid.has(kind) || aliases.length > 0 || open.length > 0)) return [];
      if (block === undefined && unrecorded.has(kind)) return [];
      const said = block?.properties['siteId'];
      const [, to] = /^\$\{(.+)\.id\}$/.exec(typeof said === 'string' ? said : '') ?? [];
      const does = doing.get(to ?? '');
      const isHomeNew = does === 'create' || does === 'replace';
      if (to !== undefined && isMoving(to)) return [];
      const siteId = to === undefined ? said : isHomeNew ? undefined : records.get(to)?.id;
      const home = service.things.get(String(siteId));
      const isAtHome = home !== undefined && service.truth(home) !== undefined && isStill(home);
      if (said !== undefined && !isHomeNew && !isAtHome) return [];
      const collection = collectionOf(kind);
      const thing = record === undefined ? undefined : this.#thingOf(record.type, record.id);
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
      const isYoung = isFound || this.#isYoung({ ...process, stack }, address);
      const place = { address, block, record, collection, isYoung };
      // Where they are, answers with settings do not say.
      const values = thing === undefined ? undefined : service.truth(thing);
      const truth =
        values === undefined || collection !== 'policy' ? values : { ...values, ...defined({ siteId: thing?.home }) };
      return [
        {
          ...place,
          siteId: typeof siteId === 'string' ? siteId : undefined,
          truth,
          ...(isHomeNew ? { homeDoes: does } : {}),
        },
      ];
    });
  }

  #hasOther(of: string, at: string, own: Recorded | undefined): boolean {
    return this.#records(({ id, type }) => id === own?.id && type === own.type).some(
      ({ stack, address }) => stack !== of || address !== at,
    );
  }

  /** What was found as before after a write is not written again for now. */
  #isUnkept(address: string): boolean {
    return [...this.#unkept].some((field) => field.startsWith(`${address}.`));
  }

  /** Something else has had its name there. */
  #isTaken(collection: Collection, block: Block, home: Thing | undefined, own: Thing | undefined): boolean {
    const field = keyFields[collection];
    const key = block.properties[field];
    return [...this.#world.service.things.values()].some(
      (thing) =>
        thing !== own &&
        thing.collection === collection &&
        (thing.home === undefined || home === undefined || thing.home === home.id) &&
        (collection === 'policy' || thing.history.some(({ values }) => same(values?.[field], key ?? null))),
    );
  }

  #madeBy(process: Process, address: string): string | undefined {
    const made = [...this.#makers].filter(([id]) => this.#madeAt.get(id) === `${process.stack} ${address}`);
    return made.find(([, maker]) => maker === process)?.[0];
  }

  /** What it knows of its own writes stands in the store, where nothing kept it from that; and what stands on its disk alone is not well. */
  #mustSettle(process: Process): void {
    const { name, stack, runs, openWrites, code } = process;
    const open = this.#intents().filter((each) => each.stack === stack && runs.has(`${stack} ${each.run}`));
    const kept = this.#kept.get(outboxFile(folderOf(process, stack), 'yard', stack).location);
    const mayWriteState = ![...process.leases].some((lease) => this.#brokenAt.has(lease));
    for (const { id, action, address, identity } of open) {
      if (code === 0 && process.argv[0] !== 'fleet' && kept?.has(id) === true)
        this.blame(`${name} ends well, and what became of ${address} is on its disk alone`);
      // What was written a moment ago may be there, or show still, although its end was denied.
      const isUnseen = identity === undefined || this.#mayShow(process, identity.id);
      const mayLag = action === 'delete' && isUnseen && this.#isYoung(process, address);
      if (openWrites === 0 && mayWriteState && !mayLag && this.#world.isInPeace(process))
        this.blame(`${name} leaves the ${action} of ${address} open, although all its writes were answered`);
    }
  }

  /** It lives, or its end does not show everywhere yet. */
  #mayShow({ startedAt }: Process, id: string): boolean {
    const { values, alone = 0, inLists = 0, glimpse = 0 } = this.#world.service.things.get(id)?.history.at(-1) ?? {};
    return values !== undefined || Math.max(alone, inLists, glimpse) >= startedAt;
  }

  /** Its stack had written it, or what took its place, so short before a process that answers need not show it yet. */
  #isYoung({ stack, startedAt }: Process, at: string): boolean {
    if (this.#world.scenario.isPrompt === true) return false;
    const [address] = at.split('~');
    return this.#records((row) => row.stack === stack && row.address === address)
      .flatMap(({ id, deposed }) => [id, ...deposed.map((old) => old.identity.id)])
      .flatMap((id) => this.#touched.get(id) ?? [])
      .some(({ at, by }) => by?.stack === stack && at > startedAt - settleMs);
  }

  /** What a run has heard of its creates stands in the store or on its disk when it ends, unless its lease was over. */
  #mustKnowOf(process: Process): void {
    const { name, argv, stack, openWrites, out, frozenUntil, stoppedAt } = process;
    if (argv[0] === 'fleet' || openWrites > 0 || frozenUntil > 0 || stoppedAt !== undefined || leaseTrouble.test(out))
      return;
    const kept = this.#kept.get(outboxFile(folderOf(process, stack), 'yard', stack).location);
    const open = new Set(this.#intents().map(({ id }) => id));
    for (const [thing, maker] of this.#makers) {
      const intent = this.#madeFor.get(thing) ?? '';
      if (maker === process && open.has(intent) && kept?.has(intent) !== true)
        this.blame(`${name} ends, and that it has made ${thing} stands neither in the store nor on its disk`);
    }
  }

  /** The one object of its key that stands there as an interrupted create has made it is that one's: nobody need be asked. */
  #mustKnowItsOwn({ name, out, liedAbout }: Process): void {
    if (liedAbout.size > 0) return;
    const open = new Set(this.#intents().map(({ id }) => id));
    for (const [, lines = ''] of out.matchAll(rightOne)) {
      const [only = '', ...others] = [...lines.matchAll(answer)].map(([, words = '']) => idIn(words));
      if (others.length === 0 && open.has(this.#madeFor.get(only) ?? '') && this.#isAsSent(only))
        this.blame(`${name} asks whose ${only} is, which stands there as it was made`);
    }
  }

  /** Whoever has changed it since it was made has left alone what was sent. */
  #isAsSent(id: string): boolean {
    const [first, ...later] = this.#world.service.things.get(id)?.history ?? [];
    const { revision: _, ...sent } = first?.values ?? {};
    return later.every(({ values }) => values !== undefined && same(values, sent));
  }

  /** Nothing fails for a lease that is not lost, for a store that answers, or for a home that this run has made and that shows. */
  #mustHaveCause(process: Process): void {
    const { name, argv, out, results, endedAt = 0, startedAt, leases, storeLosses } = process;
    if (argv[0] === 'fleet') return;
    const isBroken = [...leases].some((lease) => this.#brokenAt.has(lease));
    const [lost] = /\b(?:lease-late|lease-refused|state-lease-lost)\b/.exec(out) ?? [];
    if (
      lost !== undefined &&
      !isBroken &&
      leases.size > 0 &&
      this.#world.isInPeace(process) &&
      this.#world.isClockSteady(process)
    )
      this.blame(`${name} tells of ${lost}, and its lease was its own`);
    for (const { steps } of results)
      for (const { address, action, outcome, id, durationMs = 0, diagnostics = [] } of steps) {
        if (durationMs < 0 || durationMs > endedAt - startedAt)
          this.blame(`${name} tells that ${address} took ${String(durationMs)} ms`);
        if (outcome === 'failed') this.#mustHaveTried(process, address, diagnostics);
        if (outcome === 'failed') this.#mustStayOpen(process, address, diagnostics);
        if (outcome === 'done' && id === undefined && (action === 'create' || action === 'adopt'))
          this.blame(`${name} tells that ${address} is there, and not what it is`);
        if (outcome === 'failed') this.#mustHaveMoved(process, address, diagnostics);
        // Who waits for long for one answer may have no time for another try.
        const isWaiting = out.includes('does not answer within');
        if (
          outcome === 'failed' &&
          storeLosses < 4 &&
          !isWaiting &&
          !leaseTrouble.test(out) &&
          diagnostics.some(({ code }) => code === 'state-unreachable')
        )
          this.blame(
            `${name} fails with ${address} for the store, which has kept it waiting ${String(storeLosses)} times`,
          );
      }
  }

  /**
   * A create that nobody answers is sent again as long as nothing shows that it was carried out, where there can be one of its name
   * alone; and one in a home that this run made waits until that shows.
   */
  #mustHaveTried(process: Process, address: string, diagnostics: readonly Pick<Diagnostic, 'code'>[]): void {
    const { name, stack, plans, out, startedAt, endedAt = 0, frozenUntil, stoppedAt, liedAbout } = process;
    if (
      leaseTrouble.test(out) ||
      !this.#world.isInPeace(process) ||
      !this.#world.isClockSteady(process) ||
      liedAbout.size > 0
    )
      return;
    const [why, ...others] = diagnostics;
    const step = plans.at(-1)?.steps.find((each) => each.address === address);
    if (step?.action !== 'create' || others.length > 0 || frozenUntil > 0 || stoppedAt !== undefined) return;
    const isUnique = /:(?:Site|Route|Board)$/.test(step.type);
    const sent = this.#sent.get(`${name} ${address}`) ?? 0;
    if (why?.code === 'outcome-unknown' && isUnique && sent > 0 && sent <= mostResends)
      this.blame(`${name} gives up ${address}, which it has sent ${String(sent)} times`);
    const home = JSON.stringify(step.fields.find(({ field }) => field === 'siteId')?.new ?? null);
    const [, above = ''] = /"\$unknown":\["([^".]+)\.id"/.exec(home) ?? [];
    const [made] = [...this.#madeAt].flatMap(([id, at]) =>
      at === `${stack} ${above}` && this.#makers.get(id) === process ? [id] : [],
    );
    const thing = this.#world.service.things.get(made ?? '');
    const isThere = thing !== undefined && thing.history.length === 1 && (thing.history[0]?.alone ?? 0) < endedAt;
    if (why?.code === 'object-not-found' && isThere && endedAt - startedAt < lagWaitMs)
      this.blame(`${name} does not wait with ${address} until its home shows`);
  }

  /** A write of which it tells that nobody knows what became of it stays open, for the next run to find out. */
  #mustStayOpen(process: Process, address: string, [why]: readonly Pick<Diagnostic, 'code' | 'address'>[]): void {
    const { name, stack, out, runs } = process;
    if (why?.code !== 'outcome-unknown' || leaseTrouble.test(out) || !this.#world.isInPeace(process)) return;
    // What was to go along says whose end that was.
    const [of] = (why.address ?? address).split('~');
    const isOpen = this.#intents().some(
      (intent) => intent.stack === stack && runs.has(`${stack} ${intent.run}`) && intent.address.split('~')[0] === of,
    );
    if (!isOpen) this.blame(`${name} does not know what became of ${address}, and has closed it`);
  }

  /** What is told as changed since the plan somebody has changed since, or in it, or the plan was shown something old. */
  #mustHaveMoved(process: Process, address: string, diagnostics: readonly Pick<Diagnostic, 'code'>[]): void {
    const { name, plans, startedAt, liedAbout, argv } = process;
    if (!diagnostics.some(({ code }) => code === 'changed-since-plan')) return;
    const step = plans.at(-1)?.steps.find((each) => each.address === address);
    const { things } = this.#world.service;
    if (step?.id === undefined || liedAbout.size > 0 || argv.includes('plan.json')) return;
    const { id } = step;
    const isSettled = (thing: Thing): boolean =>
      isShownBefore(thing, startedAt) && (this.#touched.get(thing.id) ?? []).every(({ at }) => at < startedAt);
    const inside = [...things.values()].filter((thing) => thing.id === id || thing.home === id);
    const came = this.#cameSince(startedAt);
    const isStill = !this.#world.scenario.stacks.some((stack) =>
      [...came].some((each) => each.startsWith(`${stack} `) && stack !== process.stack),
    );
    if (isStill && inside.length > 0 && inside.every(isSettled))
      this.blame(`${name} tells that ${address} was changed since its plan, and nobody has touched ${id}`);
  }

  /** Who is asked to wait for a stack does so. */
  #mustHaveWaited(process: Process): void {
    const { name, out, startedAt, stoppedAt, endedAt = 0 } = process;
    const waitMs = Number.parseInt(wordAfter(process, '--lock-timeout') ?? '0', 10) * 1000;
    if (stoppedAt === undefined && out.includes('state-lease-held') && endedAt - startedAt < waitMs - pollMs)
      this.blame(`${name} waits for ${String(endedAt - startedAt)} ms alone`);
  }

  /** A verb that ends well has done it, as long as nobody else has written since. */
  #mustHaveDone({ name, argv, stack, code, runs, leasedAt = 0 }: Process): void {
    const row = this.#world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const run = row?.lease_fence ?? 0;
    const [group, verb = ''] = argv;
    if (group !== 'state' || code !== 0 || !runs.has(`${stack} ${String(run)}`)) return;
    const told = this.#history(stack).filter((each) => each.run === run);
    if (verb === 'freeze' && (row?.frozen === null || !told.some(({ kind }) => kind === 'freeze')))
      this.blame(`${name} ends well, and ${stack} is not frozen, or its history does not say so`);
    if (verb === 'thaw' && row?.frozen !== null) this.blame(`${name} ends well, and ${stack} is still frozen`);
    const from = argv[2] ?? '';
    const isOpen = (one: Intent & { readonly stack: string }): boolean =>
      one.stack === stack && one.address === from && (this.#arrivedAt.get(one.id) ?? Infinity) < leasedAt;
    if (verb === 'mv' && this.#intents().some(isOpen)) this.blame(`${name} ends well, and a write of ${from} is open`);
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
    const now = this.#records((each) => each.stack === stack).map(({ address, id }) => `${address} ${id}`);
    const wrong = [...without(pushed, now), ...without(now, pushed)];
    if (wrong.length > 0) this.blame(`${name} ends well, and what it has pushed is not there: ${wrong.join()}`);
  }

  /** What it calls unsent made nothing that lives, bears its name and was shown, unless this stack had it before. */
  #mustHaveSettled(process: Process): void {
    const told = [...process.out.matchAll(settled)];
    const creates = new Set(
      [...this.#journal].flatMap(([id, { body }]) => {
        const { action, address } = JSON.parse(body) as Intent;
        return action === 'create' && this.#closedBy.get(id) === process ? [address] : [];
      }),
    );
    for (const address of new Set(told.flatMap(([, each = '', lack]) => (lack === undefined ? [each] : []))))
      for (const { id, type, writtenAt = '' } of this.#records(
        (row) => creates.has(address) && `${row.stack} ${row.address}` === `${process.stack} ${address}`,
      )) {
        const thing = this.#thingOf(type, id);
        // The record says when it was written last.
        const isWrittenSince = process.results.some(({ steps }) =>
          steps.some((step) => step.address === address && step.outcome === 'done'),
        );
        if (thing !== undefined && !isWrittenSince && this.#isPeoplesOld(thing, Date.parse(writtenAt)))
          this.blame(`${process.name} tells that ${address} was made, and people made ${id} long before`);
      }
    for (const address of new Set(told.flatMap(([, each = '', lack]) => (lack === undefined ? [] : [each])))) {
      const made = [...this.#madeAt].flatMap(([id, at]) => (at === `${process.stack} ${address}` ? [id] : []));
      // Of several writes to one address another one may have made it.
      const others = told.filter(([, each, lack]) => each === address && lack === undefined);
      for (const id of made.filter((each) => this.#isSettledBy(process, each)).slice(others.length))
        this.blame(`${process.name} tells that ${address} had not reached the platform, and it has made ${id}`);
    }
  }

  /** It speaks of what it has found open, and not of what it, or one between, was to make there. */
  #isSettledBy(process: Process, id: string): boolean {
    const { service, tables } = this.#world;
    const thing = service.things.get(id);
    const closer = this.#closedBy.get(this.#madeFor.get(id) ?? '');
    const touches = this.#touched.get(id);
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
    return !isKnown && names.size === 1 && this.#isSeenBy(process, thing);
  }

  /** What people made more than the clocks may differ before a create is not what that has made. */
  #isPeoplesOld({ id, collection }: Thing, ms: number): boolean {
    const madeAt = this.#touched.get(id)?.[0]?.at ?? ms;
    return collection !== 'policy' && !this.#made.has(id) && madeAt < ms - clockSkewMs;
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
    const rows = this.#history(stack).filter(({ run }) => runs.has(`${stack} ${String(run)}`));
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

  /** Who ends a home says that something is in it which nobody manages, and which lists have shown for long. */
  #mustTellOthers({ name, plans, startedAt, liedAbout, argv }: Process): void {
    if (liedAbout.size > 0 || argv.includes('plan.json')) return;
    const managed = new Set(this.#records().map(({ id }) => id));
    for (const { steps, guards } of plans)
      for (const step of steps) {
        const { id: home, action, address, risks } = step;
        if ((action !== 'delete' && action !== 'replace') || !typeBefore(step).endsWith(':Site')) continue;
        const isTold =
          risks.some(({ kind }) => kind === 'cascades') || guards.some((guard) => guard.addresses.includes(address));
        // What an interrupted create is taken to have made has a line of its own.
        const named = new Set(steps.map(({ id }) => id));
        const stranger = this.#world.service
          .living()
          .find(
            (thing) =>
              thing.home === home &&
              thing.collection !== 'policy' &&
              !this.#made.has(thing.id) &&
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
    const came = this.#cameSince(startedAt);
    for (const { steps } of plans)
      for (const { id: home, address, risks } of steps)
        for (const risk of risks)
          for (const [, at = '', of = ''] of risk.kind === 'cascades' ? risk.what.matchAll(ofAnother) : []) {
            const [record] = this.#records((row) => row.stack === of && row.address === at);
            const thing = record === undefined ? undefined : this.#thingOf(record.type, record.id);
            if (thing !== undefined && !came.has(`${of} ${at}`) && thing.home !== home && thing.id !== home)
              this.blame(`${name} tells that ${at} of ${of} goes along with ${address}, and it is not in it`);
          }
  }

  /** A home that lists and reads deny is not gone while something of the stack shows in it, nor is what would have gone along. */
  #mustNotBeGone(process: Process): void {
    const { deniedHome, plans, checks, name, startedAt } = process;
    const { service, time } = this.#world;
    if (deniedHome === undefined) return;
    const { id: home, shown } = deniedHome;
    if (!this.#read.has(`${name} /sites/${home}/${shown}`)) return;
    const isSettled = (thing: Thing): boolean =>
      thing.history.length > 0 &&
      thing.history.every(({ inLists, alone }) => Math.max(inLists, alone) < startedAt) &&
      (this.#touched.get(thing.id) ?? []).every(({ at }) => at < startedAt) &&
      service.truth(thing) !== undefined;
    const gone = [
      ...plans.flatMap(({ stack, steps }) =>
        steps.flatMap(({ action, address }) => (action === 'create' ? [`${stack} ${address}`] : [])),
      ),
      ...checks.flatMap(({ stack, findings }) =>
        findings.flatMap((found) => (found.class === 'deleted' ? [`${stack} ${found.address}`] : [])),
      ),
    ];
    const came = this.#cameSince(startedAt);
    const records = this.#records().filter(({ stack, address }) => !came.has(`${stack} ${address}`));
    for (const record of records) {
      const { stack, address, type, id } = record;
      const thing = this.#thingOf(type, id);
      if (thing === undefined || (thing.id !== home && thing.home !== home) || thing.collection === shown) continue;
      const isShown = records.some((each) => {
        const other = each.stack === stack ? this.#thingOf(each.type, each.id) : undefined;
        return other?.collection === shown && other.home === home && isSettled(other);
      });
      if (isShown && isSettled(thing) && gone.includes(`${stack} ${address}`))
        this.blame(`${name} tells that ${address} is gone, whose home showed ${shown} of ${stack}`);
    }
    time.note(`${name} was denied ${home}`);
  }

  /** A run has ended it, and could not tell the store: nobody manages it, though lists may show it. */
  #isEnded({ stack, type, id }: Recorded): boolean {
    const thing = this.#thingOf(type, id);
    const isOpen = this.#intents().some(
      (one) => one.stack === stack && one.action === 'delete' && one.type === type && one.identity?.id === id,
    );
    return isOpen && thing !== undefined && this.#world.service.truth(thing) === undefined;
  }

  /** What may have been made, or is nobody's, is not what the stack had recorded all along; nor is told of the state what it does not say. */
  #mustProposeOthers(process: Process): void {
    const { name, argv, out, stack } = process;
    // A plan that was reviewed is told as it was made.
    const told = argv.includes('plan.json') ? [] : out.matchAll(proposed);
    for (const [words, address = ''] of told) {
      const id = idIn(words);
      const [record] = this.#records((row) => row.stack === stack && row.id === id && !row.type.endsWith(':Policy'));
      if (
        record !== undefined &&
        !this.#isEnded(record) &&
        !isKeptAsEnded(process, record) &&
        !this.#cameSince(process.startedAt).has(`${stack} ${record.address}`)
      )
        this.blame(`${name} proposes ${id} for ${address}, and it stands in ${record.address}`);
    }
    for (const [, ...addresses] of out.matchAll(doubled)) {
      // What another stack is to give stands there.
      const places = addresses.map((address) => (address.includes(':') ? address : `${stack}:${address}`));
      const ids = this.#records((row) => places.includes(`${row.stack}:${row.address}`)).map(({ id }) => id);
      const came = this.#cameSince(process.startedAt);
      if ((ids.length !== 2 || new Set(ids).size !== 1) && !places.some((place) => came.has(place.replace(':', ' '))))
        this.blame(`${name} tells that ${addresses.join(' and ')} are one object, which the state does not say`);
    }
  }

  /** What a plan or check tells of an object was so at some time: no answer alone is believed that says something new. */
  #mustHaveBeenSo({ name, plans, checks }: Process): void {
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
      const thing = this.#thingOf(type, id);
      if (thing === undefined || !type.endsWith(`:${typeNames[thing.collection]}`)) continue;
      if (hiddenFields.includes(field) || isObject(value) || isUnknown(value)) continue;
      const known = thing.history.flatMap(({ values }) => (values === undefined ? [] : [values]));
      if (known.some((values) => field in values) && !known.some((values) => same(values[field] ?? null, value)))
        this.blame(`${name} tells that ${address}.${field} was ${JSON.stringify(value)}, which it never was`);
    }
  }

  /** The record has what was sent, and nothing else. */
  #isUnseenBeside(stack: string, at: string, field: string): boolean {
    return this.#records((row) => row.stack === stack && row.address === at).some(
      ({ inputs, outputs }) => !(field in inputs) && Object.keys(outputs).every((name) => name in inputs),
    );
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
      const thing = this.#thingOf(type, id);
      const touches = this.#touched.get(thing?.id ?? '') ?? [];
      if (thing === undefined || touches.length === 0 || this.#letGo.has(id)) continue;
      const isPushed = this.#world.processes.some(({ argv }) => argv[0] === 'state' && argv[1] !== 'unlock');
      if (touches.some(({ at }) => at >= startedAt)) continue;
      // An answer that shows after a write what was there before it is recorded as a whole, and what stands there is told when it shows.
      if (field !== undefined && [...this.#unkept].some((each) => each.startsWith(`${address}.`))) continue;
      // Where no answer came after the first write, nobody knows what stood there beside what was sent.
      if (field !== undefined && this.#isUnseenBeside(stack, address, field)) continue;
      // An answer that is older than the last write says what was there before it: what is no more in the record is known by that. What a
      // refresh has recorded by such an answer is told when the write shows.
      const mayBeOld =
        (!isShownBefore(thing, startedAt) && (field === undefined || !this.#isTakenOut(stack, address, field, now))) ||
        this.#hasTaken(stack, address, (ms) => !isShownBefore(thing, ms));
      // Who was shown what had ended a moment before has taken it over.
      const endedAt = this.#world.service.truth(thing) === undefined ? (touches.at(-1)?.at ?? 0) : Infinity;
      const isTakenLate = this.#history(stack).some(
        (row) =>
          row.kind === 'record' &&
          row.address === address &&
          (JSON.parse(row.body) as { readonly before: unknown }).before === null &&
          (this.#arrivedAt.get(nameOf(row)) ?? 0) > endedAt,
      );
      if (this.#isWrittenBy(stack, touches) && !isPushed && !mayBeOld && !isTakenLate)
        this.blame(
          `${name} tells that ${address}${field === undefined ? '' : `.${field}`} was changed outside, and its own runs alone have written ${id}`,
        );
    }
  }

  /** Something of that value is no more in what the record says of that field. */
  #isTakenOut(stack: string, address: string, field: string, now: Json = null): boolean {
    const [record] = this.#records((row) => row.stack === stack && row.address === address);
    const [said, was] = [record?.inputs[field], record?.outputs[field] ?? null];
    if (record === undefined || now === null) return false;
    if (!isObject(now)) return said === undefined && now !== 'plain' && now !== 'open' && now !== 0;
    return Object.keys(now).some((key) => !isObject(was) || !(key in was));
  }

  /** Runs of that stack alone have written it, and each knows what became of its writes. */
  #isWrittenBy(stack: string, touches: readonly { readonly by: Process | undefined }[]): boolean {
    return touches.every(
      ({ by }) =>
        by?.stack === stack &&
        by.code === 0 &&
        by.openWrites === 0 &&
        by.argv[0] !== 'fleet' &&
        this.#world.isInPeace(by),
    );
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
        const before = this.#madeForDrift.get(keyIn(step.type, step.id ?? '')) ?? [];
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
    const came = this.#cameSince(startedAt);
    const records = this.#records().filter(({ stack, address }) => !came.has(`${stack} ${address}`));
    for (const { objectId = '', type: token } of told)
      for (const { id, stack, address, type, deposed } of records)
        // A policy has the id of its site.
        if (type === token && (objectId === id || deposed.some(({ identity }) => identity.id === objectId)))
          this.blame(`${name} tells that ${objectId} is nobody's, and ${stack} has it as ${address}`);
  }

  /** Of what nothing has shown to a check nobody knows whether it is as it was. */
  #mustHaveResolved(process: Process): void {
    const came = this.#cameSince(process.startedAt);
    for (const { stack, resolved } of process.checks)
      for (const { address, class: kind, by } of resolved) {
        if (by !== 'settled' || (kind !== 'modified' && kind !== 'undeclared-changed')) continue;
        const [record] = this.#known(process, stack).filter((each) => each.address === address);
        if (record === undefined || came.has(`${stack} ${address}`) || this.#isShownTo(process, stack, record))
          continue;
        this.blame(`${process.name} tells that ${stack} ${address} is settled, and nothing has shown it to it`);
      }
  }

  /** What is taken over by its name has, or had, that name. */
  #mustHaveItsName({ name, argv, results, carriedOut, keys }: Process): void {
    // An undo goes by what was called so before.
    if (argv[0] === 'undo') return;
    for (const result of results)
      for (const { address, type, reasons, id = '' } of carriedOut.get(result)?.steps ?? []) {
        const isByName = reasons.some(({ kind }) => kind === 'found-by-key' || kind === 'key-exists');
        const isDone = result.steps.some((step) => step.address === address && step.outcome === 'done');
        const thing = this.#thingOf(type, id);
        const key = keys.get(`${carriedOut.get(result)?.stack ?? ''} ${address}`);
        if (!isByName || !isDone || thing === undefined || key === undefined || thing.collection === 'policy') continue;
        const field = keyFields[thing.collection];
        if (!thing.history.some(({ values }) => same(values?.[field], key)))
          this.blame(`${name} takes over ${id} as ${address}, and it was never called ${key}`);
      }
  }

  /** What a run made where nothing had been goes when the run is undone: nobody else has touched it. */
  #mustBeUndone(process: Process): void {
    const { argv, name, stack, code } = process;
    if (argv[0] !== 'undo' || argv.includes('--edit') || code !== 0) return;
    const run = Number(argv[1]);
    const rows = this.#history(stack).filter((row) => row.kind === 'record' || row.kind === 'move');
    for (const [id, { runs, plans }] of this.#makers) {
      const thing = this.#world.service.things.get(id);
      if (!runs.has(`${stack} ${String(run)}`) || thing === undefined) continue;
      if (this.#world.service.truth(thing) === undefined || this.#touched.get(id)?.length !== 1) continue;
      const [record] = this.#records((row) => row.id === id && row.stack === stack && !row.type.endsWith(':Policy'));
      const address = record?.address ?? '';
      const isNew = plans.some(({ steps }) =>
        steps.some((step) => step.address === address && step.action === 'create'),
      );
      const isFirst = !rows.some((row) => row.address === address && row.run < run);
      // What its files move to another stack stays until that was applied, as it is told.
      const isMoving = process.plans.some(({ notices }) =>
        notices.some((notice) => notice.code === 'moves-to-stack' && notice.address === address),
      );
      if (isMoving) continue;
      if (this.#madeAt.get(id) === `${stack} ${address}` && isNew && isFirst && record?.retainOnDelete !== true)
        this.blame(`${name} ends well, and leaves ${id} at ${address}, which that run made`);
    }
  }

  /** What a command line leaves out is left out. */
  #mustKeepChosen(process: Process): void {
    const { name, plans, results } = process;
    const excluded = wordAfter(process, '--exclude');
    const isWithin = (address: string): boolean =>
      excluded !== undefined && !chooses({ targets: [], excludes: [excluded] })(address);
    const types = new Map(plans.flatMap(({ steps }) => steps.map(({ address, type }) => [address, type] as const)));
    for (const { steps } of results)
      for (const { address, action } of steps) {
        if (isWithin(address)) this.blame(`${name} does something with what it excludes`);
        if (process.argv.includes('--no-delete') && (action === 'delete' || action === 'replace'))
          this.blame(`${name} ends ${address}, a ${types.get(address) ?? 'thing'}`);
      }
  }

  /** What the files say stands elsewhere now does not end. */
  #mustKeepMoved({ name, argv, stack, plans, aliases }: Process): void {
    if (argv[0] === 'destroy' || argv[0] === 'undo') return;
    const catalogue = this.#world.catalogues.get(stack);
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

  /** Whatever troubled the world is over: a few quiet runs must bring everything about, and find nothing more to do. */
  async atRest(): Promise<void> {
    const world = this.#world;
    world.calm();
    const { stacks } = world.scenario;
    for (const { stack, lease_fence: run } of world.tables.rows<StackRow>('sync_stacks'))
      this.#troubled.set(stack, run);
    await world.pass(400_000);
    for (const { stack, frozen } of world.tables.rows<StackRow>('sync_stacks'))
      if (frozen !== null) await world.perform(stack, ['state', 'thaw']);
    let changing: readonly string[] = stacks;
    for (let round = 0; round < 4 && this.violations.length === 0 && changing.length > 0; round += 1) {
      if (round > 0) await world.pass(200_000);
      changing = [];
      // What a quiet run lets go of may be in the way, too.
      this.#putAway();
      for (const stack of stacks) if (await this.#applied(stack)) changing = [...changing, stack];
    }
    for (const stack of changing) {
      if (this.violations.length > 0) return;
      const { plans, code, out } = await world.perform(stack, ['plan']);
      const left = plans.at(-1)?.steps.map(({ action, address }) => `${action} ${address}`);
      if (code !== 0 || !plans.every(isEmptyPlan))
        this.blame(`after quiet, ${stack} still has to do: ${left?.join() ?? out}`);
    }
    if (this.violations.length === 0) this.#agree();
    for (const stack of stacks) if (this.violations.length === 0) await this.#historyIsWhole(stack);
    if (world.decisions.atRest('little is looked at in the end', world.scenario.brief ?? 0)) return;
    const moved = new Map<string, boolean>();
    for (const stack of stacks) if (this.violations.length === 0) moved.set(stack, await this.#driftIsTold(stack));
    if (this.violations.length === 0) await this.#roundIsTrue(moved);
    if (this.violations.length === 0) await this.#isUndone(stacks[0] ?? '');
  }

  /** What a plan asks for although it knows it: where all is as recorded, nothing twice, and nothing by itself that a list shows. */
  #askedInVain(stack: string): readonly string[] {
    const { service } = this.#world;
    const known = this.#records((row) => row.stack === stack).flatMap(({ id, type, outputs }) => {
      const thing = this.#thingOf(type, id);
      const truth = thing === undefined ? {} : (service.truth(thing) ?? {});
      const isAsRecorded = Object.entries(outputs).every(
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
    const twice = this.#asked.filter((path, at) => this.#asked.indexOf(path) < at && !mayAskAgain(path));
    // Of what lists leave out only a revision there would tell.
    const isToBeRead = (place: string): boolean =>
      this.#world.scenario.isUnrevised === true && /\/(?:pages|boards)$/.test(place);
    const alone = this.#asked.filter((path) =>
      known.some(
        (each) =>
          each.isAsRecorded &&
          !isToBeRead(each.place) &&
          this.#listed.has(each.id) &&
          path === `${each.place}/${each.id}`,
      ),
    );
    return [...twice, ...alone];
  }

  async #asksLittle(stack: string): Promise<void> {
    if (this.#askedInVain(stack).length === 0) return;
    // What runs that were cut off have left the next apply records.
    await this.#world.perform(stack, ['apply', '--yes']);
    this.#asked = [];
    this.#listed.clear();
    await this.#world.perform(stack, ['plan']);
    const asked = this.#askedInVain(stack);
    if (asked.length > 0) this.blame(`a quiet plan of ${stack} asks for ${asked.join()}, which it knows`);
  }

  /** How many a plan says that nobody manages, at the top or in what the stack has, is how many there are. */
  #countsOthers(stack: string, { unmanaged }: Plan): void {
    const records = this.#records((row) => row.stack === stack && !row.type.endsWith(':Policy'));
    const known = new Set(records.map(({ id }) => id));
    const homes = new Map(records.map(({ address, id }) => [address, id]));
    for (const { type, under, count } of unmanaged) {
      const home = under === undefined ? undefined : homes.get(under);
      const all = this.#world.service
        .living()
        .filter(
          (thing) => type.endsWith(`:${typeNames[thing.collection]}`) && thing.home === home && !known.has(thing.id),
        );
      if ((under === undefined) === (home === undefined) && all.length !== count)
        this.blame(
          `a plan of ${stack} tells of ${String(count)} ${type} in ${under ?? 'none'}, and of ${String(all.length)} it should`,
        );
    }
  }

  /**
   * As somebody would who does what the plan asks for, looks at what holds it back, and allows it. False: there was nothing to do, and
   * nothing left open.
   */
  async #applied(stack: string): Promise<boolean> {
    const world = this.#world;
    this.#asked = [];
    this.#listed.clear();
    const shown = await world.perform(stack, ['plan']);
    const isOpen = this.#intents().some((intent) => intent.stack === stack);
    if (shown.code === 0 && shown.plans.every(isEmptyPlan) && !isOpen) {
      await this.#asksLittle(stack);
      for (const plan of shown.plans) this.#countsOthers(stack, plan);
      return false;
    }
    for (const [, lines = ''] of shown.out.matchAll(rightOne)) {
      const answers = [...lines.matchAll(answer)].map(([, words = '']) => words);
      // Whoever was there knows what the interrupted run has made.
      const open = new Set(this.#intents().map(({ id }) => id));
      const right = answers.find((words) => open.has(this.#madeFor.get(idIn(words)) ?? ''));
      const other = answers.find((words) => this.#made.has(idIn(words)));
      await this.#decided(stack, right ?? other, answers);
    }
    // What somebody has let go of, or called otherwise before its run was known to have made it, or people have made, gets another name
    // where it is in the way.
    for (const [, id = ''] of shown.out.matchAll(inTheWay)) {
      const thing = world.service.things.get(id);
      if (thing !== undefined && (this.#letGo.has(id) || this.#unfound.has(id) || !this.#made.has(id)))
        this.byHand(() => world.service.change(thing, { [keyFields[thing.collection]]: `${id} let go of` }));
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
      const [record] = this.#records((row) => row.stack === from && row.id === id);
      const [there, here] = [from, stack].map((each) => world.catalogues.get(each)?.blocks);
      const isOwn = this.#records((row) => row.stack === stack && row.address === record?.address).length > 0;
      if (record !== undefined && here?.has(record.address) === true && !isOwn)
        await world.perform(from, ['state', 'mv', record.address, '--to-stack', stack]);
      // Where both files say it, one of them is to say another.
      else if (there?.get(record?.address ?? '')?.properties['name'] === (here?.get(taker)?.properties['name'] ?? null))
        this.#callsOtherwise(stack, taker, `${taker} of ${stack}`);
      // The other stack may have to wait, before it ends it, for what this one does in the same run.
      else await this.#inTwoRuns(stack, taker);
    }
    // What was cut off on its way to another stack stands in both: who has no file of it lets go of it.
    for (const [, address = '', other = '', owner = ''] of shown.out.matchAll(inBoth))
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
    await this.#allowing(stack, ['apply', '--yes']);
    this.#callsOtherwise(stack, taker, name);
  }

  /** The file gives it another name. What it was called. */
  #callsOtherwise(stack: string, address: string, name: Name): Name | undefined {
    const world = this.#world;
    const { properties = {} } = world.catalogues.get(stack)?.blocks.get(address) ?? {};
    const field = ['name', 'title', 'mail', 'words'].find((one) => properties[one] !== undefined);
    if (field !== undefined) world.rename(stack, address, { [field]: name });
    return field === undefined ? undefined : properties[field];
  }

  /** Only a person can know which object an interrupted run has made; or they put it away, where no file has the address. */
  async #decided(stack: string, right: string | undefined, all: readonly string[]): Promise<void> {
    const { service } = this.#world;
    const { code } = await this.#world.perform(stack, (right ?? all[0] ?? '').replaceAll("'", '').split(' ', 3));
    if (code === 0) return;
    for (const words of all.length === 1 ? all : all.filter((each) => each !== right)) {
      const thing = service.things.get(idIn(words));
      if (thing !== undefined && service.truth(thing) !== undefined) this.byHand(() => service.end(thing));
    }
  }

  #history(stack: string): readonly HistoryRow[] {
    return this.#world.tables.rows<HistoryRow>('sync_runs').filter((row) => row.stack === stack);
  }

  /** A site does not end while people's own routes lead to it, or boards are in it. */
  #putAway(): void {
    const { service } = this.#world;
    const known = new Set(this.#records().map(({ id }) => id));
    for (const thing of [...service.living('routes'), ...service.living('boards')])
      if ((!this.#made.has(thing.id) || this.#isLeft(thing)) && !known.has(thing.id))
        this.byHand(() => service.end(thing));
  }

  #intents(): readonly (Intent & { readonly stack: string })[] {
    const rows = this.#world.tables.rows<IntentRow>('sync_intents');
    return rows.map(({ stack, body }) => ({ ...(JSON.parse(body) as Intent), stack }));
  }

  #records(isWanted: (row: ResourceRow) => boolean = () => true): readonly Recorded[] {
    const rows = this.#world.tables.rows<ResourceRow>('sync_resources');
    return rows.filter(isWanted).map(({ stack, address, type, id, dependencies, body }) => ({
      ...(JSON.parse(body) as Recorded),
      needs: dependencies,
      stack,
      address,
      type,
      id,
    }));
  }

  /** The records of a stack as a process knows them: what a run could not tell the store stands on the one disk of all machines. */
  #known(process: Process, stack: string): readonly Recorded[] {
    const records = this.#records((row) => row.stack === stack);
    const path = outboxFile(folderOf(process, stack), 'yard', stack).location;
    if (!existsSync(path)) return records;
    const open = new Set(this.#world.tables.rows<IntentRow>('sync_intents').map(({ id }) => id));
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

  /** Files, state and service say the same, and of everything there is one. */
  #agree(): void {
    const { service, catalogues, tables } = this.#world;
    const records = this.#records();
    const byId = new Map(records.map((record) => [record.id, record]));
    this.#onlyOnce(records.filter(({ type }) => !type.endsWith(':Policy')));
    for (const thing of service.living())
      if (this.#made.has(thing.id) && !byId.has(thing.id) && !this.#isLeft(thing))
        if (!this.#isTakenFor(thing, byId) && !this.#isDisowned(thing))
          this.blame(`${thing.id} was made by a run, and nobody knows it`);
    for (const [stack, { blocks }] of catalogues)
      for (const [address, { type, properties, options }] of blocks) {
        const record = records.find((each) => each.stack === stack && each.address === address);
        const thing = record === undefined ? undefined : this.#thingOf(type, record.id);
        const truth = thing === undefined ? undefined : service.truth(thing);
        if (record === undefined || thing === undefined || truth === undefined) {
          this.blame(`${stack} ${address} does not exist in the end`);
          continue;
        }
        const ignored = options?.ignoreChanges ?? [];
        for (const [name, value] of Object.entries(properties))
          if (typeof value !== 'string' || !value.startsWith('${'))
            if (
              !ignored.includes(name) &&
              !same(truth[name], value) &&
              !this.#assumed.has(`${address}.${name}`) &&
              !this.#assumed.has(keyIn(thing.id, name)) &&
              !(hiddenFields.includes(name) && this.#isAlike(stack, address, thing)) &&
              !this.#isBack(record, name, thing)
            )
              this.blame(
                `${stack} ${address}.${name} is ${JSON.stringify(truth[name])} in the end, and the file says ${JSON.stringify(value)}`,
              );
        this.#nothingIsLeftIn(`${stack} ${address}`, thing, properties, ignored);
        this.#isRecorded(record, { type, properties, ...defined({ options }) });
      }
    if (this.#world.scenario.tells === true) this.#outputsAreTrue();
    const kept = JSON.stringify([tables.rows('sync_resources'), tables.rows('sync_stacks'), tables.rows('sync_runs')]);
    if (kept.includes(aSecret)) this.blame('the state holds a secret');
    const open = tables.rows<IntentRow>('sync_intents');
    if (open.length > 0) this.blame(`intents are open in the end: ${open.map(({ body }) => body).join()}`);
  }

  /** In the end a record says what its file says: what it depends on, how it is managed, and what is ours. */
  #isRecorded(
    { stack, address, type, id, inputs, needs, protect, retainOnDelete, deposed }: Recorded,
    block: Block,
  ): void {
    const { properties, options = {} } = block;
    const { ignoreChanges = [], dependsOn = [] } = options;
    const what = `the record of ${stack} ${address} says in the end`;
    const needed = Object.values(properties).flatMap((value) => {
      const [, other] = /^\$\{(.+)\.id\}$/.exec(typeof value === 'string' ? value : '') ?? [];
      return other === undefined ? [] : [other];
    });
    const wanted = JSON.stringify([...new Set([...needed, ...dependsOn])].sort());
    // That a file newly says or drops an order alone is nothing to apply.
    const isOrdered = needed.every((each) => (JSON.parse(needs) as readonly string[]).includes(each));
    if (needs !== wanted && !isOrdered) this.blame(`${what} that it depends on ${needs}, and not on ${wanted}`);
    if (protect !== (options.protect === true)) this.blame(`${what} that it is ${protect ? '' : 'not '}protected`);
    if (retainOnDelete !== (options.retainOnDelete === true))
      this.blame(`${what} that it ${retainOnDelete ? 'stays' : 'goes'} with its block`);
    if (deposed.length > 0) this.blame(`${what} that ${deposed.map((old) => old.identity.id).join()} is still to go`);
    // What others made as the file has it the next apply that has something else to do records.
    if (!this.#isWrittenBy(stack, this.#touched.get(this.#thingOf(type, id)?.id ?? '') ?? [])) return;
    for (const name of new Set([...Object.keys(inputs), ...Object.keys(properties)])) {
      const [is, said] = [inputs[name], properties[name]];
      if (ignoreChanges.includes(name) || (typeof said === 'string' && said.startsWith('${'))) continue;
      // What a file newly says, or somebody has recorded otherwise, and stands there, is nothing to apply.
      const isAnybodys = is === undefined || this.#hasTaken(stack, address);
      if (isAnybodys && said !== undefined && same(this.#truthOf(type, id)[name], said)) continue;
      if (is === undefined || said === undefined || !(isUnknown(is) || (same(is, said) && same(said, is))))
        this.blame(`${what} that ${name} is ${JSON.stringify(is)}, and its file ${JSON.stringify(said)}`);
    }
  }

  /** What the files tell is what stands in the state. */
  #outputsAreTrue(): void {
    const { catalogues, tables } = this.#world;
    for (const { stack, outputs } of tables.rows<StackRow>('sync_stacks')) {
      const { blocks } = catalogues.get(stack) ?? { blocks: new Map<string, Block>() };
      const ids = new Map(this.#records((row) => row.stack === stack).map(({ address, id }) => [address, id]));
      const sites = [...blocks].filter(([, { type }]) => type === 'yard:Site');
      const told = sites.flatMap(([address, { properties }]) => [
        [`${address}-id`, ids.get(address)],
        [`${address}-name`, properties['name']],
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
    const touches = this.#touched.get(thing.id) ?? [];
    const partsAt = (at: number): JsonObject => clearable(thing.history[at]?.values);
    for (const [key, left] of Object.entries(partsAt(thing.history.length - 1))) {
      const writers = touches.filter((_, at) => partsAt(at)[key] !== partsAt(at - 1)[key]).map(({ by }) => by);
      // Another stack takes over what a killed run has made as it finds it, as it would take anybody's.
      const isOwn = writers
        .map((by) => `${by?.stack ?? ''} ${thing.id}`)
        .every((known) => this.#knownTo.has(known) && !this.#letGo.has(known));
      const isLetGo =
        this.#letGo.has(thing.id) || this.#letGo.has(keyIn(thing.id, key)) || ignored.includes(key.split('.')[0] ?? '');
      if (isOwn && !isLetGo && left !== null && clearable(said)[key] === undefined)
        this.blame(`${what} has ${key}, which a run wrote and no file says`);
    }
  }

  /** A policy goes by the site that it is of. */
  #thingOf(type: string, id: string): Thing | undefined {
    const { things } = this.#world.service;
    return type.endsWith('Policy') ? things.get(`policy of ${id}`) : things.get(id);
  }

  /** Somebody has taken into the state what was found there, at such a time. */
  #hasTaken(of: string, address: string, isThen: (ms: number) => boolean = () => true): boolean {
    return this.#world.processes.some(
      ({ stack, argv, out, startedAt }) =>
        stack === of &&
        (argv[0] === 'refresh' || argv[1] === 'record') &&
        new RegExp(`\\b${address}\\b`).test(out) &&
        isThen(startedAt),
    );
  }

  #truthOf(type: string, id: string): JsonObject {
    const thing = this.#thingOf(type, id);
    return (thing === undefined ? undefined : this.#world.service.truth(thing)) ?? {};
  }

  #onlyOnce(records: readonly Recorded[]): void {
    const seen = new Set<string>();
    for (const { id, address, stack } of records) {
      if (seen.has(id) && this.#world.service.things.get(id)?.collection !== undefined)
        this.blame(`${stack} ${address} is recorded twice: ${id}`);
      seen.add(id);
    }
  }

  /** What somebody took over from a run: renamed by hand, or its record dropped, it is another one's. */
  #isLeft(thing: Thing): boolean {
    const isTouched = (this.#touched.get(thing.id) ?? []).some(({ by }) => by === undefined);
    return this.#letGo.has(thing.id) || isTouched || this.#isSaidToBeOther(thing);
  }

  /** A person has said that its create made another one. */
  #isSaidToBeOther({ id }: Thing): boolean {
    const { argv = [], stack = '' } = this.#closedBy.get(this.#madeFor.get(id) ?? '') ?? {};
    const [verb, address = '', named = ''] = argv;
    return verb === 'adopt' && `${stack} ${address}` === this.#madeAt.get(id) && idIn(named) !== id;
  }

  /** What people made, equal in all that shows, was taken for what an interrupted create made, or one whose answer was lost. */
  #isAlike(stack: string, address: string, thing: Thing | undefined): boolean {
    const isFound = ({ stack: of, out, plans }: Process): boolean => {
      if (of !== stack) return false;
      const moves = plans.flatMap(({ steps }) => steps.filter((step) => step.address === address));
      const places = [address, ...moves.map(({ from }) => from)];
      const isToldAsMade = places.some((at) => out.includes(`created ${at ?? ''} (id ${thing?.id ?? ''},`));
      return (
        isToldAsMade || [...out.matchAll(settled)].some(([, at, lack]) => lack === undefined && places.includes(at))
      );
    };
    return !this.#made.has(thing?.id ?? '') && this.#world.processes.some(isFound);
  }

  /**
   * After a write an old answer showed what stood before, which is recorded then, and somebody wrote that very value once more: nothing
   * tells the two apart.
   */
  #isBack({ address, outputs }: Recorded, field: string, thing: Thing): boolean {
    const touches = this.#touched.get(thing.id) ?? [];
    // Settings stood there before anybody touched them.
    const values = thing.history.map((each) => each.values?.[field] ?? null);
    const written = touches.findLastIndex(({ by }) => by !== undefined);
    const before = values.slice(0, values.length - touches.length + written);
    const now = values.at(-1) ?? null;
    return (
      this.#unkept.has(`${address}.${field}`) && same(outputs[field], now) && before.some((value) => same(value, now))
    );
  }

  /** Somebody who was asked whether it is what an interrupted create had made has said that another one is. */
  #isDisowned({ id }: Thing): boolean {
    const { stack: of, argv = [] } = this.#closedBy.get(this.#madeFor.get(id) ?? '') ?? {};
    const [verb, address = '', other = ''] = argv;
    if (verb !== 'adopt' || this.#madeAt.get(id) !== `${of ?? ''} ${address}` || idIn(other) === id) return false;
    const asked = this.#world.processes.flatMap(({ stack, out }) => (stack === of ? [...out.matchAll(rightOne)] : []));
    return asked.some(([, lines = '']) =>
      [...lines.matchAll(answer)].some(([, words = '']) => words.startsWith(`adopt ${address} `) && idIn(words) === id),
    );
  }

  /** What somebody made, equal in all that was sent, was taken over in its place by a run that no list had shown it to. */
  #isTakenFor(thing: Thing, known: ReadonlyMap<string, Recorded>): boolean {
    const intent = this.#madeFor.get(thing.id) ?? '';
    const closer = this.#closedBy.get(intent);
    // Of two lists one may have been wrong.
    if (closer === undefined || (thing.history[0]?.inLists ?? 0) < closer.startedAt) return false;
    const sent = ({ history }: Thing): JsonObject => ({
      ...history[0]?.values,
      revision: null,
      createdAt: null,
      password: null,
    });
    // Its file may have dropped it since, or made another one in its place, or another stack has it.
    const rows = this.#history(closer.stack).filter(
      (row) => `${row.stack} ${row.address ?? ''}` === this.#madeAt.get(thing.id),
    );
    const before = new Set(rows.flatMap(idBefore));
    return [...this.#world.service.things.values()].some(
      (other) =>
        (known.has(other.id) || before.has(other.id) || this.#foundFor.get(intent) === other.id) &&
        !this.#made.has(other.id) &&
        other.collection === thing.collection &&
        other.home === thing.home &&
        // What its file leaves out was not sent.
        Object.keys(known.get(other.id)?.inputs ?? sent(thing)).every((name) =>
          same(sent(other)[name] ?? null, sent(thing)[name] ?? null),
        ),
    );
  }

  /** Nothing has drifted; and when something does, a check says so. */
  async #driftIsTold(stack: string): Promise<boolean> {
    const world = this.#world;
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
    const mine = this.#records().find(
      ({ stack: of, type, address }) =>
        of === stack && type.endsWith(':Site') && blocks.get(address)?.options?.ignoreChanges === undefined,
    );
    const thing = mine === undefined ? undefined : world.service.things.get(mine.id);
    if (thing === undefined) return first.checks.at(-1)?.findings.length !== 0;
    const address = mine?.address ?? '';
    // What no file says is told, too.
    const isFree = mine?.inputs['tags'] === undefined;
    const others = isFree ? { tags: { moved: 'by hand' } } : {};
    this.byHand(() => world.service.change(thing, { note: 'moved by hand at the very end', ...others }));
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
    if (note === undefined || !isFree) return true;
    // Who records one of two findings has the other one still.
    await world.perform(stack, ['drift', 'record', note]);
    if ((await foundIn('tags')) === undefined) this.blame(`${stack} ${address}.tags has drifted, and no check says so`);
    return true;
  }

  /** A round in peace says of each stack what is true: whether anything has drifted. */
  async #roundIsTrue(moved: ReadonlyMap<string, boolean>): Promise<void> {
    for (const kind of ['check', 'status']) {
      const round = await this.#world.perform([...moved.keys()][0] ?? '', ['fleet', kind, '--format', 'json']);
      for (const [stack, hasDrifted] of moved) {
        const state = rowsOf(round)?.find((row) => row.stack === stack)?.state;
        if (state !== (hasDrifted ? 'drift' : 'clean'))
          this.blame(
            `${round.name} tells that ${stack} is ${state ?? 'nowhere'}, which is not so: ${round.out.slice(-300)}`,
          );
      }
    }
  }

  /** Each record came and went by rows of the history, and each row says truly whether there was one before. */
  async #historyIsWhole(stack: string): Promise<void> {
    const { code, out } = await this.#world.perform(stack, ['history', 'verify']);
    if (code !== 0) this.blame(`the history of ${stack} is broken: ${out}`);
    const rows = this.#history(stack);
    // Of a document in the place of everything the history says no more.
    if (rows.some(({ kind }) => kind === 'replace')) return;
    const kinds = (wanted: string): readonly number[] =>
      rows.flatMap(({ kind, run }) => (kind === wanted ? [run] : []));
    const begun = kinds('begin');
    if (new Set(begun).size !== begun.length) this.blame(`the history of ${stack} says twice that a run began`);
    const ended = new Set(kinds('end'));
    for (const run of kinds('plan'))
      if (run > (this.#troubled.get(stack) ?? 0) && !ended.has(run))
        this.blame(`the history of ${stack} does not say how ${String(run)} ended`);
    const known = new Set<string>();
    for (const { number, kind, address, body } of rows) {
      const { before, removed, from } = JSON.parse(body) as { before?: object | null; removed?: true; from?: string };
      const what = `row ${String(number)} of the history of ${stack}`;
      if (kind === 'record' && (before !== null) !== known.has(address ?? ''))
        this.blame(`${what} says that ${address ?? ''} was ${before === null ? 'not ' : ''}there`);
      // Of a move to or from another stack, the other end has the stack before it.
      if (kind === 'move') known.delete(from ?? '');
      if (removed === true) known.delete(address ?? '');
      else if ((kind === 'record' || kind === 'move') && address?.includes(':') === false) known.add(address);
    }
    this.#makersAreTold(stack, rows);
    const records = new Set(this.#records((row) => row.stack === stack).map(({ address }) => address));
    const unsaid = [...records, ...known].filter((address) => records.has(address) !== known.has(address));
    if (unsaid.length > 0) this.blame(`the history of ${stack} does not say what became of ${unsaid.join()}`);
  }

  /** What a run made is told as that run's, whoever found it out. */
  #makersAreTold(stack: string, rows: readonly HistoryRow[]): void {
    const commands = new Map(
      rows.flatMap(({ kind, run, body }) =>
        kind === 'begin' ? [[run, (JSON.parse(body) as { readonly command: string }).command] as const] : [],
      ),
    );
    const recordIn = ({ kind, body }: HistoryRow): RecordedResource | null =>
      kind === 'record' ? (JSON.parse(body) as { readonly before: RecordedResource | null }).before : null;
    const befores = rows.map((row) => ({ row, before: recordIn(row) }));
    for (const [id, { runs, stack: of }] of this.#makers) {
      // A policy has the id of its site.
      const isOf = ({ identity, type }: RecordedResource): boolean => identity.id === id && !type.endsWith(':Policy');
      const told = befores.find(({ before }) => before !== null && isOf(before))?.row;
      const first = rows.findLast(({ address, number }) => address === told?.address && number < (told?.number ?? 0));
      if (of !== stack || first?.kind !== 'record' || this.#unfound.has(id)) continue;
      // Somebody else may take over what a killed run made and nobody knew.
      const isTaken =
        commands.get(first.run) !== 'apply' ||
        this.#letGo.has(id) ||
        this.#isMistimed(id) ||
        this.#isImported(`${stack} ${String(first.run)}`, id);
      if (!runs.has(`${stack} ${String(first.run)}`) && !isTaken)
        this.blame(
          `row ${String(first.number)} of the history of ${stack} says that ${String(first.run)} has made ${id}`,
        );
    }
  }

  /** The files of that run took it over by its id. */
  #isImported(run: string, id: string): boolean {
    const plans = this.#world.processes.flatMap((process) => (process.runs.has(run) ? process.plans : []));
    return plans.some(({ steps }) =>
      steps.some((step) => step.id === id && step.reasons.some(({ kind }) => kind === 'import')),
    );
  }

  /** By a clock that is wrong, somebody who began alike at its address began before it was made and did not, or the other way round. */
  #isMistimed(id: string): boolean {
    const madeAt = this.#touched.get(id)?.[0]?.at ?? 0;
    return [...this.#journal].some(([intent, { stack, body }]) => {
      const { address, createdAt } = JSON.parse(body) as Intent;
      const isSaidBefore = Date.parse(createdAt) <= madeAt;
      const isAlike = `${stack} ${address}` === this.#madeAt.get(id);
      return isAlike && isSaidBefore !== (this.#arrivedAt.get(intent) ?? Infinity) <= madeAt;
    });
  }

  /**
   * A run that is undone leaves everything as it was, but for secrets, and ids of what it ended; and what another run changed
   * after it, that run alone has changed.
   */
  async #isUndone(stack: string): Promise<void> {
    const world = this.#world;
    // What files leave alone is nobody's to bring back.
    world.mind(stack);
    await this.#allowing(stack, ['apply', '--yes']);
    const others = this.#othersOf(stack);
    const before = this.#shownOf(stack, others);
    const first = this.#inputsOf(stack);
    const last = this.lastRuns.get(stack);
    world.editAtEnd(stack);
    const { results, plans } = await this.#allowing(stack, ['apply', '--yes']);
    const run = this.lastRuns.get(stack);
    if (results.at(-1)?.status !== 'done' || run === undefined || run === last) return;
    const second = this.#inputsOf(stack);
    const isLater = world.decisions.atRest(`another run of ${stack} comes before the undo`, 400);
    let later: Process | undefined;
    for (const which of isLater ? [' once more', ' and again'] : []) {
      world.editAtEnd(stack, which);
      later = await this.#allowing(stack, ['apply', '--yes']);
      if (later.results.at(-1)?.status !== 'done') break;
    }
    const third = this.#inputsOf(stack);
    const undone = await this.#allowing(stack, ['undo', String(run), '--yes']);
    const isDone = undone.results.at(-1)?.status === 'done';
    if (later !== undefined) {
      for (const { body, kind, run: of } of isDone ? this.#history(stack) : []) {
        const { from = '' } = JSON.parse(body) as { readonly from?: string };
        const isAt = (inputs: Inputs): boolean => [...inputs.keys()].some((what) => what.startsWith(`${from} `));
        if (kind === 'move' && of > run && !isAt(third) && isAt(this.#inputsOf(stack)))
          this.blame(`${undone.name} brings back ${from}, which a later run moved`);
      }
      // Settings that the run itself ended, and made at another address, end there with all that was changed since.
      const ended = new Set(this.#history(stack).flatMap((row) => (row.run === run ? endedIn(row) : [])));
      if (isDone && later.results.at(-1)?.status === 'done')
        for (const { what, field } of takenBack([first, second, third, this.#inputsOf(stack)]))
          if (!ended.has(what))
            this.blame(`${undone.name} takes back ${what}.${field}, which a later run changed, and that one did not`);
      return;
    }
    const after = this.#shownOf(stack, others);
    const [left, lost] = [without(after, before), without(before, after)];
    if (isDone && left.length + lost.length > 0)
      this.blame(`${undone.name} has left ${left.join()} and not ${lost.join()}`);
    // Two runs are asked for, and an undo is one.
    if (undone.out.includes('key-exchange')) return;
    // A route, or board, that is to stay whatever becomes of its block keeps the site that it leads to, or is in.
    const { service } = world;
    const isKept = [...service.living('routes'), ...service.living('boards')].some(({ id }) => this.#retained.has(id));
    if (isKept && /routes lead to it|boards are in it/.test(undone.out)) return;
    // What could not be compared may be to come into what the run made.
    const [, comer] = /home-ends {2}(\S+)\.\w+ refers to/.exec(undone.out) ?? [];
    if (plans.at(-1)?.notCompared.some(({ address }) => address === comer) === true) return;
    // It keeps its name, too, which another one had before the run.
    const [, keeper] = keptName.exec(undone.out) ?? [];
    if (this.#records((row) => row.stack === stack && row.address === keeper).some((row) => row.retainOnDelete)) return;
    if (!isDone) this.blame(`${undone.name} does not undo: ${undone.out.slice(-400)}`);
    if (this.violations.length === 0) await this.#editIsWhole(stack, run);
  }

  /** What the service has of what the stack has recorded. */
  #shownOf(stack: string, others: ReadonlySet<string>): readonly string[] {
    return this.#records((row) => row.stack === stack).map(({ type, id, inputs, protect }) => {
      const thing = this.#thingOf(type, id);
      const truth = thing === undefined ? undefined : this.#world.service.truth(thing);
      return JSON.stringify([
        type,
        protect,
        ...Object.entries(ownPart(truth ?? {}, inputs)).filter(
          ([name]) => !unrepeated.has(name) && !others.has(keyIn(type, name)),
        ),
      ]);
    });
  }

  /** Fields, by type, that somebody has changed since they were written, and that files leave to them now. */
  #othersOf(stack: string): ReadonlySet<string> {
    const records = this.#records((row) => row.stack === stack);
    return new Set(
      records.flatMap(({ type, id, inputs }) => {
        const thing = this.#thingOf(type, id);
        const truth = (thing === undefined ? undefined : this.#world.service.truth(thing)) ?? {};
        const own = Object.entries(ownPart(truth, inputs));
        return own.flatMap(([name, value]) => (same(value, inputs[name] ?? null) ? [] : [keyIn(type, name)]));
      }),
    );
  }

  #inputsOf(stack: string): Inputs {
    // By its id, too: it may move to another address meanwhile.
    return new Map(
      this.#records((row) => row.stack === stack).flatMap(({ address, type, id, inputs }) => [
        [`${address} ${type}`, inputs],
        [`${type} ${id}`, inputs],
      ]),
    );
  }

  /** Written into the files, what was undone is what they say: where all could be written, nothing is left to do. */
  async #editIsWhole(stack: string, run: number): Promise<void> {
    const edited = await this.#world.perform(stack, ['undo', String(run), '--edit']);
    if (edited.code !== 0 || edited.out.includes('undo-secret')) return;
    const { plans, out } = await this.#world.perform(stack, ['plan']);
    const left = plans.at(-1)?.steps.map(({ action, address }) => `${action} ${address}`);
    if (left?.length !== 0) this.blame(`${edited.name} leaves to do: ${left?.join() ?? out.slice(-400)}`);
  }

  /** An undo into the files takes back there what its run did, and nothing else. */
  edited({ name, argv, stack }: Process, before: Catalogue['resources'], after: Catalogue['resources']): void {
    const run = Number(argv[1]);
    if (argv[0] !== 'undo' || this.#intents().some((intent) => intent.run === String(run))) return;
    const recordAt = (address: string): Recorded | undefined =>
      this.#records((row) => row.stack === stack && row.address === address)[0];
    const beyond = editedBeyond(run, this.#history(stack), recordAt, before, after);
    if (beyond !== undefined) this.blame(`${name} writes ${beyond} into the files, which its run did not change`);
  }

  /** Runs a command line, and once more with all that has held it back allowed. */
  async #allowing(stack: string, argv: readonly string[]): Promise<Process> {
    const first = await this.#world.perform(stack, argv);
    const held = first.plans.at(-1)?.guards.flatMap(({ name, lifted }) => (lifted === undefined ? [name] : [])) ?? [];
    if (held.length === 0) return first;
    return this.#world.perform(stack, [...argv, ...held.flatMap((name) => ['--allow', name]), '--reason', 'the end']);
  }

  #deed({ kind, thing, along, before }: Deed, by: Process | undefined): void {
    const { time } = this.#world;
    time.note(`${kind} ${thing.id}${along === true ? ' along' : ''}`);
    if (kind === 'made' && by !== undefined) this.#onlyOne(thing, by);
    if (kind === 'made' && by !== undefined) this.#isMadeByRules(thing, by);
    if (kind === 'made' && by !== undefined) this.#isMadeByWholeList(thing, by);
    if (kind === 'made' && by !== undefined) {
      this.#made.add(thing.id);
      this.#makers.set(thing.id, by);
      const intent = this.#intentOf(thing, by);
      this.#madeFor.set(thing.id, intent?.id ?? '');
      if (intent !== undefined) this.#madeAt.set(thing.id, `${by.stack} ${intent.address}`);
    }
    if (before !== undefined && by !== undefined) this.#onlyPlanned(thing, before, by);
    if (before !== undefined && by !== undefined) this.#goesByRules(thing, before, by);
    if (before !== undefined && by !== undefined && thing.collection === 'policy') this.#onlySaid(thing, before, by);
    this.#touched.set(thing.id, [...(this.#touched.get(thing.id) ?? []), { at: time.now, by }]);
    if (kind === 'ended' && by !== undefined) this.#mayEnd(thing, by, along === true);
    if (before !== undefined && by !== undefined)
      for (const { id, action, identity, type, stack, run } of this.#intents())
        if (action === 'update' && by.runs.has(`${stack} ${run}`) && this.#thingOf(type, identity?.id ?? '') === thing)
          this.#carriedOutFor.set(id, this.#touched.get(thing.id)?.length ?? 0);
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
    return this.#intents().findLast(isIt);
  }

  /** Of what a run makes, no other run has made one that lives; none that it could see was there by hand. */
  #onlyOne(thing: Thing, by: Process): void {
    const { service } = this.#world;
    const field = keyFields[thing.collection];
    const key = service.truth(thing)?.[field];
    // Of what takes the place of another one, a line names what changes only.
    const isOfType = ({ type }: PlanStep): boolean => type.endsWith(`:${typeNames[thing.collection]}`);
    const isSaid = ({ action, fields }: PlanStep): boolean =>
      action === 'create' && fields.some((each) => each.field === field && same(each.new, key ?? null));
    const isNamed = by.plans.some(({ steps }) =>
      steps.some((step) => isOfType(step) && (step.action === 'replace' || isSaid(step))),
    );
    // An undo may bring back what has the name of another one that it needs.
    const lines = by.plans.at(-1)?.steps.filter((step) => isOfType(step) && isSaid(step)).length ?? 0;
    const copies = Math.max(this.#copies(String(key), by), lines);
    if (!isNamed && field !== 'siteId') this.blame(`${by.name} makes ${thing.id}, which no line named`);
    // Somebody has read that there may be one, and wants another.
    const isAsked = by.plans.some(({ guards }) =>
      guards.some(({ name, lifted }) => lifted !== undefined && name.startsWith('same-name:')),
    );
    const twins = service
      .living(thing.collection)
      .filter((other) => other !== thing && other.home === thing.home && service.truth(other)?.[field] === key)
      .filter((other) => isAlike(thing.collection, service.truth(thing) ?? {}, service.truth(other) ?? {}))
      .filter((other) => !this.#isToBeRenamed(other))
      .filter((other) => !this.#isUnseen(other, by));
    if (isAsked) this.#beside.add(thing.id);
    // What people made, and nobody took over, is none of those that files want.
    const kept = new Set(this.#records().map(({ id }) => id));
    const ours = twins.filter(({ id }) => this.#made.has(id) || kept.has(id));
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
      if (this.#made.has(twin.id) && isNew && !isReplaced && !isAsked && ours.length >= copies)
        this.blame(`${by.name} makes ${thing.id} although ${twin.id} with the same ${field} was made before`);
      else if (!isAsked && !isReplaced && !isAgain && !this.#made.has(twin.id) && !kept.has(twin.id) && isOld(twin, by))
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
    const isByHand = this.#touched.get(id)?.[named]?.by === undefined;
    const isRecorded = this.#records((row) => row.id === id).some(
      ({ stack, inputs, outputs }) => stack === by.stack || same(outputs[field] ?? inputs[field] ?? null, key ?? null),
    );
    const isNobodys = this.#letGo.has(id) || !this.#made.has(id) || (isByHand && !isRecorded);
    if (isNobodys && by.liedAbout.has(`${pathOf(twin)}/${id}`)) return true;
    const [listedAt, readAt = 0] = [pathOf(twin), id].map((looked) => this.#read.get(`${by.name} ${looked}`));
    const { inLists = 0, alone = 0 } = history[named] ?? {};
    // Whoever has not looked there at all could have done so since it began.
    return isByHand && inLists > (listedAt ?? (goesByLooks(by) ? by.startedAt : 0)) && alone > readAt;
  }

  /** It was there when the one was made that gives its place to a third of the same name, or somebody or the files wanted both. */
  #stoodBeside(twin: Thing, old: Thing | undefined, made: Thing): boolean {
    const [at = 0, since = 0] = [old, twin].map((each) => this.#touched.get(each?.id ?? '')?.[0]?.at);
    const field = keyFields[made.collection];
    const key = old?.history.findLast(({ values }) => values !== undefined)?.values?.[field];
    const isWanted = [twin.id, `${twin.id} ${old?.id ?? ''}`].some((each) => this.#beside.has(each));
    // What people made may have been taken for it.
    const isBeside = since < at || this.#letGo.has(twin.id) || isWanted || !this.#made.has(old?.id ?? '');
    return old?.home === made.home && isBeside && key === this.#world.service.truth(made)?.[field];
  }

  /** Somebody has it, and is to give it another name: where that is held back, the name may be had twice meanwhile. */
  #isToBeRenamed({ id, collection }: Thing): boolean {
    const field = keyFields[collection];
    return this.#records((row) => row.id === id).some(({ stack, address, inputs }) => {
      const { properties } = this.#world.catalogues.get(stack)?.blocks.get(address) ?? {};
      return properties !== undefined && properties[field] !== inputs[field];
    });
  }

  /** How many of one key the files of all stacks have, or had when the run began. */
  #copies(key: string, { named }: Process): number {
    const count = (names: readonly string[]): number => names.filter((name) => name === key).length;
    return Math.max(count(named), count(this.#world.names()));
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
    const isSeen = along && this.#isSeenBy(by, thing);
    const moved = along && !isNamed ? [] : this.#movedSeen(thing, by, along);
    this.#open.push(() => {
      if (thing.collection === 'policy') return;
      if (!along) this.#mustHaveHome(thing, by);
      if (by.argv[0] === 'adopt') this.blame(`${by.name} ends ${thing.id}`);
      // A policy has the id of its site, and goes along.
      const records = this.#records(({ id, type }) => id === thing.id && !type.endsWith(':Policy'));
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
        const isNew = this.#cameSince(by.startedAt).has(`${stack} ${address}`);
        const isTold = by.plans.some(({ steps }) =>
          steps.some((step) => isToldOf(step, `${address} of the stack yard/${stack}`)),
        );
        if (stack !== by.stack && !along && !isNew && !isTold && goesByLooks(by))
          this.blame(`${by.name} ends ${thing.id}, and does not say that ${stack} has it as ${address}`);
        if (retainOnDelete && isOver) this.blame(`${by.name} ends ${address}, which is to stay when its block goes`);
        const lost = moved.filter((field) => field in inputs);
        if (lost.length > 0) this.blame(`${by.name} ends ${address}, whose ${lost.join()} was changed since its plan`);
        const names = [address, `yard/${stack}:${address}`].flatMap((name) => [`delete:${name}`, `replace:${name}`]);
        // Who allows that others go along has read nothing of a mark that came later, but of one that was there.
        const isAllowed = names.some((name) => lifted.has(name)) || (isAllowedAlong && isNew);
        // Who ends everything asks the files, too.
        const isSaid = by.argv[0] === 'destroy' && this.#protects(by, stack, address);
        if ((protect || isSaid) && !isAllowed)
          this.blame(`${by.name} ends ${thing.id}, which ${stack} protects as ${address}`);
        const keepers = this.#records(
          (row) => row.id === thing.home && row.stack === stack && row.type.endsWith(':Site'),
        );
        if (!along && !isAllowed && keepers.some((keeper) => keeper.protect))
          this.blame(`${by.name} ends ${address}, which lives in what ${stack} protects`);
      }
    });
  }

  /** The files of its stack have said that it does not end, and still do. */
  #protects({ stack: of, options }: Process, stack: string, address: string): boolean {
    const now = this.#world.catalogues.get(stack)?.blocks.get(address)?.options;
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
    const isMade = [...this.#makers].some(
      ([id, maker]) => maker === by && this.#madeAt.get(id) === `${by.stack} ${address}`,
    );
    // Where the new home's name comes from the present one, from hand to hand, nothing can wait.
    const nameIn = (one?: PlanStep): PlanStep['fields'][number] | undefined =>
      one?.fields.find(({ field }) => field === 'name');
    const names = new Map((plan?.steps ?? []).map((one) => [nameIn(one)?.old, nameIn(one)?.new]));
    const present = this.#world.service.things.get(thing.home ?? '');
    const left = present && this.#world.service.truth(present)?.['name'];
    let name = nameIn(plan?.steps.find((one) => one.address === address))?.new;
    for (let nth = 0; nth < names.size && name !== undefined && name !== left; nth += 1) name = names.get(name);
    if (name !== undefined && name === left) return;
    if (isNew && !isMade) this.blame(`${by.name} ends ${thing.id}, which moves into ${address}, and that is not there`);
  }

  /** Nothing shows what comes into a home after the last look at it, which is a moment old. */
  #cameAfterLook(thing: Thing, by: Process): boolean {
    const lookedAt = this.#lookedBefore(thing, by, true, pathOf(thing));
    return lookedAt >= by.plannedAt && (this.#touched.get(thing.id)?.[0]?.at ?? 0) > lookedAt;
  }

  /** When who ends a thing had last looked, as it sent that end: what it hears later (a look of a job that it gave up) comes too late. */
  #lookedBefore({ id, home = '' }: Thing, { name }: Process, along: boolean, looked: string): number {
    const read = this.#readWhenSent.get(`${name} ${along ? home : id}`) ?? this.#read;
    return read.get(`${name} ${looked}`) ?? 0;
  }

  /** Another stack had begun to make it, or had made it, when who ends its home looked last: the store is asked after that. */
  #isKnownElsewhere(thing: Thing, by: Process): boolean {
    const { id, collection, home = '', history } = thing;
    const looked = [home, pathOf(thing)].map((each) => this.#lookedBefore(thing, by, true, each));
    const asked = Math.max(by.startedAt, ...looked);
    const cameBefore = (intent: string): boolean => (this.#arrivedAt.get(intent) ?? Infinity) < asked;
    const field = keyFields[collection];
    const key = history[0]?.values?.[field];
    const isMade = cameBefore(this.#madeFor.get(id) ?? '') && this.#makers.get(id)?.stack !== by.stack;
    if (isMade && this.#records((row) => row.id === id && row.stack !== by.stack).length > 0) return true;
    return this.#intents().some(
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
    const touches = (this.#touched.get(id) ?? []).slice(0, -1);
    const [now, planned] = [history.at(-2), history[touches.findLastIndex(({ at }) => at <= by.plannedAt)]];
    const [readAt = 0, listedAt = 0] = [id, inListOf(thing)].map((looked) =>
      this.#lookedBefore(thing, by, along, looked),
    );
    const isOwn = touches.some(({ at, by: other }) => other === by && at > by.plannedAt);
    if (collection === 'policy' || isOwn || now === undefined || planned === undefined) return [];
    // What the list alone showed may be older than what its stack wrote a moment ago: a revision does not tell which came first.
    const settled = listedAt - (this.#world.scenario.isPrompt === true ? 0 : settleMs);
    const isOlder = touches.some(({ at, by: other }) => other?.stack === by.stack && at > settled);
    // Whoever has looked at it alone has looked at lists since for something else; and people come in right after a look.
    const isListed = now.inLists < listedAt && (readAt < by.plannedAt || listedAt < readAt);
    if (now.alone >= readAt && (!isListed || isOlder)) return [];
    // The rest of a map is anybody's.
    return this.#records((row) => row.id === id && !row.type.endsWith(':Policy')).flatMap(({ inputs }) => {
      const [own, before] = [now, planned].map(({ values }) => ownPart(values ?? {}, inputs));
      return Object.keys(inputs).filter((field) => !same(own?.[field], before?.[field] ?? null));
    });
  }

  /** Lists showed it before the process began, or when it looked last; and nothing wrong was told to it. */
  #isSeenBy(by: Process, thing: Thing): boolean {
    const { collection, history } = thing;
    const shownAt = history[0]?.inLists ?? 0;
    const lookedAt = this.#read.get(`${by.name} ${inListOf(thing)}`) ?? 0;
    return collection !== 'policy' && by.liedAbout.size === 0 && shownAt < Math.max(by.startedAt, lookedAt);
  }

  /** A round tells of every stack, and of each what its own check came to. */
  #roundIsTold(process: Process): void {
    const { name, code } = process;
    const rows = rowsOf(process);
    // A broken command line, or one that was stopped, may have no round to tell.
    if (rows === undefined)
      return code === 0 || code === 2 || code === 3 ? this.blame(`${name} tells no round`) : undefined;
    const kind = process.argv[1] === 'check' ? 'check' : 'plan';
    for (const stack of this.#world.scenario.stacks) {
      const state = rows.find((row) => row.stack === stack)?.state;
      // The files of a stack may be wrong: then nobody knows which it is.
      if (state === undefined && !rows.some((row) => row.state === 'failed')) this.blame(`${name} leaves out ${stack}`);
      const wrong = process.argv[1] === 'status' ? undefined : untrue(process, { kind, stack }, state);
      if (wrong !== undefined) this.blame(`${name} tells that ${stack} is ${state ?? ''}, and its ${kind} is ${wrong}`);
      if (code === 0 && state !== 'clean' && state !== 'waiting')
        this.blame(`${name} ends well, and ${stack} is ${state ?? 'left out'}`);
    }
  }

  /** Nobody has moved anything, as far as a check that says so could see; and it has looked at everything. */
  #mustBeClean(process: Process, check: DriftResult): void {
    const { converged, ignored: left, stack: of } = check;
    const { service } = this.#world;
    // A worker looks at the same objects for jobs before and after this one.
    const { from, to } = process.checkedAt.get(check) ?? { from: 0, to: 0 };
    this.#open.push(() => this.#mustHaveLooked(process, of));
    if (process.liedAbout.size > 0) return;
    this.#open.push(() => {
      const came = this.#cameSince(process.startedAt);
      // Of what a run had begun to make anew, or to end, the check says what that has done.
      const open = new Set(this.#intents().map(({ id }) => id));
      const begun = [...this.#journal].flatMap(([id, { stack, body }]) => {
        const { action, address } = JSON.parse(body) as Intent;
        const isOpen = open.has(id) || (this.#closedAt.get(id) ?? Infinity) >= process.startedAt;
        return isOpen && action !== 'update' ? [`${stack} ${address}`] : [];
      });
      // What its files give to another stack is that one's to compare.
      const given = new Set(this.#world.catalogues.get(of)?.leaving.map(({ from }) => from));
      for (const { stack, address, id, type, inputs, outputs } of this.#known(process, of)) {
        if (came.has(`${stack} ${address}`) || begun.includes(`${stack} ${address}`) || given.has(address)) continue;
        const thing = this.#thingOf(type, id);
        const last = thing?.history.at(-1);
        const touches = this.#touched.get(thing?.id ?? '') ?? [];
        const isShown =
          last !== undefined && Math.max(last.alone, last.inLists, touches.at(-1)?.at ?? 0) < process.startedAt;
        if (stack !== of || thing === undefined) continue;
        const place = thing.collection === 'policy' ? pathOf(thing) : `${pathOf(thing)}/${id}`;
        const answers = (this.#shownAlone.get(`${process.name} ${place}`) ?? []).filter(
          ({ at }) => at >= from && at <= to,
        );
        // What was called so may stand elsewhere by now, as what no record has yet.
        const isIt = (each: DriftResult['converged'][number]): boolean =>
          each.address === address ||
          (each.type === type &&
            !process.options.has(`${stack} ${address}`) &&
            !this.#known(process, of).some((other) => other.address === each.address));
        if (converged.some(isIt)) continue;
        // Another address takes it over in these files.
        if ([...process.options.values()].some((options) => options?.import?.includes(id) === true)) continue;
        // Nor does one show where a policy stands.
        // So may one that has its name under another address.
        const key = outputs[keyFields[thing.collection]];
        const ignored = [...process.options].flatMap(([at, options]) =>
          at === `${stack} ${address}` ||
          options?.aliases?.includes(address) === true ||
          (key !== undefined && process.keys.get(at) === key)
            ? (options?.ignoreChanges ?? [])
            : [],
        );
        // A worker reads the files for each of its jobs.
        const block = this.#world.catalogues.get(of)?.blocks.get(address);
        ignored.push(...(block?.options?.ignoreChanges ?? []));
        const hidden = [...(thing.collection === 'policy' ? ['siteId'] : hiddenFields), ...ignored];
        // What the file drops, and an answer lacks so short after a write, counts as there still.
        const isDoubted = (name: string): boolean =>
          block?.properties[name] === undefined &&
          (service.truth(thing)?.[name] ?? null) === null &&
          this.#isYoung({ ...process, stack }, address);
        const moved = Object.keys(inputs).filter(
          (name) =>
            !hidden.includes(name) &&
            !isDoubted(name) &&
            !left.some((found) => found.address === address && found.field === name) &&
            !same(service.truth(thing)?.[name], outputs[name] ?? null) &&
            this.#isByHand(thing, name) &&
            // One answer that shows it is enough not to call it clean.
            (isShown || answers.some(({ body }) => same(service.truth(thing)?.[name], body[name] ?? null))),
        );
        if (moved.length > 0)
          this.blame(`${process.name} has told that nothing drifted, and ${address}.${moved.join()} has`);
      }
    });
  }

  /** Whatever was written beside it since, people have changed that field last. */
  #isByHand({ id, history }: Thing, field: string): boolean {
    const touches = this.#touched.get(id) ?? [];
    // Settings stood there before anybody touched them.
    const values = history.map((each) => each.values?.[field] ?? null).slice(-touches.length - 1);
    const from = values.length - touches.length;
    const last = touches.findLastIndex((_, nth) => !same(values[nth + from - 1] ?? null, values[nth + from] ?? null));
    return last >= 0 && touches[last]?.by === undefined;
  }

  /** Stacks and addresses of which the history tells something since then, or the journal where a run could not tell more. */
  #cameSince(ms: number): ReadonlySet<string> {
    const isSince = (name: string): boolean => (this.#arrivedAt.get(name) ?? 0) >= ms;
    const rows = this.#world.tables.rows<HistoryRow>('sync_runs').filter((row) => isSince(nameOf(row)));
    const begun = this.#intents().filter(({ id }) => isSince(id));
    return new Set([...rows, ...begun].map(({ stack, address }) => `${stack} ${address ?? ''}`));
  }

  /** What could not be known is not clean: each object was shown to the process. */
  #mustHaveLooked(process: Process, stack: string): void {
    const came = this.#cameSince(process.startedAt);
    for (const record of this.#known(process, stack))
      if (!came.has(`${stack} ${record.address}`) && !this.#isShownTo(process, stack, record))
        this.blame(
          `${process.name} has told that all is well in ${stack}, and nothing has shown ${record.address} to it`,
        );
  }

  /** Alone or in its list, or its home as gone. */
  #isShownTo(process: Process, stack: string, { address, type, id }: Recorded): boolean {
    // What denies a home whose end may have been sent is believed.
    const open = this.#intents();
    const ending = open.flatMap(({ action, identity }) => (action === 'delete' ? [identity?.id] : []));
    const creates = open.filter((one) => one.action === 'create' && one.stack === stack && one.address === address);
    const madeFor = [...this.#madeFor].flatMap(([made, intent]) =>
      creates.some((one) => one.id === intent) ? [made] : [],
    );
    const thing = this.#thingOf(type, id);
    if (thing === undefined) return true;
    const { home } = thing;
    const { service } = this.#world;
    const site = service.things.get(home ?? '');
    const isAlong = site !== undefined && (service.truth(site) === undefined || ending.includes(site.id));
    // What an open create has made takes the place of what is recorded there.
    const byHome = thing.collection === 'boards' ? [home ?? '', 'sites'] : [];
    const shown = [id, pathOf(thing), ...byHome, ...madeFor, ...(isAlong ? [site.id] : [])];
    return shown.some((looked) => this.#read.has(`${process.name} ${looked}`));
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
    if (shownAt > (this.#read.get(`${by.name} ${thing.id}`) ?? 0)) return;
    for (const field of [...ignoreChanges, ...replaceOnChanges])
      if (!same(this.#world.service.truth(thing)?.[field] ?? null, before[field] ?? null))
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
    if (options?.import !== undefined && !this.#history(by.stack).some((row) => row.address === address))
      this.blame(`${by.name} makes ${thing.id} for ${address}, which its files take over`);
    for (const needed of options?.dependsOn ?? [])
      if (
        planned.some((step) => step.address === needed && step.action === 'create' && !step.type.endsWith(':Policy')) &&
        ![...this.#madeAt].some(([id, at]) => at === `${by.stack} ${needed}` && this.#makers.get(id) === by)
      )
        this.blame(`${by.name} makes ${address} before ${needed}, which it depends on`);
  }

  /**
   * Where a plan has found that a list lacked something, nothing new is made of which there may be two: it may have lacked others, too.
   * Names that are taken once are asked for by themselves.
   */
  #isMadeByWholeList(thing: Thing, by: Process): void {
    const { service } = this.#world;
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
    for (const { type, id, address: at } of this.#records(({ stack }) => stack === by.stack)) {
      const other = this.#thingOf(type, id);
      if (other?.collection !== thing.collection || other.home !== thing.home || left.has(at)) continue;
      const liedAt = by.liedAbout.get(`${pathOf(other)}/${id}`) ?? Infinity;
      const [shownAt = 0, listedAt = 0] = [id, inListOf(other)].map((looked) => this.#read.get(`${by.name} ${looked}`));
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
    const lookedAt = this.#read.get(`${by.name} ${thing.id}`) ?? 0;
    // A plan may go by what its list showed: what it asks of the object for something else comes at another moment.
    const listedAt = this.#read.get(`${by.name} ${inListOf(thing)}`) ?? lookedAt;
    const { alone = 0, inLists = 0 } = thing.history.at(-2) ?? {};
    // Of what was denied wrongly a list alone may have shown anything, and of what a list lacked wrongly reads alone.
    const isMisled = by.liedAbout.has(`${pathOf(thing)}/${thing.id}`);
    const readAt = lookedAt < by.plannedAt ? Math.min(lookedAt, listedAt) : lookedAt;
    const isShown = alone <= readAt && (!isMisled || inLists <= listedAt);
    const touches = this.#touched.get(thing.id) ?? [];
    // It may have given this field a passing value, which stays its own whatever others change beside it.
    const isOthers = (field: string): boolean => {
      // Settings stood there before anybody touched them.
      const values = thing.history.map((each) => each.values?.[field]).slice(-touches.length - 1);
      const at = touches.findLastIndex((_, nth) => nth === 0 || !same(values[nth - 1] ?? null, values[nth] ?? null));
      return touches[at]?.by !== by;
    };
    if (isShown) this.#takesNoKeys(thing, before, by, steps);
    for (const [field, value] of Object.entries(this.#world.service.truth(thing) ?? {}))
      if (field !== 'revision' && !same(before[field], value) && isShown) {
        // What was taken for granted a whole write sends as the file says it.
        if (steps.some(({ address }) => this.#assumed.has(`${address}.${field}`))) continue;
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
    const records = this.#records(({ id }) => id === thing.id);
    for (const [field, value] of Object.entries(this.#world.service.truth(thing) ?? {})) {
      const map = before[field] ?? null;
      if (!isObject(map) || !isObject(value)) continue;
      const lines = steps.flatMap(({ fields }) => fields.filter((one) => one.field === field));
      const begun = this.#intents().filter(({ identity }) => identity?.id === thing.id);
      // What a check has told as changed outside is put back as a whole.
      const shown = by.argv[0] === 'drift' ? lines.map((one) => one.old) : [];
      const said = [
        ...shown,
        ...lines.map((one) => one.new),
        ...[...records, ...begun].map(({ inputs }) => inputs[field]),
      ];
      const known = new Set(said.flatMap((one = null) => (isObject(one) ? Object.keys(one) : [])));
      const lost = Object.keys(map).filter((key) => !(key in value) && !known.has(key));
      if (lost.length > 0)
        this.blame(`${by.name} takes ${lost.join()} out of ${field} of ${thing.id}, which no line named`);
    }
  }

  /** What somebody has called otherwise before a killed create was looked for is not what that has made: what it sent is anybody's there. */
  #losesItsMaker(intent: string): void {
    const { service } = this.#world;
    for (const thing of service.things.values()) {
      if (this.#madeFor.get(thing.id) !== intent || this.#isCalledAsMade(thing)) continue;
      const at = this.#madeAt.get(thing.id);
      const isKnown = this.#records((row) => row.id === thing.id).some((row) => `${row.stack} ${row.address}` === at);
      if (isKnown) continue;
      this.#unfound.add(thing.id);
      for (const key of Object.keys(clearable(thing.history[0]?.values))) this.#letGo.add(keyIn(thing.id, key));
    }
  }

  /** What has another name by now, nobody finds by the create that made it. */
  #isCalledAsMade(thing: Thing): boolean {
    const key = keyFields[thing.collection];
    return same(this.#world.service.truth(thing)?.[key], thing.history[0]?.values?.[key] ?? null);
  }

  /** Of settings, which are always there, a run moves what a line of them names, and takes back what its stack has recorded. */
  #onlySaid(thing: Thing, before: JsonObject, by: Process): void {
    const steps = by.plans.flatMap((plan) => plan.steps).filter(({ type }) => type.endsWith(':Policy'));
    // An end shows all that there is, and takes back its own.
    const named = steps.flatMap(({ action, fields }) => (action === 'delete' ? [] : fields.map(({ field }) => field)));
    const records = this.#records(({ type, id }) => type.endsWith(':Policy') && id === thing.home);
    // What takes the place of another's settings stands in no line where it stays the same.
    const begun = this.#intents().filter(({ stack, type }) => stack === by.stack && type.endsWith(':Policy'));
    const said = new Set([...named, ...[...records, ...begun].flatMap(({ inputs }) => Object.keys(inputs))]);
    const moved = Object.entries(this.#world.service.truth(thing) ?? {}).filter(
      ([field, value]) => !same(before[field], value) && !said.has(field),
    );
    if (moved.length > 0) this.blame(`${by.name} changes ${moved.join()} of ${thing.id}, which nobody has said`);
  }

  /** It went along with what it lived in, which the plan has said. */
  #isEndedBy(process: Process, thing: Thing): boolean {
    return this.#world.service.truth(thing) === undefined && this.#touched.get(thing.id)?.at(-1)?.by === process;
  }

  #isOthers(thing: Thing, process: Process): boolean {
    return (this.#touched.get(thing.id) ?? []).some(({ at, by }) => by !== process && at >= process.startedAt);
  }

  #mustBeWritten(process: Process, step: PlanStep, thing: Thing): void {
    const truth: JsonObject = this.#world.service.truth(thing) ?? {};
    for (const { field, new: wanted, cannotClear } of step.fields) {
      // Where it stands, a policy's answers do not repeat.
      if (
        wanted === undefined ||
        cannotClear === true ||
        isUnknown(wanted) ||
        (thing.collection === 'policy' && field === 'siteId')
      )
        continue;
      if (!same(truth[field], wanted))
        this.blame(
          `${process.name} has told that ${step.address}.${field} is written, and it is ${JSON.stringify(truth[field])}`,
        );
    }
  }
}

/** What a record says, wherever it stands. */
function contentOf({ inputs, outputs, protect, retainOnDelete, writtenAt, deposed }: Recorded): string {
  const said = { inputs, outputs, protect, retainOnDelete, writtenAt, deposed };
  return canonicalJson(said as unknown as JsonObject);
}

type Inputs = ReadonlyMap<string, JsonObject>;
type Name = Block['properties'][string];

interface TakenBack {
  readonly what: string;
  readonly field: string;
}

/** What a run has kept on a disk, read here: a judge that reads with the eyes of the product is as blind as it. */
function keptIn(path: string): readonly OutboxWrite[] {
  const lines = String(readFileSync(path, 'utf8')).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as OutboxWrite]));
}

function nameOf({ stack, number }: HistoryRow): string {
  return `row ${stack} ${String(number)}`;
}

/** What has an object at its address as the file says it; what is taken over may keep what only a new one could have. */
function isMaking(action: string): boolean {
  return action === 'create' || action === 'update' || action === 'replace';
}

/** No answer to it was wrong. */
function isToldRight({ liedAbout, deniedHome, miscountedUntil }: Process): boolean {
  return liedAbout.size === 0 && deniedHome === undefined && miscountedUntil === 0;
}

/** Of a block or a record. */
function kindOf(type: string): string {
  return type.split(':').at(-1) ?? '';
}

function collectionOf(kind: string): Collection {
  return (Object.keys(typeNames) as Collection[]).find((each) => typeNames[each] === kind) ?? 'sites';
}

/** The object whose record a row says to have been dropped. */
function endedIn({ body, kind }: HistoryRow): readonly string[] {
  if (kind !== 'record') return [];
  const { before, removed } = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
  return removed === true && before !== null ? [`${before.type} ${before.identity.id}`] : [];
}

/** The object that a row says to have been recorded before. */
function idBefore({ body, kind }: HistoryRow): readonly string[] {
  const { before } = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
  return kind === 'record' && before !== null ? [before.identity.id] : [];
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

/** Of an object that an answer names: the last word, or the id in it. */
function idIn(words: string): string {
  return (/"id":"([^"]+)"/.exec(words) ?? /'?([^' ]+)'?$/.exec(words))?.[1] ?? '';
}

/** Where it is listed. */
function pathOf({ collection, home }: Pick<Thing, 'collection' | 'home'>): string {
  return home === undefined ? `/${collection}` : `/sites/${home}/${collection}`;
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

/** The page of that list that shows it. */
function inListOf(thing: Thing): string {
  return `${pathOf(thing)} ${thing.id}`;
}

/** What is told of a stack is what was found of it, and what could not be known is not clean; else what it is. */
function untrue(
  { checks, plans, results }: Pick<Process, 'checks' | 'plans' | 'results'>,
  { kind, stack }: Pick<Job, 'kind' | 'stack'>,
  state = '',
): string | undefined {
  if (state !== 'clean' && state !== 'waiting') return undefined;
  const { status = 'none' } = checks.findLast((check) => check.stack === stack) ?? {};
  const plan = plans.findLast((each) => each.stack === stack);
  const last = results.at(-1)?.status ?? 'none';
  if (kind === 'check') return status === 'clean' ? undefined : status;
  if (kind === 'apply') return last === 'done' || plan?.steps.length === 0 ? undefined : last;
  if (plan === undefined) return 'none';
  if (plan.notCompared.length > 0) return 'not of everything';
  if (plan.guards.some(({ lifted }) => lifted === undefined)) return 'held back';
  return state === 'clean' && plan.steps.length > 0 ? 'not empty' : undefined;
}

/** What only a new object can have. */
function replacedIn({ fields }: PlanStep): readonly string[] {
  return fields.flatMap(({ field, rule }) => (rule === 'replace' ? [field] : []));
}

/** Of the object that is there before a step. */
function typeBefore({ type, reasons }: PlanStep): string {
  return reasons.find((reason) => reason.kind === 'type-changed')?.from ?? type;
}

/** What it carried out. */
function stepsOf({ carriedOut }: Process, result: ApplyResult): readonly PlanStep[] {
  return carriedOut.get(result)?.steps ?? [];
}

/** Types and ids of what it has done something with: a policy has the id of its site. */
function writtenBy(process: Process, result: ApplyResult): readonly string[] {
  const steps = new Map(stepsOf(process, result).map((step) => [step.address, step] as const));
  return result.steps.flatMap(({ address, outcome, id }) => {
    const step = steps.get(address);
    return outcome === 'done' ? [keyIn(step?.type ?? '', id ?? step?.id ?? '')] : [];
  });
}

const writers = new Set(['apply', 'destroy', 'adopt', 'undo', 'drift revert', 'fleet work']);

/** What the command is for. */
function mayWrite({ argv }: Pick<Process, 'argv'>): boolean {
  const [first = '', second = ''] = argv;
  return (writers.has(first) || writers.has(`${first} ${second}`)) && !argv.includes('--edit');
}

/** What gives its lease back when it is stopped. */
const holders = new Set(['apply', 'destroy', 'undo', 'fleet']);

function wordAfter({ argv }: Pick<Process, 'argv'>, flag: string): string | undefined {
  return argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
}

/** Undefined: it has told none. */
function rowsOf({ data }: Process): FleetReport['rows'] | undefined {
  try {
    return (JSON.parse(data) as Partial<FleetReport>).rows;
  } catch {
    return undefined;
  }
}

/** Lists showed it as it is when that process began. */
function isOld({ history }: Thing, { startedAt }: Process): boolean {
  return history.every(({ inLists, glimpse }) => Math.max(inLists, glimpse) < startedAt);
}

/** Whoever looked from then on was shown all of it. */
function isShownBefore({ history }: Pick<Thing, 'history'>, ms: number): boolean {
  return history.every(({ inLists, alone, glimpse }) => Math.max(inLists, alone, glimpse) < ms);
}

/** A line named the value that a write takes the place of, or did not know it. */
function isAsTold({ fields }: PlanStep, field: string, before: Json | undefined): boolean {
  return fields.some(
    ({ field: name, old = null }) =>
      name === field && ((typeof old === 'object' && old !== null) || isUnknown(old) || same(before ?? null, old)),
  );
}

/** What the record speaks of: the rest of a map is anybody's. */
function ownPart(truth: JsonObject, inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(truth).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      const said = inputs[name];
      if (said === undefined) return [];
      return [[name, isObject(said) && isObject(value) ? ownPart(value, said) : value]];
    }),
  );
}

/** A plan says that what no answer shows is taken away, if it is there. */
function isToldLost({ plans }: Process, steps: readonly PlanStep[], field: string): boolean {
  const addresses = new Set(steps.map(({ address }) => address));
  const told = plans.flatMap(({ notices }) => notices.filter(({ code }) => code === 'secret-left-out'));
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

/** What is reviewed goes by the files of its plan, and an undo by what was there. */
function goesByFiles({ argv }: Process): boolean {
  return argv[0] === 'apply' && !argv.includes('plan.json');
}

/** What has no name is as another one where it has all that this one says; of others the name alone tells. */
function isAlike(collection: Collection, says: JsonObject, other: JsonObject): boolean {
  return collection !== 'notes' || (says['color'] ?? null) === null || says['color'] === other['color'];
}

/** What no undoing brings back. */
const unrepeated = new Set(['password', 'revision', 'createdAt', 'siteId']);

function without<T>(all: readonly T[], others: readonly T[]): readonly T[] {
  return all.filter((each) => !others.includes(each));
}

/** The number of the process that has a lease, as it said itself. */
function holderIn({ lease_process: said }: Pick<StackRow, 'lease_process'>): number | undefined {
  return (JSON.parse(said ?? '{}') as { readonly pid?: number }).pid;
}

/** A value that is not told, or was not known. */
function isUnknown(value: Json): boolean {
  return JSON.stringify(value).includes('"$');
}

function same(one: Json | undefined, other: Json): boolean {
  if (typeof other === 'object' && other !== null && !Array.isArray(other))
    return Object.entries(other).every(([name, value]) => same((one as JsonObject | undefined)?.[name], value as Json));
  return JSON.stringify(one) === JSON.stringify(other);
}
