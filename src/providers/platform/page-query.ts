import type { Query } from '@platform-sync/rest/http/path';
import { queryOf } from '@platform-sync/rest/paging';
import { paging } from './wire.js';

/** The query for one page; pages count from 1. */
export function pageQuery(number: number): Query {
  return queryOf(paging, [paging.number, String(number)]);
}
