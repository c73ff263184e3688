import { sameJson } from '@platform-sync/core/model/canonical';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { type Expression, type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldRule } from '@platform-sync/core/model/resource-type';

/** A property of the catalogue, or an option, that is to say something else. */
export interface CatalogueChange {
  readonly desired: DesiredResource;
  readonly field: string;
  /** Absent: of an option. */
  readonly rule?: FieldRule;
  /** What the catalogue says now; undefined where it says nothing. */
  readonly from: Json | undefined;
  /** Undefined: the property is to go. */
  readonly to: Json | undefined;
  /** Both are spelt as a file does, with references in them. */
  readonly isTemplate?: true;
  /** The resource that the file is to refer to in its place. */
  readonly reference?: Address;
}

/** What one file says of a field, and what it is to say. */
export interface Said {
  readonly file: string;
  /** Where the value stands; undefined where the file says nothing yet. */
  readonly at: SourceRange | undefined;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** The files whose part of a field has to change: a map may be put together from several, everything else stands in one. */
export function saidIn({ desired, field, rule, from, to }: CatalogueChange): readonly Said[] {
  const expression = rule === undefined ? undefined : desired.properties.get(field);
  const home = desired.at.file;
  if (expression?.kind !== 'map' || !isObject(from) || !isObject(to))
    return [{ file: expression?.at.file ?? home, at: expression?.at, from, to }];
  const fileOf = (key: string): string => expression.entries.get(key)?.value.at.file ?? home;
  const files = new Set([...expression.entries.values()].map(({ value }) => value.at.file));
  if (files.size < 2) return [{ file: [...files][0] ?? expression.at.file, at: expression.at, from, to }];
  const moved = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((key) => !sameJson(from[key], to[key]));
  return [...new Set(moved.map(fileOf))].map((file) => {
    const here = (value: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(value).filter(([key]) => fileOf(key) === file));
    const first = moved.find((key) => fileOf(key) === file) ?? '';
    const before = here(from);
    const at = expression.entries.get(first)?.key;
    return { file, at, from: Object.keys(before).length === 0 ? undefined : before, to: here(to) };
  });
}

/** The same where one overlay is to say it all, over what other files say: of a map, only what differs from them. */
export function saidInOverlay(one: CatalogueChange, overlay: string): readonly Said[] {
  const { desired, field, from, to } = one;
  const usual = saidIn(one);
  if (usual.every(({ file }) => file === overlay)) return usual;
  const expression = desired.properties.get(field);
  if (expression?.kind !== 'map' || !isObject(from) || !isObject(to))
    return [{ file: overlay, at: undefined, from: undefined, to }];
  const isHere = (key: string): boolean => expression.entries.get(key)?.value.at.file === overlay;
  const part = (value: JsonObject, isIn: (key: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(value).filter(([key]) => isIn(key)));
  const before = part(from, isHere);
  const now = part(to, (key) => isHere(key) || !sameJson(from[key], to[key]));
  return [{ file: overlay, at: undefined, from: Object.keys(before).length === 0 ? undefined : before, to: now }];
}

/** What an expression refers to that is given elsewhere, with its place: `the parameter region (sync.yaml:9)`. */
export function givenElsewhere(
  expression: Expression,
  { variables, sources }: DesiredState,
  parameterOrigin: (name: string) => string | undefined,
): readonly string[] {
  const found = new Set<string>();
  const reference = ({ to, target, path }: ReferenceExpression): void => {
    if (to !== 'variable') return;
    const name = String(path[0]);
    const value = variables.get(target);
    if (target === 'param') found.add(`the parameter ${name} (${parameterOrigin(name) ?? 'of this stack'})`);
    else if (value !== undefined && target !== 'stack' && target !== 'project') {
      const { file, line } = sources.place(value.at);
      found.add(`the variable ${target} (${file}:${line})`);
    }
  };
  visitExpression(expression, { reference });
  return [...found];
}
