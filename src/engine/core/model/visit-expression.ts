import type { Expression, LookupExpression, ReferenceExpression } from './expression.js';
import type { Scalar } from './value.js';

export interface ExpressionVisitor {
  readonly literal?: (value: Scalar) => void;
  readonly reference?: (reference: ReferenceExpression) => void;
  readonly lookup?: (lookup: LookupExpression) => void;
  /** `text` as plans show it: `!env NAME`. What is inside is visited after it. */
  readonly secret?: (text: string, value: Expression) => void;
}

/** Calls the visitor for every literal, reference, lookup and secret inside an expression, in written order. */
export function visitExpression(expression: Expression, visitor: ExpressionVisitor): void {
  switch (expression.kind) {
    case 'literal':
      return visitor.literal?.(expression.value);
    case 'reference':
      return visitor.reference?.(expression);
    case 'list':
      for (const item of expression.items) visitExpression(item, visitor);
      return;
    case 'map':
      for (const entry of expression.entries.values()) visitExpression(entry.value, visitor);
      return;
    case 'interpolation':
      for (const part of expression.parts) if (typeof part !== 'string') visitExpression(part, visitor);
      return;
    case 'secret':
      visitor.secret?.(expression.text, expression.value);
      return visitExpression(expression.value, visitor);
    case 'toJson':
      return visitExpression(expression.value, visitor);
    case 'join':
      visitExpression(expression.separator, visitor);
      return visitExpression(expression.items, visitor);
    case 'lookup':
      visitor.lookup?.(expression);
      return visitExpression(expression.arguments, visitor);
  }
}
