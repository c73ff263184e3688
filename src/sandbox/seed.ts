import type { AnyCollection, Row } from './store/collection.js';
import type { World } from './store/world.js';
import { addressLists, cloudServices } from './seed/cloud.js';
import { controlPlanes, gatewayServices, meshControlPlanes, networks, providerAccounts } from './seed/gateways.js';
import { systemAccounts, teams, users } from './seed/people.js';
import { classicPortals, portals } from './seed/portals.js';
import { strategies } from './seed/strategies.js';

/** What exists before anyone creates anything: the surroundings of a catalogue, no APIs and no products. */
export function plantDefaults(world: World): void {
  const kinds: readonly (readonly [AnyCollection, readonly Row[]])[] = [
    [world.strategies, strategies],
    [world.portals, portals],
    [world.classicPortals, classicPortals],
    [world.controlPlanes, controlPlanes],
    [world.gatewayServices, gatewayServices],
    [world.meshControlPlanes, meshControlPlanes],
    [world.providerAccounts, providerAccounts],
    [world.networks, networks],
    [world.teams, teams],
    [world.users, users],
    [world.systemAccounts, systemAccounts],
    [world.addressLists, addressLists],
    [world.cloudServices, cloudServices],
  ];
  world.together(() => {
    for (const [collection, rows] of kinds) {
      for (const row of rows) world.place(collection, row);
    }
  });
}
