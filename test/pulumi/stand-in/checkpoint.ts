import type { Members } from '../engine.js';

/** A resource in a stack's state. */
export interface Held {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id: string;
  readonly inputs: Members;
  readonly outputs: Members;
  /** Reference of its provider: `urn::id`; empty for the default one, and for what has none. */
  readonly provider: string;
  readonly dependencies: readonly string[];
  /** By property, the resources its value came from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Why it is not whole. */
  readonly initErrors: readonly string[];
}

const signature = '4dabf18193072939515e22adb298388d';

/** What an engine knows of a stack between two commands. */
export class Checkpoint {
  readonly resources = new Map<string, Held>();
  /** Objects that were replaced, and are to be deleted. */
  readonly leaving: Held[] = [];
  /** Creates that were begun, and of which nothing was heard. */
  readonly pending = new Set<string>();

  at(name: string): Held {
    const found = [...this.resources.values()].find(({ urn }) => urn.endsWith(`::${name}`));
    if (found === undefined) throw new Error(`no ${name} in the stack`);
    return found;
  }

  put(held: Held): void {
    this.resources.set(held.urn, held);
    this.pending.delete(held.urn);
  }

  /** As `pulumi stack export` gives it: what is marked as secret is encrypted, what is not stands there in clear. */
  export(): string {
    const resources = [...this.resources.values(), ...this.leaving.map((held) => ({ ...held, delete: true }))];
    const deployment = { resources: resources.map(sealed), pending_operations: [...this.pending] };
    return JSON.stringify({ version: 3, deployment }, undefined, 2);
  }

  /** Those that depend on a resource, directly or not, in the order in which they were made. */
  dependantsOf(urn: string): readonly Held[] {
    const found = new Set([urn]);
    return [...this.resources.values()].filter((held) => {
      const depends = held.dependencies.some((each) => found.has(each)) || held.provider.startsWith(`${urn}::`);
      if (depends) found.add(held.urn);
      return depends;
    });
  }
}

function sealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sealed);
  if (typeof value !== 'object' || value === null) return value;
  if (signature in value) return { [signature]: value[signature], ciphertext: '…' };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sealed(member)]));
}
