import { isJsonObject } from '../json.js';
import { questions } from '../list/questions.js';
import { notFound } from '../problem.js';
import type { Family } from '../problem-style.js';
import { type Answer, type Route, ok } from '../route.js';
import type { World } from '../store/world.js';
import { hasItems, plain, type Method, type Place, type Places } from './families.js';
import { createItem, listItems } from './collection-calls.js';
import { changeItem, deleteItem, moveItem, putItem, readItem } from './item-calls.js';
import { changeMembers, isMembership, listMembers, verbOf } from './memberships.js';
import type { Objects } from './objects.js';

type Handler = (objects: Objects, place: Place) => Route['handle'];

/** Routes for all that descriptions tell of. */
export function describedRoutes(objects: Objects): readonly Route[] {
  const { places, world } = objects;
  return [...places.values()].flatMap((place) =>
    handlers(places, place).flatMap(([method, handler]): readonly Route[] => {
      const route: Route = {
        ...{ method: verbs[method], path: place.path, family: familyOf(place.path), handle: handler(objects, place) },
        ...(place.path === addresses ? { open: true, handle: () => addressList(world) } : {}),
      };
      // Both spellings: the path that people are told to try a token with ends in a slash.
      return place.path === '/v2/users' ? [route, { ...route, path: '/v2/users/' }] : [route];
    }),
  );
}

/** A static public file: no token, no filters. */
const addresses = '/ip-addresses.json';

function addressList(world: World): Answer {
  const [list] = world.rows('ip-addresses').all();
  if (!isJsonObject(list?.['content'])) throw notFound();
  return ok(list['content']);
}

/** Parts of the platform that word their refusals in other ways. */
const families: readonly (readonly [Family, RegExp])[] = [
  ['identity', /^\/v[23]\/(?:teams|system-accounts|users)(?:\/\{[^}]*\})?$/],
  ['control-planes', /^\/(?:v2|v1\/mesh)\/control-planes(?:\/\{[^}]*\})?$/],
];

function familyOf(path: string): Family {
  return families.find(([, form]) => form.test(path))?.[0] ?? 'catalogue';
}

const verbs = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

function handlers(places: Places, place: Place): readonly (readonly [Method, Handler])[] {
  const { path, calls } = place;
  const verb = verbOf(places, path);
  const chosen: readonly (readonly [Method, Handler])[] =
    plain(path) === '/v3/apis/{}/documents/{}/move'
      ? [['post', moveItem]]
      : verb !== undefined
        ? [['post', changeMembers(verb)]]
        : isMembership(places, path)
          ? [['get', listMembers]]
          : (!path.endsWith('}') && hasItems(places, path)) || questions[plain(path)] !== undefined
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
