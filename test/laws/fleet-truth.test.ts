import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { FleetReport } from '@platform-sync/core/model/fleet';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { builtProgram } from '../harness/built.js';
import { lawRuns } from './runs.js';

/** Each has an API and a document that somebody changed by hand: whoever calls it clean has not seen that. */
const teams = ['one', 'two'];
let program: RealProgram;

const catalogue = (team: string): string => `resources:
  api:
    type: platform:Api
    properties: { name: ${team}, description: as recorded }
    children:
      page: { type: platform:ApiDocument, properties: { title: Page, content: as recorded } }
`;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'test-token' }, { empty: true });
  await program.write({
    'fleet.yaml': "projects: ['teams/*']\n",
    ...Object.fromEntries(
      teams.flatMap((team) => [
        [`teams/${team}/sync.yaml`, `project: ${team}\ntiming: { retries: 0, settleSeconds: 0 }\n`],
        [`teams/${team}/catalogue/all.yaml`, catalogue(team)],
      ]),
    ),
  });
  for (const team of teams) {
    await program.run('apply', '--yes', '--cwd', `teams/${team}`);
    await copyFile(state(team), `${state(team)}.kept`);
  }
  const objects = (await program.call('GET', '/_sandbox/objects')) as Readonly<
    Record<string, readonly { readonly id: string }[]>
  >;
  // One stack drifts in its API, the other in what the API holds.
  await program.call('POST', `/_sandbox/objects/apis/${objects['apis']?.[0]?.id ?? ''}`, { description: 'by hand' });
  await program.call('POST', `/_sandbox/objects/documents/${objects['documents']?.[1]?.id ?? ''}`, {
    content: 'by hand',
  });
});
afterAll(() => program.close());

const state = (team: string): string => join(program.folder, 'teams', team, '.sync/state.db');

/** What a stack's state may be instead of what it was. */
const states: Readonly<Record<string, (team: string) => Promise<void>>> = {
  kept: async () => undefined,
  empty: async () => undefined,
  anothers: (team) => copyFile(`${state(teams.find((one) => one !== team) ?? team)}.kept`, state(team)),
  damaged: (team) => writeFile(state(team), 'SQLite format 3\0 and no more'),
  'a folder': (team) => mkdir(state(team)),
};

async function prepare(kind: string): Promise<void> {
  for (const team of teams) {
    for (const end of ['', '-wal', '-shm']) await rm(`${state(team)}${end}`, { recursive: true, force: true });
    if (kind === 'kept') await copyFile(`${state(team)}.kept`, state(team));
    await states[kind]?.(team);
  }
}

/** From a request on the token is worth nothing. */
const expiredOf = fc.integer({ min: 1, max: 9 }).map((from) =>
  Array.from({ length: 30 }, (_, at) => ({
    ...{ match: { route: '/v3/**' }, nth: from + at, action: { status: 401 } },
  })),
);

const faultOf = fc.record({
  match: fc.record({
    method: fc.constant('GET'),
    route: fc.constantFrom('/v3/apis', '/v3/apis/{apiId}', '/v3/apis/**', '/**'),
  }),
  nth: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  action: fc.oneof(
    fc.constantFrom(400, 401, 403, 404, 408, 500, 502, 503).map((status) => ({ status })),
    fc.constantFrom('before', 'after-commit').map((reset) => ({ reset })),
    fc
      .constantFrom('data', 'meta', 'id', 'name', 'description', 'content', 'updated_at')
      .map((dropField) => ({ dropField })),
  ),
});

/** What a check leaves that is killed when the platform has been asked so often. */
async function killedAfter(requests: number): Promise<void> {
  await program.call('DELETE', '/_sandbox/requests');
  const hangs = { match: { route: '/v3/**' }, nth: requests + 1, action: { delayMs: 60_000 } };
  await program.call('PUT', '/_sandbox/faults', [hangs]);
  const child = spawn(process.execPath, [await builtProgram(), 'fleet', 'check'], {
    ...{ cwd: program.folder, env: { ...process.env, ...program.env }, stdio: 'ignore' },
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && (await seen()) <= requests);
  child.kill('SIGKILL');
  await ended;
  await program.call('PUT', '/_sandbox/faults', []);
}

async function seen(): Promise<number> {
  return ((await program.call('GET', '/_sandbox/requests')) as { readonly total: number }).total;
}

async function mustSeeBoth(...words: readonly string[]): Promise<void> {
  const { out } = await program.run('fleet', ...words, '--format', 'json');
  const { rows } = JSON.parse(out) as FleetReport;
  const clean = rows.filter((row) => row.state === 'clean' || row.state === 'waiting');
  if (rows.length !== teams.length || clean.length > 0) throw new Error(JSON.stringify(rows, null, 1));
}

/** How often each kind of trouble was met, as `npm run soak -- --minutes 60 --runs 1000 test/laws/fleet-truth.test.ts` tells. */
const met = new Map<string, number>();
const count = (kind: string): void => void met.set(kind, (met.get(kind) ?? 0) + 1);

type Trouble = (() => Promise<void>) & { readonly kind: string };

const trouble = (kind: string, make: () => Promise<void>): Trouble => Object.assign(make, { kind });

const answers = (kind: string) => (faults: unknown) =>
  trouble(kind, async () => {
    await program.call('PUT', '/_sandbox/faults', JSON.parse(JSON.stringify(faults)));
    await mustSeeBoth('check');
    await program.call('PUT', '/_sandbox/faults', []);
  });

const troubles: fc.Arbitrary<readonly [string, Trouble]> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.tuple(
      fc.constantFrom('kept', 'kept', 'kept', ...Object.keys(states)),
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.array(faultOf, { minLength: 1, maxLength: 3 }).map(answers('wrong answers')),
        },
        expiredOf.map(answers('a token that expires')),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('kept'),
      fc.integer({ min: 0, max: 8 }).map((requests) =>
        trouble('a check that is killed', async () => {
          await killedAfter(requests);
          // Neither then, nor by what the killed one has read.
          for (const kind of ['status', 'check']) await mustSeeBoth(kind);
        }),
      ),
    ),
  },
);

it('a fleet never calls a stack clean that is not, whatever the platform answers, whatever became of the state, and whichever check was killed', async () => {
  await fc.assert(
    fc.asyncProperty(troubles, async ([kind, meet]) => {
      await prepare(kind);
      await meet();
      count(kind === 'kept' ? meet.kind : `${meet.kind}, and the state is ${kind}`);
    }),
    { numRuns: lawRuns(75) },
  );
  const all = [...met].sort(([, a], [, b]) => b - a);
  const sum = all.reduce((before, [, times]) => before + times, 0);
  if (process.env['SYNC_LAW_RUNS'] !== undefined)
    process.stdout.write(`${sum} times nothing was called clean:\n${all.map((one) => one.join(': ')).join('\n')}\n`);
});
