import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { keyOf, propertiesOf, types, withNeeded } from './all-types.js';

/** Where the body that makes an object takes its id, a file may say which: it is that object, wherever it came from. */

const choosing = types.filter(({ fields }) => fields['id']?.input === true);

/** An id that only its type decides. */
function idOf(type: ResourceType, which: 'first' | 'other' = 'first'): string {
  const hex = createHash('sha256').update(`${which} ${type.name}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

let world: World;
const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const blocks = (more: (type: ResourceType) => JsonObject): Record<string, JsonObject> =>
  Object.fromEntries(
    [...withNeeded(choosing)].map((type) => [
      keyOf(type),
      { type: type.shortToken, properties: { ...propertiesOf(type, [], 'first'), ...more(type) } },
    ]),
  );
const isChoosing = (type: ResourceType): boolean => choosing.includes(type);
const write = (more: (type: ResourceType) => JsonObject): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: blocks(more) } });
const chosen = (type: ResourceType): JsonObject => (isChoosing(type) ? { id: idOf(type) } : {});
const ids = async (): Promise<ReadonlyMap<string, string>> => {
  const { resources } = await world.open(async (project) => (await project.state()).read());
  return new Map([...resources].map(([address, { identity }]) => [address, identity.id]));
};

beforeAll(async () => void (world = await makeWorld()));
afterAll(() => world.close());

// One life in one world: each step begins where the one before has ended.
describe(`ids that a file says, of ${choosing.length} types`, () => {
  it('are those of the description: gateway objects, and clients of authorization servers', () => {
    expect(choosing.length).toBeGreaterThanOrEqual(130);
    expect(choosing.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GatewayService', 'GatewayRoute', 'GatewayPluginRateLimiting', 'GatewayTarget']),
    );
    expect(types.filter((type) => !isChoosing(type)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GatewayControlPlane', 'Team']),
    );
  });

  it('are those of the objects', async () => {
    await write(chosen);
    await world.apply();
    const made = await ids();
    expect(choosing.filter((type) => made.get(keyOf(type)) !== idOf(type)).map(({ name }) => name)).toEqual([]);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('need not be said for ever', async () => {
    await write(() => ({}));
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('tell the objects to a state that knows nothing of them: none is made twice', async () => {
    const homes = [...withNeeded(choosing)].filter((type) => !isChoosing(type)).map(keyOf);
    const known = await world.open(async (project) => (await project.state()).read());
    world.loseState();
    await world.write({
      'sync.yaml': settings,
      'catalogue/all.yaml': {
        resources: Object.fromEntries(
          Object.entries(blocks(chosen)).map(([address, block]) => [
            address,
            homes.includes(address)
              ? { ...block, options: { import: importId(known.resources.get(address)?.identity) } }
              : block,
          ]),
        ),
      },
    });
    // What lives in another is looked for once that one is known.
    for (let round = 0; round < 4; round += 1) {
      const plan = await world.plan();
      expect(plan.steps.filter(({ action }) => !['adopt', 'create'].includes(action))).toEqual([]);
      await world.apply({ mode: 'adopt' });
    }
    expect(actionsOf(await world.plan())).toEqual([]);
    const now = await ids();
    expect(choosing.filter((type) => now.get(keyOf(type)) !== idOf(type)).map(({ name }) => name)).toEqual([]);
  });

  it('make another object where they are others', async () => {
    const service = types.find(({ name }) => name === 'GatewayService');
    if (service === undefined) throw new Error('no services');
    await write((type) => (type === service ? { id: idOf(type, 'other') } : chosen(type)));
    const { steps } = await world.plan();
    expect(steps.filter(({ address }) => address === keyOf(service))).toMatchObject([
      { action: 'replace', reasons: [{ kind: 'field-forces-replacement', field: 'id' }] },
    ]);
  });
});

function importId(
  identity: { readonly id: string; readonly scope: Readonly<Record<string, string>> } | undefined,
): string {
  if (identity === undefined) throw new Error('nothing is known of a home');
  return identity.id;
}
