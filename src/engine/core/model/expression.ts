import type { Address } from './address.js';
import type { Scalar } from './value.js';
import type { SourceRange } from './place-in-file.js';

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
