import { isList, isObject, type Value, type ValueObject } from '../model/value.js';
import { isSealed } from './sealed.js';

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
