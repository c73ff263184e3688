import fc from 'fast-check';
import type { JsonObject } from '../../src/engine/model/value.js';

/** A small world of APIs with all that lives in them, and of products, as generated; turned into a catalogue by `asResources`. */
export interface RandomCatalogue {
  readonly apis: readonly RandomApi[];
  readonly products: readonly {
    readonly name: number;
    readonly labels: Record<string, string>;
    readonly documents: number;
  }[];
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

export function randomCatalogueOf(most: {
  readonly apis: number;
  readonly products: number;
}): fc.Arbitrary<RandomCatalogue> {
  const product = fc.record({ name: fc.nat(2), labels, documents: fc.nat(2) });
  return fc.record({
    apis: fc.array(randomApi, { maxLength: most.apis }),
    products: fc.array(product, { maxLength: most.products }),
  });
}

export const randomCatalogue = randomCatalogueOf({ apis: 4, products: 2 });

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
  return Object.fromEntries([...apis, ...products]) as Record<string, JsonObject>;
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
