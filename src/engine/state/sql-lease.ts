import { sql } from 'kysely';
import type { UpdateObject } from 'kysely';
import type { LeaseHolder } from '../model/state-store.js';
import type { Database } from './database.js';
import type { LeaseSlot, Occupant } from './acquire-lease.js';
import { isProvenDead, readIdentity } from './process-identity.js';
import type { StackKey } from './rows.js';
import type { StackRow, Tables } from './tables.js';

/** The lease columns of the stack's row. Each method is one statement, so the database decides every race. */
export function sqlLeaseSlot({ db, now }: Database, key: StackKey, ttlMs: number): LeaseSlot {
  const expiry = () => sql<number>`${now()} + cast(${ttlMs} as bigint)`;
  /** Of the lease with that id, as long as it lives. False when there is none, or it is not as `only` says. */
  const change = async (
    id: string,
    columns: UpdateObject<Tables, 'sync_stacks'>,
    only: { readonly lease_revoked?: 0 } = {},
  ): Promise<boolean> => {
    const changed = await db
      .updateTable('sync_stacks')
      .set(columns)
      .where((row) => row.and({ ...key, lease_id: id, ...only }))
      .where('lease_expires', '>', now())
      .executeTakeFirst();
    return changed.numUpdatedRows > 0n;
  };
  return {
    take: async (request, process) => {
      for (;;) {
        const taken = await db
          .updateTable('sync_stacks')
          .set((row) => ({
            lease_fence: row('lease_fence', '+', 1),
            lease_id: request.id,
            lease_owner: request.owner,
            lease_purpose: request.purpose,
            lease_since: now(),
            lease_seen: now(),
            lease_expires: expiry(),
            lease_process: process === undefined ? null : JSON.stringify(process),
            lease_revoked: 0,
          }))
          .where('project', '=', key.project)
          .where('stack', '=', key.stack)
          .where((row) => row.or([row('lease_id', 'is', null), row('lease_expires', '<=', now())]))
          .returning(['lease_fence', 'lease_id', 'lease_owner', 'lease_purpose', 'lease_since', 'lease_seen'])
          .executeTakeFirst();
        const mine = taken === undefined ? undefined : holderOf(taken);
        if (taken !== undefined && mine !== undefined) return { token: taken.lease_fence, holder: mine };
        // Given back between the two statements: try again.
        const occupant = await leaseOccupant({ db, now }, key);
        if (occupant !== undefined) return occupant;
      }
    },
    beat: (id) => change(id, { lease_seen: now(), lease_expires: expiry() }, { lease_revoked: 0 }),
    revoke: (id) => change(id, { lease_revoked: 1 }),
    occupant: () => leaseHolder({ db, now }, key),
    drop: (id) => change(id, { lease_id: null, lease_expires: null }),
  };
}

/** Who holds the stack now; an expired lease is none. */
export async function leaseHolder(
  database: Pick<Database, 'db' | 'now'>,
  key: StackKey,
): Promise<LeaseHolder | undefined> {
  const occupant = await leaseOccupant(database, key);
  if (occupant === undefined) return undefined;
  const { holder, process } = occupant;
  return process !== undefined && isProvenDead(process) ? { ...holder, isGone: true } : holder;
}

async function leaseOccupant({ db, now }: Pick<Database, 'db' | 'now'>, key: StackKey): Promise<Occupant | undefined> {
  const row = await db
    .selectFrom('sync_stacks')
    .select(['lease_id', 'lease_owner', 'lease_purpose', 'lease_since', 'lease_seen', 'lease_process'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('lease_expires', '>', now())
    .executeTakeFirst();
  const holder = row === undefined ? undefined : holderOf(row);
  return row === undefined || holder === undefined ? undefined : { holder, process: readIdentity(row.lease_process) };
}

type HolderRow = Pick<StackRow, 'lease_id' | 'lease_owner' | 'lease_purpose' | 'lease_since' | 'lease_seen'>;

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
