import { expect } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { managedMappingField } from '@platform-sync/sandbox/wire';
import type { ConformanceRow } from './row.js';

const strategy = (number: number): string => `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f130${number}`;

const portal = (name: string): JsonObject => ({ type: 'platform:Portal', properties: { name } });
const portals = { front: portal('Front'), back: portal('Back') };

const portalRow: ConformanceRow = {
  type: 'platform:Portal',
  needs: {},
  properties: {
    name: 'Docs',
    displayName: 'All docs',
    description: 'For developers',
    authenticationEnabled: false,
    autoApproveApplications: true,
    autoApproveDevelopers: true,
    defaultApiVisibility: 'public',
    defaultPageVisibility: 'public',
    defaultApplicationAuthStrategyId: strategy(1),
    labels: { team: 'a', tier: 'gold' },
    notificationsDeveloperPiiVisibilityEnabled: true,
    rbacEnabled: true,
    siprEnabled: true,
  },
  changes: {
    name: { to: 'Papers', action: 'update' },
    displayName: { to: 'All papers', action: 'update' },
    description: { to: 'For everybody', action: 'update' },
    authenticationEnabled: { to: true, action: 'update' },
    autoApproveApplications: { to: false, action: 'update' },
    autoApproveDevelopers: { to: false, action: 'update' },
    defaultApiVisibility: { to: 'private', action: 'update' },
    defaultPageVisibility: { to: 'private', action: 'update' },
    defaultApplicationAuthStrategyId: { to: strategy(2), action: 'update' },
    labels: { to: { team: 'b' }, action: 'update' },
    notificationsDeveloperPiiVisibilityEnabled: { to: false, action: 'update' },
    rbacEnabled: { to: false, action: 'update' },
    siprEnabled: { to: false, action: 'update' },
  },
  removals: {
    name: { leaves: 'subject' },
    displayName: { leaves: 'Docs' },
    description: { leaves: null },
    authenticationEnabled: { leaves: true },
    autoApproveApplications: { leaves: false },
    autoApproveDevelopers: { leaves: false },
    defaultApiVisibility: 'kept',
    defaultPageVisibility: 'kept',
    defaultApplicationAuthStrategyId: { leaves: null },
    labels: { leaves: {} },
    notificationsDeveloperPiiVisibilityEnabled: { leaves: false },
    rbacEnabled: { leaves: false },
    siprEnabled: { leaves: false },
  },
  drift: {
    name: { name: 'Clicked' },
    displayName: { display_name: 'Clicked' },
    description: { description: null },
    authenticationEnabled: { authentication_enabled: true },
    autoApproveApplications: { auto_approve_applications: false },
    autoApproveDevelopers: { auto_approve_developers: false },
    defaultApiVisibility: { default_api_visibility: 'private' },
    defaultPageVisibility: { default_page_visibility: 'private' },
    defaultApplicationAuthStrategyId: { default_application_auth_strategy_id: null },
    labels: { labels: { team: null } },
    notificationsDeveloperPiiVisibilityEnabled: { notifications_developer_pii_visibility_enabled: false },
    rbacEnabled: { rbac_enabled: false },
    siprEnabled: { sipr_enabled: false },
  },
  driftless: {},
  collection: 'portals',
  importId: (id) => id,
};

const pageRow: ConformanceRow = {
  type: 'platform:PortalPage',
  needs: {
    ...portals,
    top: {
      type: 'platform:PortalPage',
      properties: { portalId: '${front.id}', slug: 'top', title: 'Top', content: 'Top' },
    },
  },
  properties: {
    portalId: '${front.id}',
    parentPageId: '${top.id}',
    slug: 'guide',
    title: 'Guide',
    description: 'How to begin',
    content: '# Guide\n\nText\n',
    status: 'published',
    visibility: 'public',
  },
  changes: {
    portalId: { to: '${back.id}', action: 'replace', without: ['parentPageId'] },
    parentPageId: { to: '${other.id}', action: 'update' },
    slug: { to: 'handbook', action: 'update' },
    title: { to: 'Handbook', action: 'update' },
    description: { to: 'How to go on', action: 'update' },
    content: { to: '# Guide\n\nOther text\n', action: 'update' },
    status: { to: 'unpublished', action: 'update' },
    visibility: { to: 'private', action: 'update' },
  },
  removals: {
    parentPageId: { leaves: null },
    title: 'kept',
    description: 'kept',
    status: { leaves: 'unpublished' },
    visibility: 'kept',
  },
  drift: {
    parentPageId: { parent_document_id: null },
    slug: { slug: 'clicked' },
    title: { title: 'Clicked' },
    description: { description: 'clicked' },
    content: { content: 'clicked' },
    status: { status: 'unpublished' },
    visibility: { visibility: 'private' },
  },
  driftless: { portalId: 'a page cannot move between portals' },
  collection: 'portal-pages',
  importId: (id, ids) => JSON.stringify({ portal_id: ids['front'], id }),
};

