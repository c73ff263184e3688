import { defined } from '../../engine/model/defined.js';
import { isList } from '../../engine/model/value.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { isRecord } from '../words/value.js';

/** One way to call the API. */
export interface ApiOperation {
  /** As written: `GET /pets/{petId}`. */
  readonly name: string;
  readonly deprecated: boolean;
  /** `query limit` → parameter. The names of path parameters are their positions: renaming one changes no call. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body?: { readonly required: boolean; readonly content: ReadonlyMap<string, Json> };
  /** Status code → media type → schema. */
  readonly responses: ReadonlyMap<string, ReadonlyMap<string, Json>>;
  /** The requirement in force; an empty list needs nothing. */
  readonly security: readonly Json[];
}

export interface Parameter {
  /** `query parameter limit` */
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
// A ring of references ends here.
const maxReferences = 20;

/** An OpenAPI 3 or Swagger 2 description. */
export function isOpenApi(value: Json | undefined): value is JsonObject {
  return isRecord(value) && (typeof value['openapi'] === 'string' || typeof value['swagger'] === 'string');
}

/** What a local reference (`#/components/schemas/Pet`) stands for; the value itself when it is none, null when it leads nowhere. */
export function resolved(document: JsonObject, value: Json | undefined): Json {
  let current: Json = value ?? null;
  for (let hops = 0; hops < maxReferences; hops += 1) {
    const reference = referenceOf(current);
    if (reference === undefined) return current;
    current = pointed(document, reference);
  }
  return null;
}

/** The text of a `$ref`, if the value is one. */
export function referenceOf(value: Json | undefined): string | undefined {
  return isRecord(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

function pointed(document: JsonObject, reference: string): Json {
  if (!reference.startsWith('#/')) return null;
  let current: Json = document;
  for (const raw of reference.slice(2).split('/')) {
    const key = decoded(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    const next: Json | undefined = isList(current)
      ? current[Number(key)]
      : isRecord(current) && Object.hasOwn(current, key)
        ? current[key]
        : undefined;
    if (next === undefined) return null;
    current = next;
  }
  return current;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Method and path, the names of path parameters aside → operation. */
export function operationsOf(document: JsonObject): ReadonlyMap<string, ApiOperation> {
  const operations = new Map<string, ApiOperation>();
  for (const [path, raw] of entries(document['paths'])) {
    const item = resolved(document, raw);
    for (const method of methods) {
      const operation = isRecord(item) ? item[method] : undefined;
      if (!isRecord(item) || !isRecord(operation)) continue;
      const key = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
      operations.set(key, readOperation(document, item, operation, `${method.toUpperCase()} ${path}`));
    }
  }
  return operations;
}

function readOperation(document: JsonObject, item: JsonObject, raw: JsonObject, name: string): ApiOperation {
  const parameters = [...items(item['parameters']), ...items(raw['parameters'])]
    .map((parameter) => resolved(document, parameter))
    .filter(isRecord);
  const body = bodyOf(document, raw, parameters);
  return {
    name,
    deprecated: raw['deprecated'] === true,
    parameters: namedParameters(parameters, name),
    ...defined({ body }),
    responses: new Map(
      entries(raw['responses']).map(([status, response]) => [
        status,
        contentOf(resolved(document, response), mediaTypes(document, raw, 'produces')),
      ]),
    ),
    security: items(raw['security'] ?? document['security']),
  };
}

function namedParameters(parameters: readonly JsonObject[], operation: string): ReadonlyMap<string, Parameter> {
  const places = [...operation.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]);
  const named = new Map<string, Parameter>();
  for (const parameter of parameters) {
    const place = String(parameter['in']);
    const name = String(parameter['name']);
    if (place === 'body' || place === 'formData') continue;
    // Header names have no case.
    const key = place === 'path' ? `${places.indexOf(name)}` : place === 'header' ? name.toLowerCase() : name;
    named.set(`${place} ${key}`, {
      name: `${place} parameter ${name}`,
      required: parameter['required'] === true,
      schema: parameter['schema'] ?? [...contentOf(parameter, []).values()][0] ?? parameter,
    });
  }
  return named;
}

function bodyOf(document: JsonObject, raw: JsonObject, parameters: readonly JsonObject[]): ApiOperation['body'] {
  const body = resolved(document, raw['requestBody']);
  if (isRecord(body)) return { required: body['required'] === true, content: contentOf(body, []) };
  const old = parameters.find((parameter) => parameter['in'] === 'body');
  if (old === undefined) return undefined;
  return { required: old['required'] === true, content: contentOf(old, mediaTypes(document, raw, 'consumes')) };
}

/** Media type → schema. Before OpenAPI 3 one schema serves all media types. */
function contentOf(holder: Json, types: readonly string[]): ReadonlyMap<string, Json> {
  if (!isRecord(holder)) return new Map();
  const { schema } = holder;
  if (holder['content'] === undefined && schema !== undefined) return new Map(types.map((type) => [type, schema]));
  return new Map(
    entries(holder['content']).map(([type, media]) => [type, isRecord(media) ? (media['schema'] ?? true) : true]),
  );
}

function mediaTypes(document: JsonObject, raw: JsonObject, key: 'consumes' | 'produces'): readonly string[] {
  const types = items(raw[key] ?? document[key]).map(String);
  return types.length === 0 ? ['application/json'] : types;
}

function items(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
