import type { Expression } from '../../model/expression.js';
import { encodeExpression } from './encode.js';

/** A text that is equal for expressions that mean the same. */
export function meaning(expression: Expression | undefined): string | undefined {
  return expression === undefined ? undefined : encodeExpression(expression);
}

/** True when two sets of named expressions mean the same. */
export function sameMeaning(before: ReadonlyMap<string, Expression>, now: ReadonlyMap<string, Expression>): boolean {
  return before.size === now.size && [...now].every(([name, value]) => meaning(before.get(name)) === meaning(value));
}