const snippetRow: ConformanceRow = {
  type: 'platform:PortalSnippet',
  needs: portals,
  properties: {
    portalId: '${front.id}',
    name: 'hello',
    title: 'Hello',
    description: 'Says hello',
    content: 'Hello!\n',
    status: 'published',
    visibility: 'public',
  },
  changes: {
    portalId: { to: '${back.id}', action: 'replace' },
    name: { to: 'welcome', action: 'update' },
    title: { to: 'Welcome', action: 'update' },
    description: { to: 'Says welcome', action: 'update' },
    content: { to: 'Welcome!\n', action: 'update' },
    status: { to: 'unpublished', action: 'update' },
    visibility: { to: 'private', action: 'update' },
  },
  removals: {
    name: { leaves: 'subject' },
    title: 'kept',
    description: 'kept',
    status: { leaves: 'unpublished' },
    visibility: 'kept',
  },
  drift: {
    name: { name: 'clicked' },
    title: { title: 'Clicked' },
    description: { description: 'clicked' },
    content: { content: 'clicked' },
    status: { status: 'unpublished' },
    visibility: { visibility: 'private' },
  },
  driftless: { portalId: 'a snippet cannot move between portals' },
  collection: 'portal-snippets',
  importId: (id, ids) => JSON.stringify({ portal_id: ids['front'], id }),
};

const teamRow: ConformanceRow = {
  type: 'platform:PortalTeam',
  needs: portals,
  properties: { portalId: '${front.id}', name: 'Partners', description: 'Who pays', canOwnApplications: true },
  changes: {
    portalId: { to: '${back.id}', action: 'replace' },
    name: { to: 'Friends', action: 'update' },
    description: { to: 'Who helps', action: 'update' },
    canOwnApplications: { to: false, action: 'update' },
  },
  removals: {
    name: { leaves: 'subject' },
    description: { leaves: null },
    canOwnApplications: { leaves: false },
  },
  drift: {
    name: { name: 'Clicked' },
    description: { description: null },
    canOwnApplications: { can_own_applications: false },
  },
  driftless: { portalId: 'a team cannot move between portals' },
  collection: 'portal-teams',
  importId: (id, ids) => JSON.stringify({ portal_id: ids['front'], id }),
};

const roleRow: ConformanceRow = {
  type: 'platform:PortalTeamRole',
  needs: {
    ...portals,
    pets: { type: 'platform:Api', properties: { name: 'Pets' } },
    cats: { type: 'platform:Api', properties: { name: 'Cats' } },
    partners: { type: 'platform:PortalTeam', properties: { portalId: '${front.id}', name: 'Partners' } },
    friends: { type: 'platform:PortalTeam', properties: { portalId: '${front.id}', name: 'Friends' } },
  },
  properties: {
    portalId: '${front.id}',
    teamId: '${partners.id}',
    roleName: 'API Viewer',
    entityId: '${pets.id}',
    entityTypeName: 'Services',
    entityRegion: 'eu',
  },
  changes: {
    portalId: { to: '${back.id}', action: 'replace', untried: 'another portal has other teams: test/engine/traps' },
    teamId: { to: '${friends.id}', action: 'replace' },
    roleName: { to: 'API Consumer', action: 'replace' },
    entityId: { to: '${cats.id}', action: 'replace' },
    entityTypeName: { to: 'Packages', action: 'replace' },
    entityRegion: { to: '*', action: 'replace' },
  },
  removals: {},
  drift: {},
  driftless: Object.fromEntries(
    ['portalId', 'teamId', 'roleName', 'entityId', 'entityTypeName', 'entityRegion'].map((field) => [
      field,
      'a role is given and taken, never changed',
    ]),
  ),
  collection: 'portal-team-roles',
  importId: (id, ids) => JSON.stringify({ portal_id: ids['front'], team_id: ids['partners'], id }),
};

