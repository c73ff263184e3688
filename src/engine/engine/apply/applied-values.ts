import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { type Expression, type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { Redactor } from '@platform-sync/core/model/redactor';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { unknown, type JsonObject, type Value } from '@platform-sync/core/model/value';
import type { ApplyContext } from './context.js';
import { shownOf, shownValue } from '../plan/shown-value.js';
import { withRepeats } from '@platform-sync/core/value/secret-parts';
import { evaluate, lookupKey, variableScope, type EvaluationScope } from '@platform-sync/core/resolve/evaluate';
import { lookupFailure, type LookupCall } from '@platform-sync/core/resolve/lookup-call';

/** A resource whose object is as the catalogue says: what references to it see during apply. */
interface AppliedResource {
  readonly type: ResourceType;
  /** Undefined: there is none that anybody knows of, and what the file says of it is all that is known. */
  readonly id: string | undefined;
  readonly declared: ReadonlyMap<string, Value>;
  readonly outputs: JsonObject;
}

type AppliedFrom = Pick<ApplyContext, 'desired' | 'graph' | 'steps' | 'lookups' | 'signal' | 'redactor' | 'seals'>;

/** Addresses that resources need, or that variables and outputs refer to. */
function referencedIn(
  { variables, outputs }: Pick<DesiredState, 'variables' | 'outputs'>,
  graph: ApplyContext['graph'],
): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const needed of graph.values()) for (const address of needed) found.add(address);
  const reference = ({ to, target }: ReferenceExpression): void => {
    if (to === 'resource') found.add(target);
  };
  for (const named of [variables, outputs])
    for (const expression of named.values()) visitExpression(expression, { reference });
  return found;
}

/** Values while applying: grows with every operation that is done. */
export class AppliedValues {
  readonly #resources = new Map<Address, AppliedResource>();
  readonly #lookups = new Map<string, Promise<JsonObject>>();
  readonly #results = new Map<string, JsonObject>();
  /** Lookups that the last evaluation would have needed, by key. */
  readonly #missing = new Map<string, LookupCall>();
  readonly #scope: EvaluationScope;
  readonly #desired: DesiredState;
  readonly #redactor: Redactor;
  readonly #steps: AppliedFrom['steps'];
  readonly #runLookup: (call: LookupCall) => Promise<JsonObject>;

  /** What is asked for at all; of everything else nothing is kept. */
  readonly #asked: ReadonlySet<Address>;

  constructor({ desired, graph, steps, lookups, signal, redactor, seals }: AppliedFrom) {
    this.#redactor = redactor;
    this.#steps = steps;
    this.#desired = desired;
    this.#runLookup = lookups(signal);
    this.#asked = referencedIn(desired, graph);
    this.#scope = this.#scopeOf(desired, seals);
    for (const step of steps.values()) {
      const { action, address, type, declared, actual, recorded } = step;
      const isAsDeclared = ['none', 'move', 'options', 'not-compared'].includes(action);
      const id = actual?.identity.id ?? recorded?.identity.id;
      if (!isAsDeclared) continue;
      this.add(address, { type, id, declared, outputs: shownOf(step) });
    }
  }

  /** True where anything refers to the resource: nothing else need be kept of it. */
  isAsked(address: Address): boolean {
    return this.#asked.has(address);
  }

  add(address: Address, resource: AppliedResource): void {
    if (this.isAsked(address)) this.#resources.set(address, resource);
  }

  /** All declared properties with what is known now; lookups that became possible are called. */
  async properties(resource: DesiredResource): Promise<ReadonlyMap<string, Value>> {
    const values = new Map<string, Value>();
    for (const [name, expression] of resource.properties) {
      values.set(name, this.#known(expression) ?? (await this.value(expression)));
    }
    return values;
  }

  async value(expression: Expression): Promise<Value> {
    for (;;) {
      const value = this.#known(expression);
      if (value !== undefined) return value;
      const missing = [...this.#missing];
      for (const [, call] of missing) this.#redactor.addValue(call.given);
      await Promise.all(missing.map(([key, call]) => this.#lookup(key, call)));
    }
  }

  /** Undefined when lookups have to be called before. */
  #known(expression: Expression): Value | undefined {
    if (expression.kind === 'literal') return expression.value;
    this.#missing.clear();
    const value = evaluate(expression, this.#scope);
    if (this.#missing.size > 0) return undefined;
    this.#redactor.addValue(value);
    return value;
  }

  async #lookup(key: string, call: LookupCall): Promise<void> {
    const running = this.#lookups.get(key) ?? this.#runLookup(call);
    this.#lookups.set(key, running);
    try {
      this.#results.set(key, await running);
    } catch (error) {
      throw lookupFailure(error, call, this.#desired.sources);
    }
  }

  #scopeOf({ variables }: DesiredState, seals: ApplyContext['seals']): EvaluationScope {
    const scope: EvaluationScope = {
      property: (address, name, text) => {
        const resource = this.#resources.get(address);
        if (resource === undefined) return unknown([text]);
        if (name === 'id') return resource.id ?? unknown([text]);
        const declared = resource.declared.get(name);
        if (declared !== undefined && declared !== null) return declared;
        if (resource.id === undefined) return unknown([text]);
        const recorded = this.#steps.get(address)?.recorded;
        return shownValue({ ...resource, recorded, shown: resource.outputs }, name, text, seals);
      },
      variable: variableScope(variables, () => scope),
      lookup: (call) => {
        const key = lookupKey(call.token, call.args, canonicalJson);
        const result = this.#results.get(key);
        if (result !== undefined)
          return withRepeats(result, (text) => this.#redactor.isIn(text), `!lookup ${call.token}`);
        this.#missing.set(key, call);
        return unknown([`lookup ${call.token}`]);
      },
    };
    return scope;
  }
}
