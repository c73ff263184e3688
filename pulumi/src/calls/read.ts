import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import {
  isObject,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
  emptyRecord,
} from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { compareObject, type FieldComparison } from '@platform-sync/core/value/field-comparison';
import { withoutForeign } from '@platform-sync/core/value/parts';
import { identityOf, inForm, outputsOf, ownInputs, readWhole } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';
import { withSecrets } from './secrets.js';
import { withConsent } from './with-consent.js';

export interface Asked {
  readonly id: string;
  readonly type: ResourceType;
  /** Both empty: it is imported. */
  readonly inputs: ValueObject;
  readonly olds: ValueObject;
}

export interface Seen {
  readonly outputs: ValueObject;
  /** What a program would have to say for the object to be as it is. */
  readonly inputs: ValueObject;
}

/** The object as it is; undefined where the platform proves that it is gone, anything less is an error. */
export async function read(session: Session, { id, type, inputs, olds }: Asked): Promise<Seen | undefined> {
  const provider = await session.provider();
  const isImport = Object.keys(inputs).length === 0 && Object.keys(olds).length === 0;
  const identity = identityOf(type, id);
  const found = await session.reads.read({ provider, type, identity, olds: knownMembers(olds) });
  if (found === undefined) return undefined;
  const object = isImport ? await readWhole(provider, type, found) : found;
  const actual: JsonObject = { ...object.identity.scope, ...object.values };
  const seen = isImport ? importedInputs(type, actual) : refreshedInputs(session, type, actual, inputs, olds);
  const sent = isImport ? knownMembers(seen) : knownMembers(inputs);
  const hide = (values: ValueObject): ValueObject => withSecrets(type, values, inputs, olds);
  return {
    outputs: hide(withConsent(type, outputsOf(type, object, sent), inputs)),
    inputs: hide(withConsent(type, seen, inputs)),
  };
}

/** The inputs that are in force now: as they were given where nobody moved them, else as the object has them. */
function refreshedInputs(
  session: Session,
  type: ResourceType,
  actual: JsonObject,
  inputs: ValueObject,
  olds: ValueObject,
): ValueObject {
  const own = ownInputs(session.loaded, type, inputs);
  const fields = compareObject({
    type,
    declared: new Map(Object.entries(own)),
    recorded: { inputs: knownMembers(own), outputs: knownMembers(olds) },
    actual,
    ignored: [],
    seals: session.seals,
  });
  const entries = fields.flatMap((field): [string, Value][] => {
    const value = inForce(field, inputs[field.rule.name]);
    return value === undefined ? [] : [[field.rule.name, value]];
  });
  return Object.fromEntries(entries);
}

function inForce(
  { rule, same, drifted, strayed, own, actual }: FieldComparison,
  given: Value | undefined,
): Value | undefined {
  if (!rule.input) return undefined;
  if (given === undefined) {
    const isSomething = rule.nullIsValue === true || !isNothing(actual);
    return strayed && isSomething ? inForm(rule, actual ?? null) : undefined;
  }
  if (rule.writeOnly || same || !drifted) return given;
  const now = own.over(actual, undefined) as Json | undefined;
  if (now === undefined || now === null) return rule.nullIsValue === true ? null : undefined;
  return inForm(rule, now);
}

/** Every input that is not what the platform would choose by itself. */
function importedInputs(type: ResourceType, actual: JsonObject): ValueObject {
  const inputs = emptyRecord<Json>();
  for (const rule of Object.values(type.fields)) {
    const value = actual[rule.name];
    // A null is no input, though it may be a value: programs in YAML can't say it, and would change it by their silence.
    if (!rule.input || value === undefined || value === null) continue;
    const ours = withoutForeign(rule, value);
    if (!rule.required && (isNothing(ours) || isDefault(rule, ours))) continue;
    inputs[rule.name] = inForm(rule, ours);
  }
  const chosen = Object.entries(type.derive(inputs)).filter(([name, value]) => inputs[name] === value);
  const derived = new Set(chosen.map(([name]) => name).filter((name) => type.fields[name]?.clearing.by === 'derived'));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !derived.has(name)));
}

function isDefault(rule: FieldRule, value: Json): boolean {
  return rule.clearing.by === 'value' && sameValue(rule, value, rule.clearing.value);
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
