import schemaFile from '../../../schemas/cloud.json' with { type: 'json' };
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { recordByNames, type JsonObject } from '@platform-sync/core/model/value';
import { bareName, longestName } from './service-name.js';

const text: JsonObject = { type: 'string', minLength: 1 };
const list = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 1, items });
const record = (required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: [...required],
  properties,
});

/** Somebody a role is given to; the service itself marks those whose account is gone as `deleted:`, and takes none back. */
const member: JsonObject = {
  type: 'string',
  pattern: '^(?:allUsers|allAuthenticatedUsers|(?!deleted:)[A-Za-z]+:.+)$',
};
const condition = record(['title', 'expression'], {
  title: { description: 'What the condition is called.', ...text },
  expression: { description: 'When the role counts, in the expression language of the service.', ...text },
  description: { description: 'What it is for.', type: 'string' },
  location: { description: 'Where it comes from, for error messages.', type: 'string' },
});
const binding = record(['role', 'members'], {
  role: { description: 'What may be done: `roles/viewer`.', ...text },
  members: { description: 'Who may: `user:a@example.com`, `group:…`, `serviceAccount:…`.', ...list(member) },
  condition: { description: 'When the role counts; without one, always.', ...condition },
});
const auditLog = record(['logType'], {
  logType: { description: 'What is logged.', enum: ['ADMIN_READ', 'DATA_READ', 'DATA_WRITE'] },
  exemptedMembers: { description: 'Whose calls are not.', ...list(member) },
});
const audit = record(['service', 'auditLogConfigs'], {
  service: { description: 'Of which service; `allServices` for each.', ...text },
  auditLogConfigs: { description: 'What is logged of it.', ...list(auditLog) },
});

/** Rules of a policy, written as YAML; its JSON text obeys the same. `version` and `etag` are the provider's own. */
const policySchema: JsonObject = {
  type: ['object', 'string'],
  additionalProperties: false,
  required: ['bindings'],
  properties: {
    bindings: { description: 'Who may do what.', ...list(binding) },
    auditConfigs: { description: 'What the service writes into its audit log.', ...list(audit) },
  },
};

const token = 'cloud:endpoints/serviceIamPolicy:ServiceIamPolicy';
const { description, properties } = schemaFile.resources[token];

/** A text in every answer. */
const answered = {
  type: 'string',
  computed: false,
  alwaysReturned: true,
  onChange: 'update',
  equality: 'exact',
  writeOnly: false,
  inList: true,
  clearing: { by: 'null' },
  stable: false,
  secret: false,
  schema: { type: 'string' },
} as const satisfies Partial<FieldRule>;
const declared = { ...answered, input: true, required: true } as const;

export const serviceIamPolicy: ResourceType = {
  token,
  shortToken: 'cloud:endpoints:ServiceIamPolicy',
  name: 'ServiceIamPolicy',
  provider: 'cloud',
  description,
  fields: recordByNames(
    Object.entries<FieldRule>({
      serviceName: {
        ...declared,
        name: 'serviceName',
        description: properties.serviceName.description,
        onChange: 'replace',
        stable: true,
        schema: { type: 'string', pattern: bareName, maxLength: longestName },
      },
      policyData: {
        ...declared,
        name: 'policyData',
        description: properties.policyData.description,
        equality: 'policy',
        schema: policySchema,
      },
      etag: {
        ...answered,
        name: 'etag',
        description: properties.etag.description,
        input: false,
        required: false,
        computed: true,
      },
    }),
  ),
  nesting: [],
  naturalKey: ['serviceName'],
  unique: [['serviceName']],
  exactlyOne: [],
  collection: { scope: [], paged: true, listed: false },
  absence: 'empty',
  revision: 'etag',
  // Who may use the service.
  visibility: [{ field: 'policyData' }],
  importId: { form: 'plain' },
  guardedEnd: 'everybody that its policy lets in loses access to the service',
  cascades: [],
  contents: [],
  losses: [],
  updatable: true,
  derive: () => ({}),
  alsoNamed: () => ({}),
};
