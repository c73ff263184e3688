import { type Expression, type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { Catalogue } from './catalogue.js';
import type { BuildContext } from '../read/build-context.js';
import type { ProblemDetails } from '../problem/problems.js';
import { nearest } from '@platform-sync/core/model/nearest';

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

/** After so many misses, looking for similar names in a large catalogue would cost more than it helps. */
const maxHints = 50;

/** Decides for every reference whether it names a resource or a variable; reports those that name nothing. */
export function bindReferences(catalogue: Catalogue, referring: readonly Referring[], context: BuildContext): void {
  let misses = 0;
  for (const found of referring.flatMap(({ references }) => references)) {
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
  }
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

/** The name that was most likely meant; a child may have been named without what it stands under. */
export function nearestTarget(target: string, catalogue: Catalogue): string | undefined {
  const [head = '', ...rest] = target.split('/');
  if (rest.length > 0 && catalogue.variables.has(head)) return `Did you mean \${${head}.${rest.join('.')}}?`;
  const names = [...catalogue.resources.keys(), ...catalogue.untyped, ...catalogue.variables.keys()];
  const found = names.find((name) => name.endsWith(`/${target}`)) ?? nearest(target, names);
  return found === undefined ? undefined : `Did you mean ${found}?`;
}
