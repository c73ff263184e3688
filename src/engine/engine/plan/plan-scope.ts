import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { hasSecret, secret, unknown, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { lookupKey, variableScope, type EvaluationScope } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import type { Step } from './step.js';
import { derivedSecret, type Seals } from '@platform-sync/core/value/seal';
import { wasSealed } from '@platform-sync/core/value/sealed';

/**
 * What references see while planning: a declared property is what the file says, anything else what the platform
 * has, and unknown where a step of this plan will decide it.
 */
export function planScope(
  desired: DesiredState,
  steps: ReadonlyMap<Address, Step>,
  lookups: ReadonlyMap<string, JsonObject>,
  used: Map<string, LookupCall>,
  seals: Seals,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      const step = steps.get(address);
      return step === undefined ? null : propertyAtPlan(step, name, text, seals);
    },
    variable: variableScope(desired.variables, () => scope),
    lookup: (call) => {
      const key = lookupKey(call.token, call.args, canonicalJson);
      used.set(key, mostSecret(used.get(key), call));
      const result = lookups.get(key);
      return result === undefined ? unknown([`lookup ${call.token}`]) : seals.answer(result, `!lookup ${call.token}`);
    },
  };
  return scope;
}

/** The same call may be written once with a secret argument and once in clear: then it is one that has a secret. */
function mostSecret(known: LookupCall | undefined, call: LookupCall): LookupCall {
  return known === undefined || (!hasSecret(known.given) && hasSecret(call.given)) ? call : known;
}

function propertyAtPlan(step: Step, name: string, text: string, seals: Seals): Value {
  const declared = name === 'id' ? undefined : step.declared.get(name);
  if (declared !== undefined && declared !== null) return declared;
  if (declared === null) return clearedValue(step, name, text);
  if (step.action === 'create' || step.action === 'replace') return unknown([text]);
  const changes = (step.action === 'update' || step.action === 'adopt') && step.changes.length > 0;
  if (changes && mayChange(step, name)) return unknown([text]);
  if (name === 'id') return step.actual?.identity.id ?? step.recorded?.identity.id ?? unknown([text]);
  const { recorded } = step;
  const value = step.actual?.values[name] ?? recorded?.outputs[name] ?? null;
  const made = derivedSecret(step.type, name, Object.fromEntries(step.declared));
  const isSecret = wasSealed(recorded, name) || seals.repeatsSecret(value, recorded?.inputs[name]);
  const expression = made ?? (isSecret ? name : undefined);
  return expression === undefined ? value : secret(value, expression);
}

/** What a property holds that the file puts back with null. */
function clearedValue(step: Step, name: string, text: string): Value {
  if (step.action === 'create' || step.action === 'replace') return unknown([text]);
  const change = step.changes.find(({ rule }) => rule.name === name);
  if (change === undefined) return step.actual?.values[name] ?? null;
  return change.wanted.by === 'value' ? change.wanted.value : null;
}

/** Can an update of the object change a property that the file does not declare? */
function mayChange(step: Step, name: string): boolean {
  // Every change moves the marker; nothing else that the platform sets follows from an update ...
  if (name === step.type.revision) return true;
  if (step.type.fields[name]?.clearing.by !== 'derived') return false;
  // ... but what it makes out of other fields, when those change.
  const before = { ...step.actual?.values };
  const after = { ...before };
  for (const { rule, shown } of step.changes) after[rule.name] = shown.new ?? null;
  return step.type.derive(before)[name] !== step.type.derive(after)[name];
}
