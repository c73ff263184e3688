import { isList, isObject } from '../model/value.js';
import type { Value } from '../model/value.js';

/**
 * A record over another: its own where one of `said` says the member, everything else as in `rest`. A member that is said
 * and not in the record is not there. Members of lists of one length are taken in pairs.
 */
export function overRecord(
  value: Value | undefined,
  rest: Value | undefined,
  said: readonly (Value | undefined)[],
): Value | undefined {
  if (isList(value)) {
    const others = isList(rest) && rest.length === value.length ? rest : [];
    return value.map(
      (item, at) =>
        overRecord(
          item,
          others[at],
          said.map((each) => itemAt(each, at)),
        ) ?? null,
    );
  }
  if (!isObject(value)) return value;
  const others = isObject(rest) ? rest : {};
  const isOurs = (name: string): boolean => said.some((each) => isObject(each) && Object.hasOwn(each, name));
  const members: [string, Value][] = [];
  for (const name of new Set([...Object.keys(value), ...Object.keys(others)])) {
    const member = isOurs(name)
      ? overRecord(
          value[name],
          others[name],
          said.map((each) => (isObject(each) ? each[name] : undefined)),
        )
      : others[name];
    if (member !== undefined) members.push([name, member]);
  }
  return Object.fromEntries(members);
}

function itemAt(value: Value | undefined, at: number): Value | undefined {
  return isList(value) ? value[at] : undefined;
}
