import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.js';

/**
 * What checks had to tell, and who was told how far. An older program notes checks without telling what is new in them: the
 * column that it names has another name from now on, so that the database refuses it.
 */
export async function createNewsTables(trx: Transaction<Tables>): Promise<void> {
  await sql`alter table sync_checks rename column status to outcome`.execute(trx);
  await trx.schema
    .alterTable('sync_checks')
    .addColumn('number', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
    .execute();
  await trx.schema
    .createTable('sync_news')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sync_news_key', ['project', 'stack', 'number'])
    .execute();
  await trx.schema
    .createTable('sync_receivers')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('receiver', 'text', (column) => column.notNull())
    .addColumn('told', 'bigint')
    .addColumn('teller', 'text')
    .addColumn('teller_until', 'bigint')
    .addPrimaryKeyConstraint('sync_receivers_key', ['project', 'stack', 'receiver'])
    .execute();
}
