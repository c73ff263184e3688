/** OpenAPI 3.0 schemas as JSON Schema, so that a JSON Schema validator can read them. */

type Data = Readonly<Record<string, unknown>>;

export function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Requests don't hold what is read-only, answers don't hold what is write-only. */
export type Direction = 'request' | 'response';

/** What a `$ref` into the same document points at; anything else is answered as it is. */
export function resolve(document: unknown, value: unknown): unknown {
  if (!isData(value) || typeof value['$ref'] !== 'string') return value;
  let target = document;
  for (const part of value['$ref'].replace(/^#\//, '').split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isData(target) ? target[key] : undefined;
  }
  return resolve(document, target);
}

const verbatim: ReadonlySet<string> = new Set(['enum', 'default', 'required']);

/** The whole document with every schema in it converted; references keep their places. */
export function toJsonSchema(document: unknown, direction: Direction): unknown {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';

  function convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(convert);
    if (!isData(value)) return value;
    // Beside a reference OpenAPI 3.0 knows no other keyword.
    if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
    const { nullable, example: _example, ...rest } = value;
    const converted: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(rest)) {
      if (key === 'properties' && isData(entry)) converted[key] = each(entry);
      else converted[key] = verbatim.has(key) ? entry : convert(entry);
    }
    if (isData(value['properties'])) hide(value, value['properties'], converted);
    return nullable === true ? orNull(converted) : converted;
  }

  /** Names of properties are no keywords, whatever they are. */
  function each(properties: Data): Data {
    return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, convert(property)]));
  }

  function hide(schema: Data, properties: Data, converted: Record<string, unknown>): void {
    const names = Object.keys(properties).filter((name) => {
      const property = resolve(document, properties[name]);
      return isData(property) && property[hidden] === true;
    });
    if (names.length === 0) return;
    converted['properties'] = {
      ...(converted['properties'] as Data),
      ...Object.fromEntries(names.map((name) => [name, false])),
    };
    const { required } = schema;
    if (Array.isArray(required))
      converted['required'] = required.filter((name: unknown) => !names.includes(String(name)));
  }

  return convert(document);
}

function orNull(schema: Readonly<Record<string, unknown>>): unknown {
  const { type, enum: choices } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) };
}
