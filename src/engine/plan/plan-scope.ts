import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import type { DesiredState } from '../model/desired.js';
import { unknown } from '../model/value.js';
import type { JsonObject, Value } from '../model/value.js';
import { lookupKey, variableScope } from '../resolve/evaluate.js';
import type { EvaluationScope } from '../resolve/evaluate.js';
import type { NeededLookup, Proposal } from './proposal.js';

/**
 * What references see while planning: a declared property is what the file says, anything else what the platform
 * has, and unknown where a step of this plan will decide it.
 */
export function planScope(
  desired: DesiredState,
  proposals: ReadonlyMap<Address, Proposal>,
  lookups: ReadonlyMap<string, JsonObject>,
  needed: Map<string, NeededLookup>,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      const proposal = proposals.get(address);
      return proposal === undefined ? null : propertyAtPlan(proposal, name, text);
    },
    variable: variableScope(desired.variables, () => scope),
    lookup: (token, args) => {
      const key = lookupKey(token, args, canonicalJson);
      const result = lookups.get(key);
      if (result !== undefined) return result;
      needed.set(key, { key, token, args });
      return unknown([`lookup ${token}`]);
    },
  };
  return scope;
}

function propertyAtPlan(proposal: Proposal, name: string, text: string): Value {
  const declared = name === 'id' ? undefined : proposal.declared.get(name);
  if (declared !== undefined && declared !== null) return declared;
  if (proposal.action === 'create' || proposal.action === 'replace') return unknown([text]);
  const changes = (proposal.action === 'update' || proposal.action === 'adopt') && proposal.decisions.length > 0;
  if (changes && mayChange(proposal, name)) return unknown([text]);
  if (name === 'id') return proposal.actual?.identity.id ?? proposal.recorded?.identity.id ?? unknown([text]);
  return proposal.actual?.values[name] ?? proposal.recorded?.outputs[name] ?? null;
}

/** Can an update of the object change a property that the file does not declare? */
function mayChange(proposal: Proposal, name: string): boolean {
  // Every change moves the marker; nothing else that the platform sets follows from an update ...
  if (name === 'updatedAt') return true;
  if (proposal.type.fields[name]?.clearing.by !== 'derived') return false;
  // ... but what it makes out of other fields, when those change.
  const before = { ...proposal.actual?.values };
  const after = { ...before };
  for (const { rule, change } of proposal.decisions) after[rule.name] = change.new ?? null;
  return proposal.type.derive(before)[name] !== proposal.type.derive(after)[name];
}
