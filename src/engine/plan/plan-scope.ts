import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import type { DesiredState } from '../model/desired.js';
import { hasSecret, secret, unknown, type JsonObject, type Value } from '../model/value.js';
import { lookupKey, variableScope, type EvaluationScope } from '../resolve/evaluate.js';
import type { LookupCall } from '../resolve/lookup-call.js';
import type { Proposal } from './proposal.js';
import { derivedSecret, type Seals } from '../value/seal.js';

/**
 * What references see while planning: a declared property is what the file says, anything else what the platform
 * has, and unknown where a step of this plan will decide it.
 */
export function planScope(
  desired: DesiredState,
  proposals: ReadonlyMap<Address, Proposal>,
  lookups: ReadonlyMap<string, JsonObject>,
  used: Map<string, LookupCall>,
  seals: Seals,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      const proposal = proposals.get(address);
      return proposal === undefined ? null : propertyAtPlan(proposal, name, text, seals);
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

function propertyAtPlan(proposal: Proposal, name: string, text: string, seals: Seals): Value {
  const declared = name === 'id' ? undefined : proposal.declared.get(name);
  if (declared !== undefined && declared !== null) return declared;
  if (declared === null) return clearedValue(proposal, name, text);
  if (proposal.action === 'create' || proposal.action === 'replace') return unknown([text]);
  const changes = (proposal.action === 'update' || proposal.action === 'adopt') && proposal.decisions.length > 0;
  if (changes && mayChange(proposal, name)) return unknown([text]);
  if (name === 'id') return proposal.actual?.identity.id ?? proposal.recorded?.identity.id ?? unknown([text]);
  const value = proposal.actual?.values[name] ?? proposal.recorded?.outputs[name] ?? null;
  const made = derivedSecret(proposal.type, name, Object.fromEntries(proposal.declared));
  const expression = made ?? (seals.repeatsSecret(value, proposal.recorded?.inputs[name]) ? name : undefined);
  return expression === undefined ? value : secret(value, expression);
}

/** What a property holds that the file puts back with null. */
function clearedValue(proposal: Proposal, name: string, text: string): Value {
  if (proposal.action === 'create' || proposal.action === 'replace') return unknown([text]);
  const decision = proposal.decisions.find(({ rule }) => rule.name === name);
  if (decision === undefined) return proposal.actual?.values[name] ?? null;
  return decision.wanted.by === 'value' ? decision.wanted.value : null;
}

/** Can an update of the object change a property that the file does not declare? */
function mayChange(proposal: Proposal, name: string): boolean {
  // Every change moves the marker; nothing else that the platform sets follows from an update ...
  if (name === proposal.type.revision) return true;
  if (proposal.type.fields[name]?.clearing.by !== 'derived') return false;
  // ... but what it makes out of other fields, when those change.
  const before = { ...proposal.actual?.values };
  const after = { ...before };
  for (const { rule, change } of proposal.decisions) after[rule.name] = change.new ?? null;
  return proposal.type.derive(before)[name] !== proposal.type.derive(after)[name];
}
