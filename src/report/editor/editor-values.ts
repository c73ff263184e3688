import { textFilter } from '@platform-sync/core/lookups/by-rule';
import { openChoices, withoutOpenChoices } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** What only lookups are called like. */
const lookupName = '^[a-z]+:.*\\bget[A-Z]';

/** Head of a schema file that editors load. */
export function editorSchema(title: string, description: string, body: JsonObject): JsonObject {
  return { $schema: dialect, title, description, ...body };
}

/**
 * What stands behind `!env`, `!file` and `!unset`: NAME, path/of.file#/pointer, nothing; and words that are no texts behind `!secret`. Editors show a tagged value as the
 * content behind its tag, so this has to pass wherever a tag may stand.
 */
export const tagged: JsonObject = {
  type: 'string',
  pattern: String.raw`^(?:[A-Z_][A-Z0-9_]*|[^\n]*\.\w+(?:#/.*)?|true|false|null|)$`,
};

/** The ways to say a value other than spelling it out. */
export const expressionDefinitions: JsonObject = {
  expression: { anyOf: ['reference', 'call', 'lookup'].map(ref) },
  reference: { type: 'string', pattern: String.raw`\$\{` },
  tagged,
  textFilter: spelledOut(textFilter),
  unset: { type: 'string', maxLength: 0 },
  value: { anyOf: [ref('data'), { not: { type: ['object', 'array'] } }] },
  // A map or list of which no type is known. Not looked into: aliases can make millions of values out of ten lines.
  data: {
    anyOf: [
      ref('call'),
      ref('lookup'),
      {
        type: 'object',
        propertyNames: { not: { pattern: '^fn::' } },
        not: { required: ['function'], properties: { function: { type: 'string', pattern: lookupName } } },
      },
      { type: 'array' },
    ],
  },
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
      'fn::invoke': { ...ref('lookup'), description: 'The result of a lookup. Short: `!lookup`.' },
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
  // In every filter of every type, and so in one place.
  return schema === textFilter ? ref('textFilter') : spelledOut(schema);
}

function spelledOut(schema: JsonObject): JsonObject {
  const { description, deprecated, ...rules } = inside(withoutOpenChoices(schema));
  const known = openChoices(schema);
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    // Editors offer what is known, and find nothing wrong with another text.
    anyOf: [...(known === undefined ? [] : [{ enum: known }]), rules, ref('expression'), ...behindTags(rules).map(ref)],
  };
}

/** What else can stand there because editors don't see the tag before it. */
function behindTags(rules: JsonObject): readonly string[] {
  const isFreeText = rules['type'] === 'string' && !('pattern' in rules || 'enum' in rules);
  // Free text may be JSON text, which `!json` makes of anything.
  return isFreeText ? ['data', 'unset'] : ['tagged'];
}

/** Leaves out `not`: what it forbids is named in one place only, and `sync validate` checks it. */
function inside(schema: JsonObject): JsonObject {
  const inner = new Map<string, Json>();
  for (const [key, value] of Object.entries(schema)) {
    if ((key === 'items' || key === 'additionalProperties') && isObject(value)) inner.set(key, expressible(value));
    else if (key === 'properties' && isObject(value)) inner.set(key, expressibleMembers(value));
    else if (key === 'propertyNames' && isObject(value)) inner.set(key, without(value, 'not'));
    else if (key === 'allOf' && isList(value)) inner.set(key, value.map(ofKind));
    else inner.set(key, value);
  }
  return Object.fromEntries(inner);
}

/** What holds of one kind alone, of values that may be expressions. */
export function ofKind(part: Json): Json {
  if (!isObject(part)) return part;
  return isObject(part['then']) ? { ...part, then: inside(part['then']) } : inside(part);
}

function expressibleMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, isObject(member) ? expressible(member) : member]),
  );
}

export function ref(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

function without(schema: JsonObject, left: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== left));
}

/** What a catalogue file may name. */
export interface Named {
  readonly shortToken: string;
  readonly token: string;
}

/** The short and the full one. */
export function names(named: Named): readonly string[] {
  return [named.shortToken, named.token];
}

/** Editors offer what an `enum` lists: the short names. The full ones are right, too. */
export function oneOfNames(all: readonly Named[]): JsonObject {
  const full = { type: 'string', pattern: `^(?:${all.map(({ token }) => token).join('|')})$` };
  return { anyOf: [{ enum: all.map(({ shortToken }) => shortToken) }, full] };
}

/** A pattern: while something is typed, editors take the beginning of a word in an `enum` for the word. */
export function named(...some: readonly Named[]): JsonObject {
  return { type: 'string', pattern: `^(?:${some.flatMap(names).join('|')})$` };
}
