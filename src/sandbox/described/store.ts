import type { JsonObject } from '../json.js';
import type { Siblings } from './siblings.js';
import type { AnyCollection, Row } from '../store/collection.js';
import type { DescribedRow } from '../store/rows.js';
import type { World } from '../store/world.js';
import { withConfiguration } from './configuration.js';

/** Everything that descriptions tell of and that no routes of their own serve. */
export function describedSiblings(world: World): Siblings {
  const { described } = world;
  return {
    all: (place) => described.find('place', place).map(({ object }) => object),
    get: (place, own) => described.get(keyOf(place, own))?.object,
    put: (place, own, object) => {
      const id = keyOf(place, own);
      const now = world.now();
      const row: DescribedRow = {
        id,
        place,
        object,
        created_at: described.get(id)?.created_at ?? now,
        updated_at: now,
      };
      described.put(row);
    },
    delete: (place, own) => {
      const id = keyOf(place, own);
      described.delete(id);
      endInside(world, id);
    },
  };
}

/** What lies in an object ends with it. */
export function endInside({ described }: World, path: string): void {
  for (const row of described.all())
    if (row.place === path || row.place.startsWith(`${path}/`)) described.delete(row.id);
}

function keyOf(place: string, own: string): string {
  return `${place}/${own}`;
}

/** Collections that other routes serve, too, by their paths: what is made by description is seen there. */
export function sharedSiblings(world: World): ReadonlyMap<string, Siblings> {
  const described = describedSiblings(world);
  const siblings = (rows: AnyCollection, kept = (object: JsonObject): JsonObject => object): Siblings => ({
    all: () => rows.all(),
    get: (_place, own) => rows.get(own),
    put: (_place, _own, object) => {
      rows.put(kept(object) as unknown as Row);
    },
    delete: (place, own) => {
      rows.delete(own);
      described.delete(place, own);
    },
  });
  return new Map([
    ['/v3/apis', siblings(world.apis)],
    ['/v2/api-products', siblings(world.products)],
    ['/v3/portals', siblings(world.portals)],
    ['/v2/portals', siblings(world.classicPortals)],
    ['/v2/control-planes', siblings(world.controlPlanes, withConfiguration)],
    ['/v1/mesh/control-planes', siblings(world.meshControlPlanes)],
    ['/v2/cloud-gateways/networks', siblings(world.networks)],
    ['/v3/teams', siblings(world.teams)],
    ['/v3/system-accounts', siblings(world.systemAccounts, (object) => ({ managed: false, ...object }))],
    ['/v2/control-planes/{}/core-entities/services', servicesSiblings(world, described)],
  ]);
}

/** Services are what implementations of APIs link to. */
function servicesSiblings(world: World, described: Siblings): Siblings {
  const planeOf = (place: string): string => place.split('/')[3] ?? '';
  const seeded = (place: string): readonly JsonObject[] =>
    world.gatewayServices
      .all()
      .filter((row) => row.control_plane_id === planeOf(place) && described.get(place, row.id) === undefined)
      .map(({ id, name }) => ({ id, name, host: `${name}.example.com` }));
  return {
    all: (place) => [...seeded(place), ...described.all(place)],
    get: (place, own) => described.get(place, own) ?? seeded(place).find(({ id }) => id === own),
    put: (place, own, object) => {
      described.put(place, own, object);
      const now = world.now();
      const name = typeof object['name'] === 'string' ? object['name'] : '';
      world.gatewayServices.put({ id: own, control_plane_id: planeOf(place), name, created_at: now, updated_at: now });
    },
    delete: (place, own) => {
      described.delete(place, own);
      world.gatewayServices.delete(own);
    },
  };
}
