import type { PlanHooks } from '@platform-sync/rest/style';
import { apiSlug, slugify } from '../slug.js';
import { frontMatter } from './front-matter.js';
import { specificationVersion } from './specification-version.js';

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
