/**
 * A value that comes later, with what is known about it: whether it is known at all, whether it is a secret, and what it
 * depends on. Members of the value can be read at once and are Outputs themselves: `team.name`. An Output is not a
 * promise: `await` gives back the Output.
 */
export type Output<T> = OutputMethods<T> & Lifted<T>;

/** What every Output can do. A member of the value with one of these names is reached with `apply`. */
export interface OutputMethods<T> {
  /**
   * Another Output, made from the value. The function is not called while the value is unknown. What it returns may hold
   * promises and Outputs; it is secret when this one is.
   */
  apply<U>(change: (value: T) => U): Output<Unwrap<U>>;
  /** The value. Rejects with DiagnosticError for one that is unknown (`output-unknown`) or secret (`output-secret`). */
  promise(): Promise<T>;
  /** The value, even of a secret: the one place where a secret leaves its Output. Rejects when it is unknown. */
  reveal(): Promise<T>;
  /** False while the value, or a part of it, waits for something that does not exist yet. */
  isKnown(): Promise<boolean>;
  /** Whether the value, or a part of it, is a secret. */
  isSecret(): Promise<boolean>;
  /** What it depends on, by the names given to `Output.unknown` and `output`: `petstore.id`. Sorted. */
  dependencies(): Promise<readonly string[]>;
  /** A masked text, never the value: use `interpolate` to build texts. */
  toString(): string;
  /** The same masked text. */
  toJSON(): string;
}

/** The members of a value, each as an Output. */
export type Lifted<T> = [NonNullable<T>] extends [never]
  ? unknown
  : LiftedMembers<NonNullable<T>, Extract<T, null | undefined>>;

type LiftedMembers<T, Absent> = T extends Primitive | AnyFunction
  ? unknown
  : T extends readonly (infer Item)[]
    ? { readonly [index: number]: Output<Item | undefined>; readonly length: Output<number | AbsentMember<Absent>> }
    : { readonly [K in Exclude<keyof T, keyof OutputMethods<unknown>>]-?: Output<T[K] | AbsentMember<Absent>> };

/** A member of nothing is nothing. */
type AbsentMember<Absent> = [Absent] extends [never] ? never : undefined;

/** A value, a promise of it, or an Output of it; and so is every member of it. */
export type Input<T> = InputMembers<T> | PromiseLike<InputMembers<T>> | OutputMethods<T>;

type InputMembers<T> = T extends Primitive | AnyFunction
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Input<Item>[]
    : { readonly [K in keyof T]: Input<T[K] | Missing<T, K>> };

/** What may be left out may be undefined, too: `process.env` has it so. */
type Missing<T, K extends keyof T> = Partial<Pick<T, K>> extends Pick<T, K> ? undefined : never;

/** What is left of a value once all promises and Outputs in it have come. */
export type Unwrap<T> =
  T extends OutputMethods<infer U>
    ? Unwrap<U>
    : T extends PromiseLike<infer U>
      ? Unwrap<U>
      : T extends Primitive | AnyFunction
        ? T
        : { readonly [K in keyof T]: Unwrap<T[K]> };

type Primitive = string | number | boolean | bigint | symbol | null | undefined;
type AnyFunction = (...args: never[]) => unknown;
