import type { Expression } from '../model/expression.js';
import type { BuildContext } from './build-context.js';
import { wrongShape } from './shape.js';

/** A setting that is a whole number within bounds; undefined when it is left out or wrong, which is reported. */
export function wholeNumber(
  value: Expression | undefined,
  name: string,
  least: number,
  most: number,
  context: BuildContext,
): number | undefined {
  if (value === undefined) return undefined;
  if (value.kind !== 'literal' || typeof value.value !== 'number') {
    wrongShape(value, `"${name}" must be a whole number`, context);
    return undefined;
  }
  if (Number.isInteger(value.value) && value.value >= least && value.value <= most) return value.value;
  const upTo =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${String(least)}` : `from ${String(least)} to ${String(most)}`;
  context.problems.add('bad-setting', value.at, `"${name}" must be a whole number ${upTo}.`);
  return undefined;
}
