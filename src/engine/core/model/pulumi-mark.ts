import { sha256 } from './canonical.js';

/** Enough of a digest that no two resources of a stack share it. */
const digits = 20;

/** The first half of the marks of a Pulumi stack, from the URN of any of its resources: `pulumi.shop.dev.5c0f…`. */
export function pulumiStackMark(urn: string): string {
  const [place = '', project = ''] = urn.split('::');
  const stack = place.replace('urn:pulumi:', '');
  return markWord(`pulumi.${project}.${stack}`, `${project}::${stack}`);
}

/** What a label may hold: a beginning for people, and a digest that tells. */
export function markWord(words: string, whole: string): string {
  const plain = words.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${plain === '' ? 'x' : plain.slice(0, 40)}.${sha256(whole).slice(0, digits)}`;
}
