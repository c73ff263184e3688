import { anyNumber, anyOne, literal, matches, type Pattern, type Step } from '@platform-sync/core/model/pattern';

/** Who answers for a file of the repository, as CODEOWNERS writes them: `@acme/pets`, `ann@example.com`. */
type OwnersOf = (file: string) => readonly string[];

interface Rule {
  readonly pattern: Pattern;
  readonly owners: readonly string[];
}

/** Where GitHub and GitLab look for the file, from the repository's root; the first that exists counts. */
export const codeOwnersFiles = ['.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const;

/** Reads CODEOWNERS: the last line that fits counts, in GitLab's files the last one of each section. */
export function codeOwners(text: string): OwnersOf {
  const sections: { readonly defaults: readonly string[]; readonly rules: Rule[] }[] = [{ defaults: [], rules: [] }];
  for (const line of text.split(/\r?\n/)) {
    const section = /^\^?\[[^\]]+\](?:\[\d+\])?(.*)$/.exec(line.trim());
    if (section !== null) {
      sections.push({ defaults: ownersIn(section[1] ?? ''), rules: [] });
      continue;
    }
    const rule = /^((?:\\.|[^\s#\\])(?:\\.|[^\s\\])*)(.*)$/.exec(line.trim());
    const current = sections.at(-1);
    if (rule === null || current === undefined) continue;
    const owners = ownersIn(rule[2] ?? '');
    current.rules.push({ pattern: patternOf(rule[1] ?? ''), owners: owners.length === 0 ? current.defaults : owners });
  }
  return (file) => [
    ...new Set(sections.flatMap(({ rules }) => rules.findLast(({ pattern }) => pattern.test(file))?.owners ?? [])),
  ];
}

function ownersIn(text: string): readonly string[] {
  const words = text.split(/\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  return words.slice(0, comment === -1 ? undefined : comment).filter((word) => word.includes('@'));
}

/** Without a slash in it, a pattern is looked for in every folder; the name of a folder means all in it. */
function patternOf(given: string): Pattern {
  const text = given.replace(/\\(.)/g, '$1');
  const names = text.replace(/^\//, '').replace(/\/$/, '').split('/');
  const above = text.startsWith('/') || names.length > 1 ? [] : [anyNumber];
  const last = names.at(-1);
  // All in a folder is something in it; the files of a folder are no folders.
  const below =
    text.endsWith('/') || last === '**' ? [anyOne, anyNumber] : last === '*' && names.length > 1 ? [] : [anyNumber];
  const steps = [...above, ...(last === '**' ? names.slice(0, -1) : names).map(nameStep), ...below];
  return { test: (file) => matches(steps, file.split('/')) };
}

function nameStep(name: string): Step<string> {
  if (name === '**') return anyNumber;
  const signs = Array.from(name.matchAll(/\*+|[^]/gu)).flatMap(([part]) => {
    if (part.startsWith('*')) return [anyNumber];
    return part === '?' ? [anyOne] : literal(part);
  });
  return { takes: (given) => matches(signs, given) };
}
