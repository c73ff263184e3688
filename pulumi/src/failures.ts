import { status, Metadata, type ServiceError } from '@grpc/grpc-js';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { NotSentError } from '@platform-sync/core/model/state-store';
import { ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { Redactor } from '@platform-sync/core/model/redactor';
import type { ValueObject } from '@platform-sync/core/model/value';
import { messages, structOf } from './wire/messages.js';
import { propertiesToWire, StrangeValue } from './wire/values.js';

/** A request that makes no sense. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
}

/** After Cancel nothing new begins. */
export class Cancelled extends Error {
  override name = 'Cancelled';
  constructor() {
    super('The update was cancelled, so this was not begun.');
  }
}

/** It took longer than the program allows (`customTimeouts`), and nothing came of it. */
export class TimedOut extends Error {
  override name = 'TimedOut';
  constructor(what: string, more = '') {
    super(`${what}: not done in the time that customTimeouts allows. ${more}`.trimEnd());
  }
}

/** True for a call that ended because its time was up. */
export function isTimeout(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error instanceof DOMException && error.name === 'AbortError';
}

/** A method that this provider does not have. */
export class Unimplemented extends Error {
  override name = 'Unimplemented';
}

/** The object exists, and something about it failed: the engine must keep what is known of it. */
export class HalfMade extends Error {
  override name = 'HalfMade';
  readonly id: string;
  readonly outputs: ValueObject;
  readonly inputs: ValueObject;
  constructor(id: string, outputs: ValueObject, inputs: ValueObject, reason: string) {
    super(reason);
    this.id = id;
    this.outputs = outputs;
    this.inputs = inputs;
  }
}

const codes: Readonly<Record<ProviderErrorKind, status>> = {
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  invalid: status.INVALID_ARGUMENT,
  'rate-limited': status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  ambiguous: status.UNKNOWN,
  configuration: status.FAILED_PRECONDITION,
  'unexpected-answer': status.INTERNAL,
};

/** A failure as the engine shows it: what, why, what to do; no stack, no secret. */
export function serviceError(error: unknown, redactor: Redactor): ServiceError {
  const [code, text] = told(error);
  const details = redactor.text(text);
  const metadata = new Metadata();
  if (error instanceof HalfMade) metadata.set('grpc-status-details-bin', initFailed(error, details));
  return Object.assign(new Error(details), { code, details, metadata });
}

/** What is wrong, in words for people. */
export function reasonOf(error: unknown): string {
  return told(error)[1];
}

function told(error: unknown): readonly [status, string] {
  if (error instanceof ProviderError) return [codes[error.kind], sentences(error.diagnostics)];
  if (error instanceof DiagnosticError) return [status.FAILED_PRECONDITION, sentences(error.diagnostics)];
  if (error instanceof NotSentError || error instanceof Cancelled) return [status.CANCELLED, new Cancelled().message];
  if (error instanceof TimedOut) return [status.DEADLINE_EXCEEDED, error.message];
  if (error instanceof Unimplemented) return [status.UNIMPLEMENTED, error.message];
  if (error instanceof InvalidRequest || error instanceof StrangeValue) return [status.INVALID_ARGUMENT, error.message];
  if (error instanceof HalfMade) return [status.UNKNOWN, error.message];
  const text = error instanceof Error ? error.message : 'unknown error';
  return [status.INTERNAL, `Internal error of the provider: ${text}`];
}

export function sentences(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ summary, detail, hint }) => [summary, detail, hint].filter((part) => part !== undefined).join('\n'))
    .join('\n');
}

function initFailed({ id, outputs, inputs }: HalfMade, reason: string): Buffer {
  const failed = new messages.ErrorResourceInitFailed();
  failed.setId(id);
  failed.setProperties(structOf(propertiesToWire(outputs)));
  failed.setInputs(structOf(propertiesToWire(inputs)));
  failed.setReasonsList([reason]);
  const detail = new messages.Any();
  detail.pack(failed.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const wrapped = new messages.Status();
  wrapped.setCode(status.UNKNOWN);
  wrapped.setMessage(reason);
  wrapped.setDetailsList([detail]);
  return Buffer.from(wrapped.serializeBinary());
}
