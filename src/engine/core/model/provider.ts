import type { Round } from './fleet.js';
import type { SharedRate } from './shared-rate.js';
import type { Diagnostic } from './diagnostic.js';
import type { Fence } from './state-store.js';
import type { Identity } from './state.js';
import type { Json, JsonObject } from './value.js';
import type { Redactor } from './redactor.js';
import type { AbsenceProof, AbsentAnswer, ResourceType } from './resource-type.js';
import type { Trust } from './trust.js';
import type { World } from './world.js';

/** An object as the platform shows it, catalogue names and shapes. */
export interface RemoteObject {
  readonly identity: Identity;
  /** Fields present in the answer. Lists leave out fields whose rule says `inList: false`. */
  readonly values: JsonObject;
  /** Of one that was just made: secrets that no other answer shows. They are handed over or forgotten, and kept nowhere. */
  readonly shownOnce?: JsonObject;
  /** The answer itself where it holds members that the type does not know: a whole write gives them back. */
  readonly answer?: JsonObject;
  /** One of a fixed set as the platform has it before anybody changes it: it exists, and nobody has made it. Lists leave it out. */
  readonly untouched?: true;
}

/** Objects of a collection, read until there is no more, or until the caller had enough. */
export interface Listing {
  readonly objects: readonly RemoteObject[];
  /** True: these are all there are. False: what is not among them may exist all the same. */
  readonly isComplete: boolean;
  /** Objects in the whole collection: counted, or as the platform says; 0 where neither tells. */
  readonly total: number;
  /** Of one that the caller had enough of: reads on from there, and gives the whole. Left out: it has to be listed anew. */
  readonly rest?: () => Promise<Listing>;
}

/** One page of a list as it was decoded. */
export interface ListedPage {
  /** Objects, and items that are none of the type. */
  readonly items: readonly (RemoteObject | { readonly other: string })[];
  readonly total?: number;
  /** What the next page is asked for with, where this one says so. */
  readonly next?: readonly (readonly [string, string])[] | undefined;
}

/** Pages of a list by digests of their bytes: equal bytes say the same, and need not be decoded again. */
export interface KnownPages {
  /** What a page of these bytes says; undefined: it is decoded. */
  readonly known: (digest: string) => ListedPage | undefined;
  readonly decoded: (digest: string, page: ListedPage) => void;
}

/** What is known of a collection after its first page. */
export interface ListingStart {
  readonly objects: readonly RemoteObject[];
  /** Calls that reading the rest takes. */
  readonly morePages: number;
}

export interface ListOptions extends CallOptions {
  /** Calls with the same one may share answers: one list that shows objects of several types is read once for all; see `ahead`. */
  readonly together?: object;
  /** Objects with other values of these fields are of no use: they may be left out, as if they were not there. */
  readonly having?: JsonObject;
  /** Hears of an item that is not what the platform's description says: it is left out, and the list is not complete. */
  readonly onUnread?: (id: string, holds: string) => void;
  /** Left out: every page is decoded. */
  readonly pages?: KnownPages | undefined;
  /** Says after the first page that the rest need not be read. Left out: everything is read. */
  readonly isEnough?: (start: ListingStart) => boolean;
}

export interface AheadOptions extends Pick<CallOptions, 'signal'> {
  readonly together: object;
}

/** What to change on an object. Values are plain: the provider turns them into its wire format. */
export interface UpdateRequest {
  readonly identity: Identity;
  /** New values of the fields that change. */
  readonly set: JsonObject;
  /** Fields to put back to the platform's default: with `null`, or left out where the whole object is written. */
  readonly clear: readonly string[];
  /** The object as last read: tells which map keys must be sent as null. */
  readonly actual: JsonObject;
  /** `RemoteObject.answer` of that reading. */
  readonly answer?: JsonObject;
  /** Declared values of write-only fields, for calls that put the whole object: what they leave out would be lost. */
  readonly unread?: JsonObject;
  /** The object as recorded, where it is: tells which of several others keeps a field for it. */
  readonly recorded?: JsonObject;
  /** The change is made although something hangs on what it takes away. Only for types that are `forcible` so. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** The object as last read: a service that can tell versions apart deletes this one only. */
  readonly actual?: JsonObject;
  /** The object ends with whatever is in it, where the platform would refuse otherwise. Only for types that are `forcible`. */
  readonly force?: boolean;
  /** Fields that were declared: of an object that is always there, these are put back. Left out: all that can be. */
  readonly declared?: readonly string[];
  /** It may be younger than what answers show: that it is denied is no proof, and an ambiguous end. */
  readonly mayNotShow?: boolean;
}

