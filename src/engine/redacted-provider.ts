import { defined } from './model/defined.js';
import type { Listing, Provider, RemoteObject } from './model/provider.js';
import { ProviderError } from './model/provider.js';
import type { Redactor } from './model/redactor.js';
import type { ResourceType } from './model/resource-type.js';

/** Every call of a provider: a new one that nobody has thought of here does not compile. */
type ProviderCalls = {
  readonly [K in keyof Provider as Provider[K] extends (...call: never[]) => Promise<unknown> ? K : never]: Provider[K];
};

/**
 * A provider whose refusals have lost the run's secrets before anything is made of them (a plan is bound to what it says), and
 * whose secret answers are known from then on.
 */
export function redactedProvider(provider: Provider, redactor: Redactor): Provider {
  const told = async <T>(call: Promise<T>, note?: (answer: T) => void): Promise<T> => {
    try {
      const answer = await call;
      note?.(answer);
      return answer;
    } catch (error) {
      throw redactedError(error, redactor);
    }
  };
  const listed = async (call: Promise<Listing>): Promise<Listing> => {
    const listing = await told(call);
    const { rest } = listing;
    return rest === undefined ? listing : { ...listing, rest: () => listed(rest()) };
  };
  const noted = ({ fields }: ResourceType, call: Promise<RemoteObject>): Promise<RemoteObject> =>
    told(call, ({ values }) => {
      for (const name in values) {
        const value = values[name];
        if (typeof value === 'string' && fields[name]?.secret) redactor.add(value);
      }
    });
  const calls: ProviderCalls = {
    list: (...call) => listed(provider.list(...call)),
    read: (...call) => told(provider.read(...call)),
    readWriteOnly: (...call) => told(provider.readWriteOnly(...call)),
    find: (...call) => told(provider.find(...call)),
    create: (type, ...call) => noted(type, provider.create(type, ...call)),
    update: (type, ...call) => noted(type, provider.update(type, ...call)),
    delete: (...call) => told(provider.delete(...call)),
    lookup: (...call) => told(provider.lookup(...call)),
    close: () => told(provider.close()),
  };
  return { ...provider, ...calls };
}

export function redactedError(error: unknown, redactor: Redactor): unknown {
  if (error instanceof ProviderError) {
    const { kind, diagnostics, status, absence } = error;
    const details = defined({ status, absence });
    return new ProviderError(kind, redactor.diagnostics(diagnostics), details);
  }
  // The message of an AbortError is our own, and can't be written.
  if (error instanceof Error && !(error instanceof DOMException)) {
    error.message = redactor.text(error.message);
    if (error.stack !== undefined) error.stack = redactor.text(error.stack);
  }
  return error;
}
