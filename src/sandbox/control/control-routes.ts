import { type Answer, type Call, type Route, noContent, ok } from '../route.js';
import { isJsonObject, type JsonObject } from '../json.js';
import type { Objects } from '../described/objects.js';
import { describedSiblings } from '../described/siblings.js';
import type { World } from '../store/world.js';
import type { Exchanges } from './exchanges.js';
import { readFaultRules } from './fault-rule.js';
import type { Faults } from './faults.js';
import { editDescribed, editObject, plant } from './objects.js';
import type { Traffic } from './traffic.js';

const controlPrefix = '/_sandbox';

interface Controls {
  readonly objects: Objects;
  /** Routes of the imitated platform, which seeds go through. */
  readonly platform: readonly Route[];
  readonly traffic: Traffic;
  readonly exchanges: Exchanges;
  readonly faults: Faults;
  /** Puts everything back to how it was at the start. */
  readonly reset: () => void;
}

/** The levers for tests, outside the imitated platform: no token, no latency, not counted. */
export function controlRoutes(controls: Controls): readonly Route[] {
  const { traffic, faults, reset } = controls;
  return [
    route('GET', '/requests', () => ok({ ...traffic.report() })),
    route('DELETE', '/requests', () => {
      traffic.reset();
      return noContent;
    }),
    route('POST', '/reset', () => {
      reset();
      return noContent;
    }),
    route('POST', '/seed', (call) => seed(controls, call)),
    route('GET', '/faults', () => ok({ rules: faults.report() })),
    route('PUT', '/faults', (call) => setFaults(controls, call)),
    route('DELETE', '/faults', () => {
      faults.set([]);
      return noContent;
    }),
    route('GET', '/exchanges', () => ok({ exchanges: controls.exchanges.all() })),
    route('PUT', '/exchanges', (call) => setExchanges(controls, call)),
    route('GET', '/objects', () => ok(dump(controls.objects.world))),
    route('GET', '/objects/{collection}/{id}', (call) => readObject(controls, call)),
    route('POST', '/objects/{collection}/{id}', (call) => writeObject(controls, call)),
  ];
}

function route(method: Route['method'], path: string, handle: Route['handle']): Route {
  return { method, path: controlPrefix + path, family: 'catalogue', open: true, handle };
}

function refused(error: string, status = 400): Answer {
  return { status, body: { error } };
}

function seed({ objects, platform }: Controls, call: Call): Answer {
  if (!isJsonObject(call.body)) return refused('an object is expected, by path or by collection');
  const problem = plant(objects, platform, call.body);
  return problem === undefined ? noContent : refused(problem);
}

function setFaults({ faults }: Controls, call: Call): Answer {
  const rules = readFaultRules(call.body);
  if (typeof rules === 'string') return refused(rules);
  faults.set(rules);
  return ok({ rules: faults.report() });
}

function setExchanges({ exchanges }: Controls, call: Call): Answer {
  const limit = isJsonObject(call.body) ? call.body['limit'] : undefined;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) {
    return refused('{"limit": N} is expected: how many exchanges to keep, 0 for none');
  }
  exchanges.record(limit);
  return noContent;
}

function dump(world: World): Record<string, unknown> {
  return Object.fromEntries([...world.collections].map(([name, collection]) => [name, collection.all()]));
}

function readObject({ objects: { world } }: Controls, call: Call): Answer {
  const [name, id] = [call.param('collection'), call.param('id')];
  const row = name.startsWith('/') ? describedSiblings(world).get(name, id) : world.collections.get(name)?.get(id);
  return row === undefined ? refused('there is no such object', 404) : ok(row);
}

function writeObject({ objects }: Controls, call: Call): Answer {
  const { world } = objects;
  const [name, id] = [call.param('collection'), call.param('id')];
  if (!isJsonObject(call.body)) return refused('an object is expected');
  if (name.startsWith('/')) return edited(editDescribed(world, name, id, call.body));
  const collection = world.collections.get(name);
  if (collection === undefined) {
    return refused(`there is no such collection; there are: ${[...world.collections.keys()].join(', ')}`, 404);
  }
  return edited(editObject(objects, collection, id, call.body));
}

function edited(object: JsonObject | undefined): Answer {
  return object === undefined ? noContent : ok(object);
}
