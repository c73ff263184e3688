import { lyingPlatform, type LyingPlatform } from './lying-platform.js';
import { makeWorld, type World } from './world.js';

export interface LyingWorld {
  readonly world: World;
  readonly platform: LyingPlatform;
  close(): Promise<void>;
}

/** A world whose platform can be made to lie. */
export async function lyingWorld(...options: Parameters<typeof makeWorld>): Promise<LyingWorld> {
  const world = await makeWorld(...options);
  const platform = await lyingPlatform(world.sandbox.url);
  world.env = { ...world.env, PLATFORM_SERVER_URL: platform.url };
  const close = async (): Promise<void> => {
    await platform.close();
    await world.close();
  };
  return { world, platform, close };
}
