import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { invalid, missingReference } from '../problem.js';
import type { World } from '../store/world.js';
import { plain } from './families.js';

const core = '/v2/control-planes/{}/core-entities';

/** Where an object is to be kept: the path of its collection, and its own id. */
interface Spot {
  readonly path: string;
  readonly own: string;
  readonly world: World;
}

type Refusal = (object: JsonObject, spot: Spot) => void;

/** What the platform refuses of objects by their collection, though their bodies are as described: its own documentation says so. */
const refusals: Readonly<Record<string, Refusal>> = {
  [`${core}/certificates`]: certificates('cert', 'cert_alt'),
  [`${core}/ca_certificates`]: certificates('cert'),
  [`${core}/plugins`]: ({ name, config }) => {
    const limits = name === 'rate-limiting' ? recordOf(config) : {};
    if (name === 'rate-limiting' && windows.every((window) => typeof limits[window] !== 'number'))
      refuse('config', 'at_least_one_of', `must have one of ${windows.join(', ')}`);
  },
  '/v3/teams/{}/users': (_object, { own, world }) => {
    if (world.rows('users').get(own) === undefined) throw missingReference('id');
  },
};

const windows = ['second', 'minute', 'hour', 'day', 'month', 'year'];

function certificates(...members: readonly string[]): Refusal {
  return (object) => {
    for (const member of members) {
      const text = object[member];
      // What a vault holds is read by the gateway alone.
      if (typeof text === 'string' && !/^\s*(?:-----BEGIN |\{vault:)/.test(text))
        refuse(member, 'is_pem', 'must be a certificate in PEM');
    }
  };
}

function refuse(field: string, rule: string, reason: string): never {
  throw invalid({ field, rule, reason: `${field} ${reason}`, source: 'body' });
}

function recordOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Throws what the platform finds wrong with an object. */
export function mustBeTaken(object: JsonObject, spot: Spot): void {
  refusals[plain(spot.path)]?.(object, spot);
}
