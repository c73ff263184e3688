import type { SettlingRows } from './rules-lines.js';
import type { FieldDefinition, TypeDefinition } from '../providers/rest/definition.js';

export interface Correction extends Partial<Omit<TypeDefinition, 'name' | 'fields'>> {
  readonly why: string;
  /** No type after all. */
  readonly skip?: boolean;
  /** What is open and stays so, with good reason. */
  readonly accepted?: readonly OpenRow[];
  readonly fields?: Readonly<Record<string, FieldDefinition & { readonly why: string }>>;
}

/** What rules may leave open about a type. */
export const openRows = [
  'union',
  'absence',
  'naturalKey',
  'parent',
  'list',
  'paging',
  'read',
  'tells',
  'names',
  'untouched',
  'updates',
  'body',
  'shown',
  'id',
  'pattern',
] as const;

export type OpenRow = (typeof openRows)[number];

/** What is open about a type, and the rows of a correction that settle it; left out: `accepted`. */
export type OpenItem = readonly [row: OpenRow, what: string | false, rows?: SettlingRows | undefined];
