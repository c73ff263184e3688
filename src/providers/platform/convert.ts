import type { Json, JsonObject } from '@platform-sync/core/model/value';
import * as rest from '@platform-sync/rest/names';
import type { Naming, WireNames } from '@platform-sync/rest/style';
import { brandedNames } from './wire.js';

export { camelCase, snakeCase } from '@platform-sync/rest/names';

export const naming: Naming = { rule: 'snake_case', names: brandedNames };

interface FromWireOptions {
  readonly names?: WireNames;
  /** See `rest/names.ts`. */
  readonly fill?: boolean;
}

/** The wire name of a field. */
export function wireName(name: string, names?: WireNames): string {
  return rest.wireName(withNames(names), name);
}

export function toWire(schema: JsonObject, value: Json): Json {
  return rest.toWire(naming, schema, value);
}

export function fromWire(schema: JsonObject, value: Json, { names, fill }: FromWireOptions = {}): Json {
  return rest.fromWire(withNames(names), schema, value, fill);
}

function withNames(names: WireNames | undefined): Naming {
  return names === undefined ? naming : { ...naming, names: { ...brandedNames, ...names } };
}
