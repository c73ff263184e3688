import { isObject } from '../../src/engine/model/value.js';
import type { Json, JsonObject } from '../../src/engine/model/value.js';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Head of a schema file that editors load. */
export function editorSchema(title: string, description: string, body: JsonObject): JsonObject {
  return { $schema: dialect, title, description, ...body };
}

/** The ways to say a value other than spelling it out. Editors show a tagged value as the content behind its tag. */
export const expressionDefinitions: JsonObject = {
  expression: {
    description: 'A reference `${…}`, a call of a function `fn::…`, or a lookup.',
    anyOf: [{ $ref: '#/$defs/reference' }, { $ref: '#/$defs/call' }, { $ref: '#/$defs/lookup' }],
  },
  reference: { type: 'string', pattern: String.raw`\$\{` },
  call: {
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: {
      'fn::readFile': {
        type: 'string',
        description:
          'The text of a file, relative to this one; with `#/pointer`, a part of a parsed YAML or JSON file. Short: `!file`.',
      },
      'fn::env': { type: 'string', description: 'The text of an environment variable, as a secret. Short: `!env`.' },
      'fn::secret': { description: 'The value, marked secret. Short: `!secret`.' },
      'fn::toJSON': { description: 'The value as compact JSON text. Short: `!json`.' },
      'fn::unset': { type: 'null', description: 'The key counts as not there, over a default. Short: `!unset`.' },
      'fn::invoke': { $ref: '#/$defs/lookup', description: 'The result of a lookup. Short: `!lookup`.' },
      'fn::join': {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        description: 'A separator, and the list of texts to join with it.',
      },
    },
  },
};

/** A schema whose value, and every value inside it, may also be an expression. */
export function expressible(schema: JsonObject): JsonObject {
  const { description, deprecated, ...rules } = inside(schema);
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    anyOf: [rules, { $ref: '#/$defs/expression' }],
  };
}

/** Leaves out `not`: what it forbids is named in one place only, and `sync validate` checks it. */
function inside(schema: JsonObject): JsonObject {
  const inner: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'items' || key === 'additionalProperties') && isObject(value)) inner[key] = expressible(value);
    else if (key === 'properties') inner[key] = expressibleMembers(value as JsonObject);
    else if (key === 'propertyNames' && isObject(value)) inner[key] = without(value, 'not');
    else inner[key] = value;
  }
  return inner;
}

function expressibleMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, expressible(member as JsonObject)]));
}

function without(schema: JsonObject, left: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== left));
}
