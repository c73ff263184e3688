import { isJsonObject } from '../json.js';
import { type InvalidParameter, invalid } from '../problem.js';

/** Looks at one value of a request body and reports what is wrong with it. Tables of these are the request schemas. */
export type Check = (value: unknown, field: string, found: InvalidParameter[]) => void;

function report(found: InvalidParameter[], field: string, rule: string, reason: string): void {
  found.push({ field, rule, reason, source: 'body' });
}

interface TextLimits {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

/** Text; lengths in characters. */
export function text(limits: TextLimits = {}): Check {
  const { min = 0, max = Infinity, pattern } = limits;
  return (value, field, found) => {
    if (typeof value !== 'string') return report(found, field, 'is_string', `${field} must be a string`);
    // UTF-16 units bound the characters from above: counting is only needed beyond the limit.
    const length = value.length > max ? [...value].length : value.length;
    if (length < min) {
      found.push({
        field,
        rule: 'min_length',
        minimum: min,
        reason: `${field} must have at least ${String(min)} characters`,
        source: 'body',
      });
    } else if (length > max) {
      found.push({
        field,
        rule: 'max_length',
        maximum: max,
        reason: `${field} must have at most ${String(max)} characters`,
        source: 'body',
      });
    } else if (pattern !== undefined && !pattern.test(value)) {
      report(found, field, 'matches_regex', `${field} must match ${String(pattern)}`);
    }
  };
}

export function nullable(check: Check): Check {
  return (value, field, found) => {
    if (value !== null) check(value, field, found);
  };
}

export function choice(...values: readonly string[]): Check {
  return (value, field, found) => {
    if (typeof value === 'string' && values.includes(value)) return;
    const reason = `${field} must be one of: ${values.join(', ')}`;
    found.push({ field, rule: 'enum', choices: values, reason, source: 'body' });
  };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const uuid: Check = (value, field, found) => {
  if (typeof value !== 'string' || !uuidPattern.test(value)) {
    report(found, field, 'is_uuid', `${field} must be a UUID`);
  }
};

export const flag: Check = (value, field, found) => {
  if (typeof value !== 'boolean') report(found, field, 'is_boolean', `${field} must be a boolean`);
};

export const integer: Check = (value, field, found) => {
  if (!Number.isInteger(value)) report(found, field, 'is_integer', `${field} must be an integer`);
};

/** An object of any content. */
export const anyObject: Check = (value, field, found) => {
  if (!isJsonObject(value)) report(found, field, 'is_object', `${field} must be an object`);
};

interface ListLimits {
  readonly min?: number;
  readonly max?: number;
  readonly unique?: boolean;
}

export function list(item: Check, limits: ListLimits = {}): Check {
  const { min = 0, max = Infinity, unique = false } = limits;
  return (value, field, found) => {
    if (!Array.isArray(value)) return report(found, field, 'is_array', `${field} must be an array`);
    if (value.length < min) {
      const reason = `${field} must have at least ${String(min)} items`;
      found.push({ field, rule: 'min_items', minimum: min, reason, source: 'body' });
    }
    if (value.length > max) {
      const reason = `${field} must have at most ${String(max)} items`;
      found.push({ field, rule: 'max_items', maximum: max, reason, source: 'body' });
    }
    if (unique && new Set(value).size < value.length)
      report(found, field, 'invalid', `${field} must not repeat an item`);
    value.forEach((entry: unknown, at) => {
      item(entry, `${field}.${String(at)}`, found);
    });
  };
}

/** A map of checked keys to checked values. */
export function map(key: Check, item: Check, max = Infinity): Check {
  return (value, field, found) => {
    if (!isJsonObject(value)) return report(found, field, 'is_object', `${field} must be an object`);
    const entries = Object.entries(value);
    if (entries.length > max) {
      const reason = `${field} must have at most ${String(max)} entries`;
      found.push({ field, rule: 'max_items', maximum: max, reason, source: 'body' });
    }
    for (const [name, entry] of entries) {
      key(name, `${field}.${name}`, found);
      item(entry, `${field}.${name}`, found);
    }
  };
}

interface Shape {
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
  /** Fields of any other name are taken as they are. */
  readonly isOpen?: boolean;
}

/** An object with these fields and, unless it is open, no others. */
export function shape({ fields, required = [], isOpen = false }: Shape): Check {
  const known = new Map(Object.entries(fields));
  return (value, field, found) => {
    if (!isJsonObject(value)) return report(found, field || 'body', 'is_object', 'an object is expected');
    const prefix = field === '' ? '' : `${field}.`;
    for (const name of required) {
      if (value[name] === undefined) report(found, prefix + name, 'required', `${prefix}${name} is required`);
    }
    for (const [name, entry] of Object.entries(value)) {
      const check = known.get(name);
      if (check === undefined) {
        if (!isOpen) report(found, prefix + name, 'unknown_property', `"${prefix}${name}" is not allowed`);
      } else check(entry, prefix + name, found);
    }
  };
}

/** A request body whose checked form is `T`. */
export interface BodyCheck<T> {
  readonly check: Check;
  /** Never called: ties the table to the type it promises. */
  readonly promises?: (body: T) => void;
}

export function body<T>(parts: Shape): BodyCheck<T> {
  return { check: shape(parts) };
}

/** The body as its table promises it, or one refusal that names everything wrong with it. */
export function readBody<T>({ check }: BodyCheck<T>, value: unknown): T {
  const found: InvalidParameter[] = [];
  check(value, '', found);
  if (found.length > 0) throw invalid(...found);
  return value as T;
}
