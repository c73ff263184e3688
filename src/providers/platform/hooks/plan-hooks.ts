import { memberRange } from '@platform-sync/core/model/read-json';
import type { PlanHooks } from '@platform-sync/rest/style';
import type { JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, parseJson } from '@platform-sync/rest/http/json';

const block = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const entry = /^(title|description)[ \t]*:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*?))[ \t]*$/;

/** What the front matter of a Markdown text says of title and description, as far as it is plain. */
function frontMatter(content: string): JsonObject {
  const lines = block.exec(content)?.[1]?.split(/\r?\n/) ?? [];
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = entry.exec(line);
      const value = match?.[2] ?? match?.[3] ?? match?.[4];
      return match?.[1] === undefined || value === undefined || value === '' ? [] : [[match[1], value] as const];
    }),
  );
}

/**
 * A text in the form the platform uses in URLs. Accents go, words inside capitals part (`XMLParser`), what is neither
 * a letter, digit, `-` nor `_` goes without leaving a gap, and runs of hyphens become one.
 */
export function slugify(text: string): string {
  // Words of small letters and digits, with at most a capital in front: most titles are, and come out as they are.
  if (/^[A-Z]?[a-z0-9]+(?: [A-Z]?[a-z0-9]+)*$/.test(text)) return text.toLowerCase().replaceAll(' ', '-');
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/([A-Z]*)([A-Z][a-z]+)/g, ' $1 $2')
    .replace(/([A-Z]+)$/, ' $1')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9_-]+/g, '')
    .replaceAll('_', '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}

/** The slug the platform gives an API that asks for none. Of a semantic version, only the major part counts. */
export function apiSlug(name: string, version: string | undefined): string {
  return slugify(version === undefined ? name : `${name} ${semanticVersion.exec(version)?.[1] ?? version}`);
}

const semanticVersion = /^v?(\d+)\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** What the platform chooses by itself, as far as known. Definitions name these. */
export const planHooks: PlanHooks = {
  derive: {
    apiSlug: ({ name, version }) =>
      typeof name === 'string' ? { slug: apiSlug(name, typeof version === 'string' ? version : undefined) } : {},
    /** A version without a name has the one that its specification says. */
    specificationVersion: ({ specContent }) => {
      const own = typeof specContent === 'string' ? specificationVersion(specContent) : undefined;
      return own === undefined ? {} : { version: own };
    },
    /** Pages and snippets have the title and description that their front matter says. */
    frontMatter: ({ content }) => (typeof content === 'string' ? frontMatter(content) : {}),
    portalDisplayName: ({ name }) => (typeof name === 'string' ? { displayName: name } : {}),
    titleSlug: ({ title }) => (typeof title === 'string' ? { slug: slugify(title) } : {}),
  },
  alsoNamed: {
    /** A specification sent along gives an API without a version its own. */
    specificationVersion: ({ version, specContent }) => {
      const own =
        version === undefined && typeof specContent === 'string' ? specificationVersion(specContent) : undefined;
      return own === undefined ? {} : { version: own };
    },
  },
};

/**
 * The version an API specification states in its `info`, JSON or YAML. Reads the few lines it needs rather than the
 * whole: a miss means that an API is looked for by its name alone.
 */
export function specificationVersion(text: string): string | undefined {
  const range = /^\s*\{/.test(text) ? memberRange(text, 'info') : undefined;
  const info = range === undefined ? undefined : asObject(parseJson(text.slice(range.start, range.end)));
  if (info !== undefined) return asText(info.version);
  let inInfo = false;
  for (const line of text.split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#')) inInfo = /^["']?info["']?:/.test(line);
    const found = inInfo ? stated.exec(line) : null;
    if (found !== null) return found[1] ?? found[2] ?? found[3];
  }
  return undefined;
}

/** On a line of its own, or among others in braces. */
const stated = /^(?:\s+|["']?info["']?:\s*\{(?:.*[\s,{])?)["']?version["']?:\s*(?:"([^"]*)"|'([^']*)'|([^#\s,}]+))/;