/** What lies at a fixed place in a portal is known by it. */
const inPortal = {
  needs: portals,
  storedId: (id: string, scope: Readonly<Record<string, string>>) => scope['portalId'] ?? id,
  importId: (_id: string, ids: Readonly<Record<string, string>>) => ids['front'] ?? '',
} as const;
const placed = { portalId: 'it is where it is' } as const;
const toBack = { portalId: { to: '${back.id}', action: 'replace' } } as const;

const customizationRow: ConformanceRow = {
  ...inPortal,
  type: 'platform:PortalCustomization',
  properties: {
    portalId: '${front.id}',
    css: 'body { color: red }',
    layout: 'topnav',
    menu: {
      main: [{ path: '/start', title: 'Start', visibility: 'public', external: false }],
      footerSections: [
        {
          title: 'More',
          items: [{ path: 'https://x.example.com', title: 'X', visibility: 'private', external: true }],
        },
      ],
    },
    robots: 'User-agent: *',
    specRenderer: {
      ...{ tryItUi: false, tryItInsomnia: true, infiniteScroll: true, showSchemas: true },
      ...{ hideInternal: false, hideDeprecated: true, allowCustomServerUrls: true },
    },
    theme: { name: 'mint', mode: 'dark', colors: { primary: '#aabbcc' } },
  },
  changes: {
    ...toBack,
    css: { to: 'body { color: blue }', action: 'update' },
    layout: { to: 'sidenav', action: 'update' },
    menu: { to: { main: [] }, action: 'update' },
    robots: { to: 'User-agent: none', action: 'update' },
    specRenderer: { to: { tryItUi: true, showSchemas: false }, action: 'update' },
    theme: { to: { mode: 'light' }, action: 'update' },
  },
  removals: {
    css: { leaves: null },
    layout: { leaves: null },
    menu: { leaves: null },
    robots: { leaves: null },
    specRenderer: 'untried',
    theme: { leaves: null },
  },
  drift: {
    css: { css: 'clicked' },
    layout: { layout: 'clicked' },
    menu: { menu: { main: [] } },
    robots: { robots: 'clicked' },
    specRenderer: { spec_renderer: { try_it_ui: true } },
    theme: { theme: { mode: 'system' } },
  },
  driftless: placed,
  collection: 'portal-customizations',
  remains: { css: null, robots: null, spec_renderer: { try_it_ui: true, hide_deprecated: false } },
};

