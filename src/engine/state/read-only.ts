import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateStoreError, type StateBackend, type StateStore } from '@platform-sync/core/model/state-store';
import { writeDocument } from './document.js';
import { openStateStore } from './open.js';
import { newStack } from './sql-store.js';
import { realTiming } from './lease-term.js';

/** One stack of a store for runs that must not write: nothing is made, upgraded or remembered. Throws StateStoreError. */
export async function openForReading(backend: StateBackend, project: string, stack: string): Promise<StateStore> {
  if (backend.backend === 'sqlite') return openCopy(backend.path, project, stack);
  const [{ SqlStateStore }, { schemaVersion, currentVersion }, { openPostgres }] = await Promise.all([
    import('./sql-store.js'),
    import('./migrations.js'),
    import('./postgres.js'),
  ]);
  const database = openPostgres(backend.url, realTiming);
  let version: number;
  try {
    version = await schemaVersion(database);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw database.problem(error);
  }
  const store = new SqlStateStore(database, { project, stack }, realTiming);
  if (version !== 0 && version !== currentVersion) {
    await store.close();
    throw readOnly(`the state in ${database.location} is of an older version of this program`);
  }
  const empty = emptyStack(project, stack, database.location);
  if (version === 0) return readingOnly(empty, () => store.close());
  const read = async (): ReturnType<StateStore['read']> => (await store.readIfThere()) ?? empty.read();
  return readingOnly({ ...facade(store), read }, () => store.close());
}

/** SQLite writes beside a file that it only reads: so it gets a copy. */
async function openCopy(path: string, project: string, stack: string): Promise<StateStore> {
  if (!existsSync(path)) return readingOnly(emptyStack(project, stack, path), async () => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'sync-state-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'state.db');
    for (const companion of ['', '-wal'])
      if (existsSync(`${path}${companion}`)) copyFileSync(`${path}${companion}`, `${copy}${companion}`);
    const store = await openStateStore({ backend: 'sqlite', path: copy }, project, stack);
    return readingOnly({ ...facade(store), location: path }, async () => {
      await store.close();
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

type Readable = Pick<
  StateStore,
  | 'location'
  | 'read'
  | 'count'
  | 'holder'
  | 'lostRun'
  | 'pull'
  | 'driftHistory'
  | 'managedElsewhere'
  | 'recordedInside'
  | 'recordedAlike'
  | 'outputsOf'
  | 'stacks'
  | 'sibling'
  | 'runs'
  | 'verifyRuns'
  | 'frozen'
>;

const questions = [
  ...(['read', 'holder', 'lostRun', 'pull', 'driftHistory', 'managedElsewhere', 'recordedInside'] as const),
  ...(['recordedAlike', 'outputsOf', 'stacks', 'runs', 'verifyRuns', 'frozen', 'count'] as const),
];

/** What a run that has no way to a store asks one that has: a method, whose siblings lead to the stack that it is asked of. */
export interface StateQuestion {
  readonly ask: string;
  readonly siblings: readonly string[];
  readonly given: readonly unknown[];
}

/** Answers such questions; those that write are none. */
export async function answerOf(store: StateStore, { ask, siblings, given }: StateQuestion): Promise<unknown> {
  const name = questions.find((each) => each === ask);
  if (name === undefined) throw readOnly(`the state in ${store.location} is only read in this run`);
  const asked = siblings.reduce((one, stack) => one.sibling(stack), store);
  const answer: unknown = await Reflect.apply(asked[name], asked, given);
  return answer;
}

type Ask = (question: StateQuestion) => Promise<unknown>;

/** One stack of a store, as another process answers for it. */
export function storeThatAsks(ask: Ask, siblings: readonly string[] = []): StateStore {
  const asking = <Name extends (typeof questions)[number]>(name: Name): StateStore[Name] =>
    ((...given: readonly unknown[]) => ask({ ask: name, siblings, given }).catch(rethrown)) as StateStore[Name];
  const store: Readable = {
    location: 'the state store of the worker',
    ...{ read: asking('read'), holder: asking('holder'), lostRun: asking('lostRun'), pull: asking('pull') },
    ...{ driftHistory: asking('driftHistory'), managedElsewhere: asking('managedElsewhere') },
    ...{ recordedInside: asking('recordedInside'), recordedAlike: asking('recordedAlike') },
    ...{ outputsOf: asking('outputsOf'), stacks: asking('stacks'), count: asking('count') },
    ...{ runs: asking('runs'), verifyRuns: asking('verifyRuns'), frozen: asking('frozen') },
    sibling: (stack) => storeThatAsks(ask, [...siblings, stack]),
  };
  return readingOnly(store, async () => undefined);
}

/** A class does not come along from another process. */
function rethrown(error: unknown): never {
  throw isStoreError(error) ? new StateStoreError(error.code, error.message, error.hint) : error;
}

function isStoreError(error: unknown): error is StateStoreError {
  return error instanceof Error && error.name === 'StateStoreError' && 'code' in error && 'hint' in error;
}

/** What a store without tables or file says of a stack. */
function emptyStack(project: string, stack: string, location: string): Readable {
  const state = newStack(project, stack, realTiming);
  return {
    location,
    read: async () => state,
    count: async () => 0,
    holder: async () => undefined,
    lostRun: async () => undefined,
    pull: async () => writeDocument(state),
    driftHistory: async () => ({ findings: [], number: 0 }),
    managedElsewhere: async () => [],
    recordedInside: async () => [],
    recordedAlike: async () => [],
    outputsOf: async () => undefined,
    stacks: async () => [],
    sibling: (other) => readingOnly(emptyStack(project, other, location), async () => undefined),
    runs: async () => [],
    verifyRuns: async () => undefined,
    frozen: async () => undefined,
  };
}

function facade(store: StateStore): Readable {
  return {
    location: store.location,
    read: () => store.read(),
    count: () => store.count(),
    holder: () => store.holder(),
    lostRun: () => store.lostRun(),
    pull: () => store.pull(),
    driftHistory: () => store.driftHistory(),
    managedElsewhere: (...call) => store.managedElsewhere(...call),
    recordedInside: (ids) => store.recordedInside(ids),
    recordedAlike: (question) => store.recordedAlike(question),
    outputsOf: (stack) => store.outputsOf(stack),
    stacks: () => store.stacks(),
    sibling: (stack) => readingOnly(facade(store.sibling(stack)), async () => undefined),
    runs: (question) => store.runs(question),
    verifyRuns: () => store.verifyRuns(),
    frozen: () => store.frozen(),
  };
}

function readingOnly(store: Readable, close: () => Promise<void>): StateStore {
  const refuse = (): Promise<never> =>
    Promise.reject(readOnly(`the state in ${store.location} is only read in this run`));
  return {
    ...store,
    acquire: refuse,
    unlock: refuse,
    begin: refuse,
    commit: refuse,
    takeOver: refuse,
    push: refuse,
    noteDrift: refuse,
    noteRun: refuse,
    takeNews: refuse,
    closeNews: refuse,
    pruneRuns: refuse,
    freeze: refuse,
    close,
  };
}

function readOnly(message: string): StateStoreError {
  return new StateStoreError('read-only', message, 'Run it without --untrusted, from files that were reviewed.');
}
