import { isScalar, type Node } from 'yaml';
import type { Address } from '../../model/address.js';
import { splitTemplate } from '../read/reference-syntax.js';
import { rangeOf, type EditedText } from './ranges.js';
import type { TextEdit } from './text.js';

/** Makes a value that is one reference refer to the object of another resource; undefined where it is something else. */
export function redirected(source: EditedText, node: Node | null, to: Address): TextEdit | undefined {
  if (!isScalar(node) || typeof node.value !== 'string' || node.tag?.startsWith('!') === true) return undefined;
  const parts = splitTemplate(node.value);
  if (parts?.length !== 1 || typeof parts[0] === 'string') return undefined;
  const [start, end] = rangeOf(node);
  const found = /\$\{[^{}]*\}/.exec(source.text.slice(start, end));
  if (found === null) return undefined;
  const from = start + found.index;
  return { start: from, end: from + found[0].length, text: `\${${to}.id}` };
}
