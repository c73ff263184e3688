import { addressKeyPattern, type Address } from '@platform-sync/core/model/address';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { FoundSource } from './find-files.js';

const extensions = {
  specification: /\.(?:ya?ml|json)$/i,
  markdown: /\.(?:md|markdown)$/i,
} as const;

/** The files of a source that may be meant: in a folder, those with an extension of the format. */
export function filesOf({ found, isFolder }: FoundSource, format: keyof typeof extensions): readonly string[] {
  return isFolder ? found.filter((file) => extensions[format].test(file)) : found;
}

/**
 * The address of a file, from its path alone: folders are what it stands under, where the type stands under anything; else
 * all names are joined by dashes. Of a folder of pages, `index.md` or `README.md` is the folder's own page.
 */
export function addressOf(
  file: string,
  { base, under }: Pick<FoundSource, 'base' | 'under'>,
  type: ResourceType,
): Address {
  const keys = file
    .slice(base === '' ? 0 : base.length + 1)
    .replace(/\.[^./]*$/, '')
    .split('/')
    .map(keyOf);
  if (type.nesting.length === 0) return keyOf(keys.join('-'));
  const isTree = type.nesting.some((nesting) => nesting.under === type.token);
  const isOwnPage =
    isTree && keys.length > (under === undefined ? 2 : 1) && /^(?:index|readme)$/i.test(keys.at(-1) ?? '');
  const own = isOwnPage ? keys.slice(0, -1) : keys;
  return [...(under === undefined ? [] : [under.text]), ...own].join('/');
}

/** A name with what no key can hold as dashes. */
function keyOf(name: string): string {
  if (addressKeyPattern.test(name)) return name;
  const plain = name.normalize('NFC').replace(/[^A-Za-z0-9_-]+/g, '-');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

/** `version` for the ApiVersion of an Api: the key of what a specification is kept as. */
export function keyOfKept(type: ResourceType, kept: ResourceType): string {
  const name = kept.name.startsWith(type.name) ? kept.name.slice(type.name.length) : kept.name;
  return name.charAt(0).toLowerCase() + name.slice(1);
}
