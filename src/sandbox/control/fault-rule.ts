import { isJsonObject } from '../json.js';

/** When a fault strikes: instead of the work, or after it is done and kept. */
type Moment = 'before' | 'after-commit';

export interface FaultAction {
  /** Answer with this status. */
  readonly status?: number;
  /** With `status`: seconds, or an HTTP date, as `Retry-After`. */
  readonly retryAfter?: number | string;
  /** With `status`: fields of the problem body. */
  readonly problem?: Readonly<Record<string, unknown>>;
  /** Cut the connection. */
  readonly reset?: Moment;
  /** Wait. */
  readonly delayMs?: number;
  /** Moment of `status` and `delayMs`; `before` unless said. */
  readonly when?: Moment;
  /** Leave this field out of the answer. */
  readonly dropField?: string;
  /** After a successful POST: what hangs below the new object answers 403 for so long. */
  readonly childLag?: { readonly ms: number };
}

export interface FaultRule {
  readonly match?: {
    /** Any unless given. */
    readonly method?: string;
    /** Glob over the path or the route (`/v3/apis/{apiId}`). */
    readonly route?: string;
  };
  /** Strikes at the n-th matching request only, from 1. */
  readonly nth?: number;
  /** Strikes with this probability, by a seeded sequence. */
  readonly probability?: number;
  /** Of the sequence; 1 unless given. */
  readonly seed?: number;
  /** Strikes at most so often. */
  readonly times?: number;
  readonly action: FaultAction;
}

/** The rules of a control request, or what is wrong with them. */
export function readFaultRules(value: unknown): readonly FaultRule[] | string {
  const given = isJsonObject(value) ? value['rules'] : value;
  if (!Array.isArray(given)) return 'a list of rules is expected, or {"rules": […]}';
  const problem = given.map((rule: unknown, at) => wrong(rule, at)).find((text) => text !== undefined);
  return problem ?? (given as readonly FaultRule[]);
}

const ruleFields: Readonly<Record<string, string>> = {
  match: 'object',
  nth: 'number',
  probability: 'number',
  seed: 'number',
  times: 'number',
  action: 'object',
};
const matchFields: Readonly<Record<string, string>> = { method: 'string', route: 'string' };
const actionFields: Readonly<Record<string, string>> = {
  status: 'number',
  retryAfter: 'number|string',
  problem: 'object',
  reset: 'moment',
  delayMs: 'number',
  when: 'moment',
  dropField: 'string',
  childLag: 'object',
};

function wrong(rule: unknown, at: number): string | undefined {
  const place = `rule ${String(at)}`;
  if (!isJsonObject(rule)) return `${place}: an object is expected`;
  const { match = {}, action } = rule;
  if (!isJsonObject(action) || Object.keys(action).length === 0) return `${place}: an action is required`;
  const lag = action['childLag'];
  const lagWrong =
    isJsonObject(lag) && typeof lag['ms'] !== 'number' ? `${place}: childLag.ms must be a number` : undefined;
  return (
    wrongFields(rule, ruleFields, place) ??
    (isJsonObject(match) ? wrongFields(match, matchFields, `${place}: match`) : undefined) ??
    wrongFields(action, actionFields, `${place}: action`) ??
    lagWrong
  );
}

function wrongFields(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, string>>,
  place: string,
): string | undefined {
  for (const [name, given] of Object.entries(value)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (type === undefined) return `${place}: unknown field "${name}"`;
    if (!hasType(given, type))
      return `${place}: ${name} must be ${type === 'moment' ? 'before or after-commit' : type}`;
  }
  return undefined;
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'moment') return value === 'before' || value === 'after-commit';
  if (type === 'object') return isJsonObject(value);
  return type.split('|').includes(typeof value);
}
