import type { JsonObject } from '../json.js';
import { managedMappingField } from '../wire.js';
import { type BodyCheck, body, choice, flag, list, nullable, shape, text, uuid } from './checks.js';

/** Bodies whose members are kept as they are. */
const kept = (fields: Parameters<typeof body>[0]): BodyCheck<JsonObject> => body<JsonObject>(fields);

const menuItem = shape({
  fields: { path: text(), title: text(), visibility: choice('public', 'private'), external: flag },
  required: ['path', 'title', 'visibility', 'external'],
});
const section = shape({ fields: { title: text(), items: list(menuItem) }, required: ['title', 'items'] });

export const customizationBody = kept({
  fields: {
    theme: shape({
      fields: {
        name: text(),
        mode: choice('light', 'dark', 'system'),
        colors: shape({ fields: { primary: text({ pattern: /^#([a-fA-F0-9]{6}|[a-fA-F0-9]{3})$/ }) } }),
      },
    }),
    layout: text(),
    css: nullable(text()),
    menu: shape({
      fields: {
        main: nullable(list(menuItem)),
        footer_sections: nullable(list(section)),
        footer_bottom: nullable(list(menuItem)),
      },
    }),
    spec_renderer: shape({
      fields: {
        try_it_ui: flag,
        try_it_insomnia: flag,
        infinite_scroll: flag,
        show_schemas: flag,
        hide_internal: flag,
        hide_deprecated: flag,
        allow_custom_server_urls: flag,
      },
    }),
    robots: nullable(text()),
  },
});

export const authBody = kept({
  fields: {
    basic_auth_enabled: flag,
    oidc_auth_enabled: flag,
    saml_auth_enabled: flag,
    oidc_team_mapping_enabled: flag,
    [managedMappingField]: flag,
    idp_mapping_enabled: flag,
    oidc_issuer: nullable(text()),
    oidc_client_id: nullable(text()),
    oidc_client_secret: nullable(text()),
    oidc_scopes: nullable(list(text())),
    oidc_claim_mappings: nullable(shape({ fields: { name: text(), email: text(), groups: text() } })),
  },
});

export const assetBody = body<{ data: string | null }>({
  fields: {
    data: nullable(
      text({ pattern: /^data:image\/(png|jpe?g|gif|svg\+xml|x-icon|ico|icon|vnd\.microsoft\.icon)(;base64)?,/ }),
    ),
  },
  required: ['data'],
});

const certificate = { custom_certificate: text(), custom_private_key: text(), skip_ca_check: flag };

export interface DomainSsl {
  readonly domain_verification_method?: string;
  readonly custom_certificate?: string | null;
  readonly custom_private_key?: string | null;
  readonly skip_ca_check?: boolean;
}

export const newDomain = body<{ hostname: string; enabled: boolean; ssl: DomainSsl }>({
  fields: {
    hostname: text({ min: 1, pattern: /^[^\s/]+\.[^\s/]+$/ }),
    enabled: flag,
    ssl: shape({ fields: { ...certificate, domain_verification_method: choice('custom_certificate', 'http') } }),
  },
  required: ['hostname', 'enabled', 'ssl'],
});

export const changedDomain = body<{ enabled?: boolean | null; ssl?: DomainSsl }>({
  fields: {
    enabled: nullable(flag),
    ssl: shape({
      fields: {
        ...certificate,
        custom_certificate: nullable(text()),
        custom_private_key: nullable(text()),
      },
    }),
  },
});

interface TeamRoleBody {
  readonly role_name: string;
  readonly entity_id: string;
  readonly entity_type_name: string;
  readonly entity_region: string;
}

export const newTeamRole = body<TeamRoleBody>({
  fields: {
    role_name: text({ min: 1 }),
    entity_id: uuid,
    entity_type_name: text({ min: 1 }),
    entity_region: choice('us', 'eu', 'au', 'me', 'in', 'sg', '*'),
  },
  required: ['role_name', 'entity_id', 'entity_type_name', 'entity_region'],
});
