import { describe, expect, it } from 'vitest';
import { planReports } from '@platform-sync/report/reports';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

// Names that every plain object has from its prototype.
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

describe('a resource may have any name', () => {
  let world: World;
  freshWorlds((made) => (world = made));

  const write = (name: string, description?: string): Promise<void> =>
    world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 100}\n',
      'catalogue/all.yaml': `resources:\n  other: { type: platform:Api, properties: { version: '1' } }\n${
        description === undefined
          ? ''
          : `  ${name}:
    type: platform:Api
    properties: { name: Named, version: '1', description: ${description}, labels: { constructor: x }, attributes: { constructor: [y] } }
    options: { ignoreChanges: [] }
    children:
      ${name}: { type: platform:ApiDocument, properties: { title: T, content: c } }
`
      }outputs: { constructor: '${'$'}{other.id}', toString: one }\n`,
    });

  it.each(names)('%s: made, changed, checked, removed and destroyed', async (name) => {
    await write(name, 'one');
    // Every report names its lines and its outputs.
    expect([...planReports(await world.plan()).values()].join('\n')).not.toContain('[native code]');
    const { steps } = await world.apply();
    expect(steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
    await write(name, 'two');
    expect((await world.plan()).steps.map(({ address, action }) => `${action} ${address}`)).toEqual([`update ${name}`]);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    expect((await world.open((project) => project.drift())).findings).toEqual([]);
    await write(name);
    expect((await world.plan()).steps.map(({ action }) => action)).toEqual(['delete', 'delete']);
    await world.apply();
    await write(name, 'three');
    await world.apply();
    await world.apply({ mode: 'destroy' });
    expect((await world.open(async (project) => (await project.state()).read())).resources.size).toBe(0);
  });
});
