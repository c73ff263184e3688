import {
  defined,
  hasSecret,
  hasUnknown,
  isList,
  isObject,
  isSecret,
  type Json,
  type JsonObject,
  reveal,
  secret,
  unknownSources,
  type Value,
  type ValueObject,
} from '../model/value.js';
import { mayHoldSecret, type ResourceType } from '../model/resource-type.js';
import { normalForm, sameValue, shownForm, type Comparison } from './equality.js';
import { memberSchema } from './format-form.js';
import {
  expressionOf,
  hasSealed,
  isSealed,
  isSealedByParts,
  type SecrecyRule,
  secretExpression,
  type SecretPart,
  withRepeats,
  withSealedParts,
  withSecretParts,
} from './secret-parts.js';

export { isSealed, secretExpression } from './secret-parts.js';

/** What of a field's rule decides how its values are compared and hidden; `name` stands for a secret that the catalogue says openly. */
export type ValueRule = Comparison & SecrecyRule;

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

/**
 * Values under one stack's key: how secrets are stored, shown and compared without being kept. Made once a run; nothing
 * else sees the key.
 */
export class Seals {
  /** Keyed digest that stands for a secret. */
  readonly fingerprint: (value: Json) => string;

  readonly #isUnderReview: boolean;
  readonly #holdsKnown: (value: Json) => boolean;

  /**
   * `isUnderReview`: the files are somebody's proposal, and no comparison may answer what that says of a secret. `holdsKnown`: a
   * secret of this run stands in a value.
   */
  constructor(
    fingerprint: (value: Json) => string,
    isUnderReview = false,
    holdsKnown: (value: Json) => boolean = () => false,
  ) {
    this.fingerprint = fingerprint;
    this.#isUnderReview = isUnderReview;
    this.#holdsKnown = holdsKnown;
  }

