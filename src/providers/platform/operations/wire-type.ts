import type { CallOptions } from '../../../engine/model/provider.js';
import type { Identity } from '../../../engine/model/state.js';
import type { JsonObject } from '../../../engine/model/value.js';
import type { Session } from './session.js';

/** A record the wire lays out differently: pairs of dotted paths, catalogue first. What isn't named is dropped. */
export type MemberPaths = readonly (readonly [catalogue: string, wire: string])[];

/**
 * What a resource type's calls need beyond the ordinary: POST to the collection, GET, PATCH and DELETE of the item,
 * snake_case names. Paths name fields and `id` in braces.
 */
export interface WireType {
  readonly token: string;
  readonly collection: string;
  readonly item: string;
  /** `tree`: one unpaged answer with nested `children`. `path` when it isn't the collection's own. */
  readonly list: { readonly shape: 'pages' | 'tree'; readonly path?: string };
  /** Fields whose records are laid out differently on the wire. */
  readonly members?: Readonly<Record<string, MemberPaths>>;
  /** Fields the platform may leave out of an answer when they are empty, with what that means. */
  readonly absent?: JsonObject;
  /** Further fields that may be null in an answer; any other declarable field holds something. */
  readonly nullable?: readonly string[];
  /** Query parameters that narrow a list to a natural key → the field they take. */
  readonly findBy?: Readonly<Record<string, string>>;
  /** Reads write-only fields where else the platform shows them. */
  readonly readWriteOnly?: (session: Session, identity: Identity, options: CallOptions) => Promise<JsonObject>;
}
