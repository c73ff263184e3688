import fc from 'fast-check';
import type { JsonObject } from '@platform-sync/core/model/value';

/** A small world of APIs with all that lives in them, and of products, as generated; turned into a catalogue by `asResources`. */
export interface RandomCatalogue {
  readonly apis: readonly RandomApi[];
  readonly products: readonly {
    readonly name: number;
    readonly labels: Record<string, string>;
    readonly documents: number;
  }[];
  /** Portals of its own. */
  readonly fronts: readonly RandomFront[];
}

interface RandomFront {
  readonly signIn: boolean | null;
  readonly visibility: 'public' | 'private' | null;
  readonly pages: readonly {
    /** As for documents. */
    readonly under: number;
    readonly title: 'body' | 'front matter' | null;
    readonly status: 'published' | 'unpublished' | null;
    readonly visibility: 'public' | 'private' | null;
  }[];
  readonly snippet: boolean;
  readonly team: boolean;
  readonly css: string | null;
  /** How applications sign in. */
  readonly strategy: 'key' | 'provider' | null;
  /** The first API is published there. */
  readonly shows: 'with its strategy' | 'openly' | 'as the portal has it' | null;
}

interface RandomApi {
  readonly version: string | null;
  readonly description: string | null;
  readonly labels: Record<string, string>;
  readonly attributes: Record<string, string[]>;
  readonly slug: string | null;
  readonly spec: number | null;
  readonly service: boolean;
  /** Versions with a specification of their own: what it says, and how it is spelt. */
  readonly versions: readonly { readonly path: number; readonly spelt: 'yaml' | 'json'; readonly called: boolean }[];
  /** Portals it is published to. */
  readonly portals: readonly {
    readonly portal: number;
    readonly visibility: 'public' | null;
    readonly open: boolean;
  }[];
  readonly documents: readonly RandomDocument[];
}

interface RandomDocument {
  /** Index of an earlier document of the same API that is its parent; -1 for none. */
  readonly under: number;
  readonly title: number;
  readonly content: string;
  readonly status: 'published' | 'unpublished' | null;
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'eps');
const labels = fc.dictionary(word, word, { maxKeys: 3 });

const randomDocument: fc.Arbitrary<RandomDocument> = fc.record({
  under: fc.integer({ min: -1, max: 2 }),
  title: fc.nat(3),
  content: fc.constantFrom('one', 'two\nlines', 'with trailing space \n\n', '# Heading\n\n* list\n', ''),
  status: fc.constantFrom('published', 'unpublished', null),
});

const randomApi: fc.Arbitrary<RandomApi> = fc.record({
  version: fc.constantFrom('1.0.0', '2', null),
  description: fc.constantFrom('short', 'long\ntext\n', null),
  labels,
  attributes: fc.dictionary(word, fc.array(word, { minLength: 1, maxLength: 3 }), { maxKeys: 2 }),
  slug: fc.constantFrom('own', null),
  spec: fc.constantFrom(1, 2, null, null, null),
  service: fc.boolean(),
  versions: fc.array(fc.record({ path: fc.nat(2), spelt: fc.constantFrom('yaml', 'json'), called: fc.boolean() }), {
    maxLength: 2,
  }),
  portals: fc.uniqueArray(
    fc.record({
      portal: fc.integer({ min: 1, max: 3 }),
      visibility: fc.constantFrom('public', null),
      open: fc.boolean(),
    }),
    { maxLength: 2, selector: ({ portal }) => portal },
  ),
  documents: fc.array(randomDocument, { maxLength: 4 }),
});

