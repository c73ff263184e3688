import type { Json, JsonObject } from '../../src/engine/model/value.js';
import type { World } from '../harness/world.js';
import type { RandomEdit } from './random-catalogue.js';

/** Changes objects on the platform as others would. */
export async function editBehindOurBack(world: World, edits: readonly RandomEdit[]): Promise<void> {
  for (const { pick, kind } of edits) {
    const { body } = await world.call('GET', '/_sandbox/objects');
    const dump = body as Readonly<Record<string, readonly JsonObject[]>>;
    const objects = ['apis', 'documents', 'implementations', 'products', 'product-documents'].flatMap((collection) =>
      (dump[collection] ?? []).map((object) => ({ collection, id: String(object['id']) })),
    );
    const object = objects[pick % Math.max(1, objects.length)];
    if (object === undefined) continue;
    await world.call('POST', `/_sandbox/objects/${object.collection}/${object.id}`, patchOf(kind, object.collection));
  }
}

function patchOf(kind: RandomEdit['kind'], collection: string): Json {
  const isDocument = collection.endsWith('documents');
  if (kind === 'delete' || collection === 'implementations') return { $delete: true };
  if (isDocument) return kind === 'text' ? { content: 'clicked' } : { status: 'unpublished' };
  if (kind === 'text') return { description: 'clicked' };
  return kind === 'labels' ? { labels: { clicked: 'yes' } } : { name: `Clicked ${collection}` };
}
