// Why a mutant may live: the first row whose test holds says it.

/** @typedef {{ file: string, mutatorName: string, original: string, replacement?: string, location: { start: { line: number } } }} Mutant */

/** @type {readonly (readonly [why: string, (mutant: Mutant) => boolean])[]} */
const reasons = [];

/** @param {Mutant} mutant */
export function argumentFor(mutant) {
  return reasons.find(([, holds]) => holds(mutant))?.[0] ?? 'Not argued yet';
}
