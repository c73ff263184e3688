import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** A catalogue's `resources:` as data. */
export type Resources = Readonly<Record<string, JsonObject>>;

/**
 * One line an object, with the fields that these tests use, sorted: what a catalogue asks for, worked out without the
 * engine. Ids are left out, so that it can be compared with what the platform holds.
 */
export function wantedObjects(resources: Resources): readonly string[] {
  return Object.entries(resources)
    .flatMap(([key, resource]) => wanted(key, resource, ''))
    .sort();
}

/** The same catalogue whose APIs and products say whose they are. */
export function markedResources(resources: Resources, stack: string): Resources {
  const marked = (key: string, resource: JsonObject): JsonObject => {
    const properties = (resource['properties'] ?? {}) as JsonObject;
    const mark = { 'platform-sync-stack': stack, 'platform-sync-address': key };
    return { ...resource, properties: { ...properties, labels: { ...(properties['labels'] as JsonObject), ...mark } } };
  };
  return Object.fromEntries(Object.entries(resources).map(([key, resource]) => [key, marked(key, resource)]));
}

function wanted(key: string, resource: JsonObject, above: string): readonly string[] {
  const properties = (resource['properties'] ?? {}) as JsonObject;
  const path = pathOf(key, resource, properties, above);
  const children = Object.entries((resource['children'] ?? {}) as Resources);
  return [lineOf(String(resource['type']), path, properties), ...children.flatMap(([k, r]) => wanted(k, r, path))];
}

function pathOf(key: string, resource: JsonObject, properties: JsonObject, above: string): string {
  if (['platform:ApiImplementation', 'platform:ApiPublication'].includes(text(resource['type']))) return above;
  if (resource['type'] === 'platform:ApiVersion') return above;
  const own = properties['slug'] ?? properties['name'] ?? key;
  const version = resource['type'] === 'platform:Api' ? `@${text(properties['version'])}` : '';
  return `${above === '' ? '' : `${above}/`}${text(own)}${version}`;
}

function lineOf(type: string, path: string, p: JsonObject): string {
  switch (type) {
    case 'platform:Api':
      return `api ${path} ${text(p['description'])} ${labels(p['labels'])} spec=${text(p['specContent']).length}`;
    case 'platform:ApiProduct':
      return `product ${path} ${text(p['description'])} ${labels(p['labels'])}`;
    case 'platform:ApiImplementation':
      return `implementation of ${path}`;
    case 'platform:ApiVersion':
      return `version ${path} ${text(p['version'])} ${text(p['specContent']).length}`;
    case 'platform:ApiPublication':
      return `publication of ${path} at ${text(p['portalId'])} ${text(p['visibility'] ?? 'private')}`;
    case 'platform:Portal':
      return `portal ${path} ${text(p['description'])}`;
    case 'platform:ApplicationAuthStrategy':
      return `strategy ${path} ${text(p['displayName'])}`;
    default:
      return `${type === 'platform:PortalPage' ? 'page' : 'document'} ${path} ${text(p['title'])} ${text(p['status'] ?? 'unpublished')} ${text(p['content'])}`;
  }
}

interface Row {
  readonly [field: string]: Json;
  readonly id: string;
}

/** What `GET /_sandbox/objects` answers. */
export type Dump = Readonly<Record<string, readonly Row[]>>;

/** The same lines for what the platform holds. */
export function existingObjects(dump: Dump): readonly string[] {
  const rows = (name: string): readonly Row[] => dump[name] ?? [];
  const byId = new Map(Object.values(dump).flatMap((list) => list.map((row) => [row.id, row] as const)));
  const path = (row: Row): string => {
    const above = ['parent_document_id', 'parent_page_id', 'api_id', 'api_product_id', 'portal_id'];
    const parent = byId.get(text(above.map((name) => row[name]).find((id) => text(id) !== '')));
    if (parent !== undefined) return `${path(parent)}/${text(row['slug'])}`;
    return text(row['name']) + ('version' in row ? `@${text(row['version'])}` : '');
  };
  const apiOf = (row: Row): string => {
    const api = byId.get(text(row['api_id']));
    return api === undefined ? 'nothing' : path(api);
  };
  const isOwn = (row: Row): boolean => isOwnVersion(dump, row);
  const spec = new Map(
    rows('versions')
      .filter(isOwn)
      .map((row) => [text(row['api_id']), text(row['content']).length]),
  );
  return [
    ...rows('apis').map(
      (row) => `api ${path(row)} ${text(row['description'])} ${labels(row['labels'])} spec=${spec.get(row.id) ?? 0}`,
    ),
    ...rows('products').map((row) => `product ${path(row)} ${text(row['description'])} ${labels(row['labels'])}`),
    ...rows('implementations').map((row) => `implementation of ${apiOf(row)}`),
    ...rows('versions').flatMap((row) =>
      isOwn(row) ? [] : [`version ${apiOf(row)} ${text(row['version'])} ${text(row['content']).length}`],
    ),
    ...rows('publications').map(
      (row) => `publication of ${apiOf(row)} at ${text(row['portal_id'])} ${text(row['visibility'])}`,
    ),
    ...own(dump, 'portals').map((row) => `portal ${path(row)} ${text(row['description'])}`),
    ...rows('portal-pages').map(
      (row) => `page ${path(row)} ${text(row['title'])} ${text(row['status'])} ${text(row['content'])}`,
    ),
    ...own(dump, 'auth-strategies').map((row) => `strategy ${path(row)} ${text(row['display_name'])}`),
    ...[...rows('documents'), ...rows('product-documents')].map(
      (row) => `document ${path(row)} ${text(row['title'])} ${text(row['status'])} ${text(row['content'])}`,
    ),
  ].sort();
}

/** Ids of everything that a catalogue can have made by itself; a publication is known by its portal. */
export function existingIds(dump: Dump): readonly string[] {
  const kinds = ['apis', 'products', 'implementations', 'documents', 'product-documents', 'portal-pages'];
  return [
    ...[...own(dump, 'portals'), ...own(dump, 'auth-strategies')].map((row) => row.id),
    ...kinds.flatMap((kind) => (dump[kind] ?? []).map((row) => row.id)),
    ...(dump['versions'] ?? []).flatMap((row) => (isOwnVersion(dump, row) ? [] : [row.id])),
    ...(dump['publications'] ?? []).map((row) => text(row['portal_id'])),
  ].sort();
}

/** Portals and strategies without those that the platform has from the start. */
function own(dump: Dump, collection: 'portals' | 'auth-strategies'): readonly Row[] {
  return (dump[collection] ?? []).filter(({ name }) => /^Front |^keys of /.test(text(name)));
}

/** The version that came with an API has the API's own name. */
function isOwnVersion(dump: Dump, row: Row): boolean {
  return dump['apis']?.some(({ id, version }) => id === row['api_id'] && version === row['version']) === true;
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function labels(value: Json | undefined): string {
  return JSON.stringify(Object.entries((value ?? {}) as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)));
}
