import type { Row } from './store/collection.js';
import type { World } from './store/world.js';
import { addressLists, cloudServices } from './seed/cloud.js';
import { controlPlanes, gatewayServices, meshControlPlanes, networks, providerAccounts } from './seed/gateways.js';
import { systemAccounts, teams, users } from './seed/people.js';
import { classicPortals, portals } from './seed/portals.js';
import { strategies } from './seed/strategies.js';

/** What exists before anyone creates anything: the surroundings of a catalogue, no APIs and no products. */
export function plantDefaults(world: World): void {
  const kinds: Readonly<Record<string, readonly Row[]>> = {
    'auth-strategies': strategies,
    portals,
    'classic-portals': classicPortals,
    'control-planes': controlPlanes,
    'gateway-services': gatewayServices,
    'mesh-control-planes': meshControlPlanes,
    'provider-accounts': providerAccounts,
    networks,
    teams,
    users,
    'system-accounts': systemAccounts,
    'ip-addresses': addressLists,
    'cloud-services': cloudServices,
  };
  world.together(() => {
    for (const [kind, rows] of Object.entries(kinds)) {
      for (const row of rows) world.place(world.rows(kind), row);
    }
  });
}
