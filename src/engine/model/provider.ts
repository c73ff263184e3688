import type { Diagnostic } from './diagnostic.js';
import type { Identity } from './state.js';
import type { Json, JsonObject } from './value.js';
import type { ResourceType } from './resource-type.js';

/** An object as the platform shows it, catalogue names and shapes. */
export interface RemoteObject {
  readonly identity: Identity;
  /** Fields present in the answer. Lists leave out fields whose rule says `inList: false`. */
  readonly values: JsonObject;
}

/** One page of a collection. */
export interface CollectionPage {
  readonly objects: readonly RemoteObject[];
  /** Objects in the whole collection, when the platform says so. */
  readonly total?: number;
  /** Number to ask for next; absent on the last page. */
  readonly nextPage?: number;
}

/** What to change on an object. Values are plain: the provider turns them into its wire format. */
export interface UpdateRequest {
  readonly identity: Identity;
  /** New values of the fields that change. */
  readonly set: JsonObject;
  /** Fields to put back to the platform's default with `null`. */
  readonly clear: readonly string[];
  /** The object as last read: tells which map keys must be sent as null. */
  readonly actual: JsonObject;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Calls a provider offers. All reject with ProviderError (or DOMException AbortError when the signal fired). */
export interface Provider {
  readonly name: string;
  /** The address it talks to, as plans and state bind it. */
  readonly target: string;
  readonly types: ReadonlyMap<string, ResourceType>;
  /** One page of a collection; pages count from 1. `scope` holds the collection rule's fields. */
  list(
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    page: number,
    options?: CallOptions,
  ): Promise<CollectionPage>;
  /** One object with all its readable fields; undefined when it does not exist (404). */
  read(type: ResourceType, identity: Identity, options?: CallOptions): Promise<RemoteObject | undefined>;
  /** Write-only fields as the platform may show them elsewhere (an API's spec among its versions), for import. */
  readWriteOnly(type: ResourceType, identity: Identity, options?: CallOptions): Promise<JsonObject>;
  /** Objects whose natural key equals these inputs; settles ambiguous creates and names conflicts. */
  find(
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    inputs: JsonObject,
    options?: CallOptions,
  ): Promise<readonly RemoteObject[]>;
  create(
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    inputs: JsonObject,
    options?: CallOptions,
  ): Promise<RemoteObject>;
  update(type: ResourceType, request: UpdateRequest, options?: CallOptions): Promise<RemoteObject>;
  /** Resolves for an object that is already gone, too. */
  delete(type: ResourceType, identity: Identity, options?: CallOptions): Promise<void>;
  /** Runs one lookup; arguments and result in catalogue names. */
  lookup(token: string, args: JsonObject, options?: CallOptions): Promise<JsonObject>;
  /** Requests sent so far, retries included. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export type ProviderErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'rate-limited'
  /** The platform said it could not serve the request (5xx), or nothing was sent. */
  | 'unavailable'
  /** The request may or may not have been carried out: time-out, reset, or 5xx after sending a write. */
  | 'ambiguous'
  /** Configuration: no token, bad URL … */
  | 'configuration'
  /** The answer was not what the platform's description says. */
  | 'unexpected-answer';

/** A call failed in a way users can understand. Never holds a secret. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** What to tell; `field` uses catalogue names, so the engine can add address and place. At least one. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    kind: ProviderErrorKind,
    diagnostics: readonly Diagnostic[],
    details: { status?: number; cause?: unknown } = {},
  ) {
    super(
      diagnostics.map((d) => d.summary).join('\n'),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'ProviderError';
    this.kind = kind;
    if (details.status !== undefined) this.status = details.status;
    this.diagnostics = diagnostics;
  }
}

/** What a provider is told when it starts. */
export interface ProviderContext {
  /** The provider's block in sync.yaml, env already read. */
  readonly settings: Readonly<Record<string, Json>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  /** Text for the User-Agent header: `platform-sync/0.1.0 (plan)`. */
  readonly userAgent: string;
  /** Told when a call waits (rate limit, retry): milliseconds and why. */
  readonly onWait?: (wait: { readonly ms: number; readonly reason: string }) => void;
  /** Told of warnings that belong to no call (two tokens configured). */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
}

/** A function a provider offers, from its package schema. */
export interface LookupType {
  /** `platform:index/getTeam:getTeam` */
  readonly token: string;
  /** `platform:getTeam` */
  readonly shortToken: string;
  readonly name: string;
  readonly provider: string;
  readonly description: string;
  /** JSON Schemas of arguments and result. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** What is known of a provider without starting it: enough to validate a catalogue offline. */
export interface ProviderPackage {
  readonly name: string;
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly lookups: ReadonlyMap<string, LookupType>;
  /** Settings a catalogue's `providers:` block may hold. */
  readonly settings: Readonly<
    Record<string, { readonly secret: boolean; readonly description: string; readonly env: readonly string[] }>
  >;
  /** Checks a declared value (unknown parts replaced by placeholders) of a type; JSON-schema errors. */
  readonly validate: (
    token: string,
    properties: JsonObject,
  ) => Promise<readonly SchemaViolation[]> | readonly SchemaViolation[];
  readonly validateLookup: (
    token: string,
    args: JsonObject,
  ) => Promise<readonly SchemaViolation[]> | readonly SchemaViolation[];
  /** Loads the code that talks to the platform. */
  readonly start: (context: ProviderContext) => Promise<Provider>;
}

/** One broken rule of a declared value. */
export interface SchemaViolation {
  /** JSON pointer into the value. */
  readonly pointer: string;
  /** JSON-schema keyword (`pattern`, `maxLength`, `additionalProperties` …). */
  readonly keyword: string;
  readonly message: string;
  readonly params: JsonObject;
}
