import type { FieldRule } from '../model/resource-type.js';
import { hasSecret, isList, isObject, isSecret, type Json, type Value, type ValueObject } from '../model/value.js';
import { isSealed } from './secret-parts.js';
import { readJson } from '../model/read-json.js';

/** Which parts of a field's value are this catalogue's to decide; all others are as whoever set them left them. */
export interface OwnParts {
  /** `all`: nothing is somebody else's. `none`: the whole field is left alone. */
  readonly extent: 'all' | 'some' | 'none';
  /** The own parts of one value, the others as a second one has them. */
  readonly over: Over;
}

/** Of two values without secrets and unknown parts comes one without. */
interface Over {
  (value: Json | undefined, rest: Json | undefined): Json | undefined;
  (value: Value | undefined, rest: Json | undefined): Value | undefined;
}

// Parts only come from the two values, so what is made of plain ones is plain: the compiler can't see that.
const over = (put: (value: Value | undefined, rest: Json | undefined) => Value | undefined): Over => put as Over;

/** What of a field's rule says whose its parts are. */
type PartsRule = Pick<FieldRule, 'name' | 'equality' | 'ownsAllKeys' | 'kindMembers'> & {
  readonly foreignKeys?: FieldRule['foreignKeys'] | undefined;
};

interface OwnPartsInput {
  readonly rule: PartsRule;
  /** What file and record say of the field: the keys of both are ours. */
  readonly declared: Value | undefined;
  readonly recorded: Json | undefined;
  /** Paths that are left alone: `labels`, `labels.team`, `*`. */
  readonly ignored: readonly string[];
}

/**
 * Maps are owned key by key: a key that neither file nor record holds is somebody else's, and so is one with a prefix
 * that belongs to others. `null` said of the field, a secret in it, and the rule's word own all the other keys.
 */
export function ownParts({ rule, declared, recorded, ignored }: OwnPartsInput): OwnParts {
  const paths = leftOut(rule.name, ignored);
  if (paths === 'all') return { extent: 'none', over: over((_value, rest) => rest) };
  if (rule.equality === 'record' && rule.ownsAllKeys !== true) return recordParts(rule, declared, recorded, paths);
  const isOurs = ownKeys(rule, declared, recorded);
  if (isOurs === undefined && paths.length === 0) return whole;
  return {
    extent: 'some',
    over: over((value, rest) => {
      if (isOpaque(value)) return value;
      const keyed = isOurs === undefined ? value : overKeys(value, rest, isOurs);
      return paths.reduce((result, path) => withPart(result, path, rest), keyed);
    }),
  };
}

/** Of a record the members that file or record say; all of it where both say nothing of it, or nobody knows what the record said. */
function recordParts(
  { kindMembers }: PartsRule,
  declared: Value | undefined,
  recorded: Json | undefined,
  paths: readonly (readonly string[])[],
): OwnParts {
  const said = [declared, recorded].filter((each) => isObject(each) || isList(each));
  if (said.length === 0 || isSealed(recorded))
    return paths.length === 0 ? whole : { extent: 'some', over: overPaths(paths) };
  return {
    extent: 'some',
    over: over((value, rest) => {
      if (isSealed(value) || isSecret(value)) return value;
      return overPaths(paths)(overRecord(value, isSealed(rest) ? undefined : rest, said, kindMembers), rest);
    }),
  };
}

const whole: OwnParts = { extent: 'all', over: over((value) => value) };

function overPaths(paths: readonly (readonly string[])[]): OwnParts['over'] {
  return over((value, rest) =>
    isOpaque(value) ? value : paths.reduce<Value | undefined>((result, path) => withPart(result, path, rest), value),
  );
}

/** A value with the parts under these paths as another one has them. */
export function leavingOut(
  field: string,
  ignored: readonly string[],
  value: Value | undefined,
  rest: Json | undefined,
): Value | undefined {
  const paths = leftOut(field, ignored);
  if (paths === 'all') return rest;
  // Long texts are not read for nothing.
  return paths.length === 0 || isOpaque(value) ? value : paths.reduce((out, path) => withPart(out, path, rest), value);
}

/** What is left alone of a recorded field of which the file says nothing: all of it, or keys of a map. */
export function leftAlone(rule: PartsRule, ignored: readonly string[], recorded: Json | undefined): Json | undefined {
  const paths = leftOut(rule.name, ignored);
  if (paths === 'all') return recorded;
  return isKeyed(rule) ? overPaths(paths)(undefined, recorded) : undefined;
}

/** Undefined: the value is owned whole. */
function ownKeys(
  rule: PartsRule,
  declared: Value | undefined,
  recorded: Json | undefined,
): ((key: string) => boolean) | undefined {
  if (!isKeyed(rule)) return undefined;
  const foreign = rule.foreignKeys ?? [];
  const isForeign = (key: string): boolean => foreign.some((prefix) => key.startsWith(prefix));
  // The keys of a secret are not known, so such a map is not shared.
  if ((declared !== undefined && hasSecret(declared)) || isSealed(recorded)) return undefined;
  if (rule.ownsAllKeys === true || declared === null) return foreign.length === 0 ? undefined : not(isForeign);
  const keys = new Set([declared, recorded].flatMap((value) => Object.keys(membersOf(value))));
  return (key) => keys.has(key) && !isForeign(key);
}

