import type { RunContent } from '@platform-sync/core/model/run';
import type { Identity, Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { AlikeQuestion, ManagedElsewhere, RecordedElsewhere } from '@platform-sync/core/model/state-store';
import type { Statements } from './database.js';
import { chunks, intentOf, ofStack, parsed, resourceOf, type StackKey } from './rows.js';
import { list, sql, type Sql } from './sql.js';
import { readLetGo } from './sql-runs.js';
import type { IntentRow, ResourceRow, RunRow, StackRow } from './tables.js';

/** Rows of the state in one answer. */
const rowsAtOnce = 2000;

type Elsewhere = Omit<ResourceRow, 'dependencies' | 'body'> & Pick<StackRow, 'targets'>;

/** Of rows `r`, those of other stacks than this one. */
function ofOthers({ project, stack }: StackKey): Sql {
  return sql`(r.project != ${project} or r.stack != ${stack})`;
}

/** Of rows `r`, those that say one of these: both databases have it, and nothing in a text stands for anything else. */
function hasOneOf(texts: readonly string[]): Sql | undefined {
  const [first, ...others] = texts.map((text) => sql`replace(r.body, ${text}, '') != r.body`);
  return first && sql`(${others.reduce((all, one) => sql`${all} or ${one}`, first)})`;
}

/** How many records a stack has. */
export async function countRecords(database: Statements, key: StackKey): Promise<number> {
  const row = await database.first<{ readonly count: number }>(
    sql`select count(*) as count from sync_resources where ${ofStack(key)}`,
  );
  return row?.count ?? 0;
}

/** What other stacks have recorded of objects with these ids, and what they had since then. */
export async function readElsewhere(
  database: Statements,
  key: StackKey,
  ids: readonly string[],
  since?: string,
): Promise<readonly ManagedElsewhere[]> {
  const found = [...(await readReplaced(database, key, new Set(ids)))];
  for (const part of chunks(ids)) {
    if (since !== undefined) found.push(...(await readHad(database, key, part, since)));
    const rows = await database.rows<Elsewhere>(sql`select r.project, r.stack, address, type, id, scope, targets
      from sync_resources r join sync_stacks s on s.project = r.project and s.stack = r.stack
      where id in (${list(part)}) and ${ofOthers(key)}`);
    for (const { project, stack, address, type, id, scope, targets } of rows)
      found.push({
        ...{ project, stack, address, type },
        identity: { id, scope: parsed(scope, `the record of ${address}`) },
        targets: parsed(targets, 'the list of targets'),
      });
  }
  return found;
}

/** What they have replaced and are still to delete: few records know of any. */
async function readReplaced(
  database: Statements,
  key: StackKey,
  ids: ReadonlySet<string>,
): Promise<readonly ManagedElsewhere[]> {
  if (ids.size === 0) return [];
  const isWanted = sql`replace(r.body, '"deposed":[{', '') != r.body and ${ofOthers(key)}`;
  return (await readWhole(database, isWanted)).flatMap(({ record: { address, type, deposed }, ...owner }) =>
    deposed.flatMap(({ identity }) =>
      ids.has(identity.id) ? [{ ...owner, address, type, identity, isReplaced: true as const }] : [],
    ),
  );
}

/** What rows of their histories say was recorded until then or later. */
async function readHad(
  database: Statements,
  key: StackKey,
  ids: readonly string[],
  since: string,
): Promise<readonly ManagedElsewhere[]> {
  const isSaid = hasOneOf(ids.map((id) => `"id":${JSON.stringify(id)}`));
  if (isSaid === undefined) return [];
  const rows = await database.rows<Pick<RunRow & ResourceRow & StackRow, 'project' | 'stack' | 'body' | 'targets'>>(sql`
    select r.project, r.stack, body, targets
    from sync_runs r join sync_stacks s on s.project = r.project and s.stack = r.stack
    where kind = 'record' and at > ${since} and ${ofOthers(key)} and ${isSaid}`);
  return rows.flatMap(({ project, stack, body, targets }): readonly ManagedElsewhere[] => {
    const content = parsed<RunContent>(body, 'a row of the history');
    if (content.kind !== 'record' || content.before === null) return [];
    const { address, type, identity, deposed } = content.before;
    const each = {
      project,
      stack,
      address,
      type,
      targets: parsed<StackState['targets']>(targets, 'the list of targets'),
    };
    return [identity, ...deposed.map((old) => old.identity)].map((one) => ({ ...each, identity: one, had: true }));
  });
}

/**
 * What other stacks have recorded of what has one of these ids, and in it: places are few, and compared here, for all databases
 * alike.
 */
export async function readInside(
  database: Statements,
  key: StackKey,
  ids: ReadonlySet<string>,
): Promise<readonly RecordedElsewhere[]> {
  if (ids.size === 0) return [];
  const places = await database.rows<Pick<ResourceRow, 'scope'>>(
    sql`select distinct scope from sync_resources r where ${ofOthers(key)}`,
  );
  const inside = places.flatMap(({ scope }) => {
    const above = Object.values(parsed<Identity['scope']>(scope, 'the place of a record'));
    return above.some((id) => ids.has(id)) ? [scope] : [];
  });
  const found = new Map<string, RecordedElsewhere>();
  const wanted = [
    ...chunks(inside).map((part) => sql`scope in (${list(part)})`),
    ...chunks([...ids]).map((part) => sql`id in (${list(part)})`),
  ];
  for (const isWanted of wanted)
    for (const one of await readWhole(database, sql`${isWanted} and ${ofOthers(key)}`))
      found.set(JSON.stringify([one.project, one.stack, one.record.address]), one);
  // Of what a run begins to make there, no list need show anything yet.
  const begun = (await readBegun(database, ['create'], ofOthers(key))).filter(({ record }) =>
    Object.values(record.identity.scope).some((id) => ids.has(id)),
  );
  return [...found.values(), ...begun];
}

/** Of more values than this, every row of the type is read: a database would look for each in each. */
const fewValues = 10;

/** What other stacks have recorded of a type with one of these values in a field, as it was answered or else sent, or began to make. */
export async function readAlike(
  database: Statements,
  key: StackKey,
  question: AlikeQuestion,
): Promise<readonly RecordedElsewhere[]> {
  const { type, field, values, since } = question;
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  const isSaid = hasOneOf([...texts].map((text) => `${JSON.stringify(field)}:${text}`));
  if (isSaid === undefined) return [];
  const isOne = texts.size <= fewValues ? sql`and ${isSaid}` : sql``;
  const found: RecordedElsewhere[] = since === undefined ? [] : [...(await readLetGo(database, key, since, isOne))];
  found.push(...(await readBegun(database, ['create', 'update'], sql`${ofOthers(key)} ${isOne}`)));
  let last: readonly [string, string, string] | undefined = ['', '', ''];
  while (last !== undefined) {
    const [project, stack, address] = last;
    const rows = await readWhole(
      database,
      sql`type = ${type} ${isOne} and ${ofOthers(key)} and (r.project, r.stack, address) > (${project}, ${stack}, ${address})
        order by r.project, r.stack, address limit ${rowsAtOnce}`,
    );
    const end = rows.at(-1);
    last = rows.length < rowsAtOnce || end === undefined ? undefined : [end.project, end.stack, end.record.address];
    found.push(...rows);
  }
  return found.filter(
    ({ record: { type: token, inputs, outputs } }) =>
      token === type && texts.has(JSON.stringify(outputs[field] ?? inputs[field] ?? null)),
  );
}

async function readWhole(database: Statements, wanted: Sql): Promise<readonly RecordedElsewhere[]> {
  const rows = await database.rows<ResourceRow & Pick<StackRow, 'targets'>>(sql`
    select r.project, r.stack, address, type, id, scope, dependencies, body, targets
    from sync_resources r join sync_stacks s on s.project = r.project and s.stack = r.stack where ${wanted}`);
  return rows.map(({ project, stack, targets, ...row }) => ({
    ...{ project, stack, record: resourceOf(row), targets: parsed(targets, 'the list of targets') },
  }));
}

/**
 * What open writes may have left: a create its record, whose object may be there, and nobody knows its id yet; an update what it newly says
 * of an object.
 */
async function readBegun(
  database: Statements,
  actions: readonly Intent['action'][],
  wanted: Sql,
): Promise<readonly RecordedElsewhere[]> {
  const rows = await database.rows<IntentRow & Pick<StackRow, 'targets'>>(sql`
    select r.project, r.stack, r.id, body, targets
    from sync_intents r join sync_stacks s on s.project = r.project and s.stack = r.stack where ${wanted}`);
  return rows.flatMap(({ project, stack, targets, ...row }) => {
    const intent = intentOf(row);
    const record = intent.record ?? updated(intent);
    if (!actions.includes(intent.action) || record === undefined) return [];
    return [{ project, stack, record, targets: parsed(targets, 'the list of targets') }];
  });
}

/** What is sent of an object, as a record would say it. */
function updated({ address, type, identity, inputs }: Intent): RecordedResource | undefined {
  const unsaid = { outputs: {}, dependencies: [], protect: false, retainOnDelete: false, deposed: [] };
  return identity && { ...unsaid, address, type, identity, inputs };
}
