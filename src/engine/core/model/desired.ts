import { addressesAbove, type Address } from './address.js';
import type { Expression, LookupExpression } from './expression.js';
import type { SourceRange, Sources } from './diagnostic.js';

/** `options:` of a resource, with Pulumi's words and meaning. */
export interface ResourceOptions {
  /** Addresses that must be done first, beyond what references already say. */
  readonly dependsOn: readonly Address[];
  /** Deleting or replacing it is blocked by a guard. */
  readonly protect: boolean;
  /** Property paths whose difference is left alone. `*` alone means all. */
  readonly ignoreChanges: readonly string[];
  /** Property paths whose change replaces instead of updating. */
  readonly replaceOnChanges: readonly string[];
  /** undefined = the type's own rule decides. */
  readonly deleteBeforeReplace?: boolean;
  /** Taking it out of the catalogue forgets it; the object stays on the platform. */
  readonly retainOnDelete: boolean;
  /** Import id of an existing object to bring under management instead of creating one. */
  readonly import?: string;
  /** Former addresses: state moves from there. */
  readonly aliases: readonly Address[];
  /** A specification that is broken is published all the same. */
  readonly allowBrokenSpecification?: true;
}

export const defaultOptions: ResourceOptions = {
  dependsOn: [],
  protect: false,
  ignoreChanges: [],
  replaceOnChanges: [],
  retainOnDelete: false,
  aliases: [],
};

/** One resource as the catalogue wants it. */
export interface DesiredResource {
  readonly address: Address;
  /** Full type token. */
  readonly type: string;
  /** Declared properties only, defaults of the file already merged, parent fields of `children` filled in. */
  readonly properties: ReadonlyMap<string, Expression>;
  readonly options: ResourceOptions;
  /** The resource's key in the file. */
  readonly at: SourceRange;
  /** Where each property's key stands, for errors and annotations; a property filled in by nesting has none. */
  readonly propertyKeys: Pick<ReadonlyMap<string, SourceRange>, 'get' | 'has'>;
  /** The one beside it that its file puts before it (`order`), which is one of `dependsOn`, too. */
  readonly placedAfter?: Address;
  /** An undo wants it as it was before a run, whatever the files say. */
  readonly isBroughtBack?: true;
}

/** A file of the catalogue, and those that it reads as data. */
export interface ReadFile extends ReadText {
  readonly reads: readonly ReadText[];
  /** Of an overlay: what it patches. */
  readonly patched?: readonly Address[];
}

export interface ReadText {
  readonly file: string;
  readonly text: string;
}

/** Everything the catalogue files say. */
export interface DesiredState {
  readonly resources: ReadonlyMap<Address, DesiredResource>;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, Expression>;
  /** Every lookup in the files, also of what nothing uses; left out: nobody collected them. */
  readonly lookups?: readonly LookupExpression[];
  /** What the parameters stand for, where sync.yaml declares any. They count in `variables` as the members of `param`. */
  readonly parameters?: ReadonlyMap<string, Expression>;
  /** Addresses that leave the state, with what is below them, while their objects stay; absent where none is named. */
  readonly removed?: ReadonlyMap<Address, SourceRange>;
  /** Addresses that another stack takes over (`STACK:ADDRESS`), with what is below them; absent where none is named. */
  readonly moved?: ReadonlyMap<Address, { readonly to: string; readonly at: SourceRange }>;
  readonly sources: Sources;
  /** The files of the catalogue in the order in which they were read; then overlays; absent where sources have a say in it. */
  readonly files?: readonly ReadFile[] | undefined;
  /** Key of each resource at the top → a digest of what it and all under it mean. */
  readonly meanings?: ReadonlyMap<string, string>;
  /** Address → a key that some object in another tree could have, too: two of them would be one and the same. */
  readonly keysElsewhere?: () => Iterable<readonly [Address, string]>;
  /** What the digest is with these resources in place of one's own. */
  readonly digestWith?: (meanings: ReadonlyMap<string, string>) => string;
  /** sha256 over the meaning of all files (order of files and keys, comments and layout don't count), parameters aside. Secrets as text. */
  readonly digest: string;
}

/** Where an address goes that another stack takes over, or what it stands under. */
export function movesTo({ moved }: Pick<DesiredState, 'moved'>, address: Address): string | undefined {
  const above = moved && addressesAbove(address).findLast((each) => moved.has(each));
  return above === undefined ? undefined : `${moved?.get(above)?.to ?? ''}${address.slice(above.length)}`;
}

/** The entry of `removed` that an address falls under: its own, or one above. */
export function removedBy({ removed }: Pick<DesiredState, 'removed'>, address: Address): Address | undefined {
  return removed && addressesAbove(address).findLast((above) => removed.has(above));
}