const randomFront: fc.Arbitrary<RandomFront> = fc.record({
  signIn: fc.constantFrom(true, false, null),
  visibility: fc.constantFrom('public', 'private', null),
  pages: fc.array(
    fc.record({
      under: fc.integer({ min: -1, max: 2 }),
      title: fc.constantFrom('body', 'front matter', null),
      status: fc.constantFrom('published', 'unpublished', null),
      visibility: fc.constantFrom('public', 'private', null),
    }),
    { maxLength: 4 },
  ),
  snippet: fc.boolean(),
  team: fc.boolean(),
  css: fc.constantFrom('a {}', null, null),
  strategy: fc.constantFrom('key', 'provider', null),
  shows: fc.constantFrom('with its strategy', 'openly', 'as the portal has it', null),
});

export function randomCatalogueOf(most: {
  readonly apis: number;
  readonly products: number;
  readonly fronts?: number;
}): fc.Arbitrary<RandomCatalogue> {
  const product = fc.record({ name: fc.nat(2), labels, documents: fc.nat(2) });
  return fc.record({
    apis: fc.array(randomApi, { maxLength: most.apis }),
    products: fc.array(product, { maxLength: most.products }),
    fronts: fc.array(randomFront, { maxLength: most.fronts ?? 0 }),
  });
}

export const randomCatalogue = randomCatalogueOf({ apis: 4, products: 2 });
export const randomCatalogueWithPortals = randomCatalogueOf({ apis: 2, products: 1, fronts: 2 });

const seeded = (kind: string, number: number): string =>
  `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kind}${number.toString(16).padStart(2, '0')}`;

/** Catalogue resources by key. Names carry the index, so that two APIs never claim the same name and version. */
export function asResources(catalogue: RandomCatalogue): Record<string, JsonObject> {
  const apis = catalogue.apis.map((api, index) => [`api${index}`, apiResource(api, index)] as const);
  const products = catalogue.products.map((product, index) => {
    const documents = Array.from({ length: product.documents }, (_, number) => [
      `page${number}`,
      {
        type: 'platform:ApiProductDocument',
        properties: {
          title: `Page ${number}`,
          slug: `page-${number}`,
          status: 'published',
          content: `${product.name}`,
        },
      },
    ]);
    const properties = { name: `Product ${index} ${product.name}`, portalIds: [], labels: product.labels };
    return [
      `product${index}`,
      { type: 'platform:ApiProduct', properties, children: Object.fromEntries(documents) },
    ] as const;
  });
  const fronts = catalogue.fronts.flatMap((front, index) => frontResources(front, index, catalogue.apis.length > 0));
  return Object.fromEntries([...apis, ...products, ...fronts]) as Record<string, JsonObject>;
}

/** A portal with what is in it, a strategy, and what is published there. */
function frontResources(
  front: RandomFront,
  index: number,
  anyApi: boolean,
): readonly (readonly [string, JsonObject])[] {
  const key = `front${index}`;
  const children: Record<string, JsonObject> = {};
  front.pages.forEach(({ under, title, status, visibility }, number) => {
    const parent = under >= 0 && under < number ? { parentPageId: `\${${key}/page${under}.id}` } : {};
    const content = title === 'front matter' ? `---\ntitle: Told ${number}\n---\nText\n` : 'Text\n';
    const own = { slug: `page-${number}`, content, status, visibility, title: title === 'body' ? `T${number}` : null };
    children[`page${number}`] = { type: 'platform:PortalPage', properties: { ...compact(own), ...parent } };
  });
  if (front.snippet) children['snippet'] = { type: 'platform:PortalSnippet', properties: { content: 'Text' } };
  if (front.team) children['team'] = { type: 'platform:PortalTeam', properties: { description: 'Ours' } };
  if (front.css !== null) children['look'] = { type: 'platform:PortalCustomization', properties: { css: front.css } };
  const properties = compact({
    name: `Front ${index}`,
    authenticationEnabled: front.signIn,
    defaultPageVisibility: front.visibility,
  });
  const portal: JsonObject = { type: 'platform:Portal', properties, children };
  return [
    [key, portal],
    ...(front.strategy === null ? [] : [[`${key}-keys`, strategyResource(front.strategy, index)] as const]),
    ...(front.shows === null || !anyApi ? [] : [[`${key}-shows`, shownResource(front, key)] as const]),
  ];
}

