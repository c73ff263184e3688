import { sql, type Kysely, type Transaction } from 'kysely';
import type { DriftNote } from '../model/drift-history.js';
import type { DriftNews, NewsClaim, NumberedNews, TakenNews } from '../model/drift-news.js';
import type { Database } from './database.js';
import { forgottenBefore } from './drift-history.js';
import type { StackKey } from './rows.js';
import type { Tables } from './tables.js';

/** Keeps what a check has to tell; what nobody took for ninety days is forgotten. */
export async function writeNews(
  trx: Transaction<Tables>,
  key: StackKey,
  number: number,
  { at, news }: DriftNote,
): Promise<void> {
  await trx
    .deleteFrom('sync_news')
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('checked_at', '<', forgottenBefore(at))
    .execute();
  if (news === undefined) return;
  await trx
    .insertInto('sync_news')
    .values({ ...key, number, checked_at: at, body: JSON.stringify(news) })
    .execute();
}

/** See `StateStore.takeNews`. The receiver's row is locked until the right is taken or given back. */
export function takeNews(
  { db, now }: Database,
  key: StackKey,
  { receiver, by }: NewsClaim,
  forMs: number,
): Promise<TakenNews | undefined> {
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('sync_receivers')
      .values({ ...key, receiver, told: null, teller: null, teller_until: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const taken = await trx
      .updateTable('sync_receivers')
      .set({ teller: by, teller_until: sql<number>`${now()} + cast(${forMs} as bigint)` })
      .where('project', '=', key.project)
      .where('stack', '=', key.stack)
      .where('receiver', '=', receiver)
      .where((row) => row.or([row('teller', 'is', null), row('teller', '=', by), row('teller_until', '<=', now())]))
      .returning('told')
      .executeTakeFirst();
    if (taken === undefined) return undefined;
    if (taken.told === null) return { isKnown: false, news: [] };
    const news = await newsAfter(trx, key, taken.told);
    if (news.length > 0) return { isKnown: true, news };
    await closeNews(trx, key, { receiver, by }, undefined);
    return undefined;
  });
}

/** See `StateStore.closeNews`. Who has lost the right closes nothing. */
export async function closeNews(
  db: Kysely<Tables>,
  key: StackKey,
  { receiver, by }: NewsClaim,
  told: number | undefined,
): Promise<void> {
  await db
    .updateTable('sync_receivers')
    .set(told === undefined ? { teller: null, teller_until: null } : { told })
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('receiver', '=', receiver)
    .where('teller', '=', by)
    .execute();
}

async function newsAfter(trx: Transaction<Tables>, key: StackKey, told: number): Promise<readonly NumberedNews[]> {
  const rows = await trx
    .selectFrom('sync_news')
    .select(['number', 'body'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('number', '>', told)
    .orderBy('number')
    .execute();
  // Written by this program only.
  return rows.map(({ number, body }) => ({ ...(JSON.parse(body) as DriftNews), number }));
}
