import { isObject } from '../engine/model/value.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import type { FieldType, MemberType } from '../providers/rest/definition.js';
import { snakeCase } from '../providers/rest/names.js';
import type { Description } from './description.js';
import { camel, pascal, sentence } from './words.js';

/** Records within each other that are followed; what is deeper, or leads back to itself, is any value. */
const mostRecords = 8;

/** A type as definitions say it. `name` is what a record or choice of its own would be called. */
export function fieldType(description: Description, schema: Json | undefined, name: string, depth = 0): FieldType {
  const at = merged(description, schema);
  const values = choicesOf(at);
  if (values !== undefined)
    return {
      choice: name,
      description: sentence(name),
      values: Object.fromEntries(values.map((value) => [value, sentence(value)])),
    };
  switch (kindOf(at)) {
    case 'array':
      return { list: fieldType(description, at['items'], name, depth + 1) };
    case 'object':
      return depth > mostRecords ? 'any' : recordType(description, at, name, depth);
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    default:
      return 'any';
  }
}

function recordType(description: Description, at: JsonObject, name: string, depth: number): FieldType {
  const properties = Object.entries(description.at(at['properties']));
  if (properties.length === 0) {
    const others = at['additionalProperties'];
    return isObject(others) ? { map: fieldType(description, others, name, depth + 1) } : 'any';
  }
  const required = new Set(Array.isArray(at['required']) ? at['required'] : []);
  const members = properties.map(([wire, schema]): [string, MemberType] => {
    const own = camel(wire);
    return [
      own,
      {
        type: fieldType(description, schema, `${name}${pascal(wire)}`, depth + 1),
        description: sentence(own),
        ...(required.has(wire) ? {} : { optional: true }),
        ...(snakeCase(own) === wire ? {} : { wire }),
      },
    ];
  });
  return { record: name, description: sentence(name), members: Object.fromEntries(members) };
}

/** Texts of which a value is one; undefined where it may be another. */
function choicesOf(at: JsonObject): readonly string[] | undefined {
  const values = Array.isArray(at['enum']) ? at['enum'].filter((value) => value !== null) : [];
  return values.length > 0 && values.every((value) => typeof value === 'string') ? values : undefined;
}

export function kindOf({ type, properties, items }: JsonObject): string | undefined {
  const kinds = (Array.isArray(type) ? type : [type]).filter((kind) => typeof kind === 'string' && kind !== 'null');
  if (kinds.length === 1) return String(kinds[0]);
  if (kinds.length > 1) return undefined;
  return properties === undefined ? (items === undefined ? undefined : 'array') : 'object';
}

/** A schema with all it is put together of; of what it may be, the only branch that is not null. */
export function merged(description: Description, schema: Json | undefined, depth = 0): JsonObject {
  const at = description.at(schema);
  if (depth > mostRecords) return at;
  const branches = [at['oneOf'], at['anyOf']].flatMap((list) => (Array.isArray(list) ? list : []));
  const real = branches.filter((branch) => description.at(branch as Json)['type'] !== 'null');
  const parts = [...(Array.isArray(at['allOf']) ? at['allOf'] : []), ...(real.length === 1 ? real : [])];
  return parts.reduce<JsonObject>((whole, part) => {
    const more = merged(description, part as Json, depth + 1);
    return {
      ...more,
      ...whole,
      ...both(whole, more, 'properties'),
      ...(real.length < branches.length ? { nullable: true } : {}),
      ...(Array.isArray(more['required']) || Array.isArray(whole['required'])
        ? { required: [...asList(whole['required']), ...asList(more['required'])] }
        : {}),
    };
  }, at);
}

function both(a: JsonObject, b: JsonObject, key: string): JsonObject {
  const parts = [b[key], a[key]].filter((part) => isObject(part));
  return parts.length === 0 ? {} : { [key]: Object.assign({}, ...parts) as JsonObject };
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
