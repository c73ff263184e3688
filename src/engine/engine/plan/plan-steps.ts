import jsonpatch from 'fast-json-patch';
import { type Address, compareText } from '@platform-sync/core/model/address';
import { canonicalJson, sha256, sortedJson } from '@platform-sync/core/model/canonical';
import { defined, hasSecret, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { fieldsWhere, isWritten, keepFieldsElsewhere, mayHoldSecret } from '@platform-sync/core/model/resource-type';
import { type DesiredState, removedBy, type DesiredResource } from '@platform-sync/core/model/desired';
import type { FieldChange, Precondition, PlanStep, PlanMeta } from '@platform-sync/core/model/plan';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { normalForm } from '@platform-sync/core/value/equality';
import { compareObject } from '@platform-sync/core/value/field-comparison';
import { factsOf } from './change.js';
import { stepEffect } from './effect.js';
import { operationsOf, type Step } from './step.js';
import { passingNames, publicationsOf, contentsOf, risksOf, type Alongside, type Surroundings } from './risks.js';
import type { Seals } from '@platform-sync/core/value/seal';
import { hasSealed, isSealed } from '@platform-sync/core/value/secret-parts';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';

/** The plan's steps, in the order of their last operation. */
export function buildSteps(
  steps: ReadonlyMap<Address, Step>,
  alongside: Alongside,
  seals: Seals,
  plan: Pick<DesiredState, 'digest'>,
): readonly PlanStep[] {
  const operations = operationsOf(steps);
  const surroundings = {
    ...{ contents: contentsOf(alongside), publications: publicationsOf(steps) },
    passing: passingNames(operations),
  };
  // Who waits for the first half of a step is not after the step.
  const whole = operations.filter(({ kind }) => kind !== 'park');
  const addressOf = new Map(whole.map((operation) => [operation.id, operation.address]));
  const last = new Map<Address, number>();
  const dependencies = new Map<Address, Set<Address>>();
  for (const [index, { address, dependsOn }] of operations.entries()) {
    last.set(address, index);
    const needed = dependencies.get(address) ?? new Set<Address>();
    dependencies.set(address, needed);
    for (const id of dependsOn) {
      const other = addressOf.get(id);
      if (other !== undefined && other !== address) needed.add(other);
    }
  }
  return operations.flatMap(({ address }, index) => {
    const step = last.get(address) === index ? steps.get(address) : undefined;
    if (step === undefined) return [];
    return buildStep(step, [...(dependencies.get(address) ?? [])].sort(), surroundings, seals, plan);
  });
}

function buildStep(
  step: Step,
  dependsOn: readonly Address[],
  surroundings: Surroundings,
  seals: Seals,
  plan: Pick<DesiredState, 'digest'>,
): PlanStep {
  const { address, type, action, order, force, cause, reasons, movedFrom } = step;
  if (action === 'none' || action === 'not-compared') throw new Error(`bug: ${address} has an operation but no action`);
  const { options } = step;
  const found = fieldsOf(step, seals);
  const fields = found.map((change) => seals.told(change, () => [plan.digest, address, change.field]));
  const id = step.actual?.identity.id ?? (action === 'forget' ? step.recorded?.identity.id : undefined);
  const risks = risksOf(step, fields, surroundings).slice();
  return {
    address,
    type: type.token,
    action,
    ...defined({ order, force, cause, id, from: movedFrom }),
    fields,
    ...defined({ options }),
    patch: patchOf(fields),
    reasons,
    risks,
    dependsOn,
    precondition: preconditionOf(step, seals),
    effectDigest: stepEffect(step, found, risks, seals),
  };
}

/** Slices: a list that grew as it was made keeps places for as many again, and of large plans these are many lists. */
function fieldsOf(step: Step, seals: Seals): readonly FieldChange[] {
  if (step.action === 'delete') return lostFields(step, seals).slice();
  return step.changes.length === 0 ? declaredFields(step, seals).slice() : changedFields(step);
}

/** What a deleted object holds; where it lives is no content of its own. */
function lostFields({ type, recorded, actual }: Step, seals: Seals): readonly FieldChange[] {
  const facts = { type, declared: new Map(), recorded, actual: actual?.values ?? {}, ignored: [], seals };
  return compareObject(facts).flatMap(({ rule, actual: held, shown }): FieldChange[] => {
    const old = rule.name === type.parent?.field ? undefined : shown(held);
    return old === undefined || isEmpty(old) ? [] : [{ field: rule.name, rule: 'update', cause: 'config', old }];
  });
}

function isEmpty(value: Json): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function changedFields(step: Step): readonly FieldChange[] {
  return step.changes.map((change) => change.shown);
}

function declaredFields(step: Step, seals: Seals): readonly FieldChange[] {
  if (step.action !== 'create' && step.action !== 'replace') return [];
  const { type, declared, cause = 'config' } = step;
  const found: FieldChange[] = [];
  for (const rule of writtenFields(type)) {
    const value = declared.get(rule.name) ?? null;
    if (value === null) continue;
    found.push({ field: rule.name, rule: 'update', cause, new: seals.planValue(rule, value) });
  }
  return found;
}

const writtenFields = fieldsWhere(isWritten);

/** RFC 6902, from the old managed fields to the new ones. */
function patchOf(fields: readonly FieldChange[]): readonly JsonObject[] {
  // Where there was nothing, all is added; the library would copy each text.
  if (fields.every(({ old }) => old === undefined)) return additions(fields).slice();
  const side = (pick: (change: FieldChange) => Json | undefined): JsonObject =>
    sortedKeys(
      Object.fromEntries(
        fields.flatMap((change): [string, Json][] => {
          const value = pick(change);
          return value === undefined ? [] : [[change.field, value]];
        }),
      ),
    );
  return jsonpatch
    .compare(
      side((change) => change.old),
      side((change) => (change.cannotClear === true ? change.old : change.new)),
    )
    .map((operation): JsonObject => ({ ...operation }));
}

function additions(fields: readonly FieldChange[]): readonly JsonObject[] {
  const found: JsonObject[] = [];
  for (const { field, new: value } of [...fields].sort((a, b) => compareText(a.field, b.field)))
    if (value !== undefined)
      found.push({ op: 'add', path: `/${jsonpatch.escapePathComponent(field)}`, value: sortedJson(value) });
  return found;
}

/** The patch library writes its operations in the order of the keys it meets. */
function sortedKeys(value: JsonObject): JsonObject {
  return JSON.parse(canonicalJson(value)) as JsonObject;
}

const notThere: Precondition = { exists: false };

/** What must still hold when the step is carried out. */
function preconditionOf(step: Step, seals: Seals): Precondition {
  if (step.actual === undefined) return notThere;
  return {
    exists: true,
    identity: step.actual.identity,
    digest: managedDigest(step, step.actual, seals, 'open'),
  };
}

/**
 * Digest of what this tool answers for, as the platform shows it: parts of others and fields left alone don't count, nor
 * do write-only ones, which can't be read. `of`: a digest that leaves the program says nothing of secrets; their changes show in
 * the step's fields.
 */
export function managedDigest(step: Step, object: RemoteObject, seals: Seals, of: 'all' | 'open' = 'all'): string {
  const facts = factsOf(step, object.values, seals);
  const managed = new Map<string, Json>();
  for (const { rule, own } of compareObject(facts)) {
    const isSaid = step.declared.has(rule.name) || step.recorded?.inputs[rule.name] !== undefined;
    if (!isSaid || rule.writeOnly) continue;
    const held = own.over(object.values[rule.name], undefined);
    const isSecret =
      mayHoldSecret(rule) ||
      hasSealed(held) ||
      hasSealed(step.recorded?.inputs[rule.name]) ||
      hasSecret(step.declared.get(rule.name) ?? null) ||
      step.changes.some((d) => d.rule.name === rule.name && hasSealed(d.shown.new));
    if (isSecret && of === 'open') continue;
    const form = isSealed(held) ? held : (normalForm(rule, held) ?? null);
    managed.set(rule.name, isSealed(form) ? form.$secret.fingerprint : isSecret ? seals.fingerprint(form) : form);
  }
  return sha256(canonicalJson(Object.fromEntries(managed)));
}

/** Where steps and their fields stand in the files. Of fields that is a text each, which few ask for: they are made then. */
export function sourcesOf(
  shown: readonly PlanStep[],
  steps: ReadonlyMap<Address, Step>,
  catalogue: DesiredState,
): Pick<PlanMeta, 'sources' | 'fieldSources'> {
  const text = (range: SourceRange): string => {
    const place = catalogue.sources.place(range);
    // A text made by joining is one piece; one made of others keeps them, each with a head of its own.
    return [place.file, place.line, place.column].join(':');
  };
  const places = new Map<Address, string>();
  const keys: (readonly [PlanStep, DesiredResource['propertyKeys']])[] = [];
  const elsewhere = new Set<Address>();
  for (const step of shown) {
    const desired = steps.get(step.address)?.desired;
    const letGo = catalogue.removed?.get(removedBy(catalogue, step.address) ?? '');
    const at = desired?.at ?? letGo;
    if (at !== undefined) places.set(step.address, text(at));
    if (desired === undefined) continue;
    keys.push([step, desired.propertyKeys]);
    if (step.fields.some(({ field }) => isElsewhere(desired.propertyKeys.get(field), desired)))
      elsewhere.add(step.address);
  }
  const sources = Object.fromEntries(places);
  keepFieldsElsewhere(sources, elsewhere);
  let made: PlanMeta['fieldSources'] | undefined;
  return {
    sources,
    get fieldSources() {
      return (made ??= fieldSourcesOf(keys, text));
    },
  };
}

function isElsewhere(key: SourceRange | undefined, { at }: DesiredResource): boolean {
  return key !== undefined && key.file !== at.file;
}

function fieldSourcesOf(
  keys: readonly (readonly [PlanStep, DesiredResource['propertyKeys']])[],
  text: (range: SourceRange) => string,
): PlanMeta['fieldSources'] {
  const found = new Map<Address, Readonly<Record<string, string>>>();
  for (const [{ address, fields }, places] of keys) {
    const named: [string, string][] = [];
    for (const { field } of fields) {
      const key = places.get(field);
      if (key !== undefined) named.push([field, text(key)]);
    }
    if (named.length > 0) found.set(address, Object.fromEntries(named));
  }
  return Object.fromEntries(found);
}
