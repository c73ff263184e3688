import type { ConformanceCase, ConformanceFacts } from '../../src/kit/index.js';
import { definitions } from '../../scripts/generate/definitions.js';
import { style } from '../../src/providers/platform/style.js';
import { restType } from '../../src/providers/rest/rest-type.js';
import type { ConformanceRow } from '../conformance/row.js';
import { portal, rows } from '../conformance/rows.js';
import { expectedOf, factOf } from '../facts/facts.js';
import type { Expected } from '../facts/facts.js';

/** What the description of the service says of each type, apart from what the rows walk through. */
const facts: Readonly<Record<string, ConformanceFacts>> = {
  'platform:Api': {
    key: 'name version',
    required: [],
    parent: [],
    dies: ['ApiDocument', 'ApiImplementation', 'ApiPublication', 'ApiVersion'],
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
    dies: [],
    unique: ['apiId parentDocumentId slug'],
    shows: ['status'],
    others: other('platform:ApiDocument', { apiId: '${pets.id}', content: 'Other' }),
    another: (nth) => ({ apiId: '${pets.id}', title: `Page ${nth}`, content: 'x' }),
  },
  'platform:ApiVersion': {
    key: 'apiId version',
    required: ['apiId', 'specContent'],
    parent: ['apiId'],
    dies: [],
    unique: ['apiId version'],
    shows: [],
    another: (nth) => ({ apiId: '${pets.id}', version: `v${nth}`, specContent: `openapi: 3.0.${nth}` }),
  },
  'platform:ApiPublication': {
    key: 'apiId portalId',
    required: ['apiId', 'portalId'],
    parent: ['apiId'],
    dies: [],
    unique: ['apiId portalId'],
    shows: ['visibility'],
    another: (nth) => ({ apiId: `\${many-${nth}.id}`, portalId: portal(1) }),
    anotherNeeds: (nth) => ({ [`many-${nth}`]: { type: 'platform:Api', properties: { name: `Many ${nth}` } } }),
  },
  'platform:ApiImplementation': {
    key: 'apiId',
    required: ['apiId'],
    parent: ['apiId'],
    dies: [],
    unique: ['apiId', 'serviceReference'],
    shows: [],
  },
  'platform:ApiProduct': {
    key: 'name',
    required: ['portalIds'],
    parent: [],
    dies: ['ApiProductDocument'],
    unique: [],
    shows: ['portalIds'],
    another: (nth) => ({ name: `Product ${nth}`, portalIds: [] }),
  },
  'platform:ApiProductDocument': {
    key: 'apiProductId slug',
    required: ['apiProductId', 'slug', 'title', 'status'],
    parent: ['apiProductId'],
    dies: [],
    unique: ['apiProductId slug'],
    shows: ['status'],
    others: other('platform:ApiProductDocument', { apiProductId: '${bundle.id}', slug: 'other', status: 'published' }),
    another: (nth) => ({ apiProductId: '${bundle.id}', slug: `p-${nth}`, title: `Page ${nth}`, status: 'published' }),
  },
};

function other(type: string, properties: Readonly<Record<string, string>>): NonNullable<ConformanceFacts['others']> {
  return { other: { type, properties: { title: 'Other', ...properties } } };
}

export const platformCases: readonly ConformanceCase[] = rows
  .filter(({ type }) => type.startsWith('platform:'))
  .map((row) => ({ ...row, ...facts[row.type], ...described(row) }));

/** What must be secret, and what must replace, as the service's description says and no definition does. */
function described(row: ConformanceRow): Pick<ConformanceCase, 'changes' | 'secret'> {
  const definition = definitions.find(({ name }) => row.type === `platform:${name}`);
  const fact = definition === undefined ? undefined : factOf(definition);
  if (definition === undefined || fact === undefined) throw new Error(`the description knows no ${row.type}`);
  const rest = restType(definition, style);
  const expected = (field: string): Expected | undefined => expectedOf(rest, fact, field);
  const changes = Object.entries(row.changes).map(([field, change]) => {
    const action = expected(field)?.action;
    if (action === undefined) throw new Error(`the description knows no ${row.type}.${field}`);
    return [field, { ...change, action }] as const;
  });
  return {
    changes: Object.fromEntries(changes),
    secret: Object.keys(row.changes).filter((field) => expected(field)?.secret === true),
  };
}
