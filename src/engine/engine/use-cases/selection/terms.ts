import type { SelectionOptions } from '../../api.js';
import { reach, reversed } from '@platform-sync/core/model/graph';
import { compareText, type Address } from '@platform-sync/core/model/address';
import { pathPattern, patternOf } from '@platform-sync/core/model/pattern';
import { isObject, type Json } from '@platform-sync/core/model/value';

/** What terms choose from. */
export interface Choosable {
  /** Sorted. */
  readonly addresses: readonly Address[];
  /** Full type token. */
  readonly typeOf: (address: Address) => string;
  /** Undefined for a field that it does not have, and for a secret: a pattern tried on one would tell what it is. */
  readonly valueOf: (address: Address, field: string) => Json | undefined;
  readonly needsOf: (address: Address) => readonly Address[];
}

/** What changed since each commit that terms name (`changed:REF`). */
type Changed = ReadonlyMap<string, ReadonlySet<Address>>;

const dependents = 'dependents:';
const ofType = 'type:';
const since = 'changed:';

/** True for what is no plain address: none has one of these characters. */
export function isTerm(text: string): boolean {
  return /[*:=]/.test(text);
}

/** The commit that a term compares with. */
export function commitOf(term: string): string | undefined {
  if (term.startsWith(dependents)) return commitOf(term.slice(dependents.length));
  return term.startsWith(since) ? term.slice(since.length) : undefined;
}

/**
 * Terms as the addresses they stand for: patterns (`payments/**`), `type:Api`, fields (`labels.team=payments`),
 * `dependents:petstore`, `changed:origin/main`. A term that stands for nothing stays as it is.
 */
export function expandTerms(
  terms: Required<SelectionOptions>,
  choice: Choosable,
  changed: Changed,
): Required<SelectionOptions> {
  const selector = new Selector(choice, changed);
  return { targets: selector.expand(terms.targets), excludes: selector.expand(terms.excludes) };
}

class Selector {
  readonly #choice: Choosable;
  readonly #changed: Changed;
  #users: ReadonlyMap<Address, readonly Address[]> | undefined;

  constructor(choice: Choosable, changed: Changed) {
    this.#choice = choice;
    this.#changed = changed;
  }

  expand(terms: readonly string[]): readonly Address[] {
    return [
      ...new Set(
        terms.flatMap((term) => {
          if (!isTerm(term)) return [term];
          const found = this.#standsFor(term);
          return found.length === 0 ? [term] : found;
        }),
      ),
    ];
  }

  #standsFor(term: string): readonly Address[] {
    const { addresses, typeOf } = this.#choice;
    if (term.startsWith(dependents)) return this.#withUsers(this.expand([term.slice(dependents.length)]));
    if (term.startsWith(since)) {
      const changed = this.#changed.get(term.slice(since.length));
      return addresses.filter((address) => changed?.has(address) === true);
    }
    if (term.startsWith(ofType)) return addresses.filter((address) => isType(typeOf(address), term));
    if (term.includes('=')) return this.#withField(term);
    const form = pathPattern(term);
    return addresses.filter((address) => form.test(address));
  }

  /** `FIELD=PATTERN`, `FIELD.KEY=PATTERN` and `TYPE.FIELD=PATTERN`, as `sync export --filter` takes them. */
  #withField(term: string): readonly Address[] {
    const equals = term.indexOf('=');
    const form = patternOf(term.slice(equals + 1));
    const [first = '', ...rest] = term.slice(0, equals).split('.');
    const isTyped = /^[A-Z]/.test(first);
    const [field = '', ...keys] = isTyped ? rest : [first, ...rest];
    return this.#choice.addresses.filter((address) => {
      if (isTyped && !isType(this.#choice.typeOf(address), `${ofType}${first}`)) return false;
      const value = partOf(this.#choice.valueOf(address, field), keys.join('.'));
      return (
        (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
        form.test(String(value))
      );
    });
  }

  /** They, and whatever needs them. */
  #withUsers(addresses: readonly Address[]): readonly Address[] {
    const named = addresses.filter((address) => !isTerm(address));
    return [...reach(named, (address) => this.#usersOf(address))].sort(compareText);
  }

  #usersOf(address: Address): readonly Address[] {
    this.#users ??= reversed(this.#choice.addresses, this.#choice.needsOf);
    return this.#users.get(address) ?? [];
  }
}

/** `type:Api`, `type:platform:Api`, or the full token. */
function isType(token: string, term: string): boolean {
  const wanted = term.slice(ofType.length);
  const [provider = '', , name = ''] = token.split(':');
  return wanted === token || wanted === name || wanted === `${provider}:${name}`;
}

function partOf(value: Json | undefined, key: string): Json | undefined {
  if (key === '') return value;
  return value !== undefined && isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
