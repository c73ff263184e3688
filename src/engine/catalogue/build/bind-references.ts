import type { Expression, ReferenceExpression } from '../../model/expression.js';
import type { Catalogue } from './assembled.js';
import type { BuildContext } from '../read/build-context.js';
import type { ProblemDetails } from '../problem/problems.js';
import { nearest } from '../../model/nearest.js';
import { visitExpression } from '../../model/visit-expression.js';

/** After so many misses, looking for similar names in a large catalogue would cost more than it helps. */
const maxHints = 50;

/** Decides for every reference whether it names a resource or a variable; reports those that name nothing. */
export function bindReferences(catalogue: Catalogue, context: BuildContext): void {
  let misses = 0;
  const reference = (found: ReferenceExpression): void => {
    const { target } = found;
    const open: { to: 'resource' | 'variable' } = found;
    if (catalogue.variables.has(target)) open.to = 'variable';
    else if (!exists(target, catalogue) && !catalogue.incomplete) {
      misses++;
      const off = switchedOff(target, catalogue);
      context.problems.add('unknown-reference', found.at, `There is no resource or variable "${target}".`, {
        hint: misses > maxHints ? undefined : nearestTarget(target, catalogue),
        ...off,
      });
    }
  };
  for (const expression of allExpressions(catalogue)) visitExpression(expression, { reference });
}

/** What to say of a resource that an overlay takes out of this stack. */
export function switchedOff(target: string, { off }: Catalogue): ProblemDetails | undefined {
  const at = off.get(target);
  if (at === undefined) return undefined;
  return {
    hint: 'An overlay of this stack switches it off: patch what refers to it as well.',
    related: [{ at, message: 'switched off here' }],
  };
}

export function exists(address: string, catalogue: Catalogue): boolean {
  return catalogue.resources.has(address) || catalogue.untyped.has(address);
}

/** Every value of the catalogue, each with what it belongs to. */
export function* allExpressions(catalogue: Catalogue): Iterable<Expression> {
  for (const { desired } of catalogue.resources.values()) yield* desired.properties.values();
  yield* catalogue.variables.values();
  yield* catalogue.outputs.values();
}

/** The name that was most likely meant; a child may have been named without what it stands under. */
export function nearestTarget(target: string, catalogue: Catalogue): string | undefined {
  const [head = '', ...rest] = target.split('/');
  if (rest.length > 0 && catalogue.variables.has(head)) return `Did you mean \${${head}.${rest.join('.')}}?`;
  const names = [...catalogue.resources.keys(), ...catalogue.untyped, ...catalogue.variables.keys()];
  const found = names.find((name) => name.endsWith(`/${target}`)) ?? nearest(target, names);
  return found === undefined ? undefined : `Did you mean ${found}?`;
}
