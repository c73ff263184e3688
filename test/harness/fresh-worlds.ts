import { afterAll, beforeAll, beforeEach } from 'vitest';
import { makeWorld, type World } from './world.js';

/** One platform and project folder for the tests around this call: each test begins with an empty platform and without state. */
export function freshWorlds(use: (world: World) => void, always: Parameters<typeof makeWorld>[1] = {}): void {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({}, always);
    use(world);
  });
  beforeEach(async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
  });
  afterAll(() => world.close());
}
