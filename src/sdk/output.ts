import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import {
  hasSecret,
  isSecret,
  isUnknown,
  reveal,
  secret as secretValue,
  unknown,
  type Value,
} from '@platform-sync/core/model/value';
import { rememberOutput, resolveInput, resolvedOf, waitsOf, type Resolved } from './resolve.js';
import type { Output as OutputType, OutputMethods, Unwrap } from './types.js';

export type Output<T> = OutputType<T>;

/** Ways to make an Output. */
export const Output = {
  /** An Output of a value in which promises and Outputs may stand at any depth. */
  of: output,
  /** An Output of a value that does not exist yet, waiting for what is named: `Output.unknown<string>('petstore.id')`. */
  unknown: <T = unknown>(...waitsFor: readonly string[]): OutputType<T> =>
    makeOutput<T>(once(async () => ({ value: unknown(waitsFor), dependencies: new Set(waitsFor) }))),
  isInstance: (value: unknown): value is OutputType<unknown> => resolvedOf(value) !== undefined,
};

/**
 * An Output of a value in which promises and Outputs may stand at any depth.
 *
 * @param dependencies names of what the value depends on, as in catalogues: `petstore.id`
 */
export function output<T>(value: T, dependencies: readonly string[] = []): OutputType<Unwrap<T>> {
  const resolved = resolveInput(value).then((found) => ({
    value: found.value,
    dependencies: new Set([...found.dependencies, ...dependencies]),
  }));
  return makeOutput<Unwrap<T>>(() => resolved);
}

/** Like `output`, and a secret: masked wherever it would be shown, and so is everything made from it. */
export function secret<T>(value: T): OutputType<Unwrap<T>> {
  const resolved = resolveInput(value).then((found) => ({ ...found, value: secretValue(found.value, 'secret') }));
  return makeOutput<Unwrap<T>>(() => resolved);
}

/** One Output of several values: known when all are, secret when one is. */
export function all<T extends readonly unknown[] | []>(
  values: T,
): OutputType<{ readonly [K in keyof T]: Unwrap<T[K]> }>;
export function all<T extends Readonly<Record<string, unknown>>>(
  values: T,
): OutputType<{ readonly [K in keyof T]: Unwrap<T[K]> }>;
export function all(values: unknown): OutputType<unknown> {
  return output(values);
}

/** Text with Outputs in it: `` interpolate`https://${portal.canonicalDomain}/apis` ``. */
export function interpolate(texts: TemplateStringsArray, ...values: readonly unknown[]): OutputType<string> {
  return output(values).apply((found) => texts.map((text, at) => text + textOf(found[at])).join(''));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** An Output whose value comes from `resolved`, which must give the same promise every time. */
export function makeOutput<T>(resolved: () => Promise<Resolved>): OutputType<T> {
  const target = new Eventual<T>(resolved);
  Object.freeze(target);
  // Every member of T is an Output that is made when it is asked for.
  const made = new Proxy(target, {
    get: (_target, key) => memberOf(target, resolved, key),
  }) as unknown as OutputType<T>;
  rememberOutput(made, resolved);
  return made;
}

const own = new Set<string | symbol>([
  'apply',
  'promise',
  'reveal',
  'isKnown',
  'isSecret',
  'dependencies',
  'toString',
  'toJSON',
]);

/** `await` would take an Output with `then` for a promise; `constructor` is what tools look at by the way. */
const none = new Set<string | symbol>(['then', 'constructor']);

function memberOf(target: Eventual<unknown>, resolved: () => Promise<Resolved>, key: string | symbol): unknown {
  if (none.has(key)) return undefined;
  if (typeof key === 'string' && !own.has(key)) return memberOutput(resolved, key);
  const value: unknown = Reflect.get(target, key, target);
  // Bound, since private members are out of a proxy's reach.
  return typeof value === 'function' ? value.bind(target) : value;
}

/** Waits only when it is asked: whatever looks at a member by the way must not start or fail anything. */
function memberOutput(resolved: () => Promise<Resolved>, key: string): OutputType<unknown> {
  return makeOutput(
    once(async () => {
      const { value, dependencies } = await resolved();
      return { value: memberOfValue(value, key), dependencies };
    }),
  );
}

/** Markers that are met on the way spread to what is found. Nothing is inherited. */
function memberOfValue(value: Value | undefined, key: string): Value {
  if (isUnknown(value)) return value;
  if (isSecret(value)) return secretValue(memberOfValue(value.value, key), 'secret');
  const members: object = Object(value ?? {});
  return (Object.hasOwn(members, key) ? Reflect.get(members, key) : undefined) as Value;
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const mask = 'Output(masked: use .apply(value => …), interpolate`…`, or await .promise() or .reveal())';

class Eventual<T> implements OutputMethods<T> {
  readonly #resolved: () => Promise<Resolved>;

  constructor(resolved: () => Promise<Resolved>) {
    this.#resolved = resolved;
  }

  apply<U>(change: (value: T) => U): OutputType<Unwrap<U>> {
    // Begun at once: a program may rely on what the function does, not only on what it returns.
    const resolved = this.#resolved().then((before) => applied(before, change as (value: unknown) => unknown));
    return makeOutput<Unwrap<U>>(() => resolved);
  }

  async promise(): Promise<T> {
    const { value } = await this.#resolved();
    if (hasSecret(value)) throw secretRefused();
    return this.reveal();
  }

  async reveal(): Promise<T> {
    const { value } = await this.#resolved();
    const sources = waitsOf(value);
    if (sources !== undefined) throw stillUnknown(sources);
    return reveal(value) as T;
  }

  async isKnown(): Promise<boolean> {
    return waitsOf((await this.#resolved()).value) === undefined;
  }

  async isSecret(): Promise<boolean> {
    return hasSecret((await this.#resolved()).value);
  }

  async dependencies(): Promise<readonly string[]> {
    return [...(await this.#resolved()).dependencies].sort();
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspectSymbol](): string {
    return mask;
  }
}

async function applied(before: Resolved, change: (value: unknown) => unknown): Promise<Resolved> {
  const isHidden = hasSecret(before.value);
  const sources = waitsOf(before.value);
  const after = sources === undefined ? await resolveInput(change(reveal(before.value))) : undefined;
  const value = after === undefined ? unknown(sources ?? []) : after.value;
  return {
    value: isHidden ? secretValue(value, 'secret') : value,
    dependencies: new Set([...before.dependencies, ...(after?.dependencies ?? [])]),
  };
}

function stillUnknown(sources: readonly string[]): DiagnosticError {
  const waits = sources.length === 0 ? 'something that does not exist yet' : sources.join(', ');
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'output-unknown',
      summary: `The value of this Output is not known: it waits for ${waits}.`,
      hint: 'Ask isKnown() first, or go on with apply(), which does nothing until the value is known.',
    },
  ]);
}

function secretRefused(): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'output-secret',
      summary: 'The value of this Output is a secret, or holds one.',
      hint: 'Use apply() to work with it, or reveal() where it must leave the Output.',
    },
  ]);
}
