import type { JsonObject } from '@platform-sync/core/model/value';
import type { FieldRows, FieldType } from './definition.js';
import type { PagingRule } from './paging.js';

/** Names that don't follow the rule, catalogue → wire. */
export type WireNames = Readonly<Record<string, string>>;

/** How names of fields become names on the wire. */
export interface Naming {
  readonly rule: 'snake_case' | 'as-is';
  readonly names: WireNames;
}

/** Rows that fields of many types share. */
export interface FieldKind extends FieldRows {
  readonly type: FieldType;
  readonly description?: string;
}

/** What all types of one provider have in common. */
export interface RestStyle {
  readonly naming: Naming;
  readonly paging: PagingRule;
  readonly kinds: Readonly<Record<string, FieldKind>>;
  /** Beginnings of map keys that the platform refuses in a body, in fields with `foreignKeys`. */
  readonly reservedKeys?: readonly string[];
  /** Member of an answer that holds the object, where that is not the answer itself. */
  readonly envelope?: string;
}

/** The planner's part of a type's hooks: pure, and needed without a connection. */
export interface PlanHooks {
  readonly derive?: Readonly<Record<string, (inputs: JsonObject) => JsonObject>>;
  readonly alsoNamed?: Readonly<Record<string, (inputs: JsonObject) => JsonObject>>;
}
