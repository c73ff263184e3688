import type { Row } from '../store/collection.js';
import { cycle, fixedId, times } from './fixed.js';

const names = [
  'dev',
  'partners',
  'internal',
  'payments',
  'logistics',
  'mobile',
  'sandbox',
  'research',
  'public-data',
  'legacy',
  'events',
  'training',
] as const;

/** Twelve portals: more than a page, every flag both ways, described and not. */
export const portals: readonly Row[] = names.map((name, at) => {
  const number = at + 1;
  const domain = `${name}.portal.example.com`;
  return {
    id: fixedId('portal', number),
    name,
    display_name: `${name.charAt(0).toUpperCase()}${name.slice(1)} portal`,
    description: at % 4 === 3 ? null : `Everything for ${name} developers`,
    authentication_enabled: at % 3 !== 2,
    rbac_enabled: at % 5 === 1,
    sipr_enabled: at === 2,
    default_api_visibility: at % 2 === 0 ? 'public' : 'private',
    default_page_visibility: at % 3 === 0 ? 'private' : 'public',
    default_application_auth_strategy_id: at % 4 === 1 ? fixedId('authStrategy', 1) : null,
    auto_approve_developers: at % 2 === 1,
    auto_approve_applications: at % 3 === 1,
    default_domain: `${number.toString(16).padStart(12, '0')}.portal.example.com`,
    canonical_domain: at % 2 === 0 ? domain : `docs-${domain}`,
    labels: { env: cycle(['dev', 'test', 'prod'], at) },
    ...times(number),
  };
});

const classicNames = ['classic-dev', 'classic-partners', 'classic-internal', 'classic-archive'] as const;

export const classicPortals: readonly Row[] = classicNames.map((name, at) => {
  const number = at + 1;
  return {
    id: fixedId('classicPortal', number),
    name,
    display_name: name.replace('-', ' '),
    description: at === 3 ? null : `Classic portal number ${String(number)}`,
    default_domain: `${number.toString(16).padStart(12, '0')}.classic.example.com`,
    is_public: at % 2 === 1,
    rbac_enabled: at === 0,
    auto_approve_applications: at === 1,
    auto_approve_developers: at < 2,
    custom_domain: at === 0 ? 'api.example.com' : null,
    custom_client_domain: at === 0 ? 'developers.example.com' : null,
    default_application_auth_strategy_id: null,
    labels: {},
    application_count: at * 3,
    developer_count: at * 7,
    ...times(number),
  };
});
