import type { Json, JsonObject } from '../../src/engine/model/value.js';
import { lyingPlatform } from '../harness/lying-platform.js';
import type { LyingPlatform } from '../harness/lying-platform.js';
import { makeWorld } from '../harness/world.js';
import type { World } from '../harness/world.js';

/** The collections that one stack reads; a path may be a pattern of one object's place. */
export const collections = {
  Api: /^\/v3\/apis$/,
  ApiDocument: /^\/v3\/apis\/[^/]+\/documents$/,
  ApiImplementation: /^\/v3\/api-implementations$/,
  ApiProduct: /^\/v2\/api-products$/,
  ApiProductDocument: /^\/v2\/api-products\/[^/]+\/documents$/,
} as const;

export type CollectionName = keyof typeof collections;

const document = (title: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, slug: title.toLowerCase(), content: `# ${title}` },
  ...more,
});
const page = (title: string): JsonObject => ({
  type: 'platform:ApiProductDocument',
  properties: { title, slug: title.toLowerCase(), status: 'published', content: `# ${title}` },
});

/** Something of every type, and in every collection more than one object where the platform allows it. */
export const catalogue: JsonObject = {
  resources: {
    pets: {
      type: 'platform:Api',
      properties: { name: 'Pets', version: '1', description: 'All pets', labels: { team: 'x' } },
      children: {
        guide: document('Guide', { children: { nested: document('Nested') } }),
        faq: document('Faq'),
        gateway: {
          type: 'platform:ApiImplementation',
          properties: { controlPlaneReference: { controlPlane: { id: '${plane}' } } },
        },
      },
    },
    cats: {
      type: 'platform:Api',
      properties: { name: 'Cats', description: 'All cats', attributes: { domain: ['cats'] } },
      children: {
        start: document('Start'),
        gateway: {
          type: 'platform:ApiImplementation',
          properties: { controlPlaneReference: { controlPlane: { id: '${plane}' } } },
        },
      },
    },
    shop: {
      type: 'platform:ApiProduct',
      properties: { name: 'Shop', description: 'Sells', portalIds: [] },
      children: { terms: page('Terms'), prices: page('Prices') },
    },
    cafe: { type: 'platform:ApiProduct', properties: { name: 'Cafe', portalIds: [] } },
  },
};

export interface EvidenceWorld {
  readonly world: World;
  readonly platform: LyingPlatform;
  close(): Promise<void>;
}

/** A stack that was applied and is at rest, and a platform that can be made to lie about it. */
export async function evidenceWorld(): Promise<EvidenceWorld> {
  const world = await makeWorld();
  const { body } = await world.call('GET', '/v2/control-planes');
  const plane = ((body as { data: { id: string }[] }).data[0] ?? { id: '' }).id;
  const text = JSON.stringify(catalogue).replaceAll('${plane}', plane);
  await world.write({ 'catalogue/all.yaml': JSON.parse(text) as { readonly [key: string]: Json } });
  const platform = await lyingPlatform(world.sandbox.url);
  world.env = { ...world.env, PLATFORM_SERVER_URL: platform.url };
  await world.apply();
  return {
    world,
    platform,
    close: async () => {
      await platform.close();
      await world.close();
    },
  };
}
