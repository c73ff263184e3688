import type { WireNames } from '@platform-sync/rest/style';
import type { HostFamily } from '../hosts.js';

/** How one lookup is called. Filter members, operators and results come from its package schema. */
export interface LookupCall {
  readonly path: string;
  readonly family: HostFamily;
  /** `one`: an object found in a list. `list`: all of it. `document`: the answer is the record itself. */
  readonly result: 'one' | 'list' | 'document';
  /** Wire names of the fields it can sort by. */
  readonly sortBy?: readonly string[];
  /** Wire names that don't follow the rule. */
  readonly names?: WireNames;
}

const networks = { path: '/v2/cloud-gateways/networks', family: 'global' } as const;
const providerAccounts = { path: '/v2/cloud-gateways/provider-accounts', family: 'global' } as const;
const controlPlanes = { path: '/v2/control-planes', family: 'regional', sortBy: ['created_at'] } as const;
const meshControlPlanes = { path: '/v1/mesh/control-planes', family: 'regional' } as const;
const systemAccounts = { path: '/v3/system-accounts', family: 'global' } as const;
const teams = { path: '/v3/teams', family: 'global' } as const;

const portals = {
  path: '/v3/portals',
  family: 'regional',
  sortBy: [
    'name',
    'description',
    'authentication_enabled',
    'rbac_enabled',
    'auto_approve_applications',
    'auto_approve_developers',
    'default_domain',
    'canonical_domain',
    'created_at',
    'updated_at',
  ],
} as const;

const classicPortals = {
  path: '/v2/portals',
  family: 'regional',
  sortBy: [
    'name',
    'description',
    'is_public',
    'rbac_enabled',
    'auto_approve_applications',
    'auto_approve_developers',
    'default_domain',
    'custom_domain',
    'custom_client_domain',
    'created_at',
    'updated_at',
  ],
} as const;

const addressList = {
  path: '/ip-addresses.json',
  family: 'address-list',
  names: { ingressIps: 'ingressIPs', egressIps: 'egressIPs', updateDate: 'updateDate' },
} as const;

/** By the lookup's name. */
export const lookupCalls: Readonly<Record<string, LookupCall>> = {
  getCloudGatewayNetwork: { ...networks, result: 'one' },
  getCloudGatewayProviderAccountList: { ...providerAccounts, result: 'list' },
  getGatewayControlPlane: { ...controlPlanes, result: 'one' },
  getGatewayControlPlaneList: { ...controlPlanes, result: 'list' },
  getMeshControlPlanes: { ...meshControlPlanes, result: 'list' },
  getPlatformIpAddresses: { ...addressList, result: 'document' },
  getPortal: { ...portals, result: 'one' },
  getPortalClassicList: { ...classicPortals, result: 'list' },
  getSystemAccount: { ...systemAccounts, result: 'one' },
  getSystemAccountList: { ...systemAccounts, result: 'list' },
  getTeam: { ...teams, result: 'one' },
  getTeamList: { ...teams, result: 'list' },
};
