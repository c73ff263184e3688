import type { Intent } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { IntentRow, StackRow } from '@platform-sync/state/tables';
import type { Claim } from '../jobs.js';
import { bodyOf } from '../ledger.js';
import type { Answer, Collection, Request } from '../service.js';
import type { Process } from '../simulation.js';
import { withoutFrame } from '../shapes.js';
import { leaseMs } from '../types.js';
import {
  aSecret,
  isBlind,
  isShownBefore,
  isUnknown,
  keyFields,
  same,
  toldWithinMs,
  typeNames,
  wordAfter,
  writers,
} from './facts.js';
import { Laws } from './laws.js';

/** A run hears so soon that its lease was broken, where nothing is in its way: at its next beat. */
const hearsWithinMs = 5_000 + 1_000;

/** How long a look counts before an end, beyond ten times what the looks took. */
const freshMs = 10_000;

/** A create leaves so soon after its intent was written. */
const leavesWithinMs = 10_000;

/** Pages beyond this no list of a world has. */
const mostPages = 100;

const actions: Readonly<Record<string, readonly Intent['action'][]>> = {
  POST: ['create'],
  PUT: ['update'],
  PATCH: ['create', 'update', 'delete'],
  DELETE: ['delete'],
};

/** What leaves, and is carried out: by whom, when, and after what was said of it. */
export class WriteLaws extends Laws {
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
      this.witness
        .intents()
        .some(({ stack, address }) => stack === process.stack && this.#isIn(request, process, address));
    this.witness.doer = process;
    try {
      const answered = work();
      if (method !== 'GET' && answered.status >= 400) process.refusals += 1;
      else if (method !== 'GET' && !isStopped && !isOpen) this.#mustBeItsTurn(process, `${method} ${path}`);
      if (answered.status === 409) this.#mustNotCollide(process, path, body);
      return answered;
    } finally {
      this.witness.doer = undefined;
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
    const { service } = this.world;
    const holder = service
      .living(collection)
      .find((other) => other.id !== own && other.home === home && same(service.truth(other)?.[field], key));
    if (holder === undefined || !isShownBefore(holder, startedAt)) return;
    if ((this.witness.touched.get(holder.id) ?? []).some(({ at }) => at >= startedAt)) return;
    // What another stack has, or is to have by its files, a plan asks the store for; of a reviewed one the plan was made long before.
    const mayAsk = !argv.includes('plan.json') && !isBlind({ argv });
    const [record] = this.witness.records((row) => row.id === holder.id && (row.stack === stack || mayAsk));
    const isKnown = (record?.stack === stack && !isBlind({ argv })) || same(record?.outputs[field] ?? null, key);
    if (record !== undefined && isKnown && !this.witness.cameSince(startedAt).has(`${record.stack} ${record.address}`))
      this.blame(`${name} wants to give ${JSON.stringify(key)}, which ${record.address} of ${record.stack} has`);
  }

  /** What was sent under a lease changes something, or is cut off, before anybody else can have the stack. */
  #mustBeItsTurn({ name, stack, leases }: Process, what: string): void {
    const row = this.world.tables.rows<StackRow>('sync_stacks').find((each) => each.stack === stack);
    const holds = row?.lease_id ?? undefined;
    if (holds !== undefined && !leases.has(holds) && Number(row?.lease_expires) > this.world.time.now)
      this.blame(`${name}: ${what} is carried out when another run has ${stack}`);
  }

