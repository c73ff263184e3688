// Why a mutant may live: the first row whose test holds says it.

/** @typedef {{ file: string, mutatorName: string, original: string, replacement?: string, status: string, line: string, location: { start: { line: number } } }} Mutant */

/** Of one file, a piece of code that begins so. */
const at =
  (file, ...begins) =>
  (mutant) =>
    mutant.file.endsWith(`/${file}.ts`) && begins.some((begin) => mutant.original.startsWith(begin));
const any =
  (...tests) =>
  (mutant) =>
    tests.some((test) => test(mutant));
const isCondition = ({ mutatorName }) => /^(?:Conditional|Equality|Logical)/.test(mutatorName);
const isAbsence = (text) => /(?:[=!]== (?:undefined|null)|\?\? null\) [=!]== null)/.test(text);
const isEmptiness = (text) => /\.(?:length|size) (?:===|>|<|!==|>=) [01]\b/.test(text);
/** A comparison that picks one of the shapes that a value can have. */
const isShape = (text) =>
  /(?:\b(?:kind|by|action|extent|rule|mode|order)\b|typeof [\w.]+) [=!]==|isSealed\(|isSecret\(|Array\.isArray\(|isObject\(|\.equality\b/.test(
    text,
  );

/** @type {readonly (readonly [why: string, (mutant: Mutant) => boolean])[]} */
const reasons = [
  [
    'The words of a bug that no input brings about, and what looks for one',
    ({ line, original }) => /['"`]bug:/.test(line) || /bug:/.test(original),
  ],
  [
    'What a type allows to be absent is there: who calls has made sure',
    ({ mutatorName }) => mutatorName === 'OptionalChaining',
  ],
  [
    'A list of nothing, or one with a name that nobody has: either leads nowhere',
    ({ mutatorName, original }) => mutatorName === 'ArrayDeclaration' && original === '[]',
  ],
  [
    'A text that stands for none: another one that nobody bears says the same',
    ({ mutatorName, original }) => mutatorName === 'StringLiteral' && ["''", '""'].includes(original),
  ],
  [
    'A shortcut for nothing at all: without it the same comes out, with more work',
    (mutant) => isCondition(mutant) && isEmptiness(mutant.original),
  ],
  [
    'What is absent is left out once more further on, or is never absent there: the compiler asks for the look',
    (mutant) => isCondition(mutant) && isAbsence(mutant.original),
  ],
  [
    'Tells shapes of a value apart for the compiler: of the others none gets there, or each ends the same',
    (mutant) =>
      (isCondition(mutant) && isShape(mutant.original)) ||
      (mutant.mutatorName === 'StringLiteral' && isShape(mutant.line)),
  ],
  [
    'A filter, or an order, that spares work: what it would leave out is told apart again further on, or is in order already',
    any(
      ({ mutatorName, original, replacement }) =>
        mutatorName === 'MethodExpression' &&
        original.replace(/\s/g, '').startsWith((replacement ?? '?').replace(/\s/g, '')),
      at('plan/replacement-order', 'rule.name === field'),
      at('plan/order', '[...steps.values()].filter'),
      at('plan/order', 'ringOf.get', 'waits.filter', 'this.isWaiting'),
      at('plan/plan', '[...ordered]', '([address, { order }])', '(a, b) =>', '[ ...[...proposed.problems'),
      at('plan/selection', 'reached.has'),
      at('plan/matching', 'this.#isDecided', 'parents.slice'),
      at('guards/protection', 'seen.has'),
      at('refresh/refresh', '`${a.type}', '[...levels]'),
      at('refresh/confirmed-reading', '!isPartial', 'rule.input &&'),
      at('apply/examine-intents', '{ if (intent.action'),
      at('value/equality', 'a === b', 'left === right'),
      at('plan/claims', 'selected.size', '[keyNow'),
    ),
  ],
  [
    'Nothing, in either spelling: null for undefined, or a function that ends without a word',
    any(
      ({ original, replacement }) => original === '() => null' && replacement === '() => undefined',
      ({ original, replacement }) => original === '{ return undefined; }' && replacement === '{}',
      at('plan/plan', '{ property: () => null'),
      at('plan/plan-scope', '() => scope', 'shown.new ?? null'),
      at('apply/halt', '{ once: true }'),
    ),
  ],
  [
    'The words of an error that is caught, and shown to nobody',
    ({ mutatorName, line }) => mutatorName === 'StringLiteral' && /throw new SyntaxError/.test(line),
  ],
  [
    'A name that is compared with others only: any that is none of them does',
    any(
      at('plan/resource', "'key'", "'adopt'", "'found'", "'update'"),
      at('plan/selection', "'none'"),
      at('plan/saved-plan', "'checksum'"),
      at('plan/problems', "'place'"),
      at('value/equality', "'exact'"),
      at('value/field-comparison', "'default'"),
      at('value/seal', "'a'"),
      at('plan/keys', '`${type.token}', '{ return `${type.token}', '[markKey'),
      at('plan/plan-scope', "'id'", "name === 'id'"),
    ),
  ],
  [
    'Tried by tests that read files or talk to a platform, with which mutants are not tried',
    any(
      at('plan/saved-plan', '`', "'outdated'"),
      at('plan/change', "'update'", 'rule.isMark', 'true'),
      at('plan/risks', 'step.type.forcible', 'before !== shown'),
      at('plan/notices', '-1', 'type.proven', 'true'),
      at('plan/selection', 'step.reasons.some'),
      at('plan/replacement-order', 'nesting.some', 'under ==='),
      at('plan/order', 'above.recorded', 'expression.to'),
      at('plan/plan-scope', '[text]', '{ ...step.actual'),
      at('refresh/list-collection', 'context.whole'),
      at('apply/delete', '{ force'),
      at('apply/results', 'result?.outcome'),
    ),
  ],
  [
    'Differs in a single point that nothing reaches: a place in a text before its beginning, two clocks that agree to the last digit, a record of another type than its resource',
    any(
      at('plan/matching', 'slash < 0'),
      at('guards/protection', 'slash > 0', 'false', '[marks.addressOf'),
      at('plan/plan', '/^'),
      at('plan/claims', 'holder.step.address'),
      at('plan/replacement-order', 'true'),
      at('plan/cascade-deletes', 'above && type.parent', 'recorded?.type'),
      at('apply/send-create', 'at >= passed'),
      at('apply/schedule', 'this.#next'),
      at('apply/before-delete', 'true'),
    ),
  ],
];

/** @param {Mutant} mutant */
export function argumentFor(mutant) {
  return reasons.find(([, holds]) => holds(mutant))?.[0] ?? 'Not argued yet';
}
