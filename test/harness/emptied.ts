import type { JsonObject } from '@platform-sync/core/model/value';
import type { World } from './world.js';

/** Takes away what the sandbox has from the start that people could declare: portals, strategies. */
export async function emptied(world: World): Promise<void> {
  const objects = (await world.call('GET', '/_sandbox/objects')).body as Readonly<
    Record<string, readonly JsonObject[]>
  >;
  for (const collection of ['portals', 'auth-strategies'])
    for (const row of objects[collection] ?? [])
      await world.call('POST', `/_sandbox/objects/${collection}/${String(row['id'])}`, { $delete: true });
}
