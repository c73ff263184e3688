import type { JsonObject } from '../json.js';
import type { Labels, PublishStatus } from '../store/rows.js';
import type { LabelChanges } from './bodies.js';
import { body, choice, flag, integer, list, nullable, shape, text, uuid } from './checks.js';
import { changedLabels, newLabels } from './labels.js';

type Visibility = 'public' | 'private';

const visibility = choice('public', 'private');

export interface PortalBody {
  name?: string | null;
  display_name?: string;
  description?: string | null;
  authentication_enabled?: boolean;
  rbac_enabled?: boolean;
  sipr_enabled?: boolean;
  auto_approve_developers?: boolean;
  auto_approve_applications?: boolean;
  notifications_developer_pii_visibility_enabled?: boolean;
  default_api_visibility?: Visibility;
  default_page_visibility?: Visibility;
  default_application_auth_strategy_id?: string | null;
}

const portalFields = {
  display_name: text({ min: 1, max: 255 }),
  description: nullable(text({ max: 512 })),
  authentication_enabled: flag,
  rbac_enabled: flag,
  sipr_enabled: flag,
  auto_approve_developers: flag,
  auto_approve_applications: flag,
  notifications_developer_pii_visibility_enabled: flag,
  default_api_visibility: visibility,
  default_page_visibility: visibility,
  default_application_auth_strategy_id: nullable(uuid),
};

export const newPortal = body<PortalBody & { name: string; labels?: Labels | null }>({
  fields: { ...portalFields, name: text({ min: 1, max: 255 }), labels: nullable(newLabels) },
  required: ['name'],
});

export const changedPortal = body<PortalBody & { labels?: LabelChanges | null }>({
  fields: { ...portalFields, name: nullable(text({ min: 1, max: 255 })), labels: nullable(changedLabels) },
});

interface ContentBody {
  title?: string;
  description?: string;
  content?: string;
  visibility?: Visibility;
  status?: PublishStatus;
}

const contentFields = {
  title: text({ max: 512 }),
  description: text({ max: 160 }),
  content: text({ max: 1_000_000 }),
  visibility,
  status: choice('published', 'unpublished'),
};

const pageFields = { ...contentFields, slug: text({ max: 512 }), parent_page_id: nullable(uuid) };

export interface PageBody extends ContentBody {
  slug?: string;
  parent_page_id?: string | null;
}

export const newPage = body<PageBody & { slug: string; content: string }>({
  fields: pageFields,
  required: ['slug', 'content'],
});

export const changedPage = body<PageBody>({ fields: pageFields });

const snippetFields = { ...contentFields, name: text({ min: 1, max: 512 }) };

export const newSnippet = body<ContentBody & { name: string; content: string }>({
  fields: snippetFields,
  required: ['name', 'content'],
});

export const changedSnippet = body<ContentBody & { name?: string }>({ fields: snippetFields });

const teamFields = {
  name: text({ min: 1, max: 250 }),
  description: nullable(text({ max: 250 })),
  can_own_applications: nullable(flag),
};

interface TeamBody {
  name?: string;
  description?: string | null;
  can_own_applications?: boolean | null;
}

export const newPortalTeam = body<TeamBody & { name: string }>({ fields: teamFields, required: ['name'] });

export const changedPortalTeam = body<TeamBody>({ fields: teamFields });

const keyAuth = shape({
  fields: {
    key_names: nullable(list(text({ max: 256 }), { min: 1, max: 10 })),
    ttl: nullable(
      shape({ fields: { value: integer, unit: choice('days', 'weeks', 'years') }, required: ['value', 'unit'] }),
    ),
  },
});

const openidConnect = shape({
  fields: {
    issuer: nullable(text({ max: 256 })),
    credential_claim: nullable(list(text({ max: 128 }), { max: 10 })),
    scopes: nullable(list(text({ max: 128 }), { max: 50 })),
    auth_methods: nullable(list(text({ max: 64 }), { max: 10 })),
  },
  isOpen: true,
});

const strategyFields = {
  name: text({ min: 1, max: 256 }),
  display_name: text({ max: 256 }),
  configs: shape({ fields: { 'key-auth': keyAuth, 'openid-connect': openidConnect } }),
  dcr_provider_id: nullable(uuid),
};

interface StrategyBody {
  name?: string;
  display_name?: string;
  configs?: Readonly<Record<string, JsonObject>>;
  dcr_provider_id?: string | null;
}

export const newStrategy = body<
  Required<Omit<StrategyBody, 'dcr_provider_id'>> &
    Pick<StrategyBody, 'dcr_provider_id'> & { strategy_type: 'key_auth' | 'openid_connect'; labels?: Labels }
>({
  fields: { ...strategyFields, strategy_type: choice('key_auth', 'openid_connect'), labels: newLabels },
  required: ['name', 'display_name', 'strategy_type', 'configs'],
});

export const changedStrategy = body<StrategyBody & { labels?: LabelChanges | null }>({
  fields: { ...strategyFields, labels: nullable(changedLabels) },
});