const authRow: ConformanceRow = {
  ...inPortal,
  type: 'platform:PortalAuth',
  properties: {
    portalId: '${front.id}',
    basicAuthEnabled: false,
    idpMappingEnabled: true,
    oidcAuthEnabled: true,
    oidcClaimMappings: { email: 'mail', groups: 'teams' },
    oidcClientId: 'portal',
    oidcClientSecret: 'not to be shown',
    oidcIssuer: 'https://id.example.com',
    oidcScopes: ['openid', 'email'],
    oidcTeamMappingEnabled: true,
    platformMappingEnabled: true,
    samlAuthEnabled: true,
  },
  changes: {
    ...toBack,
    basicAuthEnabled: { to: true, action: 'update' },
    idpMappingEnabled: { to: false, action: 'update' },
    oidcAuthEnabled: { to: false, action: 'update' },
    oidcClaimMappings: { to: { email: 'mail', groups: 'roles' }, action: 'update' },
    oidcClientId: { to: 'other', action: 'update' },
    oidcClientSecret: { to: 'another', action: 'update' },
    oidcIssuer: { to: 'https://other.example.com', action: 'update' },
    oidcScopes: { to: ['openid'], action: 'update' },
    oidcTeamMappingEnabled: { to: false, action: 'update' },
    platformMappingEnabled: { to: false, action: 'update' },
    samlAuthEnabled: { to: false, action: 'update' },
  },
  removals: {
    basicAuthEnabled: { leaves: true },
    idpMappingEnabled: { leaves: false },
    oidcAuthEnabled: { leaves: false },
    oidcClaimMappings: { leaves: null },
    oidcClientId: { leaves: null },
    oidcClientSecret: { leaves: null },
    oidcIssuer: { leaves: null },
    oidcScopes: { leaves: null },
    oidcTeamMappingEnabled: { leaves: false },
    platformMappingEnabled: 'untried',
    samlAuthEnabled: { leaves: false },
  },
  drift: {
    basicAuthEnabled: { basic_auth_enabled: true },
    idpMappingEnabled: { idp_mapping_enabled: false },
    oidcAuthEnabled: { oidc_auth_enabled: false },
    oidcClaimMappings: { oidc_claim_mappings: { email: 'clicked', groups: 'teams' } },
    oidcClientId: { oidc_client_id: 'clicked' },
    oidcIssuer: { oidc_issuer: null },
    oidcScopes: { oidc_scopes: ['openid'] },
    oidcTeamMappingEnabled: { oidc_team_mapping_enabled: false },
    platformMappingEnabled: { [managedMappingField]: false },
    samlAuthEnabled: { saml_auth_enabled: false },
  },
  driftless: { ...placed, oidcClientSecret: 'it is never shown' },
  collection: 'portal-auth',
  remains: {
    ...{ basic_auth_enabled: true, idp_mapping_enabled: false, [managedMappingField]: false },
    ...{ oidc_auth_enabled: false, oidc_team_mapping_enabled: false, saml_auth_enabled: false },
    ...{ oidc_issuer: null, oidc_client_id: null, oidc_scopes: null, oidc_claim_mappings: null },
  },
};

const picture = (content: string): string => `data:image/png;base64,${Buffer.from(content).toString('base64')}`;

const pictureRow = (type: string, collection: string): ConformanceRow => ({
  ...inPortal,
  type: `platform:${type}`,
  properties: { portalId: '${front.id}', data: picture('first') },
  changes: { ...toBack, data: { to: picture('second'), action: 'update' } },
  removals: {},
  drift: { data: { data: picture('clicked') } },
  driftless: placed,
  collection,
  remains: { data: expect.stringMatching(/^data:image\/gif/) as unknown as string },
});

const domainRow: ConformanceRow = {
  ...inPortal,
  type: 'platform:PortalCustomDomain',
  properties: {
    portalId: '${front.id}',
    hostname: 'api.example.com',
    enabled: true,
    domainVerificationMethod: 'custom_certificate',
    customCertificate: 'PEM of a certificate',
    customPrivateKey: 'PEM of a key',
    skipCaCheck: true,
  },
  changes: {
    ...toBack,
    hostname: { to: 'developers.example.com', action: 'replace' },
    enabled: { to: false, action: 'update' },
    domainVerificationMethod: { to: 'http', action: 'replace' },
    customCertificate: { to: 'PEM of another', action: 'update' },
    customPrivateKey: { to: 'PEM of another key', action: 'update' },
    skipCaCheck: { to: false, action: 'update' },
  },
  removals: {
    customCertificate: 'untried',
    customPrivateKey: 'untried',
    skipCaCheck: { leaves: false },
  },
  drift: { enabled: { enabled: false }, skipCaCheck: { skip_ca_check: false } },
  driftless: {
    ...placed,
    hostname: 'another one is another domain',
    domainVerificationMethod: 'it cannot be changed',
    customCertificate: 'it is never shown',
    customPrivateKey: 'it is never shown',
  },
  collection: 'portal-domains',
};

export const portalRows: readonly ConformanceRow[] = [
  portalRow,
  pageRow,
  snippetRow,
  teamRow,
  roleRow,
  customizationRow,
  authRow,
  pictureRow('PortalLogo', 'portal-logos'),
  pictureRow('PortalFavicon', 'portal-favicons'),
  domainRow,
];
