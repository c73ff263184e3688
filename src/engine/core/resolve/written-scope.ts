import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Identity } from '../model/state.js';
import { unknown } from '../model/value.js';
import { evaluate, variableScope, type EvaluationScope } from './evaluate.js';
import type { LookupCall } from './lookup-call.js';

/** What references see before anything is read: what files say, and the ids that are known. `asks` hears of every lookup. */
export function writtenScope(
  desired: Pick<DesiredState, 'resources' | 'variables'>,
  identityOf: (address: Address) => Identity | undefined,
  asks?: (call: LookupCall) => void,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      if (name === 'id') return identityOf(address)?.id ?? unknown([text]);
      const expression = desired.resources.get(address)?.properties.get(name);
      return expression === undefined ? unknown([text]) : evaluate(expression, scope);
    },
    variable: variableScope(desired.variables, () => scope),
    lookup: (call) => {
      asks?.(call);
      return unknown([`lookup ${call.token}`]);
    },
  };
  return scope;
}
