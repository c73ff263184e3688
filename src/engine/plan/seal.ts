import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { SealedSecret } from '../model/state.js';
import { hasSecret, hasUnknown, isSecret, reveal, unknownSources } from '../model/value.js';
import type { Json, JsonObject, Value, ValueObject } from '../model/value.js';
import { normalForm, sameValue, shownForm } from './equality.js';

/** Makes the keyed fingerprint that stands for a secret (`engine/state/fingerprint.ts` bound to a stack's key). */
export type Fingerprint = (value: Json) => string;

export function isSealed(value: Json | undefined): value is SealedSecret & JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$secret' in value;
}

/** How a value is stored and shown: plain JSON, or a sealed secret. A field with any secret part is sealed whole. */
export function seal(rule: Pick<FieldRule, 'equality' | 'secret'>, value: Value, fingerprint: Fingerprint): Json {
  if (!hasSecret(value) && !rule.secret) return reveal(value);
  return sealPlain(rule, reveal(value), expressionOf(value), fingerprint);
}

export function sealPlain(
  rule: Pick<FieldRule, 'equality'>,
  value: Json,
  expression: string,
  fingerprint: Fingerprint,
): Json {
  return { $secret: { expression, fingerprint: fingerprint(normalForm(rule, value) ?? null) } };
}

/** What a plan shows: sealed secrets, `{"$unknown": […]}` for what is known only after apply, else JSON. */
export function planValue(rule: Pick<FieldRule, 'equality' | 'secret'>, value: Value, fingerprint: Fingerprint): Json {
  if (hasUnknown(value)) return { $unknown: unknownSources(value) };
  return hasSecret(value) || rule.secret ? seal(rule, value, fingerprint) : shownForm(rule, reveal(value));
}

/** Equality of a field's values of which either may be sealed. */
export function sameSealed(
  rule: Pick<FieldRule, 'equality'>,
  a: Json | undefined,
  b: Json | undefined,
  fingerprint: Fingerprint,
): boolean {
  if (!isSealed(a) && !isSealed(b)) return sameValue(rule, a, b);
  return (
    a !== undefined && b !== undefined && fingerprintOf(rule, a, fingerprint) === fingerprintOf(rule, b, fingerprint)
  );
}

function fingerprintOf(rule: Pick<FieldRule, 'equality'>, value: Json, fingerprint: Fingerprint): string {
  return isSealed(value) ? value.$secret.fingerprint : fingerprint(normalForm(rule, value) ?? null);
}

/** Seals the fields of an answer that the catalogue declares as secret; `declared` may hold sealed or live values. */
export function sealObject(
  type: ResourceType,
  values: JsonObject,
  declared: ValueObject | JsonObject,
  fingerprint: Fingerprint,
): JsonObject {
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(values)) {
    const rule = type.fields[name];
    const source = declared[name] as Value | undefined;
    const expression = source === undefined ? derivedSecret(type, name, declared) : secretExpression(source);
    const secretField = expression ?? (rule?.secret === true ? name : undefined);
    result[name] =
      rule === undefined || secretField === undefined || isSealed(value)
        ? value
        : sealPlain(rule, value, secretField, fingerprint);
  }
  return result;
}

/**
 * The secret that an undeclared field gives away because the platform makes its value out of others (a slug out of a
 * secret name); undefined when there is none.
 */
export function derivedSecret(
  type: ResourceType,
  field: string,
  declared: ValueObject | JsonObject,
): string | undefined {
  if (type.fields[field]?.clearing.by !== 'derived') return undefined;
  const entries = Object.entries(declared) as [string, Value][];
  const secrets = entries.flatMap(([name, value]) => {
    const expression = secretExpression(value);
    return expression === undefined ? [] : [{ name, expression }];
  });
  // What the value is made of can be seen without the secrets themselves: it changes when they come in.
  const open = Object.fromEntries(
    entries.filter(([, value]) => !hasUnknown(value) && secretExpression(value) === undefined),
  ) as JsonObject;
  const before = type.derive(open)[field];
  return secrets.find(({ name }) => type.derive({ ...open, [name]: 'a' })[field] !== before)?.expression;
}

function secretExpression(value: Value): string | undefined {
  if (isSealed(value as Json)) return (value as unknown as SealedSecret).$secret.expression;
  return hasSecret(value) ? expressionOf(value) : undefined;
}

/** The catalogue's words for a value with secret parts. */
function expressionOf(value: Value): string {
  if (isSecret(value)) return value.expression;
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isSecret(part)) found.add(part.expression);
    else if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) Object.values(part as ValueObject).forEach(visit);
  };
  visit(value);
  return found.size === 0 ? '(secret)' : [...found].sort().join(', ');
}
