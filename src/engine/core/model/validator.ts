import type { JsonObject } from './value.js';

/** What a compiled validator says of a broken rule. */
export interface ValidationError {
  readonly instancePath: string;
  /** Where the broken rule stands in the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  readonly message?: string;
  /** The schema that the rule stands in, where the validator was compiled to tell it. */
  readonly parentSchema?: JsonObject;
  /** The key a rule about keys was broken by. */
  readonly propertyName?: string;
}

/** True when the value obeys; else `errors` holds what the last call found. */
export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly ValidationError[] | null;
}

/** By token of a resource type or a lookup; each is loaded when it is asked for. */
export type Validators = Readonly<Record<string, () => Promise<{ readonly default: Validator }>>>;
