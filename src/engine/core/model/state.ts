import type { Address } from './address.js';
import type { JsonObject } from './value.js';

/** Where an object lives on the platform: its id, and the ids above it (`{apiId: …}`) by field name. */
export interface Identity {
  readonly id: string;
  readonly scope: Readonly<Record<string, string>>;
}

/** What stands in state and plans for a secret: never the value. */
export interface SealedSecret {
  readonly $secret: {
    /** As the catalogue says it. */
    readonly expression: string;
    /** `hmac-sha256:<hex>` with the stack's own key, over the value in its field's normal form. */
    readonly fingerprint: string;
  };
}

/** One managed object, as last applied and last seen. Secrets are sealed. */
export interface RecordedResource {
  readonly address: Address;
  /** Full type token. */
  readonly type: string;
  readonly identity: Identity;
  /** Declared inputs the object is known to correspond with. A field the file was silent about is absent. */
  readonly inputs: JsonObject;
  /** All fields as the platform last answered, catalogue names (plus write-only inputs as sent). */
  readonly outputs: JsonObject;
  /** Addresses this one referenced or named in dependsOn when last applied, sorted. Orders deletes. */
  readonly dependencies: readonly Address[];
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  /** Objects replaced create-first whose delete has not succeeded yet. */
  readonly deposed: readonly Deposed[];
  /** When this stack last wrote the object, ISO 8601 UTC; absent: before that was kept, or never. */
  readonly writtenAt?: string;
  /** Fields for whose change outside alone the object took the place of another one. A second time takes somebody's word. */
  readonly replacedFor?: readonly string[];
}

/** What was written since then may not show everywhere yet: that it is denied proves nothing. Times are ISO 8601 UTC. */
export function isSettling(writtenAt: string | undefined, settledBefore: string | undefined): boolean {
  return writtenAt !== undefined && settledBefore !== undefined && writtenAt > settledBefore;
}

export interface Deposed {
  readonly identity: Identity;
  readonly outputs: JsonObject;
}

/** A write that was decided on and may have reached the platform. */
export interface Intent {
  readonly id: string;
  readonly address: Address;
  readonly type: string;
  readonly action: 'create' | 'update' | 'delete';
  /** For update, and for the delete of an object that the last look showed. */
  readonly identity?: Identity;
  /** For create: where; enough, with the fields, to find the object again. */
  readonly scope: Readonly<Record<string, string>>;
  /** Sealed. For create: the fields; for update: what the files say of those that it changes. */
  readonly inputs: JsonObject;
  /** For create: the recorded resource to store once the object is found, its identity and outputs still empty. */
  readonly record?: RecordedResource;
  /** Run that made it; ISO 8601 UTC time. */
  readonly run: string;
  readonly createdAt: string;
  /** Of a create that had to wait, or that is sent again: until then it may have left. ISO 8601 UTC. */
  readonly renewedAt?: string;
}

/** Which stack of which project something belongs to. */
export interface StackKey {
  readonly project: string;
  readonly stack: string;
}

/** One stack of one project, read in one consistent snapshot. */
export interface StackState {
  readonly project: string;
  readonly stack: string;
  /** uuid, made with the stack. Two stacks never share one. */
  readonly lineage: string;
  /** Bumped by every write transaction. */
  readonly serial: number;
  /** Key of the secrets' fingerprints: 32 random bytes as hex. Never leaves the store except by `state pull`. */
  readonly fingerprintKey: string;
  /** Provider name → target (server URL) the objects live at; absent before the first apply. */
  readonly targets: Readonly<Record<string, string>>;
  readonly resources: ReadonlyMap<Address, RecordedResource>;
  readonly outputs: JsonObject;
  readonly intents: readonly Intent[];
}

/** One change of a stack's content. Several in one call land in one transaction or not at all. */
export type StateChange =
  /** `seals`: it only hides what an older version wrote in clear, which no history keeps. */
  | { readonly kind: 'put'; readonly resource: RecordedResource; readonly seals?: true }
  | { readonly kind: 'remove'; readonly address: Address }
  /** Renames the record, and every dependency on it. */
  | { readonly kind: 'move'; readonly from: Address; readonly to: Address }
  | { readonly kind: 'outputs'; readonly outputs: JsonObject }
  | { readonly kind: 'targets'; readonly targets: Readonly<Record<string, string>> }
  | { readonly kind: 'close-intent'; readonly id: string };