export interface ReadWriteOnlyOptions extends CallOptions {
  /** The object as just read, and what is recorded of it: spares asking for it, and tells which of several is its own. */
  readonly known?: { readonly now: JsonObject; readonly before: JsonObject };
}

/** How a search lists and reads, where its answers are shared with others. */
interface SharedReads {
  /** Objects of a collection, at least all that have these values. */
  readonly list: (scope: Readonly<Record<string, string>>, having: JsonObject) => Promise<readonly RemoteObject[]>;
  readonly read: (identity: Identity) => Promise<RemoteObject | undefined>;
}

export interface FindOptions extends CallOptions {
  /** Left out: by calls of its own. */
  readonly through?: SharedReads;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Put around every wait between two attempts: the caller may have something else done meanwhile. */
  readonly whileWaiting?: <T>(wait: () => Promise<T>) => Promise<T>;
  /** For a write, awaited each time its turn has come: a rejection is that of the call. Asks nothing of the platform. */
  readonly atTurn?: () => Promise<void>;
  /** For a write, asked in the moment it leaves, after every wait: false, and nothing is sent. */
  readonly mayLeave?: () => boolean;
  /** For a read or a search, told what a list shows that is read for it. */
  readonly onListed?: (objects: readonly RemoteObject[]) => void;
}

/**
 * Calls a provider offers. All reject with ProviderError (or DOMException AbortError when the signal fired); writes with
 * NotSentError when they may not leave.
 */
export interface Provider {
  readonly name: string;
  /** The address it talks to, as plans and state bind it. */
  readonly target: string;
  /** Where that address was set, for people: `The setting serverUrl`. */
  readonly targetSource: string;
  /** Whose token it signs with, as the token itself says; left out: it says nothing. */
  readonly subject?: string;
  readonly types: ReadonlyMap<string, ResourceType>;
  /**
   * A collection; `scope` holds the collection rule's fields. What comes is right or an error: an answer that is no list,
   * or a list that does not add up, is `unexpected-answer`. A partial listing proves presence, never absence.
   */
  list(type: ResourceType, scope: Readonly<Record<string, string>>, options?: ListOptions): Promise<Listing>;
  /**
   * Asks for the beginning of a list before anybody wants it: a `list` of everything with the same `together` starts from the
   * answer, or from what went wrong, which nobody hears of before. Resolves when it is there. Left out: nothing is asked ahead.
   */
  ahead?(type: ResourceType, scope: Readonly<Record<string, string>>, options: AheadOptions): Promise<void>;
  /** One object with all its readable fields; undefined when it is proven not to exist, by what the type's `absence`
   * calls a proof. Any other 404 is an error. */
  read(type: ResourceType, identity: Identity, options?: CallOptions): Promise<RemoteObject | undefined>;
  /** Write-only fields as the platform may show them elsewhere (an API's spec among its versions); null: it is not there any
   * more, left out: nobody knows. */
  readWriteOnly(type: ResourceType, identity: Identity, options?: ReadWriteOnlyOptions): Promise<JsonObject>;
  /** All objects whose natural key equals these inputs; tells what became of ambiguous creates, and names conflicts. */
  find(
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    inputs: JsonObject,
    options?: FindOptions,
  ): Promise<readonly RemoteObject[]>;
  create(
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    inputs: JsonObject,
    options?: CallOptions,
  ): Promise<RemoteObject>;
  update(type: ResourceType, request: UpdateRequest, options?: CallOptions): Promise<RemoteObject>;
  /** Resolves for an object that is proven to be gone already, too. */
  delete(type: ResourceType, identity: Identity, options?: DeleteOptions): Promise<void>;
  /** Runs one lookup; arguments and result in catalogue names. */
  lookup(token: string, args: JsonObject, options?: CallOptions): Promise<JsonObject>;
  /** Requests sent so far, retries included. */
  readonly requests: () => number;
  close(): Promise<void>;
}

