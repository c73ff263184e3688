import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

/**
 * What the platform deletes together with an object is left to that object's own delete: no request of its own, and
 * nothing that the plan does not show ends unseen.
 */

let world: World;
freshWorlds((made) => (world = made));

const guards = 'guards: {maxDeletes: 1000, maxDeletePercent: 100}\n';

const pets = (more: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name: 'Pets' },
  children: {
    first: { type: 'platform:ApiDocument', properties: { title: 'First', content: 'one' } },
    second: {
      type: 'platform:ApiDocument',
      properties: { title: 'Second', content: 'two' },
      children: { leaf: { type: 'platform:ApiDocument', properties: { title: 'Leaf', content: 'leaf' } } },
    },
    ...more,
  },
});

const write = (resources: JsonObject, more = '') =>
  world.write({ 'sync.yaml': `project: test\n${guards}${more}`, 'catalogue/all.yaml': { resources } });

async function objects(kind: string): Promise<readonly JsonObject[]> {
  const { body } = await world.call('GET', '/_sandbox/objects');
  return (body as Record<string, readonly JsonObject[]>)[kind] ?? [];
}

/** Plans the end of everything, does what happens meanwhile, and applies. */
function destroyAfter(meanwhile: () => Promise<unknown>) {
  return world.open(async (project) => {
    const planned = await project.plan({ mode: 'destroy' });
    await meanwhile();
    await world.resetRequests();
    return project.apply(planned);
  });
}

async function sent(method: string): Promise<number> {
  const { byRoute } = await world.requests();
  return Object.entries(byRoute)
    .filter(([route]) => route.startsWith(`${method} `))
    .reduce((sum, [, count]) => sum + count, 0);
}

async function idOf(kind: string, field: string, value: Json): Promise<string> {
  const found = (await objects(kind)).find((row) => row[field] === value);
  return String(found?.['id']);
}

const nothing = () => Promise.resolve();

describe('the delete of an API', () => {
  it('carries those of all its documents: one call, every step done, nothing left in state', async () => {
    await write({ pets: pets() });
    await world.apply();
    const result = await destroyAfter(nothing);
    expect(result.status).toBe('done');
    expect(result.steps.map(({ action, address, outcome }) => [action, address, outcome]).sort()).toEqual([
      ['delete', 'pets', 'done'],
      ['delete', 'pets/first', 'done'],
      ['delete', 'pets/second', 'done'],
      ['delete', 'pets/second/leaf', 'done'],
    ]);
    expect(await sent('DELETE')).toBe(1);
    expect(await objects('apis')).toEqual([]);
    await write({});
    expect((await world.plan()).steps).toEqual([]);
    // The delete, looks at it and at its documents, and at publications and implementations, which may be in it.
    expect((await world.requests()).total).toBe(1 + 2 + 2);
  });

  it('is sent to one that is gone already, too, and never to what was in it', async () => {
    await write({ pets: pets() });
    await world.apply();
    const result = await destroyAfter(async () => {
      await world.call('DELETE', `/v3/apis/${await idOf('apis', 'name', 'Pets')}`);
    });
    expect(result.status).toBe('done');
    expect(await sent('DELETE')).toBe(1);
  });

  it.each([
    [500, 'failed'],
    [403, 'skipped'],
  ])(
    'that is answered with %i says of its documents that they %s: only a refusal is known',
    async (status, outcome) => {
      await write({ pets: pets() }, 'timing: {retries: 0}\n');
      await world.apply();
      const match = { method: 'DELETE', route: '/v3/apis/{apiId}' };
      const { steps } = await destroyAfter(() =>
        world.call('PUT', '/_sandbox/faults', [{ match, action: { status } }]),
      );
      const told = steps.map((step) => [step.address, step.outcome]).sort();
      const inside = ['pets/first', 'pets/second', 'pets/second/leaf'];
      expect(told).toEqual([['pets', 'failed'], ...inside.map((address) => [address, outcome])]);
    },
  );

  it('goes on where a document is gone already', async () => {
    await write({ pets: pets() });
    await world.apply();
    const result = await destroyAfter(async () => {
      const api = await idOf('apis', 'name', 'Pets');
      await world.call('DELETE', `/v3/apis/${api}/documents/${await idOf('documents', 'title', 'First')}`);
    });
    expect(result.status).toBe('done');
    expect(await sent('DELETE')).toBe(1);
  });
});

const newcomer = async () => {
  const api = await idOf('apis', 'name', 'Pets');
  await world.call('POST', `/v3/apis/${api}/documents`, { title: 'By hand', content: 'precious' });
};

