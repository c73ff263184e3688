import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { SealedSecret } from '../model/state.js';
import { hasSecret, hasUnknown, isSecret, reveal, secret, unknownSources } from '../model/value.js';
import type { Json, JsonObject, Value, ValueObject } from '../model/value.js';
import { normalForm, sameValue, shownForm } from './equality.js';
import type { Comparison } from './equality.js';

/** What of a field's rule decides how its values are compared and hidden. */
export type ValueRule = Comparison &
  Pick<FieldRule, 'secret'> & {
    /** Stands for a value that is secret though the catalogue says it openly. */
    readonly name?: string;
  };

/** Words that say all there is to say: one variable, or one parameter. */
const isVariable = /^(?:!env \S+|param\.\S+)$/;

/** What there was, and what there is to be. */
interface Change {
  readonly old?: Json;
  readonly new?: Json;
}

/** Equal to nothing that is recorded or shown. */
const notCompared = '(secret, not compared)';

/** For values that are no field's: outputs, arguments. */
export const plainRule: ValueRule = { equality: 'exact', secret: false };

export function isSealed(value: Value | undefined): value is SealedSecret & JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$secret' in value;
}

/**
 * Values under one stack's key: how secrets are stored, shown and compared without being kept. Made once a run; nothing
 * else sees the key.
 */
export class Seals {
  /** Keyed digest that stands for a secret. */
  readonly fingerprint: (value: Json) => string;

  readonly #isUnderReview: boolean;

  /** `isUnderReview`: the files are somebody's proposal, and no comparison may answer what that says of a secret. */
  constructor(fingerprint: (value: Json) => string, isUnderReview = false) {
    this.fingerprint = fingerprint;
    this.#isUnderReview = isUnderReview;
  }

  /**
   * What a file says, as far as it may be compared with what is recorded. Under review a secret is as recorded where the words are the
   * same and say all; whatever else is said of a secret is another value, right guesses, too.
   */
  comparable(rule: ValueRule, declared: Value, recorded: Json | undefined): Value {
    if (!this.#isUnderReview || declared === null || hasUnknown(declared)) return declared;
    const isRecordedSecret = isSealed(recorded);
    if (!isRecordedSecret && !rule.secret && !hasSecret(declared)) return declared;
    if (isRecordedSecret && isSecret(declared) && isVariable.test(declared.expression)) {
      const { expression } = recorded.$secret;
      if (declared.expression === expression) return recorded;
    }
    return secret(notCompared, expressionOf(declared, rule.name));
  }

  /** How a value is stored and shown: plain JSON, or a sealed secret. A field with any secret part is sealed whole. */
  seal(rule: ValueRule, value: Value): Json {
    if (isSealed(value)) return value;
    if (!hasSecret(value) && (!rule.secret || value === null)) return reveal(value);
    return this.sealPlain(rule, reveal(value), expressionOf(value, rule.name));
  }

  sealPlain(rule: Comparison, value: Json, expression: string): Json {
    return { $secret: { expression, fingerprint: this.fingerprint(normalForm(rule, value) ?? null) } };
  }

  /** What a plan shows: sealed secrets, `{"$unknown": […]}` for what is known only after apply, else JSON. */
  planValue(rule: ValueRule, value: Value): Json {
    if (hasUnknown(value)) return { $unknown: unknownSources(value) };
    if (!hasSecret(value) && !rule.secret) return shownForm(rule, reveal(value));
    return this.seal(rule, this.comparable(rule, value, undefined));
  }

  /**
   * A change as it leaves the program: the fingerprints of what is sealed are made anew for its place (one field of one address, in
   * one plan), so that nothing else can be compared with them. Under review they say nothing of the secrets at all.
   */
  told<T extends Change>(change: T, place: () => readonly string[]): T {
    const side = (name: keyof Change): Pick<Change, keyof Change> => {
      const value = change[name];
      if (!isSealed(value)) return {};
      const { expression, fingerprint } = value.$secret;
      const content = this.#isUnderReview ? `${name} ${expression}` : fingerprint;
      return { [name]: { $secret: { expression, fingerprint: this.fingerprint([...place(), content]) } } };
    };
    return isSealed(change.old) || isSealed(change.new) ? { ...change, ...side('old'), ...side('new') } : change;
  }

  /** Equality of a field's values of which either may be sealed. */
  same(rule: Comparison, a: Json | undefined, b: Json | undefined): boolean {
    if (!isSealed(a) && !isSealed(b)) return sameValue(rule, a, b);
    return a !== undefined && b !== undefined && this.#mark(rule, a) === this.#mark(rule, b);
  }

  #mark(rule: Comparison, value: Json): string {
    return isSealed(value) ? value.$secret.fingerprint : this.fingerprint(normalForm(rule, value) ?? null);
  }

  /** Seals the fields of an answer that the catalogue declares as secret; `declared` may hold sealed or live values. */
  sealObject(type: ResourceType, values: JsonObject, declared: ValueObject | JsonObject): JsonObject {
    // Where nothing declared is secret, nothing that the platform makes out of it is, either.
    const isOpen = Object.values(declared).every((value) => secretExpression(value) === undefined);
    if (isOpen && !Object.keys(values).some((name) => type.fields[name]?.secret)) return values;
    const result: Record<string, Json> = {};
    for (const [name, value] of Object.entries(values)) {
      const rule = type.fields[name];
      const source = declared[name];
      const expression = source === undefined ? derivedSecret(type, name, declared) : secretExpression(source);
      const secretField = expression ?? (rule?.secret === true ? name : undefined);
      result[name] =
        rule === undefined || secretField === undefined || isSealed(value)
          ? value
          : this.sealPlain(rule, value, secretField);
    }
    return result;
  }
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
  const entries = Object.entries(declared);
  const secrets = entries.flatMap(([name, value]) => {
    const expression = secretExpression(value);
    return expression === undefined ? [] : [{ name, expression }];
  });
  if (secrets.length === 0) return undefined;
  // What the value is made of can be seen without the secrets themselves: it changes when they come in.
  const open = Object.fromEntries(
    entries.filter(([, value]) => !hasUnknown(value) && secretExpression(value) === undefined),
  ) as JsonObject;
  const before = type.derive(open)[field];
  return secrets.find(({ name }) => type.derive({ ...open, [name]: 'a' })[field] !== before)?.expression;
}

/** The catalogue's words for a value that is sealed or has a secret part; undefined for one without. */
export function secretExpression(value: Value): string | undefined {
  if (isSealed(value)) return value.$secret.expression;
  return hasSecret(value) ? expressionOf(value) : undefined;
}

/** The catalogue's words for a value with secret parts. */
function expressionOf(value: Value, otherwise = '(secret)'): string {
  if (isSecret(value)) return value.expression;
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isSecret(part)) found.add(part.expression);
    else if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return found.size === 0 ? otherwise : [...found].sort().join(', ');
}
