import type { Freeze } from '@platform-sync/core/model/run';
import type { LeaseHolder } from '@platform-sync/core/model/state-store';
import type { Database } from './database.js';
import type { LeaseSlot, Occupant } from './acquire-lease.js';
import { isProvenDead, readIdentity } from './process-identity.js';
import { ofStack, parsed, type StackKey } from './rows.js';
import { sql, type Sql } from './sql.js';
import type { StackRow } from './tables.js';

/** The lease columns of the stack's row. Each method is one statement, so the database decides every race. */
export function sqlLeaseSlot(database: Database, key: StackKey, ttlMs: number): LeaseSlot {
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
    occupant: () => leaseHolder(database, key),
    drop: (id) => change(id, sql`lease_id = null, lease_expires = null`),
  };
}

/** Who holds the stack now; an expired lease is none. */
export async function leaseHolder(database: Database, key: StackKey): Promise<LeaseHolder | undefined> {
  const occupant = await leaseOccupant(database, key);
  if (occupant === undefined) return undefined;
  const { holder, process } = occupant;
  return process !== undefined && isProvenDead(process) ? { ...holder, isGone: true } : holder;
}

/** Whose lease ran out without being given back; one that somebody broke is no riddle. */
export async function lostLease(database: Database, key: StackKey): Promise<LeaseHolder | undefined> {
  const alive = await leaseHolder(database, key);
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

/** What holds back other runs, unless its time is over. */
export async function readFreeze(database: Database, key: StackKey): Promise<Freeze | undefined> {
  const row = await database.first<Pick<StackRow, 'frozen'> & { now: number }>(
    sql`select frozen, ${database.now()} as now from sync_stacks where ${ofStack(key)}`,
  );
  if (row === undefined || row.frozen === null) return undefined;
  const freeze = parsed<Freeze>(row.frozen, 'the freeze');
  return freeze.until !== undefined && Date.parse(freeze.until) <= Number(row.now) ? undefined : freeze;
}

export type HolderRow = Pick<StackRow, 'lease_id' | 'lease_owner' | 'lease_purpose' | 'lease_since' | 'lease_seen'>;

export function holderOf(row: HolderRow): LeaseHolder | undefined {
  if (row.lease_id === null) return undefined;
  return {
    id: row.lease_id,
    owner: row.lease_owner ?? '',
    purpose: row.lease_purpose ?? '',
    since: new Date(row.lease_since ?? 0).toISOString(),
    seen: new Date(row.lease_seen ?? 0).toISOString(),
  };
}
