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
