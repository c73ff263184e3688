import type { Expression, ReferenceExpression } from '../../model/expression.js';
import { visitExpression } from '../../model/visit-expression.js';
import type { Catalogue } from './assembled.js';

/** A resource, a variable or an output, and all references in it, in written order. */
export interface Referring {
  /** Of an output: undefined. Resources and variables share their names. */
  readonly name: string | undefined;
  /** Without literals, which refer to nothing. */
  readonly values: readonly Expression[];
  readonly references: readonly ReferenceExpression[];
}

/** All that can refer to something. Made once: several checks go through all references. */
export function referencesIn({ resources, variables, outputs }: Catalogue): readonly Referring[] {
  const found: Referring[] = [];
  for (const [address, { desired }] of resources) found.push(referring(address, desired.properties.values()));
  for (const [name, value] of variables) found.push(referring(name, [value]));
  for (const value of outputs.values()) found.push(referring(undefined, [value]));
  return found;
}

const nothing: readonly never[] = [];

function referring(name: string | undefined, given: Iterable<Expression>): Referring {
  // Most values are literals.
  let values: Expression[] | undefined;
  for (const value of given) {
    if (value.kind === 'literal') continue;
    if (values === undefined) values = [value];
    else values.push(value);
  }
  if (values === undefined) return { name, values: nothing, references: nothing };
  const references: ReferenceExpression[] = [];
  const reference = (one: ReferenceExpression): void => void references.push(one);
  for (const value of values) visitExpression(value, { reference });
  return { name, values, references };
}
