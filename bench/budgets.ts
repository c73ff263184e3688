import type { Measurement } from './scenarios.js';
import { growths } from './table.js';

/** Most platform requests each measurement may take; wall time never decides. */
const requestBudgets: Readonly<Record<string, number>> = {
  'first apply (50 × 10)': 551,
  'plan, nothing to do (50 × 10)': 52,
};

/** Ten times the catalogue may cost at most 10^1.1 times the CPU. */
const maxExponent = 1.1;

/** What got worse than it may be, one line each. */
export function checkBudgets(rows: readonly Measurement[]): readonly string[] {
  const requests = rows.flatMap((row) => {
    const budget = requestBudgets[row.name];
    return budget === undefined || (row.requests ?? 0) <= budget
      ? []
      : [`${row.name}: ${row.requests ?? 0} requests, at most ${budget}`];
  });
  // Below a thousand resources starting the process weighs more than the work.
  const growth = growths(rows)
    .filter(({ from, exponent }) => from >= 1000 && exponent > maxExponent)
    .map(
      ({ name, from, to, exponent }) =>
        `${name}: exponent ${exponent.toFixed(2)} from ${from} to ${to}, at most ${maxExponent}`,
    );
  return [...requests, ...growth];
}
