import type { JsonObject } from '@platform-sync/core/model/value';
import type { Resources } from './inventory.js';

const controlPlane = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';

export const spec = (title: string): string =>
  `openapi: 3.0.3\ninfo: {title: ${JSON.stringify(title)}, version: "1.0"}\npaths: {}\n`;

export function api(name: string, properties: JsonObject = {}, children: Resources = {}): JsonObject {
  return { type: 'platform:Api', properties: { name, version: '1.0', ...properties }, children: { ...children } };
}

export function document(slug: string, properties: JsonObject = {}, children: Resources = {}): JsonObject {
  const own = { title: `Title of ${slug}`, slug, content: `Text of ${slug}`, status: 'published', ...properties };
  return {
    type: 'platform:ApiDocument',
    properties: own,
    ...(Object.keys(children).length > 0 && { children: { ...children } }),
  };
}

/** `service`: 1 to 8, each linked at most once. */
export function implementation(service: number): JsonObject {
  const id = `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b${service.toString(16).padStart(2, '0')}`;
  return {
    type: 'platform:ApiImplementation',
    properties: { serviceReference: { service: { controlPlaneId: controlPlane, id } } },
  };
}

export function version(name: string, title: string): JsonObject {
  return { type: 'platform:ApiVersion', properties: { version: name, specContent: spec(title) } };
}

/** `portal`: 1 to 12. */
export function publication(portal: number, visibility = 'private'): JsonObject {
  const portalId = `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0c${portal.toString(16).padStart(2, '0')}`;
  return { type: 'platform:ApiPublication', properties: { portalId, visibility } };
}

export function product(name: string, properties: JsonObject = {}, children: Resources = {}): JsonObject {
  return { type: 'platform:ApiProduct', properties: { name, portalIds: [], ...properties }, children: { ...children } };
}

export function productDocument(slug: string): JsonObject {
  const properties = { title: `Title of ${slug}`, slug, content: `Text of ${slug}`, status: 'published' };
  return { type: 'platform:ApiProductDocument', properties };
}

/** Named so that it is told from those that the platform has from the start. */
export function portal(name: string, properties: JsonObject = {}, children: Resources = {}): JsonObject {
  return { type: 'platform:Portal', properties: { name: `Front ${name}`, ...properties }, children: { ...children } };
}

export function page(slug: string, properties: JsonObject = {}, children: Resources = {}): JsonObject {
  const own = { slug, title: `Title of ${slug}`, content: `Text of ${slug}`, status: 'published', ...properties };
  return {
    type: 'platform:PortalPage',
    properties: own,
    ...(Object.keys(children).length > 0 && { children: { ...children } }),
  };
}

export function strategy(name: string, properties: JsonObject = {}): JsonObject {
  const own = { strategyType: 'key_auth', keyAuth: { keyNames: ['apikey'] }, displayName: 'Keys' };
  return { type: 'platform:ApplicationAuthStrategy', properties: { name: `keys of ${name}`, ...own, ...properties } };
}

/** One of every type, two levels of documents, and two products that differ in nothing. */
export const everyType: Resources = {
  pets: api(
    'Pets',
    { description: 'All about pets', labels: { team: 'a' }, specContent: spec('Pets') },
    { guide: document('guide', {}, { intro: document('intro') }), impl: implementation(1) },
  ),
  cats: api('Cats', {}, { guide: document('guide'), v2: version('2.0', 'Cats'), shown: publication(1) }),
  shop: product('Shop', { description: 'Sold here' }, { terms: productDocument('terms') }),
  twin: product('Cats twin'),
  other: product('Cats twin'),
  front: portal('door', { description: 'Come in' }, { home: page('home', {}, { more: page('more') }) }),
  keys: strategy('ours'),
};

/** Creates by POST: a publication is put. */
export const createsOfEveryType = 15;

/**
 * The catalogue as it is written: two objects of one key are refused where that can be seen in the files, so one of
 * the twins takes its name from elsewhere.
 */
export function asWritten(resources: Resources): Resources {
  const { other } = resources;
  if (other === undefined) return resources;
  const properties = { ...(other['properties'] as JsonObject), name: '${cats.name} twin' };
  return { ...resources, other: { ...other, properties } };
}

/** From one to the other every kind of step is needed: create, update, replace and delete, of parents and of children. */
export const before: Resources = {
  pets: api('Pets', { specContent: spec('Pets') }, { guide: document('guide', {}, { intro: document('intro') }) }),
  cats: api(
    'Cats',
    { description: 'old', labels: { a: 'b' } },
    { guide: document('guide'), impl: implementation(2), v2: version('2.0', 'Cats'), shown: publication(1, 'public') },
  ),
  gone: api('Gone', {}, { guide: document('guide') }),
  shop: product('Shop', { description: 'old' }),
  twin: product('Cats twin'),
  other: product('Cats twin'),
  front: portal('door', {}, { home: page('home', {}, { more: page('more') }), old: page('old') }),
  back: portal('yard', {}, { home: page('home') }),
  keys: strategy('ours'),
  lost: strategy('yesterday'),
};
export const after: Resources = {
  fresh: api('Fresh', {}, { guide: document('guide') }),
  pets: api(
    'Pets',
    { specContent: spec('Pets, again') },
    { guide: document('guide', {}, { intro: document('intro') }) },
  ),
  cats: api(
    'Cats',
    { description: 'new' },
    {
      guide: document('guide', { content: 'new' }),
      impl: implementation(3),
      v2: version('2.0', 'Cats, again'),
      shown: publication(2),
    },
  ),
  shop: product('Shop', { description: 'new', labels: { x: 'y' } }),
  other: product('Cats twin', { description: 'no twin any more' }),
  front: portal(
    'door',
    { description: 'new' },
    { home: page('home', { content: 'new' }, { more: page('more', { status: 'unpublished' }) }), fresh: page('fresh') },
  ),
  keys: strategy('ours', { displayName: 'Other keys' }),
};
