import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Expression } from '@platform-sync/core/model/expression';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { DraftOptions } from '../read/options.js';

/** A resource with its type, and its options with the places they stand at. */
export interface TypedResource {
  readonly desired: DesiredResource;
  readonly type: ResourceType;
  readonly options: DraftOptions;
}

/** All files put together; addresses and names are unique from here on. */
export interface Catalogue {
  readonly resources: ReadonlyMap<Address, TypedResource>;
  /** Those that are checked: all, or what one file has of them. */
  readonly checked: ReadonlyMap<Address, TypedResource>;
  /** Resources whose type is missing or unknown: they exist as far as references are concerned. */
  readonly untyped: ReadonlySet<Address>;
  /** Addresses that an overlay switches off, and where. */
  readonly off: ReadonlyMap<Address, SourceRange>;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, Expression>;
  /** Addresses that leave the state while their objects stay, and where that is said first. */
  readonly removed: ReadonlyMap<Address, SourceRange>;
  /** Addresses that another stack takes over: where to, and where that is said. */
  readonly moved: ReadonlyMap<Address, { readonly to: string; readonly at: SourceRange }>;
  /** True when files could not be parsed, so that something that seems missing may stand there. */
  readonly incomplete: boolean;
}
