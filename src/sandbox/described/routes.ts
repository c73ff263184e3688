import type { Route } from '../route.js';
import type { World } from '../store/world.js';
import { keptDescriptions } from './description.js';
import { hasItems, placesOf, plain, type Method, type Place, type Places } from './families.js';
import { createItem, listItems } from './collection-calls.js';
import { changeItem, deleteItem, putItem, readItem } from './item-calls.js';
import { changeMembers, isMembership, listMembers, verbOf } from './memberships.js';
import { Objects } from './objects.js';

type Handler = (objects: Objects, place: Place) => Route['handle'];

/** Routes for all that descriptions tell of, but what others serve already. */
export function describedRoutes(world: World, served: readonly Route[]): readonly Route[] {
  const known = new Set(served.map(({ method, path }) => `${method} ${plain(path)}`));
  const places = placesOf(keptDescriptions());
  const objects = new Objects(world, places);
  return [...places.values()].flatMap((place) =>
    handlers(places, place).flatMap(([method, handler]): readonly Route[] => {
      const verb = verbs[method];
      if (known.has(`${verb} ${plain(place.path)}`)) return [];
      return [{ method: verb, path: place.path, family: 'catalogue', handle: handler(objects, place) }];
    }),
  );
}

const verbs = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

function handlers(places: Places, place: Place): readonly (readonly [Method, Handler])[] {
  const { path, calls } = place;
  const verb = verbOf(places, path);
  const chosen: readonly (readonly [Method, Handler])[] =
    verb !== undefined
      ? [['post', changeMembers(verb)]]
      : isMembership(places, path)
        ? [['get', listMembers]]
        : !path.endsWith('}') && hasItems(places, path)
          ? [
              ['get', listItems],
              ['post', createItem],
            ]
          : [
              ['get', readItem],
              ['post', putItem],
              ['put', putItem],
              ['patch', changeItem],
              ['delete', deleteItem],
            ];
  return chosen.filter(([method]) => calls[method].length > 0);
}
