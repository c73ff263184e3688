import type { Json } from '@platform-sync/core/model/value';
import { camelCase, wireName } from '../convert.js';
import { problem } from '../errors.js';
import { refused, type ArgumentQuery } from './filter.js';

/**
 * `created_at desc`, `name,created_at desc` → the wire's `sort`. Fields may be written as in results (`createdAt`) or
 * as on the wire.
 */
export function sortQuery(sort: Json, fields: readonly string[]): ArgumentQuery {
  const hint = `It sorts by ${fields.map(camelCase).join(', ')}, each with asc or desc behind it or nothing.`;
  const refuse = (summary: string): ArgumentQuery => refused(problem('invalid-sort', summary, { field: 'sort', hint }));
  if (typeof sort !== 'string') return refuse('sort must be text.');
  const parts: string[] = [];
  for (const part of sort.split(',')) {
    const [name = '', direction, ...more] = part.trim().split(/\s+/);
    const field = wireName(name);
    if (name === '' || more.length > 0)
      return refuse(`"${part.trim()}" is not a sort: it has the form field, field asc or field desc.`);
    if (!fields.includes(field)) return refuse(`The lookup can't sort by ${name}.`);
    const order = direction?.toLowerCase();
    if (order !== undefined && order !== 'asc' && order !== 'desc')
      return refuse(`"${direction}" is not a direction; there are asc and desc.`);
    parts.push(order === undefined ? field : `${field} ${order}`);
  }
  return { query: [['sort', parts.join(',')]], problems: [] };
}
