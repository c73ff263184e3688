import type * as Room from './violations.js';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import {
  type Expression,
  type LookupExpression,
  type MapEntry,
  type ReferenceExpression,
  visitExpression,
} from '@platform-sync/core/model/expression';
import { type FieldRule, fieldsWhere, mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { ProviderPackage, SchemaViolation } from '@platform-sync/core/model/provider';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Catalogue, TypedResource } from '../build/catalogue.js';
import type { BuildContext } from '../read/build-context.js';
import type { Checked, WantedId } from './violations.js';
import { followReference, type Hole, knownValue, placeholder, type ValueScope } from '../build/known-value.js';
import type { Vocabulary } from '../build/vocabulary.js';
import { canonicalJson, sameOrNothing } from '@platform-sync/core/model/canonical';
import type { Problems } from '../problem/problems.js';
import { type Address, lastKey } from '@platform-sync/core/model/address';
import { type Hint, removing, writing } from '../problem/advice.js';
import { nearest } from '@platform-sync/core/model/nearest';
import { isMarked, labelsOf, markLabels } from '@platform-sync/core/model/ownership-mark';

type Words = typeof Room;

// Most catalogues break no rule, and load nothing that says how.
const loadWords = (): Promise<Words> => import('./violations.js');

/** Checks the values of all resources and the arguments of all lookups against the packages' schemas. */
export async function checkValues(
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): Promise<void> {
  for (const assembled of catalogue.checked.values()) {
    const provider = vocabulary.packages.get(assembled.type.provider);
    const pending = provider && checkResource(assembled, provider, catalogue, vocabulary, scope, context);
    // A turn for each of very many would cost more than the checks.
    if (pending !== undefined) await pending;
    checkExactlyOne(assembled, context);
    if (context.rules?.hide !== undefined) checkSecretNames(assembled, catalogue, scope, context.problems);
  }
  for (const { lookup } of context.lookups) await checkLookup(lookup, catalogue, vocabulary, scope, context);
}

async function checkLookup(
  lookup: LookupExpression,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): Promise<void> {
  const type = vocabulary.lookups.get(lookup.function);
  const provider = type && vocabulary.packages.get(type.provider);
  if (type === undefined || provider === undefined) return;
  const holes: Hole[] = [];
  const args = knownValue(lookup.arguments, scope, holes);
  if (holes.some((hole) => hole.path.length === 0)) return;
  const of = type.of === undefined ? undefined : provider.types.get(type.of);
  const wanted: WantedId = ([first = '', second, ...rest]) => {
    const field = second === undefined ? first : first === 'filter' && rest.length === 0 ? second : '';
    return of?.fields[field]?.references;
  };
  const { shortToken: name, inputs: schema } = type;
  const idHint = (field: string, written: Expression): Hint | undefined => {
    const text = writtenText(written, scope);
    return text === undefined ? undefined : meantId(text, of?.fields[field]?.references, catalogue);
  };
  const checked = { value: () => lookup.arguments, name, at: lookup.at, schema, holes, idHint };
  const [{ checkLookupArguments }, { checkHoles, reportViolations }] = await Promise.all([
    import('@platform-sync/core/lookups/check-arguments'),
    loadWords(),
  ]);
  reportViolations(await checkLookupArguments(provider, type, args as JsonObject), checked, context);
  checkHoles(checked, wanted, catalogue, vocabulary, scope, context);
}

/** Undefined where nothing has to be waited for. */
function checkResource(
  assembled: TypedResource,
  provider: ProviderPackage,
  catalogue: Catalogue,
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): Promise<void> | undefined {
  const { desired, type } = assembled;
  const holes: Hole[] = [];
  const known = knownProperties(desired, type, catalogue, scope, holes, context);
  const judge = (violations: readonly SchemaViolation[], words?: Words): Promise<void> | undefined => {
    const checked = (): Checked => checkedOf(assembled, holes, catalogue, scope);
    words?.reportViolations(violations, checked(), context);
    const open = withoutSecrets(known, holes);
    checkForeignKeys(open, violations, desired, type, context);
    checkMarks(open, desired, type, context);
    checkUntouched(assembled, open, holes, context.problems);
    warnOfKeysAsIds(open, assembled, catalogue, context);
    const { fields } = type;
    const fits = ({ path, expression }: Hole): boolean =>
      path.length === 1 && isFittingId(expression, fields[path[0] ?? ''], catalogue.resources);
    if (holes.every(fits)) return undefined;
    const wanted: WantedId = (path) => (path.length === 1 ? type.fields[path[0] ?? '']?.references : undefined);
    return loadWords().then(({ checkHoles }) => {
      checkHoles(checked(), wanted, catalogue, vocabulary, scope, context);
    });
  };
  const worded = (violations: readonly SchemaViolation[]): Promise<void> | undefined =>
    violations.length === 0 ? judge(violations) : loadWords().then((words) => judge(violations, words));
  const violations = provider.validate(type.token, known);
  return violations instanceof Promise ? violations.then(worded) : worded(violations);
}

