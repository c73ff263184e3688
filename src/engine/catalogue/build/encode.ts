import { compareText } from '../../model/address.js';
import type { Expression, MapEntry } from '../../model/expression.js';

/**
 * The meaning of an expression as text: equal for every spelling and key order of the same thing. A secret counts with
 * its expression only, so that the text may be hashed and stored.
 */
export function encodeExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(expression.value);
    case 'list':
      return `[${expression.items.map(encodeExpression).join(',')}]`;
    case 'map':
      return encodeEntries(expression.entries);
    case 'reference':
      return `$(${expression.to} ${JSON.stringify([expression.target, ...expression.path])})`;
    case 'interpolation':
      return `$text(${expression.parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : encodeExpression(part))).join(',')})`;
    case 'secret':
      return `$secret(${JSON.stringify(expression.text)})`;
    case 'toJson':
      return `$json(${encodeExpression(expression.value)})`;
    case 'join':
      return `$join(${encodeExpression(expression.separator)},${encodeExpression(expression.items)})`;
    case 'lookup':
      return `$lookup(${JSON.stringify([expression.function, expression.return ?? null])},${encodeExpression(expression.arguments)})`;
  }
}

function encodeEntries(entries: ReadonlyMap<string, MapEntry>): string {
  const members = [...entries].sort((a, b) => compareText(a[0], b[0]));
  return `{${members.map(([name, entry]) => `${JSON.stringify(name)}:${encodeExpression(entry.value)}`).join(',')}}`;
}
