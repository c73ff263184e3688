import { sizeOf, type Shape } from '../catalogue.js';
import type { Measurement } from '../measurement.js';
import { inWorld, type Bench, type World } from '../world.js';
import { lifeNames } from './life.js';
import { caseName } from './peers.js';
import { exportArguments, wayNames } from './ways-back.js';

const pageSize = 100;

/** One world, and the least requests of what is done in it. */
export interface LeastCase {
  readonly label: string;
  readonly shape: Shape;
  /** APIs of nobody, and documents that somebody changed. */
  readonly strangers: number;
  readonly changed: number;
  readonly commands: readonly (keyof typeof commands)[];
}

/** The commands of which the least is known, and their rows. */
export const commands = {
  plan: { name: lifeNames.nothing, args: ['plan'] },
  drift: { name: lifeNames.drift, args: ['drift'] },
  refresh: { name: 'refresh', args: ['refresh'] },
  export: { name: wayNames.export, args: exportArguments },
  adopt: { name: wayNames.adopt, args: ['adopt', '--yes'] },
  destroy: { name: wayNames.destroy, args: ['destroy', '--yes'] },
} as const;

const all = ['plan', 'drift', 'refresh', 'export', 'adopt', 'destroy'] as const;
const few = { apis: 10, documents: 1, content: 200 };
const wide = { apis: 1000, documents: 10, content: 200 };
const deep = { apis: 1, documents: 10_000, content: 200 };
const large = { apis: 5000, documents: 9, content: 40 };

/** Small enough for every push: several pages of a list, and one of a single object's. */
export const smallCases: readonly LeastCase[] = [
  { label: '10 × 1', shape: few, strangers: 0, changed: 0, commands: all },
  { label: '120 × 3', shape: { ...wide, apis: 120, documents: 3 }, strangers: 0, changed: 0, commands: all },
  { label: '1 × 300', shape: { ...deep, documents: 300 }, strangers: 0, changed: 0, commands: all },
  {
    ...{ label: '200 × 1, 5 % unmanaged', shape: { ...wide, apis: 200, documents: 1 }, strangers: 10, changed: 0 },
    commands: ['plan', 'drift', 'adopt'],
  },
  {
    ...{ label: 'three changed of 500', shape: { ...large, apis: 50 }, strangers: 0, changed: 3 },
    commands: ['plan', 'drift'],
  },
];

/** The sizes that people ask about: minutes of work. */
export const largeCases: readonly LeastCase[] = [
  { label: '10 × 1', shape: few, strangers: 0, changed: 0, commands: all },
  { label: '1,000 × 10', shape: wide, strangers: 0, changed: 0, commands: all },
  { label: '1 × 10,000', shape: deep, strangers: 0, changed: 0, commands: all },
  { label: '1,000 × 10, 5 % unmanaged', shape: wide, strangers: 50, changed: 0, commands: ['plan', 'drift', 'adopt'] },
  { label: 'three changed of 50,000', shape: large, strangers: 0, changed: 3, commands: ['plan', 'drift'] },
];

/** The least requests of a command, from the objects, what they lie in, and the pages of their lists. */
export function leastRequests(
  command: LeastCase['commands'][number],
  { shape: { apis, documents }, strangers, changed }: LeastCase,
): number {
  // All documents of an API come in one answer.
  const lists = Math.ceil((apis + strangers) / pageSize) + apis;
  const texts = apis * documents;
  switch (command) {
    case 'plan':
    case 'drift':
      // What says something new is asked for its text.
      return lists + changed;
    case 'refresh':
      return lists + texts;
    case 'destroy':
      // The plan and last looks at the same lists, of what lives in them that nobody manages, too; and one call for each API.
      return 2 * (lists + insideRequests) + apis;
    case 'export':
      return lists + texts;
    case 'adopt':
      // The list of APIs, or the only one itself, is the second answer about what documents lie in.
      return lists + texts + (apis === 1 ? 1 : Math.ceil((apis + strangers) / pageSize));
  }
}

/**
 * What is asked for only to know what ends along with APIs: all publications and all implementations, each in one list. Of versions
 * and specifications an API says itself that it has none.
 */
export const insideRequests = 2;

export async function measureLeast(bench: Bench, cases: readonly LeastCase[]): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const each of cases) {
    const setting = { size: sizeOf(each.shape), latencyMs: 0, backend: 'sqlite' } as const;
    rows.push(
      ...(await inWorld(bench, setting, async (world) => {
        await world.write(each.shape);
        await world.sync(['apply', '--yes']);
        await meddle(world, each);
        const measured: Measurement[] = [];
        for (const command of each.commands) {
          const { name, args } = commands[command];
          const before = command === 'adopt' ? () => world.loseState() : () => Promise.resolve();
          measured.push(
            await world.measure(caseName(name, each), args, {
              runs: 1,
              before,
              codes: command === 'drift' ? [0, 2] : [0],
            }),
          );
        }
        return measured;
      })),
    );
  }
  return rows;
}

/** Makes what nobody manages, and changes what somebody manages, by hand. */
async function meddle({ env }: World, { strangers, changed }: LeastCase): Promise<void> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${env['PLATFORM_SERVER_URL'] ?? ''}${path}`, { method, headers, ...sent });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const firstOf = async (path: string): Promise<readonly string[]> =>
    ((await call('GET', path)) as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id);
  for (let at = 0; at < strangers; at++) await call('POST', '/v3/apis', { name: `Foreign ${at}` });
  for (const api of (await firstOf('/v3/apis?page[size]=10')).slice(0, changed)) {
    const [document] = await firstOf(`/v3/apis/${api}/documents`);
    await call('PATCH', `/v3/apis/${api}/documents/${document ?? ''}`, { content: '# By hand\n' });
  }
}
