import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.js';
import { withOwnWords } from '../wire.js';
import { amend, withCalls } from './amendments.js';

/** A schema with all that it is put together of; `either`: it must also be one of these. */
export interface Shape {
  readonly schema: JsonObject;
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: readonly string[];
  readonly either: readonly Json[];
}

interface DescribedAnswer {
  readonly status: number;
  readonly schema: Json | undefined;
}

/** Facts of the platform, as its descriptions say them. */
export class Description {
  readonly paths: readonly (readonly [path: string, item: JsonObject])[];
  readonly #root: JsonObject;
  readonly #shapes = new WeakMap<object, Shape>();
  readonly #bodies = new WeakMap<object, { readonly value: Json | undefined }>();
  readonly #answers = new WeakMap<object, { readonly value: DescribedAnswer }>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.paths = Object.entries(objectAt(root, 'paths')).flatMap(([path, item]) =>
      isJsonObject(item) ? [[path, item] as const] : [],
    );
  }

  at(node: Json | undefined): JsonObject {
    let found = isJsonObject(node) ? node : {};
    for (let steps = 0; steps < 20; steps += 1) {
      const { $ref: reference, ...beside } = found;
      if (typeof reference !== 'string') break;
      const target = reference
        .slice(2)
        .split('/')
        .reduce<JsonObject>((at, name) => objectAt(at, name), this.#root);
      found = { ...target, ...beside };
    }
    return found;
  }

  shapeOf(node: Json | undefined): Shape {
    const known = isJsonObject(node) ? this.#shapes.get(node) : undefined;
    if (known !== undefined) return known;
    const schema = this.at(node);
    const parts = listAt(schema, 'allOf').map((part) => this.shapeOf(part));
    const properties = new Map<string, Json>();
    for (const part of [
      ...parts.map((each) => each.properties),
      new Map(Object.entries(objectAt(schema, 'properties'))),
    ])
      for (const [name, member] of part) properties.set(name, joined(properties.get(name), member));
    const shape: Shape = {
      schema: parts.reduce<JsonObject>((whole, part) => ({ ...part.schema, ...whole }), schema),
      properties,
      required: [...new Set([...parts.flatMap((part) => part.required), ...textsAt(schema, 'required')])],
      either: [...parts.flatMap((part) => part.either), ...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')],
    };
    if (isJsonObject(node)) this.#shapes.set(node, shape);
    return shape;
  }

  /** Schema of what a call takes. */
  bodyOf(call: JsonObject): Json | undefined {
    return this.#known(this.#bodies, call, () => jsonOf(this.at(call['requestBody'])));
  }

  /** Status and schema of what a call answers when all is well. */
  answerOf(call: JsonObject): DescribedAnswer {
    return this.#known(this.#answers, call, () => {
      const answers = objectAt(call, 'responses');
      const status = Object.keys(answers).find((code) => code.startsWith('2')) ?? '204';
      return { status: Number(status.replace('XX', '00')), schema: jsonOf(this.at(answers[status])) };
    });
  }

  /** What is asked for each request is worked out once a call. */
  #known<T>(known: WeakMap<object, { readonly value: T }>, call: JsonObject, make: () => T): T {
    const found = known.get(call) ?? { value: make() };
    known.set(call, found);
    return found.value;
  }

  /** The kinds of body that a 404 has: none where it has no body. */
  missingOf(call: JsonObject): readonly string[] | undefined {
    const answer = objectAt(call, 'responses')['404'];
    return answer === undefined ? undefined : Object.keys(objectAt(this.at(answer), 'content'));
  }

  /** Names of the query parameters of a call. */
  queryOf(call: JsonObject): readonly string[] {
    return listAt(call, 'parameters')
      .map((each) => this.at(each))
      .flatMap(({ in: place, name }) => (place === 'query' && typeof name === 'string' ? [name] : []));
  }
}

/** What two parts say of one member counts both. */
function joined(a: Json | undefined, b: Json): Json {
  const isPlain = isJsonObject(a) && isJsonObject(b) && !('$ref' in a) && !('$ref' in b);
  return isPlain ? { ...a, ...b } : b;
}

function jsonOf(node: JsonObject): Json | undefined {
  const media = Object.entries(objectAt(node, 'content')).find(([type]) => type.includes('json'))?.[1];
  return isJsonObject(media) ? media['schema'] : undefined;
}

function objectAt(node: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(node, name) ? node[name] : undefined;
  return isJsonObject(value) ? value : {};
}

export function listAt(node: JsonObject, name: string): readonly Json[] {
  const value = node[name];
  return isJsonList(value) ? value : [];
}

export function textsAt(node: JsonObject, name: string): readonly string[] {
  return listAt(node, name).filter((each) => typeof each === 'string');
}

/** The descriptions that come with this program; read once, however many sandboxes start. */
export function keptDescriptions(): readonly Description[] {
  kept ??= ['marked', 'unmarked', 'newest'].map((name) => {
    const document = descriptionIn(`platform-${name}.json`);
    return new Description(amend(name === 'marked' ? withCalls(document) : document));
  });
  return kept;
}

let kept: readonly Description[] | undefined;

function descriptionIn(file: string): JsonObject {
  const path = join(packageFolder(dirname(fileURLToPath(import.meta.url))), 'schemas/descriptions', file);
  // The package has them compressed: they are an eighth of it, and only a sandbox reads them.
  const text = existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString();
  return JSON.parse(withOwnWords(text)) as JsonObject;
}

function packageFolder(start: string): string {
  if (existsSync(join(start, 'schemas')) || dirname(start) === start) return start;
  return packageFolder(dirname(start));
}
