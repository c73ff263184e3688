import type { ConformanceCase, ConformanceFacts } from '@platform-sync/kit/index';
import { definitions } from '../../scripts/generate/definitions.js';
import { style } from '@platform-sync/platform/style';
import { restType } from '@platform-sync/rest/rest-type';
import { portal, rows } from '../conformance/rows.js';
import { expectedOf, factOf, type Expected } from '../facts/facts.js';

/** What the sandbox's portals show until somebody says otherwise. */
const firstPicture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** What the description of the service says of each type, apart from what the rows walk through; the row of a type may say it, too. */
const facts: Readonly<Record<string, ConformanceFacts>> = {
  'platform:Api': {
    key: 'name version',
    required: [],
    parent: [],
    unique: ['name version'],
    shows: [],
    // What an API was made with lives on as its version.
    stored: { spec_content: String(rows[0]?.properties['specContent']) },
    another: (nth) => ({ name: `Api ${nth}` }),
  },
  'platform:ApiDocument': {
    key: 'apiId parentDocumentId slug',
    required: ['apiId', 'content'],
    parent: ['apiId'],
    unique: ['apiId parentDocumentId slug'],
    shows: ['status'],
    others: other('platform:ApiDocument', { apiId: '${pets.id}', content: 'Other' }),
    another: (nth) => ({ apiId: '${pets.id}', title: `Page ${nth}`, content: 'x' }),
  },
  'platform:ApiVersion': {
    key: 'apiId version',
    required: ['apiId', 'specContent'],
    parent: ['apiId'],
    unique: ['apiId version'],
    shows: [],
    another: (nth) => ({ apiId: '${pets.id}', version: `v${nth}`, specContent: `openapi: 3.0.${nth}` }),
  },
  'platform:ApiPublication': {
    key: 'apiId portalId',
    required: ['apiId', 'portalId'],
    parent: ['apiId'],
    unique: ['apiId portalId'],
    shows: ['visibility'],
    another: (nth) => ({ apiId: `\${many-${nth}.id}`, portalId: portal(1) }),
    anotherNeeds: (nth) => ({ [`many-${nth}`]: { type: 'platform:Api', properties: { name: `Many ${nth}` } } }),
  },
  'platform:Portal': {
    key: 'name',
    required: [],
    parent: [],
    unique: ['name'],
    shows: [
      ...['authenticationEnabled', 'autoApproveDevelopers', 'rbacEnabled'],
      ...['defaultApiVisibility', 'defaultPageVisibility'],
    ],
    another: (nth) => ({ name: `Portal ${nth}` }),
  },
  'platform:PortalPage': {
    key: 'portalId parentPageId slug',
    required: ['portalId', 'slug', 'content'],
    parent: ['portalId'],
    unique: ['portalId parentPageId slug'],
    shows: ['status', 'visibility'],
    others: other('platform:PortalPage', { portalId: '${front.id}', slug: 'other', content: 'Other' }),
    another: (nth) => ({ portalId: '${front.id}', slug: `page-${nth}`, content: 'x' }),
  },
  'platform:PortalSnippet': {
    key: 'portalId name',
    required: ['portalId', 'content'],
    parent: ['portalId'],
    unique: ['portalId name'],
    shows: ['status', 'visibility'],
    another: (nth) => ({ portalId: '${front.id}', name: `snippet-${nth}`, content: 'x' }),
  },
  'platform:PortalTeamRole': {
    key: 'entityId entityRegion entityTypeName portalId roleName teamId',
    required: ['portalId', 'teamId', 'roleName', 'entityId', 'entityTypeName', 'entityRegion'],
    parent: ['teamId'],
    unique: ['entityId entityRegion entityTypeName portalId roleName teamId'],
    shows: [],
    another: (nth) => ({
      ...{ portalId: '${front.id}', teamId: '${partners.id}', roleName: `Role ${nth}`, entityId: '${pets.id}' },
      ...{ entityTypeName: 'Services', entityRegion: 'eu' },
    }),
  },
  'platform:PortalCustomization': inPortal({ remains: { css: null, robots: null } }),
  'platform:PortalAuth': inPortal({
    secret: ['oidcClientSecret'],
    remains: { basic_auth_enabled: true, idp_mapping_enabled: false },
  }),
  'platform:PortalLogo': inPortal({ required: ['portalId', 'data'], remains: { data: firstPicture } }),
  'platform:PortalFavicon': inPortal({ required: ['portalId', 'data'], remains: { data: firstPicture } }),
  'platform:PortalCustomDomain': inPortal({
    required: ['portalId', 'hostname', 'enabled', 'domainVerificationMethod'],
    unique: ['portalId', 'hostname'],
    secret: ['customPrivateKey'],
    shows: ['enabled'],
  }),
  'platform:ApplicationAuthStrategy': {
    key: 'name',
    required: ['displayName', 'strategyType'],
    parent: [],
    unique: [],
    shows: [],
    another: (nth) => ({ name: `Keys ${nth}`, displayName: 'Keys', strategyType: 'key_auth', keyAuth: {} }),
  },
  'platform:PortalTeam': {
    key: 'portalId name',
    required: ['portalId'],
    parent: ['portalId'],
    unique: ['portalId name'],
    shows: [],
    another: (nth) => ({ portalId: '${front.id}', name: `Team ${nth}` }),
  },
  'platform:ApiImplementation': {
    key: 'apiId',
    required: ['apiId'],
    parent: ['apiId'],
    unique: ['apiId', 'serviceReference'],
    shows: [],
  },
  'platform:ApiProduct': {
    key: 'name',
    required: ['portalIds'],
    parent: [],
    unique: [],
    shows: ['portalIds'],
    another: (nth) => ({ name: `Product ${nth}`, portalIds: [] }),
  },
  'platform:ApiProductDocument': {
    key: 'apiProductId slug',
    required: ['apiProductId', 'slug', 'title', 'status'],
    parent: ['apiProductId'],
    unique: ['apiProductId slug'],
    shows: ['status'],
    others: other('platform:ApiProductDocument', { apiProductId: '${bundle.id}', slug: 'other', status: 'published' }),
    another: (nth) => ({ apiProductId: '${bundle.id}', slug: `p-${nth}`, title: `Page ${nth}`, status: 'published' }),
  },
};

