import {
  hasUnknown,
  hasSecret,
  isList,
  isObject,
  isSecret,
  secret,
  unknown,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from '@platform-sync/core/model/value';
import { InvalidRequest, Unimplemented } from '../failures.js';
import { emptyBy } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers, marked } from '../wire/values.js';
import { camelCase } from '@platform-sync/rest/names';
import { failuresOf, type Failure } from './broken-rules.js';

export interface Looked {
  readonly result: ValueObject;
  readonly failures: readonly Failure[];
}

/** One lookup. What it found by a secret is a secret. */
export async function invoke(session: Session, token: string, args: ValueObject): Promise<Looked> {
  const lookup = session.loaded.lookups.get(token);
  if (lookup === undefined) throw new InvalidRequest(`There is no function ${token}.`);
  if (Object.values(args).some(hasUnknown)) return { result: notYet(lookup.outputs), failures: [] };
  const given = inSchemaNames(lookup.inputs, args) as ValueObject;
  const plain = knownMembers(given);
  const violations = await session.loaded.validateLookup(token, plain);
  const { shortToken: name, inputs: schema } = lookup;
  if (violations.length > 0) return { result: {}, failures: failuresOf(violations, given, { name, schema }) };
  const result = promised(lookup.outputs, await (await session.provider()).lookup(token, plain)) as JsonObject;
  const isSecret = Object.values(args).some(hasSecret);
  return { result: isSecret ? marked(result, new Set(Object.keys(result))) : result, failures: [] };
}

/** Of what every answer is said to have, an empty one stands for none, in the records of a list, too. */
function promised(schema: Json | undefined, value: Json): Json {
  if (!isObject(schema)) return value;
  if (isList(value)) return value.map((item) => promised(schema['items'], item));
  const { properties, required } = schema;
  if (!isObject(value) || !isObject(properties)) return value;
  const names = isList(required) ? required.map(String) : [];
  const empty = names.flatMap((name) => {
    const member = properties[name];
    const none = (value[name] ?? null) === null && isObject(member) ? emptyBy(member) : undefined;
    return none === undefined ? [] : [[name, none] as const];
  });
  const all = Object.entries({ ...value, ...Object.fromEntries(empty) });
  return Object.fromEntries(all.map(([name, member]) => [name, promised(properties[name], member)]));
}

/** Members of arguments may be spelt as Python spells them: its dictionaries arrive as they were written. */
function inSchemaNames(schema: Json | undefined, value: Value): Value {
  if (isSecret(value)) return secret(inSchemaNames(schema, value.value), value.expression);
  const known = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : undefined;
  if (known === undefined || !isObject(value)) return value;
  const members = Object.entries(value).map(([written, member]): [string, Value] => {
    const name = camelCase(written);
    const isKnown = Object.hasOwn(known, name) && (written === name || !Object.hasOwn(value, name));
    return [isKnown ? name : written, inSchemaNames(known[isKnown ? name : written], member)];
  });
  return Object.fromEntries(members);
}

function notYet(outputs: JsonObject): ValueObject {
  const names = Object.keys((outputs['properties'] ?? {}) as JsonObject);
  return Object.fromEntries(names.map((name): [string, Value] => [name, unknown(['an argument'])]));
}

/** The one method of a provider: its configuration, the secret ones marked. */
export async function call(session: Session, token: string): Promise<ValueObject> {
  if (token !== `pulumi:providers:${session.loaded.name}/terraformConfig` || session.loaded.name !== 'platform')
    throw new Unimplemented(`There is no method ${token}.`);
  const { terraformConfig } = await import('@platform-sync/platform/settings');
  const found = Object.entries(terraformConfig({ settings: session.settings, env: session.env }));
  const result = found.map(([name, each]): [string, Value] => [
    name,
    each.secret ? secret(each.value, '(secret)') : each.value,
  ]);
  return { result: Object.fromEntries(result) };
}
