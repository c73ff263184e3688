// `npm start -- --fleet`: ten stacks on the sandbox, their state and their jobs on an embedded PostgreSQL, and two workers. Leaves the
// page in the folder that it names. `--console`: a console as well, with people who need no password, until Ctrl-C.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildFleet } from '../src/fleet/build.mjs';
import { startLoginProvider } from '../test/harness/login-provider.js';
import { startPostgres } from '../test/postgres/server.js';

const program = fileURLToPath(new URL('../bin/sync.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'platform-sync-fleet-'));
const teams = Array.from({ length: 10 }, (_, at) => `team${at}`);
const running: ChildProcess[] = [];
/** Who may log in at the made-up provider, each with a role. */
const people = ['viewer', 'planner', 'approver', 'operator'].map((role) => ({
  ...{ sub: role, email: `${role}@demo.example`, name: role, groups: [role] },
}));

const consolePort = 8200;

const begun = performance.now();

await buildFleet();
// Ctrl-C reaches this process alone: what it started ends in order, and what is used by others last. A second one waits for nothing.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()));
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
const server = await startPostgres({ isApart: true });
try {
  await Promise.race([show(), once(stop.signal, 'abort')]);
} finally {
  for (const child of running.toReversed()) await ended(child);
  await server.stop();
}
process.exit();

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function show(): Promise<void> {
  const sandbox = start({}, 'sandbox', '--port', '0', '--empty', '--rate-limit', '1000');
  const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  const env = {
    ...{ PLATFORM_SERVER_URL: url, PLATFORM_TOKEN: 'any-token-will-do' },
    SYNC_STATE_URL: await server.createDatabase(),
  };
  const isConsole = process.argv.includes('--console');
  const provider = isConsole ? await startLoginProvider('sync', people) : undefined;
  writeProjects(provider === undefined ? '' : consoleSettings(provider.issuer));
  if (isConsole) commitAll();
  say(`Ten stacks in ${folder}, one fleet.yaml, and two workers, as on two machines.`);
  for (const number of [1, 2]) {
    const worker = start(env, 'fleet', 'work');
    createInterface({ input: worker.stdout }).on('line', (text) => console.log(`  worker ${number}: ${text}`));
  }
  await queued(env, 'apply');
  say('Somebody changes an API by hand; the next check finds it.');
  await changeByHand(url);
  await queued(env, 'check');
  say('Who needs somebody, since when, why:');
  console.log(await sync(env, 'fleet', 'status', '--out', 'site'));
  console.log(`The page: ${join(folder, 'site/index.html')} (${Math.round((performance.now() - begun) / 1_000)} s)`);
  if (isConsole) await showConsole(env);
  await provider?.close();
}

function consoleSettings(issuer: string): string {
  const roles = people.map(({ sub }) => `    - { role: ${sub}, groups: [${sub}] }\n`).join('');
  return `console:\n  url: http://127.0.0.1:${String(consolePort)}\n  login: { issuer: '${issuer}', client: sync }\n  roles:\n${roles}`;
}

/** Until Ctrl-C. */
async function showConsole(env: Readonly<Record<string, string>>): Promise<void> {
  const served = start(env, 'console', '--port', String(consolePort));
  const [line] = (await once(createInterface({ input: served.stdout }), 'line')) as [string];
  say(`${line} Log in as a viewer, planner, approver or operator: no password is asked.`);
  await once(served, 'exit');
}

function say(text: string): void {
  console.log(`\n${text}`);
}

function writeProjects(more: string): void {
  writeFileSync(
    join(folder, 'fleet.yaml'),
    `name: demo\nprojects: ['teams/*']\nrequestsPerMinute: 900\nschedule: { plan: 1h }\n${more}`,
  );
  for (const team of teams) {
    const place = join(folder, 'teams', team);
    mkdirSync(join(place, 'catalogue'), { recursive: true });
    writeFileSync(
      join(place, 'sync.yaml'),
      `project: ${team}\nstate: { backend: postgres, url: !env SYNC_STATE_URL }\n`,
    );
    writeFileSync(
      join(place, 'catalogue/apis.yaml'),
      `resources:\n  orders: { type: platform:Api, properties: { name: ${team} orders, description: Orders of ${team} } }\n`,
    );
  }
}

/** What a button of the console writes into the catalogue is an edit of what is committed. */
function commitAll(): void {
  const who = ['-c', 'user.name=demo', '-c', 'user.email=demo@demo.example', '-c', 'commit.gpgsign=false'];
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'Ten stacks'],
  ])
    execFileSync('git', [...who, ...words], { cwd: folder });
}

/** Asks for a job of every stack, and waits until none is left. */
async function queued(env: Readonly<Record<string, string>>, kind: string): Promise<void> {
  say(`$ sync fleet queue ${kind} '*'`);
  await sync(env, 'fleet', 'queue', kind, '*');
  while (!(await sync(env, 'fleet', 'queue')).startsWith('No job waits'))
    await new Promise((go) => setTimeout(go, 300));
}

async function changeByHand(url: string): Promise<void> {
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v3/apis?page[size]=1`, { headers });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  const body = JSON.stringify({ description: 'changed by hand' });
  await fetch(`${url}/_sandbox/objects/apis/${data[0]?.id ?? ''}`, { method: 'POST', headers, body });
}

type Running = ChildProcess & { readonly stdout: NodeJS.ReadableStream };

function start(env: Readonly<Record<string, string>>, ...argv: readonly string[]): Running {
  stop.signal.throwIfAborted();
  const child = spawn(process.execPath, [program, ...argv], {
    ...{ cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  });
  running.push(child);
  return child;
}

/** What a command prints; status ends with a code that says what it found. */
async function sync(env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<string> {
  const child = start(env, ...argv);
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  await once(child, 'close');
  return text;
}
