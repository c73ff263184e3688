import type { SelectionOptions } from '../../api.js';
import { type Address, compareText } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { nearest } from '@platform-sync/core/model/nearest';
import type { Workspace } from '../../workspace.js';
import { reach, reversed } from '@platform-sync/core/model/graph';
import { pathPattern, patternOf } from '@platform-sync/core/model/pattern';
import { isObject, type Json } from '@platform-sync/core/model/value';
import { knownValue } from '@platform-sync/catalogue/build/known-value';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { writtenSecrets } from '@platform-sync/core/resolve/evaluate';

/** The addresses that terms stand for. Rejects with DiagnosticError where one stands for nothing, or a commit is not known. */
export async function selected(
  terms: SelectionOptions,
  choice: Choosable,
  changedSince: (commit: string) => Promise<ReadonlySet<Address>>,
): Promise<Required<SelectionOptions>> {
  const { targets = [], excludes = [] } = terms;
  const all = [...targets, ...excludes];
  if (all.length === 0) return { targets, excludes };
  const changed = new Map<string, ReadonlySet<Address>>();
  for (const commit of new Set(all.map(commitOf).filter((found) => found !== undefined)))
    changed.set(commit, await changedSince(commit));
  const expanded = all.some(isTerm) ? expandTerms({ targets, excludes }, choice, changed) : { targets, excludes };
  const known = new Set(choice.addresses);
  const problems = unknownAddresses(
    [...expanded.targets, ...expanded.excludes],
    (address) => known.has(address),
    new Set(choice.addresses.map(choice.typeOf)),
  );
  if (problems.length > 0) throw new DiagnosticError(problems);
  return expanded;
}

/** `changed:REF`: only who says it pays for the code that knows. */
export function sinceCommit(
  workspace: Workspace,
  desired: DesiredState,
): (commit: string) => Promise<ReadonlySet<Address>> {
  return async (commit) => (await import('./changed.js')).changedSince(workspace, desired, commit);
}

/** Addresses on the command line that nothing has. That nothing changed since a commit is no mistake. */
export function unknownAddresses(
  addresses: readonly string[],
  isKnown: (address: Address) => boolean,
  types: Iterable<string> = [],
): readonly Diagnostic[] {
  return [...new Set(addresses)]
    .filter((address) => !isKnown(address) && commitOf(address) === undefined)
    .map((address) => ({
      severity: 'error',
      code: 'unknown-address',
      summary: isTerm(address)
        ? `No resource matches ${address}, neither in the catalogue nor in state.`
        : `There is no resource ${address}, neither in the catalogue nor in state.`,
      hint: hintFor(address, types),
    }));
}

function hintFor(address: string, types: Iterable<string>): string {
  const [, type] = /^type:(.+)$/.exec(address) ?? [];
  const names = [...types].map((token) => token.slice(token.lastIndexOf(':') + 1));
  const meant = type === undefined ? undefined : nearest(type.slice(type.lastIndexOf(':') + 1), names);
  if (meant !== undefined) return `Did you mean type:${meant}?`;
  return 'An address is petstore, or petstore/guide for a nested resource. Those of state: sync state list';
}

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
function isTerm(text: string): boolean {
  return /[*:=]/.test(text);
}

/** The commit that a term compares with. */
function commitOf(term: string): string | undefined {
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

type Recorded = ReadonlyMap<Address, RecordedResource>;

/** The catalogue, and what is recorded of the rest. */
export function catalogueChoice(desired: DesiredState, recorded: Recorded): Choosable {
  let addresses: readonly Address[] | undefined;
  let graph: ReadonlyMap<Address, readonly Address[]> | undefined;
  let open: DesiredState['variables'] | undefined;
  return {
    // Most commands choose nothing.
    get addresses() {
      return (addresses ??= [...new Set([...desired.resources.keys(), ...recorded.keys()])].sort());
    },
    typeOf: (address) => desired.resources.get(address)?.type ?? recorded.get(address)?.type ?? '',
    valueOf: (address, field) => {
      const resource = desired.resources.get(address);
      if (resource === undefined) return recorded.get(address)?.inputs[field];
      const expression = resource.properties.get(field);
      if (expression === undefined || writtenSecrets(expression).length > 0) return undefined;
      open ??= new Map([...desired.variables].filter(([, each]) => writtenSecrets(each).length === 0));
      return knownValue(expression, { variables: open, unusable: new Set(), broken: new WeakSet() }, []);
    },
    needsOf: (address) => {
      graph ??= dependencyGraph(desired);
      return graph.get(address) ?? recorded.get(address)?.dependencies ?? [];
    },
  };
}

/** What is recorded alone, for work that never looks at the files. */
export function recordedChoice(recorded: Recorded): Choosable {
  return {
    addresses: [...recorded.keys()].sort(compareText),
    typeOf: (address) => recorded.get(address)?.type ?? '',
    valueOf: (address, field) => recorded.get(address)?.inputs[field],
    needsOf: (address) => recorded.get(address)?.dependencies ?? [],
  };
}
