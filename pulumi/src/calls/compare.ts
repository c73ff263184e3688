import { diffResource, type Change } from '@platform-sync/engine/plan/change';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { hasUnknown, isObject, type Json, type Value, type ValueObject } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { emptyOnDelete, hasGuardedEnd, ownInputs } from '../resource-types.js';
import type { Session } from '../session.js';
import { isOpen } from './secrets.js';
import { knownMembers } from '../wire/values.js';

/** What the engine knows of an object, and what the program wants of it. */
export interface Comparison {
  readonly type: ResourceType;
  readonly oldInputs: ValueObject;
  readonly olds: ValueObject;
  readonly news: ValueObject;
  readonly ignored: readonly string[];
}

export interface Difference {
  readonly changes: readonly Change[];
  /** What changed for the engine alone, nothing to send: the consent to empty it, values that are secret from now on. */
  readonly kept: readonly string[];
}

/** The comparison of the planner: file = what the program says now, record = what it said and what was answered last. */
export function compare(session: Session, { type, oldInputs, olds, news, ignored }: Comparison): Difference {
  const { loaded, seals } = session;
  const actual = knownMembers(olds);
  const { changes: all } = diffResource({
    address: '',
    type,
    declared: new Map(Object.entries(ownInputs(loaded, type, news))),
    recorded: { inputs: knownMembers(ownInputs(loaded, type, oldInputs)), outputs: actual },
    actual,
    ignored: ignored.map(plainPath),
    seals,
    replaceOnChanges: [],
    resend: false,
  });
  // What the program says no more is kept as an object of its own, which may be a resource: there is nothing to send.
  const changes = all.filter(({ rule, wanted }) => wanted.by !== 'keeping' || rule.keptAs === undefined);
  const consent =
    hasGuardedEnd(type) &&
    !ignored.includes(emptyOnDelete.name) &&
    knownMembers(oldInputs)[emptyOnDelete.name] !== knownMembers(news)[emptyOnDelete.name];
  const named = new Set(changes.map(({ rule }) => rule.name));
  const hidden = hiddenFrom(olds, news).filter((name) => type.fields[name] !== undefined && !named.has(name));
  return { changes, kept: [...(consent ? [emptyOnDelete.name] : []), ...hidden] };
}

/** Secret by now, and known to the engine in clear: after an update, what it holds is marked. An import knows no marks. */
function hiddenFrom(olds: ValueObject, news: ValueObject): readonly string[] {
  return Object.keys(news).filter((name) => isOpen(news[name] ?? null, olds[name] ?? null));
}

/** `labels["x"].y` → `labels.x.y`. */
function plainPath(path: string): string {
  return path.replace(/\["((?:[^"\\]|\\.)*)"\]/g, (_, key: string) => `.${key}`).replace(/\[(\d+)\]/g, '.$1');
}

/** A new object beside the old one would be refused: it has a key of it. */
export function clashes({ type, news, olds }: Comparison, changes: readonly Change[]): boolean {
  const old = knownMembers(olds);
  const moved = new Set(changes.map(({ rule }) => rule.name));
  const isKept = (name: string): boolean => {
    const rule = type.fields[name];
    const value = news[name];
    if (rule === undefined || value === undefined || value === null) return !moved.has(name);
    if (hasUnknown(value)) return name !== type.parent?.field;
    return sameValue(rule, knownMembers({ value })['value'], old[name]);
  };
  return type.unique.some((group) => group.length > 0 && group.every(isKept));
}

export interface PathChange {
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
  readonly isReplacement: boolean;
}

/** Where a field changed: of maps key by key, of everything else as a whole. */
export function pathsOf({ oldInputs, olds, news }: Comparison, { rule, shown }: Change): readonly PathChange[] {
  const isReplacement = shown.rule === 'replace';
  const isSaid = rule.name in oldInputs;
  const before = isSaid ? oldInputs[rule.name] : shown.cause === 'config' ? undefined : olds[rule.name];
  const after = news[rule.name];
  if (rule.type === 'object' && isPlainMap(before) && isPlainMap(after) && !hasUnknown(after)) {
    const [was, is] = [knownMembers(before), knownMembers(after)];
    const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => !sameJson(was[key], is[key]));
    if (keys.length > 0)
      return keys.map((key) => ({
        path: `${rule.name}[${JSON.stringify(key)}]`,
        kind: kindOf(was[key], is[key]),
        isReplacement,
      }));
  }
  return [{ path: rule.name, kind: kindOf(before, after), isReplacement }];
}

function isPlainMap(value: Value | undefined): value is ValueObject {
  return isObject(value);
}

function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return sameValue({ equality: 'exact' }, a, b);
}

function kindOf(before: unknown, after: unknown): PathChange['kind'] {
  if (before === undefined) return 'add';
  return after === undefined ? 'delete' : 'update';
}
