import { type JsonObject, isJsonObject } from '../json.js';
import type { World } from '../store/world.js';
import { managedField } from '../wire.js';
import {
  type FilterField,
  type FilterTable,
  type Operator,
  type Value,
  idOperators,
  textOperators,
  timeOperators,
} from './filter.js';

/** What a list can be asked. Names stand apart by blanks. */
interface Questions {
  /** Path of the collection whose objects it shows, wherever they lie; its own unless given. */
  readonly of?: string;
  readonly ids?: string;
  readonly texts?: string;
  readonly times?: string;
  readonly flags?: string;
  /** `filter[labels.team]`. */
  readonly maps?: string;
  /** `labels=team:payments`. */
  readonly labels?: string;
  readonly sorts?: string;
  /** Fields with other operators than their kind has. */
  readonly operators?: Readonly<Record<string, readonly Operator[]>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Fields that objects don't hold themselves. */
  readonly reads?: Readonly<Record<string, (object: JsonObject, world: World) => Value>>;
}

const portal = 'name description rbac_enabled auto_approve_applications auto_approve_developers default_domain';
const approvals = 'rbac_enabled auto_approve_developers auto_approve_applications';
const nameOf =
  (kind: string, member: string) =>
  (object: JsonObject, world: World): Value =>
    textOf(world.rows(kind).get(String(object[member]))?.['name']);
const inside =
  (...members: readonly string[]) =>
  (object: JsonObject): Value => {
    const found = members
      .slice(0, -1)
      .map((member) => object[member])
      .find(isJsonObject);
    return textOf(found?.[members.at(-1) ?? '']);
  };

/** By path. A list that is not here takes filters of any name, by equality and by part. */
export const questions: Readonly<Record<string, Questions>> = {
  '/v3/apis': {
    ids: 'id',
    texts: 'name version implementation_mode',
    times: 'created_at updated_at',
    maps: 'labels attributes',
    sorts: 'name version created_at updated_at',
    reads: { implementation_mode: ({ id }, world) => implementationMode(world, String(id)) },
  },
  '/v3/apis/{}/versions': { texts: 'version type', sorts: 'created_at' },
  '/v3/apis/{}/documents': { texts: 'status' },
  '/v3/api-implementations': {
    of: '/v3/apis/{}/implementations',
    ids: 'id api_id service_id control_plane_id',
    times: 'created_at updated_at',
    sorts: 'id api_id control_plane_id service_id created_at updated_at',
    reads: {
      service_id: inside('service', 'id'),
      control_plane_id: inside('service', 'control_plane', 'control_plane_id'),
    },
  },
  '/v3/api-publications': {
    of: '/v3/apis/{}/publications',
    ids: 'portal_id api_id auth_strategy_id',
    texts: 'portal_name api_name entity_type',
    sorts: 'portal_id portal_name api_id api_name created_at updated_at',
    reads: {
      portal_name: nameOf('portals', 'portal_id'),
      api_name: nameOf('apis', 'api_id'),
      auth_strategy_id: ({ auth_strategy_ids: ids }) => (Array.isArray(ids) ? ids.map(String) : null),
      entity_type: () => 'api',
    },
  },
  '/v2/api-products': { texts: 'name', labels: 'labels public_labels', sorts: 'name' },
  '/v2/api-products/{}/documents': {},
  '/v2/application-auth-strategies': { texts: 'name display_name strategy_type' },
  '/v3/portals': {
    ids: 'id default_application_auth_strategy_id',
    texts: 'name description default_api_visibility default_page_visibility default_domain canonical_domain',
    flags: `authentication_enabled ${approvals}`,
    sorts: `${portal} authentication_enabled canonical_domain created_at updated_at`,
  },
  '/v3/portals/{}/pages': { texts: 'slug' },
  '/v3/portals/{}/snippets': { texts: 'name' },
  '/v3/portals/{}/teams': { texts: 'name' },
  '/v3/portals/{}/teams/{}/assigned-roles': {},
  '/v2/portals': {
    ids: 'id',
    texts: 'name description default_domain custom_domain custom_client_domain',
    flags: `is_public ${approvals}`,
    sorts: `${portal} is_public custom_domain custom_client_domain created_at updated_at`,
  },
  '/v2/control-planes': {
    ids: 'id cluster_type',
    texts: 'name',
    flags: 'cloud_gateway',
    labels: 'labels',
    sorts: 'created_at',
    operators: { id: ['eq', 'oeq'], name: ['eq', 'neq', 'contains'] },
    reads: {
      cluster_type: inside('config', 'cluster_type'),
      cloud_gateway: ({ config }) => isJsonObject(config) && config['cloud_gateway'] === true,
    },
  },
  '/v2/cloud-gateways/networks': {
    ids: 'state',
    texts: 'name',
    choices: { state: ['created', 'initializing', 'offline', 'ready', 'terminating', 'terminated'] },
  },
  '/v2/cloud-gateways/provider-accounts': {},
  '/v1/mesh/control-planes': {},
  '/v3/teams': {
    texts: 'name',
    maps: 'labels',
    operators: { name: ['eq', 'contains'], labels: ['eq', 'contains', 'exists'] },
  },
  '/v3/system-accounts': {
    texts: 'name description',
    flags: managedField,
    operators: { name: ['eq', 'contains'], description: ['eq', 'contains'] },
  },
  '/v2/users': {},
};

