/** What somebody does to a history of three rows behind its back, and what is said of it then. */
export const tamperings: readonly (readonly [what: string, statement: string, number: number, told: string])[] = [
  ['a row was changed', `update sync_runs set body = replace(body, 'apply', 'drift') where number = 1`, 1, 'changed'],
  ['a row is missing', 'delete from sync_runs where number = 2', 2, 'missing'],
  ['the first row is missing', 'delete from sync_runs where number = 1', 1, 'missing'],
  ['the last row is missing', 'delete from sync_runs where number = 3', 3, 'missing'],
  ['all rows are missing', 'delete from sync_runs', 1, 'missing'],
  ['a row was moved to another address', `update sync_runs set address = 'c' where number = 3`, 3, 'changed'],
  ['the last row was made anew', `update sync_stacks set run_digest = 'x'`, 3, 'changed'],
];
