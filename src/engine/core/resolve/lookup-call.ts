import { ProviderError } from '../model/provider.js';
import type { SourceRange, Sources } from '../model/diagnostic.js';
import type { JsonObject, Value } from '../model/value.js';

/** One call of a lookup, as a place in the catalogue asks for it. */
export interface LookupCall {
  /** Full token. */
  readonly token: string;
  /** Plain: what is sent. */
  readonly args: JsonObject;
  /** The same with its secret parts marked. */
  readonly given: Value;
  readonly at: SourceRange;
}

/** What a failed lookup says, at its line; any other error as it is. */
export function lookupFailure(error: unknown, call: LookupCall, sources: Sources): unknown {
  if (!(error instanceof ProviderError)) return error;
  const place = sources.place(call.at);
  return new ProviderError(
    error.kind,
    error.diagnostics.map((diagnostic) => ({ ...diagnostic, place: diagnostic.place ?? place })),
    error.status === undefined ? {} : { status: error.status },
  );
}
