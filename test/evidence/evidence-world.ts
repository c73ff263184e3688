import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';

/** The collections that one stack reads; a path may be a pattern of one object's place. */
export const collections = {
  Api: /^\/v3\/apis$/,
  ApiDocument: /^\/v3\/apis\/[^/]+\/documents$/,
  ApiVersion: /^\/v3\/apis\/[^/]+\/versions$/,
  ApiPublication: /^\/v3\/api-publications$/,
  ApiImplementation: /^\/v3\/api-implementations$/,
  ApiProduct: /^\/v2\/api-products$/,
  ApiProductDocument: /^\/v2\/api-products\/[^/]+\/documents$/,
  Portal: /^\/v3\/portals$/,
  PortalPage: /^\/v3\/portals\/[^/]+\/pages$/,
  PortalSnippet: /^\/v3\/portals\/[^/]+\/snippets$/,
  PortalTeam: /^\/v3\/portals\/[^/]+\/teams$/,
  ApplicationAuthStrategy: /^\/v2\/application-auth-strategies$/,
} as const;

export type CollectionName = keyof typeof collections;

const document = (title: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, slug: title.toLowerCase(), content: `# ${title}` },
  ...more,
});
const version = (name: string): JsonObject => ({
  type: 'platform:ApiVersion',
  properties: { specContent: `openapi: 3.0.3\ninfo: {title: T, version: "${name}"}\npaths: {}\n` },
});
const publication = (portal: number): JsonObject => ({
  type: 'platform:ApiPublication',
  properties: { portalId: `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c0${portal}`, authStrategyIds: null },
});
const page = (title: string): JsonObject => ({
  type: 'platform:ApiProductDocument',
  properties: { title, slug: title.toLowerCase(), status: 'published', content: `# ${title}` },
});
const sitePage = (slug: string, more: JsonObject = {}): JsonObject => ({
  type: 'platform:PortalPage',
  properties: { slug, title: slug, content: `# ${slug}` },
  ...more,
});
const strategy = (name: string): JsonObject => ({
  type: 'platform:ApplicationAuthStrategy',
  properties: { name, displayName: name, strategyType: 'key_auth', keyAuth: { keyNames: ['x-key'] } },
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
        v1: version('1'),
        v2: version('2'),
        shown: publication(1),
        seen: publication(2),
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
    site: {
      type: 'platform:Portal',
      properties: { name: 'site' },
      children: {
        home: sitePage('home', { children: { below: sitePage('below') } }),
        news: sitePage('news'),
        footer: { type: 'platform:PortalSnippet', properties: { name: 'footer', content: 'Bye' } },
        header: { type: 'platform:PortalSnippet', properties: { name: 'header', content: 'Hi' } },
        partners: { type: 'platform:PortalTeam', properties: { name: 'Partners' } },
        friends: { type: 'platform:PortalTeam', properties: { name: 'Friends' } },
      },
    },
    intranet: { type: 'platform:Portal', properties: { name: 'intranet' } },
    keys: strategy('own-keys'),
    others: strategy('other-keys'),
  },
};

/** A stack that was applied and is at rest, and a platform that can be made to lie about it. */
export async function evidenceWorld(): Promise<LyingWorld> {
  const lying = await lyingWorld();
  const { world } = lying;
  const { body } = await world.call('GET', '/v2/control-planes');
  const plane = ((body as { data: { id: string }[] }).data[0] ?? { id: '' }).id;
  const text = JSON.stringify(catalogue).replaceAll('${plane}', plane);
  await world.write({ 'catalogue/all.yaml': JSON.parse(text) as { readonly [key: string]: Json } });
  await world.apply();
  return lying;
}