describe('an API that was planned to hold nothing', () => {
  const bare = { type: 'platform:Api', properties: { name: 'Pets' } };

  it('is not deleted when somebody has put a document into it since the plan', async () => {
    await write({ pets: bare });
    await world.apply();
    const { steps } = await destroyAfter(newcomer);
    expect(steps[0]?.diagnostics?.[0]?.summary).toMatch(/^pets holds ApiDocument .*, which the plan does not show/);
    expect(await sent('DELETE')).toBe(0);
  });

  it('is not deleted either when one answer denies the list that shows it', async () => {
    await write({ pets: bare });
    await world.apply();
    const { steps } = await destroyAfter(async () => {
      await newcomer();
      const match = { method: 'GET', route: '/v3/apis/{apiId}/documents' };
      await world.call('PUT', '/_sandbox/faults', [{ match, action: { status: 404 }, times: 1 }]);
    });
    expect(steps[0]?.diagnostics?.[0]?.summary).toMatch(/^pets holds ApiDocument .*, which the plan does not show/);
    expect(await sent('DELETE')).toBe(0);
  });

  it('is looked into once more, and ends when nothing came', async () => {
    await write({ pets: bare });
    await world.apply();
    expect((await destroyAfter(nothing)).status).toBe('done');
    expect((await world.requests()).byRoute['GET /v3/apis/{apiId}/documents']).toBe(1);
  });

  it('ends with what the plan shows, and somebody has allowed', async () => {
    await write({ pets: bare });
    await world.apply();
    await newcomer();
    const allow = [{ guard: 'goes-along:pets', reason: 'a test' }];
    const result = await world.open(async (project) => project.apply(await project.plan({ mode: 'destroy', allow })));
    expect(result.status).toBe('done');
  });
});

describe('a portal whose team goes with it', () => {
  it('is not deleted when somebody has given the team a role since the plan', async () => {
    const team = { type: 'platform:PortalTeam', properties: { name: 'Partners' } };
    await write({ front: { type: 'platform:Portal', properties: { name: 'front' }, children: { team } } });
    await world.apply();
    const role = {
      ...{ role_name: 'API Viewer', entity_type_name: 'Services', entity_region: 'eu' },
      entity_id: '11111111-1111-4111-8111-111111111111',
    };
    const { steps } = await destroyAfter(async () => {
      const home = `/v3/portals/${await idOf('portals', 'name', 'front')}/teams/${await idOf('portal-teams', 'name', 'Partners')}`;
      expect((await world.call('POST', `${home}/assigned-roles`, role)).status).toBe(201);
    });
    const told = steps.flatMap(({ diagnostics = [] }) => diagnostics.map(({ summary }) => summary));
    expect(told[0]).toMatch(/^front holds PortalTeamRole .*, which the plan does not show/);
    expect(await sent('DELETE')).toBe(0);
  });
});

describe('an API is not deleted, nor anything in it,', () => {
  const edited = async () => {
    const document = await idOf('documents', 'title', 'Leaf');
    await world.call('POST', `/_sandbox/objects/documents/${document}`, { content: 'edited by hand' });
  };
  const unlisted = () =>
    world.call('PUT', '/_sandbox/faults', [
      { match: { method: 'GET', route: '/v3/apis/{apiId}/documents' }, action: { status: 403 } },
    ]);

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'when somebody put a document into it since the plan',
      newcomer,
      /holds ApiDocument .*, which the plan does not show/,
    ],
    ['when a document in it was edited since the plan', edited, /pets\/second\/leaf was changed on the platform/],
  ])('%s', async (_when, meanwhile, words) => {
    await write({ pets: pets() });
    await world.apply();
    const result = await destroyAfter(meanwhile);
    expect(result.status).toBe('failed');
    expect(await sent('DELETE')).toBe(0);
    const failed = result.steps.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ address }) => address)).toEqual(['pets']);
    expect(failed[0]?.diagnostics?.[0]).toMatchObject({
      code: 'changed-since-plan',
      summary: expect.stringMatching(words) as string,
    });
    expect(result.steps.filter(({ outcome }) => outcome === 'skipped').map(({ because }) => because)).toEqual([
      'pets',
      'pets',
      'pets',
    ]);
  });

  it('when what is in it cannot be listed', async () => {
    await write({ pets: pets() });
    await world.apply();
    const result = await destroyAfter(unlisted);
    expect(result.status).toBe('failed');
    expect(await sent('DELETE')).toBe(0);
    expect((await objects('documents')).length).toBe(3);
  });
});

describe('documents are deleted one by one', () => {
  it.each<[string, () => Promise<unknown>, number]>([
    ['where their API stays', () => write({ pets: { type: 'platform:Api', properties: { name: 'Pets' } } }), 3],
    [
      'where the API held something unmanaged before the plan',
      async () => {
        await world.call('POST', `/v3/apis/${await idOf('apis', 'name', 'Pets')}/documents`, {
          title: 'By hand',
          content: 'x',
        });
        await write({ other: { type: 'platform:Api', properties: { name: 'Other' } } });
      },
      4,
    ],
  ])('%s', async (_where, change, deletes) => {
    await write({ pets: pets() });
    await world.apply();
    await change();
    await world.resetRequests();
    await world.apply({ allow: [{ guard: 'goes-along:pets', reason: 'test' }] });
    expect(await sent('DELETE')).toBe(deletes);
  });
});
