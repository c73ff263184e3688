import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import type { DesiredResource, DesiredState } from '../model/desired.js';
import type { Expression } from '../model/expression.js';
import { unknown } from '../model/value.js';
import type { JsonObject, Value } from '../model/value.js';
import type { Proposal } from '../plan/proposal.js';
import { evaluate, lookupKey, variableScope } from '../resolve/evaluate.js';
import type { EvaluationScope } from '../resolve/evaluate.js';

/** A resource whose object is as the catalogue says: what references to it see during apply. */
interface SettledResource {
  readonly id: string;
  readonly declared: ReadonlyMap<string, Value>;
  readonly outputs: JsonObject;
}

/** Values while applying: grows with every operation that is done. */
export class SettledValues {
  readonly #resources = new Map<Address, SettledResource>();
  readonly #lookups = new Map<string, Promise<JsonObject>>();
  readonly #results = new Map<string, JsonObject>();
  readonly #desired: DesiredState;
  readonly #runLookup: (token: string, args: JsonObject) => Promise<JsonObject>;

  constructor(
    desired: DesiredState,
    proposals: ReadonlyMap<Address, Proposal>,
    runLookup: (token: string, args: JsonObject) => Promise<JsonObject>,
  ) {
    this.#desired = desired;
    this.#runLookup = runLookup;
    for (const proposal of proposals.values()) {
      const isSettled = proposal.action === 'none' || proposal.action === 'move' || proposal.action === 'not-compared';
      const id = proposal.actual?.identity.id ?? proposal.recorded?.identity.id;
      if (!isSettled || id === undefined) continue;
      const outputs = proposal.actual?.values ?? proposal.recorded?.outputs ?? {};
      this.#resources.set(proposal.address, { id, declared: proposal.declared, outputs });
    }
  }

  settle(address: Address, id: string, declared: ReadonlyMap<string, Value>, outputs: JsonObject): void {
    this.#resources.set(address, { id, declared, outputs });
  }

  /** All declared properties with what is known now; lookups that became possible are called. */
  async properties(resource: DesiredResource): Promise<ReadonlyMap<string, Value>> {
    const values = new Map<string, Value>();
    for (const [name, expression] of resource.properties) {
      const value = await this.value(expression);
      if (value !== null) values.set(name, value);
    }
    return values;
  }

  async value(expression: Expression): Promise<Value> {
    for (;;) {
      const missing = new Map<string, { token: string; args: JsonObject }>();
      const value = evaluate(expression, this.#scope(missing));
      if (missing.size === 0) return value;
      await Promise.all([...missing].map(([key, call]) => this.#lookup(key, call.token, call.args)));
    }
  }

  async #lookup(key: string, token: string, args: JsonObject): Promise<void> {
    const running = this.#lookups.get(key) ?? this.#runLookup(token, args);
    this.#lookups.set(key, running);
    this.#results.set(key, await running);
  }

  #scope(missing: Map<string, { token: string; args: JsonObject }>): EvaluationScope {
    const scope: EvaluationScope = {
      property: (address, name, text) => {
        const resource = this.#resources.get(address);
        if (resource === undefined) return unknown([text]);
        if (name === 'id') return resource.id;
        return resource.declared.get(name) ?? resource.outputs[name] ?? null;
      },
      variable: variableScope(this.#desired.variables, () => scope),
      lookup: (token, args) => {
        const key = lookupKey(token, args, canonicalJson);
        const result = this.#results.get(key);
        if (result !== undefined) return result;
        missing.set(key, { token, args });
        return unknown([`lookup ${token}`]);
      },
    };
    return scope;
  }
}
