import type { PlanOptions } from '../api.js';
import { knownValue } from '../catalogue/build/known-value.js';
import { compareText, type Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import { patternOf } from '../model/pattern.js';
import type { RecordedResource } from '../model/state.js';
import { isObject, type Json } from '../model/value.js';
import { dependencyGraph } from '../resolve/graph.js';
import { writtenSecrets } from '../resolve/written-secrets.js';

/** What terms choose from: the catalogue, and what is recorded of the rest. */
export interface Choice {
  readonly desired: DesiredState;
  readonly recorded: ReadonlyMap<Address, RecordedResource>;
}

/**
 * Options in which terms are the addresses they stand for: patterns (`payments/**`), `type:Api`, fields (`labels.team=payments`) and
 * `dependents:petstore`. A term that stands for nothing stays as it is.
 */
export function withAddresses(options: PlanOptions, choice: Choice): PlanOptions {
  const { targets = [], excludes = [] } = options;
  if (![...targets, ...excludes].some(isTerm)) return options;
  const selector = new Selector(choice);
  return { ...options, targets: selector.expand(targets), excludes: selector.expand(excludes) };
}

/** True for what is no plain address: none has one of these characters. */
export function isTerm(text: string): boolean {
  return /[*:=]/.test(text);
}

const dependents = 'dependents:';
const ofType = 'type:';

class Selector {
  readonly #choice: Choice;
  readonly #addresses: readonly Address[];
  /** Variables without secrets. */
  #open: DesiredState['variables'] | undefined;
  #users: ReadonlyMap<Address, readonly Address[]> | undefined;

  constructor(choice: Choice) {
    this.#choice = choice;
    this.#addresses = [...new Set([...choice.desired.resources.keys(), ...choice.recorded.keys()])].sort(compareText);
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
    if (term.startsWith(dependents)) return this.#withUsers(this.expand([term.slice(dependents.length)]));
    if (term.startsWith(ofType)) return this.#addresses.filter((address) => isType(this.#typeOf(address), term));
    if (term.includes('=')) return this.#withField(term);
    const form = patternOf(term, (run) => (run === '*' ? '[^/]*' : '.*'));
    return this.#addresses.filter((address) => form.test(address));
  }

  #typeOf(address: Address): string {
    return this.#choice.desired.resources.get(address)?.type ?? this.#choice.recorded.get(address)?.type ?? '';
  }

  /** `FIELD=PATTERN`, `FIELD.KEY=PATTERN` and `TYPE.FIELD=PATTERN`, as `sync export --filter` takes them. */
  #withField(term: string): readonly Address[] {
    const equals = term.indexOf('=');
    const form = patternOf(term.slice(equals + 1));
    const [first = '', ...rest] = term.slice(0, equals).split('.');
    const isTyped = /^[A-Z]/.test(first);
    const [field = '', ...keys] = isTyped ? rest : [first, ...rest];
    return this.#addresses.filter((address) => {
      if (isTyped && !isType(this.#typeOf(address), `${ofType}${first}`)) return false;
      const value = partOf(this.#valueOf(address, field), keys.join('.'));
      return (
        (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
        form.test(String(value))
      );
    });
  }

  /** What the catalogue says, as far as it is known before anything is read; of what it no longer has, what is recorded. */
  #valueOf(address: Address, field: string): Json | undefined {
    const { desired, recorded } = this.#choice;
    const resource = desired.resources.get(address);
    if (resource === undefined) return recorded.get(address)?.inputs[field];
    const expression = resource.properties.get(field);
    if (expression === undefined || writtenSecrets(expression).length > 0) return undefined;
    // A pattern tried on a secret would tell what it is.
    this.#open ??= new Map([...desired.variables].filter(([, each]) => writtenSecrets(each).length === 0));
    return knownValue(expression, { variables: this.#open, unusable: new Set(), broken: new WeakSet() }, []);
  }

  /** They, and whatever needs them, in the catalogue or in state. */
  #withUsers(addresses: readonly Address[]): readonly Address[] {
    const reached = new Set(addresses);
    for (const address of reached) for (const user of this.#usersOf(address)) reached.add(user);
    return [...reached].sort(compareText);
  }

  #usersOf(address: Address): readonly Address[] {
    if (this.#users === undefined) {
      const users = new Map<Address, Address[]>();
      const graph = dependencyGraph(this.#choice.desired);
      for (const user of this.#addresses)
        for (const needed of graph.get(user) ?? this.#choice.recorded.get(user)?.dependencies ?? []) {
          const known = users.get(needed);
          if (known === undefined) users.set(needed, [user]);
          else known.push(user);
        }
      this.#users = users;
    }
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