/** What is compared, or quoted: nothing of a field with a secret in it. */
function withoutSecrets(known: JsonObject, holes: readonly Hole[]): JsonObject {
  if (!holes.some(({ secret }) => secret)) return known;
  const fields = new Set(holes.flatMap(({ path, secret }) => (secret ? [path[0]] : [])));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !fields.has(name)));
}

/** Made where there is something to say: most resources are right. */
function checkedOf(
  { desired, type }: TypedResource,
  holes: readonly Hole[],
  catalogue: Catalogue,
  scope: ValueScope,
): Checked {
  const { address, at } = desired;
  const schema = recordSchema(type.fields);
  const idHint = (field: string, written: Expression): Hint | undefined => {
    const text = writtenText(written, scope);
    return text === undefined ? undefined : meantId(text, type.fields[field]?.references, catalogue);
  };
  return { value: () => written(desired), name: address, at, address, schema, holes, idHint };
}

/** A reference to the id of a resource of the very type whose id the field takes: what stands under another has one each. */
function isFittingId(
  expression: Expression,
  rule: FieldRule | undefined,
  resources: Catalogue['resources'],
): expression is ReferenceExpression {
  if (expression.kind !== 'reference' || expression.to !== 'resource') return false;
  if (rule?.type !== 'string' || rule.references === undefined) return false;
  const { target, path } = expression;
  return path.length === 1 && path[0] === 'id' && resources.get(target)?.type.token === rule.references;
}

/** Stands for an id that fits, where ids have this form: what is no id would be found wrong for every child, to no purpose. */
const anyId = '00000000-0000-0000-0000-000000000000';

/** The properties as one map, as they were written. */
export function written({ properties, propertyKeys, at }: DesiredResource): Expression {
  const entries = new Map<string, MapEntry>();
  for (const [name, value] of properties) entries.set(name, { key: propertyKeys.get(name) ?? at, value });
  return { kind: 'map', entries, at };
}

/** Also that of a variable or a parameter; of a secret, none. */
function writtenText(written: Expression, scope: ValueScope): string | undefined {
  const end = written.kind === 'reference' ? followReference(written, scope) : { expression: written, rest: [] };
  if (end?.expression.kind !== 'literal' || end.rest.length > 0) return undefined;
  return typeof end.expression.value === 'string' ? end.expression.value : undefined;
}

/**
 * The declared values, as far as they are known. Null is every clearable field's own; the others get one error each, and no
 * second one from their schema.
 */
function knownProperties(
  { address, properties }: DesiredResource,
  { fields }: ResourceType,
  { resources }: Catalogue,
  scope: ValueScope,
  holes: Hole[],
  { problems }: BuildContext,
): JsonObject {
  const known = new Map<string, Json>();
  for (const [name, expression] of properties) {
    if (expression.kind === 'literal' && expression.value !== null) {
      known.set(name, expression.value);
      continue;
    }
    const rule = fields[name];
    if (isFittingId(expression, rule, resources)) {
      holes.push({ path: [name], expression });
      known.set(name, rule?.schema['format'] === 'uuid' ? anyId : placeholder);
      continue;
    }
    const value = knownValue(expression, scope, holes, [name]);
    const isNothing = value === null && rule !== undefined;
    if (isNothing && !rule.required && (rule.clearing.by !== 'nothing' || rule.nullIsValue === true)) continue;
    known.set(name, value);
    if (!isNothing) continue;
    problems.add('null-not-allowed', expression.at, `"${name}" of ${address} can't be null.`, {
      hint: rule.required
        ? 'Give it a value.'
        : removing('Give it a value, or leave the line out: the platform cannot clear it.'),
      address,
    });
    // It is there, so it is not missing; what else is wrong with it would be the same mistake.
    holes.push({ path: [name], expression });
  }
  return Object.fromEntries(known);
}

const sharedFields = fieldsWhere(({ foreignKeys = [] }) => foreignKeys.length > 0);

