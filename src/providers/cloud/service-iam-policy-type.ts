import type { ResourceDescriptor } from '../../engine/model/descriptor.js';
import type { JsonObject } from '../../engine/model/value.js';
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

export const serviceIamPolicy: ResourceDescriptor = {
  token: 'cloud:endpoints/serviceIamPolicy:ServiceIamPolicy',
  naturalKey: ['serviceName'],
  unique: [['serviceName']],
  collection: { scope: [], paged: true, listed: false },
  absence: 'empty',
  revision: 'etag',
  // Who may use the service.
  visibility: [{ field: 'policyData' }],
  guardedEnd: 'everybody that its policy lets in loses access to the service',
  importId: { form: 'plain' },
  fields: {
    serviceName: { stable: true, limits: { pattern: bareName, maxLength: longestName } },
    policyData: { equality: 'policy', catalogueSchema: policySchema },
  },
};
