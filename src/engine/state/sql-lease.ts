import { sql } from 'kysely';
import type { LeaseHolder } from '../model/state-store.js';
import type { Database } from './database.js';
import type { LeaseSlot } from './lease.js';
import type { StackKey } from './rows.js';
import type { StackRow } from './tables.js';

/** The lease columns of the stack's row. Each method is one statement, so the database decides every race. */
export function sqlLeaseSlot({ db, now }: Database, key: StackKey, ttlMs: number): LeaseSlot {
  const expiry = () => sql<number>`${now()} + cast(${ttlMs} as bigint)`;
  return {
    take: async (request) => {
      for (;;) {
        const taken = await db
          .updateTable('sync_stacks')
          .set((row) => ({
            lease_token: row('lease_token', '+', 1),
            lease_id: request.id,
            lease_owner: request.owner,
            lease_purpose: request.purpose,
            lease_since: now(),
            lease_seen: now(),
            lease_expires: expiry(),
          }))
          .where('project', '=', key.project)
          .where('stack', '=', key.stack)
          .where((row) => row.or([row('lease_id', 'is', null), row('lease_expires', '<=', now())]))
          .returning(['lease_token', 'lease_id', 'lease_owner', 'lease_purpose', 'lease_since', 'lease_seen'])
          .executeTakeFirst();
        const holder = taken === undefined ? await leaseHolder({ db, now }, key) : holderOf(taken);
        if (taken !== undefined && holder !== undefined) return { token: taken.lease_token, holder };
        // Given back between the two statements: try again.
        if (holder !== undefined) return holder;
      }
    },
    beat: async (id) => {
      const beaten = await db
        .updateTable('sync_stacks')
        .set({ lease_seen: now(), lease_expires: expiry() })
        .where('project', '=', key.project)
        .where('stack', '=', key.stack)
        .where('lease_id', '=', id)
        .where('lease_expires', '>', now())
        .executeTakeFirst();
      return beaten.numUpdatedRows > 0n;
    },
    drop: async (id) => {
      const dropped = await db
        .updateTable('sync_stacks')
        .set({ lease_id: null, lease_expires: null })
        .where('project', '=', key.project)
        .where('stack', '=', key.stack)
        .where('lease_id', '=', id)
        .where('lease_expires', '>', now())
        .executeTakeFirst();
      return dropped.numUpdatedRows > 0n;
    },
  };
}

/** Who holds the stack now; an expired lease is none. */
export async function leaseHolder(
  { db, now }: Pick<Database, 'db' | 'now'>,
  key: StackKey,
): Promise<LeaseHolder | undefined> {
  const row = await db
    .selectFrom('sync_stacks')
    .select(['lease_id', 'lease_owner', 'lease_purpose', 'lease_since', 'lease_seen'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('lease_expires', '>', now())
    .executeTakeFirst();
  return row === undefined ? undefined : holderOf(row);
}

type HolderRow = Pick<StackRow, 'lease_id' | 'lease_owner' | 'lease_purpose' | 'lease_since' | 'lease_seen'>;

function holderOf(row: HolderRow): LeaseHolder | undefined {
  if (row.lease_id === null) return undefined;
  return {
    id: row.lease_id,
    owner: row.lease_owner ?? '',
    purpose: row.lease_purpose ?? '',
    since: new Date(row.lease_since ?? 0).toISOString(),
    seen: new Date(row.lease_seen ?? 0).toISOString(),
  };
}
