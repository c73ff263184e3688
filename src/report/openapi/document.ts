import { defined, isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { isRecord } from '../words/value.js';
import type { Direction } from './schema-rules.js';
import { requirementsOf, type Requirement } from './security.js';

/** One way to call the API. */
export interface ApiOperation {
  /** As written: `GET /pets/{petId}`, `POST webhook stock`. */
  readonly name: string;
  /** Whoever calls an operation writes what it receives; of a webhook or a callback they read it. */
  readonly side: Direction;
  /** As in the document, for what it says of its end. */
  readonly source: JsonObject;
  /** `query limit` → parameter. The names of path parameters are their positions: renaming one changes no call. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly body?: {
    readonly required: boolean;
    readonly content: ReadonlyMap<string, Json>;
    /** Media type → how the parts of a form are written. */
    readonly encodings: ReadonlyMap<string, Json>;
  };
  /** Where it is called, if not where the whole API is. */
  readonly servers: Json;
  /** By status code. */
  readonly responses: ReadonlyMap<string, Response>;
  /** The requirement in force; an empty list needs nothing. */
  readonly security: readonly Requirement[];
}

export interface Parameter {
  /** `query parameter limit` */
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
  /** How a list or an object is written. */
  readonly style: string;
  /** A list is written by giving the parameter again: one value alone is a list of one. */
  readonly isRepeated: boolean;
  readonly source: JsonObject;
}

export interface Response {
  /** Media type → schema. */
  readonly content: ReadonlyMap<string, Json>;
  /** Name in lower case → header. */
  readonly headers: ReadonlyMap<string, Parameter>;
  readonly links: readonly string[];
}

/** Of a media type that says nothing of what it holds. */
export const noSchema: JsonObject = {};

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

/** Method and path, the names of path parameters aside → operation; webhooks and callbacks among them. */
export function operationsOf(document: JsonObject): ReadonlyMap<string, ApiOperation> {
  const operations = new Map<string, ApiOperation>();
  const read = (place: string, raw: Json, side: Direction): void => {
    const item = resolved(document, raw);
    if (!isRecord(item)) return;
    for (const method of methods) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const name = `${method.toUpperCase()} ${place}`;
      // What stands in an expression is where a callback goes, and no name of a parameter.
      operations.set(name.replace(/\{(?!\$)[^{}]*\}/g, '{}'), readOperation(document, item, operation, name, side));
      if (side === 'response') continue;
      for (const [callback, paths] of entries(operation['callbacks']))
        for (const [path, inner] of entries(resolved(document, paths)))
          read(`callback ${callback} ${path} of ${name}`, inner, 'response');
    }
  };
  for (const [path, raw] of entries(document['paths'])) read(path, raw, 'request');
  for (const [name, raw] of entries(document['webhooks'])) read(`webhook ${name}`, raw, 'response');
  return operations;
}

function readOperation(
  document: JsonObject,
  item: JsonObject,
  raw: JsonObject,
  name: string,
  side: Direction,
): ApiOperation {
  const parameters = [...items(item['parameters']), ...items(raw['parameters'])]
    .map((parameter) => resolved(document, parameter))
    .filter(isRecord);
  const body = bodyOf(document, raw, parameters);
  return {
    name,
    side,
    source: raw,
    parameters: namedParameters(parameters, name),
    ...defined({ body }),
    servers: raw['servers'] ?? item['servers'] ?? null,
    responses: new Map(
      entries(raw['responses']).map(([status, response]) => [status, responseOf(document, raw, response)]),
    ),
    security: requirementsOf(document, raw['security'] ?? document['security']),
  };
}

function responseOf(document: JsonObject, operation: JsonObject, raw: Json): Response {
  const response = resolved(document, raw);
  const headers = entries(isRecord(response) ? response['headers'] : undefined);
  return {
    content: contentOf(response, mediaTypes(document, operation, 'produces')),
    headers: new Map(
      headers.map(([name, one]) => {
        const header = resolved(document, one);
        return [name.toLowerCase(), parameterOf(isRecord(header) ? header : {}, `header ${name}`)];
      }),
    ),
    links: entries(isRecord(response) ? response['links'] : undefined).map(([name]) => name),
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
    const at = place === 'path' ? places.indexOf(name) : -1;
    const key = at >= 0 ? `${at}` : place === 'header' ? name.toLowerCase() : name;
    named.set(`${place} ${key}`, parameterOf(parameter, `${place} parameter ${name}`));
  }
  return named;
}

function parameterOf(source: JsonObject, name: string): Parameter {
  const place = source['in'];
  const style = source['style'] ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const isExploded = source['explode'] ?? style === 'form';
  const [[media, content] = []] = contentOf(source, []);
  return {
    name,
    required: source['required'] === true,
    schema: source['schema'] ?? content ?? source,
    style: JSON.stringify([style, isExploded, source['collectionFormat'] ?? 'csv', media]),
    isRepeated: style === 'form' && isExploded === true,
    source,
  };
}

function bodyOf(document: JsonObject, raw: JsonObject, parameters: readonly JsonObject[]): ApiOperation['body'] {
  const body = resolved(document, raw['requestBody']);
  if (isRecord(body)) {
    const media = entries(body['content']).map(
      ([type, one]) => [type, isRecord(one) ? one['encoding'] : null] as const,
    );
    const encodings = new Map(media.map(([type, encoding]) => [type, encoding ?? null]));
    return { required: body['required'] === true, content: contentOf(body, []), encodings };
  }
  const old = parameters.find((parameter) => parameter['in'] === 'body') ?? formOf(parameters);
  if (old === undefined) return undefined;
  const content = contentOf(old, mediaTypes(document, raw, 'consumes'));
  return { required: old['required'] === true, content, encodings: new Map() };
}

/** Before OpenAPI 3, the fields of a form are parameters. */
function formOf(parameters: readonly JsonObject[]): JsonObject | undefined {
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const required = fields.filter((field) => field['required'] === true).map((field) => String(field['name']));
  const properties = fields.map(({ name, in: _, required: __, ...schema }) => [String(name), schema] as const);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return { required: required.length > 0, schema };
}

/** Media type → schema. Before OpenAPI 3 one schema serves all media types. */
function contentOf(holder: Json, types: readonly string[]): ReadonlyMap<string, Json> {
  if (!isRecord(holder)) return new Map();
  const { schema } = holder;
  if (holder['content'] === undefined && schema !== undefined) return new Map(types.map((type) => [type, schema]));
  return new Map(
    entries(holder['content']).map(([type, media]) => [
      type,
      isRecord(media) ? (media['schema'] ?? noSchema) : noSchema,
    ]),
  );
}

function mediaTypes(document: JsonObject, raw: JsonObject, key: 'consumes' | 'produces'): readonly string[] {
  const types = items(raw[key] ?? document[key]).map(String);
  return types.length === 0 ? ['application/json'] : types;
}

/** What a description has for its operations to refer to, by kind and name. */
export function componentsOf(document: JsonObject): Readonly<Record<'schema' | 'security scheme', JsonObject>> {
  const components = isRecord(document['components']) ? document['components'] : {};
  const part = (name: string, old: string): JsonObject => {
    const found = components[name] ?? document[old];
    return isRecord(found) ? found : {};
  };
  return {
    schema: part('schemas', 'definitions'),
    'security scheme': part('securitySchemes', 'securityDefinitions'),
  };
}

function items(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
