import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { hasUnknown, isPlainObject, unknownSources, type Value } from '@platform-sync/core/model/value';

/** A value once everything in it has come: any value of a program, with the model's markers for unknown and secret parts inside. */
export interface Resolved {
  readonly value: Value;
  readonly dependencies: ReadonlySet<string>;
}

/** How to wait for the value of an Output, by the Output; nothing else can look inside one. */
const waits = new WeakMap<object, () => Promise<Resolved>>();

export function rememberOutput(output: object, resolved: () => Promise<Resolved>): void {
  waits.set(output, resolved);
}

export function resolvedOf(value: unknown): (() => Promise<Resolved>) | undefined {
  return typeof value === 'object' && value !== null ? waits.get(value) : undefined;
}

/** Waits for all promises and Outputs in a value, at any depth. Listens to each of them at once. */
export async function resolveInput(input: unknown): Promise<Resolved> {
  const dependencies = new Set<string>();
  return { value: (await resolveParts(input, dependencies, [])) as Value, dependencies };
}

/** What a value still waits for; undefined where it is known. */
export function waitsOf(value: Value): readonly string[] | undefined {
  return hasUnknown(value) ? unknownSources(value) : undefined;
}

function resolveParts(input: unknown, dependencies: Set<string>, above: readonly unknown[]): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const resolved = resolvedOf(input);
  if (resolved !== undefined) return resolved().then((found) => addDependencies(found, dependencies));
  if (isPromiseLike(input)) return Promise.resolve(input).then((value) => resolveParts(value, dependencies, above));
  const isList = Array.isArray(input);
  if (!isList && !isPlainObject(input)) return input;
  if (above.includes(input)) throw holdsItself();
  const within = [...above, input];
  const resolveMember = (member: unknown): unknown => resolveParts(member, dependencies, within);
  if (isList) return Promise.all(input.map(resolveMember));
  const names = Object.keys(input);
  return Promise.all(Object.values(input).map(resolveMember)).then((members) =>
    Object.fromEntries(names.map((name, at) => [name, members[at]])),
  );
}

function addDependencies(resolved: Resolved, dependencies: Set<string>): Value {
  for (const name of resolved.dependencies) dependencies.add(name);
  return resolved.value;
}

function isPromiseLike(value: object): value is PromiseLike<unknown> {
  return 'then' in value && typeof value.then === 'function';
}

function holdsItself(): DiagnosticError {
  return new DiagnosticError([
    { severity: 'error', code: 'value-holds-itself', summary: 'An object that holds itself cannot become an Output.' },
  ]);
}
