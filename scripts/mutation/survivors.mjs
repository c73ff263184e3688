// Why a mutant may live: the first row whose test holds says it.

/** @typedef {{ file: string, mutatorName: string, original: string, replacement?: string, location: { start: { line: number } } }} Mutant */

/** @type {readonly (readonly [why: string, (mutant: Mutant) => boolean])[]} */
const reasons = [
  [
    'What a type allows to be absent is there: who calls has made sure',
    ({ mutatorName }) => mutatorName === 'OptionalChaining',
  ],
  [
    'A list of nothing, or one with a name that nobody has: either leads nowhere',
    ({ mutatorName, original }) => mutatorName === 'ArrayDeclaration' && original === '[]',
  ],
];

/** @param {Mutant} mutant */
export function argumentFor(mutant) {
  return reasons.find(([, holds]) => holds(mutant))?.[0] ?? 'Not argued yet';
}