export type ProviderErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  /** A 404 with one of the proofs of absence. About what was called: for a list that is its place, not what it holds. */
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
  /** For `not-found`: what kind of proof the answer is. */
  readonly absence?: AbsenceProof | AbsentAnswer;
  /** What to tell; `field` uses catalogue names, so the engine can add address and place. At least one. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    kind: ProviderErrorKind,
    diagnostics: readonly Diagnostic[],
    details: { status?: number; absence?: AbsenceProof | AbsentAnswer; cause?: unknown } = {},
  ) {
    super(
      diagnostics.map((d) => d.summary).join('\n'),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'ProviderError';
    this.kind = kind;
    if (details.status !== undefined) this.status = details.status;
    if (details.absence !== undefined) this.absence = details.absence;
    this.diagnostics = diagnostics;
  }
}

/** What a provider is told when it starts. */
export interface ProviderContext {
  /** The provider's block in sync.yaml, env already read. */
  readonly settings: Readonly<Record<string, Json>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked before the first request, for every address that gets something made from a secret. */
  readonly trust: Trust;
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  /** Milliseconds until the whole of one answer must be there. */
  readonly requestTimeoutMs?: number;
  /** Times a call is sent again after a fault. */
  readonly retries?: number;
  /**
   * The right to send, as it is at the moment of the call. No write may leave when the answer is undefined, or says no.
   * Absent: writes are nobody's business but the caller's.
   */
  readonly fence?: () => Fence | undefined;
  /**
   * The same object for all runs of a round: those that ask one server with one token keep one pace, and each takes answers that others
   * got. Only for runs that write nothing.
   */
  readonly round?: Round;
  /** By the name of a server and whoever asks it: the rate that other runs keep with this one. Absent: it has a pace of its own. */
  readonly sharedRate?: (caller: string) => SharedRate;
  /** Knows the run's secrets; a provider adds its own, and asks it before it cuts a foreign text short. */
  readonly redactor?: Redactor;
  /** Time and chance, in the place of this machine's. */
  readonly world?: World;
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
  /** Token of the type whose objects it finds, where it follows from the type. Left out: a call of the provider's own. */
  readonly of?: string;
}

/** What is known of a provider without starting it: enough to validate a catalogue offline. */
export interface ProviderPackage {
  readonly name: string;
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly lookups: ReadonlyMap<string, LookupType>;
  /** Settings a catalogue's `providers:` block may hold. */
  readonly settings: Readonly<
    Record<
      string,
      {
        readonly secret: boolean;
        readonly description: string;
        readonly env: readonly string[];
        /** Of a map: what in it is secret, dotted. */
        readonly secretParts?: readonly string[];
      }
    >
  >;
  /** What is wrong with the settings of a block, as far as that shows without the service; quotes none. Left out: nothing can be. */
  readonly checkSettings?: (settings: Readonly<Record<string, Json>>) => readonly SettingProblem[];
  /** Checks a declared value (unknown parts replaced by placeholders) of a type; JSON-schema errors. */
  readonly validate: (
    token: string,
    properties: JsonObject,
  ) => Promise<readonly SchemaViolation[]> | readonly SchemaViolation[];
  readonly validateLookup: (
    token: string,
    args: JsonObject,
  ) => Promise<readonly SchemaViolation[]> | readonly SchemaViolation[];
  /** Types that stand for more than themselves where a specification is their source: token → all that is made of it, by that name. */
  readonly fromSpecification?: ReadonlyMap<
    string,
    (document: JsonObject, key: string) => Promise<MadeFromSpecification>
  >;
  /** How a derived type came about; undefined for one that somebody wrote. */
  readonly originOf?: (token: string) => TypeOrigin | undefined;
  /** Loads the code that talks to the platform. */
  readonly start: (context: ProviderContext) => Promise<Provider>;
}

/** What a specification stands for, and what it says that nothing is made of. */
export interface MadeFromSpecification {
  readonly objects: readonly MadeObject[];
  readonly warnings: readonly { readonly why: string; readonly path: readonly string[]; readonly hint: string }[];
}

/** One of the objects that a specification stands for. */
export interface MadeObject {
  /** Its name beside the others. */
  readonly key: string;
  /** Key of the one that it lives in; left out: it stands beside the first. */
  readonly below?: string;
  /** Token. */
  readonly type: string;
  readonly properties: JsonObject;
  /** Field → key of the object whose id it holds. */
  readonly references: Readonly<Record<string, string>>;
  /** What in the document it was made from, a JSON pointer. */
  readonly at: string;
}

/** What made a derived type what it is. */
export interface TypeOrigin {
  /** Field → the rule that decided. */
  readonly decided: Readonly<Record<string, string>>;
  /** Field, or nothing for the type itself → why it was corrected. */
  readonly corrections: Readonly<Record<string, string>>;
  /** Of what was corrected: the rule that had decided, and what it had said by name; null: nothing. */
  readonly overruled: Readonly<
    Record<string, { readonly rule?: string; readonly said: Readonly<Record<string, unknown>> }>
  >;
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

/** What is wrong with the settings of a provider. */
export interface SettingProblem {
  /** Names from the block of the provider down to what is wrong, or missing. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly hint?: string;
}
