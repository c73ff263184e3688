import { defined } from '@platform-sync/core/model/defined';
import { fieldsWhere } from '@platform-sync/core/model/fields-where';
import { type Listing, type Provider, type RemoteObject, ProviderError } from '@platform-sync/core/model/provider';
import type { Redactor } from '@platform-sync/core/model/redactor';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import { secret } from '@platform-sync/core/model/value';
import { withSecretParts } from '@platform-sync/core/value/secret-parts';

/** Every call of a provider: a new one that nobody has thought of here does not compile. */
type ProviderCalls = {
  readonly [K in keyof Provider as Provider[K] extends (...call: never[]) => Promise<unknown> ? K : never]: Provider[K];
};

const secretFields = fieldsWhere(mayHoldSecret);

/**
 * A provider whose refusals have lost the run's secrets before anything is made of them (a plan is bound to what it says), and
 * whose secret answers are known from then on.
 */
export function redactedProvider(provider: Provider, redactor: Redactor): Provider {
  const refuse = (error: unknown): never => {
    throw redactedError(error, redactor);
  };
  const told = <T>(call: Promise<T>): Promise<T> => call.catch(refuse);
  const listed = (call: Promise<Listing>): Promise<Listing> =>
    call.then((listing) => {
      const { rest } = listing;
      return rest === undefined ? listing : { ...listing, rest: () => listed(rest()) };
    }, refuse);
  const noted = (type: ResourceType, call: Promise<RemoteObject>): Promise<RemoteObject> =>
    call.then((object) => {
      for (const value of Object.values(object.shownOnce ?? {})) redactor.addValue(secret(value, 'shown once'));
      for (const rule of secretFields(type)) {
        const value = object.values[rule.name];
        if (typeof value === 'string') redactor.add(value);
        else if (value !== undefined)
          withSecretParts(rule, value, [], ({ value: part, expression }) => {
            redactor.addValue(secret(part, expression));
            return null;
          });
      }
      return object;
    }, refuse);
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
