import type { Query } from '../route.js';

type Labels = Readonly<Record<string, unknown>>;

/**
 * `labels=team:payments,critical`: a pair must be equal, a bare key must exist, all of them must hold.
 * Undefined: nothing asked for.
 */
export function readLabelFilter(query: Query, parameter: string): ((labels: Labels) => boolean) | undefined {
  const given = query[parameter];
  if (given === undefined) return undefined;
  const conditions = (typeof given === 'string' ? given : given.join(','))
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(readCondition);
  return conditions.length === 0 ? undefined : (labels) => conditions.every((holds) => holds(labels));
}

function readCondition(item: string): (labels: Labels) => boolean {
  const colon = item.indexOf(':');
  if (colon < 0) return (labels) => Object.hasOwn(labels, item);
  const key = item.slice(0, colon).trim();
  const value = item.slice(colon + 1).trim();
  return (labels) => Object.hasOwn(labels, key) && labels[key] === value;
}