  /** The bytes of a write leave: its sender must have the right to, and have said so before. */
  leaves(process: Process, request: Request, claim: Claim | undefined): void {
    if (request.method === 'DELETE')
      this.witness.readWhenSent.set(
        `${process.name} ${request.path.split('/').at(-1) ?? ''}`,
        new Map(this.witness.read),
      );
    this.witness.open.push(() => {
      const what = `${process.name}: ${request.method} ${request.path}`;
      const { tables, time } = this.world;
      if (!mayWrite(process)) this.blame(`${what} leaves, and it only looks`);
      if (process.stoppedAt !== undefined && process.stoppedAt < time.now) this.blame(`${what} leaves after Ctrl-C`);
      if (claim?.lostAt !== undefined && claim.lostAt < time.now)
        this.blame(`${what} leaves although its job is somebody else's`);
      const readAt = this.witness.read.get(`${process.name} ${request.path.split('/').at(-1) ?? ''}`) ?? 0;
      const { plannedAt = process.plannedAt } = claim ?? {};
      if (request.method === 'PUT' && readAt < plannedAt) this.blame(`${what} leaves upon what the plan read`);
      const row = tables.rows<StackRow>('sync_stacks').find(({ stack }) => stack === process.stack);
      const isHeld = row?.lease_id !== null && process.leases.has(row?.lease_id ?? '');
      if (!isHeld || Number(row?.lease_expires) <= time.now) this.blame(`${what} leaves without the right to send`);
      else if (Number(row?.lease_expires) - time.now < leaseMs / 3) this.blame(`${what} leaves when its lease is late`);
      const brokenAt = this.witness.brokenAt.get(row?.lease_id ?? '') ?? Infinity;
      if (time.now - brokenAt > hearsWithinMs && this.world.isInPeace(process))
        this.blame(`${what} leaves long after its lease was broken`);
      const freeze = JSON.parse(row?.frozen ?? 'null') as { readonly id: string; readonly until?: string } | null;
      const isOver = Date.parse(freeze?.until ?? '') <= time.now;
      if (freeze !== null && !isOver && wordAfter(process, '--frozen') !== freeze.id)
        this.blame(`${what} leaves although it is frozen`);
      if (request.method === 'DELETE') this.#isJustLookedAt(process, request, plannedAt);
      this.witness.lastRuns.set(process.stack, row?.lease_fence ?? 0);
      const intents = tables.rows<IntentRow>('sync_intents').filter(({ stack }) => stack === process.stack);
      const [, , siteId, inner, id] = request.path.split('?')[0]?.split('/') ?? [];
      const collection = inner ?? request.path.split('/')[1];
      const own = inner === undefined ? siteId : id;
      const said = intents.flatMap((row) => {
        if (row.body.includes(aSecret)) this.blame(`${what} leaves, and the journal holds a secret`);
        const intent = bodyOf<Intent>(row);
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
          this.witness.sent.set(key, (this.witness.sent.get(key) ?? 0) + 1);
        }
      if (request.method === 'POST') this.#mustNotBeNew(process, what, intents, said);
      // A clock that is set, or slept, may be wrong about that.
      if (request.method === 'POST' && this.world.isClockSteady(process)) {
        const since = intents.flatMap((row) => {
          const { address, action } = bodyOf<Intent>(row);
          const { at = 0 } = this.witness.journal.get(row.id) ?? {};
          return action === 'create' && said.includes(address) ? [at] : [];
        });
        const lateMs = time.now - Math.max(...since);
        if (said.length > 0 && lateMs > leavesWithinMs)
          this.blame(`${what} leaves ${String(lateMs)} ms after its intent`);
      }
      const noted = this.witness
        .history(process.stack)
        .find((each) => each.run === row?.lease_fence && each.kind === 'plan');
      const { steps = [] } = JSON.parse(noted?.body ?? '{}') as { steps?: { address: string }[] };
      if (isHeld && !steps.some(({ address }) => said.includes(address)))
        this.blame(`${what} leaves, and the history does not say so`);
    });
  }

  /** That create is of this address. */
  #isIn({ body = {} }: Request, { stack }: Process, address: string): boolean {
    return this.witness.intents().some((intent) => {
      const key = Object.values(keyFields).find((field) => field !== 'siteId' && field in intent.inputs) ?? '';
      return intent.stack === stack && intent.address === address && same(body[key], intent.inputs[key] ?? null);
    });
  }

  /** Who is to stop when a step has failed begins nothing new then. */
  #mustNotBeNew(process: Process, what: string, intents: readonly IntentRow[], said: readonly string[]): void {
    const { argv, failedAt = Infinity } = process;
    if (!argv.includes('--fail-fast') || !this.world.isInPeace(process)) return;
    const begunAt = intents.flatMap((row) =>
      said.includes(bodyOf<Intent>(row).address) ? [this.witness.arrivedAt.get(row.id) ?? 0] : [],
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
        if (field !== 'siteId' && value !== null && !isUnknown(value) && !same(body[field], sentOf(action, value)))
          this.blame(
            `${what} leaves with ${JSON.stringify(body)}, and the journal says ${field} ${JSON.stringify(value)}`,
          );
    }
  }

  /** A turn of few is not given back: who waits for many others would wait as long again. */
  holdsBack(process: Process, { method, path }: Request): void {
    if (method === 'POST' && this.world.isInPeace(process) && this.world.isClockSteady(process))
      this.blame(`${process.name}: ${method} ${path} has its turn, and does not leave`);
  }

  /** What ends was looked at a moment ago, and what lives in it where that was looked at since the plan. */
  #isJustLookedAt({ name, argv }: Process, { path }: Request, plannedAt: number): void {
    const { now } = this.world.time;
    const id = path.split('/').at(-1) ?? '';
    const place = path.slice(0, -id.length - 1);
    const readAt = Math.max(
      ...[id, place, `${place} ${id}`].map((each) => this.witness.read.get(`${name} ${each}`) ?? 0),
    );
    const looks: [number, string][] = [[readAt, name]];
    // Who reads nothing asks a list for what ends by itself alone.
    for (const kind of place === '/sites' && !isBlind({ argv }) ? ['pages', 'members'] : []) {
      const listedAt = this.witness.read.get(`${name} ${path}/${kind}`) ?? 0;
      if (listedAt >= plannedAt) looks.push([listedAt, `${name} ${path}/${kind}`]);
    }
    for (const [at, asked] of looks) {
      // Nobody sees when a run began to look: after its plan.
      const tookMs = Math.max(0, (this.witness.heardAt.get(asked) ?? 0) - plannedAt);
      if (now - at > freshMs + 11 * tookMs)
        this.blame(`${name}: DELETE ${path} leaves ${String(now - at)} ms after its last look`);
    }
  }
}

/** What only a create takes no update sends. */
function sentOf(action: Intent['action'], value: Json): Json {
  return action === 'update' ? withoutFrame(value) : value;
}

/** What the command is for. */
function mayWrite({ argv }: Pick<Process, 'argv'>): boolean {
  const [first = '', second = ''] = argv;
  return (writers.has(first) || writers.has(`${first} ${second}`)) && !argv.includes('--edit');
}
