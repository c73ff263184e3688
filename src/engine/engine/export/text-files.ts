import { hasSections } from '@platform-sync/catalogue/read/text-file';
import type { Address } from '@platform-sync/core/model/address';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { kebab } from './name-objects.js';

/** A body (not shown in lists) is a document of its own; another text becomes one only when it is very long. */
const limits = { body: { lines: 1, characters: 120 }, other: { lines: 10, characters: 800 } };

/** True for texts that read better in a file of their own. */
export function belongsInFile(rule: FieldRule, text: string): boolean {
  // Half a character can't be written as UTF-8; YAML has an escape for it.
  if ((rule.equality !== 'text' && rule.equality !== 'document') || /\p{Surrogate}/u.test(text)) return false;
  const limit = rule.inList ? limits.other : limits.body;
  return text.length > limit.characters || lineCount(text, limit.lines) > limit.lines;
}

/** Lines of text, the break at its end not counted; counts no further than one above `enough`. */
function lineCount(text: string, enough: number): number {
  let lines = 1;
  const end = text.length - 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end && lines <= enough; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/**
 * Where a field's text goes: `docs/petstore/guide.md`, `specs/petstore.yaml`, `descriptions/petstore.md`. By the names of
 * fields: `content` is the page itself, `xContent` holds an x, anything else is text about the object.
 */
export function textPath(rule: FieldRule, address: Address, text: string): string {
  const kind = /^(.+)Content$/.exec(rule.name)?.[1];
  if (kind !== undefined) return `${kebab(kind)}s/${address}.${dataExtension(text)}`;
  return `${rule.name === 'content' ? 'docs' : `${kebab(rule.name)}s`}/${address}.md`;
}

export function dataPath(rule: FieldRule, address: Address): string {
  return `data/${address}.${kebab(rule.name)}.json`;
}

function dataExtension(text: string): string {
  if (/^\s*\{/.test(text) && isJson(text)) return 'json';
  // A file that looks like a part of the catalogue would be loaded as one.
  return hasSections(text) ? 'txt' : 'yaml';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text as a file. Readers take one byte order mark away, so a text that begins with one needs two. */
export function fileText(text: string): string {
  return text.startsWith('\uFEFF') ? `\uFEFF${text}` : text;
}
