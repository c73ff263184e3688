import { anyNumber, anyOne, literal, matches, type Pattern, type Step } from '@platform-sync/core/model/pattern';

/** Who answers for a file of the repository, as CODEOWNERS writes them: `@acme/pets`, `ann@example.com`. */
type OwnersOf = (file: string) => readonly string[];

interface Rule {
  readonly pattern: Pattern;
  /** Undefined: what fits has no owners in this section, whatever other lines say. */
  readonly owners: readonly string[] | undefined;
}

/** Where GitHub and GitLab look for the file, from the repository's root; the first that exists counts. */
export const codeOwnersFiles = ['.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const;

/** Reads CODEOWNERS: the last line that fits counts, in GitLab's files the last one of each section, be it written in several places. */
export function codeOwners(text: string): OwnersOf {
  const sections = new Map<string, Rule[]>();
  let [name, defaults]: [string, readonly string[]] = ['', []];
  for (const line of text.split(/\r?\n/)) {
    const section = /^\^?\[([^\]]+)\](?:\[\d+\])?(.*)$/.exec(line.trim());
    if (section !== null) {
      [name, defaults] = [(section[1] ?? '').toLowerCase(), ownersIn(section[2] ?? '')];
      continue;
    }
    const rule = /^(!?)((?:\\.|[^\s#\\])(?:\\.|[^\s\\])*)(.*)$/.exec(line.trim());
    if (rule === null) continue;
    const [, not, pattern = '', rest = ''] = rule;
    const owners = ownersIn(rest);
    const given = owners.length === 0 ? defaults : owners;
    const rules = sections.get(name) ?? [];
    rules.push({ pattern: patternOf(pattern), owners: not === '' ? given : undefined });
    sections.set(name, rules);
  }
  return (file) => [
    ...new Set(
      [...sections.values()].flatMap((rules) => {
        const fitting = rules.filter(({ pattern }) => pattern.test(file)).map(({ owners }) => owners);
        return fitting.includes(undefined) ? [] : (fitting.at(-1) ?? []);
      }),
    ),
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
