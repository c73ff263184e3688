import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Identity } from '../model/state.js';
import { type Scalar, unknown } from '../model/value.js';
import { evaluate, type EvaluationScope, variableScope } from './evaluate.js';
import type { LookupCall } from './lookup-call.js';
import { type Expression, visitExpression } from '../model/expression.js';

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

const none: readonly string[] = [];

/**
 * Texts that stand in secret parts of an expression as they are (`!env NAME`, read), without evaluating anything. `isSecret`: all
 * of it is, because it is the value of a secret field.
 */
export function writtenSecrets(expression: Expression, isSecret = false): readonly string[] {
  if (!isSecret && (expression.kind === 'literal' || expression.kind === 'reference')) return none;
  let found: Set<string> | undefined;
  const literal = (value: Scalar): void => {
    if (typeof value === 'string') (found ??= new Set()).add(value);
  };
  if (isSecret) visitExpression(expression, { literal });
  else visitExpression(expression, { secret: (_text, value) => visitExpression(value, { literal }) });
  return found === undefined ? none : [...found];
}
