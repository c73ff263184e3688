import { Connection } from './connection.js';
import type { ProviderOptions } from './provider-options.js';
import type { Input } from './types.js';

const connections = new WeakMap<object, Connection>();

/** A provider with settings of its own. Starts with its first call; calls the same lookup with the same arguments once. */
export abstract class ProviderInstance<Name extends string, Settings extends object> {
  readonly name: Name;

  constructor(name: Name, settings: Input<Settings>, options: ProviderOptions) {
    this.name = name;
    connections.set(this, new Connection(name, settings, options));
  }

  /** Ends its connections. It can't be used afterwards. A program that does not call it ends all the same. */
  close(): Promise<void> {
    return connectionOf(this).close();
  }
}

export type AnyProvider = ProviderInstance<string, object>;

/** Kept apart from the instance, so that what it was told is not among the members that a log shows. */
export function connectionOf(instance: AnyProvider): Connection {
  const connection = connections.get(instance);
  if (connection === undefined) throw new TypeError('options.provider must be an instance of a provider class.');
  return connection;
}

const defaults = new Map<string, AnyProvider>();

/** The instance that is used when none is named; made on first use, and again after it was closed. */
export function defaultInstance<Instance extends AnyProvider>(name: string, make: () => Instance): Instance {
  const known = defaults.get(name);
  if (known !== undefined && !connectionOf(known).closed) return known as Instance;
  const made = make();
  defaults.set(name, made);
  return made;
}
