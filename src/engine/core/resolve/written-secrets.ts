import type { Expression } from '../model/expression.js';
import type { Scalar } from '../model/value.js';
import { visitExpression } from '../model/visit-expression.js';

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
