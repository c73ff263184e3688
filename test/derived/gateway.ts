import type { CatalogueData } from '../harness/world.js';
import type { Json } from '@platform-sync/core/model/value';

const kinds: Readonly<Record<string, Json>> = {
  RateLimiting: { minute: 60, policy: 'local' },
  Cors: { origins: ['https://example.com'], maxAge: 600 },
  KeyAuth: { keyNames: ['apikey'] },
  RequestTransformer: { add: { headers: ['x-team:payments'] } },
};

/** Types of the catalogue below, as an export names them. */
export const gatewayTypes: readonly string[] = [
  ...['ControlPlane', 'Service', 'Route', 'Consumer', 'Upstream', 'Target'].map((name) => `Gateway${name}`),
  ...Object.keys(kinds).map((kind) => `GatewayPlugin${kind}`),
];

function numbered<T>(count: number, make: (number: number) => readonly [string, T]): Readonly<Record<string, T>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => make(at + 1)));
}

/** No two of one kind are on the same: some are on services, the rest on routes, and two on everything. */
function placeOfPlugin(at: number): Readonly<Record<string, Json>> {
  if (at % 2 === 0 && at <= 40) return { serviceId: `\${service-${at}.id}` };
  return at === 1 || at === 3 ? {} : { routeId: `\${route-${at}.id}` };
}

/** One control plane with 40 services, 120 routes, 60 plugins, 30 consumers and 5 upstreams with 2 targets each. */
export function gatewayCatalogue(change: (resources: Record<string, Json>) => void = () => undefined): CatalogueData {
  const plane = '${plane.id}';
  const resources: Record<string, Json> = {
    plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop', description: 'The shop' } },
    ...numbered(40, (at) => [
      `service-${at}`,
      {
        type: 'platform:GatewayService',
        properties: { controlPlaneId: plane, name: `service-${at}`, host: `s${at}.example.com`, tags: ['b', 'a'] },
      },
    ]),
    ...numbered(120, (at) => [
      `route-${at}`,
      {
        type: 'platform:GatewayRoute',
        properties: {
          controlPlaneId: plane,
          name: `route-${at}`,
          paths: [`/r${at}`],
          methods: ['GET', 'POST'],
          serviceId: `\${service-${((at - 1) % 40) + 1}.id}`,
        },
      },
    ]),
    ...numbered(60, (at) => {
      const [kind, config] = Object.entries(kinds)[at % 4] ?? ['', {}];
      return [
        `plugin-${at}`,
        {
          type: `platform:GatewayPlugin${kind}`,
          properties: {
            controlPlaneId: plane,
            instanceName: `plugin-${at}`,
            config,
            ...placeOfPlugin(at),
          },
        },
      ];
    }),
    ...numbered(30, (at) => [
      `consumer-${at}`,
      { type: 'platform:GatewayConsumer', properties: { controlPlaneId: plane, username: `consumer-${at}` } },
    ]),
    ...numbered(5, (at) => [
      `upstream-${at}`,
      {
        type: 'platform:GatewayUpstream',
        properties: { controlPlaneId: plane, name: `upstream-${at}`, healthchecks: { active: { httpPath: '/up' } } },
      },
    ]),
    ...numbered(10, (at) => [
      `target-${at}`,
      {
        type: 'platform:GatewayTarget',
        properties: {
          controlPlaneId: plane,
          upstreamId: `\${upstream-${((at - 1) % 5) + 1}.id}`,
          target: `10.0.0.${at}:80`,
        },
      },
    ]),
  };
  change(resources);
  return { resources };
}