/** What a portal has one of. */
function inPortal(more: ConformanceFacts): ConformanceFacts {
  return {
    ...{ key: 'portalId', required: ['portalId'], parent: ['portalId'], unique: ['portalId'], shows: [] },
    ...more,
  };
}

function other(type: string, properties: Readonly<Record<string, string>>): NonNullable<ConformanceFacts['others']> {
  return { other: { type, properties: { title: 'Other', ...properties } } };
}

/** What follows from the description only on a second look: that method is a member of a record, and a change's record has it not. */
const corrected: Readonly<Record<string, 'replace'>> = {
  'platform:PortalCustomDomain.domainVerificationMethod': 'replace',
};

const known: readonly ConformanceCase[] = rows
  .filter(({ type }) => type.startsWith('platform:'))
  .map((row) => ({ ...row, ...facts[row.type] }));

export const platformCases: readonly ConformanceCase[] = known.map((row) => ({
  ...row,
  dies: known
    .flatMap((other) => (homesOf(other).includes(row.type) ? [other.type.replace('platform:', '')] : []))
    .sort(),
  ...described(row),
}));

/** Types of what an object lies in: the platform deletes it with each of them. */
function homesOf({ parent: [field = ''] = [], properties, needs }: ConformanceCase): readonly string[] {
  const key = /^\$\{(\w+)\.id\}$/.exec(String(properties[field]))?.[1] ?? '';
  const type = needs[key]?.['type'];
  const above = known.find((row) => row.type === type);
  return above === undefined ? [] : [above.type, ...homesOf(above)];
}

/** What must be secret, and what must replace, as the service's description says and no definition does. */
function described(row: ConformanceCase): Pick<ConformanceCase, 'changes' | 'secret'> {
  const definition = definitions.find(({ name }) => row.type === `platform:${name}`);
  const fact = definition === undefined ? undefined : factOf(definition);
  if (row.type === 'platform:PortalTeamRole') return { changes: row.changes, secret: [] };
  if (definition === undefined || fact === undefined) throw new Error(`the description knows no ${row.type}`);
  const rest = restType(definition, style);
  const expected = (field: string): Expected | undefined => expectedOf(rest, fact, field);
  const changes = Object.entries(row.changes).map(([field, change]) => {
    const action = expected(field)?.action;
    if (action === undefined) throw new Error(`the description knows no ${row.type}.${field}`);
    return [field, { ...change, action: corrected[`${row.type}.${field}`] ?? action }] as const;
  });
  return {
    changes: Object.fromEntries(changes),
    secret: [...(row.secret ?? []), ...Object.keys(row.changes).filter((field) => expected(field)?.secret === true)],
  };
}
