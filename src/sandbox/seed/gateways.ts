import type { Row } from '../store/collection.js';
import { cloudProviders, clusterTypes } from '../wire.js';
import { cycle, fixedId, times } from './fixed.js';

const count = 27;
const environments = ['dev', 'test', 'prod'] as const;
const owners = ['payments', 'logistics', 'identity', 'search'] as const;

/** 27 control planes: three pages, every cluster type, labels that overlap. The first is named `default`. */
export const controlPlanes: readonly Row[] = Array.from({ length: count }, (_, at) => {
  const number = at + 1;
  const env = cycle(environments, at);
  const team = cycle(owners, at);
  const host = `${number.toString(16).padStart(10, '0')}`;
  return {
    id: fixedId('controlPlane', number),
    name: at === 0 ? 'default' : `${team}-${env}-${String(number)}`,
    description: at === 0 ? 'The control plane of the examples' : '',
    labels: { env, team, ...(at % 5 === 0 ? { critical: 'yes' } : {}) },
    config: {
      control_plane_endpoint: `https://${host}.cp.example.com`,
      telemetry_endpoint: `https://${host}.tp.example.com`,
      cluster_type: at === 0 ? clusterTypes[0] : cycle(clusterTypes, at),
      auth_type: at % 2 === 0 ? 'pinned_client_certs' : 'pki_client_certs',
      cloud_gateway: at % 3 === 1,
      proxy_urls: at % 4 === 0 ? [{ host: `proxy-${String(number)}.example.com`, port: 443, protocol: 'https' }] : [],
    },
    ...times(number),
  };
});

/** Ten services that implementations can link to: eight on the default control plane, two on the next. */
export const gatewayServices: readonly Row[] = Array.from({ length: 10 }, (_, at) => ({
  id: fixedId('gatewayService', at + 1),
  control_plane_id: fixedId('controlPlane', at < 8 ? 1 : 2),
  name: `service-${String(at + 1)}`,
  host: `service-${String(at + 1)}.example.com`,
}));

export const meshControlPlanes: readonly Row[] = Array.from({ length: 12 }, (_, at) => ({
  id: fixedId('meshControlPlane', at + 1),
  name: `mesh-${String(at + 1)}`,
  description: at % 2 === 0 ? `Mesh number ${String(at + 1)}` : '',
  labels: { env: cycle(environments, at) },
  features: [
    { type: 'MeshCreation', meshCreation: { enabled: at % 2 === 0 } },
    { type: 'HostnameGeneratorCreation', hostnameGeneratorCreation: { enabled: true } },
  ],
  ...times(at + 1),
}));

const providers = [cloudProviders.first, cloudProviders.second, cloudProviders.third] as const;

export const providerAccounts: readonly Row[] = Array.from({ length: 12 }, (_, at) => ({
  id: fixedId('providerAccount', at + 1),
  provider: cycle(providers, at),
  provider_account_id: String(100_000_000_001 + at),
  ...times(at + 1),
}));

const states = ['ready', 'created', 'initializing', 'offline', 'terminating', 'terminated'] as const;

/** 24 networks, four in each state. */
export const networks: readonly Row[] = Array.from({ length: 24 }, (_, at) => {
  const number = at + 1;
  const region = cycle(['us-east-2', 'eu-central-1', 'ap-southeast-2'], at);
  const state = cycle(states, at);
  return {
    id: fixedId('network', number),
    name: at === 0 ? 'default-network' : `${region}-network-${String(number)}`,
    default: at === 0,
    cloud_gateway_provider_account_id: fixedId('providerAccount', (at % 12) + 1),
    region,
    availability_zones: [`${region}a`, `${region}b`, `${region}c`],
    cidr_block: `10.${String(number)}.0.0/16`,
    state,
    ...(state === 'offline' ? { state_metadata: { reported_status: 'INVALID', reason: 'Out of compute' } } : {}),
    provider_metadata: {
      vpc_id: `vpc-${String(number).padStart(8, '0')}`,
      subnet_ids: [`subnet-${String(number)}a`, `subnet-${String(number)}b`],
    },
    transit_gateway_count: at % 3,
    configuration_reference_count: at % 4,
    entity_version: number,
    ...times(number),
  };
});
