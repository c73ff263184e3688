import type {
  AbsenceRule,
  Clearing,
  CollectionRule,
  Equality,
  FileRule,
  Forcible,
  ImportIdRule,
  LossRule,
  Nesting,
  ExposureWords,
  VisibilityRule,
} from './resource-type.js';
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
  /** See `FieldRule.hiddenMembers`. */
  readonly hiddenMembers?: readonly string[];
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

/** The rules of a resource type that the package schema can't express; one file a type beside its provider. */
export interface ResourceDescriptor {
  readonly token: string;
  readonly parent?: { readonly field: string; readonly type: string };
  readonly nesting?: readonly Nesting[];
  readonly naturalKey: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly exactlyOne?: readonly (readonly string[])[];
  /** See `ResourceType.untouched`. */
  readonly untouched?: JsonObject;
  readonly nameField?: string;
  readonly collection: CollectionRule;
  readonly absence?: AbsenceRule;
  readonly revision?: string;
  readonly creation?: string;
  readonly label?: string;
  readonly markedIn?: string;
  readonly visibility?: readonly VisibilityRule[];
  readonly presence?: Partial<ExposureWords>;
  readonly createFirst?: true;
  readonly importId: ImportIdRule;
  readonly guardedEnd?: string;
  readonly cascades?: readonly string[];
  /** See `ResourceType`. */
  readonly endless?: true;
  readonly losses?: readonly LossRule[];
  readonly file?: FileRule;
  readonly updatable?: boolean;
  /** See `ResourceType`. */
  readonly forcible?: readonly Forcible[];
  readonly follows?: readonly string[];
  readonly derived?: true;
  readonly proven?: true;
  readonly shownOnce?: readonly string[];
  readonly derive?: (inputs: JsonObject) => JsonObject;
  readonly alsoNamed?: (inputs: JsonObject) => JsonObject;
  readonly fields: Readonly<Record<string, FieldDescriptor>>;
}
