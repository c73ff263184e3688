import { type Expression, type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { Catalogue } from './catalogue.js';
import type { BuildContext } from '../read/build-context.js';
import type { ProblemDetails } from '../problem/problems.js';
import { type Hint, replacing } from '../problem/advice.js';
import { nearest } from '@platform-sync/core/model/nearest';
import { compareText } from '@platform-sync/core/model/address';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { strongComponents } from '@platform-sync/core/model/graph';

/** A resource, a variable or an output, and all references in it, in written order. */
export interface Referring {
  /** Of an output: undefined. Resources and variables share their names. */
  readonly name: string | undefined;
  /** Without literals, which refer to nothing. */
  readonly values: readonly Expression[];
  readonly references: readonly ReferenceExpression[];
}

/** All that can refer to something. Made once: several checks go through all references. */
export function referencesIn({ checked, variables, outputs }: Catalogue): readonly Referring[] {
  const found: Referring[] = [];
  for (const [address, { desired }] of checked) found.push(referring(address, desired.properties.values()));
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
export function nearestTarget(target: string, catalogue: Catalogue): Hint | undefined {
  const [head = '', ...rest] = target.split('/');
  const path = [head, ...rest].join('.');
  if (rest.length > 0 && catalogue.variables.has(head)) return replacing(`Did you mean \${${path}}?`, target, path);
  const names = [...catalogue.resources.keys(), ...catalogue.untyped, ...catalogue.variables.keys()];
  const found = names.find((name) => name.endsWith(`/${target}`)) ?? nearest(target, names);
  return found === undefined ? undefined : replacing(`Did you mean ${found}?`, target, found);
}

interface Need {
  readonly to: string;
  readonly at: SourceRange;
}

type Needs = ReadonlyMap<string, readonly Need[]>;

interface Cycles {
  /** Names of all that take part in a ring. */
  readonly cyclic: ReadonlySet<string>;
  /** Resources and variables, each after what it needs. */
  readonly order: readonly string[];
}

/** Reports every ring of resources and variables that need each other. */
export function findCycles(catalogue: Catalogue, referring: readonly Referring[], context: BuildContext): Cycles {
  const { order, needed } = needsOf(catalogue, referring);
  // Where each stands is asked for rings alone.
  let needs: Needs | undefined;
  const cyclic = new Set<string>();
  for (const component of strongComponents(needed.keys(), (name) => needed.get(name) ?? nothing)) {
    const [first] = component.length === 1 ? component : component.sort(compareText);
    for (const name of component) order.push(name);
    if (first === undefined || (component.length === 1 && needed.get(first)?.includes(first) !== true)) continue;
    for (const name of component) cyclic.add(name);
    needs ??= allNeeds(catalogue, referring);
    reportRing(shortestRing(first, new Set(component), needs), context);
  }
  return { cyclic, order };
}

/**
 * Those that need nothing but what stands before them, in order, and what each of the others needs, by name: names are shared by
 * resources and variables, so that one map holds both.
 */
function needsOf(
  { resources }: Catalogue,
  referring: readonly Referring[],
): { readonly order: string[]; readonly needed: ReadonlyMap<string, readonly string[]> } {
  const order = new Set<string>();
  const needed = new Map<string, readonly string[]>();
  for (const { name, references } of referring) {
    if (name === undefined) continue;
    const options = resources.get(name)?.options.dependsOn ?? nothing;
    const isNext = references.every(({ target }) => order.has(target)) && options.every(({ text }) => order.has(text));
    if (isNext) order.add(name);
    else needed.set(name, [...options.map(({ text }) => text), ...references.map(({ target }) => target)]);
  }
  return { order: [...order], needed };
}

/** The same with places. */
function allNeeds({ resources }: Catalogue, referring: readonly Referring[]): Needs {
  const needs = new Map<string, readonly Need[]>();
  for (const { name, references } of referring) {
    if (name === undefined) continue;
    const options = resources.get(name)?.options.dependsOn ?? [];
    needs.set(name, [
      ...options.map(({ text, at }) => ({ to: text, at })),
      ...references.map(({ target, at }) => ({ to: target, at })),
    ]);
  }
  return needs;
}

interface Hop {
  readonly from: string;
  readonly need: Need;
}

/** The shortest way from a member back to itself. */
function shortestRing(start: string, members: ReadonlySet<string>, needs: Needs): readonly Hop[] {
  const reachedBy = new Map<string, Hop>();
  const queue = [start];
  for (const from of queue) {
    for (const need of needs.get(from) ?? []) {
      if (!members.has(need.to) || reachedBy.has(need.to)) continue;
      reachedBy.set(need.to, { from, need });
      if (need.to === start) return wayBack(start, reachedBy);
      queue.push(need.to);
    }
  }
  return [];
}

function wayBack(start: string, reachedBy: ReadonlyMap<string, Hop>): readonly Hop[] {
  const hops: Hop[] = [];
  let name = start;
  do {
    const hop = reachedBy.get(name);
    if (hop === undefined) break;
    hops.unshift(hop);
    name = hop.from;
  } while (name !== start);
  return hops;
}

function reportRing(hops: readonly Hop[], { problems }: BuildContext): void {
  const [first] = hops;
  if (first === undefined) return;
  const ring = [...hops.map((hop) => hop.from), first.from].join(' → ');
  const alone = hops.length === 1;
  problems.add('cycle', first.need.at, alone ? `${first.from} needs itself.` : `These need each other: ${ring}.`, {
    detail: alone ? undefined : 'None of them can be made first.',
    hint: 'Remove one of the references, or the dependsOn, that close the ring.',
    related: alone ? undefined : hops.map(({ from, need }) => ({ at: need.at, message: `${from} needs ${need.to}` })),
  });
}
