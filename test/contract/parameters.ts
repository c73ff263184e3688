import type { QueryValues, Violation } from './openapi.js';
import { isData, resolve } from './schema.js';

type Data = Readonly<Record<string, unknown>>;
type Found = Omit<Violation, 'operation'>;
type Check = (value: unknown) => readonly string[];

/** Checks query parameters: each is described, and its value fits. `compile` makes a check from a schema. */
export function checkQuery(
  document: unknown,
  described: readonly unknown[],
  query: QueryValues,
  compile: (schema: unknown) => Check,
): readonly Found[] {
  const parameters = described.map((one) => resolve(document, one)).filter(isData);
  const known = new Map(parameters.filter((one) => one['in'] === 'query').map((one) => [String(one['name']), one]));
  const found: Found[] = [];
  for (const [name, value] of Object.entries(query)) {
    const parameter = known.get(name) ?? known.get(name.replace(/\[.*$/s, ''));
    if (parameter === undefined) found.push(wrong(name, 'is not described'));
    else if (typeof value !== 'string') found.push(wrong(name, 'is sent more than once'));
    else if (parameter['style'] === 'deepObject') found.push(...checkFilter(document, parameter, name, value, compile));
    else found.push(...checkValue(value, compile(parameter['schema'])).map((message) => wrong(name, message)));
  }
  for (const [name, parameter] of known) {
    if (parameter['required'] === true && query[name] === undefined) found.push(wrong(name, 'is missing'));
  }
  return found;
}

function wrong(what: string, message: string): Found {
  return { kind: 'parameter', what, message };
}

/** The text itself, or the number or boolean that it spells. */
function checkValue(value: string, check: Check): readonly string[] {
  const messages = check(value);
  if (messages.length === 0) return [];
  if (/^-?\d+(\.\d+)?$/.test(value)) return check(Number(value));
  return value === 'true' || value === 'false' ? check(value === 'true') : messages;
}

/** `filter[field][operator]=value`, `filter[field]=value`, and `filter[map.key]…`. */
function checkFilter(
  document: unknown,
  parameter: Data,
  name: string,
  value: string,
  compile: (schema: unknown) => Check,
): readonly Found[] {
  const match = /^[^[]+\[([^\]]+)\](?:\[([^\]]+)\])?$/.exec(name);
  if (match?.[1] === undefined) return [wrong(name, 'is no filter')];
  const [head = '', key] = match[1].split(/\.(.*)/s, 2);
  const schema = resolve(document, parameter['schema']);
  const properties = isData(schema) && isData(schema['properties']) ? schema['properties'] : {};
  const field = properties[head];
  if (field === undefined) return [wrong(name, 'is not a field to filter by')];
  const check = compile(field);
  if (match[2] === undefined)
    return checkValue(value, check).length === 0 || key !== undefined ? [] : [wrong(name, 'needs an operator')];
  const operation = { [match[2]]: value };
  const messages = check(operation);
  if (messages.length === 0 || (key !== undefined && check({ [key]: operation }).length === 0)) return [];
  const asBoolean = { [match[2]]: value === 'true' };
  if (key !== undefined && check({ [key]: asBoolean }).length === 0) return [];
  return messages.map((message) => wrong(name, message));
}