function strategyResource(strategy: 'key' | 'provider', index: number): JsonObject {
  const byProvider = { issuer: 'https://id.example.com', credentialClaim: ['sub'], scopes: ['a'], authMethods: ['b'] };
  const own: JsonObject =
    strategy === 'key'
      ? { strategyType: 'key_auth', keyAuth: { keyNames: ['apikey'] } }
      : { strategyType: 'openid_connect', openidConnect: byProvider };
  return {
    type: 'platform:ApplicationAuthStrategy',
    properties: { name: `keys ${index}`, displayName: 'Keys', ...own },
  };
}

function shownResource({ shows, strategy }: RandomFront, key: string): JsonObject {
  const own = { apiId: '${api0.id}', portalId: `\${${key}.id}` };
  const signedIn =
    shows === 'with its strategy' && strategy !== null ? { authStrategyIds: [`\${${key}-keys.id}`] } : {};
  const open = shows === 'openly' ? { authStrategyIds: null } : {};
  return { type: 'platform:ApiPublication', properties: { ...own, ...signedIn, ...open } };
}

function apiResource(api: RandomApi, index: number): JsonObject {
  const properties = compact({
    name: `API ${index}`,
    version: api.version,
    description: api.description,
    labels: api.labels,
    attributes: api.attributes,
    slug: api.slug === null ? null : `${api.slug}-${index}`,
    specContent:
      api.spec === null
        ? null
        : `openapi: 3.0.3\ninfo: {title: S${api.spec}, version: "${api.version ?? '1'}"}\npaths: {}\n`,
  });
  const children: Record<string, JsonObject> = {};
  api.documents.forEach((document, number) => {
    const parent =
      document.under >= 0 && document.under < number
        ? { parentDocumentId: `\${api${index}/doc${document.under}.id}` }
        : {};
    const own = compact({
      title: `Title ${document.title}`,
      slug: `doc-${number}`,
      content: document.content,
      status: document.status,
    });
    children[`doc${number}`] = { type: 'platform:ApiDocument', properties: { ...own, ...parent } };
  });
  if (api.service) {
    const service = { service: { controlPlaneId: seeded('0a', 1), id: seeded('0b', index + 1) } };
    children['impl'] = { type: 'platform:ApiImplementation', properties: { serviceReference: service } };
  }
  api.versions.forEach((version, number) => {
    const own = compact({ specContent: specOf(number, version), version: version.called ? `named-${number}` : null });
    children[`version${number}`] = { type: 'platform:ApiVersion', properties: own };
  });
  api.portals.forEach(({ portal, visibility, open }) => {
    const own = compact({ portalId: seeded('0c', portal), visibility });
    const properties = open ? { ...own, authStrategyIds: null } : own;
    children[`portal${portal}`] = { type: 'platform:ApiPublication', properties };
  });
  return { type: 'platform:Api', properties, children };
}

/** Names from 7 on: those of `specContent` are others. */
function specOf(number: number, { path, spelt }: RandomApi['versions'][number]): string {
  const document = {
    openapi: '3.0.3',
    info: { title: 'V', version: `${number + 7}.0.0` },
    paths: { [`/p${path}`]: {} },
  };
  if (spelt === 'json') return JSON.stringify(document);
  return `openapi: 3.0.3\ninfo: {title: V, version: ${number + 7}.0.0}\npaths:\n  /p${path}: {}\n`;
}

function compact(values: Record<string, JsonObject[string] | null>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** An edit behind the tool's back: which object (counted around), and what happens to it. */
export interface RandomEdit {
  readonly pick: number;
  readonly kind: 'delete' | 'text' | 'labels' | 'name';
}

export const randomEdits: fc.Arbitrary<readonly RandomEdit[]> = fc.array(
  fc.record({ pick: fc.nat(50), kind: fc.constantFrom('delete', 'text', 'labels', 'name') }),
  { maxLength: 3 },
);
