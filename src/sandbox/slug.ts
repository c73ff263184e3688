const semanticVersion = /^v?(\d+)\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * The platform's slug of a text: accents dropped, runs of capitals set apart, lower case, white space to `-`,
 * everything outside letters, digits, `_` and `-` dropped, `_` to `-`, single `-` only, none at the ends.
 */
export function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/_/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Default slug of an API: name and version, of a semantic version only the major number. Null when nothing is left. */
export function apiSlug(name: string, version: string | null): string | null {
  const major = version === null ? '' : (semanticVersion.exec(version)?.[1] ?? version);
  const slug = slugify(`${name} ${major}`);
  return slug === '' ? null : slug;
}

/** Default slug of a document; a title without any usable letter still gets one. */
export function documentSlug(title: string): string {
  const slug = slugify(title);
  return slug === '' ? 'untitled' : slug;
}
