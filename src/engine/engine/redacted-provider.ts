import { defined, secret } from '@platform-sync/core/model/value';
import { fieldsWhere, mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import { type Listing, type Provider, ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { Redactor } from '@platform-sync/core/model/redactor';
import { withSecretParts } from '@platform-sync/core/value/secret-parts';
import type { StepResult } from './api.js';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';

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

function redactedError(error: unknown, redactor: Redactor): unknown {
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

/** What of a result may hold a secret. */
interface Redactable {
  readonly diagnostics?: readonly Diagnostic[];
  readonly steps?: readonly StepResult[];
}

/** Whose words they are: what is told of a project's files is made of no secret, and stays as it was written. */
interface Speaker {
  readonly redactor: Redactor;
  readonly isUnderReview: boolean;
  /** Diagnostics that the catalogue alone gave. */
  readonly ofFiles: WeakSet<Diagnostic>;
  /** Part of an address of the catalogue, which is never a secret. */
  readonly isInAddress: (text: string) => boolean;
}

/**
 * The one gate of the engine: whatever a use case answers, or throws, passes here. The object itself stays the same one. Words of
 * the files stay: whoever wrote a guess into them would see it hidden if it is right. Of a proposal all words count as those of its
 * files; what providers say lost its secrets before (`redactedProvider`).
 */
export async function redacted<T extends object>(speaker: Speaker, work: Promise<T>): Promise<T> {
  const { redactor, isUnderReview, ofFiles, isInAddress } = speaker;
  try {
    const result: T & Redactable = await work;
    if (isUnderReview) return result;
    // In place: `apply` knows the very object that `plan` gave.
    if (result.diagnostics !== undefined) {
      const told = result.diagnostics.map((each) =>
        ofFiles.has(each) ? each : redactor.diagnostic(each, isInAddress),
      );
      Object.assign(result, { diagnostics: told });
    }
    if (result.steps !== undefined)
      Object.assign(result, { steps: result.steps.map((step) => redactedStep(speaker, step)) });
    return result;
  } catch (error) {
    if (error instanceof DiagnosticError)
      throw isUnderReview ? error : new DiagnosticError(redactor.diagnostics(error.diagnostics, isInAddress));
    throw redactedError(error, redactor);
  }
}

function redactedStep({ redactor, isInAddress }: Speaker, step: StepResult): StepResult {
  const { diagnostics } = step;
  return diagnostics === undefined ? step : { ...step, diagnostics: redactor.diagnostics(diagnostics, isInAddress) };
}
