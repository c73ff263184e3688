import type { Intent, RecordedResource, StackKey } from '@platform-sync/core/model/state';
import { type LeaseHolder, StateStoreError } from '@platform-sync/core/model/state-store';
import { sql, type Sql } from './sql.js';
import type { IntentRow, ResourceRow, StackRow } from './tables.js';
import { mostLevels, readJson } from '@platform-sync/core/model/read-json';
import { type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { StateCode } from '@platform-sync/core/generated/codes';

export type { StackKey };

/** The condition that a row belongs to it. */
export function ofStack({ project, stack }: StackKey): Sql {
  return sql`project = ${project} and stack = ${stack}`;
}

/** Rows a statement: far below both databases' limits on parameters, and few enough round trips. */
const chunkSize = 500;

export function chunks<T>(items: Iterable<T>): readonly (readonly T[])[] {
  const all = [...items];
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < all.length; at += chunkSize) parts.push(all.slice(at, at + chunkSize));
  return parts;
}

/** Its columns: address, type, id, scope, dependencies, body. */
export function resourceCells(resource: RecordedResource): readonly string[] {
  const { address, type, identity, dependencies, ...body } = resource;
  const { id, scope } = identity;
  return [address, type, stored(id), JSON.stringify(scope), JSON.stringify(dependencies), JSON.stringify(body)];
}

export type StoredResource = Omit<ResourceRow, keyof StackKey>;

type Body = Omit<RecordedResource, 'address' | 'type' | 'identity' | 'dependencies'>;

/** Reads rows one after the other: what is in one place, and needs the same, shares what says so. */
export function resourceReader(): (row: StoredResource) => RecordedResource {
  const types = new Map<string, string>();
  const scopeOf = parsedAsBefore<RecordedResource['identity']['scope']>();
  const neededOf = parsedAsBefore<RecordedResource['dependencies']>();
  return (row) => {
    const at = `the record of ${row.address}`;
    const scope = scopeOf(row.scope, at);
    const { inputs, outputs, protect, retainOnDelete, deposed, ...rest } = parsed<Body>(row.body, at);
    shareTexts(scope, inputs);
    shareTexts(inputs, outputs);
    const type = types.get(row.type) ?? row.type;
    types.set(type, type);
    const { address } = row;
    const identity = { id: row.id, scope };
    const dependencies = neededOf(row.dependencies, at);
    // Written out: what is spread into an object takes more memory.
    return { address, type, identity, dependencies, inputs, outputs, protect, retainOnDelete, deposed, ...rest };
  };
}

/** What an object has is mostly what was sent, below what its scope names: a text that stands in both is kept once. */
function shareTexts(from: JsonObject, to: Record<string, Json>): void {
  for (const name in from) {
    const text = from[name];
    if (typeof text === 'string' && ownMember(to, name) === text) to[name] = text;
  }
}

export function resourceOf(row: StoredResource): RecordedResource {
  return resourceReader()(row);
}

/** What the last text was read as, where the next one is the same. */
function parsedAsBefore<T>(): (text: string, what: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text, what) => {
    if (last?.text !== text) last = { text, value: parsed<T>(text, what) };
    return last.value;
  };
}

const half = /\p{Surrogate}/u;

/** Half of a pair of UTF-16 is no sign: as UTF-8, and in JSON that a database reads, nothing stands for it but U+FFFD. */
function stored(text: string): string {
  return half.test(text) ? Buffer.from(text).toString() : text;
}

/** Its columns: id, created_at, body. */
export function intentCells(intent: Intent): readonly string[] {
  return [intent.id, intent.createdAt, JSON.stringify(intent)];
}

export function intentOf(row: Pick<IntentRow, 'id' | 'body'>): Intent {
  return parsed(row.body, `the intent ${row.id}`);
}

/** JSON text this program wrote itself. */
export function parsed<T>(text: string, what: string): T {
  try {
    return readJson(text, mostLevels.own) as T;
  } catch {
    throw new StateStoreError(
      'corrupt',
      `${what} in the state is damaged`,
      'Restore a copy of the state, or remove that record and adopt the object again.',
    );
  }
}

export type HolderRow = Pick<StackRow, 'lease_id' | 'lease_owner' | 'lease_purpose' | 'lease_since' | 'lease_seen'>;

export function holderOf(row: HolderRow): LeaseHolder | undefined {
  if (row.lease_id === null) return undefined;
  return {
    id: row.lease_id,
    owner: row.lease_owner ?? '',
    purpose: row.lease_purpose ?? '',
    since: new Date(row.lease_since ?? 0).toISOString(),
    seen: new Date(row.lease_seen ?? 0).toISOString(),
  };
}

/** The error of a change that the store will not make; nothing of that change is kept. */
export function refusal(
  code: StateCode,
  summary: string,
  more: { hint?: string; address?: string } = {},
): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...more }]);
}
