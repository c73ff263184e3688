import type { ResourceOptions } from '../model/desired.js';
import type { ResourceType, FieldRule } from '../model/resource-type.js';
import type { FieldComparison, Wanted } from '../value/field-comparison.js';
import { hasUnknown, isList, isObject, reveal, type Json, type Value } from '../model/value.js';
import { sameValue } from '../value/equality.js';
import { isSealed } from '../value/seal.js';

/** How a field that changes does: in place, or by a new object. `declared`: the file gives it a value. */
export function updateOrReplace(
  { type, replaceOnChanges }: { readonly type: ResourceType } & Pick<ResourceOptions, 'replaceOnChanges'>,
  { rule, configured, actual, wanted }: Pick<FieldComparison, 'rule' | 'configured' | 'actual' | 'wanted'>,
  declared: boolean,
): 'update' | 'replace' {
  if (rule.isMark) return 'update';
  const asked = replaceOnChanges.some((path) => path === '*' || path.split('.')[0] === rule.name);
  if (asked || !type.updatable || rule.onChange === 'replace') return 'replace';
  if (!isTakenByUpdate(rule, actual, wanted)) return 'replace';
  // What others did to it is put right where it is kept: only an edit of the file is worth the object.
  if (rule.movesWith !== undefined && !configured) return 'update';
  return rule.onChange === 'replace-if-declared' && declared ? 'replace' : 'update';
}

/**
 * True where an update takes a change of a field: what it was and what it is to be are of kinds that updates take, and
 * nothing moves that only a create takes. What is not known, or was kept as a digest alone, counts as not taken.
 */
export function isTakenByUpdate(
  { updatesOnly }: Pick<FieldRule, 'updatesOnly'>,
  actual: Json | undefined,
  wanted: Wanted,
): boolean {
  if (updatesOnly === undefined) return true;
  if (isSealed(actual)) return false;
  const next = wanted.by === 'value' ? plainWhereKnown(wanted.value) : undefined;
  const kinds = Object.entries(updatesOnly.kinds ?? {});
  const areTaken = kinds.every(([path, taken]) =>
    [actual, next]
      .flatMap((value) => valuesAt(value, path.split('.')))
      .every((kind) => typeof kind === 'string' && taken.includes(kind)),
  );
  if (!areTaken || wanted.by !== 'value') return areTaken;
  return (updatesOnly.fixed ?? []).every((path) => isUnmovedAt(path.split('.'), actual, next));
}

function isUnmovedAt(path: readonly string[], actual: Json | undefined, next: Value | undefined): boolean {
  const said = (value: Value | undefined): readonly Value[] =>
    valuesAt(value, path).flatMap((each) => (each === undefined || each === null ? [] : [each]));
  const wanted = said(next);
  if (wanted.some(hasUnknown)) return false;
  return sameValue({ equality: 'record' }, said(actual).map(reveal), wanted.map(reveal));
}

function plainWhereKnown(value: Value): Value {
  return hasUnknown(value) ? value : reveal(value);
}

/** What stands at a path, in all items of a list and under all keys for `*`; undefined where a record has none. */
function valuesAt(value: Value | undefined, path: readonly string[]): readonly (Value | undefined)[] {
  const [name, ...inner] = path;
  if (name === undefined) return [value];
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.flatMap((item) => valuesAt(item, path));
  // Nobody knows yet what it holds.
  if (!isObject(value)) return [value];
  if (name === '*') return Object.values(value).flatMap((member) => valuesAt(member, inner));
  return inner.length === 0 ? [value[name]] : valuesAt(value[name], inner);
}
