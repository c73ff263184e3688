import type { DriftNote } from '@platform-sync/core/model/drift-history';
import type { DriftNews, NewsClaim, NumberedNews, TakenNews } from '@platform-sync/core/model/drift-news';
import type { Database, Statements } from './database.js';
import { forgottenBefore } from './drift-history.js';
import { ofStack, type StackKey } from './rows.js';
import { sql } from './sql.js';
import type { NewsRow, ReceiverRow } from './tables.js';

/** Keeps what a check has to tell; what nobody took for ninety days is forgotten. */
export async function writeNews(
  trx: Statements,
  key: StackKey,
  number: number,
  { at, news }: DriftNote,
): Promise<void> {
  await trx.run(sql`delete from sync_news where ${ofStack(key)} and checked_at < ${forgottenBefore(at)}`);
  if (news === undefined) return;
  await trx.run(sql`insert into sync_news (project, stack, number, checked_at, body)
    values (${key.project}, ${key.stack}, ${number}, ${at}, ${JSON.stringify(news)})`);
}

/** See `StateStore.takeNews`. The receiver's row is locked until the right is taken or given back. */
export function takeNews(
  database: Database,
  key: StackKey,
  { receiver, by }: NewsClaim,
  forMs: number,
): Promise<TakenNews | undefined> {
  return database.transaction(async (trx) => {
    const now = database.now();
    await trx.run(sql`insert into sync_receivers (project, stack, receiver)
      values (${key.project}, ${key.stack}, ${receiver}) on conflict do nothing`);
    const taken = await trx.first<Pick<ReceiverRow, 'told'>>(sql`
      update sync_receivers set teller = ${by}, teller_until = ${now} + cast(${forMs} as bigint)
      where ${ofStack(key)} and receiver = ${receiver}
        and (teller is null or teller = ${by} or teller_until <= ${now}) returning told`);
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
  database: Statements,
  key: StackKey,
  { receiver, by }: NewsClaim,
  told: number | undefined,
): Promise<void> {
  await database.run(sql`update sync_receivers
    set ${told === undefined ? sql`teller = null, teller_until = null` : sql`told = ${told}`}
    where ${ofStack(key)} and receiver = ${receiver} and teller = ${by}`);
}

async function newsAfter(trx: Statements, key: StackKey, told: number): Promise<readonly NumberedNews[]> {
  const rows = await trx.rows<Pick<NewsRow, 'number' | 'body'>>(
    sql`select number, body from sync_news where ${ofStack(key)} and number > ${told} order by number`,
  );
  // Written by this program only.
  return rows.map(({ number, body }) => ({ ...(JSON.parse(body) as DriftNews), number }));
}