/** Keys that belong to others are neither set nor removed, so declaring them does nothing. */
function checkForeignKeys(
  known: JsonObject,
  violations: readonly SchemaViolation[],
  { address, at, properties }: DesiredResource,
  type: ResourceType,
  { problems }: BuildContext,
): void {
  const sharing = sharedFields(type);
  if (sharing.length === 0) return;
  // A key that the platform refuses anyway needs no second word.
  const refused = new Set(violations.map(({ params }) => params['propertyName']));
  for (const { name, foreignKeys: foreign = [] } of sharing) {
    const value = known[name];
    if (!isObject(value)) continue;
    const expression = properties.get(name);
    for (const key of Object.keys(value)) {
      const prefix = foreign.find((begin) => key.startsWith(begin));
      if (prefix === undefined || refused.has(key)) continue;
      const place = expression?.kind === 'map' ? expression.entries.get(key)?.key : expression?.at;
      problems.add('foreign-key', place ?? at, `"${name}.${key}" of ${address} belongs to another tool.`, {
        hint: `Keys that begin with ${prefix} are left to others; labels.foreign in sync.yaml says which ones are.`,
        address,
      });
    }
  }
}

const recordSchemas = new WeakMap<object, JsonObject>();

/** The fields as one record schema, for hints and types of nested parts. */
export function recordSchema(fields: Readonly<Record<string, FieldRule>>): JsonObject {
  let schema = recordSchemas.get(fields);
  if (schema === undefined) {
    const properties = Object.fromEntries(Object.values(fields).map((rule) => [rule.name, rule.schema]));
    recordSchemas.set(fields, (schema = { type: 'object', properties, additionalProperties: false }));
  }
  return schema;
}

/** A null gives nothing. */
function isGiven(value: Expression | undefined): boolean {
  return value !== undefined && !(value.kind === 'literal' && value.value === null);
}

function checkExactlyOne({ desired, type }: TypedResource, { problems }: BuildContext): void {
  for (const group of type.exactlyOne) {
    const given = group.filter((field) => isGiven(desired.properties.get(field)));
    if (given.length === 1) continue;
    const names = group.map((field) => `"${field}"`).join(', ');
    const summary =
      given.length === 0
        ? `${desired.address} needs one of ${names}.`
        : `${desired.address} may have only one of ${names}.`;
    const second = given[1];
    const at = second === undefined ? desired.at : (desired.propertyKeys.get(second) ?? desired.at);
    problems.add('exactly-one', at, summary, { address: desired.address });
  }
}

/** One of a fixed set is there before anybody changes it: a block that changes nothing would be made again and again. */
function checkUntouched(
  { desired: { address, at }, type: { untouched } }: TypedResource,
  known: JsonObject,
  holes: readonly Hole[],
  problems: Problems,
): void {
  if (untouched === undefined) return;
  const changes = ([field, first]: [string, Json]): boolean =>
    holes.some(({ path }) => path[0] === field) || !sameOrNothing(known[field] ?? first, first);
  if (Object.entries(untouched).some(changes)) return;
  const first = Object.entries(untouched).map(([field, value]) => `${field} ${canonicalJson(value)}`);
  problems.add('nothing-changed', at, `${address} changes nothing: without it, the platform has ${first.join(', ')}.`, {
    hint: removing('Declare a value that differs from the default, or remove the block.'),
    address,
  });
}

/** What a text that stands in place of an id may have meant: a resource of the catalogue, by address, key or name. */
function meantId(text: string, wanted: string | undefined, { resources }: Catalogue): Hint {
  // Half-written references: `petstore.id`, `$petstore.id`, `{petstore.id}`.
  const name = text.replace(/^\$?\{?\s*/, '').replace(/(?:\.id)?\s*\}?$/, '');
  const exact = resources.get(name);
  const isWanted = ({ type }: TypedResource): boolean => wanted === undefined || type.token === wanted;
  if (exact !== undefined && isWanted(exact)) return didYouMeanIdOf([name]);
  const fitting = [...resources].filter(([, resource]) => isWanted(resource));
  const called = fitting.filter((entry) => isCalled(entry, name)).map(([address]) => address);
  if (called.length > 0) return didYouMeanIdOf(called);
  const near = nearest(
    name,
    fitting.map(([address]) => address),
  );
  if (near !== undefined) return didYouMeanIdOf([near]);
  const kind = exact === undefined ? '' : `${name} is a ${exact.type.shortToken}. `;
  return `${kind}Write \${KEY.id} for a resource of the catalogue, or !lookup for any other object.`;
}

function didYouMeanIdOf(addresses: readonly Address[]): Hint {
  const some = addresses.slice(0, 3).map((address) => `\${${address}.id}`);
  const [first = '', ...others] = some;
  const text = `Did you mean ${some.join(' or ')}?`;
  return others.length > 0 ? text : writing(text, first);
}

/** By its own key, or by what people call it. */
function isCalled([address, { desired, type }]: readonly [Address, TypedResource], name: string): boolean {
  if (lastKey(address) === name) return true;
  const label = desired.properties.get(type.nameField ?? type.label ?? '');
  return label?.kind === 'literal' && label.value === name;
}

