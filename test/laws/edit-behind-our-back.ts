import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { World } from '../harness/world.js';
import type { RandomEdit } from './random-catalogue.js';

const collections = [
  ...['apis', 'documents', 'implementations', 'products', 'product-documents'],
  ...['versions', 'publications', 'portal-pages', 'portal-snippets', 'portal-teams'],
];
/** Of these the platform has some from the start, which others need. */
const startedWith: Readonly<Record<string, RegExp>> = { portals: /^Front \d/, 'auth-strategies': /^keys \d/ };

/** Ids of the versions that the `specContent` of an API ever lived on, whatever others have written into them since. */
const ownVersions = new WeakMap<World, Set<string>>();

/** Changes objects on the platform as others would. */
export async function editBehindOurBack(world: World, edits: readonly RandomEdit[]): Promise<void> {
  const own = ownVersions.get(world) ?? new Set<string>();
  ownVersions.set(world, own);
  for (const { pick, kind } of edits) {
    const { body } = await world.call('GET', '/_sandbox/objects');
    const dump = body as Readonly<Record<string, readonly JsonObject[]>>;
    for (const { id, content } of dump['versions'] ?? []) if (isOfOurApi(content)) own.add(String(id));
    const objects = [...collections, ...Object.keys(startedWith)].flatMap((collection) =>
      (dump[collection] ?? [])
        .filter(({ name }) => startedWith[collection]?.test(String(name)) !== false)
        .map((object) => ({ collection, id: String(object['id']) })),
    );
    const object = objects[pick % Math.max(1, objects.length)];
    if (object === undefined) continue;
    await world.call(
      'POST',
      `/_sandbox/objects/${object.collection}/${encodeURIComponent(object.id)}`,
      patchOf(own.has(object.id) && kind === 'name' ? 'text' : kind, object.collection),
    );
  }
}

/**
 * The version that an API's `specContent` lives on as. Its name tells it: renamed, while the same apply makes another one
 * the current version, it counts as missing once, and is made anew (docs/guides/drift.md).
 */
function isOfOurApi(content: Json | undefined): boolean {
  return typeof content === 'string' && /title: S\d/.test(content);
}

function patchOf(kind: RandomEdit['kind'], collection: string): Json {
  const isDocument = collection.endsWith('documents');
  if (kind === 'delete' || collection === 'implementations') return { $delete: true };
  if (collection === 'versions') return versionPatches[kind];
  if (collection === 'publications') return { visibility: kind === 'text' ? 'public' : 'private' };
  if (collection === 'portals') return { display_name: 'Clicked', authentication_enabled: kind === 'text' };
  if (collection === 'auth-strategies') return { display_name: 'Clicked' };
  if (collection === 'portal-teams') return { description: 'Clicked' };
  if (collection.startsWith('portal-'))
    return kind === 'text' ? { content: 'clicked' } : { status: 'unpublished', visibility: 'private' };
  if (isDocument) return kind === 'text' ? { content: 'clicked' } : { status: 'unpublished' };
  if (kind === 'text') return { description: 'clicked' };
  return kind === 'labels' ? { labels: { clicked: 'yes' } } : { name: `Clicked ${collection}` };
}

const versionPatches: Readonly<Record<Exclude<RandomEdit['kind'], 'delete'>, Json>> = {
  text: { content: 'openapi: 3.0.3\ninfo: {title: Clicked, version: "1"}\npaths: {}\n' },
  labels: { content: null },
  name: { version: 'clicked' },
};
