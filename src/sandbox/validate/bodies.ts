import type { JsonObject } from '../json.js';
import type { Labels, Policy, PublishStatus } from '../store/rows.js';
import {
  type Check,
  anyObject,
  body,
  choice,
  flag,
  integer,
  list,
  map,
  nullable,
  shape,
  text,
  uuid,
} from './checks.js';
import { changedLabels, newLabels } from './labels.js';

const slugPattern = /^[\w-]+$/;
const status = choice('published', 'unpublished');

const attributeKey: Check = (value, field, found) => {
  if (!/^[a-z0-9_-]{1,128}$/.test(String(value))) {
    const reason = 'an attribute key has 1 to 128 lower-case letters, digits, hyphens and underscores';
    found.push({ field, rule: 'matches_regex', reason, source: 'body' });
  }
};
const attributes = map(
  attributeKey,
  nullable(list(text({ min: 1, max: 512, pattern: /^[^,<>]*$/ }), { min: 1, max: 20 })),
);

export type Attributes = Readonly<Record<string, readonly string[] | null>>;
export type LabelChanges = Readonly<Record<string, string | null>>;

const apiFields = {
  name: text({ min: 1, max: 255 }),
  description: nullable(text()),
  version: nullable(text({ min: 1, max: 255 })),
  slug: nullable(text({ pattern: slugPattern })),
  attributes,
};

export const newApi = body<{
  name: string;
  description?: string | null;
  version?: string | null;
  slug?: string | null;
  labels?: Labels;
  attributes?: Attributes;
  spec_content?: string;
}>({ fields: { ...apiFields, labels: newLabels, spec_content: text() }, required: ['name'] });

export const changedApi = body<{
  name?: string;
  description?: string | null;
  version?: string | null;
  slug?: string | null;
  labels?: LabelChanges | null;
  attributes?: Attributes;
}>({ fields: { ...apiFields, labels: nullable(changedLabels) } });

const versionFields = {
  version: nullable(text({ min: 1, max: 255 })),
  spec: shape({ fields: { content: nullable(text()) } }),
};

interface VersionBody {
  version?: string | null;
  spec?: { content?: string | null };
}

export const newVersion = body<VersionBody & { spec: { content?: string | null } }>({
  fields: versionFields,
  required: ['spec'],
});

export const changedVersion = body<VersionBody>({ fields: versionFields });

const documentFields = {
  content: text(),
  title: text(),
  slug: text({ pattern: slugPattern }),
  status,
  parent_document_id: nullable(uuid),
};

export const newDocument = body<{
  content: string;
  title?: string;
  slug?: string;
  status?: PublishStatus;
  parent_document_id?: string | null;
}>({ fields: documentFields, required: ['content'] });

export const changedDocument = body<{
  content?: string;
  title?: string;
  slug?: string;
  status?: PublishStatus;
  parent_document_id?: string | null;
}>({ fields: documentFields });

export const movedDocument = body<{ parent_document_id?: string | null; index?: number }>({
  fields: { parent_document_id: nullable(uuid), index: integer },
});

export const newImplementation = body<{
  service?: { control_plane_id: string; id: string };
  control_plane?: { control_plane_id: string };
}>({
  fields: {
    service: shape({ fields: { control_plane_id: uuid, id: uuid }, required: ['control_plane_id', 'id'] }),
    control_plane: shape({ fields: { control_plane_id: uuid }, required: ['control_plane_id'] }),
  },
});

export const publication = body<{
  visibility?: 'public' | 'private';
  auth_strategy_ids?: readonly string[] | null;
  auto_approve_registrations?: boolean;
}>({
  fields: {
    visibility: choice('public', 'private'),
    auth_strategy_ids: nullable(list(uuid, { min: 1, max: 1 })),
    auto_approve_registrations: flag,
  },
});

const productFields = {
  name: text({ min: 1, max: 100 }),
  description: nullable(text()),
  portal_ids: list(uuid, { unique: true }),
};

export const newProduct = body<{
  name: string;
  description?: string | null;
  labels?: Labels;
  public_labels?: Labels;
  portal_ids?: readonly string[];
}>({ fields: { ...productFields, labels: newLabels, public_labels: newLabels }, required: ['name'] });

export const changedProduct = body<{
  name?: string;
  description?: string | null;
  labels?: LabelChanges | null;
  public_labels?: LabelChanges;
  portal_ids?: readonly string[];
}>({ fields: { ...productFields, labels: nullable(changedLabels), public_labels: changedLabels } });

const productDocumentFields = {
  parent_document_id: nullable(uuid),
  slug: text({ max: 80, pattern: slugPattern }),
  status,
  title: text({ min: 1 }),
  // One known client sends an explicit null when it has no content, so null is taken for none.
  content: nullable(text()),
  metadata: anyObject,
};

export const newProductDocument = body<{
  parent_document_id?: string | null;
  slug: string;
  status: PublishStatus;
  title: string;
  content?: string | null;
  metadata?: JsonObject;
}>({ fields: productDocumentFields, required: ['slug', 'status', 'title'] });

export const changedProductDocument = body<{
  parent_document_id?: string | null;
  slug?: string;
  status?: PublishStatus;
  title?: string;
  content?: string | null;
  metadata?: JsonObject;
}>({ fields: productDocumentFields });

const binding = shape({
  fields: { role: text({ min: 1 }), members: list(text({ min: 1 })), condition: anyObject },
  required: ['role'],
});

export const policyRequest = body<{ options?: { requestedPolicyVersion?: number } }>({
  fields: { options: shape({ fields: { requestedPolicyVersion: integer } }) },
});

export const policyChange = body<{ policy: Policy; updateMask?: string }>({
  fields: {
    policy: shape({
      fields: { version: integer, etag: text(), bindings: list(binding), auditConfigs: list(anyObject) },
    }),
    updateMask: text(),
  },
  required: ['policy'],
});