  /**
   * True for an answer that repeats a secret of this run, unless the file says the same in clear, or said it when it was applied. Of a
   * record each member is judged by itself, and its name and what is sealed already are no repeats.
   */
  repeatsSecret(value: Json, ...said: readonly (Value | undefined)[]): boolean {
    if (isSealed(value) || !this.#holdsKnown(value)) return false;
    if (said.some((each) => each !== undefined && this.#isSaid(each, value))) return false;
    const records = said.flatMap((each) => (isObject(each) && !isSealed(each) ? [each] : []));
    if (!isObject(value) || records.length === 0) return true;
    const isNew = (key: string): boolean => !records.some((each) => Object.hasOwn(each, key));
    return Object.entries(value).some(
      ([key, member]) =>
        (isNew(key) && this.#holdsKnown(key)) || this.repeatsSecret(member, ...records.map((each) => each[key])),
    );
  }

  /** What a lookup answered, with what repeats a secret as one. */
  answer(value: Json, expression: string): Value {
    return withRepeats(value, this.#holdsKnown, expression);
  }

  #isSaid(declared: Value, value: Json): boolean {
    if (hasUnknown(declared) || hasSecret(declared) || hasSealed(declared)) return false;
    return sameValue({ equality: 'exact' }, reveal(declared), value);
  }

  /**
   * What a file says, as far as it may be compared with what is recorded. Under review a secret is as recorded where the words are the
   * same and say all; whatever else is said of a secret is another value, right guesses, too.
   */
  comparable(rule: ValueRule, declared: Value, recorded: Json | undefined): Value {
    if (!this.#isUnderReview || declared === null || hasUnknown(declared)) return declared;
    if (isSealedByParts(rule) && !isSealed(recorded))
      return withSecretParts(
        rule,
        declared,
        [recorded],
        (part) => asRecorded(part) ?? secret(notCompared, part.expression),
      );
    const isRecordedSecret = isSealed(recorded);
    if (!isRecordedSecret && !rule.secret && !hasSecret(declared)) return declared;
    if (isRecordedSecret && isSecret(declared) && isVariable.test(declared.expression)) {
      const { expression } = recorded.$secret;
      if (declared.expression === expression) return recorded;
    }
    return secret(notCompared, expressionOf(declared, rule.name));
  }

  /**
   * How a value is stored and shown: plain JSON, or a sealed secret. Of a record the secret parts are sealed, of any other field with
   * one the whole. `like`: other values of the field; what is secret in them is secret here.
   */
  seal(rule: ValueRule, value: Value, like: readonly (Value | undefined)[] = []): Json {
    if (isSealed(value)) return value;
    if (isSealedByParts(rule))
      return reveal(
        withSecretParts(rule, value, like, ({ value: part, expression, schema }) =>
          this.sealPlain({ equality: rule.equality, ...defined({ schema }) }, reveal(part), expression),
        ),
      );
    if (!hasSecret(value) && (!rule.secret || value === null)) return reveal(value);
    return this.sealPlain(rule, reveal(value), expressionOf(value, rule.name));
  }

  /** What stands for a value that nobody knows. */
  unlike({ name }: { readonly name: string }): Json {
    return this.sealPlain({ equality: 'exact' }, notCompared, name);
  }

  sealPlain(rule: Comparison, value: Json, expression: string): Json {
    return { $secret: { expression, fingerprint: this.fingerprint(normalForm(rule, value) ?? null) } };
  }

  /** What a plan shows: sealed secrets, `{"$unknown": […]}` for what is known only after apply, else JSON. */
  planValue(rule: ValueRule, value: Value, like: readonly (Value | undefined)[] = []): Json {
    if (hasUnknown(value)) return { $unknown: unknownSources(value) };
    if (isSealedByParts(rule)) return this.seal(rule, this.comparable(rule, value, undefined), like);
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
      if (value === undefined || !hasSealed(value)) return {};
      const told = withSealedParts(value, ({ $secret: { expression, fingerprint } }) => {
        const content = this.#isUnderReview ? `${name} ${expression}` : fingerprint;
        return { $secret: { expression, fingerprint: this.fingerprint([...place(), content]) } };
      });
      return { [name]: told };
    };
    return hasSealed(change.old) || hasSealed(change.new) ? { ...change, ...side('old'), ...side('new') } : change;
  }

  /** What is told and kept of an output of the stack. Under review its text is a proposal's own: hiding a right guess would confirm it. */
  output(value: Value): Json {
    if (hasUnknown(value) || hasSecret(value)) return this.planValue(plainRule, value);
    const plain = reveal(value);
    return !this.#isUnderReview && this.#holdsKnown(plain) ? this.sealPlain(plainRule, plain, '(secret)') : plain;
  }

  /** Equality of a field's values of which either may be sealed. */
  same(rule: Comparison, a: Json | undefined, b: Json | undefined): boolean {
    if (!isSealed(a) && !isSealed(b)) {
      if (rule.equality !== 'record' || !(hasSealed(a) || hasSealed(b))) return sameValue(rule, a, b);
      const [left, right] = this.#marked(rule.schema, a, b);
      return sameValue(rule, left, right);
    }
    return a !== undefined && b !== undefined && this.#mark(rule, a) === this.#mark(rule, b);
  }

  #mark(rule: Comparison, value: Json): string {
    return isSealed(value) ? value.$secret.fingerprint : this.fingerprint(normalForm(rule, value) ?? null);
  }

  /** Two records with marks in the place of what is sealed in either. */
  #marked(
    schema: JsonObject | undefined,
    a: Json | undefined,
    b: Json | undefined,
  ): readonly [Json | undefined, Json | undefined] {
    if (isSealed(a) || isSealed(b)) {
      const rule = { equality: 'record', ...defined({ schema }) } as const;
      const mark = (side: Json | undefined): Json | undefined =>
        side === undefined || side === null ? side : { $secret: this.#mark(rule, side) };
      return [mark(a), mark(b)];
    }
    if (isList(a) && isList(b) && a.length === b.length) {
      const items = schema?.['items'];
      const inner = isObject(items) ? items : undefined;
      const pairs = a.map((item, at) => this.#marked(inner, item, b[at]));
      return [pairs.map(([left]) => left ?? null), pairs.map(([, right]) => right ?? null)];
    }
    if (!isObject(a) || !isObject(b)) return [a, b];
    const pairs = [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => {
      const inner = schema === undefined ? undefined : memberSchema(schema, key);
      return [key, ...this.#marked(inner, a[key], b[key])] as const;
    });
    const side = (at: 1 | 2): JsonObject =>
      Object.fromEntries(
        pairs.flatMap((pair): [string, Json][] => (pair[at] === undefined ? [] : [[pair[0], pair[at]]])),
      );
    return [side(1), side(2)];
  }

  /** Seals the fields of an answer that the catalogue declares as secret; `declared` may hold sealed or live values. */
  sealObject(type: ResourceType, values: JsonObject, declared: ValueObject | JsonObject): JsonObject {
    // Where nothing declared is secret, nothing that the platform makes out of it is, either; but it may repeat what it knows.
    const isOpen = Object.values(declared).every((value) => secretExpression(value) === undefined);
    const mayHold = ([name, value]: readonly [string, Json]): boolean =>
      mayHoldSecret(type.fields[name]) || this.repeatsSecret(value, declared[name]);
    if (isOpen && !Object.entries(values).some(mayHold)) return values;
    const result = new Map<string, Json>();
    for (const [name, value] of Object.entries(values)) {
      const rule = type.fields[name];
      const source = declared[name];
      const expression = source === undefined ? derivedSecret(type, name, declared) : secretExpression(source);
      const secretField = expression ?? (rule?.secret === true ? name : undefined);
      const isByParts =
        rule !== undefined && isSealedByParts(rule) && (source !== undefined || expression === undefined);
      const shown = isByParts ? this.seal(rule, value, [source]) : value;
      const words =
        isByParts || secretField === undefined ? (this.repeatsSecret(shown, source) ? name : undefined) : secretField;
      const isOpenHere = rule === undefined || words === undefined || isSealed(value);
      result.set(name, isOpenHere ? shown : this.sealPlain(rule, value, words));
    }
    return Object.fromEntries(result);
  }
}

/** What is recorded of a part, where the file says it in the same words, and these say all. */
function asRecorded({ value, like }: SecretPart): Value | undefined {
  if (!isSecret(value) || !isVariable.test(value.expression)) return undefined;
  return like.find((each) => isSealed(each) && each.$secret.expression === value.expression);
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
