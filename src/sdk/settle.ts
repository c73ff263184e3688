import { DiagnosticError } from '../engine/model/diagnostic.js';
import { isPlainObject } from './parts.js';
import type { Parts } from './parts.js';

/** A value once everything in it has come. */
export interface Settled {
  readonly value: Parts;
  readonly dependencies: ReadonlySet<string>;
}

/** How to wait for the value of an Output, by the Output; nothing else can look inside one. */
const waits = new WeakMap<object, () => Promise<Settled>>();

export function rememberOutput(output: object, settled: () => Promise<Settled>): void {
  waits.set(output, settled);
}

export function settledOf(value: unknown): (() => Promise<Settled>) | undefined {
  return typeof value === 'object' && value !== null ? waits.get(value) : undefined;
}

/** Waits for all promises and Outputs in a value, at any depth. Listens to each of them at once. */
export async function settle(input: unknown): Promise<Settled> {
  const dependencies = new Set<string>();
  return { value: await settleParts(input, dependencies, []), dependencies };
}

function settleParts(input: unknown, dependencies: Set<string>, above: readonly unknown[]): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const settled = settledOf(input);
  if (settled !== undefined) return settled().then((found) => addDependencies(found, dependencies));
  if (isPromiseLike(input)) return Promise.resolve(input).then((value) => settleParts(value, dependencies, above));
  const isList = Array.isArray(input);
  if (!isList && !isPlainObject(input)) return input;
  if (above.includes(input)) throw holdsItself();
  const within = [...above, input];
  const settleMember = (member: unknown): unknown => settleParts(member, dependencies, within);
  if (isList) return Promise.all(input.map(settleMember));
  const names = Object.keys(input);
  return Promise.all(Object.values(input).map(settleMember)).then((members) =>
    Object.fromEntries(names.map((name, at) => [name, members[at]])),
  );
}

function addDependencies(settled: Settled, dependencies: Set<string>): Parts {
  for (const name of settled.dependencies) dependencies.add(name);
  return settled.value;
}

function isPromiseLike(value: object): value is PromiseLike<unknown> {
  return 'then' in value && typeof value.then === 'function';
}

function holdsItself(): DiagnosticError {
  return new DiagnosticError([
    { severity: 'error', code: 'value-holds-itself', summary: 'An object that holds itself can not become an Output.' },
  ]);
}
