// The least that a first `apply` can be: every file is read and parsed, every object sent, every answer recorded for good before
// anything else is sent that follows from it.
import { mkdirSync } from 'node:fs';
import Libsql from 'libsql';
import { readCatalogue } from './catalogue.mjs';
import { call, forEach, hangUp } from './platform.mjs';

mkdirSync('.sync', { recursive: true });
const db = new Libsql('.sync/floor.db');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('create table if not exists records (address text primary key, id text, body text)');
const insert = db.prepare('insert or replace into records values (?, ?, ?)');

/** What came in one turn of the event loop is made durable together. */
let open;
function record(address, { id }, body) {
  if (open === undefined) {
    open = { rows: [], done: new Promise((resolve) => setImmediate(resolve)).then(flush) };
  }
  open.rows.push([address, id, JSON.stringify(body)]);
  return open.done;
}
function flush() {
  const { rows } = open;
  open = undefined;
  db.exec('begin immediate');
  for (const row of rows) insert.run(row);
  db.exec('commit');
}

const documents = [];
await forEach(Object.entries(readCatalogue()), async ([address, { properties, children = {} }]) => {
  const api = await call('POST', '/v3/apis', properties);
  await record(address, api, properties);
  for (const [key, child] of Object.entries(children)) documents.push([`${address}/${key}`, api.id, child.properties]);
});
await forEach(documents, async ([address, apiId, properties]) =>
  record(address, await call('POST', `/v3/apis/${apiId}/documents`, properties), properties),
);
console.log(`${documents.length} documents and their APIs`);
await hangUp();
