import type { ResourceDescriptor } from '../../../engine/model/descriptor.js';
import { specificationVersion } from '../operations/specification-version.js';
import { apiSlug } from '../slug.js';
import { attributes, labels, slug } from './limits.js';
import { foreignLabelPrefixes } from '../wire.js';
import { apiDocumentToken, apiImplementationToken, apiToken } from './tokens.js';

export const api: ResourceDescriptor = {
  token: apiToken,
  naturalKey: ['name', 'version'],
  // Without a version, the name alone is the key.
  unique: [['name', 'version']],
  nameField: 'name',
  collection: { scope: [], paged: true },
  absence: 'problem-404',
  revision: 'updatedAt',
  creation: 'createdAt',
  markedIn: 'labels',
  importId: { form: 'plain' },
  cascades: [apiDocumentToken, apiImplementationToken],
  losses: [{ field: 'portals', named: ['displayName', 'name', 'id'] }],
  derive: ({ name, version }) =>
    typeof name === 'string' ? { slug: apiSlug(name, typeof version === 'string' ? version : undefined) } : {},
  // A specification sent along gives an API without a version its own.
  alsoNamed: ({ version, specContent }) => {
    const own =
      version === undefined && typeof specContent === 'string' ? specificationVersion(specContent) : undefined;
    return own === undefined ? {} : { version: own };
  },
  fields: {
    name: {
      limits: { minLength: 1, maxLength: 255 },
      clearing: { by: 'nothing', why: 'an API always has a name' },
    },
    version: { limits: { minLength: 1, maxLength: 255 } },
    description: { equality: 'text' },
    // Whether null makes the platform choose again is not documented; sending what it would choose is safe either way.
    slug: { limits: slug, clearing: { by: 'derived' } },
    labels: { limits: labels, foreignKeys: foreignLabelPrefixes, clearing: { by: 'value', value: {} } },
    attributes: { equality: 'multisets', catalogueSchema: attributes, clearing: { by: 'value', value: {} } },
    specContent: {
      equality: 'text',
      writeOnly: true,
      // Falling silent about the specification leaves it where the platform keeps it.
      onChange: 'replace-if-declared',
      clearing: { by: 'nothing', why: 'the platform keeps the specification among the versions of the API' },
    },
    apiSpecIds: { equality: 'set' },
    portals: { equality: 'set' },
    createdAt: { stable: true },
  },
};
