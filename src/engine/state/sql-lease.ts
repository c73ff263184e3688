import {
  type AcquireOptions,
  type Lease,
  LeaseHeldError,
  type LeaseHolder,
} from '@platform-sync/core/model/state-store';
import type { Database } from './database.js';
import { type Processes, type ProcessIdentity, readIdentity } from '@platform-sync/core/model/process-identity';
import { holderOf, type HolderRow, ofStack, type StackKey } from './rows.js';
import { sql, type Sql } from './sql.js';
import type { StackRow } from './tables.js';
import { marginsOf, momentOf, Term, type Timing } from './lease-term.js';

/** The lease columns of the stack's row. Each method is one statement, so the database decides every race. */
export function sqlLeaseSlot(database: Database, key: StackKey, { ttlMs, processes }: Timing): LeaseSlot {
  const expiry = (): Sql => sql`${database.now()} + cast(${ttlMs} as bigint)`;
  /** Of the lease with that id, as long as it lives. False when there is none, or it is not as `only` says. */
  const change = async (id: string, columns: Sql, only = sql``): Promise<boolean> =>
    (await database.run(sql`update sync_stacks set ${columns}
      where ${ofStack(key)} and lease_id = ${id} ${only} and lease_expires > ${database.now()}`)) > 0;
  return {
    take: async ({ id, owner, purpose }, process) => {
      const identity = process === undefined ? null : JSON.stringify(process);
      for (;;) {
        const now = database.now();
        const taken = await database.first<
          HolderRow & Pick<StackRow, 'lease_fence'>
        >(sql`update sync_stacks set lease_fence = lease_fence + 1,
            lease_id = ${id}, lease_owner = ${owner}, lease_purpose = ${purpose}, lease_since = ${now},
            lease_seen = ${now}, lease_expires = ${expiry()}, lease_process = ${identity}, lease_revoked = 0
          where ${ofStack(key)} and (lease_id is null or lease_expires <= ${now})
          returning lease_fence, lease_id, lease_owner, lease_purpose, lease_since, lease_seen`);
        const mine = taken === undefined ? undefined : holderOf(taken);
        if (taken !== undefined && mine !== undefined) return { token: taken.lease_fence, holder: mine };
        // Given back between the two statements: try again.
        const occupant = await leaseOccupant(database, key);
        if (occupant !== undefined) return occupant;
      }
    },
    beat: (id) =>
      change(id, sql`lease_seen = ${database.now()}, lease_expires = ${expiry()}`, sql`and lease_revoked = 0`),
    revoke: (id) => change(id, sql`lease_revoked = 1`),
    occupant: () => leaseHolder(database, key, processes),
    drop: (id) => change(id, sql`lease_id = null, lease_expires = null`),
  };
}

/** Who holds the stack now; an expired lease is none. */
export async function leaseHolder(
  database: Database,
  key: StackKey,
  { isProvenDead }: Processes,
): Promise<LeaseHolder | undefined> {
  const occupant = await leaseOccupant(database, key);
  if (occupant === undefined) return undefined;
  const { holder, process } = occupant;
  return process !== undefined && isProvenDead(process) ? { ...holder, isGone: true } : holder;
}

/** Whose lease ran out without being given back; one that somebody broke is no riddle. */
export async function lostLease(
  database: Database,
  key: StackKey,
  processes: Processes,
): Promise<LeaseHolder | undefined> {
  const alive = await leaseHolder(database, key, processes);
  if (alive !== undefined) return alive.isGone === true ? alive : undefined;
  const row = await database.first<HolderRow>(sql`
    select lease_id, lease_owner, lease_purpose, lease_since, lease_seen from sync_stacks
    where ${ofStack(key)} and lease_revoked = 0 and lease_expires <= ${database.now()}`);
  return row === undefined ? undefined : holderOf(row);
}

async function leaseOccupant(database: Database, key: StackKey): Promise<Occupant | undefined> {
  const row = await database.first<HolderRow & Pick<StackRow, 'lease_process'>>(sql`
    select lease_id, lease_owner, lease_purpose, lease_since, lease_seen, lease_process from sync_stacks
    where ${ofStack(key)} and lease_expires > ${database.now()}`);
  const holder = row === undefined ? undefined : holderOf(row);
  return row === undefined || holder === undefined ? undefined : { holder, process: readIdentity(row.lease_process) };
}

