/** Takes a state of today back to the tables of the first version, as SQL for either backend. */
export const backToVersionOne = `
  drop table sync_findings;
  drop table sync_checks;
  drop table sync_news;
  drop table sync_receivers;
  drop table sync_runs;
  drop index sync_resources_of_id;
  drop index sync_resources_of_scope;
  alter table sync_stacks rename column lease_fence to lease_token;
  alter table sync_stacks drop column lease_process;
  alter table sync_stacks drop column lease_revoked;
  alter table sync_stacks drop column run_number;
  alter table sync_stacks drop column run_digest;
  alter table sync_stacks drop column frozen;
  update sync_schema set version = 1;`;

/** What a program of the version before sends when it takes a lease. */
export const olderTake = `update sync_stacks set lease_token = lease_token + 1, lease_id = 'old'`;

/** What a program of the version before sends when it notes a check. */
export const olderNote = `insert into sync_checks (project, stack, checked_at, status) values ('shop', 'dev', 'x', 'clean')`;
