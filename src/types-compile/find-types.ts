import type { Description } from './description.js';
import { markedTypes } from './marked-types.js';
import { pathTypes } from './path-types.js';
import type { Rules } from './rules-file.js';
import { sentPath, type TypeSite, type UnnamedSite } from './type-site.js';
import { pascal, singular } from './words.js';

/** Rule 0: what is a type. Marks say it, where the rules file says which; else it follows from the paths. */
export function findTypes(description: Description, rules: Rules): readonly TypeSite[] {
  const marked = rules.entityMark === undefined ? [] : markedTypes(description, rules.entityMark);
  const known = new Set(marked.map(({ create }) => sentPath(create[1])));
  const calls = new Set(marked.map((each) => each.calls.create));
  // Beside what marks name at a path, a call of its own without a mark makes a type where the rules file names it.
  const others = pathTypes(description).filter(
    ({ create: [, path], calls: { create } }) =>
      !known.has(path) || (rules.names[path] !== undefined && !calls.has(create)),
  );
  return [...marked, ...named(others, rules, { marked, shared: sharedWords([...description.paths.keys()]) })];
}

/** Words that most paths begin with, and that name nothing by themselves: `api` and `0` of `/api/0/teams`. */
function sharedWords(paths: readonly string[]): readonly string[] {
  const shared: string[] = [];
  let left = paths.map((path) => path.split('/').slice(1));
  for (;;) {
    const counts = new Map<string, number>();
    for (const words of left) if (words.length > 1) counts.set(words[0] ?? '', (counts.get(words[0] ?? '') ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most === undefined || most[0].startsWith('{') || most[1] * 2 <= paths.length || most[1] < 2) return shared;
    left = left.filter(([word]) => word === most[0]).map((words) => words.slice(1));
    // Things lie there.
    if (left.some(([next = '{']) => next.startsWith('{'))) return shared;
    shared.push(most[0]);
  }
}

function withoutShared(parts: readonly string[], shared: readonly string[]): readonly string[] {
  const end = parts.findIndex((part, at) => part !== shared[at]);
  return end < 0 ? [] : parts.slice(end);
}

/** By the last fixed words in the singular: as many as it takes to tell it from others. */
function named(
  found: readonly UnnamedSite[],
  rules: Rules,
  { marked, shared }: { readonly marked: readonly TypeSite[]; readonly shared: readonly string[] },
): readonly TypeSite[] {
  const words = found.map(({ create: [, path], list, members }) => {
    const parts = (members === undefined ? path : (list ?? path)).split('/').slice(1);
    return fixedWords(withoutShared(parts, shared)) ?? fixedWords(parts) ?? ['Object'];
  });
  const text = (at: number, count: number): string => (words[at] ?? []).slice(-count).join('');
  const times = new Map<string, number>();
  for (const [at, own] of words.entries())
    for (let count = 1; count <= own.length; count += 1)
      times.set(`${count} ${text(at, count)}`, (times.get(`${count} ${text(at, count)}`) ?? 0) + 1);
  const names = found.map(({ create: [, path] }, at) => {
    const said = rules.names[path];
    if (said !== undefined) return said;
    let count = 1;
    while (count < (words[at] ?? []).length && (times.get(`${count} ${text(at, count)}`) ?? 0) > 1) count += 1;
    return text(at, count);
  });
  const seen = new Map<string, number>(marked.map(({ name }) => [name, 1]));
  return found.map((site, at) => {
    const name = names[at] ?? '';
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { name: nth === 1 ? name : `${name}${nth}`, ...site };
  });
}

/** The words of a path that are no parameter and no version; undefined where there are none. */
function fixedWords(parts: readonly string[]): readonly string[] | undefined {
  const words = parts
    .filter((part) => !part.startsWith('{') && !/^v\d+(?:(?:alpha|beta)\d*)?$/.test(part))
    .map((part) => pascal(singular(part)).replace(/^(?=\d)/, 'No'))
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}
