import { crud } from '@platform-sync/rest/crud';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const apiVersion: TypeDefinition = {
  name: 'ApiVersion',
  description: 'A version of an API, with its specification. An API may have several; each is edited in place.',
  // Where access to operations is enforced, the platform refuses to take one away.
  operations: { ...crud('/v3/apis/{apiId}/versions'), forceUpdate: 'force' },
  list: {
    get: '/v3/apis/{apiId}/versions',
    shownIn: 'currentVersionSummary',
    findBy: { 'filter[version][eq]': 'version' },
  },
  naturalKey: ['apiId', 'version'],
  unique: [['apiId', 'version']],
  absence: 'problem-404',
  remarks: 'validationMessages',
  hooks: { derive: 'specificationVersion' },
  file: { format: 'specification', body: 'specContent', fields: {} },
  required: ['apiId', 'specContent'],
  always: ['version', 'createdAt', 'updatedAt'],
  fields: {
    apiId: { kind: 'ofApi', description: 'Identifier of the API the version belongs to.' },
    specContent: {
      kind: 'document',
      description: 'The raw API specification, JSON or YAML: OpenAPI 2 or 3, or AsyncAPI.',
      wire: 'spec.content',
    },
    version: {
      description: 'What the version is called. Defaults to the one that the specification says.',
      role: 'label',
      size: [1, 255],
      clearing: { by: 'derived' },
    },
  },
  outputs: {
    specType: {
      type: {
        choice: 'ApiSpecType',
        description: 'What kind of specification it is.',
        values: { oas2: 'OpenAPI 2 (Swagger).', oas3: 'OpenAPI 3.', asyncapi: 'AsyncAPI.' },
      },
      description: 'What kind of specification the platform takes it for.',
      wire: 'spec.type',
    },
    validationMessages: {
      type: {
        list: {
          record: 'ApiSpecValidationMessage',
          description: 'What the platform finds wrong with a specification.',
          members: { message: 'What is wrong.' },
        },
      },
      description: 'What the platform finds wrong with the specification. It keeps it all the same.',
      wire: 'spec.validation_messages',
      inList: false,
    },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