const idsOfAnyForm = fieldsWhere(
  ({ references, secret, schema }) => references !== undefined && !secret && schema['format'] === undefined,
);

/**
 * Where the type does not say what form ids have, a key may well be one; then it is a reference that orders nothing and knows no
 * change.
 */
function warnOfKeysAsIds(
  known: JsonObject,
  { desired: { address, at, properties }, type }: TypedResource,
  { resources }: Catalogue,
  { problems }: BuildContext,
): void {
  for (const { name, references = '' } of idsOfAnyForm(type)) {
    const value = known[name];
    if (typeof value !== 'string' || !isKeyOf(value, references, resources)) continue;
    const summary = `"${name}" of ${address} is the text "${value}", not the id of the resource that is called so.`;
    const hint = writing(`Did you mean \${${value}.id}? Else nothing is wrong.`, `\${${value}.id}`);
    problems.add('key-as-id', properties.get(name)?.at ?? at, summary, {
      ...{ severity: 'warning', hint, address, field: name },
    });
  }
}

function isKeyOf(value: Json, token: string, resources: Catalogue['resources']): boolean {
  return resources.get(String(value))?.type.token === token;
}

/**
 * Under review a secret names nothing: what has which name is looked up, compared and shown before anybody has read the files.
 * Reports each field by which people or paths know an object, and which holds a secret.
 */
function checkSecretNames(
  { desired, type }: TypedResource,
  catalogue: Catalogue,
  scope: ValueScope,
  problems: Problems,
): void {
  for (const name of namingFields(type)) {
    const value = desired.properties.get(name);
    if (value === undefined) continue;
    if (!mayHoldSecret(type.fields[name]) && !holdsSecret(value, catalogue, scope)) continue;
    const { address } = desired;
    problems.add('secret-as-name', value.at, `"${name}" of ${address} is a secret, but objects are identified by it.`, {
      address,
      field: name,
      hint: 'Write it plainly, or take it out of this proposal.',
    });
  }
}

/** Natural key, place and path. */
function namingFields({ naturalKey, nameField, label, parent, collection, importId }: ResourceType): Set<string> {
  const ofIds = importId.form === 'json' ? Object.values(importId.keys) : [];
  const others = [nameField, label, parent?.field].filter((name) => name !== undefined);
  return new Set([...naturalKey, ...others, ...collection.scope, ...ofIds]);
}

function holdsSecret(
  value: Expression,
  catalogue: Catalogue,
  scope: ValueScope,
  seen = new Set<Expression>(),
): boolean {
  if (seen.has(value)) return false;
  seen.add(value);
  let found = false;
  const further = (inner: Expression | undefined): void => {
    found ||= inner !== undefined && holdsSecret(inner, catalogue, scope, seen);
  };
  visitExpression(value, {
    secret: () => (found = true),
    reference: (reference) => {
      if (reference.to !== 'resource') {
        further(followReference(reference, scope)?.expression);
        return;
      }
      const [field = ''] = reference.path;
      const target = catalogue.resources.get(reference.target);
      found ||= mayHoldSecret(target?.type.fields[String(field)]);
      further(target?.desired.properties.get(String(field)));
    },
  });
  return found;
}

const marks = Object.values(markLabels);

/** What says whose an object is is not for a file to say. */
function checkMarks(
  known: JsonObject,
  { address, at, properties }: DesiredResource,
  { markedIn = '' }: ResourceType,
  { problems }: BuildContext,
): void {
  const labels = labelsOf(known[markedIn]);
  const expression = properties.get(markedIn);
  for (const key of marks) {
    if (!(key in labels)) continue;
    const place = expression?.kind === 'map' ? expression.entries.get(key)?.key : expression?.at;
    problems.add('mark-key', place ?? at, `"${markedIn}.${key}" of ${address} is for ownership marks alone.`, {
      hint: 'Take the line out. ownership: label in sync.yaml writes it.',
      address,
    });
  }
}

/** A mark takes labels of the number that the platform allows. */
export function checkRoomForMarks({ checked }: Catalogue, { problems }: BuildContext): void {
  for (const [address, { desired, type }] of checked) {
    const expression = desired.properties.get(type.markedIn ?? '');
    const most = type.fields[type.markedIn ?? '']?.schema['maxProperties'];
    if (!isMarked(type) || expression?.kind !== 'map' || typeof most !== 'number') continue;
    const { size } = expression.entries;
    if (size <= most - marks.length || size > most) continue;
    const summary = `"${type.markedIn ?? ''}" of ${address} must have at most ${String(most - marks.length)} entries: an ownership mark takes ${String(marks.length)} of ${String(most)}.`;
    problems.add('too-many', expression.at, summary, { address });
  }
}
