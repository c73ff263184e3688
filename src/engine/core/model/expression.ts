import type { Address } from './address.js';
import { isList, isObject, type Json, type Scalar } from './value.js';
import type { SourceRange } from './diagnostic.js';

/** One step into a value: a property name or a list index. */
export type PathSegment = string | number;

/**
 * A catalogue value before evaluation. The loader turns every spelling (`!file`, `fn::readFile`, `${…}`) into
 * these nodes; files and environment variables are already read (a file is a literal, a variable a secret literal).
 */
export type Expression =
  | LiteralExpression
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly at: SourceRange }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, MapEntry>; readonly at: SourceRange }
  | ReferenceExpression
  | { readonly kind: 'interpolation'; readonly parts: readonly (string | Expression)[]; readonly at: SourceRange }
  /** `!secret v`, and `!env NAME` with `text` = `!env NAME`. `text` is what plans and errors show. */
  | { readonly kind: 'secret'; readonly value: Expression; readonly text: string; readonly at: SourceRange }
  | { readonly kind: 'toJson'; readonly value: Expression; readonly at: SourceRange }
  | { readonly kind: 'join'; readonly separator: Expression; readonly items: Expression; readonly at: SourceRange }
  | LookupExpression;

interface LiteralExpression {
  readonly kind: 'literal';
  readonly value: Scalar;
  readonly at: SourceRange;
  /** The key counts as not there (`!unset`); gone before anything is evaluated. */
  readonly unset?: true;
  /** Stands for what a secret holds, which is nobody's to know before the review. */
  readonly hidden?: true;
  /** The file whose whole text it is. */
  readonly from?: string;
}

export interface MapEntry {
  readonly key: SourceRange;
  readonly value: Expression;
}

/** `${petstore/guide.id}`. `target` is a resource address or a variable name; the loader has checked which. */
export interface ReferenceExpression {
  readonly kind: 'reference';
  readonly to: 'resource' | 'variable';
  readonly target: Address;
  readonly path: readonly PathSegment[];
  /** As written between `${` and `}`. */
  readonly text: string;
  readonly at: SourceRange;
}

/** `!lookup {function, arguments, return}`. */
export interface LookupExpression {
  readonly kind: 'lookup';
  /** Full token, `platform:index/getTeam:getTeam`. */
  readonly function: string;
  readonly arguments: Expression;
  /** The one output to return instead of the whole record. */
  readonly return?: string;
  readonly at: SourceRange;
}

/** Data as an expression, all of it at one place. `leaf` says what a text or number becomes. */
export function literalOf(
  value: Json,
  at: SourceRange,
  leaf: (value: Scalar) => Expression = (scalar) => ({ kind: 'literal', value: scalar, at }),
): Expression {
  if (isList(value)) return { kind: 'list', items: value.map((item) => literalOf(item, at, leaf)), at };
  if (!isObject(value)) return leaf(value);
  const entries = Object.entries(value).map(
    ([name, member]) => [name, { key: at, value: literalOf(member, at, leaf) }] as const,
  );
  return { kind: 'map', entries: new Map(entries), at };
}

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
