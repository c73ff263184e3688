import type { Query } from '../http/path.js';
import { queryOf } from '../rest/paging.js';
import { paging } from './wire.js';

/** The query for one page; pages count from 1. */
export function pageQuery(number: number): Query {
  return queryOf(paging, [paging.number, String(number)]);
}
