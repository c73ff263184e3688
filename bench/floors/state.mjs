import Libsql from 'libsql';

/** All records of the state that an apply of the program left, parsed. */
export function readRecords() {
  const rows = new Libsql('.sync/state.db').prepare('select address, id, body from sync_resources').all();
  return rows.map(({ address, id, body }) => ({ address, id, ...JSON.parse(body) }));
}
