import { sql } from './sql.js';

/**
 * What checks had to tell, and who was told how far. An older program notes checks without telling what is new in them: the
 * column that it names has another name from now on, so that the database refuses it.
 */
export const createNewsTables = [
  sql`alter table sync_checks rename column status to outcome`,
  sql`alter table sync_checks add column number bigint default 0 not null`,
  sql`create table sync_news (
    project text not null, stack text not null, number bigint not null, checked_at text not null,
    body text not null,
    constraint sync_news_key primary key (project, stack, number)
  )`,
  sql`create table sync_receivers (
    project text not null, stack text not null, receiver text not null, told bigint, teller text,
    teller_until bigint,
    constraint sync_receivers_key primary key (project, stack, receiver)
  )`,
];

/** News of runs lie beside those of checks, and a finding knows how often it came back soon after it had gone. */
export const addRunNews = [
  sql`alter table sync_news add column about text default 'drift' not null`,
  sql`alter table sync_findings add column came bigint default 1 not null`,
];
