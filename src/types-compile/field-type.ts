import { defined } from '../engine/model/defined.js';
import { isObject } from '../engine/model/value.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import type { FieldType, MemberType } from '../providers/rest/definition.js';
import { snakeCase } from '../providers/rest/names.js';
import type { Description } from './description.js';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import { unionRule } from './union.js';
import { pascal, sentence } from './words.js';

/** Records within each other that are followed; what is deeper, or leads back to itself, is any value. */
const mostRecords = 8;

/**
 * A type as definitions say it. `name` is what a record or choice of its own would be called, `shown` what answers have in
 * its place; undefined where they have nothing in particular.
 */
export function fieldType(
  description: Description,
  schema: Json | undefined,
  name: string,
  shown?: Json,
  depth = 0,
): FieldType {
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
      return { list: fieldType(description, at['items'], name, merged(description, shown)['items'], depth + 1) };
    case 'object':
      return depth > mostRecords
        ? 'any'
        : recordType(description, at, name, {
            shown: merged(description, shown),
            depth,
            by: unionRule(description, schema)?.by,
          });
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

function recordType(
  description: Description,
  at: JsonObject,
  name: string,
  { shown, depth, by }: { readonly shown: JsonObject; readonly depth: number; readonly by: string | undefined },
): FieldType {
  const properties = Object.entries(description.at(at['properties']));
  if (properties.length === 0) {
    const others = at['additionalProperties'];
    return isObject(others)
      ? { map: fieldType(description, others, name, shown['additionalProperties'], depth + 1) }
      : 'any';
  }
  const required = new Set(Array.isArray(at['required']) ? at['required'] : []);
  const answered = description.at(shown['properties']);
  const isClosed = Object.keys(answered).length > 0 && !isObject(shown['additionalProperties']);
  const members = properties.map(([wire, schema]): [string, MemberType] => {
    const own = description.nameOf(wire);
    const hidden = isHidden(description, answered[wire] ?? schema) || (isClosed && answered[wire] === undefined);
    return [
      own,
      {
        type: fieldType(description, schema, `${name}${pascal(wire)}`, answered[wire], depth + 1),
        description: sentence(own),
        ...(required.has(wire) && !hidden ? {} : { optional: true }),
        ...(hidden ? { writeOnly: true as const } : {}),
        ...(snakeCase(own) === wire ? {} : { wire }),
      },
    ];
  });
  return { record: name, description: sentence(name), members: Object.fromEntries(members), ...defined({ by }) };
}

/** What no answer shows can't be asked of every answer. */
function isHidden(description: Description, schema: Json): boolean {
  const at = merged(description, schema);
  return at['writeOnly'] === true || branchesOf(description.at(schema)).some((branch) => isHidden(description, branch));
}

/** Texts of which a value is one; undefined where it may be another. */
function choicesOf(at: JsonObject): readonly string[] | undefined {
  const values = valuesOf(at)?.filter((value) => value !== null) ?? [];
  return values.length > 0 && values.every((value) => typeof value === 'string') ? values : undefined;
}
