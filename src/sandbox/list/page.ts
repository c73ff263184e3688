import { type InvalidParameter, invalid } from '../problem.js';
import type { Query } from '../route.js';

interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

const defaultSize = 10;
const largestSize = 100;

/** `page[number]` and `page[size]` of a request. The real limits are unpublished: 10 unless asked, at most 100. */
export function readPage(query: Query): Page {
  return {
    number: readNumber(query, 'page[number]', 1, Number.MAX_SAFE_INTEGER),
    size: readNumber(query, 'page[size]', defaultSize, largestSize),
  };
}

function readNumber(query: Query, field: string, fallback: number, maximum: number): number {
  const given = query[field];
  if (given === undefined || given === '') return fallback;
  if (typeof given !== 'string' || !/^-?\d+$/.test(given))
    throw refused({ rule: 'is_number', reason: 'must be a number' });
  const value = Number(given);
  if (value < 1) throw refused({ rule: 'min', minimum: 1, reason: 'must be at least 1' });
  if (value > maximum) throw refused({ rule: 'max', maximum, reason: `must be at most ${String(maximum)}` });
  return value;

  function refused(parts: Omit<InvalidParameter, 'field' | 'source'>): Error {
    return invalid({ field, source: 'query', ...parts, reason: `${field} ${parts.reason}` });
  }
}
