import { isList, isObject, type Json, type JsonObject } from '../../../src/engine/model/value.js';

/** What the stand-in understands of a description's schemas, read on its own: nothing here knows how types are compiled. */
export class Schemas {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** A schema with its references followed and its parts put together; of a choice, the first. */
  whole(schema: Json | undefined, depth = 0): JsonObject {
    if (!isObject(schema) || depth > 12) return {};
    const { $ref: reference, allOf, oneOf, anyOf, ...own } = schema;
    const parts = [
      ...(typeof reference === 'string' ? [this.#at(reference)] : []),
      ...(isList(allOf) ? allOf : []),
      ...[oneOf, anyOf].flatMap((choice) => {
        const real = (isList(choice) ? choice : []).filter((each) => this.whole(each, depth + 1)['type'] !== 'null');
        return real.slice(0, 1);
      }),
    ].map((part) => this.whole(part, depth + 1));
    const isNullable = [oneOf, anyOf].some(
      (choice) => isList(choice) && choice.some((each) => isObject(each) && each['type'] === 'null'),
    );
    return parts.reduce<JsonObject>(
      (all, part) => ({
        ...part,
        ...all,
        ...(isObject(part['properties']) || isObject(all['properties'])
          ? { properties: { ...membersOf(part), ...membersOf(all) } }
          : {}),
        required: [...requiredOf(all), ...requiredOf(part)],
      }),
      isNullable ? { ...own, nullable: true } : own,
    );
  }

  #at(reference: string): Json {
    return reference
      .replace(/^#\//, '')
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json>((at, name) => (isList(at) ? at[Number(name)] : isObject(at) ? at[name] : null) ?? null, this.#root);
  }

  body(call: JsonObject): JsonObject | undefined {
    return this.#json(this.whole(call['requestBody'])['content']);
  }

  answer(call: JsonObject): JsonObject | undefined {
    const answers = isObject(call['responses']) ? call['responses'] : {};
    const done = Object.keys(answers).find((status) => status.startsWith('2'));
    return done === undefined ? undefined : this.#json(this.whole(answers[done])['content']);
  }

  #json(content: Json | undefined): JsonObject | undefined {
    const [, media] = Object.entries(isObject(content) ? content : {}).find(([type]) => type.includes('json')) ?? [];
    return isObject(media) ? this.whole(media['schema']) : undefined;
  }

  /** A value that the service chooses. */
  sample(schema: Json | undefined, depth = 0): Json {
    const at = this.whole(schema);
    if (at['default'] !== undefined) return at['default'];
    if (isList(at['enum'])) return at['enum'][0] ?? null;
    if (at['const'] !== undefined) return at['const'];
    if (at['nullable'] === true || (isList(at['type']) && at['type'].includes('null'))) return null;
    switch (kindOf(at)) {
      case 'object':
        return depth > 4
          ? {}
          : Object.fromEntries(requiredOf(at).map((name) => [name, this.sample(membersOf(at)[name], depth + 1)]));
      case 'array':
        return [];
      case 'integer':
      case 'number':
        return Math.max(1, Number(at['minimum'] ?? 1));
      case 'boolean':
        return false;
      default:
        return textFor(at);
    }
  }

  /** A value as answers have it: an id alone is shown with what it names, and of objects what the schema knows. */
  shown(schema: Json | undefined, value: Json): Json {
    const at = this.whole(schema);
    const kind = kindOf(at);
    if (value === null) return null;
    if (isList(value)) return kind === 'array' ? value.map((each) => this.shown(at['items'], each)) : value;
    if (isObject(value)) {
      if (kind !== 'object') return value;
      const members = membersOf(at);
      if (Object.keys(members).length === 0) return value;
      const known = Object.entries(value).flatMap(([name, each]): [string, Json][] =>
        members[name] === undefined ? [] : [[name, this.shown(members[name], each)]],
      );
      const chosen = requiredOf(at)
        .filter((name) => value[name] === undefined)
        .map((name): [string, Json] => [name, this.sample(members[name])]);
      return Object.fromEntries([...known, ...chosen]);
    }
    if (kind === 'object' && membersOf(at)['id'] !== undefined) {
      const named = this.sample(schema);
      return { ...(isObject(named) ? named : {}), id: this.shown(membersOf(at)['id'], value) };
    }
    if (kind === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
    return kind === 'string' && typeof value === 'number' ? String(value) : value;
  }

  /** Why a body is refused; undefined: it is taken. */
  refusal(schema: JsonObject | undefined, body: Json): string | undefined {
    if (schema === undefined || !isObject(body)) return undefined;
    const members = membersOf(schema);
    const missing = requiredOf(schema).find(
      (name) => members[name] !== undefined && body[name] === undefined && !this.#isReadOnly(members[name]),
    );
    if (missing !== undefined) return `${missing} is missing`;
    const wrong = Object.entries(body).find(([name, value]) => !this.#isOfKind(members[name], value));
    return wrong === undefined ? undefined : `${wrong[0]} is of a wrong kind`;
  }

  #isReadOnly(schema: Json | undefined): boolean {
    return this.whole(schema)['readOnly'] === true;
  }

  #isOfKind(schema: Json | undefined, value: Json): boolean {
    const { type } = this.whole(schema);
    if (type === undefined || value === null) return true;
    const is = Array.isArray(value) ? 'array' : typeof value;
    return [type].flat().some((kind) => kind === is || (kind === 'integer' && Number.isInteger(value)));
  }
}

export function membersOf(schema: JsonObject): JsonObject {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: JsonObject): readonly string[] {
  return isList(schema['required']) ? [...new Set(schema['required'].map(String))] : [];
}

export function kindOf(schema: JsonObject): string | undefined {
  const kinds = [schema['type'] ?? []].flat().filter((kind) => kind !== 'null');
  if (kinds.length > 0) return String(kinds[0]);
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}

function textFor({ format, minLength, pattern }: JsonObject): string {
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'date') return '2026-01-01';
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000001';
  if (format === 'uri' || format === 'url') return 'https://service.example.com';
  if (format === 'email') return 'service@example.com';
  const tried = ['chosen', '1', 'a', 'https://service.example.com', 'service.example.com', '10.0.0.0/16', '10.0.0.1'];
  const fits = (text: string): boolean => {
    try {
      return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
    } catch {
      return true;
    }
  };
  return (tried.find(fits) ?? 'chosen').padEnd(Number(minLength ?? 0), 'x');
}
