import { defined } from '@platform-sync/core/model/value';
import { snakeCase } from '@platform-sync/rest/names';
import { plainPath as plain, type TypeSite } from './type-site.js';
import { camel, pascal, singular } from './words.js';

/** Where an object of a type stands: fields for the parameters of its path. */
export interface Place {
  /** Fields above the object, outermost first, each with the type whose id it holds, where one is known. */
  readonly above: readonly { readonly field: string; readonly type?: string }[];
  /** Field that is the object's id; `id`: it has one of its own. Left out: its path ends with a word. */
  readonly own?: string;
  /** A path with the parameters called like the fields. */
  readonly written: (path: string) => string;
}

const parameter = /\{([^}]*)\}/g;

/** Rule 1. One place has one name, whatever each path calls its parameter: that of the path where it is an id itself. */
export function placesOf(
  sites: readonly TypeSite[],
  ownOf: (site: TypeSite) => string | undefined,
  membersOf: (site: TypeSite) => ReadonlySet<string>,
): (site: TypeSite) => Place {
  const byItem = new Map<string, TypeSite>();
  // Of types that share a path, the first stands for all.
  for (const site of sites)
    if (site.item.endsWith('}') && !byItem.has(plain(site.item))) byItem.set(plain(site.item), site);
  const fieldAt = (prefix: string, name: string): string => {
    const type = byItem.get(plain(prefix));
    const names = [type === undefined ? name : lastParameter(type.item), name].map((each) =>
      camel(each.replace(/(?:Or|_or_)[Nn]ame$/, '')),
    );
    return (
      names.find((called) => called !== 'id') ?? (type === undefined ? 'parentId' : `${camel(singularId(type))}Id`)
    );
  };
  return (site) => {
    const prefixes = [...site.item.matchAll(parameter)].map((found) => ({
      name: found[1] ?? '',
      prefix: site.item.slice(0, found.index + found[0].length),
    }));
    const isItem = site.item.endsWith('}');
    const members = membersOf(site);
    const above = (isItem ? prefixes.slice(0, -1) : prefixes).map(({ name, prefix }) => {
      const type = byItem.get(plain(prefix))?.name;
      const field = fieldAt(prefix, name);
      return { field: members.has(field) ? withNoun(field, prefix) : field, ...defined({ type }) };
    });
    const last = prefixes.at(-1);
    const own =
      site.members !== undefined
        ? `${camel(singular(site.members))}Id`
        : !isItem || last === undefined
          ? undefined
          : (ownName(ownOf(site), above) ?? fieldAt(site.item, last.name));
    const fields = [...above.map(({ field }) => field), ...(own === undefined ? [] : [own])];
    return {
      above,
      ...defined({ own }),
      written: (path) => {
        let at = 0;
        return path.replace(parameter, () => `{${fields[at++] ?? ''}}`);
      },
    };
  };
}

/** The `code` of the plan that a charge with a code of its own is in is its `planCode`. */
function withNoun(field: string, prefix: string): string {
  const noun = camel(singular(prefix.split('/').at(-2) ?? ''));
  const words = wordsOf(noun);
  const isBare = noun !== '' && !wordsOf(field).some((word) => words.some((each) => each.startsWith(word)));
  return isBare ? `${noun}${pascal(field)}` : field;
}

function wordsOf(name: string): readonly string[] {
  return snakeCase(name).split('_');
}

/** Nothing is called as what it lives in is. */
function ownName(name: string | undefined, above: Place['above']): string | undefined {
  return above.some(({ field }) => field === name) ? undefined : name;
}

/** The word of a path for one of its objects: `catalogService` of `/v1/catalog-services/{id}`. */
function singularId({ item }: TypeSite): string {
  return singular(item.split('/').at(-2) ?? '');
}

function lastParameter(path: string): string {
  return [...path.matchAll(parameter)].at(-1)?.[1] ?? '';
}