/** Which kind of implementation an API has. */
export function implementationMode(world: World, api: string): string | null {
  const [first] = world.rows('implementations').find('api_id', api);
  if (first === undefined) return null;
  return first['service'] === undefined ? 'access_control_enforcement' : 'gateway_entity_binding';
}

function textOf(value: unknown): Value {
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : undefined;
}

const names = (text = ''): readonly string[] => text.split(' ').filter((name) => name !== '');

function readOf({ reads }: Questions, name: string, world: World): FilterField['read'] {
  const read = reads?.[name];
  return read === undefined ? (object) => textOf(object[name]) : (object) => read(object, world);
}

/** How a list of a world is asked. */
interface Asked {
  readonly filters: FilterTable;
  /** Undefined where the list has no sort and does not look at the parameter. */
  readonly sorts: Readonly<Record<string, FilterField['read']>> | undefined;
  /** Names of the `labels`-style parameters, which are those of the members. */
  readonly labels: readonly string[];
}

const known = new WeakMap<World, Map<string, Asked>>();

/** How the list at a path is asked; undefined where it takes filters of any name. */
export function askedOf(world: World, path: string): Asked | undefined {
  const asked = questions[path];
  const before = known.get(world) ?? new Map<string, Asked>();
  known.set(world, before);
  const found = before.get(path);
  if (found !== undefined || asked === undefined) return found;
  const made = { filters: filtersOf(asked, world), sorts: sortsOf(asked, world), labels: names(asked.labels) };
  before.set(path, made);
  return made;
}

function filtersOf(asked: Questions, world: World): FilterTable {
  const field = (name: string, usual: readonly Operator[]): [string, FilterField] => [
    name,
    {
      operators: asked.operators?.[name] ?? usual,
      read: readOf(asked, name, world),
      ...(asked.choices?.[name] === undefined ? {} : { choices: asked.choices[name] }),
      isOwn: asked.reads?.[name] === undefined,
    },
  ];
  return {
    fields: Object.fromEntries([
      ...names(asked.ids).map((name) => field(name, idOperators)),
      ...names(asked.texts).map((name) => field(name, textOperators)),
      ...names(asked.times).map((name) => field(name, timeOperators)),
      ...names(asked.flags).map((name): [string, FilterField] => [
        name,
        { operators: [], boolean: true, read: readOf(asked, name, world) },
      ]),
    ]),
    maps: Object.fromEntries(names(asked.maps).map((name) => [name, asked.operators?.[name] ?? textOperators])),
  };
}

function sortsOf(asked: Questions, world: World): Readonly<Record<string, FilterField['read']>> | undefined {
  if (asked.sorts === undefined) return undefined;
  return Object.fromEntries(names(asked.sorts).map((name) => [name, readOf(asked, name, world)]));
}
