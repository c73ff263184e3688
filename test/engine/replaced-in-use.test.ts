import { expect, it } from 'vitest';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

it('a plan says what still refers to an object that is deleted to be made again', async () => {
  const [strategyType, keyAuth] = ['key_auth', { keyNames: ['X-Key'] }];
  await world.write({
    'sync.yaml': 'project: test\n',
    'catalogue/all.yaml': {
      resources: {
        keys: {
          type: 'platform:ApplicationAuthStrategy',
          properties: { name: 'own-keys', displayName: 'Keys', strategyType, keyAuth },
          options: { deleteBeforeReplace: true },
        },
        portal: {
          type: 'platform:Portal',
          properties: { name: 'P', defaultApplicationAuthStrategyId: '${keys.id}' },
        },
      },
    },
  });
  expect((await world.apply()).status).toBe('done');
  const { plan } = await world.open((project) => project.plan({ replace: ['keys'] }));
  expect(plan?.notices.find(({ code }) => code === 'replaced-in-use')?.summary).toBe(
    'keys is deleted before it is made again, while portal refers to it: the platform may refuse that.',
  );
});