function not(test: (key: string) => boolean): (key: string) => boolean {
  return (key) => !test(key);
}

/** Fields whose members the platform merges one by one. */
export function isKeyed({ equality }: Pick<FieldRule, 'equality'>): boolean {
  return equality === 'map' || equality === 'multisets';
}

/** A map without the keys whose prefix belongs to others. */
export function withoutForeign(rule: FieldRule, value: Json): Json {
  const foreign = rule.foreignKeys ?? [];
  if (foreign.length === 0 || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !foreign.some((prefix) => key.startsWith(prefix))));
}

const nothing: readonly (readonly string[])[] = [];

/** What a list of paths leaves out of one field: nothing, all of it, or parts. */
function leftOut(field: string, paths: readonly string[]): 'all' | readonly (readonly string[])[] {
  if (paths.length === 0) return nothing;
  if (paths.includes('*') || paths.includes(field)) return 'all';
  return paths.map((path) => path.split('.')).flatMap(([name, ...rest]) => (name === field ? [rest] : []));
}

function overKeys(
  value: Value | undefined,
  rest: Json | undefined,
  isOurs: (key: string) => boolean,
): Value | undefined {
  const own = Object.entries(membersOf(value));
  const others = Object.entries(membersOf(rest)).filter(([key]) => !isOurs(key));
  // What is ours alone keeps its own spelling (attributes as JSON text).
  if (others.length === 0 && own.every(([key]) => isOurs(key))) return value;
  return Object.fromEntries([...own.filter(([key]) => isOurs(key)), ...others]);
}

/** A value whose members can't be told apart: a secret, one that is not known yet, or no map at all. */
function isOpaque(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false;
  const read = typeof value === 'string' ? parsed(value) : value;
  return !isObject(read) || isSealed(read);
}

function withPart(
  value: Value | undefined,
  [key, ...path]: readonly string[],
  rest: Json | undefined,
): Value | undefined {
  return key === undefined ? rest : withMember(value, key, path, rest);
}

function withMember(
  value: Value | undefined,
  key: string,
  path: readonly string[],
  rest: Json | undefined,
): Value | undefined {
  const members = new Map(Object.entries(membersOf(value)));
  const part = withPart(members.get(key), path, membersOf(rest)[key] as Json | undefined);
  if (part === undefined) members.delete(key);
  else members.set(key, part);
  return value === undefined && members.size === 0 ? undefined : Object.fromEntries(members);
}

/** The members of a map, which may be spelt as JSON text; none for anything else. */
function membersOf(value: Value | undefined): ValueObject {
  const read = typeof value === 'string' ? parsed(value) : value;
  return isObject(read) && !isSealed(read) ? read : {};
}

function parsed(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/**
 * A record over another: its own where one of `said` says the member, everything else as in `rest`. A member that is said
 * and not in the record is not there. Members of lists of one length are taken in pairs. `kinds`: paths of the members that
 * tell what kind of record it is; nothing is kept of one of another kind.
 */
export function overRecord(
  value: Value | undefined,
  rest: Value | undefined,
  said: readonly (Value | undefined)[],
  kinds: readonly string[] = [],
): Value | undefined {
  if (isList(value)) {
    const others = isList(rest) && rest.length === value.length ? rest : [];
    return value.map(
      (item, at) =>
        overRecord(
          item,
          others[at],
          said.map((each) => itemAt(each, at)),
          kinds,
        ) ?? null,
    );
  }
  if (!isObject(value) || isSealed(value)) return value;
  const others = isObject(rest) && !isSealed(rest) && !isOtherKind(value, rest, kinds) ? rest : {};
  const isOurs = (name: string): boolean => said.some((each) => isObject(each) && Object.hasOwn(each, name));
  const members: [string, Value][] = [];
  for (const name of new Set([...Object.keys(value), ...Object.keys(others)])) {
    const member = isOurs(name)
      ? overRecord(
          value[name],
          others[name],
          said.map((each) => (isObject(each) ? each[name] : undefined)),
          kindsIn(kinds, name),
        )
      : others[name];
    if (member !== undefined) members.push([name, member]);
  }
  return Object.fromEntries(members);
}

function itemAt(value: Value | undefined, at: number): Value | undefined {
  return isList(value) ? value[at] : undefined;
}

function isOtherKind(value: ValueObject, rest: ValueObject, kinds: readonly string[]): boolean {
  return kinds.some((name) => {
    const [own, other] = [value[name], rest[name]];
    return typeof own === 'string' && typeof other === 'string' && own !== other;
  });
}

/** The paths below one member: `type` of `auth.type`. */
function kindsIn(kinds: readonly string[], name: string): readonly string[] {
  return kinds.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
}
