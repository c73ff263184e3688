import { mustNotBeDeeper, TooDeepError } from '@platform-sync/core/model/read-json';
import { ReviewError } from './review-error.js';

/** Whether a value can be read as what is expected. */
export type Form = (value: unknown) => boolean;

/** What a call answers, for people (`a pull request`), and of which form. Only what is read is asked for. */
export interface Expected {
  readonly what: string;
  readonly form: Form;
}

export const text: Form = (value) => typeof value === 'string';
export const number: Form = (value) => typeof value === 'number';
export const flag: Form = (value) => typeof value === 'boolean';

/** Null and absent are the same: clients' types tell neither for certain. */
export function orNone(form: Form): Form {
  return (value) => value === undefined || value === null || form(value);
}

export function list(of: Form): Form {
  return (value) => Array.isArray(value) && value.every(of);
}

export function record(members: Readonly<Record<string, Form>>): Form {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(members).every(([name, form]) => form(Reflect.get(value, name)));
}

/** An answer, when it is what was expected. Throws ReviewError for any other: a server may answer whatever it likes. */
export function understood<T>(answer: T, { what, form }: Expected): T {
  try {
    mustNotBeDeeper(answer);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    throw new ReviewError('unusable', `${what}, in which ${error.message}`);
  }
  if (!form(answer)) throw new ReviewError('unusable', `not ${what}`);
  return answer;
}
