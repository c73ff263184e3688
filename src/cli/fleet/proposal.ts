import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Diagnostic, DiagnosticError, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import { parsedJson } from '@platform-sync/core/model/read-json';
import type { Spawned } from '@platform-sync/core/model/spawn';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { defined, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { authorsOf, checkOut, checkOutCommit, isTouched } from '@platform-sync/engine/use-cases/base/checkout';
import { answersFor } from '@platform-sync/engine/use-cases/proposal';
import { readPlanFile } from '../files/plan-file.js';
import type { Host } from '../process/host.js';
import type { RunContext } from '../run/run-context.js';
import type { Stack } from './stock.js';

/** A commit that somebody proposes for one stack. */
interface Proposal {
  readonly stack: Pick<Stack, 'folder' | 'stack'>;
  /** Its whole id. */
  readonly commit: string;
  /** Where it comes from, as git takes it. */
  readonly remote?: string;
  readonly requestsPerMinute?: number;
  /** Folders of all stacks of the fleet: what changes only in those of others does not touch this one. */
  readonly folders?: readonly string[];
  /** Folder for the reports, absolute. */
  readonly out?: string | undefined;
  readonly stop?: AbortSignal;
}

interface ProposedPlan {
  readonly plan?: Plan;
  /** Why there is none. */
  readonly diagnostics: readonly Diagnostic[];
  /** `stop` fired before its end. */
  readonly isStopped?: true;
  /** It changes nothing that this stack could be made of. */
  readonly isUntouched?: true;
  /** Of what the commit adds; see `JobFound`. */
  readonly authors?: readonly string[];
}

const most = { ms: 15 * 60_000, characters: 200_000_000 } as const;
/** Of the program's own objects. What it holds beside them counts in its share. */
const heapMegabytes = 2_048;
const share = { megabytes: 2_560, processes: 64, written: { megabytes: 2_000, files: 10_000 } } as const;

/**
 * Plans exactly one commit, as `sync plan --untrusted` on top of what this checkout has at HEAD: in a process and a folder of its own
 * that are gone afterwards. It gets the variables that the reviewed files of this stack read, and no way to the database.
 */
export async function planProposal(context: RunContext, proposal: Proposal): Promise<ProposedPlan> {
  await removeLeftOver(context.host.world);
  const place = await mkdtemp(join(tmpdir(), leftOver));
  try {
    return await plannedIn(place, context, proposal);
  } catch (error) {
    if (error instanceof DiagnosticError) return { diagnostics: error.diagnostics };
    throw error;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function plannedIn(place: string, context: RunContext, proposal: Proposal): Promise<ProposedPlan> {
  const { host, cwd } = context;
  const { stack, commit, remote = 'origin', requestsPerMinute, out, stop, folders = [] } = proposal;
  const [into, written] = [join(place, 'tree'), join(place, 'written')];
  const [reports, home] = [join(written, 'reports'), join(written, 'home')];
  for (const folder of [into, written, reports, home]) await mkdir(folder);
  const tree = await checkOutCommit(host.world, { folder: resolve(cwd, stack.folder), commit, remote, into });
  const others = folders.filter((folder) => folder !== stack.folder).map((folder) => resolve(cwd, folder));
  const own = resolve(cwd, stack.folder);
  if (!(await isTouched(host.world, { tree, own, others }))) return { diagnostics: [], isUntouched: true };
  const { config, env } = await reviewed(host, tree.head, resolve(cwd, stack.folder), stack.stack);
  const { answer, isRateShared, close } = await answersFor(config, requestsPerMinute);
  const file = join(written, 'plan.json');
  const [node = '', ...program] = host.program ?? [];
  const line = ['plan', '--untrusted', '--base', tree.head, '--stack', stack.stack, '--cwd', tree.folder];
  try {
    const ended = await host.world.spawn(
      node,
      [
        `--max-old-space-size=${String(heapMegabytes)}`,
        ...program,
        ...line,
        '--format',
        'json',
        '--out',
        file,
        '--report-dir',
        reports,
      ],
      {
        ...{ cwd: tree.folder, isApart: true, answer },
        env: { ...env, ...ownEnvironment(host.env, home), SYNC_ASKS_STARTER: isRateShared ? 'state, rate' : 'state' },
        limits: {
          ...{ ...most, ...defined({ stop }) },
          share: { ...share, written: { ...share.written, folder: written } },
        },
      },
    );
    if (ended.limit === 'stop') return { diagnostics: [], isStopped: true };
    if (out !== undefined) await keep(reports, join(out, 'proposals', commit, stack.folder, stack.stack));
    const { plan } = await readPlanFile(file);
    if (plan === undefined) return { diagnostics: whyNone(ended) };
    const authors = await authorsOf(host.world, tree.folder, [`${tree.head}..${commit}`]);
    return { plan, diagnostics: [], authors };
  } finally {
    await close();
  }
}

const reasons: Readonly<Record<NonNullable<Spawned['limit']>, string>> = {
  ...{ time: 'took too long', output: 'printed too much', memory: 'took too much memory' },
  ...{ files: 'wrote too much', processes: 'began too many processes', stop: 'was stopped' },
};

/** What the process said in place of a plan. */
function whyNone(ended: Spawned): readonly Diagnostic[] {
  const { stdout, stderr, failure, signal } = ended;
  const limit = ended.limit ?? (signal === 'SIGABRT' && stderr.includes('heap') ? 'memory' : undefined);
  const said = limit === undefined && failure === undefined ? toldIn(stdout) : [];
  if (hasErrors(said)) return said;
  const why = limit === undefined ? 'came to no result' : reasons[limit];
  const [detail] = (failure ?? (limit === undefined ? stderr : '')).trim().split('\n');
  return [
    {
      severity: 'error',
      code: 'proposal-stopped',
      summary: `The plan of the proposal ${why}.`,
      ...(detail === undefined || detail === '' ? {} : { detail }),
      hint: 'Plan it in its pipeline: sync plan --untrusted --base REF',
    },
  ];
}

/** Of `{ok: false, diagnostics}`, where it printed that. */
function toldIn(text: string): readonly Diagnostic[] {
  try {
    const value: unknown = parsedJson(text);
    return isTold(value) ? value.diagnostics : [];
  } catch {
    return [];
  }
}

function isTold(value: unknown): value is { readonly diagnostics: readonly Diagnostic[] } {
  return typeof value === 'object' && value !== null && 'diagnostics' in value && Array.isArray(value.diagnostics);
}

async function keep(reports: string, out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const entry of await readdir(reports, { withFileTypes: true }))
    if (entry.isFile()) await copyFile(join(reports, entry.name), join(out, entry.name));
}

interface Reviewed {
  readonly config: ProjectConfig;
  /** What its files read of the environment, without what leads to the database. */
  readonly env: Readonly<Record<string, string>>;
}

/** The stack as the commit at HEAD has it. */
async function reviewed(host: Host, head: string, folder: string, stack: string): Promise<Reviewed> {
  const base = await checkOut(host.world, folder, head, 'tip');
  try {
    const read = new Set<string>();
    const { config, variables } = await opened(host, { ...base, stack }, recording(host.env, read));
    const env = new Map<string, string>();
    for (const name of new Set([...read, ...variables])) {
      const value = ownMember(host.env, name);
      if (value === undefined || name.startsWith('PG')) continue;
      const without = { ...host.env, [name]: nothing(value) };
      const other = { ...base, stack };
      const isOfState =
        JSON.stringify(config.state).includes(JSON.stringify(value).slice(1, -1)) &&
        (await stateOf(host, other, without)) !== JSON.stringify(config.state);
      env.set(name, isOfState ? nothing(value) : value);
    }
    return { config, env: Object.fromEntries(env) };
  } finally {
    await base.close();
  }
}

/** Where the state would be with other variables. */
async function stateOf(
  host: Host,
  { folder: cwd = '', stack }: { readonly folder?: string; readonly stack: string },
  env: Host['env'],
): Promise<string | undefined> {
  const packages = await host.packages();
  const given = { ...{ cwd, env, stack, packages, purpose: 'plan', world: host.world }, isOffline: true } as const;
  const { project } = await host.openProject(given);
  await project?.close();
  return JSON.stringify(project?.config.state);
}

/** In place of an address, or of a part of one, whose kind it has. */
function nothing(value: string): string {
  return URL.canParse(value) ? 'postgres://127.0.0.1/asked' : 'asked-of-the-worker';
}

/** Notes which variables are asked for by name; a list of them is not given. */
function recording(env: Host['env'], read: Set<string>): Host['env'] {
  return new Proxy(
    { ...env },
    {
      get: (all, name) => {
        const value: unknown = Reflect.get(all, name);
        if (typeof name === 'string' && typeof value === 'string') read.add(name);
        return value;
      },
      ownKeys: () => [],
    },
  );
}

interface Opened {
  readonly config: ProjectConfig;
  /** Variables that its providers read where sync.yaml says nothing. */
  readonly variables: readonly string[];
}

async function opened(
  host: Host,
  { folder: cwd = '', stack }: { readonly folder?: string; readonly stack: string },
  env: Host['env'],
): Promise<Opened> {
  const packages = await host.packages();
  const { project, diagnostics } = await host.openProject({
    ...{ cwd, env, stack, packages, purpose: 'plan', world: host.world },
  });
  if (project === undefined) throw new DiagnosticError(diagnostics);
  try {
    const { desired } = await project.validate();
    const types = [...(desired?.resources.values() ?? [])].map(({ type }) => type.split(':')[0] ?? '');
    const used = new Set([...types, ...Object.keys(project.config.providers)]);
    const names = project.packages.names.filter((name) => used.has(name));
    const variables = await Promise.all(
      names.map(async (name) =>
        variablesOf(await project.packages.load(name), ownMember(project.config.providers, name) ?? {}),
      ),
    );
    // Opening the state says whether its address may be asked at all.
    await project.state();
    return { config: project.config, variables: variables.flat() };
  } finally {
    await project.close();
  }
}

/** A block that names one secret leaves no other to the environment: that may be of another stack. */
function variablesOf({ settings }: ProviderPackage, block: JsonObject): readonly string[] {
  const isSaid = Object.entries(settings).some(([name, { secret }]) => secret && name in block);
  return Object.entries(settings).flatMap(([name, { env, secret }]) =>
    name in block || (secret && isSaid) ? [] : env,
  );
}

/** What every program on this machine needs; nothing of the user who runs the worker. */
const common = [
  ...['PATH', 'Path', 'SystemRoot', 'LANG', 'LC_ALL', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SYNC_CLIENT_CERT', 'SYNC_CLIENT_KEY'],
];

function ownEnvironment(env: Host['env'], home: string): Readonly<Record<string, string>> {
  const given = common.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return {
    ...Object.fromEntries(given),
    ...{ HOME: home, USERPROFILE: home, TMPDIR: home, TEMP: home, TMP: home },
    ...{ GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
  };
}

const leftOver = 'sync-proposal-';

/** What a worker that was killed could not remove. */
async function removeLeftOver(world: Host['world']): Promise<void> {
  const old = world.now() - 4 * most.ms;
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(leftOver)) continue;
    const path = join(tmpdir(), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < old) await rm(path, { recursive: true, force: true });
  }
}
