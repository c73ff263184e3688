import {
  hasUnknown,
  hasSecret,
  secret,
  unknown,
  type JsonObject,
  type Value,
  type ValueObject,
} from '../../../src/engine/model/value.js';
import { InvalidRequest, Unimplemented } from '../failures.js';
import type { Session } from '../session.js';
import { knownMembers, marked } from '../wire/values.js';
import { failure, type Failure } from './check.js';

export interface Looked {
  readonly result: ValueObject;
  readonly failures: readonly Failure[];
}

/** One lookup. What it found by a secret is a secret. */
export async function invoke(session: Session, token: string, args: ValueObject): Promise<Looked> {
  const lookup = session.loaded.lookups.get(token);
  if (lookup === undefined) throw new InvalidRequest(`There is no function ${token}.`);
  if (Object.values(args).some(hasUnknown)) return { result: notYet(lookup.outputs), failures: [] };
  const plain = knownMembers(args);
  const violations = await session.loaded.validateLookup(token, plain);
  if (violations.length > 0) return { result: {}, failures: violations.map((one) => failure(one, plain)) };
  const result = await (await session.provider()).lookup(token, plain);
  const isSecret = Object.values(args).some(hasSecret);
  return { result: isSecret ? marked(result, new Set(Object.keys(result))) : result, failures: [] };
}

function notYet(outputs: JsonObject): ValueObject {
  const names = Object.keys((outputs['properties'] ?? {}) as JsonObject);
  return Object.fromEntries(names.map((name): [string, Value] => [name, unknown(['an argument'])]));
}

/** The one method of a provider: its configuration, the secret ones marked. */
export async function call(session: Session, token: string): Promise<ValueObject> {
  if (token !== `pulumi:providers:${session.loaded.name}/terraformConfig` || session.loaded.name !== 'platform')
    throw new Unimplemented(`There is no method ${token}.`);
  const { terraformConfig } = await import('../../../src/providers/platform/settings.js');
  const found = Object.entries(terraformConfig({ settings: session.settings, env: session.env }));
  const result = found.map(([name, each]): [string, Value] => [
    name,
    each.secret ? secret(each.value, '(secret)') : each.value,
  ]);
  return { result: Object.fromEntries(result) };
}