interface LeaseRequest {
  readonly id: string;
  readonly owner: string;
  readonly purpose: string;
}

/** Who has the slot, and which process that is, as far as it said so. */
export interface Occupant {
  readonly holder: LeaseHolder;
  readonly process?: ProcessIdentity | undefined;
}

/** The one place of a stack where a lease is kept. Each method is atomic. */
export interface LeaseSlot {
  /** Takes the slot when it is free or its lease is over; else says who has it. */
  take(
    request: LeaseRequest,
    process: ProcessIdentity | undefined,
  ): Promise<{ readonly token: number; readonly holder: LeaseHolder } | Occupant>;
  /** A sign of life. False when the lease is no longer the slot's, or was revoked: an expired one is not revived. */
  beat(id: string): Promise<boolean>;
  /** From now on its beats are refused, so that it ends at its deadline at the latest. False when it is not in the slot. */
  revoke(id: string): Promise<boolean>;
  /** Empties the slot when that lease is alive in it. */
  drop(id: string): Promise<boolean>;
  /** Who has the slot now. */
  occupant(): Promise<LeaseHolder | undefined>;
}

/** Leases that this process holds, so that closing the store stops their timers. */
export type HeldLeases = Set<() => void>;

/**
 * Takes the slot, looking again every `pollMs` until `waitMs` are over; a holder that is proven dead is not waited for.
 * Throws LeaseHeldError.
 */
export async function acquireLease(
  slot: LeaseSlot,
  purpose: string,
  options: AcquireOptions,
  timing: Timing,
  held: HeldLeases,
): Promise<Lease> {
  const request = { id: timing.id(), owner: options.owner ?? timing.processes.owner(), purpose };
  const identity = timing.processes.self();
  const isOver = (): boolean => options.signal?.aborted === true;
  for (let left = options.waitMs; ; left -= timing.pollMs) {
    const asked = momentOf(timing);
    const answer = await slot.take(request, identity);
    if (isOver()) {
      if ('token' in answer) await slot.drop(request.id);
      throw new LeaseHeldError(answer.holder);
    }
    if ('token' in answer) return keepAlive(slot, answer, new Term(timing, asked), timing, held);
    if (answer.process !== undefined && timing.processes.isProvenDead(answer.process)) {
      // As long as what a run cut off itself is given: its last bytes may still be on their way.
      await timing.sleep(marginsOf(timing.ttlMs).cutMs);
      await slot.drop(answer.holder.id);
      continue;
    }
    if (left <= 0) throw new LeaseHeldError(answer.holder);
    if (left === options.waitMs) options.onWait?.(answer.holder);
    await timing.sleep(Math.min(timing.pollMs, left), options.signal);
    if (isOver()) throw new LeaseHeldError(answer.holder);
  }
}

/** Ends a lease by its id. Without `now`, waits until what its run may have sent by it is cut off. False: not held by it. */
export async function breakLease(
  slot: LeaseSlot,
  id: string,
  options: { readonly now?: boolean },
  timing: Timing,
): Promise<boolean> {
  if (options.now === true) return slot.drop(id);
  if (!(await slot.revoke(id))) return false;
  while ((await slot.occupant())?.id === id) await timing.sleep(timing.pollMs);
  return true;
}

function keepAlive(
  slot: LeaseSlot,
  { token, holder }: { readonly token: number; readonly holder: LeaseHolder },
  term: Term,
  timing: Timing,
  held: HeldLeases,
): Lease {
  const stop = timing.every(timing.heartbeatMs, () => {
    const asked = momentOf(timing);
    // A store that does not answer now may do so at the next beat; if not, the term ends by itself.
    slot.beat(holder.id).then(
      (alive) => {
        if (alive) return term.confirmed(asked);
        term.refused();
        stop();
      },
      () => undefined,
    );
  });
  const end = (): void => {
    stop();
    term.end();
    held.delete(end);
  };
  held.add(end);
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    end();
    // Not worth failing a run that has done its work: a lease that can't be given back ends by itself.
    const dropped = slot.drop(holder.id).then(
      () => undefined,
      () => undefined,
    );
    // Nor worth waiting for a store that has not answered for long.
    await (term.late.aborted ? Promise.race([dropped, timing.sleep(marginsOf(timing.ttlMs).partingMs)]) : dropped);
  };
  return { id: holder.id, token, holder, term, release: () => (released ??= release()) };
}
