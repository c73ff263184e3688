import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import { Memory } from '@platform-sync/engine/memory/memory';
import type { OpenOptions, PlanResult } from '@platform-sync/engine/api';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import type { Lie, LyingPlatform, PlatformAnswer } from '../harness/lying-platform.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';
import { type CatalogueData, hurried, type World } from '../harness/world.js';
import { Chance } from '../simulator/chance.js';
import { lies, wrongAnswer } from '../simulator/lies.js';
import type { Answer } from '../simulator/service.js';

let world: World;
let platform: LyingPlatform;
let close: LyingWorld['close'];
const database = new MemoryDatabase();
const openState: NonNullable<OpenOptions['openState']> = ({ project, stack }) =>
  Promise.resolve(memoryStateStore(project, stack, database));

/** The simulator's lie about every list of this platform: the same about the same page, whoever asks and however often. */
function lieOf(name: string): Lie {
  return (path, query, { text, ...right }) => {
    const body = right.status === 200 ? (JSON.parse(text) as Json) : null;
    if (!isObject(body) || !Array.isArray(body['data'])) return undefined;
    const page = query.get('page[number]') ?? '1';
    const chance = new Chance(7, `${path} ${page}`);
    return answered(wrongAnswer(name, { status: 200, body: spoken(body) }, chance), right);
  };
}

/** The answer in the simulator's words, where the number of all items is a member of its own. */
function spoken({ data = null, meta = null, ...others }: JsonObject): JsonObject {
  const page = isObject(meta) && isObject(meta['page']) ? meta['page'] : {};
  return { ...others, items: data, total: page['total'] ?? null, next: 'next' };
}

function answered({ status, body, headers }: Answer, right: Omit<PlatformAnswer, 'text'>): PlatformAnswer {
  const type = headers?.['content-type'] ?? right.type;
  if (!isObject(body ?? null))
    return { status, type, text: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') };
  const { items, total, next: _next, ...others } = body as JsonObject;
  const said = {
    ...others,
    ...(items === undefined ? {} : { data: items }),
    ...(total === undefined ? {} : { meta: { page: { total } } }),
  };
  return { status, type, text: JSON.stringify(said) };
}

/** What stands for the plan: all of it but the moment. */
const told = ({ plan, diagnostics }: PlanResult): Json =>
  JSON.parse(JSON.stringify({ plan: plan && { ...plan, meta: { ...plan.meta, createdAt: '' } }, diagnostics })) as Json;

/** A plan from memory, if it knows something, is the one that knows nothing; says whether it was. `learns`: and is remembered. */
async function agree(learns: boolean): Promise<boolean> {
  const options: OpenOptions = {
    ...{ cwd: world.folder, env: world.env, purpose: 'test', packages: providerPackages, settleSeconds: 0, openState },
    world: hurried.world ?? realWorld,
  };
  const { project } = await openProject(options);
  if (project === undefined) throw new Error('the project does not open');
  try {
    const memory = new Memory({ project, options, env: world.env, world: realWorld, open: openProject }, Date.now(), 1);
    const warm = await memory.plan({}, true);
    const cold = await project.plan();
    if (warm !== undefined) expect(told(warm)).toEqual(told(cold));
    if (learns) await memory.learnPlan({}, await memory.planAnew({}), true);
    return warm !== undefined;
  } finally {
    await project.close();
  }
}

beforeAll(async () => {
  ({ world, platform, close } = await lyingWorld());
  // Lists of several pages, with something in them that nobody manages.
  platform.limitPages(2);
  await world.call('POST', '/v3/apis', { name: 'Of somebody else', version: '1' });
  const children = Object.fromEntries(
    [1, 2, 3].map((nth) => [
      `doc${nth}`,
      { type: 'platform:ApiDocument', properties: { title: `T${nth}`, content: 'x' } },
    ]),
  );
  const api = (nth: number): JsonObject => ({
    type: 'platform:Api',
    properties: { name: `API ${nth}`, version: '1' },
    ...(nth === 3 ? { children } : {}),
  });
  const file = (nth: number): [string, CatalogueData] => [
    `catalogue/${nth}.yaml`,
    { resources: { [`api${nth}`]: api(nth) } },
  ];
  await world.write(Object.fromEntries([0, 1, 2, 3].map(file)));
  await world.open(async (project) => expect((await project.apply(await project.plan())).status).toBe('done'), {
    openState,
  });
});
afterAll(() => close());

describe('a list that is wrong is what it is without a memory', () => {
  const memory = (): string => join(world.folder, '.sync', 'memory.db');
  const forget = async (): Promise<void> => {
    for (const companion of ['', '-wal', '-shm']) await rm(`${memory()}${companion}`, { force: true });
  };

  it('while a list that is right is known', async () => {
    await agree(true);
    expect(await agree(false)).toBe(true);
    await copyFile(memory(), join(world.folder, 'right.db'));
  });

  it.each(lies)('%s', async (lie) => {
    await forget();
    await copyFile(join(world.folder, 'right.db'), memory());
    platform.tell(lieOf(lie));
    await agree(true);
    // What was heard of it is not believed of one that is right.
    platform.tell();
    await agree(false);
  });
});
