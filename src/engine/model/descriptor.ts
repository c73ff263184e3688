import type { Clearing, Equality, ResourceType, UpdateLimits } from './resource-type.js';
import type { JsonObject } from './value.js';

/** What the package schema can't say about a field. Everything left out has the ordinary value. */
export interface FieldDescriptor {
  /** Default: by schema type (`exact`; maps `map`; arrays `exact`). */
  readonly equality?: Equality;
  readonly writeOnly?: boolean;
  /** Default true. */
  readonly inList?: boolean;
  /** Default `{by: 'null'}`. */
  readonly clearing?: Clearing;
  readonly nullIsValue?: boolean;
  /** See `FieldRule.foreignKeys`. */
  readonly foreignKeys?: readonly string[];
  /** See `FieldRule.kindMembers`. */
  readonly kindMembers?: readonly string[];
  /** See `FieldRule.secretMembers`. */
  readonly secretMembers?: readonly string[];
  /** See `FieldRule.hiddenMembers`. */
  readonly hiddenMembers?: readonly string[];
  /** See `FieldRule.updatesOnly`. */
  readonly updatesOnly?: UpdateLimits;
  readonly stable?: boolean;
  /** Overrides the schema's `willReplaceOnChanges`. */
  readonly onChange?: 'replace' | 'replace-if-declared';
  /** Token of the type whose id it holds. */
  readonly references?: string;
  /** See `FieldRule.keptAs`. */
  readonly keptAs?: string;
  /** See `FieldRule.movesWith`. */
  readonly movesWith?: string;
  /** JSON Schema keywords added to the schema's own type: the platform's limits. */
  readonly limits?: JsonObject;
  /** Replaces the schema's own type in catalogues (attributes: a map, or JSON text). */
  readonly catalogueSchema?: JsonObject;
}

/** What every type has, and a descriptor may leave out: then it is the ordinary one. */
type Ordinary =
  | 'nesting'
  | 'unique'
  | 'exactlyOne'
  | 'visibility'
  | 'cascades'
  | 'contents'
  | 'losses'
  | 'updatable'
  | 'derive'
  | 'alsoNamed';

/** The rules of a resource type that the package schema can't express; one file a type beside its provider. */
export interface ResourceDescriptor
  extends
    Omit<ResourceType, 'shortToken' | 'name' | 'provider' | 'description' | 'fields' | Ordinary>,
    Partial<Pick<ResourceType, Ordinary>> {
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
}
