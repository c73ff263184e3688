import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const api: TypeDefinition = {
  name: 'Api',
  description: 'An API of the catalogue. The combination of `name` and `version` is unique.',
  operations: crud('/v3/apis'),
  list: { get: '/v3/apis', findBy: { 'filter[name][eq]': 'name' } },
  naturalKey: ['name', 'version'],
  unique: [['name', 'version']],
  absence: 'problem-404',
  hooks: { derive: 'apiSlug', alsoNamed: 'specificationVersion', readWriteOnly: 'specification' },
  file: {
    format: 'specification',
    body: 'specContent',
    fields: { name: '/info/title', version: '/info/version', description: '/info/description', slug: '/info/x-slug' },
  },
  always: { but: ['currentVersionSummary', 'description', 'specContent'] },
  fields: {
    attributes: {
      kind: 'attributes',
      description:
        'Attributes that describe the API, as JSON text: an object whose values are lists of texts. A catalogue may write the map itself.',
      absent: {},
    },
    description: { kind: 'prose', description: 'What the API does, as visitors of the live portal read it.' },
    labels: { kind: 'labels', description: 'Metadata for filtering lists and for searching across kinds of objects.' },
    name: {
      description: 'Name of the API. Unique together with `version`.',
      role: 'name',
      size: [1, 255],
      clearing: { by: 'nothing', why: 'an API always has a name' },
    },
    slug: {
      kind: 'chosenSlug',
      description: 'Part of generated URLs. Defaults to the slugified form of name and version.',
      nullable: true,
    },
    specContent: {
      kind: 'specification',
      description:
        'The raw API specification, JSON or YAML. A changed one replaces the API; that of an `ApiVersion` does not.',
    },
    version: { kind: 'version', description: 'Version of the API. Left out for an API without versions.' },
  },
  outputs: {
    apiSpecIds: {
      type: { list: 'string' },
      description: 'Identifiers of the specifications.',
      deprecated: 'Specifications belong to versions of an API now; this list is kept for older programs.',
      equality: 'set',
    },
    createdAt: { kind: 'created' },
    currentVersionSummary: { kind: 'versionSummary' },
    updatedAt: { kind: 'updated' },
    implementationMode: { kind: 'implementationMode' },
    portals: {
      type: {
        list: {
          record: 'ApiPortal',
          description: 'A portal an API is published to.',
          members: {
            id: 'Identifier of the portal.',
            name: 'Name of the portal.',
            displayName: 'Name of the portal as its visitors see it.',
          },
        },
      },
      description: 'Portals the API is published to.',
      equality: 'set',
      losses: ['displayName', 'name', 'id'],
    },
  },
};
